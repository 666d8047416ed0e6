package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// playPlans starts in plan mode and returns where the agent keeps its plan.
func playPlans(t *testing.T, l launch) (s *stage, plan string) {
	t.Helper()
	home := t.TempDir()
	l.own, l.args, l.env = true, append(l.args, "--mode", "plan"), append(l.env, "COPILOT_HOME="+home)
	s = play(t, nil, l)
	return s, filepath.Join(workspace(t, home), "plan.md")
}

// workspace is where the runtime keeps its only session.
func workspace(t *testing.T, home string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, "session-state", "[^.]*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the runtime keeps %v (%v)", found, err)
	}
	return found[0]
}

// writes is a step that writes the plan.
func writes(plan, text string) llm.Step {
	return calling(call("create", object{"path": plan, "file_text": text}))
}

// exits is a step that asks for the plan's approval.
func exits(summary string) llm.Step {
	return calling(call("exit_plan_mode", object{
		"summary": summary, "actions": []string{"interactive", "exit_only", "autopilot"}, "recommendedAction": "interactive",
	}))
}

const (
	textPlan    = "Carry out this plan?"
	textRevise  = "What should change in the plan?"
	textPlanned = "# Plan\n\n1. Look at the tests.\n2. Mend them.\n3. Run them.\n"
)

// last checks what the model heard of its last call.
func (s *stage) last(wants ...string) {
	s.t.Helper()
	results := s.results()
	for _, want := range wants {
		if got := results[len(results)-1]; !strings.Contains(got, want) {
			s.t.Errorf("the model heard %q, not %q", got, want)
		}
	}
}

// TestPlan goes through what can become of a plan: it is sent back, with words and
// with a version of the user's own, and what comes again is shown as what has
// changed; it is approved with one key, and with two where nothing asks afterwards;
// it is refused without a word, and left when the turn is interrupted.
func TestPlan(t *testing.T) { bothWindows(t, journeyPlan) }

// journeyPlan is it in one window.
func journeyPlan(t *testing.T, l launch) {
	t.Helper()
	l.env = []string{scriptEditor(t)}
	s, plan := playPlans(t, l)
	edit := call("edit", object{"path": plan, "old_str": "2. Mend them.", "new_str": "2. Mend two of them."})
	s.model.Add("plan", writes(plan, textPlanned), exits("Mend the tests."), calling(edit), exits("Mend two."),
		exits("Mend two, as you say."), said("Begun."))
	s.say("plan it @@plan")
	s.card(textPlan, "Mend the tests.", "1. Look at the tests.", "Yes, step by step (recommended)")
	s.press("n")
	s.wait(textRevise, "empty: enter says no and stops the turn")
	s.typed("only two of them")
	s.enter(textRevise)

	s.card(textPlan, "Mend two.", "What has changed since the plan before, +1 −1.", "− 2. Mend them.", "+ 2. Mend two of them.")
	s.last("updated with changes")
	s.requested("tool", "Plan not approved. User feedback:\n\nonly two of them\n")
	s.answer("e")
	s.wait("editing 2 plan.md 600 700")
	s.send("by me\r")
	s.wait(textRevise, "▏ appended by me")
	s.enter(textRevise)

	s.card(textPlan, "Mend two, as you say.", "The same plan as before.")
	s.last("Plan not approved. User feedback:\n\nI changed the plan. Use this version:\n\n# Plan\n", "3. Run them.\nappended by me\n")
	s.press("2")
	s.idle("Begun.", "interactive · ")
	s.last("Plan approved", "interactive mode")
	s.refusesAPlan()
	s.approvesAutopilot()
	s.leavesAPlan()
}

// refusesAPlan says no to a plan without a word, which stops the turn.
func (s *stage) refusesAPlan() {
	s.t.Helper()
	s.press("shift+tab")
	s.wait("plan · ")
	asked := len(s.model.Requests())
	s.model.Add("no", exits("Do it."), said("It went on."))
	s.say("plan it @@no")
	s.answer("n", textPlan, "Do it.")
	s.wait(textRevise)
	s.enter(textRevise)
	s.idle("Stopped, because you refused a call", "plan · ")
	if n := len(s.model.Requests()); n != asked+1 {
		s.t.Errorf("the model was asked %d times more: a plain no stops the turn", n-asked)
	}
}

// approvesAutopilot approves a plan so that nothing asks any more, with two keys.
func (s *stage) approvesAutopilot() {
	s.t.Helper()
	done := call("task_complete", object{"summary": "All done."})
	s.model.Add("alone", exits("Do it alone."), shell("echo on my own"), calling(done))
	s.say("plan it @@alone")
	s.answer("1", textPlan, "Do it alone.", "1  Yes, on autopilot", "(1, then enter)")
	s.wait("enter allows it", "plan · ")
	s.enter(textPlan)
	s.idle("All done.", "autopilot · ")
	s.requested("tool", "You are now in autopilot mode", "on my own")
}

// leavesAPlan interrupts the turn while a plan waits: it is not approved, and what
// was written about it is a draft.
func (s *stage) leavesAPlan() {
	s.t.Helper()
	s.press("shift+tab", "shift+tab")
	s.wait("plan · ")
	asked := len(s.model.Requests())
	s.model.Add("left", exits("Leave it."), said("It went on."))
	s.say("plan it @@left")
	s.answer("n", textPlan, "Leave it.")
	s.wait(textRevise)
	s.typed("only one of them")
	s.press("ctrl+c")
	s.wait(textTyping)
	s.press("esc")
	s.wait(textEscAgain)
	s.press("esc")
	s.wait(textCancelled, "❯ only one of them", "what you wrote is in the composer.")
	s.waitGone(textPlan)
	s.wait("plan · ")
	if n := len(s.model.Requests()); n != asked+1 {
		s.t.Errorf("the model was asked %d times more: it continued", n-asked)
	}
	s.press("ctrl+c")
	s.wait(textReady)
	s.press("ctrl+c")
	s.wait("ctrl+c again to quit")
	s.press("ctrl+c")
	s.endsWell()
}
