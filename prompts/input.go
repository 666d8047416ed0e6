package prompts

import (
	"parley/render"
	"parley/session"
	"parley/theme"
)

// newInput puts a question of the agent on a card: its choices, a line for an
// answer in the person's own words, or both.
func newInput(r session.UserInputRequested) *card {
	c := &card{
		of:      about{request: r.RequestID, call: r.ToolCallID, ends: withTurn},
		title:   "The agent asks",
		payload: &textDocument{spans: prose(r.Question, theme.Text), raw: r.Question},
		choices: choices{chosen: -1},
	}
	for _, choice := range r.Choices {
		c.choices.rows = append(c.choices.rows, row{
			label:  render.SanitizeVisible(choice),
			answer: session.UserInputAnswer{RequestID: r.RequestID, Text: choice},
		})
	}
	if r.Freeform() {
		own := &line{
			label: "Your answer:", hint: "answer", empty: "nothing written yet",
			answer: func(text string) (session.Answer, string) {
				return session.UserInputAnswer{RequestID: r.RequestID, Text: text, Freeform: true}, ""
			},
		}
		label := "Something else"
		if len(r.Choices) == 0 {
			label, c.direct = "Write an answer", own
		}
		c.choices.rows = append(c.choices.rows, row{label: label, opens: own})
	}
	return c
}
