package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/secrets"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/tui/browser"
	"parley/tui/conversation"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// sessionLibrary finds past sessions, and does with them what the user chooses.
type sessionLibrary struct {
	win      *conversation.Window
	tabs     *tabs
	agents   *agents
	switcher *sessionSwitcher
	forks    *sessionForks
	options  browser.Options // how they are listed
	// waits is the conversation whose session is opened once it is on the screen; nil is none.
	waits *conversation.Conversation
}

// begin opens the browser in a window that was opened for it. Past sessions need no agent,
// so none is started until the user wants more than to find and to read them.
func (l *sessionLibrary) begin() tea.Cmd {
	if l.win.Config.Sessions == nil {
		return tea.Batch(l.win.Front.Open(), l.resume(""))
	}
	open := l.browse("", true)
	l.win.Entry = l.win.Overlay
	l.waits, l.win.Front.Opening = l.win.Front, false
	return open
}

// left opens the session that the window began without, if the conversation that is to have
// it is on the screen and has none.
func (l *sessionLibrary) left() tea.Cmd {
	c := l.waits
	if c == nil || c != l.win.Front || l.win.Entry != nil {
		return nil
	}
	if l.waits = nil; c.Opening || c.Session != nil {
		return nil
	}
	return c.Reconnect()
}

// browse opens the browser, with a query to start with. To close it may end the window.
func (l *sessionLibrary) browse(query string, quits bool) tea.Cmd {
	l.win.Front.CloseOverlays()
	c := browser.Config{
		Library: l.win.Config.Sessions, Options: &l.options, Quits: quits, After: l.win.After,
		ExportName: l.win.Front.Exports.NameFor,
	}
	if c.None = l.win.Config.Missing; c.None != "" {
		c.None += " `parley --agent demo -r` shows sessions of the demo."
	}
	b, open := browser.New(l.win.Ctx, c, l.tabs.overlayFacts(), query)
	l.win.Front.Cover(b)
	b.SetFacts(l.tabs.overlayFacts())
	return open
}

// refresh brings an open browser up to date.
func (l *sessionLibrary) refresh() tea.Cmd {
	b := conversation.Over[*browser.Browser](l.win)
	if b == nil {
		return nil
	}
	b.SetFacts(l.tabs.overlayFacts())
	return b.Refresh()
}

// answer does what the browser asks for.
func (l *sessionLibrary) answer(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case browser.Start:
		l.win.Front.CloseOverlays()
		return l.switcher.newSession("")
	case browser.Resume:
		return l.open(r.Session)
	case browser.Read:
		l.win.Front.CloseOverlays()
		return l.switcher.read(r.ID)
	case browser.Fork:
		l.win.Front.CloseOverlays()
		return l.forks.forkFrom(r.ID)
	case browser.Export:
		return l.win.Front.Exports.ExportPast(r.Session, r.To)
	case browser.Rename:
		if c := l.tabs.otherWith(r.ID, nil); c != nil {
			return c.Commands.Run("rename", r.Name)
		}
	case browser.Failed:
		l.win.Front.Fail(r.What, r.Err, "")
	}
	return nil
}

// resume continues an earlier session, or shows those there are: what
// is no id is looked for.
func (l *sessionLibrary) resume(args string) tea.Cmd {
	open := conversation.Over[*browser.Browser](l.win) != nil
	switch {
	case l.win.Config.Sessions != nil && args == "":
		if l.win.Front.CloseOverlays(); open {
			return nil
		}
		return l.browse("", false)
	case l.win.Config.Sessions != nil:
		return l.resumeOrFind(args)
	case args != "":
		return l.switcher.resume(l.win.Front, session.ID(args))
	}
	kept, ok := l.agents.library()
	if !ok {
		return nil
	}
	return conversation.Ask(l.win.Front, "list the sessions", kept.List, l.pick)
}

// resumeOrFind continues the session of an id, or of the beginning of one. Any
// other words are looked for. A whole id that the library does not know is left to
// the agent, which may.
func (l *sessionLibrary) resumeOrFind(args string) tea.Cmd {
	pressed, lib := l.win.Pressed, l.win.Config.Sessions
	return consult(l.win.Ctx, func(ctx context.Context) (sessions.Session, error) {
		return lib.Get(ctx, session.ID(args))
	}, func(s sessions.Session, err error) tea.Cmd {
		if l.win.Asking = pressed; l.win.Front.Elsewhere() {
			return nil
		}
		switch whole := len(args) == 36 && strings.Count(args, "-") == 4; {
		case err == nil:
			return l.open(s)
		case whole:
			return l.switcher.resume(l.win.Front, session.ID(args))
		}
		return l.browse(args, false)
	})
}

// pick shows the sessions of an agent that keeps them if there is no
// library.
func (l *sessionLibrary) pick(all []session.Stored) tea.Cmd {
	all = slices.DeleteFunc(all, func(s session.Stored) bool { return s.ID == l.win.Front.Info.ID })
	if !l.win.Front.Opens(len(all) > 0, "There is no earlier session.", "The sessions are here: /resume shows them.") {
		return nil
	}
	rows := widget.Rows(all, func(s session.Stored) widget.Row {
		return widget.Row{
			Value: string(s.ID), Label: secrets.Hide(s.Title), Detail: l.win.StoredWhere(s), Right: text.Age(l.win.Now.Sub(s.Used)),
		}
	})
	p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Sessions", Pick: conversation.Doing(func(r widget.Row) tea.Cmd {
		return l.switcher.resume(l.win.Front, session.ID(r.Value))
	})}
	l.win.Front.Pick(p.Filter(""), "")
	return nil
}

// open resumes a session. One that another program has open is read
// first: two that write one log lose what one of them says.
func (l *sessionLibrary) open(s sessions.Session) tea.Cmd {
	l.win.Front.CloseOverlays()
	switch {
	case l.win.Front.Holds(s.ID) && l.win.Front.ReadOnly == nil:
		return l.win.Front.ShowHint("This is the session.")
	case l.win.Foreign(s):
		return l.switcher.read(s.ID)
	case s.InUse && !l.tabs.livesHere(s.ID):
		cmd := l.switcher.read(s.ID)
		if l.win.Front.ReadOnly != nil {
			l.win.Front.ShowHint("Open in another window: read-only here.")
		}
		return cmd
	}
	if b := l.win.BackendOf(s); b != l.win.Front.Backend && l.tabs.otherWith(s.ID, nil) == nil {
		return l.switcher.openWith(b, s.ID)
	}
	return l.switcher.resume(l.win.Front, s.ID)
}

// consultedMsg ends a job of the window.
type consultedMsg struct {
	show func() tea.Cmd
}

// consult does something outside the loop, and shows what came of it. It belongs to no
// conversation.
func consult[T any](ctx context.Context, do func(context.Context) (T, error), show func(v T, err error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		v, err := do(ctx)
		return consultedMsg{func() tea.Cmd { return show(v, err) }}
	}
}
