package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// key routes a press in one fixed order: chords and the keys that always work,
// then what lies on top: help, a picker, a question that has the focus, the
// completions; then the table of commands; the composer gets the rest.
func (m *Model) key(press tea.KeyPressMsg, at time.Time) tea.Cmd {
	name := press.Keystroke()
	m.hint = hint{}
	if m.chord {
		m.chord = false
		return m.chorded(name, press, at)
	}
	if name == leader {
		m.chord = true
		m.queue.Elsewhere(at)
		return nil
	}
	if c, ok := m.keys[name]; ok && c.always {
		m.queue.Elsewhere(at)
		return m.runKey(c, press)
	}
	switch {
	case m.help != nil:
		m.queue.Elsewhere(at)
		m.helpKey(press)
		return nil
	case m.list != nil && m.list.picking:
		m.queue.Elsewhere(at)
		return m.pickerKey(name)
	case m.queue.Len() > 0 && m.queue.Focused():
		if o := m.queue.Key(press, at); o.Taken {
			return m.outcome(o)
		}
	}
	m.queue.Elsewhere(at)
	return m.composerKey(press)
}

// chorded runs the second press of a chord.
func (m *Model) chorded(name string, press tea.KeyPressMsg, at time.Time) tea.Cmd {
	if c, ok := m.keys[leader+" "+name]; ok {
		if c.ID == "answer" { // must be told first, or the press would count against it
			m.queue.Elsewhere(at)
		}
		return c.run(m, "")
	}
	m.queue.Elsewhere(at)
	if name != "esc" && name != "ctrl+c" {
		m.tell("%s %s does nothing; ? shows the keys", leader, press.String())
	}
	return nil
}

// composerKey gives a press to the completions, the table of commands and the
// editor, in this order.
func (m *Model) composerKey(press tea.KeyPressMsg) tea.Cmd {
	name := press.Keystroke()
	if name != "esc" && name != "ctrl+d" {
		m.armed = armed{}
	}
	if m.list != nil && m.completionKey(name) {
		return nil
	}
	if c, ok := m.keys[name]; ok && m.takes(c) {
		return m.runKey(c, press)
	}
	if !m.composer.editor.Update(press) {
		m.composer.recallKey(name)
	}
	return m.edited()
}

// runKey runs a command for a press of its key.
func (m *Model) runKey(c Command, press tea.KeyPressMsg) tea.Cmd {
	if press.IsRepeat && !c.held {
		return nil
	}
	return c.run(m, "")
}

// takes reports whether a command takes its key now, or leaves it to the
// editor.
func (m *Model) takes(c Command) bool {
	return c.ID != "help" || m.composer.editor.Empty()
}

// paste puts a paste where the focus is. It never answers anything.
func (m *Model) paste(p tea.PasteMsg, at time.Time) tea.Cmd {
	if m.help != nil || m.list != nil && m.list.picking {
		return nil
	}
	if m.queue.Len() > 0 && m.queue.Focused() {
		if o := m.queue.Key(p, at); o.Taken {
			return m.outcome(o)
		}
	}
	m.queue.Elsewhere(at)
	m.insert(p.Content)
	return nil
}

// insert puts text into the draft.
func (m *Model) insert(text string) {
	m.composer.editor.Insert(text)
	m.edited()
}

// edited follows a change of the draft.
func (m *Model) edited() tea.Cmd {
	m.queue.Draft(m.composer.editor.Empty())
	m.completions()
	return nil
}

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

func (m *Model) wheel(w tea.MouseWheelMsg) tea.Cmd {
	n := wheelLines
	if w.Button == tea.MouseWheelUp {
		n = -n
	} else if w.Button != tea.MouseWheelDown {
		return nil
	}
	if m.help != nil {
		m.help.view, _ = m.help.view.Update(w)
		return nil
	}
	return m.scroll(n)
}

// click gives the focus to what was clicked on.
func (m *Model) click(c tea.MouseClickMsg, at time.Time) {
	if c.Button != tea.MouseLeft || m.queue.Len() == 0 {
		return
	}
	switch card := m.layout.card; {
	case c.Y >= card.y && c.Y < card.y+card.height:
		m.queue.Focus(at)
	case m.queue.Focused():
		m.queue.Blur(at)
	}
}
