package sse_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/chat"
	"parley/session/sse"
)

// bench is an agent, what it is spoken to by, and where sessions are kept.
type bench struct {
	*testing.T
	chat  *chat.Agent
	cfg   sse.Config
	agent *sse.Agent
}

// lay starts a scripted agent. change adapts how it is spoken to; nil changes
// nothing.
func lay(t *testing.T, protocol sse.Protocol, change func(*sse.Config)) *bench {
	t.Helper()
	b := &bench{T: t, chat: &chat.Agent{}}
	server := httptest.NewServer(b.chat)
	t.Cleanup(server.Close)
	b.cfg = sse.Config{Protocol: protocol, URL: server.URL + "/v1", Dir: "/src/app", Store: sessions.StoreIn(t.TempDir())}
	if change != nil {
		change(&b.cfg)
	}
	b.agent = b.start()
	return b
}

// start opens another agent of the same configuration.
func (b *bench) start() *sse.Agent {
	b.Helper()
	a, err := sse.Open(b.Context(), b.cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			b.Errorf("close the agent: %v", err)
		}
	})
	return a
}

// open opens a session.
func (b *bench) open() (session.Session, *sessiontest.Reader) {
	b.Helper()
	s, err := b.agent.Open(b.Context(), session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return s, sessiontest.Read(b.T, s)
}

// send sends a prompt and reads to the end of its answer.
func (b *bench) send(s session.Session, r *sessiontest.Reader, text string) []session.Event {
	b.Helper()
	before := len(r.Seen())
	if err := s.Send(b.Context(), session.Input{Prompt: text}); err != nil {
		b.Fatal(err)
	}
	sessiontest.Next[session.SessionIdle](r)
	return r.Seen()[before:]
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, protocol := range []sse.Protocol{sse.Copilot, sse.OpenAI} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
				t.Helper()
				b := lay(t, protocol, nil)
				h := sessiontest.Harness{
					Agent: b.agent, Options: session.Options{Dir: "/src/app"},
					Answer: "hello", Long: "long", Confirms: true, Ran: func() bool { return b.chat.Done() > 0 },
				}
				if protocol == sse.Copilot {
					h.Ask = "confirm"
				}
				return h
			})
		})
	}
}
