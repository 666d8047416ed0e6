package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
)

// browseSessions opens the browser, with a query to start with.
func (m *Model) browseSessions(query string) tea.Cmd {
	if m.behind() {
		return nil
	}
	m.closeOverlays()
	m.completion = nil
	b, open := newBrowser(m.ctx, query, m.browserFacts(), &m.sought, m.past, m.after)
	m.browser = b
	m.tellDraft()
	return open
}

// refreshBrowser brings an open browser up to date.
func (m *Model) refreshBrowser() tea.Cmd {
	if m.browser == nil {
		return nil
	}
	return m.browses(m.browser, m.browser.bringUpToDate)
}

// leaveBrowser closes the browser.
func (m *Model) leaveBrowser() {
	if m.browser != nil {
		m.browser.close()
		m.browser = nil
	}
}

// browserFacts are what the browser asks and draws with now.
func (m *Model) browserFacts() browserFacts {
	_, renames := session.As[session.Renamer](m.session)
	f := browserFacts{
		theme: m.theme, keys: m.keymap, unicode: m.config.Environment().Unicode(), width: m.width, height: m.height,
		now: m.now, zone: m.zone, home: m.config.Home, dir: m.info.Dir, keeper: m.config.Keeper,
		options: m.pane.Opts, density: m.pane.Density, open: make([]shownSession, 0, len(m.all)),
		renames: renames && m.session != nil, waits: m.questions.Len() > 0, said: m.hinted(),
	}
	for _, c := range m.all {
		if one := (shownSession{c.shownID(), c.readOnly != nil}); c == m.conversation {
			f.open = slices.Insert(f.open, 0, one)
		} else {
			f.open = append(f.open, one)
		}
	}
	return f
}

// browses gives the browser something, and does what it asks for then.
func (m *Model) browses(b *browser, do func() tea.Cmd) tea.Cmd {
	b.browserFacts = m.browserFacts()
	cmds := []tea.Cmd{do()}
	for _, r := range b.requests() {
		cmds = append(cmds, m.forBrowser(r))
	}
	return tea.Batch(cmds...)
}

// forBrowser does what the browser asks for.
func (m *Model) forBrowser(r browserRequest) tea.Cmd {
	switch r := r.(type) {
	case closeBrowser:
		m.closeOverlays()
	case startSession:
		m.closeOverlays()
		return m.newSession("")
	case resumePast:
		return m.openSession(r.session)
	case readPast:
		m.closeOverlays()
		return m.readSession(r.id)
	case forkPast:
		m.closeOverlays()
		return m.forkFrom(r.id)
	case exportPast:
		return m.exportStored(r.session)
	case copyPast:
		return m.copyText(r.text)
	case renameCurrent:
		return m.rename(r.name)
	case marksChanged:
		return m.findRecent()
	case markFailed:
		m.fail(r.what, r.err, "")
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
