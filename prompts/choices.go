package prompts

import (
	"slices"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// row is one thing a user can choose on a card.
type row struct {
	key      string // the letter that chooses it; "" leaves the digit alone
	also     string // another that does
	label    string // safe to show
	answer   session.Answer
	effect   Effect      // beside the answer, or without one; nil: none
	opens    *textAnswer // in place of an answer
	approves bool        // lets the agent do what it asked for
	careful  bool        // takes Enter after its key
	lasts    bool        // approves for more than once
	unseen   bool        // is there only while something was not on the screen
}

// named reports whether a key is a letter of the row's.
func (r row) named(key string) bool { return r.key == key || r.also == key }

// choices are the rows of a card and the chosen one.
type choices struct {
	rows   []row
	chosen int // index; -1 is none
	begin  int // the row that going down from none leads to
	first  int // the first row shown, when there is no room for all
	shown  int // how many rows were shown last
	line   int // of what was shown last, that the chosen row begins on; -1: it was not
	column int // where on it
}

// move chooses the next or the previous row and stops at the ends. From no row
// it goes to the one to begin with, or to the last.
func (c *choices) move(by int) {
	switch {
	case len(c.rows) == 0:
	case c.chosen < 0 && by < 0:
		c.chosen = len(c.rows) - 1
	case c.chosen < 0:
		c.chosen = min(c.begin, len(c.rows)-1)
	default:
		c.chosen = min(max(c.chosen+by, 0), len(c.rows)-1)
	}
}

// find returns the row that the text of a key names, by its letter or by its
// number.
func (c *choices) find(text string) (int, bool) {
	for i, r := range c.rows {
		if text != "" && (r.named(text) || strconv.Itoa(i+1) == text) {
			return i, true
		}
	}
	return 0, false
}

// visible reports whether row i was part of the last drawing: a row that
// cannot be seen is no answer.
func (c *choices) visible(i int) bool { return i >= c.first && i < c.first+c.shown }

// rowGroup are lines that show rows which follow each other: one, or several side by
// side.
type rowGroup struct {
	first, n int
	columns  []int // that each begins at
	lines    []string
}

// layout draws every row, in as many lines as it takes; with s.packed as many side by
// side as there is room for. While a line is open the row it belongs to is the chosen
// one.
func (c *choices) layout(width int, th *theme.Theme, s rowState, open *textAnswer) []rowGroup {
	keys := 1
	for i, r := range c.rows {
		keys = max(keys, text.Width(rowKey(r, i, s.keys)))
	}
	var out []rowGroup
	used := 0 // of the last line, while it is one of several rows
	for i, r := range c.rows {
		if r.opens != nil && r.opens != open && r.opens.holds() {
			r.label += unfinished
		}
		key := rowKey(r, i, s.keys)
		if s.twice(i) {
			r.label += " (" + strings.TrimPrefix(key+", then ", ", then ") + s.keys.Show("enter") + ")"
		}
		lead, tok := s.lead(pad(key, keys), open == nil && i == c.chosen || open != nil && r.opens == open, r.approves, th)
		cells := keys + 4 + text.Width(r.label)
		if last := len(out) - 1; s.packed && used > 0 && used+1+cells <= width {
			out[last].lines[0] += " " + lead + th.Render(tok, r.label)
			out[last].n++
			out[last].columns = append(out[last].columns, used+1)
			used += 1 + cells
			continue
		}
		group := rowGroup{first: i, n: 1, columns: []int{0}}
		for _, line := range text.Wrap(r.label, max(width-keys-4, 1)) {
			group.lines = append(group.lines, lead+th.Render(tok, line))
			lead = text.Spaces(keys + 4) // the label hangs on its own left edge
		}
		out = append(out, group)
		if used = cells; len(group.lines) > 1 {
			used = width // nothing stands beside it
		}
	}
	return out
}

// lead is what stands before the label of a row, and the token of that.
func (s rowState) lead(key string, chosen, approves bool, th *theme.Theme) (lead string, label theme.Token) {
	mark, tok, keyTok := " ", theme.Text, theme.Key
	switch {
	case chosen && s.armed:
		tok, keyTok = theme.Selected, theme.Selected
	case !s.armed, s.locked && approves:
		tok, keyTok = theme.Dim, theme.Dim
	}
	if chosen {
		mark = th.Render(theme.Accent, th.Glyph(theme.MarkChosen))
	}
	return mark + " " + th.Render(keyTok, key) + "  ", tok
}

// groupOf returns the group that row i is in.
func groupOf(groups []rowGroup, i int) int {
	return slices.IndexFunc(groups, func(g rowGroup) bool { return i >= g.first && i < g.first+g.n })
}

// lineCount is how many lines groups take.
func lineCount(groups []rowGroup) (n int) {
	for _, g := range groups {
		n += len(g.lines)
	}
	return n
}

// window returns the lines of as many rows as fit, the chosen one among them.
func (c *choices) window(groups []rowGroup, height int) []string {
	fits := func(first int) (n int) {
		used := 0
		for _, g := range groups[first:] {
			if used += len(g.lines); used > height {
				break
			}
			n++
		}
		return n
	}
	if len(groups) == 0 {
		return c.show(nil)
	}
	first, chosen := max(groupOf(groups, min(c.first, len(c.rows)-1)), 0), groupOf(groups, c.chosen)
	if chosen >= 0 && chosen < first {
		first = chosen
	}
	for chosen >= first+fits(first) && first < chosen {
		first++
	}
	for first > 0 && fits(first-1) > len(groups)-first {
		first--
	}
	return c.show(groups[first : first+fits(first)])
}

// only returns the lines of the row that opened a line; a note has none.
func (c *choices) only(groups []rowGroup, open *textAnswer) []string {
	at := slices.IndexFunc(c.rows, func(r row) bool { return r.opens == open })
	if at < 0 {
		return c.show(nil)
	}
	return c.show(groups[groupOf(groups, at):][:1])
}

// show notes which rows are on the screen, and returns their lines.
func (c *choices) show(groups []rowGroup) (lines []string) {
	c.shown, c.line = 0, -1
	for i, g := range groups {
		if i == 0 {
			c.first = g.first
		}
		if at := c.chosen - g.first; at >= 0 && at < g.n {
			c.line, c.column = len(lines), g.columns[at]
		}
		c.shown += g.n
		lines = append(lines, g.lines...)
	}
	return lines
}

// rowKey is the key that a row shows: its letter, or else its number.
func rowKey(r row, i int, keys Bindings) string {
	switch {
	case r.key == declines || r.key == cancels:
		return r.key
	case showsLetter(r, keys):
		return keys.Show(r.key)
	case i < 9:
		return keys.Show(strconv.Itoa(i + 1))
	}
	return ""
}

// showsLetter reports whether a row shows its letter in place of its number.
func showsLetter(r row, keys Bindings) bool {
	return r.key == declines || r.key == cancels || keys.Show(r.key) != ""
}

// rowState is how the rows of a card are drawn.
type rowState struct {
	armed, locked bool
	packed        bool // several side by side
	keys          Bindings
	twice         func(i int) bool // takes Enter after its key
}
