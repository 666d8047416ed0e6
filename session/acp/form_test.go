package acp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// form asks for a form, or for an address to be visited, and says which answer it got. The prompt says what
// happens meanwhile.
func (s *script) form(id, prompt string, stop chan struct{}) (reason string) {
	n, answer := s.request()
	asked := fmt.Sprintf(`"sessionId":%q,"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{`+
		`"c":{"type":"string"},"key":{"type":"string","_meta":{"codex":{"isSecret":true}}}}}`, id)
	switch prompt {
	case "form visit", "form visited":
		asked = fmt.Sprintf(`"sessionId":%q,"mode":"url","message":"Sign in","url":"https://example.com/in","elicitationId":"e"`, id)
	case "form unknown":
		asked = fmt.Sprintf(`"sessionId":%q,"mode":"dance","message":"Sign in"`, id)
	case "form without a session":
		asked = `"requestId":1,"mode":"form","message":"Which?","requestedSchema":{"type":"object"}`
	}
	s.say(`"id":%d,"method":"elicitation/create","params":{%s}`, n, asked)
	switch prompt {
	case "form revoked":
		s.say(`"method":"$/cancel_request","params":{"requestId":%d}`, n)
	case "form visited":
		s.say(`"method":"elicitation/complete","params":{"elicitationId":"e"}`)
	case "form left":
		return "end_turn"
	case "form killed":
		os.Exit(3)
	}
	reason = "end_turn"
	var m message
	select {
	case m = <-answer:
	case <-stop:
		m, reason = <-answer, "cancelled"
	}
	s.update(id, fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}`, m.Result))
	return reason
}

// TestForms: the agent gets what the user answered, and "accept" for nothing else. What is secret goes to the
// agent alone.
func TestForms(t *testing.T) {
	t.Parallel()
	accept := session.ElicitationAnswer{
		Action: session.Accept, Content: map[string]any{"c": "red", "key": "hunter2"}, Secret: []string{"key"},
	}
	for prompt, tt := range map[string]struct {
		answer session.Answer // nil: none
		stop   bool
		event  session.ElicitationCompleted // without its id; no action: nothing was asked
		got    string
	}{
		"form": {
			accept, false,
			session.ElicitationCompleted{Action: session.Accept, Content: []byte(`{"c":"red","key":"(not shown)"}`)},
			`{"action":"accept","content":{"c":"red","key":"hunter2"}}`,
		},
		"form declined":          {session.ElicitationAnswer{Action: session.Decline}, false, session.ElicitationCompleted{Action: session.Decline}, `{"action":"decline"}`},
		"form cancelled":         {session.ElicitationAnswer{Action: session.Cancel}, false, session.ElicitationCompleted{Action: session.Cancel}, `{"action":"cancel"}`},
		"form refused":           {session.Refusal{}, false, session.ElicitationCompleted{Action: session.Decline}, `{"action":"decline"}`},
		"form visit":             {accept, false, session.ElicitationCompleted{Action: session.Accept}, `{"action":"accept"}`},
		"form visited":           {nil, false, session.ElicitationCompleted{Action: session.Cancel}, `{"action":"cancel"}`},
		"form revoked":           {nil, false, session.ElicitationCompleted{Action: session.Cancel}, `{"action":"cancel"}`},
		"form stopped":           {nil, true, session.ElicitationCompleted{Action: session.Cancel}, `{"action":"cancel"}`},
		"form left":              {nil, false, session.ElicitationCompleted{Action: session.Cancel}, ""},
		"form killed":            {nil, false, session.ElicitationCompleted{Action: session.Cancel}, ""},
		"form unknown":           {nil, false, session.ElicitationCompleted{}, `{"action":"cancel"}`},
		"form without a session": {nil, false, session.ElicitationCompleted{}, `{"action":"cancel"}`},
	} {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			a, _ := scripted(t)
			t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
			s, err := a.Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			if err := s.Send(t.Context(), session.Input{Prompt: prompt}); err != nil {
				t.Fatal(err)
			}
			if tt.event.Action != "" {
				tt.event.RequestID = sessiontest.Next[session.ElicitationRequested](r).RequestID
			}
			switch {
			case tt.answer != nil:
				fill(t, s, tt.answer, tt.event.RequestID)
			case tt.stop:
				if err := s.Abort(t.Context()); err != nil {
					t.Error(err)
				}
			}
			sessiontest.Next[session.AssistantIdle](r)
			var want []session.ElicitationCompleted
			if tt.event.Action != "" {
				want = append(want, tt.event)
			}
			if done := sessiontest.All[session.ElicitationCompleted](r.Seen()); fmt.Sprint(done) != fmt.Sprint(want) {
				t.Errorf("it ended as %+v, not %+v", done, want)
			}
			if said := said(r.Seen()); said != tt.got {
				t.Errorf("the agent got %s, not %s", said, tt.got)
			}
			again := session.ElicitationAnswer{RequestID: tt.event.RequestID, Action: session.Accept}
			if tt.answer != nil && s.Respond(t.Context(), again) == nil {
				t.Error("it was answered twice")
			}
		})
	}
}

// fill answers a form, after answers that are none.
func fill(t *testing.T, s session.Session, a session.Answer, id session.RequestID) {
	t.Helper()
	for _, wrong := range []session.Answer{
		session.ElicitationAnswer{RequestID: id, Action: "maybe"},
		session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce},
		session.ElicitationAnswer{RequestID: "other", Action: session.Accept},
	} {
		if s.Respond(t.Context(), wrong) == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
	switch form := a.(type) {
	case session.ElicitationAnswer:
		form.RequestID = id
		a = form
	case session.Refusal:
		form.RequestID = id
		a = form
	}
	if err := s.Respond(t.Context(), a); err != nil {
		t.Error(err)
	}
}

// said are the words of the agent.
func said(events []session.Event) string {
	var words []string
	for _, m := range sessiontest.All[session.AssistantMessage](events) {
		words = append(words, m.Content)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
