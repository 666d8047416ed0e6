package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/tui"
)

// round is a part of the walk: a window of its own and the steps in it, one
// after the other.
type round struct {
	name      string
	keyboards []keyboard // it is walked with each; nil is a plain terminal's
	size      [2]int     // of the window; zero is 100 by 30
	// args are those of Parley; nil is the embedded demo.
	args  func(t *testing.T) []string
	shell bool            // it is started from a shell
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
	ends bool // in place of want: the window ends, and well
	back func(w *walker)
}

// TestWalk walks through the table of commands in windows of the built program.
// Each key of each row is pressed, and each name after a slash typed, where it
// means something, and what must come of it is waited for, which was not so
// before.
func TestWalk(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	free := make(chan struct{}, walkWindows)
	for _, r := range rounds() {
		for _, k := range r.withKeyboards() {
			free <- struct{}{}
			all.Go(func() {
				defer func() { <-free }()
				t.Run(fmt.Sprintf("%s/%s", r.name, k), func(t *testing.T) { r.walk(t, k) })
			})
		}
	}
	all.Wait()
}

// walkWindows is how many windows are open at once. They wait most of the time,
// so there can be more than processors.
const walkWindows = 4

// walk takes the steps of a round.
func (r round) walk(t *testing.T, k keyboard) {
	t.Helper()
	w := newWalker(t, r, k)
	if r.begin != nil {
		r.begin(w)
	}
	for _, s := range r.steps {
		w.take(s)
	}
}

// TestWalkIsComplete compares the steps of the walk with the table of commands.
func TestWalkIsComplete(t *testing.T) {
	t.Parallel()
	walked := map[[2]string]bool{}
	for _, r := range rounds() {
		for _, s := range r.steps {
			name, _, _ := strings.Cut(s.key, " ")
			if !s.slash() {
				name = s.key
			}
			if !slices.ContainsFunc(r.withKeyboards(), func(k keyboard) bool { return k.has(s) }) {
				t.Errorf("%s, %s: no keyboard of the round %s has the key", s.row, s.key, r.name)
			}
			walked[[2]string{s.row, name}] = true
		}
	}
	rows := map[string]bool{}
	for _, c := range tui.Commands() {
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
	if len(rows) != len(tui.Commands()) {
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

// withKeyboards are the keyboards that a round is walked with.
func (r round) withKeyboards() []keyboard {
	if r.keyboards == nil {
		return []keyboard{plainKeys}
	}
	return r.keyboards
}
