package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
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

// bothOpen starts two windows at once that go on with one session, and returns the
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
// the other shows it, goes on in a copy, and with the session itself when the first
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
	writes, reads = bothOpen(t, *s, "--continue")
	reads.leave()
	writes.leave()
	s = s.after("--resume", id)
	s.wait("The answer of two.", textReady)
	s.say("plums @@three")
	s.idle("The answer of three.")
	if heard := s.heard("assistant"); !strings.Contains(heard, "The answer of two.") {
		t.Errorf("the model does not know of it: %q", heard)
	}
	if log := stored(t, filepath.Join(s.home(), "session-state", id, "events.jsonl")); strings.Count(log, `"type":"session.resume"`) > 3 {
		t.Errorf("more than one wrote it:\n%s", log)
	}
	s.leave()
}

// leftChat is a session with a chat agent that was left, and the arguments that
// resume it.
func leftChat(t *testing.T) (s *stage, resume []string) {
	t.Helper()
	x := chatAgentOn(t, "", "")
	agent := []string{"--agent", "sse:" + x.url}
	s = &stage{launch: launch{args: agent, home: x.home, dir: t.TempDir()}}
	s.terminal = start(t, s.launch)
	s.wait(textReady)
	s.say("hello")
	s.idle("You said: hello")
	s.leave()
	return s, append(agent, "--continue")
}

// TestTwoChatWindows is the same with a chat agent, which keeps nothing itself.
func TestTwoChatWindows(t *testing.T) {
	t.Parallel()
	s, args := leftChat(t)
	writes, reads := bothOpen(t, *s, args...)
	writes.say("more")
	writes.idle("You said: more")
	writes.leave()
	reads.press("ctrl+x", "g")
	reads.wait("You said: more", textReady)
	reads.waitGone("read only")
	reads.say("most")
	reads.idle("You said: most")
	reads.leave()
}

// Two windows go for one session so often in a test, and in make soak.
const (
	contests     = 2
	soakContests = 50
)

// contest starts two windows on one session together, again and again: each time
// one writes it and the other reads it.
func contest(t *testing.T, of stage, args ...string) {
	t.Helper()
	rounds := sessiontest.Soak(t, contests, soakContests)
	first, together := 0, 0
	for range rounds {
		writes, reads := bothOpen(t, of, args...)
		apart := reads.began.Sub(writes.began)
		if apart > 0 {
			first++
		}
		if apart.Abs() <= 50*time.Millisecond {
			together++
		}
		reads.leave()
		writes.leave()
	}
	t.Logf("%d rounds, %d of them started within 50 ms: one wrote and one read in each; the first to start wrote in %d",
		rounds, together, first)
}

// TestTwoWindowsAgain is one round of TestTwoWindows again and again.
func TestTwoWindowsAgain(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"one": {{Text: "The answer of one."}}}, launch{own: true, home: t.TempDir()})
	s.say("mangoes @@one")
	s.idle("The answer of one.")
	id := s.id()
	s.leave()
	contest(t, *s, "--resume", id)
}

// TestTwoChatWindowsAgain is the same with a chat agent.
func TestTwoChatWindowsAgain(t *testing.T) {
	t.Parallel()
	s, args := leftChat(t)
	contest(t, *s, args...)
}
