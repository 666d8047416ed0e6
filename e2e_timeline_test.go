package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// textSummarised is how a compaction that is done begins.
const textSummarised = "The conversation so far was summarised: "

// summing is how the model sums up a conversation.
func summing(gate *llm.Gate) llm.Step {
	return llm.Step{Text: "<summary>We greeted each other like old friends.</summary>", Hold: gate}
}

// foldsIn unfolds the block that begins with a text, and folds it again.
func (s *stage) foldsIn(mark, block string, inside ...string) {
	s.t.Helper()
	s.waitGone(inside...)
	s.blockOf(mark, block)
	s.press("space")
	s.wait(inside...)
	s.press("space")
	s.waitGone(inside...)
	s.toDraft()
}

// TestCompaction sums a conversation up because the user says so.
func TestCompaction(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, llm.Script{
		"a": {said("The first answer.")}, "b": {said("The second answer.")}, "c": {said("The third answer.")},
		llm.CompactScript: {summing(gate)},
	}, launch{})
	for prompt, answer := range map[string]string{"hello @@a": "The first answer.", "and hello @@b": "The second answer."} {
		s.say(prompt)
		s.idle(answer)
	}
	s.command("/compact")
	s.reached(gate)
	s.wait("i Summarising the conversation so far")
	gate.Open()
	s.idle("i "+textSummarised, "tokens became", "messages fewer")
	s.waitGone("Summarising")
	s.foldsIn("i", textSummarised, "We greeted each other like old friends.")
	s.say("hello again @@c")
	s.idle("The third answer.")
	s.told("user", "We greeted each other like old friends.")
	s.leave()
}

// TestAutomaticCompaction sums a conversation up because the model's context is
// nearly full.
func TestAutomaticCompaction(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	long := llm.Usage{Prompt: 10000, Completion: 3500}
	s := playFree(t, llm.Script{
		"a":               {{Text: "The first answer.", Usage: long}},
		"b":               {{Text: "The second answer.", Usage: long}},
		"c":               {said("The third answer.")},
		llm.CompactScript: {summing(gate)},
	}, launch{env: []string{"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=16000", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=2000"}})
	s.say("hello @@a")
	s.idle("The first answer.")
	s.say("hello again @@b")
	s.idle("The second answer.", "i Summarising the conversation so far, for the context is nearly full")
	s.reached(gate)
	s.say("hello thrice @@c")
	s.wait("summarising", textBusy)
	gate.Open()
	s.idle(textSummarised, "tokens became", "The third answer.")
	s.waitGone("Summarising")
	s.told("user", "We greeted each other like old friends.")
	s.foldsIn("i", textSummarised, "We greeted each other like old friends.")
	s.leave()
}

// TestSkill shows that a skill was loaded, and its text when it is asked for.
func TestSkill(t *testing.T) {
	t.Parallel()
	const rule = "Always wave with both hands."
	l := launch{dir: t.TempDir()}
	file := filepath.Join(l.dir, ".github/skills/wave/SKILL.md")
	folder(t, filepath.Dir(file))
	put(t, file, "---\nname: wave\ndescription: waves\n---\n"+rule+"\n")
	s := playFree(t, nil, l)
	s.answer("y", "Trust this folder?", "a skill: wave")
	s.waitGone("Trust this folder?")
	s.turn("main", call("skill", object{"skill": "wave"}))
	s.over("main")
	s.row("✓ skill", "wave")
	s.foldsIn("✓", "skill", rule)
	s.command("/density verbose")
	s.wait("Density: verbose", "i Skill “wave” loaded by the agent", "From: "+file)
	s.command("/density normal")
	s.wait("Density: normal")
	s.waitGone("Skill “wave” loaded")
	s.leave()
}

// TestAutopilotCompletes tells the end of a task from the end of a turn.
func TestAutopilotCompletes(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, llm.Script{"auto": {
		said("I begin with the north gate."),
		{Text: "Now the south gate.", Hold: gate},
		calling(call("task_complete", object{"summary": "Both gates are **mended**."})),
	}}, launch{})
	s.turn("idle")
	s.over("idle")
	s.press("shift+tab", "shift+tab")
	s.wait("nothing asks · autopilot")
	s.say("mend them @@auto")
	s.reached(gate)
	s.wait("I begin with the north gate.", "autopilot mode", textBusy)
	if strings.Contains(s.screen(), "Task complete") {
		t.Errorf("a turn without a word about the task completes it:\n%s", s.screen())
	}
	gate.Open()
	s.idle("Now the south gate.", "✓ Task complete", "Both gates are mended.")
	s.quietly()
	if n := strings.Count(s.screen(), "▌ "); n != 3 { // the two prompts, one with its mode
		t.Errorf("there are %d rows of prompts:\n%s", n, s.screen())
	}
	s.leave()
}

// TestDelivery marks the prompts that waited with how they came to the agent.
func TestDelivery(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := playFree(t, llm.Script{
		"slow": {
			{Text: "I begin slowly and go on.", Calls: []llm.Call{call("glob", object{"pattern": "*.txt"})}, Hold: gate, HoldAfter: 2},
			said("I have heard it."),
		},
		"later": {said("Now the other thing.")},
	}, launch{})
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.typed("mind the gap")
	s.press("enter")
	s.row("steering", "mind the gap")
	s.typed("and then this @@later")
	s.press("ctrl+q")
	s.row("queued", "and then this @@later")
	gate.Open()
	s.idle("I have heard it.", "Now the other thing.")
	s.waitGone("⋯ steering", "⋯ queued")
	for _, rows := range []string{"▌ mind the gap", "▌ and then this @@later"} {
		how := map[bool]string{true: "steering", false: "queued"}[strings.Contains(rows, "gap")]
		s.waitFor("how it came: "+rows, func(screen string) bool {
			_, below, shown := strings.Cut(screen, rows)
			lines := strings.SplitN(below, "\n", 3)
			return shown && len(lines) == 3 && strings.Contains(lines[1], how)
		})
	}
	s.leave()
}

// TestSwitches tells of another model and another mode with one line each.
func TestSwitches(t *testing.T) {
	t.Parallel()
	s := playFree(t, nil, launch{})
	s.turn("one")
	s.over("one")
	s.command("/model other-model")
	s.wait("interactive · other-model", "i Model changed from fake-model to other-model")
	s.press("shift+tab")
	s.wait("nothing asks · plan", "i Mode changed from interactive to plan")
	s.turn("two")
	s.over("two", "plan mode")
	s.press("shift+tab")
	s.wait("nothing asks · autopilot", "i Mode changed from plan to autopilot")
	screen := s.screen()
	if models, modes := strings.Count(screen, "Model changed"), strings.Count(screen, "Mode changed"); models != 1 || modes != 2 {
		t.Errorf("%d lines tell of the model, %d of the mode:\n%s", models, modes, screen)
	}
	s.leave()
}

// TestRewindTakesEntriesAway leaves nothing of a turn that was taken back.
func TestRewindTakesEntriesAway(t *testing.T) {
	t.Parallel()
	s := playEdit(t)
	s.row("✓ edit", "settings.ini", "+2 −1")
	s.row("─ 1 file", "+2 −1")
	s.goBack()
	s.press("enter")
	s.wait(textWent, "▌ begin @@first", "The first answer.")
	s.waitGone(textRewind, "▌ do it @@edit", "✓ edit", "settings.ini", "+2 −1", "─ 1 file", "The turn edit is over.")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestSummaryAndResume sums up what a prompt led to, and shows the same in
// another window, with the end of the first one and the start of its own.
func TestSummaryAndResume(t *testing.T) {
	t.Parallel()
	s := playFree(t, nil, launch{own: true})
	s.put("settings.ini", "[look]\ncolour = red\nsize = 3\n")
	s.turn("work",
		call("edit", object{"path": s.path("settings.ini"), "old_str": "colour = red", "new_str": "colour = green\nborder = none"}),
		call("create", object{"path": s.path("new.txt"), "file_text": "one\ntwo\n"}),
		bash("echo fine"), bash("sleep 0.2; exit 3"))
	s.over("work")
	sum := []string{"─ 2 files · 2 commands · 1 failed", "+4 −1"}
	s.row(append(sum, "tokens", " s")...)
	live := turnOf(s.row("✗ shell", "exit 3"))
	s.quietly()
	s.leave()
	s = s.again("--continue")
	s.row("─ Session ended", "2 files changed", "+4 −1")
	s.row("fake-model", "2 calls", "in", "out")
	s.row("─ Resumed")
	screen := s.row(append(sum, " s")...)
	if replayed := turnOf(screen); replayed != live {
		t.Errorf("live it was\n%s\nand now it is\n%s", live, replayed)
	}
	if strings.Contains(screen, "tokens") {
		t.Errorf("tokens are told that the log does not have:\n%s", screen)
	}
	s.turn("more")
	s.over("more", "─ Resumed")
	s.leave()
}

// turnOf is what the screen shows from the first prompt to the last word of its
// turn.
func turnOf(screen string) string {
	_, rest, _ := strings.Cut(screen, "▌ ")
	turn, _, _ := strings.Cut(rest, " is over.")
	return turn
}
