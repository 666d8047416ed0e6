package prompts

import (
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
	unseen   bool        // is there only while something was not on the screen
}

// textAnswer is an answer that is written: a refusal's reason, a note, free text.
// Its text lives as long as its card, whatever else is opened meanwhile.
type textAnswer struct {
	label string // what to write, in front of the text
	hint  string // on the card's last line while it is open
	empty string // shown in place of a text
	does  string // what Tab does by opening it
	word  bool   // one word is expected
	field field
	// earlier is what was written on it before this card came. It is the
	// user's again when they open the line, and of no effect until then.
	earlier string
	// keep takes the text of a line that answers nothing, on Enter.
	keep func(text string)
	// answer makes an answer of the text, or says what is wrong with it.
	answer func(text string) (a session.Answer, problem string)
	blank  session.Answer // what Enter on an empty line means; nil is nothing
}

// sure is a line that answers only when the word yes is typed.
func sure(label, hint string, answer session.Answer) *textAnswer {
	return &textAnswer{
		label: label, hint: hint, word: true,
		answer: func(text string) (session.Answer, string) {
			if strings.TrimSpace(text) != "yes" {
				return nil, "only yes allows it; esc goes back"
			}
			return answer, ""
		},
	}
}

// recall puts what was written before onto a line that is being opened.
func (l *textAnswer) recall() {
	if l.earlier != "" {
		l.field, l.earlier = newField(l.earlier), ""
	}
}

// holds reports whether something is written on a line that is not open.
func (l *textAnswer) holds() bool { return !l.word && (l.earlier != "" || !l.field.blank()) }

// begun marks a line that waits to be opened again.
const unfinished = " (unfinished)"

// choices are the rows of a card and the chosen one.
type choices struct {
	rows   []row
	chosen int // index; -1 is none
	first  int // the first row shown, when there is no room for all
	shown  int // how many rows were shown last
}

// move chooses the next or the previous row and stops at the ends. From no row
// it goes to the first, or to the last.
func (c *choices) move(by int) {
	switch {
	case len(c.rows) == 0:
	case c.chosen < 0 && by < 0:
		c.chosen = len(c.rows) - 1
	default:
		c.chosen = min(max(c.chosen+by, 0), len(c.rows)-1)
	}
}

// find returns the row that the text of a key names, by its letter or by its
// number.
func (c *choices) find(text string) (int, bool) {
	for i, r := range c.rows {
		if text != "" && (r.key == text || r.also == text || strconv.Itoa(i+1) == text) {
			return i, true
		}
	}
	return 0, false
}

// visible reports whether row i was part of the last drawing: nobody answers
// with a row that cannot be seen.
func (c *choices) visible(i int) bool { return i >= c.first && i < c.first+c.shown }

// layout draws every row, in as many lines as it takes. While a line is open
// the row it belongs to is the chosen one.
func (c *choices) layout(width int, th *theme.Theme, s rowState, open *textAnswer) [][]string {
	keys := 1
	for i, r := range c.rows {
		keys = max(keys, text.Width(rowKey(r, i, s.keys)))
	}
	out := make([][]string, len(c.rows))
	for i, r := range c.rows {
		if r.opens != nil && r.opens != open && r.opens.holds() {
			r.label += unfinished
		}
		key := rowKey(r, i, s.keys)
		if s.twice(i) {
			r.label += " (" + strings.TrimPrefix(key+", then ", ", then ") + s.keys.Show("enter") + ")"
		}
		chosen := open == nil && i == c.chosen || open != nil && r.opens == open
		mark, tok, keyTok := " ", theme.Text, theme.Key
		switch {
		case chosen && s.armed:
			tok, keyTok = theme.Selected, theme.Selected
		case !s.armed, s.locked && r.approves:
			tok, keyTok = theme.Dim, theme.Dim
		}
		if chosen {
			mark = th.Render(theme.Accent, th.Glyph(theme.MarkChosen))
		}
		lead := mark + " " + th.Render(keyTok, pad(key, keys)) + "  "
		for _, line := range text.Wrap(r.label, max(width-keys-4, 1)) {
			out[i] = append(out[i], lead+th.Render(tok, line))
			lead = text.Spaces(keys + 4) // the label hangs on its own left edge
		}
	}
	return out
}

// rowKey is the key that a row shows: its letter, or else its number.
func rowKey(r row, i int, keys Bindings) string {
	switch key := keys.Show(r.key); {
	case r.key == declines || r.key == cancels:
		return r.key
	case key != "":
		return key
	}
	if i < 9 {
		return keys.Show(strconv.Itoa(i + 1))
	}
	return ""
}

// rowState is how the rows of a card are drawn.
type rowState struct {
	armed, locked bool
	keys          Bindings
	twice         func(i int) bool // takes Enter after its key
}
