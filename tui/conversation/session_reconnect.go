package conversation

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// opened takes the session that was opened, and sends what was written
// meanwhile.
func (c *Conversation) opened(msg OpenedMsg) tea.Cmd {
	c.Opening = false
	if msg.Err != nil {
		c.Commands.early = ""
		return c.request(OpenFailed{msg.resumed, msg.Err})
	}
	c.Agent, c.Session, c.Info, c.failed = msg.Agent, msg.Session, msg.Session.Info(), ""
	c.hadSession = true
	c.Answers.heard, c.turnstile, c.Queue.inDir = false, turnstile{}, msg.inDir
	if c.past.resumed = msg.resumed; c.ReadOnly != nil {
		c.past.reads(msg.past)
	}
	c.Work(c.Info.Dir)
	if c.win.Config.Note != "" {
		c.AddNotice(session.SessionInfo{Message: c.win.Config.Note})
		c.win.Config.Note = ""
	}
	if c.Info.InUse {
		c.Warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	c.ForgetSession()
	cmds := []tea.Cmd{c.own(c.win.Pump(EventsMsg{Session: c.Session})), c.Queue.readPending(), c.Todos.ReadTodos(), c.Tasks.readTasks()}
	for _, out := range c.Queue.Early {
		cmds = append(cmds, c.Queue.send(out))
	}
	c.Queue.Early = nil
	c.win.Journal.Touch()
	slashes := c.Commands.readSlashes()
	c.Commands.listing = slashes != nil
	cmds = append(cmds, slashes)
	if c.Continued && msg.resumed == "" {
		c.ShowHint("There is no session of this folder to continue: this is a new one.")
	}
	if c.Continued {
		cmds = append(cmds, c.Recovery.Recover())
	}
	c.Draft.ReturnTo(c.Info.ID)
	c.request(SessionOpened{})
	cmds = append(cmds, c.Commands.runEarly(), c.past.keepResumed())
	cmds = append(cmds, c.account.readAccount(), c.first.read(), c.readCheckout())
	return tea.Batch(cmds...)
}

// Work takes the folder the agent works in: paths are shown from there.
func (c *core) Work(dir string) {
	if dir != "" {
		c.Info.Dir, c.Pane.Opts.Dir = dir, dir
		c.Questions.Folders(c.win.Config.Home, dir)
	}
}

// ended takes the end of the session's events. What runs, runs no more.
func (c *Conversation) ended() tea.Cmd {
	s := c.Session
	for _, b := range []session.Body{session.AssistantIdle{Aborted: true}, session.SessionIdle{Aborted: true}} {
		c.Timeline.Apply(session.Event{Time: c.win.Now, Ephemeral: true, Body: b})
	}
	c.Queue.recallSending()
	c.abandon("The session ended; what you wrote is in the composer.")
	c.request(AgentEnded{c.Agent})
	c.Session, c.Wanted = nil, nil
	c.News = !c.inFront() && c.ReadOnly == nil
	c.ForgetSession()
	c.newQuestions()
	return c.own(func() tea.Msg { return EndedMsg{s, s.Wait()} })
}

// abandon takes back all that was written for a session that goes: on its
// questions, as notes, and as prompts that wait.
func (c *Conversation) abandon(why string) {
	c.Questions.Apply(session.Event{Body: session.SessionShutdown{}}, c.win.Now)
	c.Outcome(c.Questions.Tick(c.win.Now)) // keys that were held back
	c.Aborting = time.Time{}
	c.Queue.stashHeld()
	steering, queued := c.Queue.takePending()
	c.Draft.reclaim("Queued prompts are in the composer.", slices.Concat(steering, queued))
	c.Answers.ReclaimNotes()
	c.Draft.reclaimFrom(c.Questions, why)
}

// Closed takes the end of a session. One that was not asked for is shown with what
// the user can do, and notified of.
func (c *Conversation) Closed(msg EndedMsg) {
	if c.Session != nil || c.Opening || c.Disconnected {
		return // left on purpose
	}
	c.Disconnected = true
	text := "The session has ended."
	if msg.Err != nil {
		text = msg.Err.Error()
	}
	next := "Enter reconnects, continues from here and sends what is in the composer; /new starts another session."
	if a := c.account.accounts; errors.Is(msg.Err, session.ErrSignedOut) && a != nil && a.SignIn() != nil {
		next = "/login signs in and continues here. " + next
	}
	c.AddNotice(session.SessionError{ErrorType: "session ended", Message: text, Remediation: remedy(next)})
	c.Attention.notify(Notification{c.win.Config.Settings.Notify.Error, "the session has ended"}, "")
}

// Reconnect resumes the session that was lost. The timeline and the draft stay.
func (c *Conversation) Reconnect() tea.Cmd {
	c.Disconnected, c.Opening = false, true
	if id := c.Current(); id != "" {
		c.Resume, c.Continued = id, false
	}
	c.dir = c.Info.Dir
	return c.Open()
}

// LeavesBehind reports whether a reconnection leads to another session than the one that
// the draft was written for.
func (c *Conversation) LeavesBehind() bool {
	return c.ReadOnly != nil || c.Current() == "" && c.Resume == c.Before && c.Before != ""
}
