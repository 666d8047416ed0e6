package tui

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/conversation"
)

// forks is a window that starts an agent each time it needs one.
type forks struct {
	*pasts
	agents []*keepingAgent
	fails  error // of what the next one copies
}

// forking is a window that reads a past session and has no agent that can continue
// any, and what asks for a copy of the session, to be run later: it starts one.
func forking(t *testing.T) (p *forks, fork tea.Cmd) {
	t.Helper()
	p = &forks{}
	p.pasts = newPasts(t, tide(nil), func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) {
			p.agents = append(p.agents, &keepingAgent{fails: p.fails})
			return p.agents[len(p.agents)-1], nil
		}
	})
	p.read()
	p.step("key", "ctrl+x left")
	p.step("key", "ctrl+x x")
	p.step("key", "ctrl+x x")
	if len(p.m.all) != 1 || p.m.win.Front.ReadOnly == nil || len(p.agents) != 1 || p.agents[0].closed != 1 {
		t.Fatalf("%d open, %d agents", len(p.m.all), len(p.agents))
	}
	return p, p.m.forks.forkFrom("old")
}

// The agent that was started for a copy ends when nothing comes of the copy.
func TestForkThatIsDropped(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(p *forks)
		others    int   // agents that are started meanwhile
		fails     error // of the copy
	}{
		"the session was left": {func(p *forks) { p.do(func(m *Model) tea.Cmd { return m.switcher.newSession("") }) }, 1, nil},
		"the conversation was closed": {func(p *forks) {
			p.step("key", "ctrl+x w")
			p.step("key", "ctrl+x left")
			p.step("key", "ctrl+x x")
			p.step("key", "ctrl+x x")
		}, 1, nil},
		"another agent runs by now": {func(p *forks) { p.step("key", "ctrl+x w") }, 1, nil},
		"it cannot be copied":       {func(*forks) {}, 0, errors.New("the disk is full")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, fork := forking(t)
			test.meanwhile(p)
			p.fails = test.fails
			p.run(fork)
			all := p.agents
			if len(all) != 2+test.others {
				t.Fatalf("%d agents", len(all))
			}
			for i, a := range all[1:] {
				if started := i == test.others; started != (a.closed == 1) || !started && a.closed != 0 {
					t.Errorf("agent %d of %d was closed %d times", i+1, len(all)-1, a.closed)
				}
			}
		})
	}
}

// The agent that was started for a copy is the one that continues it.
func TestForkKeepsItsAgent(t *testing.T) {
	t.Parallel()
	p, fork := forking(t)
	p.run(fork)
	if all := p.agents; len(all) != 2 || all[1].closed != 0 || p.m.win.Front.Agent != all[1] || p.m.win.Front.Info.ID != "copy" {
		t.Errorf("%d agents, on %s", len(all), p.m.win.Front.Info.ID)
	}

	// So it is when the session was lost, and its agent with it.
	p, _ = forking(t)
	p.do(func(m *Model) tea.Cmd { return m.switcher.newSession("") })
	p.spoken("s1")
	p.update(toFront(p.m, conversation.EventsMsg{Session: p.m.win.Front.Session, Ended: true, At: p.at}))
	p.do(func(m *Model) tea.Cmd { return m.forks.forkFrom("s1") })
	if all := p.agents; len(all) != 3 || all[2].closed != 0 || p.m.win.Front.Agent != all[2] || p.m.win.Front.Info.ID != "copy" {
		t.Errorf("%d agents, on %s", len(all), p.m.win.Front.Info.ID)
	}
}

// An agent that was started for a conversation ends when that is closed before its
// session is open.
func TestOpenedTooLate(t *testing.T) {
	t.Parallel()
	p, _ := forking(t)
	_, opening := p.m.Update(conversation.InputMsg{At: p.at, Msg: press(t, "ctrl+x")})
	p.run(opening)
	opening = p.later("w")
	p.step("key", "ctrl+x x")
	p.step("key", "ctrl+x x")
	p.run(opening)
	if all := p.agents; len(p.m.all) != 1 || len(all) != 2 || all[1].closed != 1 {
		t.Errorf("%d open, %d agents, the last closed %d times", len(p.m.all), len(all), all[len(all)-1].closed)
	}
}
