package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest/llm"
)

// TestTurns: in one window, turns of the real CLI with what is asked most often,
// each answered as a user does.
func TestTurns(t *testing.T) { bothWindows(t, journeyTurns) }

// journeyTurns is it in one window.
func journeyTurns(t *testing.T, l launch) {
	t.Helper()
	gate := llm.NewGate()
	// The path is not known before the folder is, so the step is completed
	// after the start; the model is asked only then.
	edit := llm.Call{Name: "edit", Args: map[string]any{"old_str": "colour = red", "new_str": "colour = green"}}
	ask := llm.Call{Name: "ask_user", Args: map[string]any{"question": "Which colour do you want?", "choices": []string{"crimson", "teal", "ochre"}}}
	s := play(t, llm.Script{
		"plain": {{
			Reasoning: "The person wants a greeting. ", Text: "Good morning to **you** all.", Hold: gate, HoldAfter: 7,
		}},
		"stop":   {shell("touch stopped.txt"), {Text: "The turn went on."}},
		"refuse": {shell("touch refused.txt"), {Text: "Then I will not."}},
		"go":     {shell("touch made.txt && echo forty-$((40+2))"), {Text: "It is made."}},
		"edit":   {{Calls: []llm.Call{edit}}, {Text: "It is green."}},
		"ask":    {{Calls: []llm.Call{ask}}, {Text: "Then teal it is."}},
		"three": {
			{Calls: []llm.Call{bash("touch a.txt"), bash("mkdir b"), bash("touch c.txt")}},
			{Text: "All three are there."},
		},
		"one": {shell("touch one.txt"), {Text: "One is made."}},
		"two": {shell("touch two.txt"), {Text: "Two is made."}},
	}, l)

	s.say("greet us @@plain")
	s.wait("Good morning", textBusy)
	if strings.Contains(s.screen(), "you all.") {
		t.Error("the end of the answer was there before the model said it")
	}
	gate.Open()
	s.idle("Good morning to you all.", textThought, "greet us @@plain")
	if strings.Contains(s.screen(), "**") {
		t.Error("markdown was shown as it is written")
	}

	s.say("make it @@stop")
	s.answer("n", textOnce, "touch stopped.txt")
	s.wait(textFeedback, "stop the turn")
	s.enter(textFeedback)
	s.idle("⊘")
	if s.exists("stopped.txt") || strings.Contains(s.screen(), "The turn went on.") {
		t.Error("a plain refusal did not stop the turn")
	}

	s.say("make it @@refuse")
	s.card(textOnce, "touch refused.txt")
	s.refuse("write to notes.txt instead")
	s.idle("Then I will not.", "write to notes.txt instead")
	s.requested("tool", "write to notes.txt instead")
	if s.exists("refused.txt") {
		t.Error("a refused command ran")
	}

	s.say("make it @@go")
	s.card(textOnce, "touch made.txt", textWaiting)
	if s.exists("made.txt") {
		t.Error("the command ran before it was approved")
	}
	s.press("y")
	s.idle("It is made.", "forty-42")
	if !s.exists("made.txt") {
		t.Error("the command did not run")
	}
	s.changesAFile(edit)

	s.say("ask me @@ask")
	s.card("Which colour do you want?", "crimson", "teal", "ochre")
	s.press("down", "down", "enter")
	s.idle("Then teal it is.")
	s.requested("tool", "teal")

	s.say("make three @@three")
	for left := 3; left > 0; left-- {
		s.answer("y", textOnce, fmt.Sprintf("1 of %d", left))
	}
	s.idle("All three are there.", "touch a.txt", "mkdir b", "touch c.txt")

	s.say("make one @@one")
	s.answer("s", "for this session", "touch one.txt")
	s.idle("One is made.")
	s.say("make two @@two")
	s.idle("Two is made.")
	for _, name := range []string{"a.txt", "b", "c.txt", "one.txt", "two.txt"} {
		if !s.exists(name) {
			t.Errorf("%s was approved and is not there", name)
		}
	}
	s.leave()
	if !strings.Contains(s.screen(), "Resume this session with: parley --resume ") {
		t.Errorf("no hint how to resume:\n%s", s.screen())
	}
}

// changesAFile has an edit asked for, seen and approved.
func (s *stage) changesAFile(edit llm.Call) {
	s.t.Helper()
	path := filepath.Join(s.dir, "settings.ini")
	edit.Args["path"] = path
	clitest.Put(s.t, path, "[look]\ncolour = red\nsize = 3\n")
	s.say("make it green @@edit")
	s.answer("y", textOnce, "settings.ini", "colour = red", "colour = green")
	s.idle("It is green.", "colour = red", "colour = green")
	if got, err := os.ReadFile(path); err != nil || !strings.Contains(string(got), "colour = green") {
		s.t.Errorf("the file holds %q (%v)", got, err)
	}
	removed, added := s.cellOf("− colour = red"), s.cellOf("+ colour = green")
	if fmt.Sprint(removed.Style.Fg) == fmt.Sprint(added.Style.Fg) {
		s.t.Error("the removed and the added line have one colour")
	}
}

// TestSteerQueueAndInterrupt: a running turn of the real CLI is steered, is
// followed by what was queued, fails, and is interrupted in each of its states.
func TestSteerQueueAndInterrupt(t *testing.T) { bothWindows(t, journeySteerQueueAndInterrupt) }

// journeySteerQueueAndInterrupt is it in one window.
func journeySteerQueueAndInterrupt(t *testing.T, l launch) {
	t.Helper()
	l.height = 60
	gate := llm.NewGate()
	s := play(t, llm.Script{
		"slow":    {{Text: "I begin slowly and go on.", Hold: gate, HoldAfter: 2}, {Text: "I have heard it."}},
		"later":   {{Text: "Now the other thing."}},
		"retry":   {{Status: 500, Times: 1, Text: "Second time lucky."}},
		"bad":     {{Status: 400, Body: map[string]any{"error": map[string]any{"message": "the frobnicator is jammed", "code": "jammed"}}}},
		"endless": {{Text: "One two three four", Hold: llm.NewGate(), HoldAfter: 2}},
		"sleep":   {shell("touch started.txt; sleep 600"), {Text: "It ended."}},
		"go":      {shell("touch made.txt"), {Text: "It ended."}},
		"after":   {{Text: "Still here."}},
	}, l)
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.typed("mind the gap")
	s.press("enter")
	s.wait("next step", "mind the gap")
	s.typed("and then this @@later")
	s.press("ctrl+q")
	s.wait("1 queued")
	gate.Open()
	s.idle("I have heard it.", "Now the other thing.")
	s.waitGone("1 queued")
	s.requested("user", "mind the gap", "and then this")

	s.say("try @@retry")
	s.idle("Second time lucky.")
	s.say("break @@bad")
	s.idle("the frobnicator is jammed", "■")

	s.say("count @@endless")
	s.wait("One two", textBusy)
	s.interrupt()

	s.say("sleep @@sleep")
	s.answer("y", textOnce)
	s.waitGone(textCard)
	s.until("the command to run", func() bool { return s.exists("started.txt") })
	s.interrupt()

	s.say("make it @@go")
	s.card(textOnce, "touch made.txt")
	s.press("esc")
	s.wait(textTyping)
	s.interrupt()
	s.waitGone(textOnce)
	if s.exists("made.txt") {
		t.Error("an interrupted question was answered yes")
	}
	s.say("and now @@after")
	s.idle("Still here.")
	s.leave()
}

// interrupt presses Esc twice and waits for the end of the turn.
func (s *stage) interrupt() {
	s.t.Helper()
	before := strings.Count(s.screen(), textCancelled)
	s.press("esc")
	s.wait(textEscAgain)
	s.press("esc")
	s.waitFor("the end of the turn", func(screen string) bool {
		return strings.Contains(screen, textReady) && strings.Count(screen, textCancelled) > before
	})
}

// TestResume: a session of the real CLI continues in another window, by its id and as
// the last one; its history asks nothing. When the runtime is killed under the
// window, the draft stays, and one key reconnects and sends it.
func TestResume(t *testing.T) { bothWindows(t, journeyResume) }

// journeyResume is it in one window.
func journeyResume(t *testing.T, l launch) {
	t.Helper()
	l.own = true
	s := play(t, llm.Script{
		"first":  {shell("touch made.txt"), {Text: "The first answer."}},
		"second": {{Text: "The second answer."}},
		"third":  {{Text: "The third answer."}},
		"fourth": {{Text: "The fourth answer."}},
	}, l)
	s.say("begin @@first")
	s.answer("y", textOnce)
	s.idle("The first answer.")
	s.leave()
	hint := resumeHint.FindStringSubmatch(s.screen())
	if hint == nil {
		t.Fatalf("no hint how to resume:\n%s", s.screen())
	}
	args := map[string][]string{"second": {"--resume", hint[1]}, "third": {"--continue"}}
	for _, word := range []string{"second", "third"} {
		again := s.again(args[word]...)
		again.idle("begin @@first", "The first answer.", "touch made.txt")
		if strings.Contains(again.screen(), textOnce) {
			t.Error("history opened a question")
		}
		again.say("go on @@" + word)
		again.idle("The " + word + " answer.")
		if word == "third" {
			again.typed("then @@fourth")
			again.signal("copilot", syscall.SIGKILL)
			again.wait("disconnected, enter reconnects", "then @@fourth")
			again.press("enter")
			again.idle("The first answer.", "The fourth answer.")
		}
		again.leave()
	}
}
