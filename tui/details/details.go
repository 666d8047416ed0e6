// Package details shows the events of an entry field by field.
package details

import (
	"fmt"
	"slices"
	"strings"

	"parley/render/text"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/render"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Details shows the events of an entry field by field. It is a picture of the
// moment in which it was opened; when more has come it says so.
type Details struct {
	overlay.Base
	tree    *render.Details
	chosen  *render.Field // that keys are for
	top     int           // the first row in view
	width   int
	height  int                      // 0 before it was drawn
	records func() []timeline.Record // as they are now
	seen    int                      // how many events the tree is of

	query  *editor.Editor  // what is typed to search for; nil while nothing is
	sought string          // what was searched for last
	found  []*render.Field // that have it
}

// New returns the details of records.
func New(f overlay.Facts, records func() []timeline.Record) *Details {
	d := &Details{Base: overlay.Base{Facts: f}, records: records}
	d.read()
	return d
}

// eventBytes bounds each event that is shown.
const eventBytes = 1 << 20

// read takes the events as they are now. The keys stay at the row where they are.
func (d *Details) read() {
	row := 0
	if d.chosen != nil {
		row, _ = d.tree.RowOf(d.chosen)
	}
	d.tree, d.seen = render.NewDetails(d.records(), eventBytes, d.Zone), countEvents(d.records())
	d.tree.Layout(d.width - 1)
	d.chosen, d.found = d.tree.FieldAt(row), d.tree.Find(d.sought)
}

// countEvents is how many events records stand for.
func countEvents(list []timeline.Record) int {
	n := 0
	for _, r := range list {
		n += r.Count
	}
	return n
}

// Scope implements panel.Body.
func (d *Details) Scope() string { return keymap.InDetails }

// CloseAction is the action that closes it.
func (d *Details) CloseAction() string { return "details-close" }

// Rows implements panel.Body: in the last row is what is searched for.
func (d *Details) Rows(width, height int) ([]string, widget.Scroll) {
	width-- // for the marks
	note, count := d.note(width), d.tree.Layout(width-1)
	if note != "" {
		height = max(1, height-1)
	}
	d.width, d.height = width, height
	d.top = max(0, min(d.top, count-height))
	in := widget.Scroll{First: d.top, Shown: height, All: count}
	lines := d.tree.Rows(d.top, min(count, d.top+height), d.chosen, d.sought, d.Theme)
	if count == 0 {
		lines = []string{widget.Indent + d.Theme.Render(theme.Dim, "No event of this entry is known.")}
	}
	first, _ := d.tree.RowOf(d.chosen)
	for i := range lines {
		lead := " "
		if d.chosen != nil && d.top+i == first {
			lead = d.Theme.Render(theme.Accent, d.Theme.Glyph(theme.MarkChosen))
		}
		lines[i] = lead + lines[i]
	}
	in.Mark(d.Theme, lines, width+1)
	if note != "" {
		for len(lines) < height {
			lines = append(lines, "")
		}
		lines = append(lines, note)
	}
	return lines, in
}

// note is the line below the fields: the search, or that there is more now.
func (d *Details) note(width int) string {
	room := max(1, width-widget.Margin-1)
	switch {
	case d.query != nil:
		return widget.Blank(widget.Margin-1) + d.Theme.Render(theme.Accent, "/ ") + d.query.View(room, 1, d.Theme)[0]
	case d.sought != "":
		at := slices.Index(d.found, d.chosen) + 1
		state := fmt.Sprintf("%d of %d", at, len(d.found))
		switch {
		case len(d.found) == 0:
			state = "no match"
		case at == 0:
			state = text.Count(len(d.found), "match")
		}
		query := widget.Cut(d.Theme, "/ "+d.sought, room-len(state)-widget.ColumnGap)
		return widget.Blank(widget.Margin-1) + d.Theme.Render(theme.Accent, query) +
			widget.Blank(widget.ColumnGap) + d.Theme.Render(theme.Dim, state)
	case countEvents(d.records()) != d.seen:
		more := widget.Cut(d.Theme, d.Keys.Fill("More has come since; {details-read} reads it"), room)
		return widget.Blank(widget.Margin-1) + d.Theme.Render(theme.Dim, more)
	}
	return ""
}

// Cursor is that of the search, in the rows that were drawn.
func (d *Details) Cursor() *tea.Cursor {
	if d.query == nil {
		return nil
	}
	x, _ := d.query.Cursor(max(1, d.width-widget.Margin-1), 1)
	return widget.CaretAt(widget.Margin+1+x, d.height)
}

// Typed gives a press to the search while it is typed; not ok means that no search
// is typed.
func (d *Details) Typed(press tea.KeyPressMsg) (ok bool) {
	if d.query == nil {
		return false
	}
	switch press.Keystroke() {
	case "enter":
		d.query = nil
	case "esc":
		d.query, d.sought, d.found = nil, "", nil
	default:
		d.query.Update(d.Keys.Query(press))
		d.seek(d.query.Text())
	}
	return true
}

// Paste takes a paste into the search while it is typed; not ok means that no
// search is typed.
func (d *Details) Paste(text string) (ok bool) {
	if d.query == nil {
		return false
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	d.query.Insert(line)
	d.seek(d.query.Text())
	return true
}

// seek searches for a text and goes to the first field that has it.
func (d *Details) seek(query string) {
	d.sought, d.found = query, d.tree.Find(query)
	if len(d.found) > 0 && !slices.Contains(d.found, d.chosen) {
		d.reveal(d.found[0])
	}
}

// next goes to another field that has what was searched for.
func (d *Details) next(by int) {
	n := len(d.found)
	if n == 0 {
		return
	}
	at := slices.Index(d.found, d.chosen)
	if at < 0 && by < 0 {
		at = 0
	}
	d.reveal(d.found[(at+by+n)%n])
}

func (d *Details) reveal(f *render.Field) {
	d.tree.Reveal(f)
	d.choose(f)
}

// choose gives the keys to a field and brings it into view.
func (d *Details) choose(f *render.Field) {
	if f == nil {
		return
	}
	d.chosen = f
	d.tree.Layout(d.width - 1)
	row, span := d.tree.RowOf(f)
	d.top = max(min(d.top, row), min(row, row+span-d.height))
}

// Act does an action.
func (d *Details) Act(action string) {
	if d.chosen == nil {
		return
	}
	row, span := d.tree.RowOf(d.chosen)
	switch action {
	case "details-field.before":
		d.choose(d.tree.FieldAt(row - 1))
	case "details-field.after":
		d.choose(d.after(row + span))
	case "details-page.up":
		d.Scroll(1 - d.height)
	case "details-page.down":
		d.Scroll(d.height - 1)
	case "details-ends.start":
		d.choose(d.tree.First())
	case "details-ends.end":
		d.choose(d.tree.FieldAt(d.tree.Layout(d.width - 1)))
	case "details-fold.turn":
		d.fold(true, true)
	case "details-fold.unfold":
		d.fold(true, false)
	case "details-fold.fold":
		d.fold(false, true)
	case "details-search.open":
		d.query = editor.New()
		d.query.SetText(d.sought)
	case "details-search.next":
		d.next(1)
	case "details-search.before":
		d.next(-1)
	case "details-read":
		d.read()
	case "details-copy":
		d.Ask(overlay.Copy{Text: d.chosen.Event().JSON()})
	case "details-editor":
		d.Ask(overlay.OpenInEditor{Text: d.chosen.Event().JSON() + "\n", Name: d.chosen.FileName()})
	}
}

// after is the field that begins at a row, or the next one that does.
func (d *Details) after(row int) *render.Field {
	for rows := d.tree.Layout(d.width - 1); row < rows; row++ {
		f := d.tree.FieldAt(row)
		if first, _ := d.tree.RowOf(f); first == row {
			return f
		}
	}
	return nil
}

// fold opens the chosen field, or closes it, as far as it may. What may only be
// closed and is not open leads to what it is in.
func (d *Details) fold(opens, closes bool) {
	f := d.chosen
	switch {
	case !opens && (!f.Open() || !d.tree.Foldable(f)):
		d.choose(f.Parent())
		return
	case !d.tree.Foldable(f), !closes && f.Open():
		return
	}
	d.tree.SetOpen(f, !f.Open())
	d.choose(f)
}

// Scroll moves the view. The keys go along with it.
func (d *Details) Scroll(n int) {
	rows := d.tree.Layout(d.width - 1)
	last := max(0, rows-d.height)
	top := max(0, min(d.top+n, last))
	row, span := d.tree.RowOf(d.chosen)
	switch d.top = top; {
	case n < 0 && top == 0 && row > 0 && row+span <= d.height:
		d.chosen = d.tree.First()
	case n > 0 && top == last && row < rows-1:
		d.chosen = d.tree.FieldAt(rows - 1)
	case row+span <= top:
		d.chosen = d.tree.FieldAt(top)
	case row >= top+d.height:
		d.chosen = d.tree.FieldAt(top + d.height - 1)
	}
}

// Click chooses the field in a row of the view, and opens or closes it.
func (d *Details) Click(row int) {
	rows := d.tree.Layout(d.width - 1)
	if at := d.top + row; at < rows && row < d.height {
		d.chosen = d.tree.FieldAt(at)
		d.fold(true, true)
	}
}

// HintPairs are the keys and what they do.
func (d *Details) HintPairs() []string {
	if d.query != nil {
		return []string{"details-fold.turn", "keep", "details-close", "end the search"}
	}
	pairs := []string{
		"details-close", "close", "details-fold.turn", "fold", "details-copy", "copy JSON",
		"details-search.open", "search", "details-editor", "editor",
	}
	if d.sought != "" {
		pairs = slices.Insert(pairs, 2, "details-search.next details-search.before", "match")
	}
	return pairs
}
