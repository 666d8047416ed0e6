package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/history/sessions"
	"parley/session"
	"parley/theme"
	"parley/tui/browser"
	"parley/tui/files"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// newSession leaves the session, which can be resumed, and starts another. The
// draft goes along.
func (m *Model) newSession(string) tea.Cmd {
	left := m.front.current()
	cmd, ok := m.switchTo(m.front, "", "")
	if ok && left != "" {
		m.front.say(session.SessionInfo{Message: "New session. The one before: " + m.win.goOnWith(left)})
	}
	return cmd
}

// closeSession leaves the session when it is asked for twice, for the one beside
// it or for a new one.
func (m *Model) closeSession(string) tea.Cmd {
	next := "starts another"
	if len(m.all) > 1 {
		next = "shows the next tab"
	}
	if !m.front.again("close", "close") {
		m.front.tell("{close} again leaves this session and %s", next)
		return nil
	}
	if len(m.all) > 1 {
		return m.closeBeside()
	}
	return m.newSession("")
}

// restart ends the agent and goes on with the same session on a new one. The
// agent that others need goes on without it.
func (m *Model) restart(string) tea.Cmd { return m.restartAgent(m.front) }

// restartAgent ends the agent of a conversation, as restart does.
func (m *Model) restartAgent(c *conversation) tea.Cmd {
	agent, left := c.agent, c.session
	switch {
	case left == nil:
		return m.reconnect(c)
	case c.readOnly != nil:
		return c.onlyRead()
	}
	dir, shared := c.info.Dir, m.agentNeeded(c)
	if _, ok := m.switchTo(c, c.current(), dir); !ok {
		return nil
	}
	if shared {
		c.agent = nil
		c.tell("This session gets an agent of its own; the others keep theirs.")
	} else {
		m.forgetAgent(agent, c)
	}
	ctx, start := m.win.ctx, c.open()
	return func() tea.Msg {
		closing, done := context.WithTimeout(ctx, closeTimeout)
		defer done()
		if shared {
			_ = left.Close(closing)
		} else {
			_ = agent.Close(closing)
		}
		return start() // whatever became of it
	}
}

// in is the configuration with another working folder.
func (c Config) in(dir string) Config {
	if dir != "" {
		c.Options.Dir = dir
	}
	return c
}

// switchTo leaves the session, which can be resumed, and goes on with another,
// which may be a copy of it; "" is a new one. It works in dir, or, for "", where
// the window began. The draft goes along. A session that is open beside this one
// is brought to the screen: it is never open twice.
func (m *Model) switchTo(c *conversation, id session.ID, dir string) (cmd tea.Cmd, ok bool) {
	if c.opening {
		c.tell("A session is starting already.")
		return nil, false
	}
	switch other := m.holder(id, c); {
	case other != nil && c != m.front:
		c.tell("That session is open here already.")
		return nil, false
	case other != nil && other.readOnly != nil:
		return m.bringLive(other), false
	case c.readOnly != nil && c.holds(id):
		return m.goOnReading(c), false
	case other != nil:
		cmd = m.bring(other)
		other.tell("That session is open here already: this is it.")
		return cmd, false
	}
	left := m.stopReading(c)
	if c.session != nil && left == nil {
		left = leave(m.win.ctx, c.session)
	}
	c.before = c.resumable()
	c.abandon("The session was left; what you wrote is in the composer.")
	c.session, c.opening, c.agentCommands, c.commands.listing, c.commands.early = nil, true, nil, false, ""
	c.resume, c.continued, c.dir = id, false, dir
	c.reset()
	start := c.open()
	return func() tea.Msg {
		if left != nil {
			left()
		}
		return start()
	}, true
}

// turnTo goes on with another session of the user's choice. The draft stays
// with the one that is left.
func (m *Model) turnTo(c *conversation, id session.ID) tea.Cmd {
	from := c.info.ID
	cmd, ok := m.switchTo(c, id, "")
	if ok {
		c.draft.leaveWritten(from)
	}
	return cmd
}

// leaveWritten leaves the draft with the session that it was written in.
func (c *promptDraft) leaveWritten(from session.ID) {
	if d := c.composer.Draft(); !d.Empty() && from != "" {
		c.win.leftDraft(from, d)
		c.setDraft(drafts.Draft{})
		c.tell("What you wrote stays with the session you left; {history} shows it.")
	}
}

// returnTo brings the draft of a session back that was left.
func (c *promptDraft) returnTo(id session.ID) {
	d, ok := c.win.journal.drafts[id]
	if !ok {
		return
	}
	delete(c.win.journal.drafts, id)
	if c.composer.Empty() {
		c.setDraft(d)
	} else {
		c.win.keepAside(d, "not sent")
	}
}

// library is the agent's, if it keeps sessions.
func (m *Model) library() (session.Library, bool) {
	l, ok := session.As[session.Library](m.living(m.front))
	if !ok {
		m.front.tell("This agent keeps no sessions.")
	}
	return l, ok
}

// resumeSession goes on with an earlier session, or shows those there are: what
// is no id is looked for.
func (m *Model) resumeSession(args string) tea.Cmd {
	open := over[*browser.Browser](m.win) != nil
	switch {
	case m.win.config.Sessions != nil && args == "":
		if m.front.closeOverlays(); open {
			return nil
		}
		return m.browseSessions("")
	case m.win.config.Sessions != nil:
		return m.resumeOrFind(args)
	case args != "":
		return m.turnTo(m.front, session.ID(args))
	}
	l, ok := m.library()
	if !ok {
		return nil
	}
	return ask(m.front.core, "list the sessions", l.List, m.pickSession)
}

// resumeOrFind goes on with the session of an id, or of the beginning of one. Any
// other words are looked for. A whole id that the library does not know is left to
// the agent, which may.
func (m *Model) resumeOrFind(args string) tea.Cmd {
	pressed, lib := m.win.pressed, m.win.config.Sessions
	return consult(m.win.ctx, func(ctx context.Context) (sessions.Session, error) {
		return lib.Get(ctx, session.ID(args))
	}, func(s sessions.Session, err error) tea.Cmd {
		if m.win.asking = pressed; m.front.elsewhere() {
			return nil
		}
		switch whole := len(args) == 36 && strings.Count(args, "-") == 4; {
		case err == nil:
			return m.openSession(s)
		case whole:
			return m.turnTo(m.front, session.ID(args))
		}
		return m.browseSessions(args)
	})
}

// pickSession shows the sessions of an agent that keeps them where there is no
// library.
func (m *Model) pickSession(all []session.Stored) tea.Cmd {
	all = slices.DeleteFunc(all, func(s session.Stored) bool { return s.ID == m.front.info.ID })
	if !m.front.opens(len(all) > 0, "There is no earlier session.", "The sessions are here: /resume shows them.") {
		return nil
	}
	rows := make([]widget.Row, len(all))
	for i, s := range all {
		rows[i] = widget.Row{Value: string(s.ID), Label: s.Title, Detail: m.win.storedWhere(s), Right: widget.Age(m.win.now.Sub(s.Used))}
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Sessions", Pick: doing(func(r widget.Row) tea.Cmd {
		return m.turnTo(m.front, session.ID(r.Value))
	})}
	m.front.pick(p.Filter(""), "")
	return nil
}

// storedWhere says where a session worked.
func (w *windowState) storedWhere(s session.Stored) string {
	where := widget.ShortPath(s.Dir, w.config.Home)
	if s.Branch != "" {
		where += " (" + s.Branch + ")"
	}
	if s.InUse {
		where = "open elsewhere" + w.dot() + where
	}
	return where
}

// fork goes on in a copy of this session.
func (m *Model) fork(string) tea.Cmd {
	if m.front.timeline.Status().Turns == 0 {
		m.front.tell("Nothing was said yet that a copy would keep.")
		return nil
	}
	return m.forkFrom(m.front.info.ID)
}

// forkFrom goes on in a copy of a whole session.
func (m *Model) forkFrom(id session.ID) tea.Cmd { return m.forkBefore(m.front, id, "", "") }

// rename gives the session a name. One that is only read has it from the user
// alone (decision 24).
func (c *sessionTitle) rename(name string) tea.Cmd {
	s, ok := session.As[session.Renamer](c.session)
	switch {
	case c.readOnly != nil && name != "":
		return c.renamePast(name)
	case c.readOnly == nil && !ok:
		c.tell("The sessions of this agent have no names.")
		return nil
	case name == "":
		c.tell("Say the name: /rename NAME")
		return nil
	}
	return ask(c.core, "rename the session", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.Rename(ctx, name)
	}, func(_ struct{}) tea.Cmd {
		c.tell("Renamed to %s.", c.win.cut(name, c.win.width/2))
		return nil
	})
}

// workingFolders are the folders that the agent may work in.
type workingFolders struct{ *core }

// setDir lets the session work in another folder.
func (c *workingFolders) setDir(dir string) tea.Cmd {
	s, ok := session.As[session.WorkdirChanger](c.session)
	switch {
	case dir == "":
		c.tell("%s", c.win.cut(c.info.Dir, c.win.width))
		return nil
	case c.readOnly != nil:
		return c.onlyRead()
	case !ok:
		c.tell("This agent stays where it is.")
		return nil
	}
	to := c.absolute(dir)
	return c.job("work in "+dir, func(ctx context.Context) error { return s.SetDir(ctx, to) })
}

// addDir lets the agent's tools work in another folder too.
func (c *workingFolders) addDir(dir string) tea.Cmd {
	s, ok := session.As[session.Directories](c.session)
	switch {
	case !ok:
		c.tell("This agent works in one folder only.")
		return nil
	case dir == "":
		c.tell("Say the folder: /add-dir PATH")
		return nil
	}
	dir = c.absolute(dir)
	return ask(c.core, "add the folder", func(ctx context.Context) (struct{}, error) { return struct{}{}, s.AddDir(ctx, dir) },
		func(_ struct{}) tea.Cmd {
			c.tell("The agent may work in %s too.", c.win.cut(dir, c.win.width/2))
			return nil
		})
}

// listDirs shows the folders the agent may work in.
func (c *workingFolders) listDirs(string) tea.Cmd {
	s, ok := session.As[session.Directories](c.session)
	if !ok {
		c.tell("This agent works in one folder only.")
		return nil
	}
	return ask(c.core, "list the folders", s.Dirs, func(dirs []string) tea.Cmd {
		if c.elsewhere() {
			c.tell("The folders are here: /list-dirs shows them.")
			return nil
		}
		c.openPanel(&panel.Panel{Title: "Folders", Text: func(th *theme.Theme, width int) []string {
			var lines []string
			for _, d := range dirs {
				lines = append(lines, widget.Indent+th.Render(theme.Text, c.win.cut(widget.ShortPath(d, c.win.config.Home), width)))
			}
			return lines
		}})
		return nil
	})
}

// absolute is a path as the user wrote it, seen from the session's folder.
func (c *core) absolute(path string) string {
	full, _ := files.Absolute(path, c.info.Dir, c.win.config.Home)
	return full
}
