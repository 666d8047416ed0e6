package prompts

import (
	"cmp"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/diff"
	"parley/theme"
)

// diffDocument is a change of files below the lines that head it. Long lines
// are broken, so that nothing of what is approved is out of sight; w cuts them
// and lets the user look sideways.
type diffDocument struct {
	head      textDocument
	review    *diff.View
	asked     *diff.Diff
	raw, name string

	named  string // its file, safe to show on one line; "": each file that it changes names itself
	folder string // what the places of comments are relative to; "": as the change has them
	path   string // of the file that it changes, absolute; "": it has no lines around it
	file   string // the file before the change, as it was read last
	around int    // of moreLines, how many lines of it are shown around the change
	at     []int  // where the lines that were asked about are shown; nil: at their own places
	near   int    // the line that was asked about which + and - were pressed at

	plain    bool  // no comments are written on it
	split    *bool // the user's choice; nil: by width
	cut      bool
	left     int
	cursor   int                 // the line that is selected; -1: none yet
	lines    map[int]*textAnswer // what was written about lines that were asked about, kept or not
	restored int                 // how many of the kept comments were written before this card came
	width    int
	theme    *theme.Theme
	above    int // rows of the head
}

func newDiffDocument(head []span, d *diff.Diff, raw, name string) *diffDocument {
	return &diffDocument{
		head: textDocument{spans: head}, review: diff.NewView(d), asked: d, raw: raw, name: name, cursor: -1, lines: map[int]*textAnswer{},
	}
}

func (d *diffDocument) options() diff.Options {
	split := d.width+6 >= diff.SplitFrom // with the frame and the margins in it
	if d.split != nil {
		split = *d.split
	}
	width := d.width + 1
	return diff.Options{
		Width: width, Theme: d.theme, Split: split && d.review.TwoSides(width), Wrap: !d.cut, Left: d.left, Cursor: d.cursor, Visible: true,
	}
}

func (d *diffDocument) layout(width int, th *theme.Theme) int {
	d.width, d.theme = width, th
	d.above = d.head.layout(width, th)
	return d.above + d.review.Layout(d.options())
}

func (d *diffDocument) rows(from, to int) []string {
	var out []string
	if end := min(to, d.above); from < end {
		out, from = d.head.rows(from, end), end
	}
	if from < to {
		out = append(out, inset(" ", d.review.Rows(from-d.above, to-d.above))...) // its mark is in the margin
	}
	return out
}

func (d *diffDocument) heading() int { return d.above }

func (d *diffDocument) subject(row int) string {
	return cmp.Or(d.named, d.review.File(d.review.LineAt(max(row-d.above, 0))))
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
	switch k.Text {
	case "+", "-":
		return d.path != ""
	}
	return slices.Contains([]string{"t", "w", "{", "}"}, k.Text) || k.Text == "c" && !d.plain
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
		if d.twoSides() {
			split := !d.options().Split
			d.split = &split
		}
	case "w":
		d.cut, d.left = !d.cut, 0
	case "{":
		d.cursor = d.review.Change(d.cursor, -1)
	case "}":
		d.cursor = d.review.Change(d.cursor, 1)
	case "+":
		return ReadFile{Path: d.path}
	case "-":
		before := d.review.Lines()
		for around := d.around - 1; around >= 0 && d.review.Lines() == before; around-- {
			d.show(around)
		}
	}
	return nil
}

// twoSides reports whether it can be shown side by side.
func (d *diffDocument) twoSides() bool { return d.review.TwoSides(d.options().Width) }

// whyOneSide says why it cannot.
func (d *diffDocument) whyOneSide() string {
	if d.review.TwoSides(diff.SplitFrom) {
		return "side by side needs a wider window"
	}
	return "there is nothing to compare side by side"
}

// widens reports whether a key shows more of the file, or less.
func (d *diffDocument) widens(k tea.KeyPressMsg) bool {
	return d.path != "" && (k.Text == "+" || k.Text == "-")
}

// nearTo takes the row that + or - was pressed at, for changed.
func (d *diffDocument) nearTo(row int) {
	d.near = d.askedAt(max(d.review.LineAt(max(row-d.above, 0)), 0))
}

// changed returns the rows of the change nearest to where + or - was pressed: from the
// first to the last of its lines.
func (d *diffDocument) changed() (first, last int) {
	at, n := d.near, len(d.asked.Lines)
	differs := func(i int) bool { return i >= 0 && i < n && d.review.Text(d.shown(i))[0] != ' ' }
	for by := 0; by < n && !differs(at); by++ {
		if differs(d.near - by) {
			at = d.near - by
		} else if differs(d.near + by) {
			at = d.near + by
		}
	}
	end := at
	for differs(at - 1) {
		at--
	}
	for differs(end + 1) {
		end++
	}
	first, _ = d.review.RowOf(d.shown(at))
	last, rows := d.review.RowOf(d.shown(end))
	return d.above + first, d.above + last + max(rows-1, 0)
}

// moreLines are how many more lines of the file + shows around a change; the last is
// all of it.
var moreLines = []int{0, 10, 50, math.MaxInt32}

// read takes the file that was read for +, and reports whether the change is one of it.
func (d *diffDocument) read(file string) bool {
	before := d.file
	d.file = file
	if !d.show(min(d.around+1, len(moreLines)-1)) {
		d.file = before
		return false
	}
	return true
}

// show shows more lines around the change, or fewer. What was written stays on its
// lines.
func (d *diffDocument) show(around int) bool {
	change, at := d.asked, []int(nil)
	if around > 0 {
		all, _, ok := d.asked.Around(d.file, math.MaxInt32)
		if !ok {
			return false
		}
		if change, at, _ = d.asked.Around(d.file, moreLines[around]); len(change.Lines) == len(all.Lines) {
			around = len(moreLines) - 1
		}
	}
	selected, view := d.askedAt(d.cursor), diff.NewView(change)
	comments := map[int]string{}
	for line := range d.lines {
		comments[line] = d.comment(line)
	}
	d.around, d.at, d.review = around, at, view
	for line, text := range comments {
		view.Comment(d.shown(line), text)
	}
	if d.cursor >= 0 {
		d.cursor = d.shown(selected)
	}
	return true
}

// shown is where a line that was asked about is shown.
func (d *diffDocument) shown(line int) int {
	if d.at == nil || line < 0 || line >= len(d.at) {
		return line
	}
	return d.at[line]
}

// askedAt is the line that was asked about at a line that is shown, or the nearest.
func (d *diffDocument) askedAt(shown int) int {
	if d.at == nil {
		return shown
	}
	i, _ := slices.BinarySearch(d.at, shown)
	return min(i, len(d.at)-1)
}

// place says where a line that was asked about is.
func (d *diffDocument) place(line int) string { return d.review.Place(d.shown(line), d.folder) }

// find returns the rows on which lines begin that a text is found in.
func (d *diffDocument) find(in func(string) bool) []int {
	rows := d.head.find(in)
	for i := range d.review.Lines() {
		if in(d.review.Text(i)[1:]) {
			first, _ := d.review.RowOf(i)
			rows = append(rows, d.above+first)
		}
	}
	return slices.Compact(rows)
}

// look takes which rows of the document are in view: a selection that is out of
// sight begins anew at the first of them, and that is reported.
func (d *diffDocument) look(top, height int) (anew bool) {
	if row, ok := d.focus(); ok && row >= top && row < top+height || d.review.Lines() == 0 {
		return false
	}
	d.selectAt(top)
	return true
}

// selectChange selects the first of the lines in view that the change is about, if there
// is one.
func (d *diffDocument) selectChange(top, height int) {
	from, to := d.review.LineAt(max(top-d.above, 0)), d.review.LineAt(max(top+height-1-d.above, 0))
	for line := from; line <= to && line < d.review.Lines(); line++ {
		if d.review.Text(line)[0] != ' ' {
			d.cursor = line
			return
		}
	}
}

// selectAt selects the line at a row of the document.
func (d *diffDocument) selectAt(row int) { d.cursor = d.review.LineAt(max(row-d.above, 0)) }

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
	h := []keyHint{{"c", "comment"}}
	switch {
	case d.options().Split:
		h = append(h, keyHint{"t", "one column"})
	case d.twoSides():
		h = append(h, keyHint{"t", "side by side"})
	}
	if d.cut {
		h = append(h, keyHint{"w", "wrap"})
	} else {
		h = append(h, keyHint{"w", "truncate"})
	}
	switch {
	case d.path == "":
	case d.around == len(moreLines)-1:
		h = slices.Insert(h, 1, keyHint{"-", "less"})
	default:
		h = slices.Insert(h, 1, keyHint{"+", "more context"})
	}
	if large {
		h = append(h, keyHint{"{ }", "changes"})
	}
	if d.plain {
		h[0].does = "copy"
	}
	return h
}

func (d *diffDocument) source() (text, name string) { return d.raw, d.name }

// change is the change that the card shows and comments can be written on, and
// how many rows of what is asked about come before it; nil without such a change.
func (c *choiceDialog) change() (d *diffDocument, above int) {
	if p, ok := c.payload.(*planDocument); ok {
		if !p.brief {
			return nil, 0
		}
		above = p.above
	}
	return c.reviewed(), above
}

// fileRead takes the file that the change was read for, to show more of it.
func (c *choiceDialog) fileRead(text string, err error) {
	switch d, _ := c.change(); {
	case err != nil:
		c.hint = "the file cannot be read"
	case d == nil:
	case !d.read(text):
		c.hint = "the file is not the one that this changes"
	default:
		c.scroll.centre = true
	}
}
