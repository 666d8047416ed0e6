package tui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/conversation"
)

// heldAgent continues no session: another window writes each.
type heldAgent struct {
	keepingAgent
	latest session.ID
	held   error
}

func (a *heldAgent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	if a.held != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, a.held)
	}
	return a.keepingAgent.Resume(ctx, id, o)
}

func (a *heldAgent) LatestID(_ context.Context, _ string, except ...session.ID) (session.ID, error) {
	if slices.Contains(except, a.latest) {
		return "", nil
	}
	return a.latest, nil
}

// --continue does not bring a session back that was deleted.
func TestContinueNoDeleted(t *testing.T) {
	t.Parallel()
	a := &heldAgent{latest: "old"}
	p := newPasts(t, tide(func(s *sessions.Session) { s.Deleted = started }), func(c *Config) {
		c.Agent, c.Continue = func(context.Context) (session.Agent, error) { return a, nil }, true
	})
	if id := p.m.win.Front.Info.ID; p.m.win.Front.Session == nil || id == "old" {
		t.Errorf("the session is %q", id)
	}
	p.update(toFront(p.m, conversation.EventsMsg{Session: p.m.win.Front.Session, At: p.at})) // its first events
	p.contains("There is no session of this folder to continue: this is a new one.")
}

// newHeld is a window that continues the session "old", which another one has.
func newHeld(t *testing.T, change func(*Config)) (*pasts, *heldAgent) {
	t.Helper()
	a := &heldAgent{latest: "old", held: &session.HeldError{Who: "process 4711", Since: started.Add(-time.Hour)}}
	p := newPasts(t, tide(func(s *sessions.Session) { s.InUse, s.Held = true, true }), func(c *Config) {
		c.Agent = func(context.Context) (session.Agent, error) { return a, nil }
		change(c)
	})
	return p, a
}

// A session that another window writes is read, whether it was named or is the last
// of the folder, with a word about who has it. What was to be sent is in the draft.
// It is continued when it is free, and in a copy at any time.
func TestHeldIsRead(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]func(*Config){
		"--resume":   func(c *Config) { c.Resume, c.Prompt = "old", "and the sun?" },
		"--continue": func(c *Config) { c.Continue, c.Prompt = true, "and the sun?" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, a := newHeld(t, how)
			if p.m.switcher.failed != nil || p.m.win.Front.ReadOnly == nil || p.m.win.Front.Session == nil || len(p.m.all) != 1 || p.m.win.Front.Info.ID != "old" {
				t.Fatalf("it is not read: %v, %+v", p.m.switcher.failed, p.m.win.Front.Info)
			}
			p.sayIn(0, past()...)
			p.sees("Another window (process 4711, since "+started.Add(-time.Hour).In(p.m.win.Zone).Format("15:04")+") has this session open.",
				"And the moon?", "❯ and the sun?")
			p.step("key", "enter")
			p.sees("Read only")
			entries := p.m.win.Front.Timeline.Len()
			p.step("key", "ctrl+x g") // it is still open there
			p.sayIn(0, past()...)
			if p.m.win.Front.ReadOnly == nil || p.m.win.Front.Session == nil || len(a.opened) != 0 || p.draft() != "and the sun?" || p.m.win.Front.Timeline.Len() < entries {
				t.Errorf("it is continued: %d opened, draft %q, %d entries of %d", len(a.opened), p.draft(), p.m.win.Front.Timeline.Len(), entries)
			}
			a.held = nil
			p.step("key", "ctrl+x g")
			if p.m.win.Front.ReadOnly != nil || p.m.win.Front.Info.ID != "old" || len(a.opened) != 1 || p.draft() != "and the sun?" {
				t.Errorf("it is not continued when it is free: %d opened, draft %q", len(a.opened), p.draft())
			}
		})
	}
}

// A session whose log the agent does not accept is read, with a word about why; it is tried
// again when the user asks to continue it. The end of the log may come apart from the end of reading it.
func TestDamagedIsRead(t *testing.T) {
	t.Parallel()
	p, a := newHeld(t, func(c *Config) { c.Resume, c.Prompt = "old", "and the sun?" })
	a.held = fmt.Errorf("%w: the file is corrupted (line 1)", session.ErrDamaged)
	p.step("key", "ctrl+x g")
	log := past()
	whole := log[len(log)-1]
	p.sayIn(0, append(log[:len(log)-1], session.Event{ID: "shutdown", Replayed: true, Body: session.SessionShutdown{}})...)
	p.sayIn(0, whole)
	p.sees("And the moon?", "❯ and the sun?",
		"The agent cannot resume this session: resume session old: its log is damaged:", "the file is corrupted (line 1).",
		"/new starts another session.")
	if p.m.switcher.failed != nil || p.m.win.Front.ReadOnly == nil || len(a.opened) != 0 {
		t.Fatalf("it is not read: %v, %+v", p.m.switcher.failed, p.m.win.Front.Info)
	}
	a.held = nil
	p.step("key", "ctrl+x g")
	if p.m.win.Front.ReadOnly != nil || len(a.opened) != 1 {
		t.Errorf("it is not continued once it can be: %d opened", len(a.opened))
	}
}

// A resume that fails where nothing was said yet leaves the window open, with the reason.
func TestFailedResumeStays(t *testing.T) {
	t.Parallel()
	sc, a := sideBySide(t, 1, nil)
	a.fails = fmt.Errorf("resume session s9: %w", session.ErrNotStored)
	sc.do(func(m *Model) tea.Cmd { return m.switcher.resume(m.win.Front, "s9") })
	if sc.m.switcher.failed != nil {
		t.Fatalf("the window ends: %v", sc.m.switcher.failed)
	}
	sc.contains("resume session s9: nothing of it is stored")
	sc.contains("/new starts another")
}

// A copy of it is continued in a tab of its own.
func TestHeldIsCopied(t *testing.T) {
	t.Parallel()
	p, a := newHeld(t, func(c *Config) { c.Resume = "old" })
	p.sayIn(0, past()...)
	a.held = nil // the copy is open nowhere
	p.do(func(m *Model) tea.Cmd { return m.win.Front.Blocks.ForkAt(m.win.Front.Timeline.Len() - 1) })
	if len(p.m.all) != 2 || p.m.win.Front.Info.ID != "copy" || p.m.win.Front.ReadOnly != nil {
		t.Errorf("%d open, on %s, calls %v", len(p.m.all), p.m.win.Front.Info.ID, a.calls)
	}
}

// Where it cannot be read either, who has it is said, on the command line.
func TestHeldAndNotFound(t *testing.T) {
	t.Parallel()
	p, _ := newHeld(t, func(c *Config) { c.Resume = "unknown" })
	if p.m.switcher.failed == nil || p.m.switcher.failed.Error() != "resume session unknown: it is open in another window (process 4711)" {
		t.Errorf("it fails with %v", p.m.switcher.failed)
	}
}
