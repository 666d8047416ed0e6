package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

func TestStreamedTurnWithReasoning(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{"plain": {{
		Reasoning: "The person wants a greeting. ", Text: "Good morning to **you** all.", Hold: gate, HoldAfter: 7,
	}}}, launch{})
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
	s.leave()
	if !resumeHint.MatchString(s.screen()) {
		t.Errorf("no hint how to resume:\n%s", s.screen())
	}
}

func TestShellApproved(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {shell("touch made.txt && echo forty-$((40+2))"), {Text: "It is made."}}}, launch{})
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
	s.leave()
}

func TestShellRefusedWithFeedback(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {shell("touch made.txt"), {Text: "Then I will not."}}}, launch{})
	s.say("make it @@go")
	s.card(textOnce, "touch made.txt")
	s.press("n")
	s.wait(textFeedback)
	s.typed("write to notes.txt instead")
	s.enter(textFeedback)
	s.idle("Then I will not.")
	if s.exists("made.txt") {
		t.Error("a refused command ran")
	}
	if heard := s.heard("tool"); !strings.Contains(heard, "write to notes.txt instead") {
		t.Errorf("the model heard %q", heard)
	}
	s.wait("write to notes.txt instead")
	s.leave()
}

func TestShellRefusedPlainly(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {shell("touch made.txt"), {Text: "The turn went on."}}}, launch{})
	s.say("make it @@go")
	s.card(textOnce, "touch made.txt")
	s.press("n")
	s.wait(textFeedback, "stops the turn")
	s.enter(textFeedback)
	s.idle("⊘")
	if s.exists("made.txt") {
		t.Error("a refused command ran")
	}
	if strings.Contains(s.screen(), "The turn went on.") {
		t.Error("a plain refusal did not stop the turn")
	}
	s.leave()
}

func TestApprovedForTheSession(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"one": {shell("touch one.txt"), {Text: "One is made."}},
		"two": {shell("touch two.txt"), {Text: "Two is made."}},
	}, launch{})
	s.say("make one @@one")
	s.card("for this session", "touch one.txt")
	s.press("s")
	s.idle("One is made.")
	s.say("make two @@two")
	s.idle("Two is made.")
	if !s.exists("one.txt") || !s.exists("two.txt") {
		t.Error("an approved command did not run")
	}
	s.leave()
}

func TestEditShowsItsDiff(t *testing.T) {
	t.Parallel()
	// The path is not known before the folder is, so the step is completed
	// after the start; the model is asked only then.
	edit := llm.Call{Name: "edit", Args: map[string]any{"old_str": "colour = red", "new_str": "colour = green"}}
	s := play(t, llm.Script{"edit": {{Calls: []llm.Call{edit}}, {Text: "It is green."}}}, launch{})
	path := filepath.Join(s.dir, "settings.ini")
	edit.Args["path"] = path
	if err := os.WriteFile(path, []byte("[look]\ncolour = red\nsize = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.say("make it green @@edit")
	s.card(textOnce, "settings.ini", "colour = red", "colour = green")
	s.press("y")
	s.idle("It is green.", "colour = red", "colour = green")
	if got, err := os.ReadFile(path); err != nil || !strings.Contains(string(got), "colour = green") {
		t.Errorf("the file holds %q (%v)", got, err)
	}
	removed, added := s.cellOf("− colour = red"), s.cellOf("+ colour = green")
	if fmt.Sprint(removed.Style.Fg) == fmt.Sprint(added.Style.Fg) {
		t.Error("the removed and the added line have one colour")
	}
	s.leave()
}

func TestQuestionWithChoices(t *testing.T) {
	t.Parallel()
	ask := llm.Call{Name: "ask_user", Args: map[string]any{"question": "Which colour do you want?", "choices": []string{"crimson", "teal", "ochre"}}}
	s := play(t, llm.Script{"ask": {{Calls: []llm.Call{ask}}, {Text: "Then teal it is."}}}, launch{})
	s.say("ask me @@ask")
	s.card("Which colour do you want?", "crimson", "teal", "ochre")
	s.press("down", "down", "enter")
	s.idle("Then teal it is.")
	if heard := s.heard("tool"); !strings.Contains(heard, "teal") {
		t.Errorf("the model heard %q", heard)
	}
	s.leave()
}

func TestThreeToolsInParallel(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"three": {
		{Calls: []llm.Call{bash("touch a.txt"), bash("mkdir b"), bash("touch c.txt")}},
		{Text: "All three are there."},
	}}, launch{height: 40, width: 100})
	s.say("make three @@three")
	for left := 3; left > 0; left-- {
		s.card(textOnce, fmt.Sprintf("1 of %d", left))
		s.press("y")
	}
	s.idle("All three are there.", "touch a.txt", "mkdir b", "touch c.txt")
	if !s.exists("a.txt") || !s.exists("b") || !s.exists("c.txt") {
		t.Error("an approved command did not run")
	}
	s.leave()
}

func TestSteerAndQueue(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{
		"slow":  {{Text: "I begin slowly and go on.", Hold: gate, HoldAfter: 2}, {Text: "I have heard it."}},
		"later": {{Text: "Now the other thing."}},
	}, launch{})
	s.say("begin @@slow")
	s.wait("I begin", textBusy)
	s.typed("mind the gap")
	s.press("enter")
	s.wait("steering", "mind the gap")
	s.typed("and then this @@later")
	s.press("ctrl+q")
	s.wait("queued", "2 waiting")
	gate.Open()
	s.idle("I have heard it.", "Now the other thing.")
	s.waitGone("waiting")
	if heard := s.heard("user"); !strings.Contains(heard, "mind the gap") || !strings.Contains(heard, "and then this") {
		t.Errorf("the model heard %q", heard)
	}
	s.leave()
}

func TestInterruptWhileStreaming(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"endless": {{Text: "One two three four", Hold: llm.NewGate(), HoldAfter: 2}},
		"next":    {{Text: "Here again."}},
	}, launch{})
	s.say("count @@endless")
	s.wait("One two", textBusy)
	s.interrupt()
	s.say("go on @@next")
	s.idle("Here again.")
	s.leave()
}

// interrupt presses Esc twice and waits for the end of the turn.
func (s *stage) interrupt() {
	s.t.Helper()
	s.press("esc")
	s.wait(textEscAgain)
	s.press("esc")
	s.idle(textCancelled)
}

func TestInterruptWhileAToolRuns(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"sleep": {shell("touch started.txt; sleep 600"), {Text: "It ended."}}}, launch{})
	s.say("sleep @@sleep")
	s.card(textOnce)
	s.press("y")
	s.waitGone(textCard)
	s.until("the command to run", func() bool { return s.exists("started.txt") })
	s.interrupt()
	s.leave()
}

func TestInterruptWhileACardIsOpen(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {shell("touch made.txt"), {Text: "It ended."}}}, launch{})
	s.say("make it @@go")
	s.card(textOnce)
	s.press("esc")
	s.wait(textTyping)
	s.interrupt()
	s.waitGone(textOnce)
	if s.exists("made.txt") {
		t.Error("an interrupted question was answered yes")
	}
	s.leave()
}

func TestModelErrorAndRetry(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"retry": {{Status: 500, Times: 1, Text: "Second time lucky."}},
		"bad":   {{Status: 400, Body: map[string]any{"error": map[string]any{"message": "the frobnicator is jammed", "code": "jammed"}}}},
		"limit": {{Status: 429, Times: 1, Headers: map[string]string{"Retry-After": "2"}, Text: "The limit is gone."}},
		"after": {{Text: "Still here."}},
	}, launch{})
	s.say("try @@retry")
	s.idle("Second time lucky.")
	s.say("hurry @@limit")
	s.wait("The model's rate limit is reached. Trying again.", "trying again (attempt 2)")
	s.idle("The limit is gone.", "It went on after one retry.")
	s.say("break @@bad")
	s.idle("the frobnicator is jammed", "■")
	s.say("and now @@after")
	s.idle("Still here.")
	s.leave()
}

func TestResumeAfterQuit(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"first":  {shell("touch made.txt"), {Text: "The first answer."}},
		"second": {{Text: "The second answer."}},
		"third":  {{Text: "The third answer."}},
	}, launch{own: true})
	s.say("begin @@first")
	s.card(textOnce)
	s.press("y")
	s.idle("The first answer.")
	s.leave()
	hint := resumeHint.FindStringSubmatch(s.screen())
	if hint == nil {
		t.Fatalf("no hint how to resume:\n%s", s.screen())
	}
	for i, args := range [][]string{{"--resume", hint[1]}, {"--continue"}} {
		l := s.launch
		l.args = args
		again := &stage{terminal: start(t, l), model: s.model, dir: s.dir, launch: l}
		again.idle("begin @@first", "The first answer.", "touch made.txt")
		if strings.Contains(again.screen(), textOnce) {
			t.Error("history opened a question")
		}
		again.say([]string{"go on @@second", "go on @@third"}[i])
		again.idle([]string{"The second answer.", "The third answer."}[i])
		again.leave()
	}
}
