package generate

import (
	"strings"
	"testing"

	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// TestQuestions: every question opens a card that says what is asked, its call
// waits, and its end closes the card and leaves how it ended.
func TestQuestions(t *testing.T) {
	t.Parallel()
	shell := session.PermissionRequested{RequestID: "q", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c", FullCommandText: "git push"},
	}}
	for _, tt := range []struct {
		asked, ended string // the subtests, named by the events
		asks         session.Ask
		shows        []string // on the card
		waits        bool     // the call does
		ends         session.Resolved
		leaves       string // what the newest entry says then
	}{
		{
			asked: "permission.requested", ended: "permission.completed", asks: shell, waits: true,
			shows: []string{"Run this command?", "git push", "Yes, once", "No"},
			ends:  session.PermissionCompleted{RequestID: "q", Result: session.PermissionResult{Kind: "approved"}}, leaves: "bash live",
		},
		{
			asked: "permission.requested, to refuse it", ended: "permission.completed, refused", asks: shell, waits: true,
			ends: session.PermissionCompleted{RequestID: "q", Result: session.PermissionResult{
				Kind: session.DeniedByUser, Feedback: "use a branch",
			}}, leaves: "bash refused by you: use a branch",
		},
		{
			asked: "permission.requested, to have a rule refuse it", ended: "permission.completed, refused by a rule", asks: shell, waits: true,
			ends:   session.PermissionCompleted{RequestID: "q", Result: session.PermissionResult{Kind: session.DeniedByRules}},
			leaves: "bash refused by a rule",
		},
		{
			asked: "user_input.requested", ended: "user_input.completed",
			asks:  session.UserInputRequested{RequestID: "q", ToolCallID: "c", Question: "Which branch?", Choices: []string{"main", "dev"}},
			shows: []string{"Which branch?", "main", "dev"}, waits: true,
			ends: session.UserInputCompleted{RequestID: "q", Answer: "dev"}, leaves: "bash live",
		},
		{
			asked: "elicitation.requested", ended: "elicitation.completed",
			asks: session.ElicitationRequested{
				RequestID: "q", Message: "Where to?", RequestedSchema: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`),
			},
			shows:  []string{"Where to?", "city"},
			ends:   session.ElicitationCompleted{RequestID: "q", Action: session.Accept, Content: []byte(`{"city":"Oslo"}`)},
			leaves: "Where to? → city: Oslo",
		},
		{
			asked: "elicitation.requested, an address", ended: "elicitation.completed, declined",
			asks:  session.ElicitationRequested{RequestID: "q", Message: "Sign in", Mode: session.URLMode, URL: "https://a.example/x"},
			shows: []string{"Sign in", "https://a.example/x"},
			ends:  session.ElicitationCompleted{RequestID: "q", Action: session.Decline}, leaves: "Sign in → Declined",
		},
		{
			asked: "exit_plan_mode.requested", ended: "exit_plan_mode.completed",
			asks: session.ExitPlanModeRequested{
				RequestID: "q", Summary: "Drain it", PlanContent: "1. Close the valve", Actions: []string{"interactive"},
			},
			shows:  []string{"Carry out this plan?", "Close the valve", "Yes, step by step"},
			ends:   session.ExitPlanModeCompleted{RequestID: "q", SelectedAction: "interactive"},
			leaves: "Carry out the plan? Drain it → Yes, step by step",
		},
		{
			asked: "mcp.oauth_required", ended: "mcp.oauth_completed",
			asks:  session.McpOAuthRequired{RequestID: "q", ServerName: "tickets", ServerURL: "https://web.example"},
			shows: []string{"Sign in", "tickets", "https://web.example"},
			ends:  session.McpOAuthCompleted{RequestID: "q", Outcome: "token"}, leaves: "Sign in to MCP server “tickets”? → Signed in",
		},
		{
			asked: "auto_mode_switch.requested", ended: "auto_mode_switch.completed",
			asks:   session.AutoModeSwitchRequested{RequestID: "q", ErrorCode: "weekly", RetryAfterSeconds: 7200},
			shows:  []string{"limit", "model", "2 h", "this week"},
			ends:   session.AutoModeSwitchCompleted{RequestID: "q", Response: session.SwitchYes},
			leaves: "The model is at its limit. Continue with another? → Yes",
		},
		{
			asked: "session_limits_exhausted.requested", ended: "session_limits_exhausted.completed",
			asks:   session.SessionLimitsExhaustedRequested{RequestID: "q", UsedAICredits: 10.5, MaxAICredits: 10},
			shows:  []string{"10.5", "10", "credits"},
			ends:   session.SessionLimitsExhaustedCompleted{RequestID: "q", Response: []byte(`{"action":"add","additionalAiCredits":5}`)},
			leaves: "This session has used 10.5 of 10 AI credits. Continue? → Yes, with 5 more",
		},
	} {
		w := newWatcher()
		w.apply(session.Event{ID: "start", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash"}})
		call, _ := w.timeline.At(0).Body.(*timeline.ToolCall)
		w.apply(session.Event{ID: "asked", Ephemeral: true, Body: tt.asks})
		t.Run(tt.asked, func(t *testing.T) {
			card := strings.Join(w.questions.View(100, 40, theme.Plain()), "\n")
			for _, text := range tt.shows {
				if !strings.Contains(card, text) {
					t.Errorf("the card does not say %q:\n%s", text, card)
				}
			}
			if w.questions.Len() != 1 || w.timeline.Status().Waiting != 1 || call.Waiting != tt.waits {
				t.Errorf("%d cards, %d questions, the call waits: %t", w.questions.Len(), w.timeline.Status().Waiting, call.Waiting)
			}
		})
		w.apply(session.Event{ID: "ended", Ephemeral: true, Body: tt.ends})
		t.Run(tt.ended, func(t *testing.T) {
			if w.questions.Len() != 0 || w.timeline.Status().Waiting != 0 || call.Waiting {
				t.Errorf("%d cards, %d questions, the call waits: %t", w.questions.Len(), w.timeline.Status().Waiting, call.Waiting)
			}
			if got := saying(w.timeline.At(w.timeline.Len() - 1)); got != tt.leaves {
				t.Errorf("it leaves %q, want %q", got, tt.leaves)
			}
		})
	}
}

// saying is what a call or a receipt says.
func saying(e *timeline.Entry) string {
	switch b := e.Body.(type) {
	case *timeline.ToolCall:
		text := b.Name + " " + e.State.String() + b.RefusedBy.String()
		if b.Feedback != "" {
			text += ": " + b.Feedback
		}
		return text
	case *timeline.AnsweredQuestion:
		return b.Question + " → " + b.Answer
	}
	return ""
}
