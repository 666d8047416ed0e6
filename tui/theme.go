package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/appearance"
	"parley/tui/conversation"
	"parley/tui/picker"
)

// looks are the preferences that decide over the appearance.
func looks(w *conversation.Window) appearance.Preferences {
	c := w.Config
	return appearance.Preferences{
		Terminal: w.Environment(),
		Theme:    c.Settings.Theme, Markdown: c.Settings.MarkdownStyle, Themes: c.Themes, Home: c.Home,
	}
}

// startAppearance asks the terminal how the window is to look.
func (m *Model) startAppearance() tea.Cmd {
	quiet := m.win.After(appearance.AnswerTime, func(time.Time) tea.Msg { return appearance.NoAnswer{} })
	return tea.Batch(m.forAppearance(m.appearance.Start()), quiet)
}

// forAppearance does what the appearance asks for.
func (m *Model) forAppearance(a appearance.Action, cmd tea.Cmd) tea.Cmd {
	switch a := a.(type) {
	case appearance.Warn:
		m.win.Front.Warn("theme", string(a))
		m.win.Front.Pane.ToEnd()
	case appearance.Hint:
		m.win.Front.ShowHint("%s", string(a))
	case appearance.Open:
		m.win.Asking = a.Pressed
		if m.win.Front.Opens(true, "", "The themes are here: /theme shows them.") {
			m.win.Front.Pick(a.List, a.Chosen)
		}
	case appearance.Save:
		return tea.Batch(cmd, m.saveTheme(string(a)))
	}
	return cmd
}

// saveTheme writes a theme into the settings.
func (m *Model) saveTheme(name string) tea.Cmd {
	prefer := m.win.Config.Prefer
	if prefer == nil {
		return m.win.Front.ShowHint("The theme is %s, in this window.", name)
	}
	return consult(m.win.Ctx, func(ctx context.Context) (any, error) { return prefer(ctx, "theme", name) }, func(_ any, err error) tea.Cmd {
		if err != nil {
			m.win.Front.Fail("write the theme into the settings", err, fmt.Sprintf("It is %s in this window.", name))
			m.win.Front.Pane.ToEnd()
			return nil
		}
		m.win.Config.Settings.Theme = name
		m.win.Front.ShowHint("The theme is %s now.", name)
		return m.appearance.SetPreferences(looks(m.win))
	})
}

// dress gives the window the theme that it is to have now. A conversation that is not
// on the screen gets it when it comes there.
func (m *Model) dress() {
	m.appearance.Follow(conversation.Over[*picker.Picker](m.win))
	if th, changed := m.appearance.Theme(); changed {
		m.win.Theme, m.win.Front.Pane.Opts.Theme = th, th
	}
}
