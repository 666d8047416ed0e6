package e2e

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/session/sessiontest/llm"
)

// TestNothingElseApproves: a question is approved by no letter that is meant for a
// draft or another session, no paste, no letters in a row, no change of the window's
// size and no end of the window. What deletes takes two keys, what is longer than the
// window is read first, and each of several has its own answer.
func TestNothingElseApproves(t *testing.T) { bothWindows(t, journeyNothingElseApproves) }

// journeyNothingElseApproves is it in one window.
func journeyNothingElseApproves(t *testing.T, l launch) {
	t.Helper()
	hold := llm.NewGate()
	s := play(t, llm.Script{
		"danger": {{Hold: hold, Calls: []llm.Call{bash("rm old.txt")}}, said("The turn danger is over.")},
		"other":  {said("The other one answers.")},
	}, l)
	s.put("old.txt", "old")
	s.say("begin @@danger")
	s.reached(hold)
	s.asksInAnotherTab(hold)
	s.meantForOthers()

	s.press("y")
	s.wait("enter allows it")
	s.keeps("old.txt")
	s.enter(textOnce)
	s.over("danger")
	if s.exists("old.txt") {
		t.Error("it was not done")
	}
	s.readsOn()
	s.answersEach()

	s.turn("left", bash("touch left.txt"))
	s.card("touch left.txt", textOnce)
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.exit()
	s.checkRestored()
	s.checkAlone()
	if s.exists("left.txt") {
		t.Error("the end of the window allowed it")
	}
}

// keeps checks that nothing deleted a file.
func (s *stage) keeps(name string) {
	s.t.Helper()
	if !s.exists(name) {
		s.t.Fatalf("%s is deleted without approval:\n%s", name, s.screen())
	}
}

// asksInAnotherTab has a session ask while the user types in another one: a badge shows it,
// no letter answers it, none is lost, and the other one works on.
func (s *stage) asksInAnotherTab(hold *llm.Gate) {
	s.t.Helper()
	const badge = "waits for you"
	s.press("ctrl+x", "w")
	s.wait("● begin @@danger", textReady)
	s.closed("▌ begin @@danger")
	s.waitGone("starting")
	s.typed("half a")
	hold.Open()
	s.wait(badge, "❯ half a")
	s.typed(" yes y s 1 n sentence @@other")
	s.wait(badge, "❯ half a yes y s 1 n sentence @@other")
	s.keeps("old.txt")
	s.press("enter")
	s.wait("The other one answers.", "▌ half a yes y s 1 n sentence @@other", badge)
	s.keeps("old.txt")
	s.press("ctrl+x", "left")
	s.wait("rm old.txt", textOnce) // the focus may be there already
	s.closed("The other one answers.")
	s.typed("yes")
	s.wait("❯ yes", textTyping)
	s.press("ctrl+c")
	s.waitGone("❯ yes")
	s.card("deletes or overwrites", textOnce, "y, then enter") // the focus comes back by itself
	if screen := s.screen(); strings.Contains(screen, "for this session") {
		s.t.Errorf("more than once is offered:\n%s", screen)
	}
	s.keeps("old.txt")
}

// meantForOthers gives the question that listens a paste, letters in a row and
// another size.
func (s *stage) meantForOthers() {
	s.t.Helper()
	for _, give := range []func(){func() { s.paste("yes") }, func() { s.send("yes") }} {
		give()
		s.wait("❯ yes", textTyping)
		s.press("ctrl+c")
		s.waitGone("❯ yes")
		s.card(textOnce)
	}
	s.fit(80, 32)
	s.card("rm old.txt", textOnce)
	s.keeps("old.txt")
}

// readsOn has a command that is longer than the window: y approves it when all of it
// was read.
func (s *stage) readsOn() {
	s.t.Helper()
	s.turn("long", bash("touch long.txt"+strings.Repeat("\necho one more line", 50)))
	s.answer("y", "touch long.txt", textMore, "rest unread")
	s.wait("to read first")
	s.readOn()
	s.waitGone("rest unread")
	if s.exists("long.txt") {
		s.t.Error("y allowed what was not read")
	}
	s.press("ctrl+c")
	s.wait(textTyping)
	s.press("ctrl+x", "p")
	s.card("one more line", textOnce)
	s.press("y")
	s.over("long")
	if !s.exists("long.txt") {
		s.t.Error("an approved command did not run")
	}
}

// readOn reads a question to its end, page by page.
func (s *stage) readOn() {
	s.t.Helper()
	for screen := s.screen(); strings.Contains(screen, textMore); {
		s.press("pgdown")
		before := screen
		screen = s.waitFor("the next page", func(screen string) bool { return screen != before })
	}
}

// answersEach answers three questions that wait side by side, the second first.
func (s *stage) answersEach() {
	s.t.Helper()
	calls := []string{"touch a.txt && echo 'a '$((40+1))", "touch b.txt && echo 'b '$((40+2))", "touch c.txt && echo 'c '$((40+3))"}
	s.turn("three", bash(calls[0]), bash(calls[1]), bash(calls[2]))
	s.card("1 of 3")
	s.press("]")
	s.card("2 of 3")
	s.press("]")
	s.card("3 of 3")
	s.press("[")
	s.card("2 of 3")
	second := s.asked(calls)
	s.press("y")
	s.card("1 of 2")
	first := s.asked(calls)
	s.refuse("not that one")
	s.card("1 of 1")
	third := s.asked(calls)
	s.press("y")
	s.over("three")
	results := s.results()
	results = results[max(0, len(results)-3):]
	if len(results) != 3 || first+second+third != 3 {
		s.t.Fatalf("%d results; asked for %d, %d and %d", len(results), first, second, third)
	}
	for i, want := range map[int]string{first: "not that one", second: fmt.Sprint(41 + second), third: fmt.Sprint(41 + third)} {
		if !strings.Contains(results[i], want) {
			s.t.Errorf("call %d ended with %q, not with %q", i, results[i], want)
		}
		if name := string(rune('a'+i)) + ".txt"; s.exists(name) != (i != first) {
			s.t.Errorf("%s exists: %t", name, s.exists(name))
		}
	}
}

// asked is which of several texts the question in front asks about.
func (s *stage) asked(texts []string) int {
	s.t.Helper()
	for line := range strings.Lines(s.screen()) {
		at := slices.IndexFunc(texts, func(text string) bool { return strings.HasPrefix(line, "│") && strings.Contains(line, text) })
		if at >= 0 {
			return at
		}
	}
	s.t.Fatalf("no question about any of %q:\n%s", texts, s.screen())
	return -1
}
