package prompts

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/session"
)

// textAnswer is an answer that is written: a refusal's reason, a note, free text.
// Its text lives as long as its card, whatever else is opened meanwhile.
type textAnswer struct {
	label string // what to write, in front of the text
	hint  string // on the card's last line while it is open
	empty string // shown in place of a text
	does  string // what Tab does by opening it
	word  bool   // one word is expected
	yes   bool   // and that word is yes
	field field
	// earlier is what was written on it before this card came. It is the
	// user's again when they open the line, and of no effect until then.
	earlier string
	// keep takes the text of a line that answers nothing, on Enter.
	keep func(text string)
	// kept is what Enter kept of a line that Esc cancels; nil: Esc closes it as it is.
	kept func() string
	// answer makes an answer of the text, or says what is wrong with it.
	answer func(text string) (a session.Answer, problem string)
	blank  session.Answer // what Enter on an empty line means; nil is nothing
}

// sure is a line that answers only when the word yes is typed.
func sure(label, hint string, answer session.Answer) *textAnswer {
	return &textAnswer{
		label: label, hint: hint, word: true, yes: true,
		answer: func(text string) (session.Answer, string) {
			if strings.TrimSpace(text) != "yes" {
				return nil, "only yes allows it; esc goes back"
			}
			return answer, ""
		},
	}
}

// problem returns what is wrong with the letters of a word already; "" if it may still
// become the right one.
func (l *textAnswer) problem() string {
	if l.yes && !strings.HasPrefix("yes", strings.TrimSpace(l.field.text())) {
		return "only yes allows it; esc clears it"
	}
	return ""
}

// recall puts what was written before onto a line that is being opened.
func (l *textAnswer) recall() {
	if l.earlier != "" {
		l.field, l.earlier = newField(l.earlier), ""
	}
}

// cancel takes away what was written on a line since Enter kept it, where Esc does so.
func (l *textAnswer) cancel() {
	if l.kept != nil {
		l.field = newField(l.kept())
	}
}

// holds reports whether something is written on a line that is not open.
func (l *textAnswer) holds() bool { return !l.word && (l.earlier != "" || !l.field.blank()) }

// unfinished marks a line that waits to be opened again.
const unfinished = " (unfinished)"

// answerLine is the line that Tab opens, if there is one. It never opens one
// that answers while it is empty: Tab and Enter are typed too easily.
func (c *choiceDialog) answerLine() *textAnswer {
	if c.direct != nil {
		return c.direct
	}
	for _, r := range c.choices.rows {
		if r.opens != nil && r.opens.blank == nil && !r.unseen {
			return r.opens
		}
	}
	return nil
}

// tab opens the line that belongs to the card: a note, or the free answer.
func (c *choiceDialog) tab() {
	if c.note != nil {
		c.begin(c.note)
		return
	}
	if l := c.answerLine(); l != nil {
		c.begin(l)
		c.fresh = l == c.direct && !l.holds()
	}
}

func (c *choiceDialog) begin(l *textAnswer) {
	l.recall()
	c.open, c.opened, c.fresh, c.error, c.hint = l, true, false, "", ""
}

// openRole is role while a line is written on. A note only keeps what was
// written: no Enter in it answers. Nor does one on a line that was not on the
// screen yet.
func (c *choiceDialog) openRole(k tea.KeyPressMsg) consent.Role {
	l := c.open
	switch k.Keystroke() {
	case "shift+up", "shift+down", "pgup", "pgdown":
		return c.scrollRole()
	}
	switch {
	case (!c.opened || c.fresh) && (printable(k) || newline(k)):
		return consent.Begins
	case !enter(k) || l.answer == nil || l.field.continued():
		return consent.Types
	case c.drawn.open != l:
		return consent.Moves
	case !l.field.blank():
		return consent.Submits
	case l.blank != nil:
		return consent.Chooses
	}
	return consent.Types
}

// write gives a key to the open line.
func (c *choiceDialog) write(k tea.KeyPressMsg) result {
	l := c.open
	c.error = ""
	switch key := k.Keystroke(); {
	case key == "shift+up" || key == "shift+down" || key == "pgup" || key == "pgdown":
		c.scroll.key(key)
		return result{}
	case key == "ctrl+g" && !l.word:
		c.editor = l
		return result{effect: OpenEditor{Text: l.field.text(), Name: "answer.md"}}
	case key == "tab" && !l.word && l.field.completes():
		l.field.complete()
		return result{}
	case key == "tab" || key == "shift+tab":
		if l == c.note || l != c.direct && len(c.choices.rows) > 1 {
			c.open = nil
		}
		return result{}
	case !enter(k) || l.field.continued():
		l.field.press(k)
		c.error = l.problem()
		return result{}
	}
	return c.enterLine(l)
}

// enterLine does what Enter on the open line does: it keeps what was written, or answers.
func (c *choiceDialog) enterLine(l *textAnswer) result {
	switch {
	case l.answer == nil:
		if l.keep != nil {
			l.keep(l.field.text())
			c.unmark() // a row that was chosen before they objected is not what they mean
		}
		c.open = nil
		return result{}
	case c.drawn.open != l:
		return result{}
	case l.field.blank():
		return result{answer: c.finish(l.blank)}
	}
	a, problem := l.answer(l.field.text())
	if a == nil {
		if c.error = l.problem(); c.error == "" {
			c.error = problem
		}
		return result{}
	}
	l.field = field{} // sent
	return result{answer: c.finish(a)}
}

func (c *choiceDialog) openField() *field {
	if c.open == nil || c.open.word {
		return nil
	}
	return &c.open.field
}

func (c *choiceDialog) paste(text string) {
	if c.open != nil {
		c.opened, c.fresh, c.error = true, false, ""
		c.open.field.insert(text)
	}
}

func (c *choiceDialog) edited(text string) {
	switch {
	case c.editor != nil:
		c.editor.field.set(text)
		c.begin(c.editor)
	case c.rework != nil:
		if l := c.rework(text); l != nil {
			c.begin(l)
		}
	}
}
