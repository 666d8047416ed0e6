package session_test

import (
	"testing"

	"parley/session"
)

// TestAnswerSummary reports what was answered only as far as it is one of a few
// words.
func TestAnswerSummary(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]session.Answer{
		"sign in true":      session.McpOAuthAnswer{SignIn: true},
		"sign in false":     session.McpOAuthAnswer{},
		"switch yes_always": session.AutoModeSwitchAnswer{Response: session.SwitchAlways},
		"switch":            session.AutoModeSwitchAnswer{Response: "a secret"},
		"limit add":         session.SessionLimitsExhaustedAnswer{Action: session.LimitAdd, Credits: 7},
		"limit":             session.SessionLimitsExhaustedAnswer{Action: "a secret"},
	} {
		if got := a.Summary(); got != want {
			t.Errorf("%+v is reported as %q, want %q", a, got, want)
		}
	}
}
