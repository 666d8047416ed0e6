package acp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// question is a permission or a form that the agent waits for.
type question struct {
	session.Ask
	rpc jsontext.Value // the id of its request
}

// nothing is the answer to a request that allows nothing.
func nothing(method string) any {
	if method == "elicitation/create" {
		return formResult{Action: session.Cancel}
	}
	var o outcome
	o.Outcome.Outcome = "cancelled"
	return o
}

// method is that of its request.
func (q question) method() string {
	if _, is := q.Ask.(session.ElicitationRequested); is {
		return "elicitation/create"
	}
	return "session/request_permission"
}

// ask opens a question. talking is held.
func (s *Session) ask(m message) {
	var p permissionParams
	if err := session.Unmarshal(m.Params, &p); err != nil || p.ToolCall.ID == "" {
		s.unreadable(m)
		return
	}
	before, q := s.talk.permission(p, session.RequestID(uuid.NewString()), session.Interactive)
	s.Log.Put(before...)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.asks = append(s.asks, question{q, m.ID})
	s.Log.Put(q)
}

// unreadable answers a question that cannot be shown.
func (s *Session) unreadable(m message) {
	_ = s.link.answer(m.ID, nothing(m.Method))
	s.Log.Put(session.SessionWarning{
		WarningType: "permission", Message: "The agent asked a question that cannot be read. It was not approved.",
	})
}

// withdrawn closes the question of a request that the agent has made void.
func (s *Session) withdrawn(rpc jsontext.Value) {
	if q, ok := s.take(func(q question) bool { return bytes.Equal(q.rpc, rpc) }); ok {
		s.settle(q, "The agent no longer waits for an answer")
	}
}

// errNoOption is that an agent does not offer what was decided.
var errNoOption = errors.New("the agent does not offer this answer")

// Respond implements session.Session. What is answered is one of the options that the agent offers;
// a refusal that it does not offer is that nothing was chosen.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	return s.Change("answer", func() error {
		if s.trust != nil && a.Request() == s.trusting.RequestID {
			return s.respondTrust(a)
		}
		i := slices.IndexFunc(s.asks, func(q question) bool { return q.Request() == a.Request() })
		if i < 0 {
			return session.ErrResolved
		}
		q := s.asks[i]
		var reply any
		var done session.Body
		var feedback string
		var err error
		switch ask := q.Ask.(type) {
		case session.ElicitationRequested:
			reply, done, err = answerForm(ask, a)
		case session.PermissionRequested:
			reply, done, feedback, err = s.answerPermission(ask, a)
		}
		switch {
		case err != nil:
			return err
		case !s.link.alive():
			return local.ErrClosed
		}
		s.asks = slices.Delete(slices.Clone(s.asks), i, i+1)
		s.Log.Put(done) // before what follows from it
		if err := s.link.answer(q.rpc, reply); err != nil {
			return err
		}
		if feedback != "" { // no agent takes it with the refusal
			s.Waiting = slices.Insert(s.Waiting, 0, local.Prompt{
				ID: session.MessageID(uuid.NewString()), Input: session.Input{Prompt: feedback},
			})
			s.Log.Put(session.PendingMessagesModified{})
		}
		return nil
	})
}

// answerPermission is what an answer makes of a permission: what the agent gets, the event that says so, and
// what the user wrote for the agent. Mu is held.
func (s *Session) answerPermission(q session.PermissionRequested, a session.Answer) (outcome, session.Body, string, error) {
	var o outcome
	option, feedback, err := chosen(q, a)
	if err != nil {
		return o, nil, "", err
	}
	o.Outcome.Outcome, o.Outcome.Option = "selected", option.ID
	result := session.PermissionResult{Kind: "approved", Message: option.Name}
	if option.ID == "" {
		o.Outcome.Outcome = "cancelled"
	}
	if option.Kind.Refuses() || option.ID == "" {
		result = session.PermissionResult{Kind: session.DeniedByUser, Feedback: feedback}
		s.refused = append(s.refused, q.Call())
	}
	return o, session.PermissionCompleted{RequestID: q.RequestID, ToolCallID: q.Call(), Result: result}, feedback, nil
}

// chosen is the option that an answer chooses, with what the user wrote for the agent; without an
// id nothing is chosen.
func chosen(q session.PermissionRequested, a session.Answer) (o session.PermissionOption, feedback string, err error) {
	refusal := func() session.PermissionOption {
		i := slices.IndexFunc(q.Options, func(o session.PermissionOption) bool { return o.Kind == session.RejectOnce })
		if i < 0 {
			return session.PermissionOption{}
		}
		return q.Options[i]
	}
	switch a := a.(type) {
	case session.Refusal:
		return refusal(), a.Feedback, nil
	case session.PermissionAnswer:
		if a.OptionID != "" {
			i := slices.IndexFunc(q.Options, func(o session.PermissionOption) bool { return o.ID == a.OptionID })
			if i < 0 || q.Options[i].Kind.Refuses() == a.Decision.Approves() {
				return o, "", errNoOption
			}
			return q.Options[i], a.Feedback, nil
		}
		if a.Decision == session.Reject {
			return refusal(), a.Feedback, nil
		}
		once := slices.DeleteFunc(slices.Clone(q.Options), func(o session.PermissionOption) bool { return o.Kind != session.AllowOnce })
		if a.Decision != session.ApproveOnce || len(once) != 1 {
			return o, "", errNoOption
		}
		return once[0], "", nil
	}
	return o, "", fmt.Errorf("%T is no answer to a permission", a)
}

// takeRefused takes the calls that the user refused since.
func (s *Session) takeRefused() []session.CallID {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	calls := s.refused
	s.refused = nil
	return calls
}
