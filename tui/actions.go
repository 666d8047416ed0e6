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
		c.early = ""
		return c.request(openFailed{msg.resumed, msg.err})
	}
	c.agent, c.session, c.info = msg.agent, msg.session, msg.session.Info()
	c.heard, c.turnstile = false, turnstile{}
	if c.readOnly != nil {
		c.reads(msg.past)
	}
	c.work(c.info.Dir)
	if c.config.Note != "" {
		c.say(session.SessionInfo{Message: c.config.Note})
		c.config.Note = ""
	}
	if c.info.InUse {
		c.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	c.forget()
	cmds := []tea.Cmd{c.own(c.pump(c.session)), c.own(readPending(c.ctx, c.session)), c.readTodos(), c.readTasks()}
	for _, out := range c.held {
		cmds = append(cmds, c.send(out))
	}
	c.held = nil
	c.journal.touch()
	slashes := c.own(readSlashes(c.ctx, c.session))
	c.listing = slashes != nil
	cmds = append(cmds, slashes)
	if c.continued {
		cmds = append(cmds, c.recover())
	}
	c.returnTo(c.info.ID)
	c.request(sessionOpened{})
	return tea.Batch(append(cmds, c.runEarly(), c.keepResumed(), c.readAccount())...)
}

// work takes the folder the agent works in: paths are shown from there.
func (c *conversation) work(dir string) {
	if dir != "" {
		c.info.Dir, c.pane.Opts.Dir = dir, dir
		c.questions.Folders(c.config.Home, dir)
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
	case c.readOnly == nil && m.config.Sessions != nil && m.config.Reading != nil && errors.As(err, &held):
		return c.readHeld(id, held)
	}
	if m.untouched(c) {
		m.failed = err
		return m.settled(tea.Quit)
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
		c.returnTo(c.before)
	}
	if c.agent != nil && silent(err) {
		next += " " + endsSilent
	}
	c.fail(what, err, next)
	if len(c.held) > 0 {
		c.giveBackHeld()
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

// cancel is ctrl+c: it undoes the nearest thing that can be undone, and never
// answers a question.
func (m *Model) cancel(string) tea.Cmd {
	switch f := m.front.focus(); {
	case m.hasSelection():
		return m.front.copySelection()
	case f == overlaid:
		m.front.closeOverlays()
	case f == answering:
		m.front.questions.Blur(m.now)
	case f == searching || f == browsing || m.front.beneath():
		m.front.leaveBlock()
	case !m.front.composer.Empty():
		m.front.putAway("cleared")
		m.front.tell("Draft cleared; {undo.undo} or {stash} restores it.")
	case m.front.stopShells():
	case m.front.busy():
		return m.front.interrupt()
	case m.front.again("quit", "cancel"):
		return m.settled(tea.Quit)
	default:
		m.front.tell("{cancel} again to quit%s", m.endsToo())
	}
	return nil
}

// escape, pressed twice or as often as the settings say, interrupts the agent.
// Idle, it puts the draft away, or without one shows where the conversation can
// go back to. What lies on top takes its first press before it comes here.
func (c *conversation) escape(string) tea.Cmd {
	switch {
	case c.stepBack():
	case c.busy() && (c.interruptsAtOnce() || c.again("interrupt", "interrupt")):
		return c.interrupt()
	case c.busy():
		c.tell("{interrupt} again to interrupt")
	case c.stopShells():
	case !c.composer.Empty() && c.again("clear", "interrupt"):
		c.putAway("cleared")
		c.tell("Draft stashed; {stash} or {undo.undo} restores it.")
	case !c.composer.Empty():
		c.tell("{interrupt} again to put the draft away")
	case c.again("rewind", "interrupt"):
		return c.rewind("")
	case c.readOnly != nil:
		c.armed = armed{}
		return c.onlyRead()
	default:
		c.tell("{interrupt} again to go back to an earlier prompt")
	}
	return nil
}

// interruptsAtOnce reports whether the first press of the key interrupts.
func (sh *shared) interruptsAtOnce() bool {
	return sh.config.Settings.Interrupt == "single" && !sh.vim
}

// stepBack leaves what the draft is in the place of, and reports whether there
// was something.
func (c *conversation) stepBack() bool {
	switch {
	case c.rewording.ID != "":
		c.stopRewording()
		c.tell("The prompt stays as it was.")
	case c.beneath():
		c.leaveBlock()
	default:
		return false
	}
	return true
}

// interrupt asks the agent to stop the turn. The request leaves at once, and
// again each time the user asks.
func (c *conversation) interrupt() tea.Cmd {
	if c.session == nil || c.readOnly != nil {
		return nil
	}
	if c.aborting.IsZero() {
		c.aborting = c.now
	}
	c.hint = hint{}
	return c.own(abort(c.ctx, c.session))
}

// aborted takes the end of the request to stop; that the turn has stopped is
// an event.
func (c *conversation) aborted(msg abortedMsg) {
	if msg.session == c.session && msg.err != nil {
		c.aborting = time.Time{}
		c.fail("interrupt the agent", msg.err, "/stop ends it.")
	}
}

// quitTwice is ctrl+d on an empty draft; over a draft the editor has the key.
func (m *Model) quitTwice(string) tea.Cmd {
	if m.front.again("quit", "delete") {
		return m.settled(tea.Quit)
	}
	m.front.tell("{delete} again to quit%s", m.endsToo())
	return nil
}

// tab goes to the waiting question, or to the timeline, when there is no draft to
// complete.
func (c *conversation) tab(string) tea.Cmd {
	switch {
	case c.composer.CompleteWhenFound():
	case c.composer.Empty() && c.questions.Len() > 0:
		c.questions.Focus(c.now)
	case c.composer.Empty():
		c.browse()
	case c.busy() && c.config.Settings.BusyEnter == "queue":
		c.tell("{send} queues the prompt for after this turn; {queued}, then s, sends it now")
	case c.busy():
		c.tell("{queue} queues the prompt for after this turn")
	}
	return nil
}

// tabQueue is tab where a draft that waits is queued by it.
func (c *conversation) tabQueue(string) tea.Cmd {
	if c.busy() && !c.composer.Empty() && !c.composer.SearchesFiles() {
		return c.enqueue("")
	}
	return c.tab("")
}

func (c *conversation) focusQuestion(string) tea.Cmd {
	c.closeOverlays()
	c.turnToCard()
	if !c.questions.Focus(c.now) {
		c.tell("No question is pending.")
	}
	return nil
}

func (c *conversation) page() int { return max(1, c.pane.Height-2) }

func (c *conversation) scroll(n int) tea.Cmd {
	c.pane.Scroll(n)
	return nil
}

func (c *conversation) goHome(string) tea.Cmd {
	c.pane.Home()
	return nil
}

func (c *conversation) goEnd(string) tea.Cmd {
	c.pane.End()
	c.pane.Asked = true
	return nil
}

func (m *conversation) toggleExpanded(string) tea.Cmd {
	if c, ok := m.composer.ChipAt(); ok && c.Attachment == nil && m.composer.Expand() {
		return m.edited()
	}
	m.pane.Expanded = !m.pane.Expanded
	return nil
}

func (c *conversation) toggleReasoning(string) tea.Cmd {
	c.pane.Thinking = !c.pane.Thinking
	return nil
}

func (c *conversation) redraw(string) tea.Cmd {
	c.pane.End()
	return tea.ClearScreen
}

func (c *conversation) clearScreen(string) tea.Cmd {
	c.pane.Clear()
	return nil
}

func (sh *shared) suspend(string) tea.Cmd {
	return sh.lend(pause, func(error) tea.Msg { return tea.ResumeMsg{} })
}

func (sh *shared) quit(string) tea.Cmd { return sh.settled(tea.Quit) }

func (c *conversation) compact(args string) tea.Cmd {
	s, ok := session.As[session.Compacter](c.session)
	if !ok {
		c.tell("This agent does not summarise on request.")
		return nil
	}
	return c.job("summarise the conversation", func(ctx context.Context) error { return s.Compact(ctx, args) })
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
	return closeAgent(m.ctx, agent, patience)
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
