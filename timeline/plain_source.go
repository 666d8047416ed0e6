package timeline

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// Source returns what an entry says as it was said, with nothing of how it is
// drawn: the text of a prompt or an answer, the output of a call.
func Source(e *Entry) string {
	switch b := e.Body.(type) {
	case *Prompt:
		return b.Text
	case *Message:
		return b.Text.String()
	case *Reasoning:
		return b.Text.String()
	case *ToolCall:
		return b.source()
	case *Notice:
		return joinLines(b.Text, b.Detail, b.URL, b.Next)
	case *AnsweredQuestion:
		return joinLines(b.Question, b.Answer)
	case *Divider:
		return b.Text
	case *Summary:
		return b.source()
	case *SessionEnd:
		return joinLines(append([]string{b.Reason}, b.Files...)...)
	case *Unrecognised:
		return string(b.Raw)
	}
	return ""
}

// source is what a call was and what came of it.
func (c *ToolCall) source() string {
	if c.Agent != nil {
		return joinLines(arguments(c.Arguments)["prompt"], c.Shown(), cmp.Or(c.Agent.Error, c.ErrorText()))
	}
	shown, diffs := c.Shown(), diffFiles(c.Detail)
	changed := slices.ContainsFunc(diffs, func(f FileChange) bool { return f.Added+f.Removed > 0 })
	switch {
	case changed || c.Family() == session.LoadSkill && c.Detail != "":
		return joinLines(c.Detail, c.ErrorText()) // a change, or a text, of its own
	case len(diffs) > 0: // it only shows the file
		shown = c.Result
	}
	asked := cmp.Or(c.Command(), strings.TrimSpace(c.Name+" "+string(c.Arguments)))
	return joinLines(asked, shown, c.ErrorText())
}

func (s *Summary) source() string {
	paths := make([]string, len(s.Files))
	for i, f := range s.Files {
		paths[i] = f.Path
	}
	return strings.Join(paths, "\n")
}

// Command is the command that a call runs in a shell; "" if it runs none.
func (c *ToolCall) Command() string {
	if c.Family() != session.RunCommand {
		return ""
	}
	return arguments(c.Arguments).first(session.RunCommand.Subject())
}

// TurnSource returns the source of the turn that entry i belongs to: from the
// prompt before it to the prompt after it, with an empty line between entries.
// Thinking and what is shown only where everything is are left out.
func (t *Timeline) TurnSource(i int) string {
	isPrompt := func(i int) bool {
		_, ok := t.entries[i].Body.(*Prompt)
		return ok
	}
	from, to := i, i+1
	for from > 0 && !isPrompt(from) {
		from--
	}
	for to < len(t.entries) && !isPrompt(to) {
		to++
	}
	var texts []string
	for _, e := range t.entries[from:to] {
		_, thinking := e.Body.(*Reasoning)
		_, summary := e.Body.(*Summary)
		if text := Source(e); text != "" && !thinking && !summary && !e.VerboseOnly {
			texts = append(texts, strings.TrimRight(text, "\n"))
		}
	}
	return strings.Join(texts, "\n\n")
}

// Failure reports whether an entry shows that something went wrong.
func (e *Entry) Failure() bool {
	if e.State == Failed {
		return true
	}
	switch b := e.Body.(type) {
	case *ToolCall:
		return e.State == Done && b.ExitCode != nil && *b.ExitCode != 0
	case *Notice:
		return b.Level == Error
	case *SessionEnd:
		return b.Failed
	}
	return false
}

// joinLines puts texts that are not empty below each other.
func joinLines(texts ...string) string {
	var out []string
	for _, s := range texts {
		if s != "" {
			out = append(out, strings.TrimRight(s, "\n"))
		}
	}
	return strings.Join(out, "\n")
}

// Subagent finds a sub-agent by its id, or by the call that runs it where it has
// none, the newest first, also those that work for other sub-agents. It looks at
// every entry.
func (t *Timeline) Subagent(id session.AgentID) (*Subagent, bool) {
	c := t.callOf(id)
	if c == nil {
		return nil, false
	}
	return c.Agent, true
}

// AgentWaits reports whether a sub-agent, found like Subagent does, waits for an answer.
func (t *Timeline) AgentWaits(id session.AgentID) bool {
	c := t.callOf(id)
	return c != nil && c.Waiting
}

// callOf returns the call that runs a sub-agent; nil if there is none.
func (t *Timeline) callOf(id session.AgentID) *ToolCall {
	for _, e := range slices.Backward(t.entries) {
		c, ok := e.Body.(*ToolCall)
		if !ok || c.Agent == nil {
			continue
		}
		if cmp.Or(c.Agent.ID, session.AgentID(c.CallID)) == id {
			return c
		}
		if inner := c.Agent.Timeline.callOf(id); inner != nil {
			return inner
		}
	}
	return nil
}
