package prompts

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// others are the questions that belong to no call, by the name of their golden.
func others() map[string]session.Ask {
	return map[string]session.Ask{
		"oauth": session.McpOAuthRequired{
			RequestID: "r1", ServerName: "jira", ServerURL: "https://mcp.example.org/v1/mcp", Reason: "initial",
			WWWAuthenticateParams: []byte(`{"resourceMetadataUrl":"https://mcp.example.org/.well-known/x","scope":"read write"}`),
		},
		"oauth_scopes": session.McpOAuthRequired{
			RequestID: "r1", ServerName: "web", ServerURL: "http://127.0.0.1:8102/mcp", Reason: "upscope",
			WWWAuthenticateParams: []byte(`{"error":"insufficient_scope"}`),
			ResourceMetadata:      `{"resource":"http://127.0.0.1:8102/mcp","scopes_supported":["read","admin"]}`,
		},
		"oauth_odd": session.McpOAuthRequired{
			RequestID: "r1", ServerName: "git\u200bhub", ServerURL: "http://github.com@xn--gthub-n4a.com/mcp", Reason: "refresh",
		},
		"model_limit": session.AutoModeSwitchRequested{
			RequestID: "r1", ErrorCode: "user_weekly_rate_limited", RetryAfterSeconds: 5400.5,
		},
		"model_limit_bare": session.AutoModeSwitchRequested{RequestID: "r1"},
		"spending_limit":   session.SessionLimitsExhaustedRequested{RequestID: "r1", UsedAICredits: 100.25, MaxAICredits: 100},
	}
}

// TestOthers draws these questions at three widths.
func TestOthers(t *testing.T) {
	t.Parallel()
	for name, ask := range others() {
		var b strings.Builder
		for _, width := range []int{60, 80, 140} {
			d := newDesk(t)
			d.width = width
			d.ready(ask)
			fmt.Fprintf(&b, "-- %d\n%s\n", width, d.text())
		}
		if name == "spending_limit" {
			d := newDesk(t)
			d.ready(ask)
			d.press("1")
			fmt.Fprintf(&b, "-- add\n%s\n", d.text())
			d.typed("x")
			d.press("enter")
			fmt.Fprintf(&b, "-- no number\n%s\n", d.text())
			d.press("esc", "2")
			fmt.Fprintf(&b, "-- set\n%s\n", d.text())
			d.press("esc", "3")
			fmt.Fprintf(&b, "-- unset\n%s\n", d.text())
		}
		sessiontest.Golden(t, "prompts/"+name, b.String())
	}
}

// TestOtherAnswers presses the keys of these questions and compares the whole
// answer.
func TestOtherAnswers(t *testing.T) {
	t.Parallel()
	type limit = session.SessionLimitsExhaustedAnswer
	oauth := func(yes bool) session.Answer { return session.McpOAuthAnswer{RequestID: "r1", SignIn: yes} }
	model := func(s string) session.Answer { return session.AutoModeSwitchAnswer{RequestID: "r1", Response: s} }
	for _, tc := range []struct {
		ask, keys string
		want      session.Answer // nil: none
	}{
		{"oauth", "y", oauth(true)},
		{"oauth", "1 enter", oauth(true)},
		{"oauth", "down enter", oauth(true)},
		{"oauth", "n", oauth(false)},
		{"oauth_odd", "y", nil},
		{"oauth_odd", "y enter", oauth(true)},
		{"oauth_odd", "n", oauth(false)},
		{"oauth", "enter", nil},
		{"oauth", "s", nil},
		{"model_limit", "y", model(session.SwitchYes)},
		{"model_limit", "l", nil},
		{"model_limit", "l enter", model(session.SwitchAlways)},
		{"model_limit", "n", model(session.SwitchNo)},
		{"model_limit", "down*2 enter", model(session.SwitchAlways)},
		{"model_limit", "enter", nil},
		{"spending_limit", "1 5 0 enter", limit{RequestID: "r1", Action: session.LimitAdd, Credits: 50}},
		{"spending_limit", "1 1 2 . 5 enter", limit{RequestID: "r1", Action: session.LimitAdd, Credits: 12.5}},
		{"spending_limit", "tab 5 enter", limit{RequestID: "r1", Action: session.LimitAdd, Credits: 5}},
		{"spending_limit", "2 2 0 0 enter", limit{RequestID: "r1", Action: session.LimitSet, Credits: 200}},
		{"spending_limit", "2 1 0 0 enter", nil}, // less than it has used
		{"spending_limit", "1 0 enter", nil},
		{"spending_limit", "1 - 5 enter", nil},
		{"spending_limit", "1 1 e 9 enter", nil},
		{"spending_limit", "1 i n f enter", nil},
		{"spending_limit", "1 n a n enter", nil},
		{"spending_limit", "1 enter", nil},
		{"spending_limit", "3", nil},
		{"spending_limit", "3 enter", limit{RequestID: "r1", Action: session.LimitUnset}},
		{"spending_limit", "n", limit{RequestID: "r1", Action: session.LimitCancel}},
		{"spending_limit", "y", nil},
		{"spending_limit", "esc", nil},
	} {
		d := newDesk(t)
		d.ready(others()[tc.ask])
		d.press(strings.Fields(tc.keys)...)
		if tc.want == nil {
			if d.none(); d.q.Len() != 1 {
				t.Errorf("%s, %s: the card is gone", tc.ask, tc.keys)
			}
			continue
		}
		if got := d.answer(); got != tc.want {
			t.Errorf("%s, %s: got %+v, want %+v", tc.ask, tc.keys, got, tc.want)
		}
	}
}

// TestOtherSizes: at any size these cards fit, and what cannot be seen cannot
// be answered.
func TestOtherSizes(t *testing.T) {
	t.Parallel()
	asks := others()
	asks["plan"] = aPlan("r1", planText)
	asks["plan_unknown"] = aPlan("r1", "x", "teleport", planFleet)
	for name, ask := range asks {
		d := newDesk(t)
		d.apply(ask)
		for width := 0; width <= 100; width += 9 {
			for height := range 26 {
				d.width, d.height = width, height
				d.draw()
				c := d.q.card()
				for i, r := range c.choices.rows {
					if c.ready(i) && !strings.Contains(d.text(), r.label[:min(4, len(r.label))]) {
						t.Errorf("%s at %dx%d: row %d could be chosen unseen:\n%s", name, width, height, i, d.text())
					}
				}
			}
		}
	}
}

// TestOthersEnd: what belongs to no turn stays after an interruption.
func TestOthersEnd(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, ask := range others() {
		if _, ok := ask.(session.McpOAuthRequired); !ok {
			d.apply(ask)
			if d.apply(session.Abort{}); d.q.Len() != 0 {
				t.Errorf("%T stays after an abort", ask)
			}
			continue
		}
		d.apply(ask)
		d.apply(session.Abort{})
		if d.apply(session.AssistantIdle{}); d.q.Len() != 1 {
			t.Errorf("%T ends with the turn", ask)
		}
		if d.apply(session.McpOAuthCompleted{RequestID: "r1"}); d.q.Len() != 0 {
			t.Errorf("%T stays after it was settled", ask)
		}
	}
}

func TestWaitTime(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[float64]string{
		0: "", -5: "", 0.2: "in 1 s", 90: "in 1 m 30 s", 5401: "in 1 h 30 m", 48 * 3600: "in 2 d 00 h", 1e300: "", math.NaN(): "",
	} {
		got := ""
		for _, f := range newModelLimit(session.AutoModeSwitchRequested{RetryAfterSeconds: seconds}, about{}).facts {
			got += f.text
		}
		if got != want {
			t.Errorf("%v: got %q, want %q", seconds, got, want)
		}
	}
}
