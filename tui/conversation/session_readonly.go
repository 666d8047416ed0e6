package conversation

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/tui/navigation"
	"parley/tui/widget"
)

// PastSession is what a conversation has that shows a session which is only
// read. Nothing is ever sent from it.
type PastSession struct {
	sessions.Session       // as the library knows it
	whole            bool  // all of its log was read
	refused          error // why it could not be resumed, as was asked for; nil if it was not
}

// pastReader follows a session that is only read.
type pastReader struct {
	*core
	titles  *sessionTitle
	resumed session.ID // whose log is to be looked at for damage; "" once it was
}

// sessionTitle is the title of a session that is read, and the name that the user gives
// to a session.
type sessionTitle struct{ *core }

// growing reports whether more of it is to be read.
func (p *PastSession) growing() bool { return p != nil && !p.whole }

// reads takes what is known of the session that is read.
func (c *pastReader) reads(known sessions.Session) {
	c.ReadOnly.Session, c.ReadOnly.whole = known, false
	c.Backend = cmp.Or(c.win.BackendOf(known), c.Backend)
	c.Info.ReadOnly, c.Info.Dir = true, cmp.Or(c.Info.Dir, known.Dir)
	c.Info.Model, c.Info.Agent = cmp.Or(c.Info.Model, known.Model), cmp.Or(known.Agent, c.Info.Agent)
	c.titles.entitle(c.ReadOnly.Title)
}

// entitle shows a title that the session does not report.
func (c *sessionTitle) entitle(title string) {
	if title != "" {
		c.Timeline.Apply(session.Event{Time: c.win.Now, Ephemeral: true, Body: session.SessionTitleChanged{Title: title}})
	}
}

// readOn follows the log that is read. All of it is of the past, whoever says
// what of it: nothing in it opens a question or is news.
func (c *pastReader) readOn(events []session.Event) {
	for i := range events {
		events[i].Replayed = true
		if _, end := events[i].Body.(session.SessionShutdown); end && events[i].Ephemeral {
			c.ReadOnly.whole = true
		}
	}
}

// wholeRead says, once all of the log is there, which other agent keeps the session,
// who else has it open, or that its log is damaged.
func (c *pastReader) wholeRead() {
	if c.win.Foreign(c.ReadOnly.Session) {
		c.ExplainForeign()
		return
	}
	if errors.Is(c.ReadOnly.refused, session.ErrDamaged) {
		c.Warn("damaged", "The agent cannot resume this session: "+c.ReadOnly.refused.Error()+
			". What can be read of it is here. /export writes that to a file, /new starts another session.")
		return
	}
	if c.ReadOnly.refused != nil || c.ReadOnly.Held {
		c.Warn("in use", c.win.holderOf(c.ReadOnly)+c.win.says(" has this session open. It is read-only here: "+
			"{block-fork} on a block continues in a copy, {continue-here} in the session itself once it is closed there."))
		return
	}
	if !c.ReadOnly.InUse {
		return
	}
	who := "Another program"
	if c.ReadOnly.Client != "" {
		who += ", " + widget.FirstLine(c.ReadOnly.Client) + ","
	}
	c.Warn("in use", who+c.win.says(" has this session open. It is read-only here: {continue-here} continues it here "+
		"all the same, and then neither sees what the other does."))
}

// holderOf says which window writes the session that is read.
func (w *Window) holderOf(p *PastSession) string {
	who := "Another window"
	held, ok := errors.AsType[*session.HeldError](p.refused)
	if !ok || held.Who == "" {
		return who
	}
	who += " (" + widget.FirstLine(held.Who)
	if !held.Since.IsZero() {
		who += ", since " + held.Since.In(w.Zone).Format("15:04")
	}
	return who + ")"
}

// OnlyRead says what to do where something would change the session.
func (c *core) OnlyRead() tea.Cmd {
	if c.win.Foreign(c.ReadOnly.Session) {
		return c.ShowHint("Read only: {continue-here} shows how to continue this session.")
	}
	return c.ShowHint("Read only: {continue-here} continues this session, {block-fork} on a block continues in a copy.")
}

// rename gives the session a name. One that is only read has it from the user
// alone (docs/decisions.md 24).
func (c *sessionTitle) rename(name string) tea.Cmd {
	s, ok := session.As[session.Renamer](c.Session)
	past, id, lib := c.ReadOnly != nil, c.Info.ID, c.win.Config.Sessions
	switch {
	case !past && !ok:
		return c.ShowHint("The sessions of this agent have no names.")
	case name == "":
		return c.ShowHint("Say the name: /rename NAME")
	}
	return attempt(c.core, "rename the session", func(ctx context.Context) error {
		if past {
			return lib.Mark(ctx, id, func(k *sessions.Mark) { k.Name = name })
		}
		return s.Rename(ctx, name)
	}, func() tea.Cmd {
		if past {
			c.ReadOnly.Mark.Name, c.ReadOnly.Title = name, name
			c.entitle(name)
		}
		return c.ShowHint("Renamed to %s.", c.win.Cut(name, c.win.Width/2))
	})
}

// keepResumed takes it back that a session was deleted, when one resumes it:
// else it would be deleted when the window is left the next time.
func (c *pastReader) keepResumed() tea.Cmd {
	id, lib, ctx := c.Resume, c.win.Config.Sessions, c.win.Ctx
	if id == "" || c.ReadOnly != nil || lib == nil {
		return nil
	}
	return func() tea.Msg {
		if s, err := lib.Get(ctx, id); err == nil && !s.Deleted.IsZero() {
			_ = lib.Mark(ctx, s.ID, func(k *sessions.Mark) { k.Deleted = time.Time{} })
		}
		return nil
	}
}

// reportDamage says what of a session that is resumed could not be read: the agent skips
// it without a word. It does so once the first event came that is new, so that the notice
// stands after what was replayed.
func (c *pastReader) reportDamage() tea.Cmd {
	lib, id := c.win.Config.Sessions, c.resumed
	if c.resumed = ""; id == "" || c.ReadOnly != nil || lib == nil {
		return nil
	}
	return fetch(c.core, func(ctx context.Context) (string, error) { return lib.ReadProblem(ctx, id) },
		func(problem string, _ error) tea.Cmd {
			if problem != "" {
				c.Warn("reading", "Not all of this session could be read: "+problem+".")
			}
			return nil
		})
}

// ForkAt continues in a copy that ends with what entry i belongs to, or, from a
// prompt, before it, with the prompt in the draft.
func (c *blockActions) ForkAt(i int) tea.Cmd {
	switch {
	case c.Info.ID == "":
		return c.ShowHint(sessionStarts)
	case c.ReadOnly != nil && c.win.Foreign(c.ReadOnly.Session):
		return c.ExplainForeign()
	}
	before, prompt, none := navigation.ForkPoint(c.Timeline, i)
	if none != "" {
		return c.ShowHint("%s", none)
	}
	return c.request(ForkSession{before, prompt})
}

// StoredWhere says where a session worked.
func (w *Window) StoredWhere(s session.Stored) string {
	where := widget.ShortPath(s.Dir, w.Config.Home)
	if s.Branch != "" {
		where += " (" + s.Branch + ")"
	}
	if s.InUse {
		where = "open elsewhere" + w.Dot() + where
	}
	return where
}

// Foreign reports whether no agent of this window can resume a session, because another
// keeps it.
func (w *Window) Foreign(s sessions.Session) bool { return w.BackendOf(s) == nil }

// ExplainForeign shows how to resume the session that is read, which another agent
// keeps.
func (c *core) ExplainForeign() tea.Cmd {
	who := cmp.Or(widget.FirstLine(c.ReadOnly.Agent), "a chat agent")
	missing := ""
	if c.ReadOnly.Keeper == sessions.CopilotKeeper {
		who, missing = "the Copilot CLI", c.win.Config.Missing
	}
	c.Pane.ToEnd()
	c.AddNotice(session.SessionInfo{
		Message: text.JoinNonEmpty("\n", "In this session "+who+" answers, not "+c.Backend.Name+". To resume it: "+
			widget.FirstLine(c.ReadOnly.ResumeCommand()), missing),
	})
	return nil
}
