package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestLoggedGrants lists and takes back through the log, which says of it no
// more than how far it reached.
func TestLoggedGrants(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	grant := session.Grant{ID: secret, Scope: session.GrantLocation, What: secret, Where: secret, Revocable: true}
	scripted := sessiontest.NewScripted()
	scripted.OnOpen = func(s *sessiontest.ScriptedSession) { s.Granted = []session.Grant{grant} }
	s, err := logged(scripted, logger(&log)).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keeper, ok := s.(session.GrantKeeper)
	if !ok {
		t.Fatal("the logged session does not tell what is allowed")
	}
	if all, err := keeper.Grants(t.Context()); err != nil || len(all) != 1 || all[0] != grant {
		t.Errorf("granted are %v, %v", all, err)
	}
	if err := keeper.Revoke(t.Context(), grant); err != nil {
		t.Error(err)
	}
	if all, err := keeper.Grants(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("granted are %v, %v", all, err)
	}
	grant.Scope = secret
	if err := keeper.Revoke(t.Context(), grant); err != nil {
		t.Error(err)
	}
	if said := log.String(); strings.Contains(said, secret) || !strings.Contains(said, `"scope":"location"`) || !strings.Contains(said, `"scope":"other"`) {
		t.Errorf("the log says %s", said)
	}
}

// TestLoggedWithoutGrants finds out only when it asks.
func TestLoggedWithoutGrants(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	strip := func(s session.Session) session.Session { return bare{s} }
	s, err := logged(bareAgent{sessiontest.NewScripted(), strip}, logger(&log)).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	keeper, ok := s.(session.GrantKeeper)
	if !ok {
		t.Fatal("the logged session is no GrantKeeper")
	}
	_, listed := keeper.Grants(t.Context())
	revoked := keeper.Revoke(t.Context(), session.Grant{})
	if !errors.Is(listed, errors.ErrUnsupported) || !errors.Is(revoked, errors.ErrUnsupported) {
		t.Errorf("listed: %v, revoked: %v", listed, revoked)
	}
}

// TestAnswerKinds logs what was answered only as far as it is one of a few
// words.
func TestAnswerKinds(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]session.Answer{
		"sign in true":      session.McpOAuthAnswer{SignIn: true},
		"sign in false":     session.McpOAuthAnswer{},
		"switch yes_always": session.AutoModeSwitchAnswer{Response: session.SwitchAlways},
		"switch":            session.AutoModeSwitchAnswer{Response: secret},
		"limit add":         session.SessionLimitsExhaustedAnswer{Action: session.LimitAdd, Credits: 7},
		"limit":             session.SessionLimitsExhaustedAnswer{Action: secret},
	} {
		if got := answerKind(a); got != want {
			t.Errorf("%+v is logged as %q, want %q", a, got, want)
		}
	}
}
