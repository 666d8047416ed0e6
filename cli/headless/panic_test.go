package headless

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"parley/cli/process"
	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// checkPanic checks that an error is one of a panic, and what is reported of it.
func checkPanic(t *testing.T, err error) {
	t.Helper()
	var crash *session.PanicError
	if !errors.As(err, &crash) || code(err) != process.ExitFailure {
		t.Errorf("ended with %v", err)
		return
	}
	var said bytes.Buffer
	process.Complain(&said, err)
	process.PrintStack(&said, err)
	for _, want := range []string{"the program panicked: the frobnicator is jammed", ".go:"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("does not say %q: %s", want, said.String())
		}
	}
	if strings.Contains(said.String(), "\a") {
		t.Errorf("says %q", said.String())
	}
}

// jammedAgent panics when it is closed, writer when it is written to.
type (
	jammedAgent  struct{ session.Agent }
	jammedWriter struct{}
)

func (jammedAgent) Close(context.Context) error { panic(sessiontest.PanicText) }

func (jammedWriter) Write([]byte) (int, error) { panic(sessiontest.PanicText) }

// TestHeadlessPanics has each goroutine of a turn panic: it is an error, and
// the agent is ended.
func TestHeadlessPanics(t *testing.T) {
	t.Parallel()
	start, ask := shellCall("a", "touch x", "touch")
	for name, jam := range map[string]func(s *scriptedSession){
		"open": nil,
		"send": func(s *scriptedSession) { s.OnSend = func(session.Input) { panic(sessiontest.PanicText) } },
		"answer": func(s *scriptedSession) {
			s.OnSend = func(session.Input) { s.Push(prompted()...); s.Push(start, ask) }
			s.OnAnswer = func(session.Answer) { panic(sessiontest.PanicText) }
		},
		"write": func(s *scriptedSession) {
			s.OnSend = func(session.Input) {
				s.Push(prompted()...)
				s.Push(session.AssistantMessage{MessageID: "m", Content: "Hello."})
			}
		},
		"end": func(s *scriptedSession) {
			s.OnSend = func(session.Input) { s.Push(prompted()...); rest(s) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t)
			x.agent.OnOpen = jam
			turn := x.into(&bytes.Buffer{}, &bytes.Buffer{})
			if name == "write" {
				turn.show(jammedWriter{}, outputText, false, false)
			}
			checkPanic(t, turn.run(func(ctx context.Context) (session.Agent, session.Session, error) {
				if name == "open" {
					panic(sessiontest.PanicText)
				}
				agent, s, err := x.scripted(ctx)
				if name == "end" {
					agent = jammedAgent{agent}
				}
				return agent, s, err
			}))
			if name != "open" && name != "end" {
				if err := x.agent.Sessions()[0].Wait(); err != nil {
					t.Errorf("the session ended with %v", err)
				}
			}
		})
	}
}

// TestHeadlessAgentPanics has the agent panic in a goroutine of its own.
func TestHeadlessAgentPanics(t *testing.T) {
	t.Parallel()
	a, err := demo.Open(t.Context(), demo.Config{TempDir: t.TempDir(), Now: sessiontest.JammedClock})
	if err != nil {
		t.Fatal(err)
	}
	turn := newTrial(t).into(&bytes.Buffer{}, &bytes.Buffer{})
	turn.prompt = "parallel"
	checkPanic(t, turn.run(func(ctx context.Context) (session.Agent, session.Session, error) {
		s, err := a.Open(ctx, session.Options{})
		return a, s, err
	}))
}
