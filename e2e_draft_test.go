package main

import (
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// TestDraftKeepsItsKeys opens a question while a draft is being typed: every
// key stays with the draft, also those that would answer.
func TestDraftKeepsItsKeys(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	asks := shell("touch made.txt")
	asks.Hold = gate
	s := play(t, llm.Script{"go": {asks, {Text: "It is made."}}}, launch{})
	s.say("make it @@go")
	s.wait(textBusy)
	s.typed("half a")
	gate.Open()
	s.wait(textOnce, textTyping)
	s.typed(" thought, yes y")
	s.send("yyynnn")
	s.wait("yyynnn")
	if s.exists("made.txt") || !strings.Contains(s.wait(textOnce), textWaiting) {
		t.Fatal("keys of the draft answered a question")
	}
	s.press("ctrl+c")
	s.wait(textOnce)
	s.press("ctrl+x", "p")
	s.card(textOnce)
	s.press("y")
	s.idle("It is made.")
	s.leave()
}

// TestPasteNeverAnswers pastes and bursts into a card that listens.
func TestPasteNeverAnswers(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {shell("touch made.txt"), {Text: "It is made."}}}, launch{})
	s.say("make it @@go")
	s.card(textOnce)
	s.paste("y")
	s.wait(textOnce, textTyping)
	s.press("ctrl+c")
	s.wait(textOnce)
	if s.exists("made.txt") {
		t.Fatal("a paste answered a question")
	}
	s.press("ctrl+x", "p")
	s.card(textOnce)
	s.send("yes please")
	s.wait("yes please")
	if s.exists("made.txt") {
		t.Fatal("typed words answered a question")
	}
	s.press("ctrl+c")
	s.press("ctrl+x", "p")
	s.card(textOnce)
	s.press("y")
	s.idle("It is made.")
	s.leave()
}

// TestPasteIsExact sends a large paste with everything that is easily lost.
func TestPasteIsExact(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {{Text: "Read it."}}}, launch{})
	var b strings.Builder
	for range 400 {
		b.WriteString("\tindented  twice, 漢字 and 👩‍👩‍👧 and e\u0301; trailing blanks   \n\n")
	}
	text := b.String() + "the end @@go"
	s.paste(text)
	s.press("enter")
	s.idle("Read it.")
	if heard := s.heard("user"); !strings.Contains(heard, text) {
		t.Errorf("the model heard %d bytes that do not hold the %d pasted ones", len(heard), len(text))
	}
	s.leave()
}

// TestHostileOutput has a tool write what would drive the terminal.
func TestHostileOutput(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"go": {
		shell(`printf 'before \033]0;owned\007\033[?1049l\033[31mred\033[0m \033[6n after\n'`),
		{Text: "The \x1b]0;owned\x07\x1b[2Jend."},
	}}, launch{})
	s.say("print it @@go")
	s.card(textOnce)
	s.press("y")
	s.idle("before", "red", "after", "end.")
	if raw := s.raw(); strings.Contains(raw, "owned\x07") || strings.Contains(raw, "\x1b[?1049l") {
		t.Error("a sequence of the tool reached the terminal")
	}
	s.leave()
}

// TestNarrowAndResized holds a long answer to the screen at several sizes.
func TestNarrowAndResized(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	text := strings.Repeat("A paragraph with a few words in it, which wraps.\n\n```go\nfunc main() { println(\"a line of code that is long\") }\n```\n\n", 12)
	s := play(t, llm.Script{"go": {{Text: text + "The very end.", Hold: gate, HoldAfter: 140}}}, launch{width: 80, height: 24})
	s.say("write @@go")
	s.wait("which wraps", textBusy)
	for _, size := range [][2]int{{40, 14}, {120, 40}, {80, 24}} {
		s.fit(size[0], size[1])
		s.wait("which wraps")
	}
	<-gate.Reached()
	s.waitGone("write @@go") // there is more than a screen, and so something to scroll to
	s.press("pgup")
	s.wait("below")
	gate.Open()
	s.wait("below", textReady)
	s.press("ctrl+end")
	s.idle("The very end.")
	s.leave()
}
