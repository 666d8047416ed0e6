package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/conversation"
)

// sessionSwitcher opens, leaves and closes sessions in the tabs of the window.
type sessionSwitcher struct {
	win    *conversation.Window
	tabs   *tabs
	agents *agents
	failed error // why no session could be opened at the start
}

// newSession leaves the session, which can be resumed, and starts another. The
// draft goes along.
func (s *sessionSwitcher) newSession(string) tea.Cmd {
	left := s.win.Front.Current()
	cmd, ok := s.switchTo(s.win.Front, "", "")
	if ok && left != "" {
		s.win.Front.AddNotice(session.SessionInfo{Message: "New session. The one before: " + s.win.Front.Backend.ResumeCommand(left)})
	}
	return cmd
}

// closeSession leaves the session when it is asked for twice, for the one beside
// it or for a new one.
func (s *sessionSwitcher) closeSession(string) tea.Cmd {
	next := "starts another"
	if len(s.tabs.all) > 1 {
		next = "shows the next tab"
	}
	if !s.win.Front.Again("close", "close") {
		return s.win.Front.ShowHint("{close} again leaves this session and %s", next)
	}
	if len(s.tabs.all) > 1 {
		return s.closeTab()
	}
	return s.newSession("")
}

// restartAgent ends the agent of a conversation and resumes the same session on a new one.
// An agent that other conversations need stays for them.
func (s *sessionSwitcher) restartAgent(c *conversation.Conversation) tea.Cmd {
	agent, left := c.Agent, c.Session
	switch {
	case left == nil:
		return s.reconnect(c)
	case c.ReadOnly != nil:
		return c.OnlyRead()
	}
	dir, shared := c.Info.Dir, s.agents.shared(c)
	if _, ok := s.switchTo(c, c.Current(), dir); !ok {
		return nil
	}
	end := conversation.Close(s.win.Ctx, agent, conversation.CloseTimeout)
	if shared {
		end, c.Agent = conversation.Close(s.win.Ctx, left, conversation.CloseTimeout), nil
		c.ShowHint("This session gets an agent of its own; the others keep theirs.")
	} else {
		s.agents.forget(agent, c)
	}
	return conversation.After(end, c.Open()) // whatever became of it
}

// switchTo leaves the session, which can be resumed, and resumes another,
// which may be a copy of it; "" is a new one. It works in dir, or, for "", where
// the window began. The draft goes along. A session that is open beside this one
// is brought to the screen: it is never open twice.
func (s *sessionSwitcher) switchTo(c *conversation.Conversation, id session.ID, dir string) (cmd tea.Cmd, ok bool) {
	if c.Opening {
		c.ShowHint("A session is starting already.")
		return nil, false
	}
	switch other := s.tabs.otherWith(id, c); {
	case other != nil && c != s.win.Front:
		c.ShowHint("That session is open here already.")
		return nil, false
	case other != nil && other.ReadOnly != nil:
		return s.showLive(other), false
	case c.ReadOnly != nil && c.Holds(id):
		return s.continueReading(c), false
	case other != nil:
		cmd = s.tabs.show(other)
		other.ShowHint("That session is open here already: this is it.")
		return cmd, false
	}
	return c.LeaveFor(id, dir, s.stopReading(c)), true
}

// resume continues another session of the user's choice. The draft stays
// with the one that is left.
func (s *sessionSwitcher) resume(c *conversation.Conversation, id session.ID) tea.Cmd {
	from := c.Info.ID
	cmd, ok := s.switchTo(c, id, "")
	if ok {
		c.Draft.LeaveWritten(from)
	}
	return cmd
}

// openInNewTab starts another session beside the one on the screen, or continues
// an earlier one there.
func (s *sessionSwitcher) openInNewTab(id string) tea.Cmd {
	if s.win.Front.Opening {
		return s.win.Front.ShowHint("A session is starting already.")
	}
	if c := s.tabs.otherWith(session.ID(id), nil); c != nil {
		return s.showLive(c)
	}
	return s.openWith(s.win.Front.Backend, session.ID(id))
}

// openWith opens a session with an agent beside the one on the screen; "" is a new one.
func (s *sessionSwitcher) openWith(b *conversation.Backend, id session.ID) tea.Cmd {
	c := s.tabs.newConversation(b, s.win.Config.Options.Dir, id)
	c.Agent, c.Before = s.agents.running(c), s.win.Front.Resumable()
	return s.tabs.add(c)
}

// showLive shows another conversation, and continues a session that is only
// read there.
func (s *sessionSwitcher) showLive(c *conversation.Conversation) tea.Cmd {
	cmd := s.tabs.show(c)
	if c.ReadOnly == nil {
		return cmd
	}
	return tea.Batch(cmd, s.continueReading(c))
}

// closeTab leaves the conversation on the screen, which can be resumed, and
// shows its neighbour. Its draft stays with it.
func (s *sessionSwitcher) closeTab() tea.Cmd {
	c, at := s.win.Front, slices.Index(s.tabs.all, s.win.Front)
	var left tea.Cmd
	switch {
	case c.Agent != nil && !s.agents.shared(c): // no other tab needs it
		left = s.agents.end(c.Agent, c, conversation.CloseTimeout)
	case c.Session != nil:
		left = conversation.Close(s.win.Ctx, c.Session, conversation.CloseTimeout)
	}
	c.Close()
	next := s.tabs.all[(at+1)%len(s.tabs.all)]
	next.Questions.Restore(c.Questions.Written())
	cmd := s.tabs.show(next)
	s.tabs.all = slices.Delete(s.tabs.all, at, at+1)
	if id := c.Current(); id != "" {
		s.win.Front.ShowHint("Session closed. Reopen: %s", c.Backend.ResumeCommand(id))
	}
	return tea.Batch(left, cmd)
}

// read shows a past session as a timeline of its own, beside what is on
// the screen. One that is open here is brought to the screen as it is.
func (s *sessionSwitcher) read(id session.ID) tea.Cmd {
	if s.win.Config.Sessions == nil || s.win.Config.Reading == nil {
		return s.win.Front.ShowHint("Past sessions cannot be read here.")
	}
	if c := s.tabs.otherWith(id, nil); c != nil {
		return s.tabs.show(c)
	}
	c := s.tabs.newConversation(s.win.Own, "", id)
	c.Info, c.ReadOnly = session.Info{ID: id, ReadOnly: true}, &conversation.PastSession{}
	return s.tabs.add(c)
}

// continueReading continues the session that a conversation reads, where it is: what is on
// the screen stays, and so does the draft.
func (s *sessionSwitcher) continueReading(c *conversation.Conversation) tea.Cmd {
	switch {
	case c.ReadOnly == nil:
		return c.ShowHint("This session continues here: you can write to it.")
	case c.Session == nil && c.Opening:
		return c.ShowHint("The session is being opened: try again in a moment.")
	case s.win.Foreign(c.ReadOnly.Session):
		return c.ExplainForeign()
	}
	return c.ResumeRead(s.stopReading(c))
}

// stopReading makes the conversation one that can be resumed, on the agent
// that the others have. It returns what ends the reading; nil where nothing is
// read.
func (s *sessionSwitcher) stopReading(c *conversation.Conversation) tea.Cmd {
	if c.ReadOnly == nil {
		return nil
	}
	reader := c.Agent
	c.ReadOnly, c.Agent = nil, nil
	c.Agent = s.agents.running(c)
	if reader == nil {
		return nil
	}
	return s.agents.end(reader, c, conversation.CloseTimeout)
}

// openFailed takes the failure to open a session. At the very start, when the
// user has done nothing yet, it is said on the command line instead.
// A session that another window writes is read instead.
func (s *sessionSwitcher) openFailed(c *conversation.Conversation, id session.ID, err error) tea.Cmd {
	cmd, err := c.ReadInstead(id, err)
	switch {
	case cmd != nil:
		return cmd
	case len(s.tabs.all) == 1 && c.Untouched() && !s.win.Config.Browse:
		s.failed = err
		return s.win.Settled(tea.Quit)
	}
	c.NotOpened(err, s.tabs.otherWith(c.Before, c) != nil)
	return nil
}

// undelivered takes a message to a conversation that was closed meanwhile: nothing that
// the user wrote is lost, and no session and no agent is left running.
func (s *sessionSwitcher) undelivered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case conversation.OpenedMsg:
		switch {
		case msg.Err != nil:
			return nil
		case s.agents.uses(msg.Agent):
			return conversation.Close(s.win.Ctx, msg.Session, conversation.CloseTimeout)
		}
		return s.agents.end(msg.Agent, nil, conversation.CloseTimeout) // it was started for this one alone
	case conversation.RecoveredMsg:
		return s.win.Front.Receive(msg)
	}
	return s.win.Undelivered(msg)
}

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (s *sessionSwitcher) reconnect(c *conversation.Conversation) tea.Cmd {
	if c.Agent == nil && c.ReadOnly == nil {
		c.Agent = s.agents.running(c)
	}
	return c.Reconnect()
}

// reconnectAndSend reconnects and sends what is in the composer when the session is
// there, unless it was written for another one.
func (s *sessionSwitcher) reconnectAndSend(c *conversation.Conversation) tea.Cmd {
	other := c.LeavesBehind()
	start := s.reconnect(c)
	if other {
		return start
	}
	return tea.Batch(c.Input.SendDraft(session.Enqueue), start)
}
