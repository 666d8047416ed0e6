package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

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
		c.say(session.SessionInfo{Message: c.win.config.Note})
		c.win.config.Note = ""
	}
	if c.info.InUse {
		c.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	c.forget()
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

// unopened takes the failure to open a session. At the very start, when the
// user has written nothing yet, it is said on the command line instead.
// A session that another window writes is read instead.
func (m *Model) unopened(c *conversation, id session.ID, err error) tea.Cmd {
	var held *session.HeldError
	switch {
	case c.readOnly != nil && c.readOnly.held != nil: // which is why it was to be read
		err = fmt.Errorf("resume session %s: %w", c.resume, c.readOnly.held)
	case c.readOnly == nil && m.win.config.Sessions != nil && m.win.config.Reading != nil && errors.As(err, &held):
		return c.readHeld(id, held)
	}
	if m.untouched(c) {
		m.failed = err
		return m.win.settled(tea.Quit)
	}
	c.lost = true
	const again = "Enter tries again and sends what is in the composer"
	what, next := "start the agent", again+", /quit leaves."
	switch wanted := c.resume; {
	case c.readOnly != nil:
		what, next = "open the session to read it", "Enter tries again, /close goes back. The draft stays."
	case wanted == "" || wanted == c.current():
	case wanted == c.before:
		next = "Enter tries again, /quit leaves. The draft stays."
	case m.holder(c.before, c) != nil:
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
		c.tell("Queued prompts are in the composer.")
	}
	return nil
}

// untouched reports whether the window has had no session yet, and nothing was
// written in it.
func (m *Model) untouched(c *conversation) bool {
	return len(m.all) == 1 && c.session == nil && !c.wrote && !c.talked && c.before == "" && c.composer.Empty()
}

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (m *Model) reconnect(c *conversation) tea.Cmd {
	c.lost, c.opening = false, true
	if id := c.current(); id != "" {
		c.resume, c.continued = id, false
	}
	c.dir = c.info.Dir
	if c.agent == nil && c.readOnly == nil {
		c.agent = m.living(c)
	}
	return c.open()
}

// reconnectAndSend reconnects and sends what is in the composer when the session is
// there, unless it was written for another one.
func (m *Model) reconnectAndSend(c *conversation) tea.Cmd {
	other := c.readOnly != nil || c.current() == "" && c.resume == c.before && c.before != ""
	start := m.reconnect(c)
	if other {
		return start
	}
	return tea.Batch(c.sendDraft(session.Enqueue), start)
}

// done takes the end of a job.
func (c *conversation) done(msg doneMsg) {
	if msg.session == c.session && msg.err != nil {
		c.turnstile.reopen()
		c.wanted = nil
		c.fail(msg.what, msg.err, "")
	}
}

// stopAgent ends an agent that does not answer, by force if need be. That it
// had to be killed is no failure: it is what was asked for.
func (m *Model) stopAgent(string) tea.Cmd {
	switch {
	case m.front.readOnly != nil:
		return m.front.onlyRead()
	case m.front.agent == nil:
		m.front.tell("No agent is running yet.")
		return nil
	}
	m.front.tell("Stopping the agent")
	return m.endAgent(m.front.agent, m.front, time.Second)
}

// endAgent closes an agent. Conversations that have no session on it start another.
func (m *Model) endAgent(agent session.Agent, of *conversation, patience time.Duration) tea.Cmd {
	m.forgetAgent(agent, of)
	return closeAgent(m.win.ctx, agent, patience)
}

// closeAgent closes an agent, within a time.
func closeAgent(ctx context.Context, agent session.Agent, patience time.Duration) tea.Cmd {
	return func() tea.Msg {
		ctx, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = agent.Close(ctx)
		return nil
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
	c.forget()
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

// lose says that the session ended without being asked to, and how to go on.
func (c *conversation) lose(msg endedMsg) {
	if c.session != nil || c.opening || c.lost {
		return // left on purpose
	}
	c.lost = true
	text := "The session has ended."
	if msg.err != nil {
		text = msg.err.Error()
	}
	c.say(session.SessionError{
		ErrorType: "session ended", Message: text,
		Remediation: remedy("Enter reconnects, continues from here and sends what is in the composer; /new starts another session."),
	})
}
