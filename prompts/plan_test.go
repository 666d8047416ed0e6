package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
)

// The other actions of a plan.
const planAutopilot, planFleet, planApprove, planEdit, planReject = "autopilot", "autopilot_fleet", "approve", "edit", "reject"

const planText = "# Drain the queue before stopping\n\n" +
	"1. **Wait** for the workers in `Stop`, and not for 50 ms\n" +
	"2. Close the channel *after* the last one is done\n" +
	"3. Run `go test -race ./queue` fifty times\n\n" +
	"```go\nfunc (q *Queue) Stop() { <-q.drained }\n```\n\n" +
	"Nothing else is touched. See [the issue](https://example.org/issues/7).\n"

var planRevision = strings.NewReplacer("not for 50 ms", "give up after 5 s", "fifty times", "a hundred times").Replace(planText)

func aPlan(id session.RequestID, text string, actions ...string) session.ExitPlanModeRequested {
	if len(actions) == 0 {
		actions = []string{planAutopilot, planInteractive, planExit}
	}
	return session.ExitPlanModeRequested{
		RequestID: id, Summary: "Make Stop wait for the workers", PlanContent: text, Actions: actions,
		RecommendedAction: actions[0], ToolCallID: "call1", Model: "gpt-5.4",
	}
}

func longPlan() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "## Step %d\n\nDo what step %d says.\n\n", i, i)
	}
	return b.String()
}

// TestPlanAnswers presses every key of a plan and compares the whole answer.
func TestPlanAnswers(t *testing.T) {
	t.Parallel()
	type answer = session.ExitPlanModeAnswer
	all := aPlan("r1", planText, planAutopilot, planFleet, planInteractive, planExit, "teleport")
	none := all
	none.Actions, none.RecommendedAction = nil, ""
	documented := aPlan("r1", planText, planApprove, planEdit, planReject)
	spelled := aPlan("r1", planText, " Reject", "EDIT")
	hidden := aPlan("r1", "Delete \u202eno\u202c thing", planInteractive)
	bare := aPlan("r1", "")
	for _, tc := range []struct {
		plan session.ExitPlanModeRequested
		keys string
		want answer
	}{
		{all, "1 enter", answer{Approved: true, Action: planAutopilot}},
		{all, "2 enter", answer{Approved: true, Action: planFleet}},
		{all, "3", answer{Approved: true, Action: planInteractive}},
		{all, "4", answer{Approved: true, Action: planExit}},
		{all, "5 enter", answer{Approved: true, Action: "teleport"}},
		{all, "down enter", answer{Approved: true, Action: planAutopilot}},
		{all, "down*3 enter", answer{Approved: true, Action: planInteractive}},
		{all, "1 down up 3", answer{Approved: true, Action: planInteractive}},
		{all, "n enter", answer{}},
		{all, "f enter", answer{}},
		{all, "6 enter", answer{}},
		{all, "n space enter", answer{}},
		{all, "f y e s enter", answer{Feedback: "yes"}},
		{all, "n 1 enter", answer{Feedback: "1"}},
		{all, "f a esc f b enter", answer{Feedback: "ab"}},
		{all, "f a alt+enter b enter", answer{Feedback: "a\nb"}},
		{all, "v 3", answer{Approved: true, Action: planInteractive}},
		{documented, "1", answer{Approved: true, Action: planApprove}},
		{documented, "2 s h o r t e r enter", answer{Action: planEdit, Feedback: "shorter"}},
		{documented, "2 enter", answer{Action: planEdit}},
		{documented, "3 enter", answer{Action: planReject}},
		{documented, "3 n o enter", answer{Action: planReject, Feedback: "no"}},
		{documented, "down*3 enter*2", answer{Action: planReject}},
		{documented, "n enter", answer{}},
		{spelled, "1 enter", answer{Action: " Reject"}},
		{spelled, "2 a enter", answer{Action: "EDIT", Feedback: "a"}},
		{none, "1", answer{Approved: true, Action: planInteractive}},
		{hidden, "1 enter", answer{Approved: true, Action: planInteractive}},
		{bare, "2", answer{Approved: true, Action: planInteractive}},
	} {
		d := newDesk(t)
		d.height = 50
		d.ready(tc.plan)
		d.press(strings.Fields(tc.keys)...)
		tc.want.RequestID = "r1"
		if got := d.answer(); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.keys, got, tc.want)
		}
		if d.q.Len() != 0 || !d.q.Wake().IsZero() {
			t.Errorf("%s: not at rest", tc.keys)
		}
	}
}

// TestPlanNotAnswered presses keys that must not answer a plan.
func TestPlanNotAnswered(t *testing.T) {
	t.Parallel()
	plan := aPlan("r1", planText)
	for _, tc := range []struct {
		plan session.ExitPlanModeRequested
		keys string
	}{
		{plan, "enter"},
		{plan, "1"},
		{plan, "1*2"},
		{plan, "1 v enter"},
		{plan, "1 esc enter"},
		{plan, "y"},
		{plan, "y enter"},
		{plan, "s"},
		{plan, "l"},
		{plan, "esc"},
		{plan, "ctrl+c"},
		{plan, "f a esc"},
		{plan, "tab enter"},
		{aPlan("r1", longPlan()), "tab y e s enter"},
		{plan, "e"},
		{plan, "ctrl+y"},
		{plan, "d"},
		{aPlan("r1", "x", "teleport"), "1"},
		{aPlan("r1", "x", "teleport"), "1*3"},
		{aPlan("r1", "x", planReject), "1"},
		{aPlan("r1", "x", planReject), "1 esc enter"},
		{aPlan("r1", longPlan()), "2"},
		{aPlan("r1", longPlan()), "1 enter"},
		{aPlan("r1", longPlan()), "up*2 enter"},
	} {
		d := newDesk(t)
		d.ready(tc.plan)
		d.press(strings.Fields(tc.keys)...)
		d.none()
		if d.q.Len() != 1 {
			t.Errorf("%s: the card is gone", tc.keys)
		}
	}
}

// TestPlanReadFirst: a plan is approved only after its last line was on the
// screen, or with a word. Refusing needs nothing of that.
func TestPlanReadFirst(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		keys string
		want session.ExitPlanModeAnswer
	}{
		{"pgdown*20 2", session.ExitPlanModeAnswer{Approved: true, Action: planInteractive}},
		{"pgdown*20 1 enter", session.ExitPlanModeAnswer{Approved: true, Action: planAutopilot}},
		{"5 y e s enter", session.ExitPlanModeAnswer{Approved: true, Action: planInteractive}},
		{"n s h o r t e r enter", session.ExitPlanModeAnswer{Feedback: "shorter"}},
	} {
		d := newDesk(t)
		d.ready(aPlan("r1", longPlan()))
		d.press(strings.Fields(tc.keys)...)
		tc.want.RequestID = "r1"
		if got := d.answer(); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.keys, got, tc.want)
		}
	}
	only := aPlan("r1", longPlan(), planAutopilot, "teleport")
	d := newDesk(t)
	d.ready(only)
	if strings.Contains(d.text(), "unread") {
		t.Errorf("autopilot is offered for a plan that was not read:\n%s", d.text())
	}
}

// TestRejectNeverApproves: whatever actions an agent offers, in whatever spelling,
// and whatever is pressed, no answer approves by an action that refuses, none has
// an action that was not offered, and one that is not known takes two keys.
func TestRejectNeverApproves(t *testing.T) {
	t.Parallel()
	known := []string{planInteractive, planExit, planAutopilot, planFleet, planApprove}
	rapid.Check(t, func(rt *rapid.T) {
		offered := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom(append([]string{planEdit, planReject, "Reject", "REJECT ", "Edit", "", "teleport"}, known...)), rapid.String(),
		), 0, 6).Draw(rt, "actions")
		plan := aPlan("r1", rapid.SampledFrom([]string{planText, longPlan(), ""}).Draw(rt, "plan"), planInteractive)
		plan.Actions, plan.RecommendedAction = offered, ""
		d := newDesk(t)
		d.ready(plan)
		var keys []string
		for range rapid.IntRange(1, 10).Draw(rt, "keys") {
			keys = append(keys, rapid.SampledFrom([]string{
				"1", "2", "3", "4", "5", "n", "f", "u", "y", "e", "s", "enter", "enter", "up", "down", "tab", "esc", "end", "pgdown",
			}).Draw(rt, "key"))
			d.press(keys[len(keys)-1])
			if len(d.answers) > 0 {
				break
			}
		}
		for _, a := range d.answers {
			p, ok := a.(session.ExitPlanModeAnswer)
			no := slices.Contains([]string{planEdit, planReject}, strings.ToLower(strings.TrimSpace(p.Action)))
			offers := slices.Contains(offered, p.Action) || len(offered) == 0 && p.Action == planInteractive
			switch {
			case !ok || p.Approved && no:
				rt.Fatalf("%v approved by a refusal: %+v", keys, a)
			case p.Approved && !offers, !p.Approved && p.Action != "" && !offers:
				rt.Fatalf("%v: an action that was not offered: %+v", keys, a)
			case p.Approved && !slices.Contains(known, p.Action) && (len(keys) < 2 || keys[len(keys)-1] != "enter"):
				rt.Fatalf("%v: one key was enough for %+v", keys, a)
			}
		}
	})
}

// TestUnknownActionOfAPlan: the card says what will be sent for it.
func TestUnknownActionOfAPlan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.width = 120
	d.ready(aPlan("r1", planText, "teleport", planReject))
	for _, text := range []string{"`teleport` (recommended): sends yes with this name", "Reject: not carried out"} {
		if !strings.Contains(d.text(), text) {
			t.Errorf("the card does not say %q:\n%s", text, d.text())
		}
	}
	d.press("?")
	if text := "sent is approved: true, action: `teleport`"; !strings.Contains(d.text(), text) {
		t.Errorf("the details do not say %q:\n%s", text, d.text())
	}
}

// TestFeedbackNeverApproves: whatever is written on the line of a plan, by
// whatever way it came there, no answer that approves comes of it.
func TestFeedbackNeverApproves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk(t)
		d.ready(aPlan("r1", planText, planInteractive, planAutopilot, planExit))
		d.press(rapid.SampledFrom([]string{"f", "n", "4"}).Draw(rt, "opened"))
		for range rapid.IntRange(0, 12).Draw(rt, "keys") {
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				d.key(tea.PasteMsg{Content: rapid.SampledFrom([]string{"1\n", "yes", "y", "\r\n2"}).Draw(rt, "paste")}, time.Second)
			case 1:
				d.press("ctrl+g")
				d.q.Edited(rapid.SampledFrom([]string{"approved", "", "1", planText}).Draw(rt, "edited"), d.now)
			default:
				pause := time.Duration(rapid.IntRange(0, 900).Draw(rt, "pause")) * time.Millisecond
				d.key(stroked(rapid.SampledFrom([]string{
					"1", "2", "y", "e", "s", "enter", "enter", "alt+enter", "backspace", "up", "end", "space",
				}).Draw(rt, "key")), pause)
			}
			d.draw()
			if len(d.answers) > 0 || !d.q.dialogs[0].writing() {
				break
			}
		}
		for _, a := range d.answers {
			if p, ok := a.(session.ExitPlanModeAnswer); !ok || p.Approved || p.Action != "" || p.AutoApproveEdits {
				rt.Fatalf("approved by feedback: %+v", a)
			}
		}
	})
}

// TestPlans draws a plan in all its forms at three widths.
func TestPlans(t *testing.T) {
	t.Parallel()
	var first, scrolled, revised strings.Builder
	for _, width := range []int{60, 80, 140} {
		d := newDesk(t)
		d.width, d.height = width, 40
		d.ready(aPlan("r1", planText, planInteractive, planAutopilot, planFleet, planExit, "teleport"))
		fmt.Fprintf(&first, "-- %d\n%s\n", width, d.text())
		d.press("?", "2")
		fmt.Fprintf(&first, "-- why, and on autopilot\n%s\n", d.text())
		d.press("?", "f")
		d.typed("only step 1")
		fmt.Fprintf(&first, "-- feedback\n%s\n", d.text())

		d = newDesk(t)
		d.width, d.height = width, 24
		d.ready(aPlan("r1", longPlan()))
		fmt.Fprintf(&scrolled, "-- %d\n%s\n", width, d.text())
		d.press("2")
		fmt.Fprintf(&scrolled, "-- approved too early\n%s\n", d.text())
		d.press("pgdown", "pgdown")
		fmt.Fprintf(&scrolled, "-- read on\n%s\n", d.text())
		d.press("pgdown*30")
		fmt.Fprintf(&scrolled, "-- read\n%s\n", d.text())

		d = newDesk(t)
		d.width, d.height = width, 40
		d.ready(aPlan("r1", planText))
		d.press("f", "x", "enter")
		d.ready(aPlan("r2", planRevision))
		fmt.Fprintf(&revised, "-- %d\n%s\n", width, d.text())
		d.press("d")
		fmt.Fprintf(&revised, "-- whole\n%s\n", d.text())
	}
	sessiontest.Golden(t, "prompts/plan", first.String())
	sessiontest.Golden(t, "prompts/plan_scrolled", scrolled.String())
	sessiontest.Golden(t, "prompts/plan_revised", revised.String())

	d := newDesk(t)
	d.th, d.width, d.height = theme.Probe(), 60, 40
	d.ready(aPlan("r1", "Look at \u202e[this](https://example.org \"and that\").\n\n[//]: # (and hide this)\n", planInteractive))
	roles := "-- hidden\n" + theme.Reveal(d.text()) + "\n"
	d = newDesk(t)
	d.th, d.width, d.height = theme.Probe(), 60, 40
	d.ready(aPlan("r1", planText))
	sessiontest.Golden(t, "prompts/plan_roles", roles+"-- plan\n"+theme.Reveal(d.text())+"\n")
}

// TestRecommendedFirst: the arrow leads to the row that is recommended first, and n says no
// more than what happens.
func TestRecommendedFirst(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(session.ExitPlanModeRequested{
		RequestID: "r1", Summary: "Do it", PlanContent: "1. Do it\n", Actions: []string{planAutopilot, planInteractive, planExit}, RecommendedAction: planInteractive,
	})
	if strings.Contains(d.text(), "plan mode") {
		t.Errorf("it says which mode the session is in:\n%s", d.text())
	}
	d.press("down")
	if !strings.Contains(d.text(), "❯ 2  Yes, step by step (recommended)") {
		t.Errorf("another row was chosen:\n%s", d.text())
	}
	d.press("up")
	if !strings.Contains(d.text(), "❯ 1") {
		t.Errorf("up does not lead to the one above:\n%s", d.text())
	}
	d.press("down", "enter")
	want := session.ExitPlanModeAnswer{RequestID: "r1", Approved: true, Action: planInteractive}
	if got := d.answer(); got != want {
		t.Errorf("answered %+v", got)
	}
}
