package headless

import (
	"errors"
	"fmt"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// player makes a scripted session behave like an agent.
type player struct {
	*scriptedSession
	ran      *bool
	messages *int
}

func (p player) send(in session.Input) {
	p.Push(session.UserMessage{Content: in.Prompt, Delivery: session.DeliveredIdle})
	p.Push(session.AssistantTurnStart{TurnID: "0"})
	switch in.Prompt {
	case "answer":
		*p.messages++
		id := session.MessageID(fmt.Sprintf("m%d", *p.messages))
		p.Stream(session.AssistantMessageDelta{MessageID: id, DeltaContent: "An "})
		p.Stream(session.AssistantMessageDelta{MessageID: id, DeltaContent: "answer."})
		p.Push(session.AssistantMessage{MessageID: id, Content: "An answer."})
		p.finish()
	case "ask":
		p.Push(session.ToolExecutionStart{ToolCallID: "c1", ToolName: "bash"})
		p.Push(session.PermissionRequested{RequestID: "r1", PromptRequest: &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "commands", ToolCallID: "c1"}}})
	case "long":
		p.Stream(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "and on"})
	}
}

func (p player) answer(a session.Answer) {
	d, ok := a.(session.PermissionAnswer)
	approved := ok && d.Decision.Approves()
	if approved {
		*p.ran = true
	}
	p.Push(session.ToolExecutionComplete{ToolCallID: "c1", Success: approved})
	p.finish()
}

func (p player) finish() {
	p.Push(session.AssistantTurnEnd{TurnID: "0"})
	p.Stream(session.AssistantIdle{}, session.SessionIdle{})
}

func TestScriptedConforms(t *testing.T) {
	t.Parallel()
	sessiontest.Conformance(t, func(*testing.T) sessiontest.Harness {
		var ran bool
		var messages int
		agent := newScripted()
		agent.OnOpen = func(s *scriptedSession) {
			p := player{s, &ran, &messages}
			s.OnSend, s.OnAnswer = p.send, p.answer
		}
		return sessiontest.Harness{
			Agent: agent, Answer: "answer", Ask: "ask", Long: "long",
			Ran: func() bool { return ran },
		}
	})
}

// TestScriptedSettlesEveryAsk makes sure that a test can use any question.
func TestScriptedSettlesEveryAsk(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		ask, ok := session.Decode(line).Body.(session.Ask)
		if !ok {
			continue
		}
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			opened, err := newScripted().Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := opened.(*scriptedSession)
			r := sessiontest.Read(t, s)
			s.Push(ask)
			no := session.Refusal{RequestID: ask.Request(), Kind: kind, Feedback: "no"}
			if err := s.Respond(t.Context(), no); err != nil {
				t.Fatal(err)
			}
			if ask.Withdrawn("") != nil {
				r.Until("the end of the question", func(ev session.Event) bool {
					done, ok := ev.Body.(session.Resolved)
					return ok && done.Resolves() == ask.Request()
				})
			}
			if err := s.Respond(t.Context(), no); !errors.Is(err, session.ErrResolved) {
				t.Errorf("the second answer: %v", err)
			}
			if got := s.Answers(); len(got) != 1 || got[0] != session.Answer(no) {
				t.Errorf("recorded %+v", got)
			}
		})
	}
}

func TestScriptedEndsWithAnError(t *testing.T) {
	t.Parallel()
	agent := newScripted()
	opened, err := agent.Open(t.Context(), session.Options{Dir: "/here", Mode: session.Plan})
	if err != nil {
		t.Fatal(err)
	}
	s := agent.Sessions()[0]
	died := errors.New("it died")
	s.Push(session.AssistantTurnStart{TurnID: "0"})
	s.End(died)
	s.Push(session.AssistantTurnEnd{TurnID: "0"})
	if rest := sessiontest.Read(t, opened).Rest(); len(rest) != 1 {
		t.Errorf("after the end:\n%s", sessiontest.Describe(rest))
	}
	if err := opened.Wait(); !errors.Is(err, died) {
		t.Errorf("Wait: %v", err)
	}
	if id, err := agent.LatestID(t.Context(), "/here"); err != nil || id != opened.Info().ID {
		t.Errorf("the latest is %q, %v", id, err)
	}
	if id, err := agent.LatestID(t.Context(), "/there"); err != nil || id != "" {
		t.Errorf("the latest elsewhere is %q, %v", id, err)
	}
}
