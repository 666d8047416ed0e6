package llm

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is one request the runtime made.
type Request struct {
	Model    string         `json:"model"`
	Stream   bool           `json:"stream"`
	Messages []Message      `json:"messages"`
	Tools    []Tool         `json:"tools"`
	Raw      jsontext.Value `json:"-"` // the whole body

	Interaction string      `json:"-"` // the runtime's own label (x-interaction-type)
	Header      http.Header `json:"-"`

	// Script and Step are what was played; Script is "" when the prompt named
	// none.
	Script string `json:"-"`
	Step   int    `json:"-"`
}

// Message is one message of a request.
type Message struct {
	Role       string         `json:"role"`
	Content    jsontext.Value `json:"content"`
	ToolCalls  []ToolCall     `json:"tool_calls"`
	ToolCallID string         `json:"tool_call_id"`
}

// ToolCall is a call in an assistant message.
type ToolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Tool is one tool the runtime offers.
type Tool struct {
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// named is the tool of a name.
func named(name string) (t Tool) {
	t.Function.Name = name
	return t
}

// Text is the text of the message, its parts joined by line breaks. Images
// and other parts without text are left out.
func (m Message) Text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// System is the text of the system messages.
func (r Request) System() string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Role == "system" || m.Role == "developer" {
			b.WriteString(m.Text())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Offers reports whether the runtime offers the named tool.
func (r Request) Offers(tool string) bool {
	return slices.ContainsFunc(r.Tools, func(t Tool) bool { return t.Function.Name == tool })
}

const compactPrompt = "Please create a detailed summary of the conversation so far"

var mark = regexp.MustCompile(`@@([A-Za-z0-9_-]+)`)

// locate finds the script a conversation plays and how far it is.
func locate(messages []Message) (name string, step int) {
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		switch m.Role {
		case "assistant":
			step++
		case "user":
			text := m.Text()
			if i == len(messages)-1 && strings.HasPrefix(text, compactPrompt) {
				return CompactScript, 0
			}
			if found := mark.FindAllStringSubmatch(text, -1); found != nil {
				return found[len(found)-1][1], step
			}
		}
	}
	return "", step
}
