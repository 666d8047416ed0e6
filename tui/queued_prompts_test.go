package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/history/drafts"
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

// A prompt that the agent has begun with waits no more, whatever a reading of the queue says
// that began before.
func TestPromptTaken(t *testing.T) {
	t.Parallel()
	queued := session.Pending{ID: "q1", MessageID: "m2", Text: "run it"}
	steering := session.Pending{Text: "run it", Steering: true}
	modified := session.Event{Ephemeral: true, Body: session.PendingMessagesModified{}}
	taken := session.Event{ID: "u2", Body: session.UserMessage{Content: "run it", MessageID: "m2", Delivery: session.DeliveredQueued}}
	steered := session.Event{ID: "u2", Body: session.UserMessage{Content: "run it", MessageID: "m3", Delivery: session.DeliveredSteering}}
	for _, c := range []struct {
		name string
		play func(sc *scenario)
		want []session.Pending
	}{
		{"a reading is overtaken by a later one", func(sc *scenario) {
			sc.s.pending = []session.Pending{queued}
			sc.s.reading = func() {
				sc.s.pending = nil
				sc.say(modified)
			}
			sc.say(modified)
		}, nil},
		{"a reading is overtaken by the prompt", func(sc *scenario) {
			sc.s.pending = []session.Pending{queued}
			sc.s.reading = func() {
				sc.s.pending = []session.Pending{steering}
				sc.say(taken)
			}
			sc.say(modified)
		}, []session.Pending{steering}},
		{"the prompt, before the queue is read again", func(sc *scenario) {
			sc.s.pending = []session.Pending{steering, queued}
			sc.say(modified)
			sc.s.reading = func() { sc.waiting(steering) }
			sc.s.pending = []session.Pending{steering}
			sc.say(taken)
		}, []session.Pending{steering}},
		{"one for the next step, before the queue is read again", func(sc *scenario) {
			sc.s.pending = []session.Pending{steering, steering, queued}
			sc.say(modified)
			sc.s.reading = func() { sc.waiting(steering, queued) }
			sc.s.pending = sc.s.pending[1:]
			sc.say(steered)
		}, []session.Pending{steering, queued}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := newScenario(t, nil)
			sc.working()
			c.play(sc)
			sc.waiting(c.want...)
			if sc.s.reading != nil {
				t.Error("the queue was not read again")
			}
		})
	}
}

// waiting checks which prompts the window holds for queued.
func (sc *scenario) waiting(want ...session.Pending) {
	sc.t.Helper()
	if got := []session.Pending(sc.m.win.Front.Queue.Pending); !slices.Equal(got, want) {
		sc.t.Errorf("%+v wait, not %+v", got, want)
	}
}

// A prompt that was sent for the next step can be neither changed nor taken back: no key is offered for
// it, and each says why.
func TestPromptForTheNextStepIsFinal(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.s.pending = []session.Pending{{Text: "mind the gap", Steering: true}}
	sc.step("queue", "q1 then this")
	sc.step("key", "ctrl+x q")
	sc.contains("next step")
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

// A held prompt is out of the agent's queue, stays in the list and above the composer, and
// is sent when it is released, to the end of the queue or into the turn.
func TestHeldPrompt(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T) *scenario {
		t.Helper()
		sc := newScenario(t, nil)
		sc.working()
		sc.step("queue", "q1 run it")
		sc.step("queue", "q2 and publish it")
		sc.s.calls = nil
		sc.step("key", "ctrl+x q h")
		return sc
	}
	held := func(sc *scenario) bool {
		return slices.ContainsFunc(sc.screen(), func(row string) bool {
			return strings.Contains(row, "run it") && strings.Contains(row, "held")
		})
	}
	for _, c := range []struct {
		name, keys string
		calls      []string // of the agent, after that it took it from the queue
		held       bool
		draft      string
		stash      string // what is put away last
	}{
		{name: "held", keys: "esc", held: true},
		{name: "released", keys: "h esc", calls: []string{`send enqueue "run it"`}},
		{name: "sent for the next step", keys: "s esc", calls: []string{`send immediate "run it"`}},
		{name: "removed", keys: "x esc", stash: "run it"},
		{name: "edited", keys: "e backspace x enter", held: true},
		{name: "edited and left", keys: "e backspace esc", held: true, stash: "run i"},
		{name: "interrupted", keys: "esc esc esc", calls: []string{"abort"}, held: true, draft: "and publish it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := begin(t)
			if !held(sc) {
				t.Fatalf("it is not held:\n%s", strings.Join(sc.screen(), "\n"))
			}
			sc.step("key", c.keys)
			if c.name == "interrupted" {
				sc.say(session.Event{Body: session.Abort{}})
			}
			stash := ""
			if s := slices.DeleteFunc(sc.m.win.Unsent().Stash, func(s drafts.Stashed) bool { return s.Why == "queued" }); len(s) > 0 {
				stash = s[len(s)-1].Draft.Text
			}
			sc.s.calls = slices.DeleteFunc(sc.s.calls, func(call string) bool { return call == "withdraw q1" })
			if held(sc) != c.held && c.name != "edited" || sc.draft() != c.draft || stash != c.stash || !slices.Equal(sc.s.calls, c.calls) {
				t.Errorf("held %t, draft %q, stash %q, calls %q\n%s", held(sc), sc.draft(), stash, sc.s.calls, strings.Join(sc.screen(), "\n"))
			}
			if c.name == "edited" {
				sc.contains("held      run ix")
			}
		})
	}
}

// What is held is stored as if it was stashed, and goes to the stash with its session.
func TestHeldPromptIsKept(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"end", "new"} {
		sc := newScenario(t, nil)
		sc.working()
		for _, p := range []string{"q1 first", "q2 second", "q3 third"} {
			sc.step("queue", p)
		}
		sc.step("key", "ctrl+x q h down h esc")
		kept := sc.m.drafts.unsent()
		if len(kept.Waiting) != 1 || len(kept.Stash) != 2 || kept.Stash[1].Draft.Text != "first" || kept.Stash[0].Why != "held" {
			t.Errorf("stored: %+v", kept)
		}
		if how == "end" {
			sc.step("end", "")
		} else {
			sc.run(sc.m.switcher.newSession(""))
		}
		s := sc.m.win.Unsent().Stash
		if len(s) != 2 || s[1].Draft.Text != "first" || s[0].Draft.Text != "second" || sc.draft() != "third" {
			t.Errorf("%s: stash %+v, draft %q", how, s, sc.draft())
		}
		if kept := sc.m.drafts.unsent(); len(kept.Stash) != 2 {
			t.Errorf("%s: stored %+v", how, kept)
		}
	}
}

// A prompt that the agent had taken already, or does not give back, is not held.
func TestPromptThatCannotBeHeld(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.step("queue", "q1 run it")
	sc.s.fail = errors.New("no")
	sc.step("key", "ctrl+x q h esc")
	sc.contains("Could not hold the prompt: no")
	sc.contains("queued    run it")
	sc.s.fail, sc.s.pending = nil, nil
	sc.step("key", "ctrl+x q h")
	sc.contains("does not wait any more")
	sc.lacks("held")
}

// After a prompt was removed no row is chosen, so that the next key is not for its neighbour, and that
// key says so.
func TestKeyAfterARemovedPrompt(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.step("queue", "q1 run it")
	sc.step("queue", "q2 and again")
	sc.step("key", "ctrl+x q x")
	sc.step("key", "s")
	sc.contains("Choose a row with the arrows first.")
	sc.lacks("does not wait any more")
}

// An interrupt returns what was sent into the turn to the composer, above what is written
// there; that can be undone.
func TestInterruptReturnsSteering(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, want string }{
		{"", "mind the gap\nand the step"},
		{"my next thought", "mind the gap\nand the step\nmy next thought"},
	} {
		sc := newScenario(t, nil)
		sc.working()
		sc.s.pending = []session.Pending{{Text: "mind the gap", Steering: true}, {Text: "and the step", Steering: true}}
		sc.step("queue", "q1 then this")
		sc.step("type", c.written)
		sc.say(session.Event{Body: session.Abort{}})
		stash := sc.m.win.Unsent().Stash
		if sc.draft() != c.want || len(stash) != 1 || stash[0].Draft.Text != "then this" {
			t.Errorf("%q: draft %q, stash %+v", c.written, sc.draft(), stash)
		}
		sc.step("key", "ctrl+_")
		if sc.draft() != c.written {
			t.Errorf("undone it is %q, want %q", sc.draft(), c.written)
		}
	}
}

// A prompt that cannot be moved further stays where it is, and that is said.
func TestMovedNoFurther(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.working()
	sc.step("queue", "q1 first")
	sc.step("queue", "q2 second")
	for _, c := range []struct{ keys, hint string }{
		{"ctrl+x q shift+up", "It is the first in the queue."},
		{"down shift+down", "It is the last in the queue."},
		{"h shift+up", "No other prompt is held; h releases this one."},
		{"shift+down", "No other prompt is held; h releases this one."},
		{"up h shift+down", "It is the last that is held."},
		{"up shift+up", "It is the first that is held."},
	} {
		before := len(sc.s.calls)
		sc.step("key", c.keys)
		sc.contains(c.hint)
		if moved := slices.ContainsFunc(sc.s.calls[before:], func(call string) bool { return strings.HasPrefix(call, "move") }); moved {
			t.Errorf("%s: it was moved: %q", c.keys, sc.s.calls[before:])
		}
	}
}
