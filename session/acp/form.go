package acp

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// formParams is elicitation/create: a form, or an address to visit.
type formParams struct {
	SessionID     string                  `json:"sessionId"`
	ToolCallID    session.CallID          `json:"toolCallId"`
	Mode          session.ElicitationMode `json:"mode"`
	Message       string                  `json:"message"`
	Schema        jsontext.Value          `json:"requestedSchema"`
	URL           string                  `json:"url"`
	ElicitationID string                  `json:"elicitationId"`
}

// formResult is the answer to it.
type formResult struct {
	Action  session.ElicitationAction `json:"action"`
	Content map[string]any            `json:"content,omitzero"`
}

// form is what the user is asked; not ok if it cannot be shown.
func (p formParams) form() (session.Ask, bool) {
	r := session.ElicitationRequested{
		RequestID: session.RequestID(uuid.NewString()), ToolCallID: p.ToolCallID, Message: p.Message, Mode: p.Mode,
	}
	switch {
	case r.IsForm() && !null(p.Schema):
		r.RequestedSchema = p.Schema
	case p.Mode == session.URLMode && p.URL != "" && p.ElicitationID != "":
		r.URL, r.ElicitationID = p.URL, p.ElicitationID
	default:
		return nil, false
	}
	return r, true
}

// askForm opens the question of a form. talking is held.
func (s *Session) askForm(m message) {
	var p formParams
	err := session.Unmarshal(m.Params, &p)
	r, ok := p.form()
	if err != nil || !ok {
		s.unreadable(m)
		return
	}
	s.Log.Put(append(s.talk.endThought(), s.talk.endMessage()...)...) // what was said before stands before it
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.asks = append(s.asks, question{r, m.ID})
	s.Log.Put(r)
}

// visited closes the question about an address, if it is open: what was to be done there is done.
func (s *Session) visited(elicitation string) {
	q, ok := s.take(func(q question) bool {
		r, is := q.Ask.(session.ElicitationRequested)
		return is && r.Mode == session.URLMode && r.ElicitationID == elicitation
	})
	if ok {
		s.settle(q, "")
	}
}

// answerForm is what an answer makes of a form: what the agent gets, and the event that says so.
func answerForm(r session.ElicitationRequested, a session.Answer) (formResult, session.Body, error) {
	done := session.ElicitationCompleted{RequestID: r.RequestID, Action: session.Decline}
	switch a := a.(type) {
	case session.Refusal:
		return formResult{Action: session.Decline}, done, nil
	case session.ElicitationAnswer:
		switch a.Action {
		case session.Decline, session.Cancel:
			done.Action = a.Action
			return formResult{Action: a.Action}, done, nil
		case session.Accept:
			done.Action = a.Action
			if !r.IsForm() {
				return formResult{Action: a.Action}, done, nil
			}
			raw, err := json.Marshal(a.Shown(), json.Deterministic(true))
			if err != nil {
				return formResult{}, nil, fmt.Errorf("read the answers: %w", err)
			}
			done.Content = raw
			return formResult{a.Action, a.Content}, done, nil
		}
		return formResult{}, nil, fmt.Errorf("%q does not end a form", a.Action)
	}
	return formResult{}, nil, fmt.Errorf("%T is no answer to a form", a)
}

// take takes the first question that fits.
func (s *Session) take(fits func(question) bool) (question, bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	i := slices.IndexFunc(s.asks, fits)
	if i < 0 {
		return question{}, false
	}
	q := s.asks[i]
	s.asks = slices.Delete(slices.Clone(s.asks), i, i+1)
	return q, true
}
