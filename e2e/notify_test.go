package e2e

import (
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// ghostty is a terminal that shows progress (OSC 9;4) and notifications with a
// title (OSC 777).
const ghostty = "TERM_PROGRAM=ghostty"

const (
	progressRuns  = "\x1b]9;4;3"
	progressWaits = "\x1b]9;4;4"
	progressGone  = "\x1b]9;4;0"
	notified      = "\x1b]777;notify;"
)

// written waits until the window has written a sequence behind a place, and
// returns the place behind it.
func (s *stage) written(from int, sequence string) int {
	s.t.Helper()
	s.waitFor("the window to write "+strings.TrimPrefix(sequence, "\x1b"), func(string) bool {
		return strings.Contains(s.raw()[from:], sequence)
	})
	return from + strings.Index(s.raw()[from:], sequence) + len(sequence)
}

// lookAway takes the focus from the window, and waits until it knows: what is typed
// behind that has come to the draft.
func (s *stage) lookAway() {
	s.t.Helper()
	s.press("blur")
	s.send("w")
	s.wait("❯ w\n")
	s.press("backspace")
	s.waitGone("❯ w\n")
}

// TestNotifications: the terminal around the window shows what it does, by its title
// and its progress. A user who looks elsewhere gets a notification that a question waits, that a turn
// stopped, and that what ran in the background is done; a user who looks gets
// none.
func TestNotifications(t *testing.T) {
	t.Parallel()
	ask, stop, end := llm.NewGate(), llm.NewGate(), llm.NewGate()
	jammed := object{"error": object{"message": "the frobnicator is jammed", "code": "jammed"}}
	async := call("bash", object{"command": "touch begun.txt; cat door", "description": "Wait at the door", "mode": "async", "shellId": "w"})
	s := play(t, llm.Script{
		"ask":  {{Text: "I ask.", Hold: ask, HoldAfter: 1, Calls: []llm.Call{bash("touch made.txt")}}, said("It is made.")},
		"stop": {{Status: 400, Body: jammed, Hold: stop}},
		"wait": {calling(async), said("It runs."), said("unheard"), {Text: "The door is open.", Hold: end}},
	}, launch{env: []string{ghostty}})
	s.pipe("door")
	silent := func(from int) {
		t.Helper()
		if raw := s.raw()[from:]; strings.Contains(raw, notified) {
			t.Errorf("the user was notified of what they saw: %q", raw)
		}
	}
	titled := func(prefix string) {
		t.Helper()
		s.waitFor("the title "+prefix, func(string) bool { return strings.HasPrefix(s.windowTitle(), prefix) })
	}

	at := len(s.raw())
	s.say("Mend the gate @@ask")
	s.reached(ask)
	s.written(at, progressRuns)
	titled("Mend the gate")
	s.lookAway()
	silent(0)
	at = len(s.raw())
	ask.Open()
	s.wait(textOnce, "touch made.txt")
	s.written(at, progressWaits)
	at = s.written(at, notified+"parley: Mend the gate @@ask;wants to run touch made.txt\a")
	titled("? Mend the gate")
	s.press("focus")
	s.answer("y", textOnce)
	s.idle("It is made.")
	s.written(at, progressGone)
	titled("Mend the gate")
	silent(at)

	s.say("break @@stop")
	s.reached(stop)
	s.lookAway()
	stop.Open()
	at = s.written(at, notified+"parley: Mend the gate @@ask;stopped: ")
	s.idle("the frobnicator is jammed")
	s.press("focus")

	s.say("wait @@wait")
	s.answer("y", textOnce, "touch begun.txt")
	s.idle("It runs.", "1 shell in the background")
	silent(at)
	s.lookAway()
	s.feed("door", "opened\n")
	s.reached(end)
	silent(at)
	end.Open()
	s.written(at, notified+"parley: Mend the gate @@ask;is done after ")
	s.idle("The door is open.")
	s.press("focus")
	s.quietly()
	s.leave()
}

// withoutOSC leaves the operating system commands out, which end with a bell.
func withoutOSC(raw string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(raw, "\x1b]")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, raw, _ = strings.Cut(rest, "\a")
	}
}
