package tui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/conversation"
)

// sessionForks continues in copies of sessions.
type sessionForks struct {
	win      *conversation.Window
	tabs     *tabs
	agents   *agents
	switcher *sessionSwitcher
}

// fork continues in a copy of this session.
func (s *sessionForks) fork(string) tea.Cmd {
	if s.win.Front.Timeline.Status().Turns == 0 {
		return s.win.Front.ShowHint("Nothing was said yet that a copy would keep.")
	}
	return s.forkFrom(s.win.Front.Info.ID)
}

// forkFrom continues in a copy of a whole session.
func (s *sessionForks) forkFrom(id session.ID) tea.Cmd { return s.forkBefore(s.win.Front, id, "", "") }

// forked is a copy of a session, and the agent that made it.
type forked struct {
	agent session.Agent
	own   bool // it was started for that
	id    session.ID
}

// Drop closes the agent if it was started for this copy.
func (f forked) Drop(ctx context.Context) tea.Cmd {
	if !f.own {
		return nil
	}
	return conversation.Close(ctx, f.agent, conversation.CloseTimeout)
}

// forkBefore continues in a copy of a session that ends before an event; "" copies
// all of it. From a session that is read it continues beside that one. A prompt
// that the copy ends before is in the draft then.
func (s *sessionForks) forkBefore(c *conversation.Conversation, id session.ID, before session.EventID, prompt string) tea.Cmd {
	agent, start := s.agents.running(c), c.Backend.Open
	if agent != nil {
		if _, ok := s.agents.library(); !ok {
			return nil
		}
	}
	if id == "" {
		return nil
	}
	dir := ""
	if id == c.Info.ID {
		dir = c.Info.Dir
	}
	return conversation.Ask(c, "copy the session", func(ctx context.Context) (f forked, err error) {
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
	}, func(f forked) tea.Cmd { return s.forkedTo(c, f, id, dir, prompt) })
}

// forkedTo continues in a copy, on the agent that the others have.
func (s *sessionForks) forkedTo(c *conversation.Conversation, f forked, of session.ID, dir, prompt string) tea.Cmd {
	var cmd tea.Cmd
	if others := s.agents.running(c); others != nil {
		cmd = f.Drop(s.win.Ctx)
		f.agent, f.own = others, false
	}
	if c.ReadOnly != nil {
		c = s.tabs.newConversation(c.Backend, cmp.Or(dir, s.win.Config.Options.Dir), f.id)
		c.Agent = f.agent
		cmd = tea.Batch(cmd, s.tabs.add(c))
	} else {
		from := c.Info.ID
		c.Agent = cmp.Or(c.Agent, f.agent)
		left, ok := s.switcher.switchTo(c, f.id, dir)
		if !ok {
			return tea.Batch(cmd, left, f.Drop(s.win.Ctx))
		}
		cmd = tea.Batch(cmd, left)
		if of != from { // a copy of another session has nothing to do with it
			c.Draft.LeaveWritten(from)
		}
	}
	c.AddNotice(session.SessionInfo{Message: "This is a copy. The session it was made of: " + c.Backend.ResumeCommand(of)})
	if d := c.Composer.Drafts(prompt)[0]; !d.Empty() {
		c.Draft.Offer(d, "copied")
	}
	return cmd
}
