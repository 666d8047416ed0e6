package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
)

// Preferences are what the person prefers, as their files say it now.
type Preferences struct {
	Settings settings.Settings
	Keys     settings.Keys
}

// preferMsg brings the preferences after their files have changed, or why they
// cannot be read; then those before stay.
type preferMsg struct {
	preferences Preferences
	err         error
}

// watchPreferences waits until a file of the person's has changed.
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

// preferred takes preferences that have changed. What the person changed in the
// window since stays, unless its line in the file is another one now.
func (m *Model) preferred(msg preferMsg) tea.Cmd {
	again := watchPreferences(m.ctx, m.config)
	if msg.err != nil {
		m.warn("settings", msg.err.Error()+" What was set before stays.")
		return again
	}
	before, now := m.config.Settings, msg.preferences.Settings
	keys := m.config.Keys
	m.config.Settings, m.config.Keys = now, msg.preferences.Keys
	m.rebind(keys, m.config.Keys)
	if before.Vim != now.Vim {
		m.vim = now.Vim
		m.composer.editor.SetVim(m.vim)
	}
	if before.Density != now.Density {
		m.pane.density = m.config.density()
	}
	if before.Times != now.Times {
		m.pane.opts.Times = m.config.times()
	}
	return again
}
