package tui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// sessionForks continues in copies of sessions.
type sessionForks struct {
	win      *windowState
	tabs     *tabs
	agents   *agents
	switcher *sessionSwitcher
}

// fork continues in a copy of this session.
func (s *sessionForks) fork(string) tea.Cmd {
	if s.tabs.front.timeline.Status().Turns == 0 {
		s.tabs.front.showHint("Nothing was said yet that a copy would keep.")
		return nil
	}
	return s.forkFrom(s.tabs.front.info.ID)
}

// forkFrom continues in a copy of a whole session.
func (s *sessionForks) forkFrom(id session.ID) tea.Cmd { return s.forkBefore(s.tabs.front, id, "", "") }

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

// forkBefore continues in a copy of a session that ends before an event; "" copies
// all of it. From a session that is read it continues beside that one. A prompt
// that the copy ends before is in the draft then.
func (s *sessionForks) forkBefore(c *conversation, id session.ID, before session.EventID, prompt string) tea.Cmd {
	agent, start := s.agents.running(c), s.win.config.Agent
	if agent != nil {
		if _, ok := s.agents.library(); !ok {
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
	}, func(f forked) tea.Cmd { return s.forkedTo(c, f, id, dir, prompt) })
}

// forkedTo continues in a copy, on the agent that the others have.
func (s *sessionForks) forkedTo(c *conversation, f forked, of session.ID, dir, prompt string) tea.Cmd {
	var cmd tea.Cmd
	if others := s.agents.running(c); others != nil {
		cmd = f.drop(s.win.ctx)
		f.agent, f.own = others, false
	}
	if c.readOnly != nil {
		c = s.tabs.newConversation(cmp.Or(dir, s.win.config.Options.Dir), f.id)
		c.agent = f.agent
		cmd = tea.Batch(cmd, s.tabs.add(c))
	} else {
		from := c.info.ID
		c.agent = cmp.Or(c.agent, f.agent)
		left, ok := s.switcher.switchTo(c, f.id, dir)
		if !ok {
			return tea.Batch(cmd, left, f.drop(s.win.ctx))
		}
		cmd = tea.Batch(cmd, left)
		if of != from { // a copy of another session has nothing to do with it
			c.draft.leaveWritten(from)
		}
	}
	c.addNotice(session.SessionInfo{Message: "This is a copy. The session it was made of: " + s.win.resumeCommand(of)})
	switch d := c.composer.Drafts(prompt)[0]; {
	case d.Empty():
	case c.composer.Empty():
		c.draft.setDraft(d)
		c.composer.SkipCompletion()
	default:
		s.win.stash(d, "copied")
	}
	return cmd
}
