package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/settings"
	"parley/tui/picker"
	"parley/tui/settingslist"
	"parley/tui/widget"
)

// Preferences are what the user prefers, as their files say it now.
type Preferences struct {
	Settings settings.Settings
	Keys     settings.Keys
}

// preferMsg brings the preferences after their files have changed, or why they
// cannot be read; then those before stay.
type preferMsg struct {
	preferences Preferences
	err         error
	put         string // the setting that the window changed; "" where a file did by itself
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
		return preferMsg{p, err, ""}
	}
}

// preferred takes preferences that have changed.
func (m *Model) preferred(msg preferMsg) tea.Cmd {
	if msg.put != "" {
		return m.wasSet(msg)
	}
	if broken := (*settings.WatchError)(nil); errors.As(msg.err, &broken) {
		m.front.warn("settings", "What you change in your files takes effect when Parley starts the next time: "+broken.Error()+".")
		return nil
	}
	var cmd tea.Cmd
	if msg.err != nil {
		m.front.mistaken(msg.err, "What was set before stays.")
	} else {
		cmd = m.apply(msg.preferences)
	}
	return tea.Batch(cmd, watchPreferences(m.win.ctx, m.win.config))
}

// mistaken shows what is wrong in the user's files, each mistake in a line,
// and what that means.
func (c *core) mistaken(err error, so string) {
	var lines []string
	for _, e := range settings.Mistakes(err) {
		lines = append(lines, widget.ShortPath(e.Error(), c.win.config.Home))
	}
	c.warn("settings", strings.Join(append(lines, so), "\n"))
	c.pane.ToEnd()
}

// apply takes preferences. What the user changed in the window since stays,
// unless its line in the file is another one now.
func (m *Model) apply(now Preferences) tea.Cmd {
	before, after := m.win.config.Settings, now.Settings
	keys := m.win.config.Keys
	m.win.config.Settings, m.win.config.Keys = after, now.Keys
	m.rebind(keys, now.Keys)
	if before.Mouse != after.Mouse {
		m.mouse.pointer = pointer{}
	}
	for _, c := range m.all {
		if before.Vim != after.Vim {
			m.win.vim = after.Vim
			c.composer.SetVim(m.win.vim)
		}
		if before.Density != after.Density {
			c.pane.ShowBy(m.win.config.density())
		}
		if before.Times != after.Times {
			c.pane.Opts.Times = m.win.config.times()
		}
		if before.Mouse != after.Mouse {
			c.pane.Deselect()
		}
	}
	m.status.preferred(before.Status, after.Status)
	m.front.refreshList()
	cmd := m.appearance.SetPreferences(m.win.config.looks())
	if before.Terminal.Pictures != after.Terminal.Pictures {
		cmd = tea.Batch(cmd, m.win.images.Switch(m.win.config.Environment().MayShowImages()))
	}
	return cmd
}

// openSettings lists the settings, or those that match what was typed. With the name of
// one and a value, that one is set.
func (m *Model) openSettings(words string) tea.Cmd {
	w := m.win
	if w.config.Prefer == nil {
		m.front.showHint("There is no folder for settings here.")
		return nil
	}
	r, err := settingslist.Request(words, func() settings.Settings { return w.config.Settings })
	if err != nil {
		m.front.showHint("%s.", err)
		return nil
	}
	return m.forOverlay(r)
}

// prefer writes a setting into the user's file.
func (w *windowState) prefer(s settings.Setting, value any) tea.Cmd {
	put, ctx := w.config.Prefer, w.ctx
	return func() tea.Msg {
		now, err := put(ctx, s.Name, value)
		return preferMsg{Preferences{Settings: now}, err, s.Name}
	}
}

// wasSet takes a setting that was written.
func (m *Model) wasSet(msg preferMsg) tea.Cmd {
	if msg.err != nil {
		m.front.mistaken(msg.err, msg.put+" stays as it is.")
		return nil
	}
	cmd := m.apply(Preferences{msg.preferences.Settings, m.win.config.Keys})
	if s, ok := settings.Find(msg.put); ok && over[*picker.Picker](m.win) == nil {
		m.front.showHint("%s is %s now.", s.Name, settingslist.Value(s.Value(m.win.config.Settings)))
	}
	return cmd
}

// still reports whether nothing on the screen may change by itself, as time
// passes.
func (w *windowState) still() bool { return w.config.Settings.Motion == "none" }

// times is how an entry shows when it came.
func (c Config) times() render.Times {
	if times, ok := render.TimesNamed(c.Settings.Times); ok {
		return times
	}
	return render.TimesClock
}

// density is how much of the conversation is shown at first.
func (c Config) density() render.Density {
	for _, d := range []render.Density{render.Compact, render.Verbose} {
		if c.Settings.Density == d.String() {
			return d
		}
	}
	return render.Normal
}
