package prompts

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/render/text"
	"parley/session"
)

// Notice says to the user, in one sentence or two, what became of a question
// that Apply refused because it has no dialog, and why.
func Notice(ask session.Ask) string {
	_, notice := refusal(ask)
	return notice
}

// refusal declines a question that has no dialog: with a reason for the agent,
// so that the turn continues (decision 6), and one for the user.
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
