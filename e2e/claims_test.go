package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session/sessiontest/llm"
)

// textElsewhere is what a window says that reads a session which another one writes.
const textElsewhere = "has this session open."

// ready waits until a window shows a session, and reports whether it only reads it.
func (s *stage) ready() (reads bool) {
	s.t.Helper()
	screen := s.waitFor("a session, to write to or to read", func(screen string) bool {
		return !strings.Contains(screen, "starting") &&
			(strings.Contains(screen, textElsewhere) || strings.Contains(screen, textReady) && !strings.Contains(screen, "read only"))
	})
	return strings.Contains(screen, textElsewhere)
}

// bothOpen starts two windows at once that continue one session, and returns the
// one that writes it, and the one that reads it.
func bothOpen(t *testing.T, of stage, args ...string) (writes, reads *stage) {
	t.Helper()
	first, second := of, of
	first.launch.args, second.launch.args = args, args
	first.terminal = start(t, first.launch)
	second.terminal = start(t, second.launch)
	switch one, other := first.ready(), second.ready(); {
	case one == other:
		t.Fatalf("%q: both read it: %t\n%s\n%s", args, one, first.screen(), second.screen())
	case one:
		return &second, &first
	}
	return &first, &second
}

// TestTwoWindows starts two windows on one session of the real CLI: one writes it,
// the other shows it, continues in a copy, and in the session itself when the first
// has left it. Nothing that was said is missing then.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{
		"one": {{Text: "The answer of one."}}, "two": {{Text: "The answer of two."}}, "three": {{Text: "The answer of three."}},
	}, launch{own: true, home: t.TempDir()})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	id := s.id()
	s.leave()
	writes, reads := bothOpen(t, *s, "--resume", id)
	reads.wait("Another window (process ", "The answer of one.", "read only")
	writes.say("cherries @@two")
	writes.idle("The answer of two.")
	reads.press("ctrl+x", "g")
	reads.wait("The answer of two.", textElsewhere, "read only")
	reads.command("/fork")
	reads.wait("This is a copy.", textReady)
	reads.leave()
	writes.leave()
	s = s.after("--resume", id)
	s.wait("The answer of two.", textReady)
	s.say("plums @@three")
	s.idle("The answer of three.")
	if heard := s.heard("assistant"); !strings.Contains(heard, "The answer of two.") {
		t.Errorf("the model does not know of it: %q", heard)
	}
	if log := stored(t, filepath.Join(s.home(), "session-state", id, "events.jsonl")); strings.Count(log, `"type":"session.resume"`) > 2 {
		t.Errorf("more than one wrote it:\n%s", log)
	}
	s.leave()
}
