package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/conversation"
)

// usedBefore are n sessions, an hour between them; the last one ended in the
// middle, and another program has the one before.
func usedBefore(n int) *pastLibrary {
	lib := &pastLibrary{sessions: map[session.ID]sessions.Session{}}
	for i := range n {
		id := session.ID(fmt.Sprintf("p%d", i))
		lib.sessions[id] = sessions.Session{
			Log: sessions.Log{ID: id, InUse: i == 1},
			Facts: sessions.Facts{
				Title: []string{"Tide table on one screen", "Menu in three languages", "Why the parser is slow", strings.Repeat("A long way home ", 12)}[i%4],
				Used:  started.Add(-time.Duration(1+i*i*i*9) * time.Hour),
				State: map[bool]sessions.State{true: sessions.Interrupted, false: sessions.Done}[i == 0],
			},
		}
	}
	return lib
}

// The first screen shows what was used last in the folder, below all that it
// showed before, and as much of it as there is room for.
func TestRecent(t *testing.T) {
	t.Parallel()
	var golden strings.Builder
	for _, c := range []struct{ n, width, height int }{{7, 80, 24}, {2, 80, 24}, {7, 40, 24}, {7, 80, 14}, {7, 80, 9}, {0, 80, 24}} {
		p := newPasts(t, usedBefore(c.n), nil)
		p.size(c.width, c.height)
		none := newScenario(t, nil)
		none.size(c.width, c.height)
		fmt.Fprintf(&golden, "%d sessions at %dx%d\n", c.n, c.width, c.height)
		with, without := p.screen(), none.screen()
		for i, line := range with {
			fmt.Fprintln(&golden, strings.TrimRight("| "+line, " "))
			if without[i] != "" && line != without[i] {
				t.Errorf("%d sessions at %dx%d: line %d moved", c.n, c.width, c.height, i)
			}
		}
	}
	sessiontest.Golden(t, "tui/recent", golden.String())
}

// Nothing is looked for before the first frame, where there is no first screen,
// or once it is gone.
func TestRecentIsLazy(t *testing.T) {
	t.Parallel()
	unused := usedBefore(1)
	m := newModel(t.Context(), Config{Sessions: unused}, conversation.Effects{
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }, Flushed: func() uint64 { return 0 },
	})
	m.display.Resize(80, 24)
	m.View()
	start := m.Init()
	if m.View(); len(unused.calls) != 0 || start == nil {
		t.Errorf("the library was asked before the first frame: %q", unused.calls)
	}
	lib := usedBefore(3)
	p := newPasts(t, lib, nil)
	slices.Sort(lib.calls)
	if got := strings.Join(lib.calls, ", "); got != "find in /home/ada/src/queue, find in /home/ada/src/queue, refresh" {
		t.Errorf("asked for %s", got)
	}
	p.working()
	lib.calls = nil
	p.step("key", "ctrl+x w")
	if !contains(lib.calls, "refresh") {
		t.Error("a new session shows what was used before it was there")
	}
	for name, change := range map[string]func(*Config){
		"resumed":  func(c *Config) { c.Resume = "p9" },
		"a prompt": func(c *Config) { c.Prompt = "go on" },
	} {
		lib := usedBefore(1)
		newPasts(t, lib, change)
		if contains(lib.calls, "find") {
			t.Errorf("%s: %v", name, lib.calls)
		}
	}
}

// Without a library, or with one that fails, the first screen is what it was.
func TestRecentFails(t *testing.T) {
	t.Parallel()
	want := strings.Join(newScenario(t, nil).screen(), "\n")
	lib := usedBefore(3)
	lib.fails = errors.New("damaged")
	for name, change := range map[string]func(*Config){
		"damaged": nil,
		"none":    func(c *Config) { c.Sessions = nil },
	} {
		if got := strings.Join(newPasts(t, lib, change).screen(), "\n"); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// What is known of past sessions is hostile.
func TestHostilePast(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		h := sessiontest.NewHostile(seed)
		lib := &pastLibrary{sessions: map[session.ID]sessions.Session{}}
		for range 1 + h.IntN(6) {
			id := session.ID(h.Text())
			lib.sessions[id] = sessions.Session{
				Log:   sessions.Log{ID: id, Name: h.Text(), Agent: h.Text(), Dir: h.Text(), Client: h.Text(), InUse: h.IntN(2) == 0},
				Facts: sessions.Facts{Title: h.Text(), Model: h.Text(), Used: started}, Mark: sessions.Mark{Name: h.Text()},
			}
		}
		p := newPasts(t, lib, nil)
		w := &hostileWindow{scenario: p.scenario, h: h, seed: seed}
		w.resize()
		w.look("recent sessions")
		for id := range lib.sessions {
			p.do(func(m *Model) tea.Cmd { return m.switcher.read(id) })
			p.sayIn(1, session.Event{ID: "e", Body: session.UserMessage{Content: h.Text()}},
				session.Event{ID: "f", Ephemeral: true, Body: session.SessionShutdown{}})
			w.look("a past session")
			p.step("key", "ctrl+x x ctrl+x x")
			break
		}
	}
}
