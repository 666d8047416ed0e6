package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/picker"
	"parley/tui/settingslist"
)

// preferMsg brings the preferences after their files have changed, or why they
// cannot be read; then those before stay.
type preferMsg struct {
	preferences Preferences
	err         error
}

// watchPreferences waits until a file of the user's has changed.
func watchPreferences(ctx context.Context, c Config) tea.Cmd {
	if c.Changed == nil {
		return nil
	}
	return func() tea.Msg {
		p, err := c.Changed(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return preferMsg{p, err}
	}
}

// preferred takes preferences that have changed.
func (m *Model) preferred(msg preferMsg) tea.Cmd {
	if broken := (*settings.WatchError)(nil); errors.As(msg.err, &broken) {
		m.win.Front.Warn("settings", "What you change in your files takes effect when Parley starts the next time: "+broken.Error()+".")
		return nil
	}
	var cmd tea.Cmd
	if msg.err != nil {
		m.win.Front.Mistaken(msg.err, "What was set before stays.")
	} else {
		cmd = m.apply(msg.preferences)
	}
	return tea.Batch(cmd, watchPreferences(m.win.Ctx, m.win.Config))
}

// apply takes preferences. What the user changed in the window since stays,
// unless its line in the file is another one now.
func (m *Model) apply(now Preferences) tea.Cmd {
	before, after := m.win.Config.Settings, now.Settings
	keys := m.win.Config.Keys
	m.win.Config.Settings, m.win.Config.Keys = after, now.Keys
	m.rebind(keys, now.Keys)
	if before.Terminal.LowBandwidth != after.Terminal.LowBandwidth {
		m.win.Config.LowBandwidth = "" // what is said last holds
	}
	if before.Vim != after.Vim {
		m.win.Vim = after.Vim
	}
	if before.Mouse != after.Mouse {
		m.display.Mouse.Pointer = conversation.Pointer{}
	}
	for _, c := range m.all {
		c.Preferred(before, after)
	}
	m.status.preferred(before.Status, after.Status)
	m.win.Front.RefreshList()
	cmd := m.appearance.SetPreferences(looks(m.win))
	if before.Terminal.Pictures != after.Terminal.Pictures {
		cmd = tea.Batch(cmd, m.win.Images.Switch(m.win.Environment().MayShowImages()))
	}
	return tea.Batch(cmd, m.spare())
}

// openSettings lists the settings, or those that match what was typed. With the name of
// one and a value, that one is set.
func (m *Model) openSettings(words string) tea.Cmd {
	w := m.win
	if w.Config.Prefer == nil {
		return m.win.Front.ShowHint("There is no folder for settings here.")
	}
	r, err := settingslist.Request(words, func() settings.Settings { return w.Config.Settings })
	if err != nil {
		return m.win.Front.ShowHint("%s.", err)
	}
	return m.forOverlay(r)
}

// prefer writes a setting into the user's file.
func (m *Model) prefer(s settings.Setting, value any) tea.Cmd {
	put, as := m.win.Config.Prefer, looks(m.win)
	switch v, _ := value.(string); s.Name {
	case "theme": // it is known whether there is one of that name
		return m.forAppearance(m.appearance.Choose(v, m.win.Pressed))
	case "markdown_style":
		as.Markdown = v
	}
	return consult(m.win.Ctx, func(ctx context.Context) (settings.Settings, error) {
		if wrong := as.Mistake(); wrong != "" && s.Name == "markdown_style" {
			return settings.Settings{}, errors.New(wrong)
		}
		return put(ctx, s.Name, value)
	}, func(now settings.Settings, err error) tea.Cmd {
		if err != nil {
			m.win.Front.Mistaken(err, s.Name+" stays as it is.")
			return nil
		}
		cmd := m.apply(Preferences{Settings: now, Keys: m.win.Config.Keys})
		if conversation.Over[*picker.Picker](m.win) == nil {
			m.win.Front.ShowHint("%s is %s now.", s.Name, settingslist.Value(s.Value(m.win.Config.Settings)))
		}
		return cmd
	})
}

// setVim switches vim's way of editing on or off.
func (m *Model) setVim(args string) tea.Cmd {
	m.win.Vim = args == "on" || args != "off" && !m.win.Vim
	for _, c := range m.all {
		c.Composer.SetVim(m.win.Vim)
	}
	if m.win.Vim {
		return m.win.Front.ShowHint("Vim editing is on; vim = true in settings.toml keeps it so.")
	}
	return m.win.Front.ShowHint("Vim editing is off.")
}
