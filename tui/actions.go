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
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if msg.err != nil {
		m.early = ""
		return m.unopened(msg.resumed, msg.err)
	}
	m.agent, m.session, m.info = msg.agent, msg.session, msg.session.Info()
	m.heard, m.turnstile = false, turnstile{}
	if m.readOnly != nil {
		m.reads(msg.past)
	}
	m.work(m.info.Dir)
	if m.config.Note != "" {
		m.say(session.SessionInfo{Message: m.config.Note})
		m.config.Note = ""
	}
	if m.info.InUse {
		m.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	m.forget()
	cmds := []tea.Cmd{m.pump(m.session), readPending(m.ctx, m.session), m.readTodos(), m.readTasks()}
	for _, out := range m.held {
		cmds = append(cmds, m.send(out))
	}
	m.held = nil
	m.journal.touch()
	slashes := readSlashes(m.ctx, m.session)
	m.listing = slashes != nil
	cmds = append(cmds, slashes)
	if m.continued {
		cmds = append(cmds, m.recover())
	}
	m.returnTo(m.info.ID)
	return tea.Batch(append(cmds, m.runEarly(), m.keepResumed(), m.findRecent(), m.readAccount(), m.refreshBrowser())...)
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
func (m *Model) unopened(id session.ID, err error) tea.Cmd {
	var held *session.HeldError
	switch {
	case m.readOnly != nil && m.readOnly.held != nil: // which is why it was to be read
		err = fmt.Errorf("resume session %s: %w", m.resume, m.readOnly.held)
	case m.readOnly == nil && m.config.Sessions != nil && m.config.Reading != nil && errors.As(err, &held):
		return m.readHeld(id, held)
	}
	if m.untouched() {
		m.failed = err
		return m.settled(tea.Quit)
	}
	m.lost = true
	const again = "Enter tries again and sends what is in the composer"
	what, next := "start the agent", again+", /quit leaves."
	switch wanted := m.resume; {
	case m.readOnly != nil:
		what, next = "open the session to read it", "Enter tries again, /close goes back. The draft stays."
	case wanted == "" || wanted == m.current():
	case wanted == m.before:
		next = "Enter tries again, /quit leaves. The draft stays."
	case m.holder(m.before) != nil:
		what, next = "go on with that session", again+", /close goes to the one beside it."
	case m.before != "":
		what, next = "go on with that session", "Enter goes back to the one before, /new starts another. The draft stays."
		m.resume = m.before
		m.returnTo(m.before)
	}
	if m.agent != nil && silent(err) {
		next += " " + endsSilent
	}
	m.fail(what, err, next)
	if len(m.held) > 0 {
		m.giveBackHeld()
		m.tell("What was waiting is in the composer.")
	}
	return nil
}

// untouched reports whether the window has had no session yet, and nothing was
// written in it.
func (m *Model) untouched() bool {
	return len(m.all) == 1 && m.session == nil && !m.wrote && !m.talked && m.before == "" && m.composer.editor.Empty()
}

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (m *Model) reconnect() tea.Cmd {
	m.lost, m.opening = false, true
	if id := m.current(); id != "" {
		m.resume, m.continued = id, false
	}
	m.dir = m.info.Dir
	if m.agent == nil && m.readOnly == nil {
		m.agent = m.living()
	}
	return m.open()
}

// reconnectAndSend reconnects and sends what is in the composer when the session is
// there, unless it was written for another one.
func (m *Model) reconnectAndSend() tea.Cmd {
	other := m.readOnly != nil || m.current() == "" && m.resume == m.before && m.before != ""
	start := m.reconnect()
	if other {
		return start
	}
	return tea.Batch(m.sendDraft(session.Enqueue), start)
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
	switch f := m.focus(); {
	case m.hasSelection():
		return m.copySelection()
	case f == overlaid:
		m.closeOverlays()
	case f == answering:
		m.questions.Blur(m.now)
	case f == searching || f == browsing || m.beneath():
		m.leaveBlock()
	case !m.composer.editor.Empty():
		m.putAway("cleared")
		m.tell("Draft cleared; {undo.undo} or {stash} brings it back.")
	case m.stopShells():
	case m.busy():
		return m.interrupt()
	case m.again("quit", "cancel"):
		return m.settled(tea.Quit)
	default:
		m.tell("{cancel} again to quit%s", m.endsToo())
	}
	return nil
}

// escape, pressed twice or as often as the settings say, interrupts the agent.
// Idle, it puts the draft away, or without one shows where the conversation can
// go back to. What lies on top takes its first press before it comes here.
func (m *Model) escape(string) tea.Cmd {
	switch {
	case m.stepBack():
	case m.busy() && (m.interruptsAtOnce() || m.again("interrupt", "interrupt")):
		return m.interrupt()
	case m.busy():
		m.tell("{interrupt} again to interrupt")
	case m.stopShells():
	case !m.composer.editor.Empty() && m.again("clear", "interrupt"):
		m.putAway("cleared")
		m.tell("Draft put away; {stash} or {undo.undo} brings it back.")
	case !m.composer.editor.Empty():
		m.tell("{interrupt} again to put the draft away")
	case m.again("rewind", "interrupt"):
		return m.rewind("")
	case m.readOnly != nil:
		m.armed = armed{}
		return m.onlyRead()
	default:
		m.tell("{interrupt} again to go back to an earlier prompt")
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
	return abort(c.ctx, c.session)
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
	if m.again("quit", "delete") {
		return m.settled(tea.Quit)
	}
	m.tell("{delete} again to quit%s", m.endsToo())
	return nil
}

// tab goes to the waiting question, or to the timeline, when there is no draft to
// complete.
func (c *conversation) tab(string) tea.Cmd {
	switch {
	case c.searchesFiles():
		c.eager = c.completed
	case c.composer.editor.Empty() && c.questions.Len() > 0:
		c.questions.Focus(c.now)
	case c.composer.editor.Empty():
		c.browse()
	case c.busy() && c.config.Settings.BusyEnter == "queue":
		c.tell("{send} queues the prompt for after this turn; {queued}, then s, sends it now")
	case c.busy():
		c.tell("{queue} queues the prompt for after this turn")
	}
	return nil
}

// tabQueue is tab where a draft that waits is queued by it.
func (m *Model) tabQueue(string) tea.Cmd {
	if m.busy() && !m.composer.editor.Empty() && !m.searchesFiles() {
		return m.enqueue("")
	}
	return m.tab("")
}

// searchesFiles reports whether what completes the draft is still looked for.
func (c *conversation) searchesFiles() bool {
	return c.completed.kind == fileToken && (c.workspace.asking || c.workspace.reading)
}

func (m *Model) focusQuestion(string) tea.Cmd {
	m.closeOverlays()
	m.turnToCard()
	if !m.questions.Focus(m.now) {
		m.tell("No question is waiting.")
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

func (m *Model) toggleExpanded(string) tea.Cmd {
	if c, ok := m.composer.editor.ChipAt(); ok && c.Attachment == nil && m.composer.editor.Expand() {
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
	case m.readOnly != nil:
		return m.onlyRead()
	case m.agent == nil:
		m.tell("No agent is running yet.")
		return nil
	}
	m.tell("Stopping the agent")
	return m.endAgent(m.agent, time.Second)
}

// endAgent closes an agent. Those that have no session on it start another.
func (m *Model) endAgent(agent session.Agent, patience time.Duration) tea.Cmd {
	ctx := m.ctx
	m.forgetAgent(agent)
	return func() tea.Msg {
		ctx, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = agent.Close(ctx)
		return nil
	}
}
