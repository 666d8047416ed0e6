package copilot_test

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/modelview"
	"parley/session/sessiontest/llm"
)

// line writes a message so that two are equal just when their lines are.
type line struct{ strings.Builder }

func lineOf(role, name, callID, reasoning string) *line {
	l := &line{}
	l.WriteString(role)
	for _, part := range []struct{ name, value string }{{"name", name}, {"of", callID}, {"reasoning", reasoning}} {
		if part.value != "" {
			fmt.Fprintf(l, " %s=%q", part.name, part.value)
		}
	}
	l.WriteString(":")
	return l
}

func (l *line) text(s string)           { fmt.Fprintf(l, " %q", s) }
func (l *line) image(mime, data string) { fmt.Fprintf(l, " <%s %s>", mime, data) }
func (l *line) call(id, name string, arguments jsontext.Value) {
	arguments = arguments.Clone()
	if arguments.Canonicalize() != nil {
		fmt.Fprintf(l, " %s=%s(%q)", id, name, arguments)
		return
	}
	fmt.Fprintf(l, " %s=%s(%s)", id, name, arguments)
}

// viewed are the messages of a view.
func viewed(messages []modelview.Message) []string {
	lines := make([]string, 0, len(messages))
	for _, m := range messages {
		l := lineOf(string(m.Role), m.Name, string(m.CallID), m.Reasoning)
		for _, p := range m.Content {
			if p.Text != "" || p.Blob == nil {
				l.text(p.Text)
			}
			if b := p.Blob; b != nil {
				l.image(b.MIMEType, b.Data)
			}
		}
		for _, call := range m.Calls {
			l.call(string(call.ID), call.Name, call.Arguments)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// sentMessage is a message of a request with every member it can have. The
// runtime's own marks are no part of what a model reads.
type sentMessage struct {
	Role       string         `json:"role"`
	Name       string         `json:"name"`
	Content    jsontext.Value `json:"content"`
	Reasoning  string         `json:"reasoning_content"`
	ToolCalls  []sentCall     `json:"tool_calls"`
	ToolCallID string         `json:"tool_call_id"`
	Refusal    any            `json:"refusal"`
	Source     any            `json:"__copilotMessageSource"`
	Output     any            `json:"__copilotUserShellOutput"`
}

type sentCall struct {
	llm.ToolCall
	Type string `json:"type"`
}

type sentPart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// sent are the messages of a request.
func (c *comparison) sent(r llm.Request) []string {
	c.Helper()
	var body struct {
		Messages []jsontext.Value `json:"messages"`
	}
	if err := json.Unmarshal(r.Raw, &body); err != nil {
		c.Fatal(err)
	}
	lines := make([]string, 0, len(body.Messages))
	for _, raw := range body.Messages {
		var m sentMessage
		if err := json.Unmarshal(raw, &m, json.RejectUnknownMembers(true)); err != nil {
			c.Errorf("a message has more than a view can show: %v: %.300s", err, raw)
		}
		if m.Refusal != nil {
			c.Errorf("a message has a refusal: %.300s", raw)
		}
		l := lineOf(m.Role, m.Name, m.ToolCallID, m.Reasoning)
		var text string
		var parts []sentPart
		switch {
		case m.Content.Kind() == 'n':
		case json.Unmarshal(m.Content, &text) == nil:
			l.text(text)
		default:
			if err := json.Unmarshal(m.Content, &parts, json.RejectUnknownMembers(true)); err != nil {
				c.Errorf("a content has more than a view can show: %v: %.300s", err, m.Content)
			}
		}
		for _, p := range parts {
			if p.Type == "text" {
				l.text(p.Text)
				continue
			}
			mime, data, _ := strings.Cut(strings.TrimPrefix(p.Image.URL, "data:"), ";base64,")
			l.image(mime, data)
		}
		for _, call := range m.ToolCalls {
			l.call(call.ID, call.Function.Name, jsontext.Value(call.Function.Arguments))
		}
		lines = append(lines, l.String())
	}
	return lines
}

// apart shows where two lists of messages begin to differ.
func apart(view, sent []string) string {
	first := func(lines []string) string {
		if len(lines) == 0 {
			return ""
		}
		return lines[0]
	}
	a, b := first(view), first(sent)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(0, same-60)
	cut := func(lines []string, s string) string {
		return fmt.Sprintf("%d left, the first …%s", len(lines), s[from:min(len(s), same+600)])
	}
	return "view: " + cut(view, a) + "\nsent: " + cut(sent, b)
}
