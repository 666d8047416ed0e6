package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/composer"
)

// sessionSwitcher opens, leaves and closes sessions in the tabs of the window.
type sessionSwitcher struct {
	win    *windowState
	tabs   *tabs
	agents *agents
	failed error // why no session could be opened at the start
}

// newSession leaves the session, which can be resumed, and starts another. The
// draft goes along.
func (s *sessionSwitcher) newSession(string) tea.Cmd {
	left := s.tabs.front.current()
	cmd, ok := s.switchTo(s.tabs.front, "", "")
	if ok && left != "" {
		s.tabs.front.addNotice(session.SessionInfo{Message: "New session. The one before: " + s.win.resumeCommand(left)})
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
	if !s.tabs.front.again("close", "close") {
		s.tabs.front.showHint("{close} again leaves this session and %s", next)
		return nil
	}
	if len(s.tabs.all) > 1 {
		return s.closeTab()
	}
	return s.newSession("")
}

// restart ends the agent and resumes the same session on a new one. The
// agent that others need resumesout it.
func (s *sessionSwitcher) restart(string) tea.Cmd { return s.restartAgent(s.tabs.front) }

// restartAgent ends the agent of a conversation, as restart does.
func (s *sessionSwitcher) restartAgent(c *conversation) tea.Cmd {
	agent, left := c.agent, c.session
	switch {
	case left == nil:
		return s.reconnect(c)
	case c.readOnly != nil:
		return c.onlyRead()
	}
	dir, shared := c.info.Dir, s.agents.shared(c)
	if _, ok := s.switchTo(c, c.current(), dir); !ok {
		return nil
	}
	if shared {
		c.agent = nil
		c.showHint("This session gets an agent of its own; the others keep theirs.")
	} else {
		s.agents.forget(agent, c)
	}
	ctx, start := s.win.ctx, c.open()
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

// switchTo leaves the session, which can be resumed, and resumes another,
// which may be a copy of it; "" is a new one. It works in dir, or, for "", where
// the window began. The draft goes along. A session that is open beside this one
// is brought to the screen: it is never open twice.
func (s *sessionSwitcher) switchTo(c *conversation, id session.ID, dir string) (cmd tea.Cmd, ok bool) {
	if c.opening {
		c.showHint("A session is starting already.")
		return nil, false
	}
	switch other := s.tabs.otherWith(id, c); {
	case other != nil && c != s.tabs.front:
		c.showHint("That session is open here already.")
		return nil, false
	case other != nil && other.readOnly != nil:
		return s.showLive(other), false
	case c.readOnly != nil && c.holds(id):
		return s.continueReading(c), false
	case other != nil:
		cmd = s.tabs.show(other)
		other.showHint("That session is open here already: this is it.")
		return cmd, false
	}
	left := s.stopReading(c)
	if c.session != nil && left == nil {
		left = leave(s.win.ctx, c.session)
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

// resume continues another session of the user's choice. The draft stays
// with the one that is left.
func (s *sessionSwitcher) resume(c *conversation, id session.ID) tea.Cmd {
	from := c.info.ID
	cmd, ok := s.switchTo(c, id, "")
	if ok {
		c.draft.leaveWritten(from)
	}
	return cmd
}

// openInNewTab starts another session beside the one on the screen, or continues
// an earlier one there.
func (s *sessionSwitcher) openInNewTab(id string) tea.Cmd {
	if s.tabs.front.opening {
		s.tabs.front.showHint("A session is starting already.")
		return nil
	}
	if i := slices.IndexFunc(s.tabs.all, func(c *conversation) bool { return c.holds(session.ID(id)) }); i >= 0 {
		return s.showLive(s.tabs.all[i])
	}
	c := s.tabs.newConversation(s.win.config.Options.Dir, session.ID(id))
	c.agent, c.before = s.agents.running(s.tabs.front), s.tabs.front.resumable()
	return s.tabs.add(c)
}

// showLive shows another conversation, and continues a session that is only
// read there.
func (s *sessionSwitcher) showLive(c *conversation) tea.Cmd {
	cmd := s.tabs.show(c)
	if c.readOnly == nil {
		return cmd
	}
	return tea.Batch(cmd, s.continueReading(c))
}

// closeTab leaves the conversation on the screen, which can be resumed, and
// shows its neighbour. Its draft stays with it.
func (s *sessionSwitcher) closeTab() tea.Cmd {
	c, at := s.tabs.front, slices.Index(s.tabs.all, s.tabs.front)
	var left tea.Cmd
	switch {
	case c.agent != nil && !s.agents.shared(c): // no other tab needs it
		left = s.agents.end(c.agent, c, closeTimeout)
	case c.session != nil:
		left = leave(s.win.ctx, c.session)
	}
	c.abandon("The session was left; what you wrote stays with it.")
	c.shell.stopShells()
	c.queue.giveBackHeld()
	for _, p := range c.queue.sending {
		if !p.back {
			s.win.stash(p.Draft, "on its way")
		}
	}
	if d := c.composer.Draft(); !d.Empty() {
		if c.info.ID == "" {
			s.win.stash(d, "not sent")
		} else {
			s.win.keepDraftOf(c.info.ID, d)
		}
		c.draft.setDraft(drafts.Draft{})
	}
	next := s.tabs.all[(at+1)%len(s.tabs.all)]
	next.questions.Restore(c.questions.Written())
	cmd := s.tabs.show(next)
	s.tabs.all = slices.Delete(s.tabs.all, at, at+1)
	if id := c.current(); id != "" {
		s.tabs.front.showHint("Session closed. Reopen: %s", s.win.resumeCommand(id))
	}
	return tea.Batch(left, cmd)
}

// read shows a past session as a timeline of its own, beside what is on
// the screen. One that is open here is brought to the screen as it is.
func (s *sessionSwitcher) read(id session.ID) tea.Cmd {
	if s.win.config.Sessions == nil || s.win.config.Reading == nil {
		s.tabs.front.showHint("Past sessions cannot be read here.")
		return nil
	}
	if i := slices.IndexFunc(s.tabs.all, func(c *conversation) bool { return c.holds(id) }); i >= 0 {
		return s.tabs.show(s.tabs.all[i])
	}
	c := s.tabs.newConversation("", id)
	c.info, c.readOnly = session.Info{ID: id, ReadOnly: true}, &pastSession{}
	return s.tabs.add(c)
}

// continueHere continues the session that is read, where it is: what is on the screen
// stays, and so does the draft.
func (s *sessionSwitcher) continueHere(string) tea.Cmd { return s.continueReading(s.tabs.front) }

// continueReading is continueHere for a conversation.
func (s *sessionSwitcher) continueReading(c *conversation) tea.Cmd {
	switch {
	case c.readOnly == nil:
		c.showHint("This session continues here: you can write to it.")
		return nil
	case c.session == nil && c.opening:
		c.showHint("The session is being opened: try again in a moment.")
		return nil
	case s.win.foreign(c.readOnly.Session):
		return c.explainForeign()
	}
	c.resume, c.dir = cmp.Or(c.info.ID, c.resume), c.info.Dir
	left := s.stopReading(c)
	c.session, c.disconnected, c.opening, c.continued = nil, false, true, false
	c.info.ReadOnly, c.info.Agent = false, s.win.config.AgentName
	c.pane.ToEnd()
	start := c.open()
	return func() tea.Msg {
		if left != nil {
			left()
		}
		return start()
	}
}

// stopReading makes the conversation one that can be resumed, on the agent
// that the others have. It returns what ends the reading; nil where nothing is
// read.
func (s *sessionSwitcher) stopReading(c *conversation) tea.Cmd {
	if c.readOnly == nil {
		return nil
	}
	reader := c.agent
	c.readOnly, c.agent = nil, nil
	c.agent = s.agents.running(c)
	if reader == nil {
		return nil
	}
	return s.agents.end(reader, c, closeTimeout)
}

// openFailed takes the failure to open a session. At the very start, when the
// user has written nothing yet, it is said on the command line instead.
// A session that another window writes is read instead.
func (s *sessionSwitcher) openFailed(c *conversation, id session.ID, err error) tea.Cmd {
	var held *session.HeldError
	switch {
	case c.readOnly != nil && c.readOnly.held != nil: // which is why it was to be read
		err = fmt.Errorf("resume session %s: %w", c.resume, c.readOnly.held)
	case c.readOnly == nil && s.win.config.Sessions != nil && s.win.config.Reading != nil && errors.As(err, &held):
		return c.readHeld(id, held)
	}
	if s.untouched(c) {
		s.failed = err
		return s.win.settled(tea.Quit)
	}
	c.disconnected = true
	const again = "Enter tries again and sends what is in the composer"
	what, next := "start the agent", again+", /quit leaves."
	switch wanted := c.resume; {
	case c.readOnly != nil:
		what, next = "open the session to read it", "Enter tries again, /close goes back. The draft stays."
	case wanted == "" || wanted == c.current():
	case wanted == c.before:
		next = "Enter tries again, /quit leaves. The draft stays."
	case s.tabs.otherWith(c.before, c) != nil:
		what, next = "resume that session", again+", /close goes to the next tab."
	case c.before != "":
		what, next = "resume that session", "Enter goes back to the one before, /new starts another. The draft stays."
		c.resume = c.before
		c.draft.returnTo(c.before)
	}
	if c.agent != nil && silent(err) {
		next += " " + endsSilent
	}
	c.fail(what, err, next)
	if len(c.queue.held) > 0 {
		c.queue.giveBackHeld()
		c.showHint("Queued prompts are in the composer.")
	}
	return nil
}

// untouched reports whether the window has had no session yet, and nothing was
// written in it.
func (s *sessionSwitcher) untouched(c *conversation) bool {
	return len(s.tabs.all) == 1 && c.session == nil && !c.wrote && !c.talked && c.before == "" && c.composer.Empty()
}

// undelivered takes a message to a conversation that was closed meanwhile: nothing that
// the user wrote is lost, and no session and no agent is left running.
func (s *sessionSwitcher) undelivered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg:
		switch {
		case msg.err != nil:
		case s.agents.uses(msg.agent):
			return leave(s.win.ctx, msg.session)
		default: // it was started for this one alone
			return s.agents.end(msg.agent, nil, closeTimeout)
		}
	case resultMsg:
		return msg.drop(s.win.ctx)
	case sentMsg:
		if s.win.removeFromStash(msg.prompt.Draft); msg.err != nil && !msg.prompt.back {
			s.win.stash(msg.prompt.Draft, "not sent")
		}
	case respondedMsg:
		if msg.err != nil {
			for _, d := range composer.Plain(slices.Concat(words(msg.answer), filled(msg.answer), noteOf(msg.answer))...) {
				s.win.stash(d, "not sent")
			}
		}
	case recoveredMsg:
		return s.tabs.front.recovery.recovered(msg)
	}
	return nil
}
