package main

import (
	"path/filepath"
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

// TestTerminalTitleAndProgress tells the terminal around what the window does.
func TestTerminalTitleAndProgress(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s := play(t, llm.Script{"slow": {{Text: "I begin slowly.", Hold: gate, HoldAfter: 2, Calls: []llm.Call{bash("touch made.txt")}}, said("It is made.")}}, launch{env: []string{ghostty}})
	at := len(s.raw())
	s.say("Mend the gate @@slow")
	at = s.written(at, progressRuns)
	s.waitFor("the title", func(string) bool { return strings.HasPrefix(s.windowTitle(), "Mend the gate") })
	gate.Open()
	s.card(textOnce, "touch made.txt")
	at = s.written(at, progressWaits)
	s.waitFor("the title to ask", func(string) bool { return strings.HasPrefix(s.windowTitle(), "? Mend the gate") })
	s.press("y")
	s.idle("It is made.")
	s.written(at, progressGone)
	s.waitFor("the title to be calm", func(string) bool { return strings.HasPrefix(s.windowTitle(), "Mend the gate") })
	if strings.Contains(s.raw(), notified) {
		t.Error("the person was told what they saw")
	}
	s.leave()
}

// TestNotifications tell somebody who looks elsewhere that a question waits, that
// a turn stopped, and that what went on in the background is done; and nothing to
// who looks.
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
	quiet := func(from int) {
		t.Helper()
		if raw := s.raw()[from:]; strings.Contains(raw, notified) {
			t.Errorf("the person was told what they saw: %q", raw)
		}
	}

	s.say("begin @@ask")
	s.reached(ask)
	s.lookAway()
	at := len(s.raw())
	ask.Open()
	s.wait(textOnce, "touch made.txt")
	at = s.written(at, notified+"parley: begin @@ask;wants to run touch made.txt\a")
	s.press("focus")
	s.answer("y", textOnce)
	s.idle("It is made.")
	quiet(at)

	s.say("break @@stop")
	s.reached(stop)
	s.lookAway()
	stop.Open()
	at = s.written(at, notified+"parley: begin @@ask;stopped: ")
	s.idle("the frobnicator is jammed")
	s.press("focus")

	s.say("wait @@wait")
	s.answer("y", textOnce, "touch begun.txt")
	s.idle("It runs.", "1 shell in the background")
	quiet(at)
	s.lookAway()
	s.feed("door", "opened\n")
	s.reached(end)
	quiet(at)
	end.Open()
	s.written(at, notified+"parley: begin @@ask;is done after ")
	s.idle("The door is open.")
	s.press("focus")
	s.quietly()
	s.leave()
}

// TestQuietTerminal tells nothing by a channel that is off, and shows nothing to a
// terminal that is not known to take it.
func TestQuietTerminal(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	folder(t, filepath.Join(home, ".config/parley"))
	put(t, filepath.Join(home, ".config/parley/settings.toml"), "notify.needs_you = \"off\"\nnotify.done = \"off\"\nterminal.title = false\nterminal.progress = false\n")
	for name, c := range map[string]struct {
		launch launch
		bell   bool
	}{
		"switched off":     {launch{home: home, env: []string{ghostty}}, false},
		"a plain terminal": {launch{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gate := llm.NewGate()
			s := play(t, llm.Script{"ask": {{Text: "I ask.", Hold: gate, HoldAfter: 1, Calls: []llm.Call{bash("touch made.txt")}}, said("It is made.")}}, c.launch)
			s.say("begin @@ask")
			s.reached(gate)
			s.lookAway()
			at := len(s.raw())
			gate.Open()
			s.wait(textOnce, "touch made.txt", textWaiting)
			s.press("focus")
			s.answer("y", textOnce)
			s.idle("It is made.")
			raw := s.raw()
			for _, sequence := range []string{progressRuns, progressWaits, notified} {
				if strings.Contains(raw, sequence) {
					t.Errorf("the window wrote %q", sequence)
				}
			}
			if titled := strings.Contains(raw, "begin @@ask · parley"); titled != c.bell {
				t.Errorf("the title was set: %t", titled)
			}
			if rang := strings.Contains(withoutOSC(raw[at:]), "\a"); rang != c.bell {
				t.Errorf("the bell rang: %t", rang)
			}
			s.leave()
		})
	}
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
