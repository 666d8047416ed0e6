package prompts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// Notice returns for the user, in one sentence or two, what became of a question
// that Apply refused because it has no dialog, and why.
func Notice(ask session.Ask) string {
	_, notice := refusal(ask)
	return notice
}

// refusal declines a question that has no dialog: with a reason for the agent,
// so that the turn continues (docs/decisions.md 6), and one for the user.
func refusal(ask session.Ask) (feedback, notice string) {
	switch a := ask.(type) {
	case session.SamplingRequested:
		notice = "Refused: the server " + name(a.ServerName) + " wanted to use the model (sampling), which Parley does not allow."
		if wish := samplingWish(a); wish != "" {
			notice += " It was to answer: " + wish
		}
		return "Parley lets no server use the model (sampling). Continue without it.", notice
	case session.ExternalToolRequested:
		return "Parley offers no tools of its own, so there is no " + a.ToolName + ". Use another tool, or continue without it.",
			"Refused: the agent called the tool " + name(a.ToolName) + " as one of Parley's, which has none."
	case session.CommandQueued:
		return "Parley cannot run this command.",
			"Left out: the command " + name(a.Command) + " was next in the agent's queue, and Parley does not run it at the agent's wish."
	case session.CommandExecute:
		command := cmp.Or(a.Command, "/"+a.CommandName)
		return "Parley offers no commands of its own, so there is no " + command + ".",
			"Refused: the agent called the command " + name(command) + " as one of Parley's, which has none there."
	case session.McpHeadersRefreshRequired:
		return "Parley has no headers for servers.",
			"Refused: the server " + name(a.ServerName) + " wants new headers" + headersReasons[a.Reason] +
				", and Parley has none to give. It is used without them."
	}
	return "Parley cannot show this question. Ask in plain text instead.",
		"Refused: the agent asked something that Parley cannot show (" + text.SanitizeLine(string(session.KindOf(ask))) + ")."
}

// name shows a name from elsewhere in a notice, cut where it gets long.
func name(s string) string {
	const cells = 40
	return "`" + text.Truncate(strings.ReplaceAll(text.SanitizeShowHidden(s), "\n", "⟦LF⟧"), cells, "…") + "`"
}

// headersReasons are why a server wants new headers, in words.
var headersReasons = map[string]string{
	"startup": " to begin with", "ttl-expired": " because the old ones have expired",
	"auth-failed": " because it did not accept the old ones",
}

// samplingWish returns the beginning of what a server wanted the model to
// answer; "" if it did not say.
func samplingWish(r session.SamplingRequested) string {
	var request struct {
		Messages []struct {
			Content struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(r.Sampling, &request) != nil || len(request.Messages) == 0 {
		return ""
	}
	const cells = 80
	s := request.Messages[len(request.Messages)-1].Content.Text
	if s = text.SanitizeCompact(s); s == "" {
		return ""
	}
	return "“" + text.Truncate(s, cells, "…") + "”"
}

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
