package tui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/timeline"
	"parley/tui/widget"
)

// pastSession is what a conversation has that shows a session which is only
// read. Nothing is ever sent from it.
type pastSession struct {
	sessions.Session                    // as the library knows it
	whole            bool               // all of its log was told
	held             *session.HeldError // why one does not go on with it, as was asked for; nil if it was not
}

// pastReader follows a session that is only read.
type pastReader struct {
	*core
	titles *sessionTitle
}

// sessionTitle is the title of a session that is read, and the name that the user gives
// to a session.
type sessionTitle struct{ *core }

// growing reports whether more of it is to be told.
func (p *pastSession) growing() bool { return p != nil && !p.whole }

// readSession shows a past session as a timeline of its own, beside what is on
// the screen. One that is open here is brought to the screen as it is.
func (m *Model) readSession(id session.ID) tea.Cmd {
	if m.win.config.Sessions == nil || m.win.config.Reading == nil {
		m.front.tell("Past sessions cannot be read here.")
		return nil
	}
	if i := slices.IndexFunc(m.all, func(c *conversation) bool { return c.holds(id) }); i >= 0 {
		return m.bring(m.all[i])
	}
	c := m.newConversation("", id)
	c.info, c.readOnly = session.Info{ID: id, ReadOnly: true}, &pastSession{}
	return m.add(c)
}

// readHeld reads a session where it was to be gone on with, since another window
// writes it: neither would see what is said to the other. What waited to be sent is
// in the draft again.
func (c *conversation) readHeld(id session.ID, by *session.HeldError) tea.Cmd {
	c.queue.giveBackHeld()
	c.readOnly, c.resume = &pastSession{held: by}, id
	c.info.ID, c.info.ReadOnly, c.agent, c.opening = id, true, nil, true
	c.lost = false
	return c.open()
}

// reads takes what is known of the session that is read.
func (c *pastReader) reads(known sessions.Session) {
	c.readOnly.Session, c.readOnly.whole = known, false
	c.info.ReadOnly, c.info.Dir = true, cmp.Or(c.info.Dir, known.Dir)
	c.info.Model, c.info.Agent = cmp.Or(c.info.Model, known.Model), cmp.Or(known.Agent, c.info.Agent)
	c.titles.entitle(c.readOnly.Title)
}

// entitle shows a title that the session does not tell.
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
		c.tellForeign()
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
		c.tell("Read only: {continue-here} shows how to continue this session.")
		return nil
	}
	c.tell("Read only: {continue-here} continues this session, {block-fork} on a block continues in a copy.")
	return nil
}

// keepDraft is enter where nothing can be sent.
func (c *pastReader) keepDraft(some bool) tea.Cmd {
	if !some || c.win.foreign(c.readOnly.Session) {
		return c.onlyRead()
	}
	c.tell("Read only: {continue-here} continues this session, with what you wrote.")
	return nil
}

// goOn goes on with the session that is read, where it is: what is on the screen
// stays, and so does the draft.
func (m *Model) goOn(string) tea.Cmd { return m.goOnReading(m.front) }

// goOnReading is goOn for a conversation.
func (m *Model) goOnReading(c *conversation) tea.Cmd {
	switch {
	case c.readOnly == nil:
		c.tell("This session continues here: you can write to it.")
		return nil
	case c.session == nil && c.opening:
		c.tell("The session is being opened: try again in a moment.")
		return nil
	case m.win.foreign(c.readOnly.Session):
		return c.tellForeign()
	}
	c.resume, c.dir = cmp.Or(c.info.ID, c.resume), c.info.Dir
	left := m.stopReading(c)
	c.session, c.lost, c.opening, c.continued = nil, false, true, false
	c.info.ReadOnly, c.info.Agent = false, m.win.config.AgentName
	c.toEnd()
	start := c.open()
	return func() tea.Msg {
		if left != nil {
			left()
		}
		return start()
	}
}

// stopReading makes the conversation one that can be gone on with, on the agent
// that the others have. It returns what ends the reading; nil where nothing is
// read.
func (m *Model) stopReading(c *conversation) tea.Cmd {
	if c.readOnly == nil {
		return nil
	}
	reader := c.agent
	c.readOnly, c.agent = nil, nil
	c.agent = m.living(c)
	if reader == nil {
		return nil
	}
	return m.endAgent(reader, c, closeTimeout)
}

// renamePast gives the session that is read a name of the user's.
func (c *sessionTitle) renamePast(name string) tea.Cmd {
	id := c.info.ID
	return c.notePast(id, "rename the session", func(k *sessions.Mark) { k.Name = name }, func() tea.Cmd {
		c.readOnly.Mark.Name, c.readOnly.Title = name, name
		c.entitle(name)
		c.tell("Renamed to %s.", c.win.cut(name, c.win.width/2))
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

// keepResumed takes it back that a session was deleted, when one goes on with it:
// else it would be gone when the window is left the next time.
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

// forkBlock goes on in a copy that ends with what the block belongs to, or, from a
// prompt, before it, with the prompt in the draft.
func (c *navigator) forkBlock(i int) tea.Cmd {
	switch {
	case c.pane.Over != nil:
		c.tell("What a sub-agent did has no copy of its own; {block-leave} goes back to the conversation.")
		return nil
	case c.info.ID == "":
		c.tell("The session is starting: try again in a moment.")
		return nil
	case c.readOnly != nil && c.win.foreign(c.readOnly.Session):
		return c.tellForeign()
	}
	if p := c.promptAt(i); p != nil {
		if !c.prompted(i) {
			c.tell("Nothing was said before this prompt that a copy would keep.")
			return nil
		}
		return c.request(forkSession{c.timeline.At(i).Origin[0], p.Text})
	}
	if !c.prompted(i) {
		c.tell("Nothing was said so far that a copy would keep.")
		return nil
	}
	for next := i + 1; next < c.timeline.Len(); next++ {
		if c.promptAt(next) != nil {
			return c.request(forkSession{c.timeline.At(next).Origin[0], ""})
		}
	}
	return c.request(forkSession{})
}

// promptAt is the prompt of entry i if it began something: before it a copy can
// end. What steered a turn did not, nor what the agent told itself.
func (c *navigator) promptAt(i int) *timeline.Prompt {
	e := c.timeline.At(i)
	p, ok := e.Body.(*timeline.Prompt)
	if !ok || e.Agent != "" || len(e.Origin) == 0 || p.Source != "" || p.Delivery == string(session.DeliveredSteering) {
		return nil
	}
	return p
}

// prompted reports whether something was begun before entry i.
func (c *navigator) prompted(i int) bool {
	for before := range i {
		if c.promptAt(before) != nil {
			return true
		}
	}
	return false
}

// forked is a copy of a session, and the agent that made it.
type forked struct {
	agent session.Agent
	own   bool // it was started for that
	id    session.ID
}

// drop implements owning.
func (f forked) drop(ctx context.Context) tea.Cmd {
	if !f.own {
		return nil
	}
	return closeAgent(ctx, f.agent, closeTimeout)
}

// forkBefore goes on in a copy of a session that ends before an event; "" copies
// all of it. From a session that is read it goes on beside that one. A prompt
// that the copy ends before is in the draft then.
func (m *Model) forkBefore(c *conversation, id session.ID, before session.EventID, prompt string) tea.Cmd {
	agent, start := m.living(c), m.win.config.Agent
	if agent != nil {
		if _, ok := m.library(); !ok {
			return nil
		}
	}
	if id == "" {
		return nil
	}
	dir := ""
	if id == c.info.ID {
		dir = c.info.Dir
	}
	return ask(c.core, "copy the session", func(ctx context.Context) (f forked, err error) {
		if f.agent = agent; agent == nil {
			if f.agent, err = start(ctx); err != nil {
				return f, err
			}
			f.own = true
		}
		l, ok := session.As[session.Library](f.agent)
		if !ok {
			return f, errors.ErrUnsupported
		}
		f.id, err = l.Fork(ctx, id, before)
		return f, err
	}, func(f forked) tea.Cmd { return m.forkedTo(c, f, id, dir, prompt) })
}

// forkedTo goes on in a copy, on the agent that the others have.
func (m *Model) forkedTo(c *conversation, f forked, of session.ID, dir, prompt string) tea.Cmd {
	var cmd tea.Cmd
	if others := m.living(c); others != nil {
		cmd = f.drop(m.win.ctx)
		f.agent, f.own = others, false
	}
	if c.readOnly != nil {
		c = m.newConversation(cmp.Or(dir, m.win.config.Options.Dir), f.id)
		c.agent = f.agent
		cmd = tea.Batch(cmd, m.add(c))
	} else {
		from := c.info.ID
		c.agent = cmp.Or(c.agent, f.agent)
		left, ok := m.switchTo(c, f.id, dir)
		if !ok {
			return tea.Batch(cmd, left, f.drop(m.win.ctx))
		}
		cmd = tea.Batch(cmd, left)
		if of != from { // a copy of another session has nothing to do with it
			c.draft.leaveWritten(from)
		}
	}
	c.say(session.SessionInfo{Message: "This is a copy. The session it was made of: " + m.win.goOnWith(of)})
	switch d := c.composer.Drafts(prompt)[0]; {
	case d.Empty():
	case c.composer.Empty():
		c.draft.setDraft(d)
		c.composer.SkipCompletion()
	default:
		m.win.keepAside(d, "copied")
	}
	return cmd
}
