package prompts

import (
	"cmp"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// inputKind is a question of the agent.
func inputKind(a session.UserInputRequested) askKind {
	topic := cmp.Or(firstLine(a.Question), someTopic)
	return askKind{
		of: about{request: a.RequestID, call: a.ToolCallID, ends: withTurn}, topic: topic, wish: "asks: " + topic, words: true,
		open: func(q *Queue, of about, ev session.Event) dialog { return q.signed(newInput(a, of), ev) },
	}
}

// newInput puts a question of the agent on a card: its choices, and a row that
// opens a line for an answer in the user's own words. Where nothing is offered
// that line is all there is.
func newInput(r session.UserInputRequested, of about) *choiceDialog {
	c := newCard(of, "The agent asks")
	c.payload = &textDocument{spans: prose(r.Question, theme.Text), raw: r.Question}
	for _, choice := range r.Choices {
		c.choices.rows = append(c.choices.rows, row{
			label:  text.SanitizeShowHidden(choice),
			answer: session.UserInputAnswer{RequestID: r.RequestID, Text: choice},
		})
	}
	if c.words = r.Freeform(); c.words {
		own := &textAnswer{
			label: "Your answer:", hint: "answer", empty: "nothing written yet",
			answer: func(text string) (session.Answer, string) {
				return session.UserInputAnswer{RequestID: r.RequestID, Text: text, Freeform: true}, ""
			},
		}
		if len(r.Choices) == 0 {
			c.direct = own
		} else {
			c.choices.rows = append(c.choices.rows, row{label: "Something else", opens: own})
		}
	}
	return c
}

// wordsFor is the card in front if it is a question of the agent's that can be answered in
// the user's own words; nil: it is not.
func (q *Queue) wordsFor() *choiceDialog {
	if len(q.dialogs) == 0 {
		return nil
	}
	if c, ok := q.dialogs[q.front].(*choiceDialog); ok && c.words {
		return c
	}
	return nil
}

// TakesWords reports whether the question in front is one of the agent's that can be
// answered in the user's own words.
func (q *Queue) TakesWords() bool { return q.wordsFor() != nil }

// Compose writes a text on the line of such a question and gives it the focus. It answers
// nothing: that is for Enter there.
func (q *Queue) Compose(draft string, at time.Time) {
	c := q.wordsFor()
	if c == nil {
		return
	}
	q.Focus(at)
	l := c.ownWords()
	c.begin(l)
	l.field = newField(text.JoinNonEmpty("\n\n", l.field.text(), draft))
	q.written++
	q.changed = true
}

// attend opens the only line of the card, or closes it. What was written on it
// before is of no effect until the user goes there.
func (c *choiceDialog) attend(open bool) {
	switch {
	case c.direct == nil || c.direct.holds():
	case !open && c.answering() && !c.opened:
		c.open = nil
	case open && c.open == nil:
		c.begin(c.direct)
		c.opened = false
	}
}

// answering reports whether the only line of the card is open.
func (c *choiceDialog) answering() bool { return c.open != nil && c.open == c.direct }

// untouched reports whether it is, with nothing on it.
func (c *choiceDialog) untouched() bool { return c.answering() && c.open.field.text() == "" }
