package tui

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/navigation"
	"parley/tui/widget"
)

// pastSession is what a conversation has that shows a session which is only
// read. Nothing is ever sent from it.
type pastSession struct {
	sessions.Session                    // as the library knows it
	whole            bool               // all of its log was read
	held             *session.HeldError // why one does not resume it, as was asked for; nil if it was not
}

// pastReader follows a session that is only read.
type pastReader struct {
	*core
	titles *sessionTitle
}

// sessionTitle is the title of a session that is read, and the name that the user gives
// to a session.
type sessionTitle struct{ *core }

// growing reports whether more of it is to be read.
func (p *pastSession) growing() bool { return p != nil && !p.whole }

// readHeld reads a session where it was to be resumed, since another window
// writes it: neither would see what is said to the other. What waited to be sent is
// in the draft again.
func (c *conversation) readHeld(id session.ID, by *session.HeldError) tea.Cmd {
	c.queue.giveBackHeld()
	c.readOnly, c.resume = &pastSession{held: by}, id
	c.info.ID, c.info.ReadOnly, c.agent, c.opening = id, true, nil, true
	c.disconnected = false
	return c.open()
}

// reads takes what is known of the session that is read.
func (c *pastReader) reads(known sessions.Session) {
	c.readOnly.Session, c.readOnly.whole = known, false
	c.info.ReadOnly, c.info.Dir = true, cmp.Or(c.info.Dir, known.Dir)
	c.info.Model, c.info.Agent = cmp.Or(c.info.Model, known.Model), cmp.Or(known.Agent, c.info.Agent)
	c.titles.entitle(c.readOnly.Title)
}

// entitle shows a title that the session does not report.
func (c *sessionTitle) entitle(title string) {
	if title != "" {
		c.timeline.Apply(session.Event{Time: c.win.now, Ephemeral: true, Body: session.SessionTitleChanged{Title: title}})
	}
}

// readOn follows the log that is read. All of it is of the past, whoever says
// what of it: nothing in it opens a question or is news.
func (c *pastReader) readOn(events []session.Event) {
	for i := range events {
		events[i].Replayed = true
		if _, end := events[i].Body.(session.SessionShutdown); end && events[i].Ephemeral {
			c.readOnly.whole = true
		}
	}
}

// wholeRead says, once all of the log is there, which other agent keeps the session,
// or who else has it open.
func (c *pastReader) wholeRead() {
	if c.win.foreign(c.readOnly.Session) {
		c.explainForeign()
		return
	}
	if c.readOnly.held != nil || c.readOnly.Held {
		c.warn("in use", c.win.holderOf(c.readOnly)+c.win.says(" has this session open. This is what it has written so far; "+
			"{block-fork} on a block continues in a copy, and {continue-here} in the session itself once it is closed there."))
		return
	}
	if !c.readOnly.InUse {
		return
	}
	who := "Another program"
	if c.readOnly.Client != "" {
		who += ", " + widget.FirstLine(c.readOnly.Client) + ","
	}
	c.warn("in use", who+c.win.says(" has this session open. This is what it has written so far; {continue-here} continues it here "+
		"all the same, and then neither sees what the other does."))
}

// holderOf says which window writes the session that is read.
func (w *windowState) holderOf(p *pastSession) string {
	who := "Another window"
	if p.held == nil || p.held.Who == "" {
		return who
	}
	who += " (" + widget.FirstLine(p.held.Who)
	if !p.held.Since.IsZero() {
		who += ", since " + p.held.Since.In(w.zone).Format("15:04")
	}
	return who + ")"
}

// onlyRead says what to do where something would change the session.
func (c *core) onlyRead() tea.Cmd {
	if c.win.foreign(c.readOnly.Session) {
		c.showHint("Read only: {continue-here} shows how to continue this session.")
		return nil
	}
	c.showHint("Read only: {continue-here} continues this session, {block-fork} on a block continues in a copy.")
	return nil
}

// keepDraft is enter where nothing can be sent.
func (c *pastReader) keepDraft(some bool) tea.Cmd {
	if !some || c.win.foreign(c.readOnly.Session) {
		return c.onlyRead()
	}
	c.showHint("Read only: {continue-here} continues this session, with what you wrote.")
	return nil
}

// rename gives the session a name. One that is only read has it from the user
// alone (decision 24).
func (c *sessionTitle) rename(name string) tea.Cmd {
	s, ok := session.As[session.Renamer](c.session)
	switch {
	case c.readOnly != nil && name != "":
		return c.renamePast(name)
	case c.readOnly == nil && !ok:
		c.showHint("The sessions of this agent have no names.")
		return nil
	case name == "":
		c.showHint("Say the name: /rename NAME")
		return nil
	}
	return ask(c.core, "rename the session", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.Rename(ctx, name)
	}, func(_ struct{}) tea.Cmd {
		c.showHint("Renamed to %s.", c.win.cut(name, c.win.width/2))
		return nil
	})
}

// renamePast gives the session that is read a name of the user's.
func (c *sessionTitle) renamePast(name string) tea.Cmd {
	id := c.info.ID
	return c.notePast(id, "rename the session", func(k *sessions.Mark) { k.Name = name }, func() tea.Cmd {
		c.readOnly.Mark.Name, c.readOnly.Title = name, name
		c.entitle(name)
		c.showHint("Renamed to %s.", c.win.cut(name, c.win.width/2))
		return nil
	})
}

// notePast notes something about a past session, and then does something.
func (c *sessionTitle) notePast(id session.ID, what string, change func(*sessions.Mark), then func() tea.Cmd) tea.Cmd {
	lib := c.win.config.Sessions
	return ask(c.core, what, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, lib.Mark(ctx, id, change)
	}, func(_ struct{}) tea.Cmd { return then() })
}

// keepResumed takes it back that a session was deleted, when one resumes it:
// else it would be deleted when the window is left the next time.
func (c *pastReader) keepResumed() tea.Cmd {
	id, lib, ctx := c.resume, c.win.config.Sessions, c.win.ctx
	if id == "" || c.readOnly != nil || lib == nil {
		return nil
	}
	return func() tea.Msg {
		if s, err := lib.Get(ctx, id); err == nil && !s.Deleted.IsZero() {
			_ = lib.Mark(ctx, s.ID, func(k *sessions.Mark) { k.Deleted = time.Time{} })
		}
		return nil
	}
}

// forkAt continues in a copy that ends with what entry i belongs to, or, from a
// prompt, before it, with the prompt in the draft.
func (c *blockActions) forkAt(i int) tea.Cmd {
	switch {
	case c.info.ID == "":
		c.showHint("The session is starting: try again in a moment.")
		return nil
	case c.readOnly != nil && c.win.foreign(c.readOnly.Session):
		return c.explainForeign()
	}
	before, prompt, none := navigation.ForkPoint(c.timeline, i)
	if none != "" {
		c.showHint("%s", none)
		return nil
	}
	return c.request(forkSession{before, prompt})
}
