package main

import (
	"testing"

	"parley/session/sessiontest/llm"
)

// TestSideBySide has two sessions in one window. One asks for a permission while
// the user types in the other: nothing is answered, no letter is lost, a badge
// shows it, and the other one works on. Back there the question waits, takes no
// letter by itself, and is answered on purpose.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	const badge = "waits for you"
	hold := llm.NewGate()
	s := play(t, llm.Script{
		"first": {{Hold: hold, Calls: []llm.Call{bash("touch made.txt && echo 'was '$((40+2))")}}, {Text: "The first is over."}},
		"other": {{Text: "The other one answers."}},
	}, launch{width: 100, height: 30})
	unasked := func() {
		t.Helper()
		if s.exists("made.txt") {
			t.Fatal("it runs, and nobody allowed it")
		}
	}
	s.say("begin @@first")
	<-hold.Reached()
	s.press("ctrl+x", "w")
	s.wait("● begin @@first", textReady)
	s.waitGone("▌ begin @@first", "starting")
	s.typed("half a")
	hold.Open()
	s.wait(badge, "❯ half a")
	s.typed(" yes y s 1 n sentence @@other")
	s.breathe() // long enough for any of these letters to count
	s.wait(badge, "❯ half a yes y s 1 n sentence @@other")
	unasked()
	s.press("enter")
	s.wait("The other one answers.", "▌ half a yes y s 1 n sentence @@other", badge)
	unasked()
	s.typed("to be sent later")
	s.press("ctrl+x", "left")
	s.wait("touch made.txt", textOnce, textTyping)
	s.waitGone("to be sent later", "The other one answers.")
	s.send("ye") // a letter alone would answer once the question has the keys again
	s.wait("❯ ye", textOnce)
	unasked()
	s.press("backspace", "backspace")
	s.waitGone("❯ y")
	s.press("ctrl+x", "p")
	s.answer("y", textOnce, "touch made.txt")
	s.idle("The first is over.")
	s.told("tool", "was 42")
	if !s.exists("made.txt") {
		t.Error("what was allowed was not done")
	}
	s.press("ctrl+x", "right")
	s.wait("❯ to be sent later")
	s.waitGone(badge)
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}

// TestRestartBeside gives one session an agent of its own while another is at work:
// that one goes on.
func TestRestartBeside(t *testing.T) {
	t.Parallel()
	hold := llm.NewGate()
	s := play(t, llm.Script{
		"first": {{Hold: hold, Text: "The first is over."}},
		"other": {{Text: "The other one answers."}},
		"after": {{Text: "The new one answers."}},
	}, launch{width: 100, height: 30})
	s.say("begin @@first")
	<-hold.Reached()
	s.press("ctrl+x", "w")
	s.wait("● begin @@first", textReady)
	s.waitGone("▌ begin @@first", "starting")
	s.say("besides @@other")
	s.idle("The other one answers.")
	s.command("/restart")
	s.wait("The other one answers.", "Resumed", "● begin @@first", textReady)
	s.say("again @@after")
	s.idle("The new one answers.")
	hold.Open()
	s.press("ctrl+x", "left")
	s.idle("The first is over.")
	s.leave()
}
