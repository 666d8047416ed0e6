package demo

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// tool is one call of a tool.
type tool struct {
	toolSpec
	id      session.CallID
	permits []permit // to ask for, in their order
}

func newTool(spec toolSpec) *tool {
	return &tool{toolSpec: spec, id: session.CallID("call_" + uuid.NewString())}
}

// encoded is a value of this package as JSON.
func encoded(v any) jsontext.Value {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err) // it is written in this package
	}
	return text
}

func requests(tools []*tool) []session.ToolRequest {
	var rs []session.ToolRequest
	for _, c := range tools {
		rs = append(rs, session.ToolRequest{
			ToolCallID: c.id, Name: c.Name, Arguments: c.Arguments, Type: "function",
			IntentionSummary: c.Intention, ToolTitle: c.Title, McpServerName: c.Server, McpToolName: c.ServerTool,
		})
	}
	return rs
}

func success(content string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{
		Success: true, Result: &session.ToolResult{Content: content, DetailedContent: content},
	}
}

func failure(code, message string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{Error: &session.ToolError{Code: code, Message: message}}
}

// use runs the tools of one reply: all start, then each asks for what it needs
// and runs.
func (t *turn) use(tools []*tool) {
	for _, c := range tools {
		t.emit(t.started(c))
		t.tools = append(t.tools, c)
	}
	for _, c := range tools {
		end := t.permitted(c)
		if end == nil {
			ran := t.perform(c)
			end = &ran
		}
		t.emit(t.completed(c, *end))
		if end.Error != nil && end.Error.Code == rejected {
			t.must(errRefused)
		}
		t.tools = slices.DeleteFunc(t.tools, func(o *tool) bool { return o == c })
	}
}

func (t *turn) started(c *tool) session.ToolExecutionStart {
	start := session.ToolExecutionStart{
		ToolCallID: c.id, ToolName: c.Name, ToolTitle: c.Title, Arguments: c.Arguments, TurnID: t.id(),
		Model: t.s.currentModel(), McpServerName: c.Server, McpToolName: c.ServerTool, ParentToolCallID: t.subagent.call(),
	}
	if session.FamilyOf(c.Name) == session.RunCommand {
		start.ShellToolInfo = &session.ShellToolInfo{PossiblePaths: []string{}}
	}
	return start
}

func (t *turn) completed(c *tool, complete session.ToolExecutionComplete) session.ToolExecutionComplete {
	complete.ToolCallID, complete.TurnID, complete.InteractionID = c.id, t.id(), t.interaction
	complete.Model, complete.ParentToolCallID = t.s.currentModel(), t.subagent.call()
	return complete
}
