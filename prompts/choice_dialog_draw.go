package prompts

import (
	"cmp"
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
	caret   bool
	x, y    int
}

// The texts of a card that stay as they are. Each may be long.
const (
	alerts = iota
	facts
	details
)

// leastWidth and leastHeight are the smallest card that can be answered.
const leastWidth, leastHeight = 20, 5

func (c *choiceDialog) draw(width, height int, th *theme.Theme, s state) []string {
	c.drawn.caret, c.drawn.open, c.drawn.confirm = false, nil, 0
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
	c.drawn.open = c.open
	if s.armed && c.hint == confirm {
		c.drawn.confirm = c.choices.chosen + 1
	}
	c.drawn.caret = caret.ok && s.focused
	c.drawn.x, c.drawn.y = caret.x+2, caret.y+1
	return frame(lines, width, th, framing{c.title, c.status(s), c.hints(s, th)}, s)
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

// comfortable is how many lines of what is asked are enough for what is known
// to keep its place below them; with fewer it scrolls along.
const comfortable = 10

// arrange puts everything inside the frame: the warnings, what is asked about,
// what is known, the rows. Where there is no room for all, blank lines go
// first, then what is known scrolls with what is asked, then the warnings do.
func (c *choiceDialog) arrange(in, height int, th *theme.Theme, s state) ([]string, caretAt) {
	head, known := c.alertLines(in, th), c.known(in, th)
	body, required := c.body(in, th, nil, known)
	var tail []string
	var caret caretAt
	fits := false
	for _, form := range []tailForm{airyTail, plainTail, briefTail} {
		tail, caret = c.tail(in, height, th, s, form)
		if fits = len(head)+body.len()+1+len(tail) <= height; fits {
			break
		}
	}
	room := height - len(tail)
	var apart []string
	if window := room - len(head) - len(known) - 2; !fits && !c.why && len(known) > 0 && window >= comfortable {
		apart = append(blank(1), known...)
		body, required = c.body(in, th, nil, nil)
	}
	before := 1 // blank lines before the rows
	window := room - len(head) - len(apart) - before
	if window < min(body.len(), 4) {
		body, required = c.body(in, th, head, known)
		head, window = nil, room-before
	}
	if window < min(body.len(), comfortable) { // the count of what is out of view stands there
		before, window = 0, window+1
	}
	spare := room - len(head) - min(max(window, 1), body.len()) - len(apart) - before
	lines := append(blank(min(spare, 1)), head...)
	lines = append(lines, c.window(body, required, max(window, 1), in, th)...)
	lines = append(append(lines, apart...), blank(before)...)
	caret.y += len(lines)
	lines = append(lines, tail...)
	if len(lines) < height && spare > 1 {
		lines = append(lines, "")
	}
	return lines[:min(len(lines), height)], caret
}

func blank(n int) []string { return make([]string, max(n, 0), max(n, 0)+8) }

// titleRoom is what the frame takes of the line that the title is on.
const titleRoom = 10

// alertLines are the warnings with their mark, and a blank line after them. The
// title comes before them where the frame has to cut it.
func (c *choiceDialog) alertLines(in int, th *theme.Theme) []string {
	return c.drawn.once(alerts, in, th, func() []string {
		var lines []string
		if text.Width(c.title) > in-titleRoom {
			lines = append(hang("  ", 2, c.title, theme.Strong, in, th), "")
		}
		mark := th.Render(theme.Warning, th.Glyph(theme.MarkWarning)) + " "
		for _, a := range c.alerts {
			lines = append(lines, hang(mark, 2, a, theme.Warning, in, th)...)
		}
		if len(c.alerts) > 0 {
			lines = append(lines, "")
		}
		return lines
	})
}

func (c *choiceDialog) known(in int, th *theme.Theme) []string {
	return c.drawn.once(facts, in, th, func() []string { return factLines(c.facts, in-2, th) })
}

// body returns what scrolls, and how many of its rows must be seen before
// approving: what is asked about, with the warnings above and what is known
// below unless they are drawn apart. The details come after that if they are
// wanted.
func (c *choiceDialog) body(in int, th *theme.Theme, head, known []string) (b body, required int) {
	b.lines(head...)
	b.start, b.length = b.len(), c.payload.layout(in-2, th)
	b.add(b.length, c.payload.rows)
	if len(known) > 0 {
		b.lines("")
		b.lines(known...)
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
// counted on a line of its own.
func (c *choiceDialog) window(b body, required, height, in int, th *theme.Theme) []string {
	s := &c.scroll
	s.need(required, b.start, b.length)
	s.paged, s.last = c.danger || len(c.alerts) > 0, b.start+b.length
	for s.last > b.start+1 && empty(b.rows(s.last-1, s.last)) {
		s.last--
	}
	whole, total := c.payload.whole(), b.len()
	if total <= height {
		s.layout(total, required, height, whole)
		return b.rows(0, total)
	}
	height = max(height-1, 1)
	if row, ok := c.payload.focus(); ok && s.follow {
		s.show(s.start+row, height)
	}
	s.follow = false
	s.layout(total, required, height, whole)
	lines := b.rows(s.top, min(s.top+height, total))
	content := outside(s.top, total-s.top-height, th)
	switch {
	case s.top+height >= total:
	case c.large || c.open != nil || c.or("v") == "":
		content += ": pgdn"
	default:
		content += ": pgdn," + c.or("v") + " for all"
	}
	return append(lines, "  "+th.Render(theme.Accent, text.Truncate(content, in-2, "")))
}

// outside counts the lines that are out of view.
func outside(above, below int, th *theme.Theme) string {
	var parts []string
	if above > 0 {
		parts = append(parts, th.Glyph(theme.MarkAbove)+" "+text.Count(above, "line")+" above")
	}
	if below > 0 {
		parts = append(parts, th.Glyph(theme.MarkBelow)+" +"+text.Count(below, "line"))
	}
	return strings.Join(parts, "  ")
}

// caretAt is where the caret is, from the first line of the tail on.
type caretAt struct {
	x, y int
	ok   bool
}

// tailForm is how much room what answers takes.
type tailForm uint8

const (
	airyTail  tailForm = iota // blank lines before the note and the open line
	plainTail                 // none
	briefTail                 // and of the rows that which the open line belongs to
)

// tail draws what answers: the rows, the kept note and the open line.
func (c *choiceDialog) tail(in, height int, th *theme.Theme, s state, form tailForm) ([]string, caretAt) {
	var below []string
	var caret caretAt
	if c.note != nil && c.open != c.note && !c.note.field.blank() {
		note := text.SanitizeShowHidden(c.note.field.text())
		below = c.air(below, form)
		below = append(below, factLines([]fact{{label: "note", text: note}}, in-2, th)...)
	}
	if waits := c.waiting(); len(waits) > 0 && (form != briefTail || height >= comfortable+2) {
		below = c.air(below, form)
		below = append(below, factLines(waits, in-2, th)...)
	}
	if c.open == nil && c.direct != nil && c.direct.holds() {
		below = append(below, hang("  ", 2, c.direct.label+unfinished, theme.Dim, in, th)...)
	} else if l := cmp.Or(c.open, c.direct); l != nil {
		below = c.air(below, form)
		if l != c.direct || height > leastHeight-2 { // the field comes before what it is for
			below = append(below, hang("  ", 2, l.label, theme.Dim, in, th)...)
		}
		rows, at := l.field.draw(l.empty, in-4, th)
		caret = caretAt{at.x + 4, len(below) + at.y, c.open != nil}
		below = append(below, rows...)
		if c.error != "" {
			below = append(below, wrong(c.error, 4, in, th)...)
		}
	}
	armed := s.armed && c.open == nil
	all := c.choices.layout(in, th, rowState{armed: armed, locked: c.locked(), keys: c.drawn.keys.Card, twice: c.needsEnter}, c.open)
	rows := c.choices.window(all, height-len(below)-2)
	if form == briefTail && c.open != nil {
		rows = c.choices.only(all, c.open)
	}
	caret.y += len(rows)
	return append(rows, below...), caret
}

// air begins a part of the tail with a blank line, if there is one before it.
func (c *choiceDialog) air(lines []string, form tailForm) []string {
	if form == airyTail && len(c.choices.rows) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// window returns the lines of as many rows as fit, the chosen one among them.
func (c *choices) window(rows [][]string, height int) []string {
	fits := func(first int) (n int) {
		used := 0
		for _, r := range rows[first:] {
			if used += len(r); used > height {
				break
			}
			n++
		}
		return n
	}
	c.first = min(c.first, max(len(rows)-1, 0))
	if c.chosen >= 0 && c.chosen < c.first {
		c.first = c.chosen
	}
	if len(rows) == 0 {
		return nil
	}
	for c.chosen >= c.first+fits(c.first) && c.first < c.chosen {
		c.first++
	}
	for c.first > 0 && fits(c.first-1) > len(rows)-c.first {
		c.first--
	}
	c.shown = fits(c.first)
	var lines []string
	for _, r := range rows[c.first : c.first+c.shown] {
		lines = append(lines, r...)
	}
	return lines
}

// only returns the lines of the row that opened a line; a note has none.
func (c *choices) only(rows [][]string, open *textAnswer) []string {
	c.shown = 0
	for i, r := range c.rows {
		if r.opens == open {
			c.first, c.shown = i, 1
			return rows[i]
		}
	}
	return nil
}
