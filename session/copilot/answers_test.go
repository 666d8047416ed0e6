package copilot_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
)

// playAsking is a runtime that asks what a prompt names, and reports which answer
// it was given.
func playAsking() int {
	f := &fake{}
	f.prompted = func(kind string) {
		f.event(kind, object{
			"requestId": "r1", "serverName": "hub", "serverUrl": "https://hub.example", "reason": "initial",
			"usedAiCredits": 10.5, "maxAiCredits": 10, "command": "/dance now", "commandName": "dance", "toolName": "paint",
			"message": "Name?", "question": "Why?",
		})
	}
	f.called = func(method string, params jsontext.Value) {
		if strings.Contains(string(params), `"r1"`) {
			if err := params.Canonicalize(); err != nil {
				panic(err)
			}
			f.info(method + " " + strings.Replace(string(params), f.session, "ID", 1))
		}
	}
	return f.serve(stub)
}

// TestAnswersOnTheWire gives each answer to a question of each kind that the
// real runtime does not ask in tests, and looks at what the runtime receives.
func TestAnswersOnTheWire(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "asking"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := agent.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, s)
	const id, no = session.RequestID("r1"), "not here"
	type row struct {
		kind   session.Kind
		answer session.Answer
		sent   string // the method without its first word, and its parameters
	}
	rows := []row{}
	refused := func(kind session.Kind, sent string) {
		rows = append(rows, row{kind, session.Refusal{RequestID: id, Kind: kind, Feedback: no}, sent})
	}
	answered := func(kind session.Kind, a session.Answer, sent string) { rows = append(rows, row{kind, a, sent}) }

	const mode, limits = "ui.handlePendingAutoModeSwitch", "ui.handlePendingSessionLimitsExhausted"
	for _, response := range []string{session.SwitchYes, session.SwitchAlways, session.SwitchNo} {
		answered(session.KindAutoModeSwitchRequested, session.AutoModeSwitchAnswer{RequestID: id, Response: response},
			mode+` {"requestId":"r1","response":"`+response+`","sessionId":"ID"}`)
	}
	refused(session.KindAutoModeSwitchRequested, mode+` {"requestId":"r1","response":"no","sessionId":"ID"}`)
	for response, a := range map[string]session.SessionLimitsExhaustedAnswer{
		`{"action":"add","additionalAiCredits":5}`: {Action: session.LimitAdd, Credits: 5},
		`{"action":"set","maxAiCredits":12.5}`:     {Action: session.LimitSet, Credits: 12.5},
		`{"action":"unset"}`:                       {Action: session.LimitUnset},
		`{"action":"cancel"}`:                      {Action: session.LimitCancel},
	} {
		a.RequestID = id
		answered(session.KindSessionLimitsExhaustedRequested, a, limits+` {"requestId":"r1","response":`+response+`,"sessionId":"ID"}`)
	}
	refused(session.KindSessionLimitsExhaustedRequested, limits+` {"requestId":"r1","response":{"action":"cancel"},"sessionId":"ID"}`)
	const headers = "mcp.headers.handlePendingHeadersRefreshRequest"
	refused(session.KindMcpHeadersRefreshRequired, headers+` {"requestId":"r1","result":{"kind":"none"},"sessionId":"ID"}`)
	const oauth = "mcp.oauth.handlePendingRequest"
	answered(session.KindMcpOAuthRequired, session.McpOAuthAnswer{RequestID: id},
		oauth+` {"requestId":"r1","result":{"kind":"cancelled"},"sessionId":"ID"}`)
	refused(session.KindMcpOAuthRequired, oauth+` {"requestId":"r1","result":{"kind":"cancelled"},"sessionId":"ID"}`)
	refused(session.KindSamplingRequested, `ui.handlePendingSampling {"requestId":"r1","sessionId":"ID"}`)
	refused(session.KindCommandQueued, `commands.respondToQueuedCommand {"requestId":"r1","result":{"handled":false},"sessionId":"ID"}`)
	refused(session.KindCommandExecute, `commands.handlePendingCommand {"error":"not here","requestId":"r1","sessionId":"ID"}`)
	refused(session.KindExternalToolRequested, `tools.handlePendingToolCall {"requestId":"r1","result":`+
		`{"error":"not here","resultType":"failure","textResultForLlm":"not here"},"sessionId":"ID"}`)

	for _, row := range rows {
		if err := s.Send(t.Context(), session.Input{Prompt: string(row.kind)}); err != nil {
			t.Fatal(err)
		}
		r.Until(string(row.kind), func(ev session.Event) bool { return ev.Kind() == row.kind })
		if err := s.Respond(t.Context(), row.answer); err != nil {
			t.Errorf("%s: %v", row.kind, err)
			continue
		}
		if got := next[session.SessionInfo](r); got.Message != "session."+row.sent {
			t.Errorf("%s: sent is\n%s, want\nsession.%s", row.kind, got.Message, row.sent)
		}
	}
}

// TestEveryAskIsRefused: a question of any kind can be declined. What the runtime
// does not ask was resolved before.
func TestEveryAskIsRefused(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		ask, ok := session.Decode(line).Body.(session.Ask)
		if !ok || kind == session.KindFolderTrustRequested { // Respond answers that one itself
			continue
		}
		_, err := copilot.Refusal(session.Refusal{RequestID: ask.Request(), Kind: kind})
		if err != nil && !errors.Is(err, session.ErrResolved) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
