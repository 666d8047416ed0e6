package main

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
	return llm.Step{Calls: []llm.Call{{Name: "create", Args: object{"path": plan, "file_text": text}}}}
}

// exits is a step that asks for the plan's approval.
func exits(summary string) llm.Step {
	return llm.Step{Calls: []llm.Call{{Name: "exit_plan_mode", Args: object{
		"summary": summary, "actions": []string{"interactive", "exit_only", "autopilot"}, "recommendedAction": "interactive",
	}}}}
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

// TestPlanRevised sends a plan back, with words and with a version of the
// user's own. What comes again is shown as what has changed, and approved.
func TestPlanRevised(t *testing.T) {
	t.Parallel()
	s, plan := playPlans(t, launch{env: []string{scriptEditor(t)}})
	edit := llm.Call{Name: "edit", Args: object{"path": plan, "old_str": "2. Mend them.", "new_str": "2. Mend two of them."}}
	s.model.Add("plan", writes(plan, textPlanned), exits("Mend the tests."), llm.Step{Calls: []llm.Call{edit}}, exits("Mend two."),
		exits("Mend two, as you say."), llm.Step{Text: "Begun."})
	s.say("plan it @@plan")
	s.card(textPlan, "Mend the tests.", "1. Look at the tests.", "Yes, step by step (recommended)")
	s.press("n")
	s.wait(textRevise, "empty: enter says no and stops the turn")
	s.typed("only two of them")
	s.enter(textRevise)

	s.card(textPlan, "Mend two.", "What has changed since the plan before, +1 −1.", "− 2. Mend them.", "+ 2. Mend two of them.")
	s.last("updated with changes")
	s.told("tool", "Plan not approved. User feedback:\n\nonly two of them\n")
	s.press("d")
	s.wait("Changed since the plan before, +1 −1. d shows only that.")
	s.waitGone("What has changed")
	s.breathe()
	s.press("e")
	s.wait("editing 2 plan.md 600 700")
	s.send("by me\r")
	s.wait(textRevise, "▏ appended by me")
	s.enter(textRevise)

	s.card(textPlan, "Mend two, as you say.", "The same plan as before.")
	s.last("Plan not approved. User feedback:\n\nI changed the plan. Use this version:\n\n# Plan\n", "3. Run them.\nappended by me\n")
	s.press("2")
	s.idle("Begun.", "interactive · ")
	s.last("Plan approved", "interactive mode")
	s.leave()
}

// TestPlanActions gives each answer there is to a plan besides: no without
// a word, to wait, and the one that takes more than a key.
func TestPlanActions(t *testing.T) {
	t.Parallel()
	s, plan := playPlans(t, launch{})
	s.model.Add("no", writes(plan, textPlanned), exits("Do it."))
	s.say("plan it @@no")
	s.answer("n", textPlan, "Do it.")
	s.wait(textRevise)
	s.enter(textRevise)
	s.idle("Stopped, because you refused a call", "plan · ")
	if asked := len(s.model.Requests()); asked != 2 {
		t.Errorf("the model was asked %d times: a plain no stops the turn", asked)
	}

	s.model.Add("wait", exits("Do it, but wait."), llm.Step{Text: "I wait."})
	s.say("plan it @@wait")
	s.answer("3", textPlan, "Do it, but wait.", "3  Yes, but wait for me")
	s.idle("I wait.", "interactive · ")
	s.last("Plan approved", "Wait for the user to prompt you")

	s.press("shift+tab")
	s.wait("plan · ")
	done := llm.Call{Name: "task_complete", Args: object{"summary": "All done."}}
	s.model.Add("alone", exits("Do it alone."), shell("echo on my own"), llm.Step{Calls: []llm.Call{done}})
	s.say("plan it @@alone")
	s.answer("1", textPlan, "Do it alone.", "1  Yes, on autopilot", "(1, then enter)")
	s.wait("enter to allow it", "plan · ")
	s.enter(textPlan)
	s.idle("All done.", "autopilot · ")
	s.told("tool", "You are now in autopilot mode", "on my own")
	s.leave()
}

// TestInterruptedPlan interrupts while a plan waits: it is not approved, and
// what was written about it is a draft.
func TestInterruptedPlan(t *testing.T) {
	t.Parallel()
	s, plan := playPlans(t, launch{})
	s.model.Add("plan", writes(plan, textPlanned), exits("Mend the tests."), llm.Step{Text: "Begun."})
	s.say("plan it @@plan")
	s.answer("n", textPlan, "Mend the tests.")
	s.wait(textRevise)
	s.typed("only two of them")
	s.abandon("❯ only two of them", textPlan)
	s.wait("plan · ")
	if asked := len(s.model.Requests()); asked != 2 {
		t.Errorf("the model was asked %d times: it went on", asked)
	}
	s.leave()
}

// abandon leaves the question that is being answered, interrupts the turn, and
// waits for the question to close and for a draft.
func (s *stage) abandon(draft string, gone ...string) {
	s.t.Helper()
	s.press("ctrl+c")
	s.wait(textTyping)
	s.press("esc")
	s.wait(textEscAgain)
	s.press("esc")
	s.wait(textCancelled, draft, "what you wrote is in the composer.")
	s.waitGone(gone...)
	s.press("ctrl+c")
	s.wait(textReady)
	s.breathe()
}
