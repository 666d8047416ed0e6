package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/browser"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// browseSessions opens the browser, with a query to start with.
func (m *Model) browseSessions(query string) tea.Cmd {
	if m.behind() {
		return nil
	}
	m.closeOverlays()
	c := browser.Config{Library: m.config.Sessions, Options: &m.browsed, After: m.after}
	b, open := browser.New(m.ctx, c, m.overlayFacts(), query)
	m.cover(b)
	return open
}

// refreshBrowser brings an open browser up to date.
func (m *Model) refreshBrowser() tea.Cmd {
	b := over[*browser.Browser](m)
	if b == nil {
		return nil
	}
	return m.overlaid(func(overlay.Overlay) tea.Cmd { return b.Refresh() })
}

// forBrowser does what the browser asks for.
func (m *Model) forBrowser(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case browser.Start:
		m.closeOverlays()
		return m.newSession("")
	case browser.Resume:
		return m.openSession(r.Session)
	case browser.Read:
		m.closeOverlays()
		return m.readSession(r.ID)
	case browser.Fork:
		m.closeOverlays()
		return m.forkFrom(r.ID)
	case browser.Export:
		return m.exportStored(r.Session)
	case browser.Rename:
		return m.rename(r.Name)
	case browser.Marked:
		return m.findRecent()
	case browser.Failed:
		m.fail(r.What, r.Err, "")
	}
	return nil
}

// openSession goes on with a session. One that another program has open is read
// first: two that write one log lose what one of them says.
func (m *Model) openSession(s sessions.Session) tea.Cmd {
	switch {
	case m.holds(s.ID) && m.readOnly == nil:
		m.closeOverlays()
		m.tell("This is the session.")
		return nil
	case m.foreign(s):
		m.closeOverlays()
		return m.readSession(s.ID)
	case s.InUse && !m.livesHere(s.ID):
		m.closeOverlays()
		cmd := m.readSession(s.ID)
		if m.readOnly != nil {
			m.tell("It is open elsewhere; here it is to read.")
		}
		return cmd
	}
	m.closeOverlays()
	return m.turnTo(s.ID)
}

// livesHere reports whether this window goes on with a session: not where it only
// reads it.
func (m *Model) livesHere(id session.ID) bool {
	return slices.ContainsFunc(m.all, func(c *conversation) bool { return c.readOnly == nil && c.holds(id) })
}

// foreign reports whether the agent of this window cannot go on with a session,
// because another keeps it.
func (sh *shared) foreign(s sessions.Session) bool { return s.Foreign(sh.config.Keeper) }

// goOnWith is the command that goes on with a session of this window's agent.
func (sh *shared) goOnWith(id session.ID) string { return sessions.GoOn(id, sh.config.AgentFlags...) }

// tellForeign says how to go on with the session that is read, which another agent
// keeps.
func (c *conversation) tellForeign() tea.Cmd {
	who := cmp.Or(widget.FirstLine(c.readOnly.Agent), "a chat agent")
	if c.readOnly.Keeper == sessions.KeptByCopilot {
		who = "the Copilot CLI"
	}
	c.toEnd()
	c.say(session.SessionInfo{
		Message: "In this session " + who + " answers, not " + c.config.AgentName + ". To go on with it: " +
			widget.FirstLine(c.readOnly.GoOn()),
	})
	return nil
}
