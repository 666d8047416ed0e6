package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (s *sessionSwitcher) reconnect(c *conversation) tea.Cmd {
	c.disconnected, c.opening = false, true
	if id := c.current(); id != "" {
		c.resume, c.continued = id, false
	}
	c.dir = c.info.Dir
	if c.agent == nil && c.readOnly == nil {
		c.agent = s.agents.running(c)
	}
	return c.open()
}

// reconnectAndSend reconnects and sends what is in the composer when the session is
// there, unless it was written for another one.
func (s *sessionSwitcher) reconnectAndSend(c *conversation) tea.Cmd {
	other := c.readOnly != nil || c.current() == "" && c.resume == c.before && c.before != ""
	start := s.reconnect(c)
	if other {
		return start
	}
	return tea.Batch(c.input.sendDraft(session.Enqueue), start)
}

// opened takes the session that was opened, and sends what was written
// meanwhile.
func (c *conversation) opened(msg openedMsg) tea.Cmd {
	c.opening = false
	if msg.err != nil {
		c.commands.early = ""
		return c.request(openFailed{msg.resumed, msg.err})
	}
	c.agent, c.session, c.info = msg.agent, msg.session, msg.session.Info()
	c.answers.heard, c.turnstile = false, turnstile{}
	if c.readOnly != nil {
		c.past.reads(msg.past)
	}
	c.work(c.info.Dir)
	if c.win.config.Note != "" {
		c.addNotice(session.SessionInfo{Message: c.win.config.Note})
		c.win.config.Note = ""
	}
	if c.info.InUse {
		c.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	c.forgetSession()
	cmds := []tea.Cmd{c.own(c.win.pump(c.session)), c.own(readPending(c.win.ctx, c.session)), c.todos.readTodos(), c.tasks.readTasks()}
	for _, out := range c.queue.held {
		cmds = append(cmds, c.queue.send(out))
	}
	c.queue.held = nil
	c.win.journal.touch()
	slashes := c.own(readSlashes(c.win.ctx, c.session))
	c.commands.listing = slashes != nil
	cmds = append(cmds, slashes)
	if c.continued {
		cmds = append(cmds, c.recovery.recover())
	}
	c.draft.returnTo(c.info.ID)
	c.request(sessionOpened{})
	return tea.Batch(append(cmds, c.commands.runEarly(), c.past.keepResumed(), c.account.readAccount())...)
}

// work takes the folder the agent works in: paths are shown from there.
func (c *core) work(dir string) {
	if dir != "" {
		c.info.Dir, c.pane.Opts.Dir = dir, dir
		c.questions.Folders(c.win.config.Home, dir)
	}
}

// done takes the end of a job.
func (c *conversation) done(msg doneMsg) {
	if msg.session == c.session && msg.err != nil {
		c.turnstile.reopen()
		c.wanted = nil
		c.fail(msg.what, msg.err, "")
	}
}

// ended takes the end of the session's events. What runs, runs no more.
func (c *conversation) ended() tea.Cmd {
	s := c.session
	for _, b := range []session.Body{session.AssistantIdle{Aborted: true}, session.SessionIdle{Aborted: true}} {
		c.timeline.Apply(session.Event{Time: c.win.now, Ephemeral: true, Body: b})
	}
	c.queue.recallSending()
	c.abandon("The session ended; what you wrote is in the composer.")
	c.request(agentEnded{c.agent})
	c.session, c.wanted = nil, nil
	c.news = !c.inFront() && c.readOnly == nil
	c.forgetSession()
	c.newQuestions()
	return c.own(func() tea.Msg { return endedMsg{s, s.Wait()} })
}

// abandon takes back all that was written for a session that goes: on its
// questions, as notes, and as prompts that wait.
func (c *conversation) abandon(why string) {
	c.questions.Apply(session.Event{Body: session.SessionShutdown{}}, c.win.now)
	c.outcome(c.questions.Tick(c.win.now)) // keys that were held back
	c.interrupted()
	c.draft.reclaimFrom(c.questions, why)
}

// addDisconnected says that the session ended without being asked to, and what the user can do.
func (c *conversation) addDisconnected(msg endedMsg) {
	if c.session != nil || c.opening || c.disconnected {
		return // left on purpose
	}
	c.disconnected = true
	text := "The session has ended."
	if msg.err != nil {
		text = msg.err.Error()
	}
	c.addNotice(session.SessionError{
		ErrorType: "session ended", Message: text,
		Remediation: remedy("Enter reconnects, continues from here and sends what is in the composer; /new starts another session."),
	})
}
