package modelview

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// applyTool folds in what tools gave back.
func (v *View) applyTool(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		if c := v.agents[conversationOf(ev.Agent, b.ParentToolCallID)]; c != nil {
			c.callStarted(ev, b.ToolCallID)
		}
		return Ignored
	case session.ToolExecutionComplete:
		if asked, ok := v.stored.requested[b.ToolCallID]; ok {
			delete(v.stored.requested, b.ToolCallID)
			v.conversation(ev.Agent).add(v.events, userCall(ev, asked, b.Success, v.stored.result(b)[0].Text))
			return Applied
		}
		m := Message{Role: Tool, CallID: b.ToolCallID, Content: v.stored.result(b), At: ev.Time, Origin: origin(ev)}
		if c := v.agents[conversationOf(ev.Agent, b.ParentToolCallID)]; c == nil || !c.addResult(v.events, m) {
			return Ignored // of a call that the model did not make
		}
		return Applied
	case session.ToolUserRequested:
		v.stored.requested[b.ToolCallID] = b
		return Ignored
	case session.SessionBinaryAsset:
		v.stored.assets[b.AssetID] = b.Data
		return Ignored
	}
	return Unhandled
}

// result is what the model gets of a call that has ended: one text, and after it
// the images. Of other bytes it gets nothing.
func (s *storedContent) result(b session.ToolExecutionComplete) []Part {
	switch {
	case b.Result == nil && b.Error != nil:
		return text(b.Error.Message)
	case b.Result == nil:
		return text("")
	}
	parts := text(b.Result.Content)
	for _, r := range b.Result.BinaryResultsForLLM {
		if !isImage(r.MIMEType) {
			continue
		}
		data := cmp.Or(r.Data, s.assets[r.AssetID])
		parts = append(parts, Part{Text: cmp.Or(r.Description, "Here is an image:"), Blob: &Blob{data, r.MIMEType}})
	}
	return parts
}

// userCall is how the model learns of a call that the user made: a shell command
// in the runtime's words, any other tool in words like them.
func userCall(ev session.Event, asked session.ToolUserRequested, success bool, output string) Message {
	if session.FamilyOf(asked.ToolName) != session.RunCommand {
		how := "."
		if !success {
			how = ", which failed."
		}
		return injected(ev, Source{FromCall, asked.ToolName}, userOutput("user_tool_output",
			"The user ran the tool "+cmp.Or(asked.ToolName, "without a name")+how, "Arguments", string(asked.Arguments), output))
	}
	how := "exit code 0"
	if !success {
		how = "non-zero exit code"
	}
	var arguments struct {
		Command string `json:"command"`
	}
	command := string(asked.Arguments)
	if json.Unmarshal(asked.Arguments, &arguments) == nil {
		command = cmp.Or(arguments.Command, command)
	}
	return injected(ev, Source{Kind: FromShell}, userOutput("user_shell_command_output",
		"The user executed a shell command directly in their terminal ("+how+").", "Command", command, output))
}

// userOutput describes what the user ran, and what it gave.
func userOutput(tag, what, name, value, output string) string {
	return strings.Join([]string{"<" + tag + ">", what, "", name + ":", value, "", "Output:", output, "</" + tag + ">"}, "\n")
}

// callStarted notes that a call of the model runs: the user who looks at it sees
// one entry, from its start to its end.
func (c *conversation) callStarted(ev session.Event, id session.CallID) {
	if i := c.calls[id].item; i != nil {
		i.startEvents = append(i.startEvents, origin(ev)...)
		if i.removed {
			c.markRemoved(origin(ev))
		}
	}
}
