package prompts

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/render/text"
)

// scroll is the window onto the body of a card.
type scroll struct {
	top, height, total int
	required           int    // lines that must have been on the screen
	seen               rowSet // of them
	paged              bool   // each of them counts, and not the last alone
	last               int    // where the document ends, without what is blank
	reveal             bool   // show what comes after the required lines
	start, length      int    // where the document begins, and its rows
	ends               []int  // where each of the parts ends that are below it
	follow             bool   // the document has a row to show
	centre             bool   // the change is to be in the middle, with what is around it
}

// by moves the window; layout keeps it inside.
func (s *scroll) by(lines int) { s.top = max(0, min(s.top+lines, s.total-s.height)) }

// key moves the window as a key says. The end is where the document, or a part below it,
// ends as long as that is to be read, and not in view with what comes last.
func (s *scroll) key(name string) {
	if row, ok := s.nextEnd(); ok && (name == "end" || name == "G") && row < s.total-s.height {
		s.top = row
		return
	}
	page := max(1, s.height-1) // one line stays for the eye
	s.by(map[string]int{
		"shift+up": -1, "shift+down": 1, "pgup": -page, "pgdown": page,
		"home": -s.total, "end": s.total, "g": -s.total, "G": s.total,
	}[name])
}

// nextEnd is the last line of the document, or of a part below it, if that is to be read yet
// and by itself; of several below the first line in view the first.
func (s *scroll) nextEnd() (row int, ok bool) {
	if s.paged || s.unseen() == 0 {
		return 0, false
	}
	for _, end := range append([]int{s.last}, s.ends...) {
		if row = end - 1; row > s.top && !s.seen.has(row) {
			return row, true
		}
	}
	return 0, false
}

// anew forgets what was seen of a body that is drawn in another form now, as far
// as it was not all.
func (s *scroll) anew() {
	if s.unseen() > 0 {
		s.seen = nil
	}
}

// unseen is how many required lines were never on the screen.
func (s *scroll) unseen() int { return s.required - s.seen.count() }

// show moves the window to where row is in it.
func (s *scroll) show(row, height int) {
	s.top = max(min(s.top, row), row-height+1, 0)
}

// middle moves the window so that the rows from first to last are in the middle of it;
// of more than fit the first are shown.
func (s *scroll) middle(first, last, height int) {
	s.top = max(min(first-(height-(last-first+1))/2, first), 0)
}

// lines says which of the lines that are asked about are in view: those of the document
// below its heading, without what else scrolls along.
func (s *scroll) lines(heading int) string {
	before := s.start + heading
	total := s.last - before
	from, to := min(max(s.top-before, 0)+1, total), min(max(s.top+s.height-before, 0), total)
	if to == 0 { // nothing but the heading is in view
		return text.Count(total, "line") + " below"
	}
	return fmt.Sprintf("lines %d to %d of %d", min(from, to), to, total)
}

// need sets how many lines must have been on the screen. What was read to its end stays
// so in another form. Of what was not, the document's lines stay seen while it is where it
// was and as long as it was, whether what is known comes after it or stands apart.
func (s *scroll) need(required, start, length int) {
	switch same := s.start == start && s.length == length; {
	case s.required > 0 && s.unseen() == 0:
		s.seen = rowSet{}.with(0, required)
	case !same:
		s.seen = nil
	case required != s.required: // of what is known, other lines may come first now
		s.seen = s.seen.before(min(max(start+length, s.seen.gap()), required))
	}
	s.required, s.start, s.length = required, start, length
}

// layout fits the window to a body of total lines and notes what it shows;
// what is cut short counts as not shown.
func (s *scroll) layout(total, height int, whole bool) {
	s.total, s.height = total, height
	if s.reveal {
		s.top, s.reveal = s.required, false
	}
	s.by(0)
	if whole {
		s.look()
	}
}

// look notes the lines that are in view. The document, and each part below it, is read once
// its last line was on the screen, however the user came there; what is paged, once each line was.
func (s *scroll) look() {
	below := s.top + s.height
	s.seen = s.seen.with(s.top, min(below, s.required))
	if s.paged {
		return
	}
	inView := func(end int) bool { return s.top < end && end <= below }
	from := s.start + s.length
	if inView(s.last) {
		s.seen = s.seen.with(0, from)
	}
	for _, end := range s.ends {
		if inView(end) {
			s.seen = s.seen.with(from, end)
		}
		from = end
	}
}

// scrollRole is the role of a key that scrolls: where all of the card is in view the
// timeline behind scrolls.
func (c *choiceDialog) scrollRole() consent.Role {
	if c.scroll.total <= c.scroll.height {
		return consent.Unused
	}
	return consent.Moves
}

// pages is the key for which a letter stands in the full view, as in less; "" is none.
func (c *choiceDialog) pages(k tea.KeyPressMsg) string {
	if !c.large || !printable(k) {
		return ""
	}
	return map[string]string{"space": "pgdown", "b": "pgup"}[KeyName(k)]
}

// readOn are the card's own keys that lead from where it is to what must be read of it yet.
func (c *choiceDialog) readOn() string {
	d, _ := c.change()
	_, end := c.scroll.nextEnd()
	switch {
	case d != nil && d.cut: // its lines are cut short, wherever the user goes
		return "w"
	case c.locked() && !end && c.scroll.seen.gap() < c.scroll.top: // what was skipped is above
		return "pgup"
	case c.scroll.paged:
		return "pgdn"
	}
	return "pgdn end"
}

// ways says the user's keys for that behind what they are for, in so many cells: with the one
// for the full view, which leads back in it and is a letter on a line, if there is room.
func (c *choiceDialog) ways(what string, width int) string {
	keys := strings.ReplaceAll(c.drawn.keys.Card.Show(c.readOn()), " ", ", ")
	if v := c.drawn.keys.Card.Show("v"); v != "" && !c.large && c.open == nil {
		for _, ways := range []string{text.JoinNonEmpty(" or ", keys, v+" for all"), text.JoinNonEmpty(", ", keys, v)} {
			if all := text.JoinNonEmpty(": ", what, ways); text.Width(all) <= width {
				return all
			}
		}
	}
	return text.JoinNonEmpty(": ", what, keys)
}

// step moves through the rows, or, with a key that scrolls on a card that was not read
// to its end and in the full view, through what it says.
func (c *choiceDialog) step(down, scrolls bool) {
	by := -1
	if down {
		by = 1
	}
	if scrolls && (c.locked() || c.large && c.scroll.total > c.scroll.height) {
		c.scroll.by(by)
		return
	}
	c.choices.move(by)
	if i := c.choices.chosen; i >= 0 && c.unconfirmed(i) {
		c.hint = confirm
	}
}
