package sessiontest

import (
	"errors"

	"parley/session"
)

// answerNothing answers questions that were never asked, in every way there is.
func (s *suite) answerNothing() {
	sess, _ := s.open()
	const id = session.RequestID("never-asked")
	for _, a := range []session.Answer{
		session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce},
		session.UserInputAnswer{RequestID: id, Text: "yes"},
		session.ElicitationAnswer{RequestID: id, Action: session.Accept},
		session.ExitPlanModeAnswer{RequestID: id, Approved: true},
		session.FolderTrustAnswer{RequestID: id, Trusted: true},
		session.McpOAuthAnswer{RequestID: id, SignIn: true},
		session.AutoModeSwitchAnswer{RequestID: id, Response: session.SwitchYes},
		session.SessionLimitsExhaustedAnswer{RequestID: id, Action: session.LimitUnset},
		session.ConfirmationAnswer{RequestID: id, Accepted: true},
		session.Refusal{RequestID: id, Kind: session.KindPermissionRequested},
	} {
		if err := sess.Respond(s.Context(), a); !errors.Is(err, session.ErrResolved) {
			s.Errorf("%T to nothing: %v, want ErrResolved", a, err)
		}
	}
}

// takeBack allows something for the session, finds it among what is allowed,
// and takes it back.
func (s *suite) takeBack() {
	if !s.Remembers {
		s.Skip("nothing is allowed for longer than once in this backend")
	}
	sess, r := s.open()
	manager, ok := session.As[session.GrantManager](sess)
	if !ok {
		s.Fatal("the session does not report what is allowed")
	}
	before := s.grants(manager)
	q := s.asks(sess, r)
	if q == nil || q.PromptRequest == nil {
		s.Fatal("it does not ask at first")
	}
	if err := sess.Respond(s.Context(), session.PermissionAnswer{
		RequestID: q.RequestID, Decision: session.ApproveForSession,
		Approval: &session.Approval{Kind: "commands", CommandIdentifiers: q.PromptRequest.CommandIdentifiers},
	}); err != nil {
		s.Fatal(err)
	}
	s.idle(r)
	var granted []session.Grant
	for id, g := range s.grants(manager) {
		if _, old := before[id]; !old {
			granted = append(granted, g)
		}
	}
	for _, g := range granted {
		if g.Scope != session.GrantSession || g.What == "" || !g.Revocable {
			s.Fatalf("granted is %+v, want something for the session that can be taken back", g)
		}
	}
	if len(granted) == 0 {
		s.Fatal("nothing is granted")
	}
	if q := s.asks(sess, r); q != nil {
		s.Fatalf("it asks again about what was allowed: %+v", q)
	}
	for i, g := range granted {
		for range 2 { // the second time there is nothing to take back
			if err := manager.Revoke(s.Context(), g); err != nil {
				s.Errorf("take back: %v", err)
			}
		}
		if after := s.grants(manager); len(after) != len(before)+len(granted)-i-1 {
			s.Errorf("without %s there is %v, at first there was %v", g.What, after, before)
		}
	}
	if s.asks(sess, r) == nil {
		s.Error("it does not ask again about what was taken back")
	}
}

// asks makes the agent do what Ask wants and returns its question; nil when the
// turn ended without one.
func (s *suite) asks(sess session.Session, r *Reader) *session.PermissionRequested {
	s.Helper()
	s.send(sess, s.Ask)
	ev := r.Until("a question or the end of the turn", func(ev session.Event) bool {
		switch ev.Body.(type) {
		case session.PermissionRequested, session.AssistantIdle:
			return true
		}
		return false
	})
	q, ok := ev.Body.(session.PermissionRequested)
	if !ok {
		return nil
	}
	return &q
}

// grants are what is granted, by their ids.
func (s *suite) grants(manager session.GrantManager) map[string]session.Grant {
	s.Helper()
	all, err := manager.Grants(s.Context())
	s.must("list the grants", err)
	byID := map[string]session.Grant{}
	for _, g := range all {
		if _, twice := byID[g.ID]; twice || g.ID == "" {
			s.Errorf("two grants have the id %q", g.ID)
		}
		if !g.Revocable && g.Reason == "" {
			s.Errorf("%s cannot be taken back and does not say why", g.What)
		}
		byID[g.ID] = g
	}
	return byID
}
