package tui

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/browser"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Library is what the window uses of a sessions.Library. It is safe for concurrent
// use. All of it may block, and is called outside the loop.
type Library interface {
	browser.Library
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Deleted(ctx context.Context) ([]sessions.Session, error)
}

// browseSessions opens the browser, with a query to start with.
func (m *Model) browseSessions(query string) tea.Cmd {
	m.front.closeOverlays()
	c := browser.Config{Library: m.win.config.Sessions, Options: &m.browsed, After: m.win.after}
	b, open := browser.New(m.win.ctx, c, m.tabs.overlayFacts(), query)
	m.front.cover(b)
	b.SetFacts(m.tabs.overlayFacts())
	return open
}

// refreshBrowser brings an open browser up to date.
func (m *Model) refreshBrowser() tea.Cmd {
	b := over[*browser.Browser](m.win)
	if b == nil {
		return nil
	}
	return m.tabs.overlaid(func(overlay.Overlay) tea.Cmd { return b.Refresh() })
}

// forBrowser does what the browser asks for.
func (m *Model) forBrowser(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case browser.Start:
		m.front.closeOverlays()
		return m.newSession("")
	case browser.Resume:
		return m.openSession(r.Session)
	case browser.Read:
		m.front.closeOverlays()
		return m.readSession(r.ID)
	case browser.Fork:
		m.front.closeOverlays()
		return m.forkFrom(r.ID)
	case browser.Export:
		return m.front.exports.exportStored(r.Session)
	case browser.Rename:
		return m.front.titles.rename(r.Name)
	case browser.Marked:
		return m.recents.find()
	case browser.Failed:
		m.front.fail(r.What, r.Err, "")
	}
	return nil
}

// openSession goes on with a session. One that another program has open is read
// first: two that write one log lose what one of them says.
func (m *Model) openSession(s sessions.Session) tea.Cmd {
	switch {
	case m.front.holds(s.ID) && m.front.readOnly == nil:
		m.front.closeOverlays()
		m.front.tell("This is the session.")
		return nil
	case m.win.foreign(s):
		m.front.closeOverlays()
		return m.readSession(s.ID)
	case s.InUse && !m.livesHere(s.ID):
		m.front.closeOverlays()
		cmd := m.readSession(s.ID)
		if m.front.readOnly != nil {
			m.front.tell("Open in another window: read-only here.")
		}
		return cmd
	}
	m.front.closeOverlays()
	return m.turnTo(m.front, s.ID)
}

// foreign reports whether the agent of this window cannot go on with a session,
// because another keeps it.
func (w *windowState) foreign(s sessions.Session) bool { return s.Foreign(w.config.Keeper) }

// goOnWith is the command that goes on with a session of this window's agent.
func (w *windowState) goOnWith(id session.ID) string {
	return sessions.ResumeCommand(id, w.config.AgentFlags...)
}

// tellForeign says how to go on with the session that is read, which another agent
// keeps.
func (c *core) tellForeign() tea.Cmd {
	who := cmp.Or(widget.FirstLine(c.readOnly.Agent), "a chat agent")
	if c.readOnly.Keeper == sessions.CopilotKeeper {
		who = "the Copilot CLI"
	}
	c.toEnd()
	c.say(session.SessionInfo{
		Message: "In this session " + who + " answers, not " + c.win.config.AgentName + ". To resume it: " +
			widget.FirstLine(c.readOnly.ResumeCommand()),
	})
	return nil
}
