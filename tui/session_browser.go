package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/tui/browser"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// Library is what the window uses of a sessions.Library. It is safe for concurrent
// use. All of it may block, and is called outside the loop.
type Library interface {
	browser.Library
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Deleted(ctx context.Context) ([]sessions.Session, error)
}

// sessionLibrary finds past sessions, and does with them what the user chooses.
type sessionLibrary struct {
	win      *windowState
	tabs     *tabs
	agents   *agents
	switcher *sessionSwitcher
	forks    *sessionForks
	options  browser.Options // how they are listed
}

// browse opens the browser, with a query to start with.
func (l *sessionLibrary) browse(query string) tea.Cmd {
	l.tabs.front.closeOverlays()
	c := browser.Config{Library: l.win.config.Sessions, Options: &l.options, After: l.win.after}
	b, open := browser.New(l.win.ctx, c, l.tabs.overlayFacts(), query)
	l.tabs.front.cover(b)
	b.SetFacts(l.tabs.overlayFacts())
	return open
}

// refresh brings an open browser up to date.
func (l *sessionLibrary) refresh() tea.Cmd {
	b := over[*browser.Browser](l.win)
	if b == nil {
		return nil
	}
	return l.tabs.overlaid(func(overlay.Overlay) tea.Cmd { return b.Refresh() })
}

// answer does what the browser asks for.
func (l *sessionLibrary) answer(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case browser.Start:
		l.tabs.front.closeOverlays()
		return l.switcher.newSession("")
	case browser.Resume:
		return l.open(r.Session)
	case browser.Read:
		l.tabs.front.closeOverlays()
		return l.switcher.read(r.ID)
	case browser.Fork:
		l.tabs.front.closeOverlays()
		return l.forks.forkFrom(r.ID)
	case browser.Export:
		return l.tabs.front.exports.exportStored(r.Session)
	case browser.Rename:
		return l.tabs.front.titles.rename(r.Name)
	case browser.Failed:
		l.tabs.front.fail(r.What, r.Err, "")
	}
	return nil
}

// resume continues an earlier session, or shows those there are: what
// is no id is looked for.
func (l *sessionLibrary) resume(args string) tea.Cmd {
	open := over[*browser.Browser](l.win) != nil
	switch {
	case l.win.config.Sessions != nil && args == "":
		if l.tabs.front.closeOverlays(); open {
			return nil
		}
		return l.browse("")
	case l.win.config.Sessions != nil:
		return l.resumeOrFind(args)
	case args != "":
		return l.switcher.resume(l.tabs.front, session.ID(args))
	}
	kept, ok := l.agents.library()
	if !ok {
		return nil
	}
	return ask(l.tabs.front.core, "list the sessions", kept.List, l.pick)
}

// resumeOrFind continues the session of an id, or of the beginning of one. Any
// other words are looked for. A whole id that the library does not know is left to
// the agent, which may.
func (l *sessionLibrary) resumeOrFind(args string) tea.Cmd {
	pressed, lib := l.win.pressed, l.win.config.Sessions
	return consult(l.win.ctx, func(ctx context.Context) (sessions.Session, error) {
		return lib.Get(ctx, session.ID(args))
	}, func(s sessions.Session, err error) tea.Cmd {
		if l.win.asking = pressed; l.tabs.front.elsewhere() {
			return nil
		}
		switch whole := len(args) == 36 && strings.Count(args, "-") == 4; {
		case err == nil:
			return l.open(s)
		case whole:
			return l.switcher.resume(l.tabs.front, session.ID(args))
		}
		return l.browse(args)
	})
}

// pick shows the sessions of an agent that keeps them if there is no
// library.
func (l *sessionLibrary) pick(all []session.Stored) tea.Cmd {
	all = slices.DeleteFunc(all, func(s session.Stored) bool { return s.ID == l.tabs.front.info.ID })
	if !l.tabs.front.opens(len(all) > 0, "There is no earlier session.", "The sessions are here: /resume shows them.") {
		return nil
	}
	rows := make([]widget.Row, len(all))
	for i, s := range all {
		rows[i] = widget.Row{Value: string(s.ID), Label: s.Title, Detail: l.win.storedWhere(s), Right: text.Age(l.win.now.Sub(s.Used))}
	}
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Sessions", Pick: doing(func(r widget.Row) tea.Cmd {
		return l.switcher.resume(l.tabs.front, session.ID(r.Value))
	})}
	l.tabs.front.pick(p.Filter(""), "")
	return nil
}

// open resumes a session. One that another program has open is read
// first: two that write one log lose what one of them says.
func (l *sessionLibrary) open(s sessions.Session) tea.Cmd {
	switch {
	case l.tabs.front.holds(s.ID) && l.tabs.front.readOnly == nil:
		l.tabs.front.closeOverlays()
		l.tabs.front.showHint("This is the session.")
		return nil
	case l.win.foreign(s):
		l.tabs.front.closeOverlays()
		return l.switcher.read(s.ID)
	case s.InUse && !l.tabs.livesHere(s.ID):
		l.tabs.front.closeOverlays()
		cmd := l.switcher.read(s.ID)
		if l.tabs.front.readOnly != nil {
			l.tabs.front.showHint("Open in another window: read-only here.")
		}
		return cmd
	}
	l.tabs.front.closeOverlays()
	return l.switcher.resume(l.tabs.front, s.ID)
}

// storedWhere says where a session worked.
func (w *windowState) storedWhere(s session.Stored) string {
	where := widget.ShortPath(s.Dir, w.config.Home)
	if s.Branch != "" {
		where += " (" + s.Branch + ")"
	}
	if s.InUse {
		where = "open elsewhere" + w.dot() + where
	}
	return where
}

// foreign reports whether the agent of this window cannot resume a session,
// because another keeps it.
func (w *windowState) foreign(s sessions.Session) bool { return s.Foreign(w.config.Keeper) }

// resumeCommand is the command that resumes a session of this window's agent.
func (w *windowState) resumeCommand(id session.ID) string {
	return sessions.ResumeCommand(id, w.config.AgentFlags...)
}

// explainForeign shows how to resume the session that is read, which another agent
// keeps.
func (c *core) explainForeign() tea.Cmd {
	who := cmp.Or(widget.FirstLine(c.readOnly.Agent), "a chat agent")
	if c.readOnly.Keeper == sessions.CopilotKeeper {
		who = "the Copilot CLI"
	}
	c.pane.ToEnd()
	c.addNotice(session.SessionInfo{
		Message: "In this session " + who + " answers, not " + c.win.config.AgentName + ". To resume it: " +
			widget.FirstLine(c.readOnly.ResumeCommand()),
	})
	return nil
}
