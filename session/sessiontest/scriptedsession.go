package sessiontest

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Info implements session.Session.
func (s *ScriptedSession) Info() session.Info { return s.info }

// Events implements session.Session.
func (s *ScriptedSession) Events() <-chan session.Event { return s.events }

// Send implements session.Session.
func (s *ScriptedSession) Send(_ context.Context, in session.Input) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return ErrScriptedEnded
	}
	s.inputs = append(s.inputs, in)
	s.mu.Unlock()
	if s.OnSend != nil {
		s.OnSend(in)
	}
	return nil
}

// Respond implements session.Session. The first answer to an open question
// pushes the event that settles it.
func (s *ScriptedSession) Respond(_ context.Context, a session.Answer) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return ErrScriptedEnded
	}
	ask, open := s.open[a.Request()]
	if !open {
		s.mu.Unlock()
		return session.ErrResolved
	}
	delete(s.open, a.Request())
	s.answers = append(s.answers, a)
	s.mu.Unlock()
	s.settle(ask, a)
	if s.OnAnswer != nil {
		s.OnAnswer(a)
	}
	return nil
}

// settle pushes the event that ends a question, as the runtime would store it.
func (s *ScriptedSession) settle(ask session.Ask, a session.Answer) {
	id := ask.Request()
	switch q := ask.(type) {
	case session.PermissionRequested:
		s.Push(session.PermissionCompleted{RequestID: id, ToolCallID: q.Call(), Result: outcome(a)})
	case session.UserInputRequested:
		done := session.UserInputCompleted{RequestID: id}
		switch a := a.(type) {
		case session.UserInputAnswer:
			done.Answer, done.WasFreeform = a.Text, a.Freeform
		case session.Refusal:
			done.Answer, done.WasFreeform = a.Feedback, true
		}
		s.Stream(done)
	case session.ElicitationRequested:
		done := session.ElicitationCompleted{RequestID: id, Action: session.Decline}
		if a, ok := a.(session.ElicitationAnswer); ok {
			done.Action = a.Action
		}
		s.Stream(done)
	case session.ExitPlanModeRequested:
		var approved bool
		done := session.ExitPlanModeCompleted{RequestID: id, Approved: &approved}
		if a, ok := a.(session.ExitPlanModeAnswer); ok {
			approved, done.SelectedAction, done.Feedback = a.Approved, a.Action, a.Feedback
		}
		s.Stream(done)
	case session.FolderTrustRequested:
		t, _ := a.(session.FolderTrustAnswer)
		s.Stream(session.FolderTrustCompleted{RequestID: id, Trusted: t.Trusted})
	case session.ConfirmationRequested:
		done := session.ConfirmationCompleted{RequestID: id, State: session.Dismissed}
		if a, ok := a.(session.ConfirmationAnswer); ok && a.Accepted {
			done.State = session.Accepted
		}
		s.Push(done)
	case session.ExternalToolRequested:
		s.Push(session.ExternalToolCompleted{RequestID: id})
	case session.CommandQueued, session.CommandExecute:
		s.Stream(session.CommandCompleted{RequestID: id})
	case session.SamplingRequested:
		s.Stream(session.SamplingCompleted{RequestID: id})
	default:
		s.settleRuntime(ask, a)
	}
}

// settleRuntime is settle for what the runtime asks about itself and its
// servers.
func (s *ScriptedSession) settleRuntime(ask session.Ask, a session.Answer) {
	id := ask.Request()
	switch ask.(type) {
	case session.McpOAuthRequired:
		done := session.McpOAuthCompleted{RequestID: id, Outcome: "cancelled"}
		if a, ok := a.(session.McpOAuthAnswer); ok && a.SignIn {
			done.Outcome = "token"
		}
		s.Stream(done)
	case session.McpHeadersRefreshRequired:
		s.Stream(session.McpHeadersRefreshCompleted{RequestID: id, Outcome: "none"})
	case session.AutoModeSwitchRequested:
		done := session.AutoModeSwitchCompleted{RequestID: id, Response: session.SwitchNo}
		if a, ok := a.(session.AutoModeSwitchAnswer); ok {
			done.Response = a.Response
		}
		s.Stream(done)
	case session.SessionLimitsExhaustedRequested:
		s.Stream(session.SessionLimitsExhaustedCompleted{RequestID: id, Response: limits(a)})
	default:
		panic("sessiontest: no way to settle " + string(ask.Kind()))
	}
}

// limits is what the runtime says of an answer to a limit that was reached.
func limits(a session.Answer) jsontext.Value {
	l, ok := a.(session.SessionLimitsExhaustedAnswer)
	if !ok {
		l.Action = session.LimitCancel
	}
	response := map[string]any{"action": l.Action}
	switch l.Action {
	case session.LimitAdd:
		response["additionalAiCredits"] = l.Credits
	case session.LimitSet:
		response["maxAiCredits"] = l.Credits
	}
	raw, err := json.Marshal(response)
	if err != nil {
		panic(err) // credits that are no number
	}
	return raw
}

// outcome is the result the runtime gives for an answer to a permission.
func outcome(a session.Answer) session.PermissionResult {
	p, ok := a.(session.PermissionAnswer)
	if !ok {
		var why string
		if r, refused := a.(session.Refusal); refused {
			why = r.Feedback
		}
		return session.PermissionResult{Kind: session.DeniedByUser, Feedback: why}
	}
	switch p.Decision {
	case session.ApproveOnce, session.ApprovePermanently:
		return session.PermissionResult{Kind: "approved"}
	case session.ApproveForSession:
		return session.PermissionResult{Kind: "approved-for-session", Approval: p.Approval}
	case session.ApproveForLocation:
		return session.PermissionResult{Kind: "approved-for-location", Approval: p.Approval}
	case session.ApproveReadOnlyForSession:
		return session.PermissionResult{Kind: "approved-read-only-for-session"}
	case session.Reject:
	}
	return session.PermissionResult{Kind: session.DeniedByUser, Feedback: p.Feedback}
}

// Abort implements session.Session. It pushes what the runtime sends: open
// permissions are cancelled, other questions end without an event.
func (s *ScriptedSession) Abort(context.Context) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return ErrScriptedEnded
	}
	s.aborts++
	open := maps.Clone(s.open)
	s.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(open)) {
		if q, ok := open[id].(session.PermissionRequested); ok {
			s.Push(session.PermissionCompleted{
				RequestID: id, ToolCallID: q.Call(),
				Result: session.PermissionResult{Kind: "cancelled", Reason: "Session aborted"},
			})
		}
	}
	s.Push(session.Abort{Reason: "user_initiated"})
	s.Stream(session.AssistantIdle{Aborted: true}, session.SessionIdle{Aborted: true, Mode: s.info.Mode})
	return nil
}

// Wait implements session.Session.
func (s *ScriptedSession) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session.
func (s *ScriptedSession) Close(context.Context) error {
	s.End(nil)
	return nil
}

// SetMode implements session.ModeSetter.
func (s *ScriptedSession) SetMode(_ context.Context, m session.Mode) error {
	return s.record("mode " + string(m))
}

// SetModel implements session.ModelSetter.
func (s *ScriptedSession) SetModel(_ context.Context, id, _ string) error {
	return s.record("model " + id)
}

// Models implements session.ModelSetter.
func (s *ScriptedSession) Models(context.Context) ([]session.Model, error) {
	return slices.Clone(s.Offers), s.record("models")
}

// Compact implements session.Compacter.
func (s *ScriptedSession) Compact(_ context.Context, instructions string) error {
	if instructions != "" {
		instructions = " " + instructions
	}
	return s.record("compact" + instructions)
}

// Pending implements session.Queuer.
func (s *ScriptedSession) Pending(context.Context) ([]session.Pending, error) {
	return slices.Clone(s.Waiting), nil
}

// Grants implements session.GrantManager.
func (s *ScriptedSession) Grants(context.Context) ([]session.Grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Granted), nil
}

// Revoke implements session.GrantManager. It refuses what is not revocable.
func (s *ScriptedSession) Revoke(_ context.Context, g session.Grant) error {
	if !g.Revocable {
		return errors.New("sessiontest: " + g.ID + " cannot be revoked")
	}
	if err := s.record("revoke " + g.ID); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Granted = slices.DeleteFunc(slices.Clone(s.Granted), func(o session.Grant) bool { return o.ID == g.ID })
	return nil
}

func (s *ScriptedSession) record(call string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return ErrScriptedEnded
	}
	s.calls = append(s.calls, call)
	return nil
}
