package prompts

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// unreadOf are the members of a question that could not be read. What the
// envelope says apart from the asker is no part of what is approved.
func unreadOf(ev session.Event) []session.Unreadable {
	return slices.DeleteFunc(slices.Clone(ev.Unreadable), func(u session.Unreadable) bool {
		return !under(u.Path, "/data") && !under(u.Path, "/agentId")
	})
}

func under(p, member jsontext.Pointer) bool {
	return p == member || strings.HasPrefix(string(p), string(member)+"/")
}

// newUnread shows a question of which something could not be read, as it came. It
// cannot be approved or answered, only refused: what would be agreed to is not
// what an ordinary card could show.
func newUnread(ev session.Event, ask session.Ask, of about, unread []session.Unreadable) *choiceDialog {
	c := newCard(of, "A question that cannot be read whole")
	var list []string
	for _, u := range unread {
		name := strings.TrimPrefix(strings.TrimPrefix(string(u.Path), "/data"), "/")
		if name == "" {
			name = string(session.KindOf(ask))
		}
		list = append(list, quote(name)+" ("+text.SanitizeShowHidden(u.Reason)+")")
	}
	c.warn("Could not be read: " + strings.Join(list, ", ") + ". So it cannot be approved or answered here.")
	raw, err := session.Encode(ev)
	if err != nil {
		raw = []byte("it cannot be shown: " + err.Error())
	}
	text := pretty(raw)
	c.payload = &textDocument{spans: code(text, theme.Code), raw: text}
	c.choices.rows = []row{{
		key: "n", label: "No, and tell the agent that it could not be read",
		answer: session.Refusal{
			RequestID: ask.Request(), Kind: session.KindOf(ask),
			Feedback: "This question could not be read, because some of its fields do not have the documented type: " +
				strings.Join(list, ", ") + ". It was not shown to the user as a question. Ask again.",
		},
	}}
	return c
}
