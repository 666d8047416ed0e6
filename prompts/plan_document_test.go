package prompts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/theme"
)

// TestPlanEditor: the plan opens in the user's editor. What they changed in
// it goes back as feedback; what they only read changes nothing.
func TestPlanEditor(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"e", "ctrl+y"} {
		d := newDesk(t)
		d.ready(aPlan("r1", planText))
		d.press(key)
		if want := []Effect{OpenEditor{Text: planText, Name: "plan.md"}}; !slices.Equal(d.effects, want) {
			t.Fatalf("%s: %v", key, d.effects)
		}
		d.q.Edited(planText+"\n", d.now)
		if d.draw(); d.q.card().writing() {
			t.Fatalf("%s: a plan that was only read opens a line:\n%s", key, d.text())
		}
		d.press(key)
		d.q.Edited("# Do less\n", d.now)
		d.draw()
		d.wait(time.Second)
		d.none()
		d.press("enter")
		want := session.ExitPlanModeAnswer{RequestID: "r1", Feedback: "I changed the plan. Use this version:\n\n# Do less"}
		if got := d.answer(); got != want {
			t.Errorf("%s: got %+v", key, got)
		}
	}
	d := newDesk(t) // what is edited on the line is the line, also when the card was left meanwhile
	d.ready(aPlan("r1", planText))
	d.press("f", "a", "ctrl+g")
	d.q.Blur(d.now)
	d.q.Edited("a longer wish", d.now)
	d.q.Focus(d.now)
	d.draw()
	d.settle()
	d.press("enter")
	if got := d.answer().(session.ExitPlanModeAnswer).Feedback; got != "a longer wish" {
		t.Errorf("feedback %q", got)
	}
	d = newDesk(t) // a plan that is settled elsewhere while it is in the editor
	d.ready(aPlan("r1", planText))
	d.press("e")
	d.apply(session.ExitPlanModeCompleted{RequestID: "r1"})
	d.q.Edited("# Do less", d.now)
	if got := d.q.Unsent(); len(got) != 1 || !strings.HasSuffix(got[0], "# Do less") {
		t.Errorf("unsent %q", got)
	}
}

// TestEditorIsNoLetterOfAWord: who types does not get an editor.
func TestEditorIsNoLetterOfAWord(t *testing.T) {
	t.Parallel()
	for _, body := range []session.Body{aPlan("r1", planText), shell("git push", "git push")} {
		d := newDesk(t)
		d.ready(body)
		d.typed("every step")
		d.wait(time.Second)
		if len(d.effects) != 0 || d.draft.String() != "every step" {
			t.Errorf("%T: %v, draft %q", body, d.effects, d.draft.String())
		}
	}
}

// revise shows one plan and then another, after the first was refused.
func revise(t *testing.T, first, second string, read bool, keys ...string) *desk {
	t.Helper()
	d := newDesk(t)
	d.width, d.height = 80, 40
	if !read {
		d.height = 16
	}
	d.ready(aPlan("r1", first))
	d.press("n", "x", "enter")
	d.answer()
	d.answers = nil
	d.height = 40
	d.ready(aPlan("r2", second))
	d.press(keys...)
	return d
}

// TestRevisedPlan: a plan that comes again is shown as what has changed, if
// the rest was read before.
func TestRevisedPlan(t *testing.T) {
	t.Parallel()
	const brief, whole, same = "What has changed since", "Changed since the plan before", "The same plan as before"
	for _, tc := range []struct {
		name, first, second string
		read                bool
		keys                string
		want                string
	}{
		{"read", planText, planRevision, true, "", brief},
		{"whole text", planText, planRevision, true, "d", whole},
		{"and back", planText, planRevision, true, "d d", brief},
		{"not read", longPlan(), longPlan() + "And more.\n", false, "", whole},
		{"not read, changes", longPlan(), longPlan() + "And more.\n", false, "d", brief},
		{"no line in common", "one", "two", true, "", whole},
		{"unchanged", planText, planText + "\n", true, "", same},
	} {
		d := revise(t, tc.first, tc.second, tc.read, strings.Fields(tc.keys)...)
		for _, text := range []string{brief, whole, same} {
			if got := strings.Contains(d.text(), text); got != (text == tc.want) {
				t.Errorf("%s: %q is there: %v\n%s", tc.name, text, got, d.text())
			}
		}
	}
	d := revise(t, planText, planRevision, true, "2")
	if got := d.answer().(session.ExitPlanModeAnswer); !got.Approved || got.RequestID != "r2" {
		t.Errorf("read changes do not do: %+v", got)
	}
	d = revise(t, longPlan(), longPlan()+"And more.\n", false, "d", "pgdown", "2")
	d.none() // the changes do not stand for a text that was not read
	d.press(append(strings.Fields("d pgdown*10"), "2")...)
	d.answer()
}

// TestPlanComments: what is said about a line of the changes goes along with a
// refusal.
func TestPlanComments(t *testing.T) {
	t.Parallel()
	d := revise(t, planText, planRevision, true, "}", "c")
	d.typed("five is not enough")
	d.press("enter", "f")
	d.typed("and tell me why")
	d.press("enter")
	got := d.answer().(session.ExitPlanModeAnswer)
	if got.Approved || !strings.HasPrefix(got.Feedback, "and tell me why\n\n") ||
		!strings.Contains(got.Feedback, "five is not enough") || !strings.Contains(got.Feedback, "plan.md:") {
		t.Errorf("got %+v", got)
	}
}

// TestFrameOfALongPlan: a plan is drawn once; a further frame costs what is on
// the screen, whether all of it is shown or what has changed.
func TestFrameOfALongPlan(t *testing.T) { // not parallel: it counts allocations
	th, text := theme.Dark(), strings.Repeat("## Step\n\nDo *this* in `a.go`, and then look.\n\n", 1250)
	q := NewQueue()
	frame := func() { q.View(80, 40, th) }
	for i, plan := range []string{text, strings.Replace(text, "this", "that", 40)} {
		q.Apply(session.Event{Body: aPlan(session.RequestID(rune('a'+i)), plan)}, start)
		q.card().payload.(*planDocument).brief = i > 0
		frame()
		if allocs := testing.AllocsPerRun(5, frame); allocs > 1500 {
			t.Errorf("plan %d: a further frame makes %.0f allocations", i, allocs)
		}
		q.Apply(session.Event{Body: session.ExitPlanModeCompleted{RequestID: session.RequestID(rune('a' + i))}}, start)
	}
}

// TestPlansOfOthers: a plan is compared with the last one of its agent, and
// not with itself when its answer could not be delivered.
func TestPlansOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 40
	d.ready(aPlan("r1", planText))
	d.apply(session.ExitPlanModeCompleted{RequestID: "r1"})
	other := aPlan("r2", planRevision)
	d.event(session.Event{Agent: "agent-1", Body: other})
	if d.settle(); strings.Contains(d.text(), "since the plan") {
		t.Errorf("compared with the plan of another agent:\n%s", d.text())
	}
	d.press("f", "a", "b", "enter")
	d.answer()
	d.event(session.Event{Agent: "agent-1", Body: other})
	if d.settle(); strings.Contains(d.text(), "plan as before") || d.q.Len() != 1 {
		t.Errorf("compared with itself:\n%s", d.text())
	}
}
