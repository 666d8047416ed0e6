package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestATurnInTheEditor: while the editor has the terminal, a turn of the real CLI
// continues to the question that it asks. Nothing of it is missing afterwards,
// the draft is what the editor saved, and what was typed meanwhile answers nothing.
// In make soak that takes a minute, and more events than the runtime may be left
// unread for.
func TestATurnInTheEditor(t *testing.T) {
	t.Parallel()
	pieces := sessiontest.Soak(t, 40, 1000) // three times, and two events for a piece
	pace := time.Duration(sessiontest.Soak(t, 1, 20)) * time.Millisecond
	gate, word := llm.NewGate(), 0
	words := func() string {
		var b strings.Builder
		for range pieces {
			fmt.Fprintf(&b, "w%d ", word)
			word++
		}
		return b.String()
	}
	s := play(t, llm.Script{"long": {
		{Text: words(), ChunkDelay: pace, Hold: gate, HoldAfter: 2, Calls: []llm.Call{bash("echo first-$((40+2))")}},
		{Text: words(), ChunkDelay: pace, Calls: []llm.Call{bash("echo second-$((40+2))"), bash("echo third-$((40+2))")}},
		{Text: words(), ChunkDelay: pace, Calls: []llm.Call{{Name: "ask_user", Args: object{
			"question": "Which colour?", "choices": []string{"red", "green"},
		}}}},
		{Text: "The turn is over."},
	}}, launch{width: 100, height: 40, env: []string{scriptEditor(t)}})
	s.say("begin @@long")
	s.wait("w0", textBusy)
	s.typed("a draft")
	s.press("ctrl+g")
	s.wait("editing 2 prompt.md")
	from := len(s.raw())
	gate.Open()
	s.waitFor("the bell", func(string) bool {
		return strings.Contains(withoutOSC(s.raw()[from:]), "\a")
	})
	if raw := s.raw()[from:]; strings.Contains(raw, "Which colour?") || strings.Contains(raw, "w10") {
		t.Error("the window drew while the editor had the terminal")
	}
	s.send("1\r1\ry\r") // the editor reads a line
	s.wait("Which colour?", "1  red", "a draft", "appended 1")
	s.press("ctrl+c") // the draft is put away, and the question has the keys
	s.waitGone("appended 1")
	s.answer("2", "Which colour?", "2  green")
	s.idle("The turn is over.")
	s.requested("tool", "first-42", "second-42", "third-42", "green")
	s.command("/export talk.md")
	s.wait("Written to")
	text := s.file("talk.md")
	if why := disorder(text, word, 0); why != "" {
		t.Error(why)
	}
	if n := len(countedWord.FindAllString(text, -1)); n != word {
		t.Errorf("%d words are there, of %d", n, word)
	}
	for _, once := range []string{"first-42", "second-42", "third-42", "The turn is over."} {
		if n := strings.Count(text, once); n != 1 {
			t.Errorf("%q is there %d times", once, n)
		}
	}
	t.Logf("%d words, %d bytes read", word, bytesRead(t, s.cmd.Process.Pid))
	s.leave()
}
