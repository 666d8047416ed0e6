package tui

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/tui/conversation"
)

// rebind takes keys that have changed while the window is open. A question that
// is shown is shown anew before it listens.
func (m *Model) rebind(before, now settings.Keys) {
	if reflect.DeepEqual(before, now) {
		return
	}
	if wrong := m.win.Bind(now); wrong != nil {
		m.win.Config.Keys = before
		texts := make([]string, 0, len(wrong))
		for _, err := range wrong {
			texts = append(texts, err.Error()+".")
		}
		m.win.Front.Warn("keys", strings.Join(texts, "\n")+" What was set before stays.")
		return
	}
	m.win.Chord.Pressed, m.win.Front.Armed = false, conversation.Armed{}
	m.win.Front.Questions.Resize(m.win.Now)
}

// windowHandlers are what the window does for the commands that are about all of it,
// or about which conversations are open.
func (m *Model) windowHandlers() map[string]conversation.Handler {
	return map[string]conversation.Handler{
		"cancel":           m.cancel,
		"delete":           func(string) tea.Cmd { return m.quitAgain("delete") }, // over a draft the editor has the key
		"vim":              m.setVim,
		"mouse":            m.display.Mouse.Toggle,
		"new":              m.switcher.newSession,
		"resume":           m.library.resume,
		"continue-here":    func(string) tea.Cmd { return m.switcher.continueReading(m.win.Front) },
		"new-tab":          m.switcher.openInNewTab,
		"next-session":     func(string) tea.Cmd { return m.tabs.step(1) },
		"previous-session": func(string) tea.Cmd { return m.tabs.step(-1) },
		"open-sessions":    m.tabs.pick,
		"fork":             m.forks.fork,
		"restart":          func(string) tea.Cmd { return m.switcher.restartAgent(m.win.Front) },
		"close":            m.switcher.closeSession,
		"stop":             m.agents.stop,
		"settings":         m.openSettings,
		"status-line":      m.openStatusItems,
		"theme":            func(args string) tea.Cmd { return m.forAppearance(m.appearance.Choose(args, m.win.Pressed)) },
		"suspend":          m.suspend,
		"quit":             m.win.Quit,
	}
}

// cancel is ctrl+c: it undoes the nearest thing that can be undone, and never
// answers a question. Pressed again when there is nothing to undo, it ends the window.
func (m *Model) cancel(string) tea.Cmd {
	if cmd, done := m.display.Cancel(); done {
		return cmd
	}
	return m.quitAgain("cancel")
}

// quitAgain ends the window when the key of a command is pressed for the second time.
func (m *Model) quitAgain(by string) tea.Cmd {
	if m.win.Front.Again("quit", by) {
		return m.win.Settled(tea.Quit)
	}
	return m.win.Front.ShowHint("{"+by+"} again to quit%s", m.endsToo())
}
