package modelview

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// applyTool folds in what tools gave back.
func (v *View) applyTool(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		if c := v.agents[teller(ev.Agent, b.ParentToolCallID)]; c != nil {
			c.started(ev, b.ToolCallID)
		}
		return Ignored
	case session.ToolExecutionComplete:
		if command, ok := v.stored.commands[b.ToolCallID]; ok {
			delete(v.stored.commands, b.ToolCallID)
			v.of(ev.Agent).say(v.events, injected(ev, Source{Kind: FromShell}, ran(command, b)))
			return Applied
		}
		m := Message{Role: Tool, CallID: b.ToolCallID, Content: v.stored.result(b), At: ev.Time, Origin: origin(ev)}
		if c := v.agents[teller(ev.Agent, b.ParentToolCallID)]; c == nil || !c.answer(v.events, m) {
			return Ignored // of a call that the model did not make
		}
		return Applied
	case session.ToolUserRequested:
		v.stored.commands[b.ToolCallID] = command(b)
		return Ignored
	case session.SessionBinaryAsset:
		v.stored.assets[b.AssetID] = b.Data
		return Ignored
	}
	return Unhandled
}

// result is what the model is told of a call that has ended: one text, and
// behind it the pictures. Of other bytes it is told nothing.
func (s *stored) result(b session.ToolExecutionComplete) []Part {
	switch {
	case b.Result == nil && b.Error != nil:
		return text(b.Error.Message)
	case b.Result == nil:
		return text("")
	}
	parts := text(b.Result.Content)
	for _, r := range b.Result.BinaryResultsForLLM {
		if !pictorial(r.MIMEType) {
			continue
		}
		data := r.Data
		if data == "" {
			data = s.assets[r.AssetID]
		}
		parts = append(parts, Part{Text: cmp.Or(r.Description, "Here is an image:"), Data: data, MIMEType: r.MIMEType})
	}
	return parts
}

// command is the command that a person wants to run.
func command(b session.ToolUserRequested) string {
	var arguments struct {
		Command string `json:"command"`
	}
	if json.Unmarshal(b.Arguments, &arguments) != nil || arguments.Command == "" {
		return string(b.Arguments)
	}
	return arguments.Command
}

// ran is how the model learns of a command that the person ran.
func ran(command string, b session.ToolExecutionComplete) string {
	how, output := "exit code 0", ""
	switch {
	case b.Result != nil:
		output = b.Result.Content
	case b.Error != nil:
		output = b.Error.Message
	}
	if !b.Success {
		how = "non-zero exit code"
	}
	return strings.Join([]string{
		"<user_shell_command_output>",
		"The user executed a shell command directly in their terminal (" + how + ").",
		"", "Command:", command, "", "Output:", output,
		"</user_shell_command_output>",
	}, "\n")
}

// started notes that a call of the model runs: the person who looks at it sees
// one entry, from its start to its end.
func (c *conversation) started(ev session.Event, id session.CallID) {
	if i := c.calls[id].item; i != nil {
		i.starts = append(i.starts, origin(ev)...)
		if i.out {
			c.lose(origin(ev))
		}
	}
}
