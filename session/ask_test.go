package session_test

import (
	"maps"
	"slices"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// settles is every question and what ends it.
var settles = map[session.Kind]session.Kind{
	"permission.requested":               "permission.completed",
	"user_input.requested":               "user_input.completed",
	"elicitation.requested":              "elicitation.completed",
	"exit_plan_mode.requested":           "exit_plan_mode.completed",
	"parley.folder_trust.requested":      "parley.folder_trust.completed",
	"parley.confirmation.requested":      "parley.confirmation.completed",
	"external_tool.requested":            "external_tool.completed",
	"command.queued":                     "command.completed",
	"command.execute":                    "command.completed",
	"sampling.requested":                 "sampling.completed",
	"mcp.oauth_required":                 "mcp.oauth_completed",
	"mcp.headers_refresh_required":       "mcp.headers_refresh_completed",
	"auto_mode_switch.requested":         "auto_mode_switch.completed",
	"session_limits_exhausted.requested": "session_limits_exhausted.completed",
}

// TestAsksAndSettled holds the set of questions complete, and each of them and
// its end to the request id of the wire form.
func TestAsksAndSettled(t *testing.T) {
	t.Parallel()
	ends := slices.Collect(maps.Values(settles))
	for kind := range sessiontest.Events(t) {
		line := `{"type":"` + string(kind) + `","data":{"requestId":"r-1"}}`
		b := session.Decode([]byte(line)).Body
		ask, isAsk := b.(session.Ask)
		if _, want := settles[kind]; isAsk != want {
			t.Errorf("%s is an Ask: %t, want %t", kind, isAsk, want)
		}
		end, isEnd := b.(session.Resolved)
		if want := slices.Contains(ends, kind); isEnd != want {
			t.Errorf("%s is Resolved: %t, want %t", kind, isEnd, want)
		}
		if isAsk && ask.Request() != "r-1" || isEnd && end.Resolves() != "r-1" {
			t.Errorf("%s does not say its request id", kind)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, a := range []session.Answer{
		session.PermissionAnswer{RequestID: "r"},
		session.UserInputAnswer{RequestID: "r"},
		session.ElicitationAnswer{RequestID: "r"},
		session.ExitPlanModeAnswer{RequestID: "r"},
		session.FolderTrustAnswer{RequestID: "r"},
		session.ConfirmationAnswer{RequestID: "r"},
		session.McpOAuthAnswer{RequestID: "r"},
		session.AutoModeSwitchAnswer{RequestID: "r"},
		session.SessionLimitsExhaustedAnswer{RequestID: "r"},
		session.Refusal{RequestID: "r"},
	} {
		if a.Request() != "r" {
			t.Errorf("%T does not say its request id", a)
		}
	}
}

func TestDecisionApproves(t *testing.T) {
	t.Parallel()
	for d, want := range map[session.Decision]bool{
		session.ApproveOnce: true, session.ApproveForSession: true, session.ApproveForLocation: true,
		session.ApprovePermanently: true, session.ApproveReadOnlyForSession: true,
		session.Reject: false, "": false,
	} {
		if d.Approves() != want {
			t.Errorf("%q approves: %t", d, d.Approves())
		}
	}
}

// TestPermissionResultApproved fails closed: what is not known is no approval.
func TestPermissionResultApproved(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		"approved": true, "approved-for-session": true, "approved-for-location": true,
		"approved-read-only-for-session": true,
		"cancelled":                      false, "denied-by-rules": false, "denied-interactively-by-user": false,
		"denied-no-approval-rule-and-could-not-request-from-user": false,
		"denied-by-content-exclusion-policy":                      false,
		"denied-by-permission-request-hook":                       false,
		"approved-in-some-new-way":                                false, "": false,
	} {
		if r := (session.PermissionResult{Kind: kind}); r.Approved() != want {
			t.Errorf("%q is approved: %t", kind, r.Approved())
		}
	}
}

func TestFreeform(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	tests := []struct {
		choices []string
		allow   *bool
		want    bool
	}{
		{nil, nil, true},
		{nil, &no, true},
		{[]string{"a"}, nil, true},
		{[]string{"a"}, &yes, true},
		{[]string{"a"}, &no, false},
	}
	for _, tt := range tests {
		r := session.UserInputRequested{Choices: tt.choices, AllowFreeform: tt.allow}
		if r.Freeform() != tt.want {
			t.Errorf("%+v: freeform is %t", tt, r.Freeform())
		}
	}
}

func TestElicitationMode(t *testing.T) {
	t.Parallel()
	for mode, want := range map[session.ElicitationMode]bool{"": true, session.FormMode: true, session.URLMode: false, "x": false} {
		if r := (session.ElicitationRequested{Mode: mode}); r.IsForm() != want {
			t.Errorf("%q is a form: %t", mode, r.IsForm())
		}
	}
}

// TestPermissionModes reads the wire form and the form of stored logs.
func TestPermissionModes(t *testing.T) {
	t.Parallel()
	tests := []struct{ data, previous, now string }{
		{`{"previousMode":"manual","mode":"allow-all"}`, "manual", "allow-all"},
		{`{"previousMode":"allow-all","mode":"assisted"}`, "allow-all", "assisted"},
		{`{"previousAllowAllPermissions":false,"allowAllPermissions":true}`, "manual", "allow-all"},
		{`{"previousAllowAllPermissionMode":"on","allowAllPermissionMode":"off"}`, "allow-all", "manual"},
		{`{"previousAllowAllPermissionsMode":"off","allowAllPermissionsMode":"on"}`, "manual", "allow-all"},
		{`{"previousAllowAllPermissionMode":"assisted"}`, "assisted", "manual"},
		{`{}`, "manual", "manual"},
	}
	for _, tt := range tests {
		ev := session.Decode([]byte(`{"type":"session.permissions_changed","data":` + tt.data + `}`))
		if left := extras(ev); len(left) > 0 {
			t.Errorf("no field for %v", left)
		}
		b, ok := ev.Body.(session.SessionPermissionsChanged)
		if !ok {
			t.Fatalf("%s: %+v", tt.data, ev.Body)
		}
		if was, now := b.Modes(); string(was) != tt.previous || string(now) != tt.now {
			t.Errorf("%s: from %s to %s", tt.data, was, now)
		}
	}
}
