package tui

import (
	"errors"
	"strings"
	"testing"

	"parley/session"
)

// Whatever becomes of a prompt while it is reworded, no words are lost and none
// is sent twice.
func TestRewording(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T, draft string) *scenario {
		t.Helper()
		sc := newScenario(t, nil)
		sc.working()
		sc.step("queue", "q1 run it")
		sc.step("type", draft)
		sc.step("key", "ctrl+x q e")
		sc.step("type", " twice")
		sc.s.calls = nil
		return sc
	}
	for _, c := range []struct {
		name, draft string
		play        func(sc *scenario)
		want        string // the draft after it
		stash       string // what is put away last; "" for nothing
		calls       int
	}{
		{"kept", "", func(sc *scenario) { sc.step("key", "enter") }, "", "", 1},
		{"kept, with a draft", "mine", func(sc *scenario) { sc.step("key", "enter") }, "mine", "", 1},
		{"left", "mine", func(sc *scenario) { sc.step("key", "esc") }, "mine", "run it twice", 0},
		{"cleared", "mine", func(sc *scenario) { sc.step("key", "ctrl+c") }, "", "run it twice", 0},
		{"refused", "", func(sc *scenario) {
			sc.s.fail = errors.New("no")
			sc.step("key", "enter")
		}, "run it twice", "", 1},
		{"sent meanwhile", "mine", func(sc *scenario) {
			sc.s.pending = nil
			sc.say(session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}})
		}, "mine", "run it twice", 0},
		{"the session ends", "", func(sc *scenario) { sc.step("end", "") }, "run it\nrun it twice", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := begin(t, c.draft)
			c.play(sc)
			stash := ""
			if s := sc.m.win.Unsent().Stash; len(s) > 0 {
				stash = s[len(s)-1].Draft.Text
			}
			if sc.draft() != c.want || stash != c.stash || len(sc.s.calls) != c.calls || sc.m.win.Front.Draft.Rewording.ID != "" {
				t.Errorf("draft %q, stash %q, calls %q, rewording %q", sc.draft(), stash, sc.s.calls, sc.m.win.Front.Draft.Rewording.ID)
			}
		})
	}
}

// A prompt that was sent now can be neither changed nor taken back: no key is offered for
// it, and each says why.
func TestSentNowIsFinal(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.s.pending = []session.Pending{{Text: "mind the gap", Steering: true}}
	sc.step("queue", "q1 then this")
	sc.step("key", "ctrl+x q")
	sc.contains("sent now")
	if footer := sc.rowOf("esc close"); footer < 0 || strings.Contains(sc.screen()[footer], "remove") {
		t.Errorf("a key that does nothing is offered:\n%s", strings.Join(sc.screen(), "\n"))
	}
	sc.step("key", "x")
	sc.contains("cannot be taken back")
	sc.step("key", "down")
	sc.contains("x remove")
	sc.step("key", "x esc")
	sc.step("key", "ctrl+x q")
	sc.s.calls = nil
	sc.step("key", "esc up")
	sc.contains("cannot be taken back")
	if len(sc.s.calls) > 0 {
		t.Error(sc.s.calls)
	}
}
