package timeline_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

func TestHowServicesWereAnswered(t *testing.T) {
	t.Parallel()
	signIn := session.McpOAuthRequired{RequestID: "q", ServerName: "web"}
	auto := session.AutoModeSwitchRequested{RequestID: "q", ErrorCode: "weekly"}
	limit := session.SessionLimitsExhaustedRequested{RequestID: "q", UsedAICredits: 10.5, MaxAICredits: 10}
	answer := func(json string) session.Body {
		return session.SessionLimitsExhaustedCompleted{RequestID: "q", Response: jsontext.Value(json)}
	}
	const spent = "question This session has used 10.5 of 10 AI credits. Continue? "
	checkNotices(t, map[string]noticeCase{
		"signed in":     {[]session.Body{signIn, session.McpOAuthCompleted{RequestID: "q", Outcome: "token"}}, "question Sign in to MCP server “web”? Signed in"},
		"not signed in": {[]session.Body{signIn, session.McpOAuthCompleted{RequestID: "q", Outcome: "cancelled"}}, "question Sign in to MCP server “web”? Not signed in (cancelled)"},
		"not asked for": {[]session.Body{session.McpOAuthCompleted{RequestID: "q", Outcome: "token"}}, ""},
		"again":         {[]session.Body{session.McpOAuthRecoveryCompleted{ServerName: "web", Outcome: "succeeded"}}, "success mcp: Signed in to MCP server “web” again"},
		"again, cancelled": {
			[]session.Body{session.McpOAuthRecoveryCompleted{ServerName: "web", Outcome: "cancelled"}},
			"info mcp: Signing in to MCP server “web” again was cancelled",
		},
		"again, in vain": {
			[]session.Body{session.McpOAuthRecoveryCompleted{ServerName: "web", Outcome: "failed"}},
			"warning mcp: Signing in to MCP server “web” again did not work > Restart the server with /mcp to try once more.",
		},
		"another model": {
			[]session.Body{auto, session.AutoModeSwitchCompleted{RequestID: "q", Response: session.SwitchYes}},
			"question The model is at its limit. Continue with another? Yes",
		},
		"always another model": {
			[]session.Body{auto, session.AutoModeSwitchCompleted{RequestID: "q", Response: session.SwitchAlways}},
			"question The model is at its limit. Continue with another? Yes, always",
		},
		"no other model": {
			[]session.Body{auto, session.AutoModeSwitchCompleted{RequestID: "q", Response: session.SwitchNo}},
			"question The model is at its limit. Continue with another? No (refused)",
		},
		"more credits":  {[]session.Body{limit, answer(`{"action":"add","additionalAiCredits":5}`)}, spent + "Yes, with 5 more"},
		"another limit": {[]session.Body{limit, answer(`{"action":"set","maxAiCredits":20}`)}, spent + "Yes, up to 20"},
		"no limit":      {[]session.Body{limit, answer(`{"action":"unset"}`)}, spent + "Yes, without a limit"},
		"no credits":    {[]session.Body{limit, answer(`{"action":"cancel"}`)}, spent + "No (refused)"},
		"no answer":     {[]session.Body{limit, answer(`[]`)}, spent + " (cancelled)"},
	})
}

// TestSigningInOutlivesTheTurn: its card stays, so the session keeps waiting.
func TestSigningInOutlivesTheTurn(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(session.McpOAuthRequired{RequestID: "a"}, session.AutoModeSwitchRequested{RequestID: "b"})
	if s := f.Status(); s.Waiting != 2 {
		t.Errorf("%d questions wait", s.Waiting)
	}
	if s := f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{}).Status(); s.Waiting != 1 {
		t.Errorf("%d questions wait after the turn", s.Waiting)
	}
}

func TestLimitsAndEarlierAnswers(t *testing.T) {
	t.Parallel()
	limit := func(json string) session.Body {
		return session.SessionSessionLimitsChanged{SessionLimits: jsontext.Value(json)}
	}
	recovery := func(status, reason string) session.Body {
		return session.SessionPermissionRecovery{EpisodeID: "ep", Status: status, Reason: reason}
	}
	checkNotices(t, map[string]noticeCase{
		"a limit, and none": {
			[]session.Body{limit(`{"maxAiCredits":10}`), limit(`{"maxAiCredits":10}`), limit(`null`)},
			"info limits: This session may use 10 AI credits\ninfo limits: This session may use as many AI credits as it takes",
		},
		"no limit before or after": {[]session.Body{limit(`null`), limit(`{}`)}, ""},
		"a way is looked for": {
			[]session.Body{recovery("recovering", "permission_required")},
			"minor info permissions: Autopilot looks for a way around a refusal (live)",
		},
		"and asked for": {
			[]session.Body{recovery("recovering", ""), recovery("awaiting_approval", "")},
			"minor info permissions: Autopilot found no way around a refusal, and asks (live)",
		},
		"and found": {
			[]session.Body{recovery("recovering", ""), recovery("resolved", "permission_approved")},
			"minor info permissions: Autopilot continues after a refusal: permission approved",
		},
		"and not found": {
			[]session.Body{recovery("recovering", ""), recovery("blocked", "attempts_exhausted")},
			"warning permissions: Autopilot found no way around a refusal: attempts exhausted" +
				" > Tell it how to continue, or allow what it asked for. (failed)",
		},
		"and after all": {
			[]session.Body{recovery("blocked", ""), recovery("recovering", "")},
			"minor info permissions: Autopilot looks for a way around a refusal (live)",
		},
		"an earlier answer": {
			[]session.Body{startOf("bash", `{"command":"make"}`), session.PermissionCarriedForward{ToolCallID: "c"}},
			"minor info permissions: An earlier answer decided about running make",
		},
		"an earlier answer about nothing known": {
			[]session.Body{session.PermissionCarriedForward{ToolCallID: "c"}},
			"minor info permissions: An earlier answer decided about a call",
		},
	})
}

func TestOtherSettings(t *testing.T) {
	t.Parallel()
	checkNotices(t, map[string]noticeCase{
		"a schedule's next time": {
			[]session.Body{session.SessionScheduleRearmed{ID: 2, NextRunAt: clock(0).UnixMilli()}},
			"minor info schedule: Schedule 2 runs next at 2026-03-02 09:00 UTC",
		},
		"a file of the session": {
			[]session.Body{
				session.SessionWorkspaceFileChanged{Path: "notes.md", Operation: "create"},
				session.SessionWorkspaceFileChanged{Path: "notes.md", Operation: "update"},
			},
			"minor info workspace: The session's own file “notes.md” was written\n" +
				"minor info workspace: The session's own file “notes.md” was changed",
		},
		"a tier that stays": {
			[]session.Body{session.SessionAutoTierSwitchFailed{EffectiveAutoTier: "balance", RequestedAutoTier: "intelligence", Reason: "policy_rejected"}},
			"warning model: The automatic choice of models could not be changed to intelligence: policy rejected > It stays balance. Choose a model with /model.",
		},
		"a tier": {[]session.Body{session.SessionAutoTierSwitchFailed{}}, "warning model: The automatic choice of models could not be changed"},
		"steered from elsewhere": {
			[]session.Body{
				session.SessionRemoteSteerableChanged{},
				session.SessionRemoteSteerableChanged{RemoteSteerable: true},
				session.SessionRemoteSteerableChanged{RemoteSteerable: true},
				session.SessionRemoteSteerableChanged{},
			},
			"info remote: This session can be steered from elsewhere now\ninfo remote: This session can no longer be steered from elsewhere",
		},
	})
}
