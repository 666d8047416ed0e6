package sse_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sse"
)

// hurried has an agent given up soon, where that is what the scene is about.
func hurried(scene string) func(*sse.Config) {
	return func(cfg *sse.Config) {
		cfg.Limits = sse.Limits{Event: 256 << 10, Body: 1 << 20}
		switch scene {
		case "mute":
			cfg.Limits.First = 200 * time.Millisecond
		case "stall":
			cfg.Limits.Idle = 3 * time.Second
		}
	}
}

// TestFaults: whatever goes wrong is reported in words, with what to do; what came of
// the answer is kept and marked, and the next prompt is answered.
func TestFaults(t *testing.T) {
	t.Parallel()
	const half = "Half of "
	for _, tt := range []struct {
		scene  string
		text   string // that is kept
		kind   string
		status int
		want   string // in the message
	}{
		{"drop", half, "query", 0, "The connection to the agent was lost. What came of the answer is kept."},
		{"half", half, "query", 0, "in the middle of an event"},
		{"endless", half, "query", 0, "a line that does not end within 262144 bytes"},
		{"flood", strings.Repeat("x", 1<<20), "query", 0, "longer than 1048576 bytes"},
		{"early", half, "query", 0, "The connection ended before the answer did."},
		{"mute", "", "query", 0, "has not begun to answer within 200ms"},
		{"stall", half, "query", 0, "The answer stopped: nothing has come for 3s"},
		{"midway", half, "query", 0, "The agent has failed: overloaded."},
		{"nothing", "", "query", 0, "The agent sent no answer."},
		{"html", "", "query", 200, "This is no answer of an agent: it sent an HTML page that begins with “<!doctype html><title>Sign in"},
		{"moved", "", "query", 0, "which Parley does not follow"},
		{"400", "", "query", 400, "The agent refused the request: no for 400."},
		{"401", "", "authentication", 401, "The agent wants a token, and the settings name none: no for 401."},
		{"403", "", "authorization", 403, "The agent does not allow this: no for 403."},
		{"404", "", "query", 404, "There is no agent, or no such model"},
		{"413", "", "context_limit", 413, "too long"},
		{"429", "", "rate_limit", 429, "takes no more requests for now: no for 429."},
		{"later", "", "rate_limit", 429, "takes no more requests for now. It says: slow down."},
		{"500", "", "query", 500, "The agent has failed: no for 500."},
		{"503", "", "query", 503, "The agent has failed: no for 503."},
	} {
		t.Run(tt.scene, func(t *testing.T) {
			t.Parallel()
			b := lay(t, sse.OpenAI, hurried(tt.scene))
			s, r := b.open()
			events := b.send(s, r, tt.scene)
			e := one[session.SessionError](t, events)
			if !strings.Contains(e.Message, tt.want) || e.ErrorType != tt.kind || e.StatusCode != tt.status || len(e.Remediation) == 0 ||
				e.OriginatingMessageID != one[session.UserMessage](t, events).MessageID {
				t.Errorf("got %+v", e)
			}
			if strings.ContainsAny(e.Message, "\x1b\x07") {
				t.Errorf("the message is not safe: %q", e.Message)
			}
			got := of(events)
			if got.text != tt.text || tt.text != "" && got.phase != session.PhaseCutOff || got.streamed != tt.text {
				t.Errorf("kept is %q, %q", got.text, got.phase)
			}
			if again := of(b.send(s, r, "hello")); again.text != "You said: hello" {
				t.Errorf("the next prompt gives %+v", again)
			}
		})
	}
}

// TestComesBack: an agent that says when it takes requests again is asked again
// then, with the same request, and the wait is reported for a countdown.
func TestComesBack(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	events := b.send(s, r, "wait")
	if got := of(events); got.text != "Now. " {
		t.Errorf("got %+v", got)
	}
	if f := one[session.ModelCallFailure](t, events); f.StatusCode != http.StatusTooManyRequests || f.ErrorMessage != "slow down" {
		t.Errorf("got %+v", f)
	}
	if i := one[session.SessionInfo](t, events); i.InfoType != "model_retry" || !strings.HasSuffix(i.Message, "Retrying in 1 s") {
		t.Errorf("got %+v", i)
	}
	all := b.chat.Requests()
	if len(all) != 2 || string(all[0].Body) != string(all[1].Body) {
		t.Errorf("%d requests", len(all))
	}
}

// TestAbortWhileItWaits: the wait for another attempt is over with an abort.
func TestAbortWhileItWaits(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, func(cfg *sse.Config) { cfg.Limits.Wait = 3 * time.Hour })
	s, r := b.open()
	if err := s.Send(t.Context(), session.Input{Prompt: "later"}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.ModelCallFailure](r)
	if err := s.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !sessiontest.Next[session.SessionIdle](r).Aborted {
		t.Error("it does not say that it was aborted")
	}
}

// TestMalformed: pieces that cannot be read are reported and left out.
func TestMalformed(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	warnings := sessiontest.All[session.SessionWarning](b.send(s, r, "malformed"))
	if len(warnings) != 2 || !strings.Contains(warnings[0].Message, "it is no JSON") || !strings.Contains(warnings[1].Message, "3 pieces") {
		t.Errorf("got %+v", warnings)
	}
}

// TestNoAgentThere: no agent at the address.
func TestNoAgentThere(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	_ = closed.Close()
	b := lay(t, sse.OpenAI, func(cfg *sse.Config) { cfg.URL = "http://" + address + "/v1?key=secret" })
	s, r := b.open()
	e := one[session.SessionError](t, b.send(s, r, "hello"))
	if !strings.Contains(e.Message, "There is no connection to "+address) || strings.Contains(e.Message, "secret") {
		t.Errorf("got %+v", e)
	}
	if _, err := s.(session.ModelSetter).Models(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the models: %v", err)
	}
}

// TestUntrusted: a certificate that no authority vouches for ends the request.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.OpenAI, nil)
	server := httptest.NewUnstartedServer(b.chat)
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	b.cfg.URL = server.URL
	b.agent = b.start()
	s, r := b.open()
	e := one[session.SessionError](t, b.send(s, r, "hello"))
	if !strings.Contains(e.Message, "certificate") || len(b.chat.Requests()) != 0 {
		t.Errorf("got %+v, and %d requests came", e, len(b.chat.Requests()))
	}
}

// TestAbortClosesTheRequest: the agent sees that its answer is not read any more.
func TestAbortClosesTheRequest(t *testing.T) {
	t.Parallel()
	b := lay(t, sse.Copilot, nil)
	s, r := b.open()
	if err := s.Send(t.Context(), session.Input{Prompt: "stall"}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.AssistantMessageDelta](r)
	sessiontest.Next[session.AssistantMessageDelta](r)
	if err := s.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := sessiontest.Next[session.AssistantMessage](r); m.Phase != session.PhaseCutOff || m.Content == "" {
		t.Errorf("kept is %+v", m)
	}
	if !sessiontest.Next[session.SessionIdle](r).Aborted {
		t.Error("it does not say that it was aborted")
	}
	b.chat.Wait(t.Context()) // hangs as long as a request does
}
