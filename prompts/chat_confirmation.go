package prompts

import (
	"cmp"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// wholeTitle is how wide a title is at most that a narrow card shows whole.
const wholeTitle = 28

// confirmationKind is the question of a chat agent before it acts.
func confirmationKind(a session.ConfirmationRequested) askKind {
	topic := cmp.Or(firstLine(a.Title), firstLine(a.Message), "a confirmation")
	return askKind{
		of: about{request: a.RequestID, ends: withAbort}, topic: topic, wish: "asks before it acts: " + topic,
		open: func(_ *Queue, of about, _ session.Event) dialog { return newConfirmation(a, of) },
	}
}

// newConfirmation asks what a chat agent wants confirmed (copilot_confirmation):
// its title and its message, and on request the data by which it knows the
// action. A confirmation of another type than the documented one says so.
func newConfirmation(r session.ConfirmationRequested, of about) *choiceDialog {
	c := newCard(of, "Confirm this?")
	var spans []span
	if title := text.SanitizeLine(r.Title); title != "" && text.Width(title) <= wholeTitle {
		c.title = title
	} else if title != "" { // on the frame it would be cut
		spans = append(prose(r.Title, theme.Strong), span{})
	}
	spans = append(spans, prose(cmp.Or(r.Message, "The agent does not say what it would do."), theme.Text)...)
	c.payload = &textDocument{spans: spans}
	c.warnOfHidden(r.Title, r.Message)
	var facts, details factList
	if r.Type != "action" {
		facts.add("type", cmp.Or(r.Type, "not said"))
	}
	details.add("data", pretty(r.Confirmation))
	c.facts, c.details = facts, details
	answer := func(accepted bool) session.Answer {
		return session.ConfirmationAnswer{RequestID: r.RequestID, Accepted: accepted}
	}
	c.choices.rows = []row{
		{key: "y", label: "Yes, accept", answer: answer(true), approves: true},
		{key: "n", label: "No, dismiss", answer: answer(false)},
	}
	return c
}
