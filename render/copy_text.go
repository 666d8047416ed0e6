package render

import (
	"strings"

	"parley/render/diff"
	"parley/render/text"
	"parley/session"
	"parley/timeline"
)

// Plain returns the text of an entry as it came, for copying: no marks, no
// wrapping, nothing made safe (docs/decisions.md 17). Whoever puts it where
// a terminal may read it asks text.HasHiddenChars first.
func Plain(e *timeline.Entry) string {
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		return b.Text
	case *timeline.Message:
		return b.Text.String()
	case *timeline.Reasoning:
		return b.Text.String()
	case *timeline.ToolCall:
		return plainTool(e, b)
	case *timeline.Notice:
		return text.Paragraphs(b.Text, b.URL, b.Next, b.Detail)
	case *timeline.AnsweredQuestion:
		return text.Paragraphs(b.Question, b.Answer)
	case *timeline.Divider:
		return b.Text
	case *timeline.Summary:
		return plainSummary(b)
	case *timeline.SessionEnd:
		return plainClosing(b)
	case *timeline.Unrecognised:
		return strings.TrimSpace(string(b.Kind) + " " + string(b.Raw))
	}
	return ""
}

// plainTool is what a user wants of a call on the clipboard: a shell's
// command and its output, a change as a diff, else the arguments and the
// result.
func plainTool(e *timeline.Entry, c *timeline.ToolCall) string {
	raw := []byte(c.Arguments)
	if len(raw) == 0 {
		raw = []byte(c.ArgumentText.String())
	}
	args := parseArguments(raw)
	f := familyOf(c, args)
	asked, result := args.lines(), c.Shown()
	if f.fold == foldTail {
		if command := args.get(session.RunCommand.Subject()...); command != "" {
			asked = command
		}
		result = trimShell(result)
	}
	switch d, _, _, ok := diff.OfCall(c); {
	case !ok:
	case d.Changes():
		return text.Paragraphs(c.Detail, c.ErrorText())
	default: // it only shows the file
		result = c.Result
	}
	if !e.State.Final() {
		result = c.Output.String()
	}
	return text.Paragraphs(asked, result, c.ErrorText(), c.Feedback)
}
