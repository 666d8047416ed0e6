package telemetry

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// message is one of gen_ai.input.messages and gen_ai.output.messages, by the
// JSON schemas of the GenAI semantic conventions.
type message struct {
	Role   string `json:"role"` // user, assistant or tool
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitzero"` // of an output message
}

// part is a piece of a message; Type says which of the other fields count.
type part struct {
	Type      string         `json:"type"` // text, reasoning, tool_call or tool_call_response
	Content   string         `json:"content,omitzero"`
	ID        string         `json:"id,omitzero"`
	Name      string         `json:"name,omitzero"`
	Arguments jsontext.Value `json:"arguments,omitzero"`
	Response  string         `json:"response,omitzero"`
}

func textPart(s string) part { return part{Type: "text", Content: s} }

// maxInput is how many messages are kept for the next call of the model.
const maxInput = 64

// addInput keeps what the model will read with its next call: each call has what
// is new since the one before. Without content there is nothing to keep.
func (p *projection) addInput(a *agent, role string, what part) {
	if p.content && len(a.newInput) < maxInput {
		a.newInput = append(a.newInput, message{Role: role, Parts: []part{what}})
	}
}

// encodeMessage is one message as an attribute; "" without content.
func (p *projection) encodeMessage(role, finish string, parts ...part) string {
	if !p.content {
		return ""
	}
	return encode([]message{{role, parts, finish}})
}

// encodeOutput is what the model said, as an attribute; "" without content.
func (p *projection) encodeOutput(m session.AssistantMessage, finish string) string {
	if !p.content {
		return ""
	}
	var parts []part
	if m.ReasoningText != "" {
		parts = append(parts, part{Type: "reasoning", Content: m.ReasoningText})
	}
	if m.Content != "" {
		parts = append(parts, textPart(m.Content))
	}
	for _, r := range m.ToolRequests {
		parts = append(parts, part{Type: "tool_call", ID: string(r.ToolCallID), Name: r.Name, Arguments: r.Arguments})
	}
	// The convention's word for one call or several.
	return p.encodeMessage("assistant", strings.Replace(finish, "tool_calls", "tool_call", 1), parts...)
}

// encode is messages as an attribute; "" for none, and for what is no JSON.
func encode(all []message) string {
	if len(all) == 0 {
		return ""
	}
	line, err := json.Marshal(all, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ""
	}
	return string(line)
}
