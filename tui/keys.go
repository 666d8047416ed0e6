package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
	"parley/tui/overlay"
)

// focus is the part that has the keys.
type focus uint8

const (
	composing focus = iota
	overlaid        // what lies over the window
	answering
	searching
	browsing
)

// focus follows from what is open: what lies over the window is first, then comes a
// question that has the focus.
func (m *Model) focus() focus {
	switch {
	case m.overlay != nil:
		return overlaid
	case m.questions.Focused():
		return answering
	case m.search != nil && m.search.open:
		return searching
	case m.browsing:
		return browsing
	}
	return composing
}

// key routes a press in one fixed order: chords and the keys that always work,
// then the part that has the focus. What a question leaves goes on to the
// completions, the table of commands and the editor.
func (m *Model) key(press tea.KeyPressMsg, at time.Time) tea.Cmd {
	name := keymap.Name(press)
	m.hint = hint{}
	m.pressed++
	if m.chord {
		m.endChord(at)
		return m.chorded(name, press, at)
	}
	if m.selecting(name, press) {
		m.questions.Elsewhere(at)
		return nil
	}
	if name == m.keymap.Leader {
		m.questions.Elsewhere(at)
		return m.startChord()
	}
	if c, ok := m.keys[name]; ok && c.Always {
		m.questions.Elsewhere(at)
		return m.runKey(c, press)
	}
	switch m.focus() {
	case overlaid:
		m.questions.Elsewhere(at)
		return m.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Key(press) })
	case answering:
		if o := m.questions.Key(press, at); o.Taken {
			return m.outcome(o)
		}
		m.questions.Elsewhere(at)
		if m.keys[name].ID == "cycle-mode" {
			return nil // inside a dialog it moves backwards, and never changes the mode
		}
		return m.composerKey(press)
	case searching:
		m.questions.Elsewhere(at)
		return m.searchKey(press)
	case browsing:
		m.questions.Elsewhere(at)
		return m.blockKey(press)
	case composing:
		m.questions.Elsewhere(at)
		return m.composerKey(press)
	}
	return nil
}

// whichTime is how long the second press of a chord may take before all of
// them are shown.
const whichTime = 400 * time.Millisecond

// whichMsg is the time at which the chords are shown.
type whichMsg time.Time

// startChord waits for the second press.
func (m *Model) startChord() tea.Cmd {
	m.chord, m.chordAt = true, m.now
	return m.after(whichTime, func(t time.Time) tea.Msg { return whichMsg(t) })
}

// endChord ends the wait for the second press. The question that was behind the
// list of chords must be on the screen again before a key may answer it.
func (m *Model) endChord(at time.Time) {
	if m.which() {
		m.questions.Resize(at)
	}
	m.chord = false
}

// which reports whether the chords are shown.
func (m *Model) which() bool { return m.chord && m.now.Sub(m.chordAt) >= whichTime }

// chorded runs the second press of a chord.
func (m *Model) chorded(name string, press tea.KeyPressMsg, at time.Time) tea.Cmd {
	if c, ok := m.keys[m.keymap.Leader+" "+name]; ok {
		edit := m.keymap.Show("edit-answer")
		if c.ID == "edit" && edit != "" && m.focus() == answering { // a line of the question may be open
			if o := m.questions.Key(keymap.Stroke(edit), at); o.Taken {
				return m.outcome(o)
			}
		}
		if c.ID == "answer" { // must be told first, or the press would count against it
			m.questions.Elsewhere(at)
		}
		return m.do(c, "")
	}
	m.questions.Elsewhere(at)
	if name != "esc" && name != "ctrl+c" {
		m.tell("{leader} %s does nothing; {help} shows the keys", press.String())
	}
	return nil
}

// composerKey gives a press to the completions, the table of commands and the
// editor, in this order.
func (m *Model) composerKey(press tea.KeyPressMsg) tea.Cmd {
	name := keymap.Name(press)
	if c, ok := m.keys[name]; !ok || c.ID != m.armed.by {
		m.armed = armed{}
	}
	if m.completion != nil {
		if cmd, taken := m.completionKey(m.completes(press)); taken {
			return cmd
		}
	}
	if c, ok := m.keys[name]; ok && m.takes(c) && !m.composer.editor.Claims(press) {
		return m.runKey(c, press)
	}
	return m.editorKey(press)
}

// editorKey gives a press to the editor, and what that leaves to the recall of
// earlier prompts.
func (m *Model) editorKey(press tea.KeyPressMsg) tea.Cmd {
	name, e := keymap.Name(press), m.composer.editor
	as, live := m.keymap.Press(keymap.InComposer, press)
	switch {
	case !live && name != "up" && name != "down": // these are the editor's too
		return nil
	case e.Update(as):
		return m.edited()
	case !live:
		return nil
	case name == "esc" && m.stepBack(): // whatever interrupts
		return nil
	}
	return m.recallKey(as.Keystroke())
}

// runKey runs a command for a press of its key.
func (m *Model) runKey(c keymap.Command, press tea.KeyPressMsg) tea.Cmd {
	if press.IsRepeat && !c.Held {
		return nil
	}
	return m.do(c, "")
}

// takes reports whether a command takes its key now, or leaves it to the
// editor.
func (c *conversation) takes(command keymap.Command) bool {
	switch command.ID {
	case "help", "delete", "expand-all", "search":
		return c.composer.editor.Empty()
	case "show-plan": // as in the Copilot CLI
		return c.composer.editor.Empty() && c.mode() == session.Plan
	}
	return true
}

// paste puts a paste where the focus is. It never answers anything.
func (m *Model) paste(p tea.PasteMsg, at time.Time) tea.Cmd {
	m.pane.Deselect()
	if m.overlay != nil {
		taken := false
		cmd := m.overlaid(func(o overlay.Overlay) (cmd tea.Cmd) {
			cmd, taken = o.Paste(p.Content)
			return cmd
		})
		if taken {
			m.questions.Elsewhere(at)
			return cmd
		}
	}
	if m.focus() == searching {
		m.questions.Elsewhere(at)
		return m.searchPaste(p.Content)
	}
	m.closeOverlays()
	if m.focus() == browsing {
		m.leaveBlocks()
	}
	if m.focus() == answering {
		if o := m.questions.Key(p, at); o.Taken {
			return m.outcome(o)
		}
	}
	m.questions.Elsewhere(at)
	return m.pasted(p.Content)
}

// closeOverlays closes what lies on top of the composer.
func (m *Model) closeOverlays() {
	if m.behind() {
		return // they are of the one on the screen
	}
	if m.covered() {
		m.questions.Resize(m.now) // what was on the screen was no question
	}
	if m.overlay != nil {
		m.overlay.Close()
		m.overlay = nil
	}
}

// tellDraft says to the questions whether the composer waits for the first key of a
// draft: a question takes the focus by itself only then. It follows from the state,
// and is told before a question may come, and after each message.
func (m *Model) tellDraft(of *conversation) {
	f := m.focus()
	of.questions.Draft(of == m.front && of.composer.editor.Empty() && (f == composing || f == answering))
}

// insert puts text into the draft.
func (c *conversation) insert(text string) {
	if c.browsing {
		c.leaveBlocks()
	}
	c.composer.editor.Insert(text)
	c.journal.touch()
}

// edited follows a change of the draft.
func (m *Model) edited() tea.Cmd {
	m.journal.touch()
	return m.complete()
}
