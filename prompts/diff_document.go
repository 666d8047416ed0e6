package prompts

import (
	"fmt"
	"maps"
	"path"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/diff"
	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// diffDocument is a change of files below the lines that head it. Long lines
// are broken, so that nothing of what is approved is out of sight; w cuts them
// and lets the user look sideways.
type diffDocument struct {
	head      textDocument
	review    *diff.View
	raw, name string

	split    *bool // the user's choice; nil: by width
	cut      bool
	left     int
	cursor   int                 // the line a comment is for; -1: none yet
	lines    map[int]*textAnswer // what was written about lines, kept or not
	restored int                 // how many of the kept comments were written before this card came
	width    int
	theme    *theme.Theme
	above    int // rows of the head, the blank one below included
}

func newDiffDocument(head []span, d *diff.Diff, raw, name string) *diffDocument {
	return &diffDocument{
		head: textDocument{spans: head}, review: diff.NewView(d), raw: raw, name: name, cursor: -1, lines: map[int]*textAnswer{},
	}
}

func (d *diffDocument) options() diff.Options {
	split := d.width+4 >= diff.SplitFrom // the frame is part of it
	if d.split != nil {
		split = *d.split
	}
	return diff.Options{
		Width: d.width + 1, Theme: d.theme, Split: split, Wrap: !d.cut, Left: d.left, Cursor: d.cursor, Visible: true,
	}
}

func (d *diffDocument) layout(width int, th *theme.Theme) int {
	d.width, d.theme = width, th
	if d.above = d.head.layout(width, th); d.above > 0 {
		d.above++
	}
	return d.above + d.review.Layout(d.options())
}

func (d *diffDocument) rows(from, to int) []string {
	var out []string
	for ; from < min(to, d.above-1); from++ {
		out = append(out, d.head.rows(from, from+1)...)
	}
	if from == d.above-1 && from < to {
		out, from = append(out, ""), from+1
	}
	if from < to {
		out = append(out, inset(" ", d.review.Rows(from-d.above, to-d.above))...) // its mark is in the margin
	}
	return out
}

func (d *diffDocument) whole() bool { return d.review.Whole() }

func (d *diffDocument) uses(k tea.KeyPressMsg, large bool) bool {
	if d.steps(k) {
		return large
	}
	switch k.Keystroke() {
	case "left", "right":
		return d.cut
	}
	return slices.Contains([]string{"t", "w", "{", "}", "c"}, k.Text)
}

func (d *diffDocument) press(k tea.KeyPressMsg, _ bool) Effect {
	const sideways = 8
	switch k.Keystroke() {
	case "left":
		d.left = max(0, d.left-sideways)
	case "right":
		d.left = min(d.left+sideways, d.review.Overflow())
	default:
		if by := lineSteps[k.Keystroke()]; by != 0 {
			d.cursor = min(max(d.cursor+by, 0), d.review.Lines()-1)
		}
	}
	switch k.Text {
	case "t":
		split := !d.options().Split
		d.split = &split
	case "w":
		d.cut, d.left = !d.cut, 0
	case "{":
		d.cursor = d.review.Hunk(max(d.cursor, 0), -1)
	case "}":
		d.cursor = d.review.Hunk(max(d.cursor, 0), 1)
	}
	return nil
}

// look takes which rows of the document are in view: a selection that is out of
// sight begins anew at the first of them, and that is reported.
func (d *diffDocument) look(top, height int) (anew bool) {
	if row, ok := d.focus(); ok && row >= top && row < top+height || d.review.Lines() == 0 {
		return false
	}
	d.cursor = d.review.LineAt(max(top-d.above, 0))
	return true
}

// lineSteps are the keys that move the selection, and by how many lines.
var lineSteps = map[string]int{"up": -1, "k": -1, "down": 1, "j": 1}

// steps reports whether a key moves the selection by a line.
func (d *diffDocument) steps(k tea.KeyPressMsg) bool { return lineSteps[k.Keystroke()] != 0 }

func (d *diffDocument) focus() (row int, ok bool) {
	if d.cursor < 0 || d.review.Lines() == 0 {
		return 0, false
	}
	first, _ := d.review.RowOf(d.cursor)
	return d.above + first, true
}

func (d *diffDocument) hints(large bool) []keyHint {
	h := []keyHint{{"c", "comment"}, {"t", "side by side"}, {"w", "cut lines"}}
	if d.options().Split {
		h[1].does = "one column"
	}
	if d.cut {
		h[2] = keyHint{"w", "whole lines"}
	}
	if large {
		h = append(h, keyHint{"{ }", "changes"})
	}
	return h
}

func (d *diffDocument) source() (text, name string) { return d.raw, d.name }

// comment is the line on which the user says something about the selected
// line of the change. It goes along with a refusal.
func (d *diffDocument) comment() *textAnswer {
	d.cursor = max(d.cursor, 0)
	l := d.line(d.cursor)
	l.field.toEnd()
	return l
}

func (d *diffDocument) line(at int) *textAnswer {
	l := d.lines[at]
	if l == nil {
		l = &textAnswer{
			label: fmt.Sprintf("About %s, sent when you refuse:", quote(path.Base(d.review.Place(at)))), hint: "keep the comment",
			keep: func(text string) { d.review.Comment(at, text) },
		}
		d.lines[at] = l
	}
	return l
}

// finish adds the note to an approval, and to a refusal the comments on what
// was refused. What is sent is not written any more.
func (c *choiceDialog) finish(a session.Answer) session.Answer {
	with := func(feedback string) string {
		if d := c.reviewed(); d != nil {
			return text.JoinNonEmpty("\n\n", feedback, d.takeComments())
		}
		return feedback
	}
	switch p := a.(type) {
	case session.PermissionAnswer:
		if !p.Decision.Approves() {
			p.Feedback = with(p.Feedback)
		} else if c.note != nil && !c.note.field.blank() {
			p.Note, c.note.field = c.note.field.text(), field{}
		}
		return p
	case session.ExitPlanModeAnswer:
		if !p.Approved {
			p.Feedback = with(p.Feedback)
		}
		return p
	}
	return a
}

// change is the change that the card shows and comments can be written on, and
// how many rows of what is asked about come before it; nil: there is none.
func (c *choiceDialog) change() (d *diffDocument, above int) {
	if p, ok := c.payload.(*planDocument); ok {
		if !p.brief {
			return nil, 0
		}
		above = p.above
	}
	return c.reviewed(), above
}

// reviewed is the change that comments were written on, shown or not; nil:
// there is none.
func (c *choiceDialog) reviewed() *diffDocument {
	switch p := c.payload.(type) {
	case *diffDocument:
		return p
	case *planDocument:
		return p.changes
	}
	return nil
}

// takeComments takes what the user said about lines of the change and kept.
func (d *diffDocument) takeComments() string {
	said := d.review.Comments()
	d.restored = 0
	for at, l := range d.lines {
		if d.review.CommentAt(at) != "" {
			d.review.Comment(at, "")
			l.field = field{}
		}
	}
	return said
}

// takeUnfinished takes the comments of before that the user did not continue.
func (d *diffDocument) takeUnfinished() []string {
	var texts []string
	for _, at := range slices.Sorted(maps.Keys(d.lines)) {
		if l := d.lines[at]; l.earlier != "" {
			texts = append(texts, WrittenText{Place: d.review.Place(at), Text: l.earlier}.line())
			l.earlier = ""
		}
	}
	return texts
}
