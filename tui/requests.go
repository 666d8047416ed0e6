package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
)

// request is what a conversation asks the window for: what concerns other
// conversations, or the terminal. The set is closed. The window carries requests out
// in their order, when the conversation has dealt with what it was given.
type request interface{ request() }

type (
	// runInWindow runs a command that is the window's.
	runInWindow struct {
		command keymap.Command
		args    string
	}
	// editText opens a text in the user's editor.
	editText struct{ edition *edition }
	// runProgram gives the terminal to a program; then takes its end.
	runProgram struct {
		argv []string
		then func(err error) tea.Cmd
	}
	// notification is news for a user who looks elsewhere, by one of the channels that
	// the settings name.
	notification struct{ channel, text string }
	// sessionOpened says that the session is there.
	sessionOpened struct{}
	// openFailed says why no session could be opened.
	openFailed struct {
		id  session.ID
		err error
	}
	// agentEnded says that the agent of the conversation is not to be used again.
	agentEnded struct{ agent session.Agent }
	// draftsRecovered says that drafts of windows that have ended are there.
	draftsRecovered struct{}
	// reconnectAndSend resumes the session that was lost, and sends the draft.
	reconnectAndSend struct{}
	// restartAgent starts the agent again, with the same session.
	restartAgent struct{}
	// switchSession leaves the session for another in a folder, and says so there.
	switchSession struct {
		id            session.ID
		dir           string
		hint, warning string // warning is "" if there is none
	}
	// forkSession continues in a copy of the session that ends before an event; "" copies
	// all of it. The prompt is in the draft then.
	forkSession struct {
		before session.EventID
		prompt string
	}
)

func (runInWindow) request()      {}
func (editText) request()         {}
func (runProgram) request()       {}
func (notification) request()     {}
func (sessionOpened) request()    {}
func (openFailed) request()       {}
func (agentEnded) request()       {}
func (draftsRecovered) request()  {}
func (reconnectAndSend) request() {}
func (restartAgent) request()     {}
func (switchSession) request()    {}
func (forkSession) request()      {}

// request asks the window for something. It returns nil, for callers that return a
// command.
func (c *core) request(r request) tea.Cmd {
	c.requests = append(c.requests, r)
	return nil
}

// carryOut does what lies over the window and the conversations have asked for, and
// what they ask for then.
func (m *Model) carryOut() tea.Cmd {
	var cmds []tea.Cmd
	for {
		if m.win.overlay != nil {
			if asked := m.win.overlay.Requests(); len(asked) > 0 {
				cmds = append(cmds, m.answer(asked))
				continue
			}
		}
		i := slices.IndexFunc(m.all, func(c *conversation) bool { return len(c.requests) > 0 })
		if i < 0 {
			return tea.Batch(cmds...)
		}
		c := m.all[i] // a request may open or close others
		asked := c.requests
		c.requests = nil
		for _, r := range asked {
			cmds = append(cmds, m.forConversation(c, r))
		}
	}
}

// forConversation does what a conversation asks for.
func (m *Model) forConversation(c *conversation, r request) tea.Cmd {
	switch r := r.(type) {
	case runInWindow:
		if c == m.front {
			return m.handlers[r.command.ID](r.args)
		}
	case editText:
		return m.handOver(func() tea.Cmd { return m.win.edit(r.edition) })
	case runProgram:
		return m.handOver(func() tea.Cmd {
			return m.win.handOver(m.win.ctx, r.argv, func(err error) tea.Msg { return returnedMsg{err: err, then: r.then} })
		})
	case notification:
		return m.notify(c, r)
	case sessionOpened:
		return tea.Batch(m.recents.find(), m.library.refresh())
	case openFailed:
		return m.switcher.openFailed(c, r.id, r.err)
	case agentEnded:
		m.agents.forget(r.agent, c)
	case draftsRecovered:
		for _, c := range m.all {
			if c.session != nil {
				c.draft.returnTo(c.info.ID)
			}
		}
	case reconnectAndSend:
		return m.switcher.reconnectAndSend(c)
	case restartAgent:
		return m.switcher.restartAgent(c)
	case switchSession:
		cmd, _ := m.switcher.switchTo(c, r.id, r.dir)
		if c.tell("%s", r.hint); r.warning != "" {
			c.warn("redo", r.warning)
		}
		return cmd
	case forkSession:
		return m.forks.forkBefore(c, c.info.ID, r.before, r.prompt)
	}
	return nil
}
