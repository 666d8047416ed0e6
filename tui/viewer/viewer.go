// Package viewer shows the edits of a session over the whole window.
package viewer

import (
	"fmt"
	"slices"
	"strings"

	"parley/render/diff"
	"parley/render/text"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
	"parley/timeline"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Viewer shows over the whole screen what git reports, and then the edits of a session one
// at a time, newest first. It draws only the rows on the screen.
type Viewer struct {
	overlay.Base
	timeline *timeline.Timeline // that the edits are in
	layout   *Layout

	edits  []timeline.EntryID
	trees  Trees // the first of edits
	at     int   // the one that is shown
	text   string
	name   string // of its file
	diff   *diff.Diff
	review *diff.View
	cursor int // the selected line
	top    int // the first row shown
	left   int // columns scrolled to the right
	rows   int // of the diff as it was laid out last
}

// New returns a viewer of some edits, with the trees before them. The layout outlives it.
// Open shows one of them.
func New(tl *timeline.Timeline, layout *Layout, edits []timeline.EntryID, t Trees) *Viewer {
	return &Viewer{timeline: tl, layout: layout, edits: t.with(edits), trees: t}
}

// SetFacts implements overlay.Overlay: in a window of another size the selected line
// stays on the screen.
func (v *Viewer) SetFacts(f overlay.Facts) {
	resized := v.review != nil && (f.Width != v.Width || f.Height != v.Height)
	if v.Facts = f; resized {
		v.relay()
	}
}

// Open shows edit n of the list.
func (v *Viewer) Open(n int) {
	if tree, ok := v.trees.find(v.edits[n]); ok {
		v.show(n, tree.Diff, tree.diff)
		v.name = tree.name()
		return
	}
	i, ok := v.timeline.Find(v.edits[n])
	if !ok {
		return // rewound meanwhile
	}
	c, ok := v.timeline.At(i).Body.(*timeline.ToolCall)
	if !ok {
		return
	}
	d, raw, _, ok := diff.OfCall(c)
	if !ok {
		return
	}
	v.show(n, raw, d)
	if len(c.Edits) == 1 {
		d.Name(c.Edits[0].Path)
	}
	names := d.Names()
	for i, name := range names {
		name = rooted(name, c)
		d.Files[i].Name, names[i] = text.PathFrom(v.Dir, name), v.below(name)
	}
	switch len(names) {
	case 0:
		v.name = "an edit"
	case 1:
		v.name = names[0]
	default:
		v.name = fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
}

// Reopen shows what the last viewer did, at the place where it was left, so that another
// line can be commented. If there are other edits since, or what it showed has changed, it
// shows edit n.
func (v *Viewer) Reopen(n int) {
	if was := v.layout.left; was.timeline == v.timeline && slices.Equal(was.edits, v.edits) {
		if v.Open(was.at); v.review != nil && v.text == was.text {
			v.cursor, v.top, v.left = was.cursor, was.top, was.sideways
			v.relay()
			return
		}
	}
	v.Open(n)
}

// Close implements overlay.Overlay.
func (v *Viewer) Close() {
	v.layout.left = place{v.timeline, v.edits, v.at, v.text, v.cursor, v.top, v.left}
}

// show puts a diff on the screen, from its start.
func (v *Viewer) show(n int, text string, d *diff.Diff) {
	v.at, v.text, v.diff, v.review = n, text, d, diff.NewView(d)
	v.cursor, v.top, v.left = 0, 0, 0
}

// rooted gives a name in a call's diff the slash back that "a/" took from it.
func rooted(name string, c *timeline.ToolCall) string {
	for _, f := range c.Changes() {
		if f.Path == "/"+name {
			return f.Path
		}
	}
	return name
}

// below is a path as the user thinks of it: from the folder of the session,
// or from home.
func (v *Viewer) below(name string) string { return widget.ShortFile(name, v.Dir, v.Home) }

// lay lays the diff out for the window as it is and brings every position into
// its bounds.
func (v *Viewer) lay() {
	v.rows = v.review.Layout(diff.Options{
		Width: max(1, v.Width-widget.Margin), Theme: v.Theme, Split: v.split(), Wrap: v.layout.wrap, Left: v.left, Cursor: v.cursor,
	})
	v.cursor = max(0, min(v.cursor, v.review.Lines()-1))
	v.top = max(0, min(v.top, v.rows-v.visible()))
	v.left = max(0, min(v.left, v.review.Overflow()))
}

// The lines of the viewer that are no diff: title, rule and keys.
const viewerFrame = 3

// visible is the number of rows of the diff that are on the screen.
func (v *Viewer) visible() int { return max(1, v.Height-viewerFrame) }

// follow scrolls so that the selected line is on the screen.
func (v *Viewer) follow(rows int) {
	first, n := v.review.RowOf(v.cursor)
	v.top = max(min(v.top, first), min(first, first+n-rows))
}

// catchUp selects the nearest line that is on the screen.
func (v *Viewer) catchUp(rows int) {
	first, n := v.review.RowOf(v.cursor)
	if first < v.top {
		v.cursor = v.review.LineAt(v.top)
	} else if first+n > v.top+rows {
		v.cursor = v.review.LineAt(max(v.top, v.top+rows-1))
	}
}

// Cover implements overlay.Overlay.
func (v *Viewer) Cover() overlay.Cover { return overlay.OverAll }

// View draws the viewer over the whole screen.
func (v *Viewer) View(int, int) ([]string, *tea.Cursor) {
	v.lay()
	shown := v.review.Rows(v.top, v.top+v.visible())
	for i, row := range shown {
		shown[i] = widget.Blank(widget.Margin-1) + row // the mark of the line is in the margin
	}
	in := widget.Scroll{First: v.top, Shown: v.visible(), All: v.rows}
	in.Mark(v.Theme, shown, v.Width)
	screen := append(make([]string, 0, v.Height), v.titleLine(), v.rule(in.Rows()))
	screen = widget.Fill(screen, v.visible(), shown)
	last := v.keyLine()
	if hint := v.Hint; hint != "" {
		last = v.Theme.Render(theme.Accent, widget.Cut(v.Theme, hint, max(0, v.Width-widget.Margin-1)))
	}
	var cursor *tea.Cursor // at the line that keys are for
	if row, _ := v.review.RowOf(v.cursor); v.review.Lines() > 0 && row >= v.top && row < v.top+v.visible() {
		cursor = widget.CaretAt(0, len(screen)-v.visible()+row-v.top)
	}
	return append(screen, widget.Indent+last), cursor
}

// titleLine shows the name of the edit and where in the list it is.
func (v *Viewer) titleLine() string {
	added, removed := v.diff.Added, v.diff.Removed
	counts := fmt.Sprintf("+%d %s%d", added, v.Theme.Glyph(theme.MarkMinus), removed)
	where := fmt.Sprintf("%d of %d", v.at+1, len(v.edits))
	waits := ""
	if v.Pending {
		waits = v.Theme.Glyph(theme.MarkQuestion) + " a question waits"
	}
	room := v.Width - widget.Margin - 1
	fixed := text.Width(counts) + text.Width(where) + 6
	if waits != "" && fixed+text.Width(waits)+3+8 <= room {
		fixed += text.Width(waits) + 3
	} else if waits != "" {
		waits = v.Theme.Glyph(theme.MarkQuestion)
		fixed += text.Width(waits) + 3
	}
	title := v.Theme.Render(theme.Strong, widget.Cut(v.Theme, v.name, max(1, room-fixed))) + "   " +
		v.Theme.Render(theme.Dim, counts) + "   " + v.Theme.Render(theme.Dim, where)
	if waits != "" {
		title += "   " + v.Theme.Render(theme.Accent, waits)
	}
	return text.Truncate(widget.Indent+title, v.Width, "")
}

// rule shows which rows are on the screen.
func (v *Viewer) rule(label string) string {
	if label != "" {
		label = " " + label + " "
	}
	line := v.Theme.Glyph(theme.MarkBoundary)
	width := max(0, v.Width-widget.Margin-1-text.Width(label))
	return widget.Indent + v.Theme.Render(theme.Rule, strings.Repeat(line, max(0, width-2))) +
		v.Theme.Render(theme.Dim, label) + v.Theme.Render(theme.Rule, strings.Repeat(line, min(2, width)))
}

// keyLine are the keys that there is room for, the most useful first.
func (v *Viewer) keyLine() string {
	sides := "side by side"
	if v.split() {
		sides = "one column"
	}
	wrap := "wrap"
	if v.layout.wrap {
		wrap = "cut"
	}
	pairs := []string{
		"view-close", "close", "view-change.next", "next change", "view-comment", "comment",
		"view-wrap.wrap", wrap, "view-editor", "editor",
	}
	if v.review.TwoSides(v.Width - widget.Margin) {
		pairs = slices.Insert(pairs, 6, "view-split", sides)
	}
	if len(v.edits) > 1 {
		pairs = slices.Insert(pairs, 2, "view-edit.newer view-edit.older", "newer/older edit")
	}
	if len(v.trees) > 0 && len(v.edits) > 1 {
		since := "all changes"
		switch next := v.at + 1; {
		case next < len(v.trees):
			since = "since the commit"
		case next == len(v.trees) && next < len(v.edits):
			since = "single edits"
		}
		pairs = slices.Insert(pairs, 4, "view-since", since)
	}
	return v.FitHints(v.Width-widget.Margin-1, v.Hints(pairs...)...)
}

// Layout is how diffs are shown. It outlives the viewer.
type Layout struct {
	sides sides
	wrap  bool
	left  place // by the last viewer
}

// place is what a viewer showed when it was closed.
type place struct {
	timeline              *timeline.Timeline
	edits                 []timeline.EntryID
	at                    int
	text                  string
	cursor, top, sideways int
}

// sides is whether a diff stands in two columns.
type sides uint8

const (
	sidesByWidth sides = iota // if there is room for two
	oneSide
	twoSides
)

// split reports whether diffs are shown in two columns now.
func (v *Viewer) split() bool {
	return v.layout.sides == twoSides || v.layout.sides == sidesByWidth && v.Width >= diff.SplitFrom
}
