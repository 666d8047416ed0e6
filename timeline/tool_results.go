package timeline

import (
	"cmp"
	"strconv"
	"strings"

	"parley/session"
)

// Complete takes the end of a call, and returns the state that this puts the
// call in after the one before. In a timeline that happens by itself; it is for
// those who read calls without one.
func (c *ToolCall) Complete(b session.ToolExecutionComplete, before State) State {
	c.ended, c.Answered = true, false
	c.UserRequested = c.UserRequested || b.IsUserRequested
	c.Status, c.Waiting = "", false
	c.ArgumentText.Set("")
	c.Edits = b.FileEdits
	if b.Error != nil {
		c.Error, c.ErrorCode = cmp.Or(c.Error, b.Error.Message), b.Error.Code
	}
	if c.ExitCode = nil; b.ShellExecution != nil {
		c.ExitCode = b.ShellExecution.ExitCode
	}
	if c.Unreported = b.Success && b.Result == nil; b.Result != nil {
		c.takeResult(b.Result)
	}
	if c.ExitCode == nil {
		c.ExitCode = c.exitInText()
	}
	if c.Output.Len() > 0 && c.Result+c.Detail != "" {
		c.Output.Set("") // what streamed gives way to the result, as in a replayed log
		c.chunks = nil
		c.Replaced++
	}
	return c.outcome(before, b.Success)
}

// outcome is the final state of a call that was in state before. Success means
// that the tool ran: a command with another exit code than 0 ran and failed.
func (c *ToolCall) outcome(before State, success bool) State {
	switch {
	case c.Family() == session.ExitPlan && strings.HasPrefix(c.Result, planRefused):
		return Refused
	case success && c.Error == "" && (c.ExitCode == nil || *c.ExitCode == 0):
		return Done
	case before == Refused || c.ErrorCode == "denied" || c.ErrorCode == "rejected":
		return Refused
	case before == Cancelled && !success:
		return Cancelled
	}
	return Failed
}

// planRefused is how the result of a plan that the user refused begins: the tool itself
// ran well (docs/protocol.md, section 7.4).
const planRefused = "Plan not approved"

// takeResult takes the result of a call: its content, its fuller form for display, and
// the texts that only its contents hold.
func (c *ToolCall) takeResult(r *session.ToolResult) {
	c.Result = r.Content
	if c.Detail == "" {
		c.Detail = c.fuller(r)
	}
	for _, text := range []*string{&c.Result, &c.Detail} {
		if strings.TrimSpace(*text) == strings.TrimSpace(c.Error) { // some agents give the error as the result too
			*text = ""
		}
	}
	c.takeContents(r.Contents)
}

// fuller is the detailedContent of a result; "" where it has no more than the
// content. Stored logs leave out one that equals it. The runtime's own tools fill
// it in forms that say less than the content, or what the call's arguments say.
func (c *ToolCall) fuller(r *session.ToolResult) string {
	detail := r.DetailedContent
	switch c.Family() {
	case session.ReadAgent:
		return cmp.Or(agentsAnswer(r.Content), detail)
	case session.QueryDatabase: // "SQL: …", and the content
		detail = strings.TrimPrefix(detail, "SQL: "+arguments(c.Arguments)["query"]+"\n\n")
	case session.RunAgent: // "Prompt to … agent (…):", and the prompt
		lead, ok := strings.CutSuffix(detail, arguments(c.Arguments)["prompt"])
		if ok && strings.HasPrefix(lead, "Prompt to ") && strings.Count(lead, "\n") == 1 {
			return ""
		}
	default:
	}
	if detail == r.Content {
		return ""
	}
	return detail
}

// takeContents takes the blocks of a structured result: texts that neither the
// content nor the fuller form has, and of a terminal how the command ended, and
// where.
func (c *ToolCall) takeContents(blocks []session.ContentBlock) {
	if len(blocks) == 0 {
		return
	}
	shown := scannedText{text: joinLines(c.Result, c.Detail, c.Error)}
	var more []string
	for _, b := range blocks {
		if b.ExitCode != nil && (c.ExitCode == nil || *c.ExitCode == 0) && c.Family() != session.StopShell {
			c.ExitCode = b.ExitCode // of a command that was to be ended it is no failure
		}
		c.Dir = cmp.Or(b.Cwd, c.Dir)
		if text := blockText(b); !shown.has(strings.TrimSpace(text)) {
			more = append(more, text)
		}
		if !shown.has(b.OutputFilePath) {
			more = append(more, "All of the output is in "+b.OutputFilePath)
		}
	}
	switch {
	case len(more) == 0:
	case len(diffFiles(c.Detail)) > 0: // text behind a diff would be taken for a line of it
		c.Detail = joinLines(append(more, c.Detail)...)
	default:
		c.Detail = joinLines(append([]string{cmp.Or(c.Detail, c.Result)}, more...)...)
	}
}

// scannedText is a text in which parts of it are looked for: in order at little cost,
// and in any order for a few.
type scannedText struct {
	text   string
	from   int // behind the part that was found last
	misses int
}

// maxMisses bounds how often all of a text is searched.
const maxMisses = 64

func (s *scannedText) has(part string) bool {
	if s.misses >= maxMisses {
		return part == ""
	}
	if i := strings.Index(s.text[s.from:], part); i >= 0 {
		s.from += i + len(part)
		return true
	}
	s.misses++
	return strings.Contains(s.text, part)
}

// blockText is what a block of a structured result says.
func blockText(b session.ContentBlock) string {
	if b.Resource != nil {
		return b.Resource.Text
	}
	return cmp.Or(b.Text, b.OutputPreview)
}

// exitInText is how a shell command ended by the last line of its result, where
// alone a stored log may have it: "<shellId: 3 completed with exit code 1>".
func (c *ToolCall) exitInText() *int {
	if f := c.Family(); f != session.RunCommand && f != session.ReadShell && f != session.WriteShell {
		return nil
	}
	line := c.Result[strings.LastIndexByte(c.Result, '\n')+1:]
	line, ok := strings.CutPrefix(line, "<shellId: ")
	if !ok {
		return nil
	}
	_, code, ok := strings.Cut(line, " completed with exit code ")
	code, closed := strings.CutSuffix(code, ">")
	n, err := strconv.Atoi(code)
	if !ok || !closed || err != nil {
		return nil
	}
	return &n
}

// Shown is the text that the user sees of a call: the result in its fullest
// form, and what streamed as long as there is no result.
func (c *ToolCall) Shown() string { return cmp.Or(c.Detail, c.Result, c.Output.String()) }

// ErrorText is why a call failed: the message, with its code.
func (c *ToolCall) ErrorText() string { return withCode(c.Error, c.ErrorCode) }

// withCode adds the code of an error to its message, unless that has it, or the
// code only says that the call failed or was refused.
func withCode(message, code string) string {
	code = oneLine(code)
	switch {
	case code == "", code == "failure", code == "denied", code == "rejected", strings.Contains(message, code):
		return message
	case message == "":
		return code
	}
	first, rest, more := strings.Cut(message, "\n")
	text := strings.TrimRight(first, " \r") + " (" + code + ")"
	if more {
		text += "\n" + rest
	}
	return text
}
