package prompts

import (
	"math"
	"strconv"
	"strings"
	"time"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// limitKind is a question about a limit that was reached.
func limitKind(id session.RequestID, card func(of about) *choiceDialog) askKind {
	return askKind{
		of: about{request: id, ends: withTurn}, topic: someTopic, wish: someWish,
		open: func(q *Queue, of about, ev session.Event) dialog { return q.signed(card(of), ev) },
	}
}

// newModelLimit asks whether the agent may continue with a model that it chooses,
// because the one that was chosen is at its limit.
func newModelLimit(r session.AutoModeSwitchRequested, of about) *choiceDialog {
	c := newCard(of, "Continue with another model?")
	const reached = "The model you chose is at its limit. The agent can continue with one that it chooses itself."
	c.payload = &textDocument{spans: prose(reached, theme.Text)}
	if r.ErrorCode != "" {
		c.facts = append(c.facts, fact{label: "why", text: limitReason(r.ErrorCode)})
	}
	if wait := r.RetryAfterSeconds; wait > 0 && wait < 1e9 {
		c.facts = append(c.facts, fact{label: "ends", text: "in " + text.Duration(time.Duration(math.Ceil(wait))*time.Second)})
	}
	answer := func(response string) session.Answer {
		return session.AutoModeSwitchAnswer{RequestID: r.RequestID, Response: response}
	}
	c.choices.rows = []row{
		{key: "y", label: "Yes, this time", answer: answer(session.SwitchYes), approves: true},
		{
			key: "l", label: "Yes, always: remembered, and not asked again", answer: answer(session.SwitchAlways),
			approves: true, careful: true,
		},
		{key: "n", label: "No, keep the model", answer: answer(session.SwitchNo)},
	}
	return c
}

// limitReason puts the code of a limit into words, and keeps the code: what it
// says is the agent's.
func limitReason(code string) string {
	low := strings.ToLower(code)
	for _, known := range []struct{ part, words string }{
		{"week", "the limit of this week is reached"},
		{"month", "the limit of this month is reached"},
		{"day", "the limit of today is reached"},
		{"daily", "the limit of today is reached"},
		{"quota", "the quota is used up"},
		{"rate", "too many requests in a short time"},
	} {
		if strings.Contains(low, known.part) {
			return known.words + " (" + text.SanitizeShowHidden(code) + ")"
		}
	}
	return text.SanitizeShowHidden(code)
}

// newSpendingLimit asks what to do about a session that has spent all it may.
// No answer is one key: a number has to be written, and to continue without any
// limit takes Enter as well.
func newSpendingLimit(r session.SessionLimitsExhaustedRequested, of about) *choiceDialog {
	used, limit := credits(r.UsedAICredits), credits(r.MaxAICredits)
	answer := func(action string, n float64) session.Answer {
		return session.SessionLimitsExhaustedAnswer{RequestID: r.RequestID, Action: action, Credits: n}
	}
	number := func(action string, above float64) func(string) (session.Answer, string) {
		return func(text string) (session.Answer, string) {
			n, problem := amount(text)
			if problem == "" && n <= above {
				problem = "The session has used " + used + " already: write a number above that."
			}
			if problem != "" {
				return nil, problem
			}
			return answer(action, n), ""
		}
	}
	add := &textAnswer{
		label: "How many AI credits to add to the limit of " + limit + "?", hint: "add them", empty: "a number, such as 50",
		word: true, does: "add credits",
		answer: number(session.LimitAdd, 0),
	}
	set := &textAnswer{
		label: "How many AI credits may this session use in all? It has used " + used + ".", hint: "set the limit",
		empty: "a number above " + used, word: true,
		answer: number(session.LimitSet, r.UsedAICredits),
	}
	text := "This session has used " + used + " of the " + limit + " AI credits that it may use. The agent waits."
	c := newCard(of, "Let the session use more?")
	c.payload = &textDocument{spans: prose(text, theme.Text)}
	c.choices.rows = []row{
		{label: "Yes, add credits to the limit", opens: add, approves: true},
		{label: "Yes, set another limit", opens: set, approves: true},
		{label: "Yes, without any limit", answer: answer(session.LimitUnset, 0), approves: true, careful: true},
		{key: "n", label: "No, keep the limit: the agent stops here", answer: answer(session.LimitCancel, 0)},
	}
	return c
}

// credits is an amount as it is shown.
func credits(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// amount reads a positive number of credits as people write one.
func amount(text string) (n float64, problem string) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.") != "" {
		return 0, "That is no number: write digits alone, such as 50 or 12.5."
	}
	if n <= 0 || math.IsInf(n, 0) {
		return 0, "Write a number above 0."
	}
	return n, ""
}
