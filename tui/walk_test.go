package tui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dlclark/regexp2/v2"

	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/keymap"
)

// round is a part of the walk: a window of its own and the steps in it, one
// after the other.
type round struct {
	name string
	size [2]int // of the window; zero is 100 by 30
	// agent is who answers; nil is the demo.
	agent func(ctx context.Context, t *testing.T) (session.Agent, error)
	begin func(w *walker) // leads to where the steps begin; nil is nowhere
	steps []step
}

// step is one key of the table of commands, or one name after a slash, and what
// shows that it does what it is there for.
type step struct {
	row string // its id in the table
	key string // as the table writes it; "/name" is typed, with what may follow it
	// args follow a name after a slash, as far as key does not say them.
	args func(w *walker) string
	lead func(w *walker)
	// rest is what else must be done before it shows; nil is nothing.
	rest func(w *walker)
	// want is not so before the key is pressed, and so after it.
	want sign
	back func(w *walker)
	// unix is what the step needs that Windows or Wine lacks, where it is left out; "" is nothing.
	unix string
}

// TestWalk walks through the table of commands on the model, with a fake clock.
// Each key of each row is pressed, and each name after a slash typed, where it
// means something, and what must come of it is waited for, which was not so
// before.
func TestWalk(t *testing.T) {
	t.Parallel()
	startClockOfRegexps(t)
	for _, r := range rounds() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, r.walk)
		})
	}
}

// startClockOfRegexps starts the clock by which the regular expressions of the
// highlighter limit themselves, for longer than any test lasts. The process has one,
// which whoever needs it first starts: that must not be a bubble, whose time is
// another.
func startClockOfRegexps(t *testing.T) {
	t.Helper()
	r := regexp2.MustCompile("x", regexp2.None)
	r.MatchTimeout = time.Hour
	if _, err := r.MatchString("x"); err != nil {
		t.Fatal(err)
	}
}

// walk takes the steps of a round.
func (r round) walk(t *testing.T) {
	t.Helper()
	w := newWalker(t, r)
	defer w.end()
	if r.begin != nil {
		r.begin(w)
	}
	for _, s := range r.steps {
		if s.unix != "" && !sessiontest.Unix {
			t.Logf("%s, %s: not on Windows: it needs %s", s.row, s.key, s.unix)
			continue
		}
		w.take(s)
	}
}

// TestWalkIsComplete compares the steps of the walk with the table of commands.
func TestWalkIsComplete(t *testing.T) {
	t.Parallel()
	walked := map[[2]string]bool{}
	for _, r := range rounds() {
		for _, s := range r.steps {
			name := s.key
			if s.slash() {
				name, _, _ = strings.Cut(s.key, " ")
			}
			walked[[2]string{s.row, name}] = true
		}
	}
	rows := map[string]bool{}
	for _, c := range keymap.Commands() {
		rows[c.ID] = true
		keys := slices.Clone(c.Keys)
		for _, name := range append([]string{c.Slash}, c.Aliases...) {
			if name != "" {
				keys = append(keys, "/"+name)
			}
		}
		for _, key := range keys {
			if !walked[[2]string{c.ID, key}] {
				t.Errorf("%s, %s: no step of the walk", c.ID, key)
			}
			delete(walked, [2]string{c.ID, key})
		}
	}
	for at := range walked {
		t.Errorf("%s, %s: the walk has a step, and the table has no such key", at[0], at[1])
	}
	if len(rows) != len(keymap.Commands()) {
		t.Error("two rows of the table have one id")
	}
}

// rounds are all of the walk.
func rounds() []round {
	return slices.Concat(questionRounds(), formRounds(), workRounds(), composerRounds(), editingRounds(), listRounds(),
		timelineRounds(), blockRounds(), viewerRounds(), contextRounds(), detailsRounds(), pastRounds(), sessionRounds(), programRounds())
}

// slash reports whether a name after a slash is typed. The key "/" is not.
func (s step) slash() bool { return strings.HasPrefix(s.key, "/") && s.key != "/" }
