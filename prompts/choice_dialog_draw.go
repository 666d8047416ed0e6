package prompts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/theme"
)

// drawing is what the last drawing of a card used.
type drawing struct {
	drawnOnce
	keys    Keys        // the user's
	open    *textAnswer // the line that was drawn open
	confirm int         // the row that the card said Enter approves, counted from 1; 0: none
	place   string      // which lines of the body are in view; "" all
	caret   bool
	x, y    int
}

// The texts of a card that stay as they are, as numbers of a drawing. Each may be long.
const (
	alerts = iota
	details
	textKinds
)

// leastWidth and leastHeight are the smallest card that can be answered.
const leastWidth, leastHeight = 20, 5

func (c *choiceDialog) draw(width, height int, th *theme.Theme, s state) []string {
	c.drawn.caret, c.drawn.open, c.drawn.confirm, c.drawn.place = false, nil, 0, ""
	c.choices.shown = 0
	c.drawn.keys = s.keys
	if p, ok := c.payload.(*planDocument); ok {
		p.keys = c.drawn.keys.Card
	}
	if width < leastWidth || height < leastHeight {
		return nil
	}
	if c.drawn.width != 0 && c.drawn.width != width-4 {
		c.scroll.anew()
	}
	before, locked := c.scroll, c.locked()
	lines, caret := c.arrange(width-4, height-2, th, s)
	if c.offer() { // the rows are others now, so that less or more is in view
		c.scroll = before
		lines, caret = c.arrange(width-4, height-2, th, s)
	}
	if c.locked() != locked { // the same lines, and the rows as they can be answered with now
		lines, caret = c.arrange(width-4, height-2, th, s)
	}
	lines = append(lines, blank(leastHeight-2-len(lines))...) // at its own height it is a card, too
	c.drawn.open = c.open
	if s.armed && c.hint == confirm {
		c.drawn.confirm = c.choices.chosen + 1
	}
	c.drawn.caret = caret.ok && s.focused
	c.drawn.x, c.drawn.y = caret.x+2, caret.y+1
	return frame(lines, width, th, framing{c.title, c.subject(), c.drawn.place, c.status(s, th), c.hints(s, th)}, s)
}

// subject names what is in view, where the name may be out of it.
func (c *choiceDialog) subject() string {
	row := c.scroll.top - c.scroll.start
	if !c.large && row <= 0 {
		return ""
	}
	return c.payload.subject(max(row, 0))
}

// offer puts the row that approves unseen among the others while there is
// something unseen, and reports whether that changed them.
func (c *choiceDialog) offer() bool {
	n := len(c.choices.rows)
	offered := n > 0 && c.choices.rows[n-1].unseen
	switch {
	case c.unseen == nil || offered == c.locked():
		return false
	case offered:
		c.choices.rows = c.choices.rows[:n-1]
		if c.choices.chosen == n-1 {
			c.choices.chosen = -1
		}
	default:
		c.choices.rows = append(c.choices.rows[:n:n], *c.unseen)
	}
	return true
}

// pinning is how the warnings and what is known keep their places on a card on which not
// all of it fits.
type pinning struct {
	rows  int // that each has at most; 0: as many as it needs
	least int // that are left for what is asked about, with the line that counts the others
}

// pinnings are tried in order.
var pinnings = []pinning{{0, 10}, {2, 6}, {1, 4}}

// arrange puts everything inside the frame: the warnings, what is asked about,
// what is known, the rows. Blank lines are between them only if all of it fits. If
// not, what is asked scrolls between the others, which are cut short when they take too
// much; in a window too small for that they scroll along. The full view fills the height.
func (c *choiceDialog) arrange(in, height int, th *theme.Theme, s state) ([]string, caretAt) {
	head, known := c.alertLines(in, th), c.known(in, th)
	var body body
	var required int
	var tail []string
	var caret caretAt
	for _, form := range []struct {
		between, before int // blank lines between the parts, and before the rows
		tail            tailForm
	}{{1, 1, airyTail}, {0, 1, plainTail}, {0, 0, plainTail}, {0, 0, briefTail}} {
		body, required = c.body(in, th, nil, known, form.between)
		tail, caret = c.tail(in, height, th, s, form.tail)
		lines := append(slices.Clip(head), blank(form.between*min(len(head), 1))...)
		if len(lines)+body.len()+form.before+len(tail) > height {
			continue
		}
		lines = append(lines, c.window(body, required, body.len(), in, th)...)
		if c.large {
			form.before = height - len(lines) - len(tail)
		}
		lines = append(lines, blank(form.before)...)
		caret.y += len(lines)
		return append(lines, tail...), caret
	}
	room := height - len(tail)
	for _, p := range pinnings {
		top, bottom, rest := c.pinned(p.rows, room-p.least, in, th)
		if body, required = c.body(in, th, nil, rest, 0); room-len(top)-len(bottom) < min(body.len(), p.least) {
			continue
		}
		lines := append(slices.Clip(top), c.window(body, required, room-len(top)-len(bottom), in, th)...)
		lines = append(lines, bottom...)
		caret.y += len(lines)
		return append(lines, tail...), caret
	}
	body, required = c.body(in, th, head, known, 0)
	lines := c.window(body, required, max(room, 1), in, th)
	caret.y += len(lines)
	lines = append(lines, tail...)
	return lines[:min(len(lines), height)], caret
}

// pinned are the warnings and what is known with at most so many rows each, and rest is
// what was cut short of them, whole. Of what takes a single row each, no more than there
// is room for keeps its place.
func (c *choiceDialog) pinned(rows, room, in int, th *theme.Theme) (top, bottom []string, rest [][]string) {
	if rows == 0 {
		return c.alertLines(in, th), slices.Concat(c.known(in, th)...), nil
	}
	pin := func(lines []string) []string {
		switch {
		case rows == 1 && room <= 0:
			rest = append(rest, lines)
			return nil
		case len(lines) > rows:
			rest = append(rest, lines)
			lines = cutShort(lines, rows, in, th)
		}
		room -= len(lines)
		return lines
	}
	for _, lines := range c.alertParts(in, th) {
		top = append(top, pin(lines)...)
	}
	for i := range c.facts {
		bottom = append(bottom, pin(c.factLines(i, in, th))...)
	}
	return top, bottom, rest
}

// cutShort returns the first rows of some, with the number of the others on the last.
func cutShort(lines []string, rows, width int, th *theme.Theme) []string {
	more := " " + th.Glyph(theme.MarkEllipsis) + " +" + text.Count(len(lines)-rows, "line")
	last := text.Truncate(lines[rows-1], width-text.Width(more), "")
	return append(slices.Clone(lines[:rows-1]), last+th.Render(theme.Accent, more))
}

func blank(n int) []string { return make([]string, max(n, 0), max(n, 0)+8) }

// titleRoom is what the frame takes of the line that the title is on.
const titleRoom = 10

// alertLines are the warnings with their mark. The title comes before them if the
// frame has to cut it.
func (c *choiceDialog) alertLines(in int, th *theme.Theme) []string {
	return c.drawn.once(alerts, in, th, func() []string { return slices.Concat(c.alertParts(in, th)...) })
}

// alertParts are the lines of each of them.
func (c *choiceDialog) alertParts(in int, th *theme.Theme) [][]string {
	var parts [][]string
	if text.Width(c.title) > in-titleRoom {
		parts = append(parts, hang("  ", 2, c.title, theme.Strong, in, th))
	}
	mark := th.Render(theme.Warning, th.Glyph(theme.MarkWarning)) + " "
	for i, a := range c.alerts {
		parts = append(parts, c.drawn.once(textKinds+2*i, in, th, func() []string { return hang(mark, 2, a, theme.Warning, in, th) }))
	}
	return parts
}

// known are the lines of each fact, and factLines those of one.
func (c *choiceDialog) known(in int, th *theme.Theme) [][]string {
	parts := make([][]string, len(c.facts))
	for i := range c.facts {
		parts[i] = c.factLines(i, in, th)
	}
	return parts
}

func (c *choiceDialog) factLines(i, in int, th *theme.Theme) []string {
	return c.drawn.once(textKinds+2*i+1, in, th, func() []string { return factLines(c.facts[i:i+1], in-2, th) })
}

// body returns what scrolls, and how many of its rows must be seen before
// approving: what is asked about, with the warnings above and what is known
// below unless they are drawn apart, and so many blank lines between. The details
// come after that if they are wanted.
func (c *choiceDialog) body(in int, th *theme.Theme, head []string, known [][]string, air int) (b body, required int) {
	b.lines(head...)
	b.start, b.length = b.len(), c.payload.layout(in-2, th)
	b.add(b.length, c.payload.rows)
	if len(known) > 0 {
		b.lines(blank(air)...)
		b.parts(known)
	}
	required = b.len()
	if c.why {
		b.lines("")
		b.lines(c.drawn.once(details, in, th, func() []string { return factLines(c.details, in-2, th) })...)
	}
	return b, required
}

func empty(lines []string) bool {
	return strings.TrimSpace(ansi.Strip(strings.Join(lines, ""))) == ""
}

// window returns the part of the body that is in view. What is outside is
// counted on a line of its own; the full view says on its frame where it is.
func (c *choiceDialog) window(b body, required, height, in int, th *theme.Theme) []string {
	s := &c.scroll
	s.need(required, b.start, b.length)
	s.ends = b.ends
	s.paged, s.last = c.danger || len(c.alerts) > 0, b.start+b.length
	for s.last > b.start+1 && empty(b.rows(s.last-1, s.last)) {
		s.last--
	}
	whole, total := c.payload.whole(), b.len()
	c.locate()
	if total <= height {
		s.layout(total, height, whole)
		c.drawn.place = c.found()
		return c.marked(b.rows(0, total), th)
	}
	if !c.large {
		height = max(height-1, 1)
	}
	if row, ok := c.payload.focus(); ok && s.follow {
		s.show(s.start+row, height)
	}
	if d, above := c.change(); d != nil && s.centre {
		first, last := d.changed()
		s.middle(s.start+above+first, s.start+above+last, height)
	}
	s.follow, s.centre = false, false
	s.layout(total, height, whole)
	lines := b.rows(s.top, min(s.top+height, total))
	if c.large {
		c.drawn.place = text.JoinNonEmpty(", ", c.found(), s.lines(c.payload.heading()))
		return c.marked(lines, th)
	}
	content := outside(s.top, total-s.top-height, th)
	if s.top+height < total || c.locked() {
		content = c.ways(content, in-2)
	}
	return append(lines, "  "+th.Render(theme.Accent, text.Truncate(content, in-2, "")))
}

// caretAt is where the caret is, or the chosen row, from the first line of the tail on.
type caretAt struct {
	x, y int
	ok   bool
}

// tailForm is how much room what answers takes.
type tailForm uint8

const (
	airyTail  tailForm = iota // blank lines before the note and the open line
	plainTail                 // none, and rows side by side
	briefTail                 // and of the rows that which the open line belongs to
)

// mostRows is how many lines of rows stand one below the other where several of them
// fit side by side.
const mostRows = 3

// roomForWaiting is how many lines a card has at least that shows what was written on it
// before also where the rows had to go.
const roomForWaiting = 12

// tail draws what answers: the rows, the kept note and the open line.
func (c *choiceDialog) tail(in, height int, th *theme.Theme, s state, form tailForm) ([]string, caretAt) {
	var below []string
	if c.note != nil && c.open != c.note && !c.note.field.blank() {
		note := text.SanitizeShowHidden(c.note.field.text())
		below = c.air(below, form)
		below = append(below, factLines([]fact{{label: "note", text: note}}, in-2, th)...)
	}
	if waits := c.waiting(); len(waits) > 0 && (form != briefTail || height >= roomForWaiting) {
		below = c.air(below, form)
		below = append(below, factLines(waits, in-2, th)...)
	}
	below, caret := c.line(below, in, height, th, form)
	armed := s.armed && c.open == nil
	look := rowState{armed: armed, locked: c.locked(), keys: c.drawn.keys.Card, twice: c.needsEnter}
	if c.enterAnswers() {
		look.twice = func(int) bool { return false } // the last line says so of all
	}
	all := c.choices.layout(in, th, look, c.open)
	if !th.Spoken && lineCount(all) > mostRows && (c.brief || form != airyTail) {
		look.packed = true
		all = c.choices.layout(in, th, look, c.open)
	}
	room := height - len(below) - 2
	if c.large { // it is there to show what is asked about
		room = min(room, max(mostRows, height/3))
	}
	rows := c.choices.window(all, room)
	if form == briefTail && c.open != nil {
		rows = c.choices.only(all, c.open)
	}
	caret.y += len(rows)
	if !caret.ok && c.choices.line >= 0 { // what follows the cursor follows the chosen row
		caret = caretAt{c.choices.column, c.choices.line, true}
	}
	return append(rows, below...), caret
}

// line adds the line that is written on, or that Tab opens where it is the only answer.
func (c *choiceDialog) line(lines []string, in, height int, th *theme.Theme, form tailForm) ([]string, caretAt) {
	l := cmp.Or(c.open, c.direct)
	switch {
	case l == nil:
		return lines, caretAt{}
	case c.open == nil && l.holds():
		return append(lines, hang("  ", 2, l.label+unfinished, theme.Dim, in, th)...), caretAt{}
	}
	lines = c.air(lines, form)
	if l != c.direct || height > leastHeight-2 { // the field comes before what it is for
		lines = append(lines, hang("  ", 2, l.label, theme.Dim, in, th)...)
	}
	rows, at := l.field.draw(c.emptyText(l), in-4, th)
	caret := caretAt{at.x + 4, len(lines) + at.y, c.open != nil}
	lines = append(lines, rows...)
	if c.error != "" {
		lines = append(lines, wrong(c.error, 4, in, th)...)
	}
	return lines, caret
}

// emptyText is shown in place of what is written on a line: of a refusal that comments go along with,
// that they are sent.
func (c *choiceDialog) emptyText(l *textAnswer) string {
	if d := c.reviewed(); d != nil && l.blank != nil && d.kept() > 0 {
		return "leave it empty and press enter to refuse with your comments"
	}
	return l.empty
}

// air begins a part of the tail with a blank line, if there is one before it.
func (c *choiceDialog) air(lines []string, form tailForm) []string {
	if form == airyTail && len(c.choices.rows) > 0 {
		lines = append(lines, "")
	}
	return lines
}
