package prompts

import (
	"fmt"
	"slices"
	"strings"

	"parley/render"
	"parley/theme"
)

// drawing is what the last drawing of a card used.
type drawing struct {
	width      int
	theme      *theme.Theme
	parts      [parts][]string // drawn at that width in that theme; nil: not yet
	fieldWidth int
	open       *line // the line that was drawn open
	confirm    bool  // the card said that Enter approves
	caret      bool
	x, y       int
}

// part is one of the texts of a card that stay as they are. Each may be long,
// so it is drawn once for a width and a theme.
type part uint8

const (
	alerts part = iota
	facts
	details
	parts
)

// once returns the lines of a part, drawn if they are not there.
func (c *card) once(p part, in int, th *theme.Theme, draw func() []string) []string {
	d := &c.drawn
	if d.width != in || d.theme != th {
		d.width, d.theme, d.parts = in, th, [parts][]string{}
	}
	if d.parts[p] == nil {
		d.parts[p] = append([]string{}, draw()...)
	}
	return d.parts[p]
}

// scroll is the window onto the body of a card.
type scroll struct {
	top, height, total int
	required           int  // lines that must have been on the screen
	seen               int  // of them, without a gap from the first
	reveal             bool // show what comes after the required lines
	start              int  // where the document begins
	follow             bool // the document has a row to show
}

// by moves the window; layout keeps it inside.
func (s *scroll) by(lines int) { s.top = max(0, min(s.top+lines, s.total-s.height)) }

// key moves the window as a key says.
func (s *scroll) key(name string) {
	switch name {
	case "shift+up":
		s.by(-1)
	case "shift+down":
		s.by(1)
	case "pgup":
		s.by(-s.page())
	case "pgdown":
		s.by(s.page())
	case "home":
		s.by(-s.total)
	case "end":
		s.by(s.total)
	}
}

// page is how far PgUp and PgDn go: one line stays for the eye.
func (s *scroll) page() int { return max(1, s.height-1) }

// unseen is how many required lines were never on the screen.
func (s *scroll) unseen() int { return max(0, s.required-s.seen) }

// show moves the window to where row is in it.
func (s *scroll) show(row, height int) {
	s.top = max(min(s.top, row), row-height+1, 0)
}

// layout fits the window to a body of total lines and notes what it shows;
// what is cut short counts as not shown.
func (s *scroll) layout(total, required, height int, whole bool) {
	if read := s.required > 0 && s.seen >= s.required; required != s.required {
		s.seen = 0
		if read {
			s.seen = required // read to the end at another width
		}
	}
	s.total, s.required, s.height = total, required, height
	if s.reveal {
		s.top, s.reveal = required, false
	}
	s.by(0)
	if whole && s.top <= s.seen {
		s.seen = max(s.seen, min(s.top+height, required))
	}
}

// leastWidth and leastHeight are the smallest card that can be answered.
const leastWidth, leastHeight = 20, 5

func (c *card) draw(width, height int, th *theme.Theme, s state) []string {
	c.drawn.caret, c.drawn.open, c.drawn.confirm = false, nil, false
	c.choices.shown = 0
	if width < leastWidth || height < leastHeight {
		return nil
	}
	before := c.scroll
	lines, caret := c.arrange(width-4, height-2, th, s)
	if c.offer() { // the rows are others now, so that less or more is in view
		c.scroll = before
		lines, caret = c.arrange(width-4, height-2, th, s)
	}
	c.drawn.open, c.drawn.confirm = c.open, s.armed && c.hint == confirm
	c.drawn.caret = caret.ok && s.focused
	c.drawn.x, c.drawn.y = caret.x+2, caret.y+1
	return frame(lines, width, th, framing{c.title, c.says(s), c.hints(s, th)}, s)
}

// offer puts the row that approves unseen among the others while there is
// something unseen, and reports whether that changed them.
func (c *card) offer() bool {
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

// arrange puts everything inside the frame: the warnings, what is asked about,
// what is known, the rows. Where there is no room for all, it scrolls as one.
func (c *card) arrange(in, height int, th *theme.Theme, s state) ([]string, caretAt) {
	tail, caret := c.tail(in, height, th, s)
	known := c.known(in, th)
	room := height - len(tail)

	head := c.alertLines(in, th)
	body, required := c.body(in, th, true)
	gaps := []int{1, 1, 1} // above, between what is asked and what is known, before the rows
	if len(known) == 0 {
		gaps[1] = 0
	}
	if len(head)+body.len()+len(known)+gaps[0]+gaps[1]+gaps[2] > room-1 {
		gaps[0], gaps[1] = 0, 0
	}
	window := room - len(head) - len(known) - gaps[0] - gaps[1] - gaps[2]
	if window < min(body.len(), 4) {
		head, known = nil, nil
		body, required = c.body(in, th, false)
		gaps = []int{0, 0, min(1, max(0, room-3))}
		window = room - gaps[2]
	}
	lines := append(blank(gaps[0]), head...)
	lines = append(lines, c.window(body, required, max(window, 1), in, th)...)
	lines = append(append(lines, blank(gaps[1])...), known...)
	lines = append(lines, blank(gaps[2])...)
	caret.y += len(lines)
	lines = append(lines, tail...)
	if len(lines) < height && gaps[0] > 0 {
		lines = append(lines, "")
	}
	return lines[:min(len(lines), height)], caret
}

func blank(n int) []string { return make([]string, max(n, 0), max(n, 0)+8) }

// alertLines are the warnings with their mark, and a blank line after them.
func (c *card) alertLines(in int, th *theme.Theme) []string {
	return c.once(alerts, in, th, func() []string {
		var lines []string
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

// known are the facts.
func (c *card) known(in int, th *theme.Theme) []string {
	return c.once(facts, in, th, func() []string { return factLines(c.facts, in-2, th) })
}

// explained are the details.
func (c *card) explained(in int, th *theme.Theme) []string {
	return c.once(details, in, th, func() []string { return factLines(c.details, in-2, th) })
}

// body returns what scrolls, and how many of its rows must be seen before
// approving: what is asked about, the warnings and the facts too unless they
// are drawn apart. The details come after that if they are wanted.
func (c *card) body(in int, th *theme.Theme, fixed bool) (b body, required int) {
	if !fixed {
		b.lines(c.alertLines(in, th)...)
	}
	c.scroll.start = b.len()
	b.add(c.payload.layout(in-2, th), func(from, to int) []string {
		rows := slices.Clone(c.payload.rows(from, to))
		for i, r := range rows {
			rows[i] = "  " + r
		}
		return rows
	})
	if !fixed {
		b.lines("")
		b.lines(c.known(in, th)...)
	}
	required = b.len()
	if c.why {
		b.lines("")
		b.lines(c.explained(in, th)...)
	}
	return b, required
}

// hang draws text behind a lead of the given width; further rows hang under
// the text.
func hang(lead string, leadWidth int, text string, tok theme.Token, width int, th *theme.Theme) []string {
	var lines []string
	for i, l := range render.Wrap(text, max(width-leadWidth, 1)) {
		if i > 0 {
			lead = strings.Repeat(" ", leadWidth)
		}
		lines = append(lines, lead+visible(l, tok, th))
	}
	return lines
}

// factWidth is the column that the texts of facts begin at.
const factWidth = 10

func factLines(facts []fact, width int, th *theme.Theme) []string {
	var lines []string
	for _, f := range facts {
		tok := theme.Text
		if f.warn {
			tok = theme.Warning
		}
		lead := "  " + th.Render(theme.Dim, pad(f.label, factWidth))
		lines = append(lines, hang(lead, factWidth+2, f.text, tok, width+2, th)...)
	}
	return lines
}

// window returns the part of the body that is in view. What is outside is
// counted on a line of its own.
func (c *card) window(b body, required, height, in int, th *theme.Theme) []string {
	s := &c.scroll
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
	below, above := total-s.top-height, s.top
	text := fmt.Sprintf("%s %d lines above", th.Glyph(theme.MarkAbove), above)
	if below > 0 {
		text = fmt.Sprintf("%s +%d lines: pgdn, or v for all", th.Glyph(theme.MarkBelow), below)
	}
	return append(lines, "  "+th.Render(theme.Accent, render.Truncate(text, in-2, "")))
}

// caretAt is where the caret is, from the first line of the tail on.
type caretAt struct {
	x, y int
	ok   bool
}

// fieldHeight is how many rows of an open line are shown.
const fieldHeight = 6

// tail draws what answers: the rows, the kept note and the open line.
func (c *card) tail(in, height int, th *theme.Theme, s state) ([]string, caretAt) {
	var below []string
	var caret caretAt
	if c.note != nil && c.open != c.note && !c.note.field.blank() {
		note := render.SanitizeVisible(c.note.field.text)
		below = append(below, factLines([]fact{{label: "note", text: note}}, in-2, th)...)
	}
	if c.open != nil {
		below = append(below, hang("  ", 2, c.open.label, theme.Dim, in, th)...)
		rows, at := c.openLine(in-4, th)
		caret = caretAt{at.x + 4, len(below) + at.y, true}
		below = append(below, rows...)
		if c.error != "" {
			below = append(below, hang("  ", 2, c.error, theme.Error, in, th)...)
		}
	}
	armed := s.armed && c.open == nil
	rows := c.choices.window(c.choices.layout(in, th, armed, c.locked()), height-len(below)-2)
	caret.y += len(rows)
	return append(rows, below...), caret
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

// openLine draws the rows of the open line around its caret.
func (c *card) openLine(width int, th *theme.Theme) ([]string, caretAt) {
	c.drawn.fieldWidth = width
	mark := "  " + th.Render(theme.Accent, th.Glyph(theme.MarkCaret)) + " "
	f := &c.open.field
	if f.text == "" {
		return []string{mark + th.Render(theme.Dim, render.Truncate(c.open.empty, width, ""))}, caretAt{}
	}
	rows, x, y := f.layout(width)
	first := min(max(0, y-fieldHeight+1), max(0, len(rows)-fieldHeight))
	var lines []string
	for _, r := range rows[first:min(first+fieldHeight, len(rows))] {
		lines = append(lines, mark+visible(r.text, theme.Text, th))
	}
	return lines, caretAt{x: x, y: y - first}
}
