package telemetry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"parley/session"
	"parley/session/sessiontest"
)

// secret is in every marker. It has what no identifier has, as content mostly
// does.
const secret = "§ a secret of "

// named are the members of events that name things by an identifier. What they
// hold may be exported where it looks like one; everything else is content.
var named = []string{
	"type", "id", "parentId", "agentId", "timestamp", "kind", "role", "status", "outcome", "operation", "phase", "action", "activity",
	"toolCallId", "toolName", "requestId", "messageId", "turnId", "interactionId", "compactionAttemptId", "hookType", "executionMode",
	"delivery", "agentMode", "source", "model", "apiCallId", "finishReason", "initiator", "errorType", "code", "errorCode", "failureKind",
	"agentName", "agentType", "mcpServerName", "mcpToolName", "reason", "trigger", "performedBy", "shellId", "providerType", "infoType",
	"sessionId", "parentToolCallId",
}

// marked is a log line in which every text that is no identifier is a marker
// that says where it stood.
func marked(line []byte, all bool) []byte {
	var value any
	if json.Unmarshal(line, &value) != nil {
		return line
	}
	out, err := json.Marshal(mark(value, "", all))
	if err != nil {
		return line
	}
	return out
}

func mark(value any, path string, all bool) any {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			at := path + "." + key
			if text, ok := member.(string); ok {
				switch {
				case path == "" || key == "type" || key == "role": // the envelope, and what decides how the rest is read
				case !slices.Contains(named, key):
					v[key] = secret + at
				case all:
					v[key] = text + secret + at
				}
				continue
			}
			v[key] = mark(member, at, all)
		}
		return v
	case []any:
		for i := range v {
			v[i] = mark(v[i], path+"[]", all)
		}
		return v
	case string:
		return secret + path
	}
	return value
}

// exportedTexts are all texts in spans and metrics.
func (l *lab) exportedTexts(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	for _, s := range l.spans.GetSpans() {
		fmt.Fprintln(&b, s.Name, s.Status.Description, list(s.Attributes))
		for _, e := range s.Events {
			fmt.Fprintln(&b, e.Name, list(e.Attributes))
		}
	}
	return b.String() + l.metrics(t)
}

// TestNothingLeaks plays every log, and every kind of event, with a marker in
// the place of every text, and finds none in what is exported. A second time
// identifiers too have a marker in them.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	begun := [][]byte{samples[session.KindUserMessage], samples[session.KindAssistantTurnStart]}
	for _, all := range []bool{false, true} {
		l := newLab(t, false)
		play := func(lines ...[]byte) {
			var events []session.Event
			for _, line := range lines {
				events = append(events, session.Decode(marked(line, all)))
			}
			l.play(session.Info{ID: "s", Agent: "Copilot CLI 1"}, events...)
		}
		for _, line := range samples {
			play(slices.Concat(begun, [][]byte{line})...)
		}
		for _, name := range sessiontest.LogNames(t) {
			var lines [][]byte
			for _, ev := range sessiontest.Log(t, name) {
				if line, err := session.Encode(ev); err == nil {
					lines = append(lines, line)
				}
			}
			play(lines...)
		}
		texts := l.exportedTexts(t)
		for line := range strings.Lines(texts) {
			if i := strings.Index(line, "§"); i >= 0 {
				t.Errorf("content is exported (markers in identifiers: %t): %s", all, line)
			}
		}
		if !all && (!strings.Contains(texts, "execute_tool bash") || !strings.Contains(texts, "exception.type")) {
			t.Error("nothing much was exported, so this shows nothing")
		}
	}
}

// attribute returns an attribute of the first span with a name.
func (l *lab) attribute(t testing.TB, span string, key attribute.Key) string {
	t.Helper()
	for _, s := range l.spans.GetSpans() {
		if s.Name == span {
			for _, a := range s.Attributes {
				if a.Key == key {
					return a.Value.String()
				}
			}
		}
	}
	return ""
}

// TestContent has content exported and finds it by the conventions.
func TestContent(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	usage := session.AssistantUsage{Model: "m", FinishReason: "tool_calls", Duration: 2}
	call := session.ToolRequest{ToolCallID: "c1", Name: "bash", Arguments: jsontext.Value(`{"command":"ls"}`)}
	l.play(session.Info{},
		event(0, session.UserMessage{Content: "Look \xff around."}),
		event(1, session.AssistantTurnStart{TurnID: "0"}),
		event(5, usage),
		event(6, session.AssistantMessage{ReasoningText: "Hm.", Content: "I look.", ToolRequests: []session.ToolRequest{call}, TurnID: "0"}),
		event(7, session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash", Arguments: call.Arguments}),
		event(8, session.ToolExecutionComplete{ToolCallID: "c1", Error: &session.ToolError{Code: "failure", Message: "no such \xff thing"}, Result: &session.ToolResult{Content: "nothing"}}),
		event(9, session.AssistantTurnEnd{TurnID: "0"}),
		event(10, session.AssistantTurnStart{TurnID: "1"}),
		event(12, session.AssistantUsage{Model: "n", FinishReason: "stop"}),
		event(12, session.AssistantMessage{Content: "It is empty.", TurnID: "1"}),
		event(13, session.AssistantTurnEnd{TurnID: "1"}),
		event(14, session.SessionError{ErrorType: "query", Message: "what happened"}),
		event(15, session.AssistantIdle{}))
	for _, c := range []struct {
		span string
		key  attribute.Key
		want string
	}{
		{"invoke_agent", semconv.GenAIInputMessagesKey, `[{"role":"user","parts":[{"type":"text","content":"Look ` + "\uFFFD" + ` around."}]}]`},
		{"invoke_agent", semconv.GenAIOutputMessagesKey, `[{"role":"assistant","parts":[{"type":"text","content":"It is empty."}],"finish_reason":"stop"}]`},
		{"chat m", semconv.GenAIInputMessagesKey, `[{"role":"user","parts":[{"type":"text","content":"Look ` + "\uFFFD" + ` around."}]}]`},
		{"chat m", semconv.GenAIOutputMessagesKey, `[{"role":"assistant","parts":[{"type":"reasoning","content":"Hm."},{"type":"text","content":"I look."},` +
			`{"type":"tool_call","id":"c1","name":"bash","arguments":{"command":"ls"}}],"finish_reason":"tool_call"}]`},
		{"chat n", semconv.GenAIInputMessagesKey, `[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"nothing"}]}]`},
		{"execute_tool bash", semconv.GenAIToolCallArgumentsKey, `{"command":"ls"}`},
		{"execute_tool bash", semconv.GenAIToolCallResultKey, "nothing"},
	} {
		if got := l.attribute(t, c.span, c.key); got != c.want {
			t.Errorf("%s %s is\n%s, want\n%s", c.span, c.key, got, c.want)
		}
	}
	texts := l.exportedTexts(t)
	for _, want := range []string{"exception.message=what happened", "execute_tool bash no such \uFFFD thing"} {
		if !strings.Contains(texts, want) {
			t.Errorf("%q is not in\n%s", want, texts)
		}
	}
}

// TestContentBetweenInteractions gives the model of the next interaction what
// was reported before it.
func TestContentBetweenInteractions(t *testing.T) {
	t.Parallel()
	l := newLab(t, true)
	l.play(session.Info{}, event(0, session.UserMessage{Content: "x"}), event(1, session.AssistantUsage{Model: "m"}), event(2, session.AssistantIdle{}),
		event(3, session.SystemNotification{Content: "It is over.", Notification: session.Notification{Type: "shell_completed"}}),
		event(4, session.SystemNotification{Content: "unseen", Notification: session.Notification{Type: "instruction_discovered"}}),
		event(5, session.AssistantTurnStart{}), event(6, session.AssistantUsage{Model: "n"}), event(7, session.AssistantTurnEnd{}), event(8, session.AssistantIdle{}))
	want := `[{"role":"user","parts":[{"type":"text","content":"It is over."}]}]`
	if got := l.attribute(t, "chat n", semconv.GenAIInputMessagesKey); got != want {
		t.Errorf("the model was sent %s, want %s", got, want)
	}
}

// TestServer names the server of a tool by its hash, unless content is exported.
func TestServer(t *testing.T) {
	t.Parallel()
	for content, want := range map[bool]string{false: "", true: "my server"} {
		l := newLab(t, content)
		l.play(session.Info{}, event(0, session.UserMessage{}),
			event(1, session.ToolExecutionStart{ToolCallID: "c", ToolName: "x-y", McpServerName: "my server", McpToolName: "y"}))
		hash := l.attribute(t, "execute_tool x-y", keyMCPServerHash)
		if got := l.attribute(t, "execute_tool x-y", keyMCPServer); got != want || len(hash) != 64 || l.attribute(t, "execute_tool x-y", semconv.GenAIToolTypeKey) != "extension" {
			t.Errorf("content %t: the server is %q and %q", content, got, hash)
		}
	}
}

// TestSource: where a message comes from, without the name of it.
func TestSource(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{"": "", "sdk": "sdk", "skill-acme-takeover": "skill", "agent-1db2": "agent", "my plan": otherError} {
		l := newLab(t, false)
		l.play(session.Info{}, event(0, session.UserMessage{Source: from}))
		if got := l.attribute(t, "invoke_agent", keyMessageSource); got != want {
			t.Errorf("a message from %q is exported as one from %q", from, got)
		}
	}
}

// TestPlain holds identifiers to what one looks like.
func TestPlain(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"": "", "bash": "bash", "gpt-5.4": "gpt-5.4", "/home/a/b": otherError, "a/b": otherError, "a@b.example": otherError, `c:\x`: otherError, "two words": otherError, "a\nb": otherError,
		"§": otherError, strings.Repeat("x", maxIdentifier): strings.Repeat("x", maxIdentifier), strings.Repeat("x", maxIdentifier+1): otherError, "\xff": otherError,
	} {
		if got := safeIdentifier(id); got != want {
			t.Errorf("%q is exported as %q", id, got)
		}
	}
	for name, want := range map[string]string{
		"gpt-5.4": "gpt-5.4", "openrouter/x:free": "openrouter/x:free", "m@20260101": "m@20260101", "/models/a.gguf": otherError,
		"./a.gguf": otherError, "file:/a": otherError, "c:/a": otherError, "two words": otherError,
	} {
		if got := safeModelName(name); got != want {
			t.Errorf("the model %q is exported as %q", name, got)
		}
	}
}
