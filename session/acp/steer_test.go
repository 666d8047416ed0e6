package acp

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// steer answers a prompt that is to reach the running turn, which ends with it.
func (s *script) steer(call jsontext.Value, id, prompt string) {
	switch prompt {
	case "too late":
		s.say(`"id":%s,"result":{"outcome":"promptRequired"}`, call)
	case "refused":
		s.say(`"id":%s,"error":{"code":-32603,"message":"No"}`, call)
	case "lost":
		s.say(`"id":%s,"result":{"outcome":"injected"}`, call)
	case "unanswered":
	default:
		s.say(`"id":%s,"result":{"outcome":"injected"}`, call)
		s.update(id, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Steered."}}`)
	}
	s.take(message{Method: "session/cancel", Params: jsontext.Value(`{"sessionId":"` + id + `"}`)})
}

// TestSteering: a prompt that the agent takes is part of the turn, where it took it. Any other is the next one,
// and none is said twice.
func TestSteering(t *testing.T) {
	t.Parallel()
	for prompt, delivery := range map[string]session.MessageDelivery{
		"taken": session.DeliveredSteering, "too late": session.DeliveredIdle, "refused": session.DeliveredIdle,
		"unanswered": session.DeliveredIdle,
	} {
		for _, queued := range []bool{false, true} {
			t.Run(prompt, func(t *testing.T) {
				t.Parallel()
				s, r := answering(t, "long")
				steer(t, s, prompt, queued)
				turns := 1
				if delivery == session.DeliveredIdle {
					turns++
				}
				for range turns {
					sessiontest.Next[session.SessionIdle](r)
				}
				said := sessiontest.All[session.UserMessage](r.Seen())
				if len(said) != 2 || said[1].Content != prompt || said[1].Delivery != delivery {
					t.Errorf("said %+v", said)
				}
				answers := sessiontest.All[session.AssistantMessage](r.Seen())
				steered := slices.ContainsFunc(answers, func(m session.AssistantMessage) bool {
					return strings.Contains(m.Content, "Steered.") && m.OriginatingMessageID == said[1].MessageID
				})
				if steered != (delivery == session.DeliveredSteering) {
					t.Errorf("answered %+v", answers)
				}
				if waits, err := s.Pending(t.Context()); err != nil || len(waits) > 0 {
					t.Errorf("%v waits, %v", waits, err)
				}
			})
		}
	}
}

// TestSteeringLost: of a prompt that the agent took as its turn ended, and of which nothing came, the user is warned.
func TestSteeringLost(t *testing.T) {
	t.Parallel()
	for prompt, lost := range map[string]bool{"lost": true, "taken": false} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			s, r := answering(t, "silent")
			steer(t, s, prompt, false)
			sessiontest.Next[session.SessionIdle](r)
			said, warned := sessiontest.All[session.UserMessage](r.Seen()), sessiontest.All[session.SessionWarning](r.Seen())
			if len(said) != 2 || lost != (len(warned) == 1) || lost && warned[0].OriginatingMessageID != said[1].MessageID {
				t.Errorf("said %+v, warned %+v", said, warned)
			}
		})
	}
}

// answering opens a session whose agent has begun to answer a prompt.
func answering(t *testing.T, prompt string) (*Session, *sessiontest.Reader) {
	t.Helper()
	a, _ := scripted(t)
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	s := opening(t, a)
	r := sessiontest.Read(t, s)
	if err := s.Send(t.Context(), session.Input{Prompt: prompt}); err != nil {
		t.Fatal(err)
	}
	sessiontest.Next[session.AssistantMessageDelta](r)
	return s, r
}

// steer sends a prompt into the turn, at once or from the queue.
func steer(t *testing.T, s *Session, prompt string, queued bool) {
	t.Helper()
	in := session.Input{Prompt: prompt, Delivery: session.Immediate}
	if queued {
		in.Delivery = ""
	}
	if err := s.Send(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if !queued {
		return
	}
	waits, err := s.Pending(t.Context())
	if err != nil || len(waits) != 1 {
		t.Fatalf("%v waits, %v", waits, err)
	}
	if found, err := s.SendNow(t.Context(), waits[0].ID); !found || err != nil {
		t.Fatalf("%t, %v", found, err)
	}
}
