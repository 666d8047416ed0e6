package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
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
func (c *core) focus() focus {
	switch {
	case c.win.overlay != nil:
		return overlaid
	case c.questions.Focused():
		return answering
	case c.nav.Searching():
		return searching
	case c.pane.Browsing:
		return browsing
	}
	return composing
}

// key routes a press in one fixed order: chords and the keys that always work,
// then the part that has the focus. What a question leaves goes on to the
// completions, the table of commands and the editor.
func (m *Model) key(press tea.KeyPressMsg, at time.Time) tea.Cmd {
	name := keymap.Name(press)
	m.front.hint = hint{}
	m.win.pressed++
	if m.win.chord.pressed {
		m.endChord(at)
		return m.chorded(name, press, at)
	}
	if m.mouse.deselect(name, press) {
		m.front.questions.Elsewhere(at)
		return nil
	}
	if name == m.win.keymap.Leader {
		m.front.questions.Elsewhere(at)
		return m.startChord()
	}
	if c, ok := m.win.keys[name]; ok && c.Always {
		m.front.questions.Elsewhere(at)
		return m.front.input.runKey(c, press)
	}
	switch m.front.focus() {
	case overlaid:
		m.front.questions.Elsewhere(at)
		return m.tabs.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Key(press) })
	case answering:
		if o := m.front.questions.Key(press, at); o.Taken {
			return m.front.outcome(o)
		}
		m.front.questions.Elsewhere(at)
		if m.win.keys[name].ID == "cycle-mode" {
			return nil // inside a dialog it moves backwards, and never changes the mode
		}
		return m.front.input.composerKey(press)
	case searching:
		m.front.questions.Elsewhere(at)
		return m.front.blocks.do(m.front.nav.SearchKey(m.win.keymap, press))
	case browsing:
		m.front.questions.Elsewhere(at)
		return m.front.input.blockKey(press)
	case composing:
		m.front.questions.Elsewhere(at)
		return m.front.input.composerKey(press)
	}
	return nil
}

// chord is the wait for the second press, after the leader.
type chord struct {
	pressed bool // the leader was
	at      time.Time
}

// whichTime is how long the second press of a chord may take before all of
// them are shown.
const whichTime = 400 * time.Millisecond

// whichMsg is the time at which the chords are shown.
type whichMsg time.Time

// listed reports whether the chords are shown.
func (ch chord) listed(now time.Time) bool { return ch.pressed && now.Sub(ch.at) >= whichTime }

// startChord waits for the second press.
func (m *Model) startChord() tea.Cmd {
	m.win.chord = chord{true, m.win.now}
	return m.win.after(whichTime, func(t time.Time) tea.Msg { return whichMsg(t) })
}

// endChord ends the wait for the second press. The question that was behind the
// list of chords must be on the screen again before a key may answer it.
func (m *Model) endChord(at time.Time) {
	if m.win.chord.listed(m.win.now) {
		m.front.questions.Resize(at)
	}
	m.win.chord.pressed = false
}

// chorded runs the second press of a chord.
func (m *Model) chorded(name string, press tea.KeyPressMsg, at time.Time) tea.Cmd {
	if c, ok := m.win.keys[m.win.keymap.Leader+" "+name]; ok {
		edit := m.win.keymap.Show("edit-answer")
		if c.ID == "edit" && edit != "" && m.front.focus() == answering { // a line of the question may be open
			if o := m.front.questions.Key(keymap.Stroke(edit), at); o.Taken {
				return m.front.outcome(o)
			}
		}
		if c.ID == "answer" { // must be told first, or the press would count against it
			m.front.questions.Elsewhere(at)
		}
		return m.front.commands.do(c, "")
	}
	m.front.questions.Elsewhere(at)
	if name != "esc" && name != "ctrl+c" {
		m.front.tell("{leader} %s does nothing; {help} shows the keys", press.String())
	}
	return nil
}

// keyInput does what keys ask for in a conversation: they write and send its draft, move
// in its blocks, and interrupt it.
type keyInput struct {
	*core
	blocks      *blockActions
	draft       *promptDraft
	queue       *promptQueue
	commands    *slashCommands
	shell       *userShells
	checkpoints *checkpoints
	past        *pastReader
	hush        time.Time // Enter sends nothing before it
}

// composerKey gives a press to the completions, the table of commands and the
// editor, in this order.
func (c *keyInput) composerKey(press tea.KeyPressMsg) tea.Cmd {
	name := keymap.Name(press)
	if command, ok := c.win.keys[name]; !ok || command.ID != c.armed.by {
		c.armed = armed{}
	}
	if c.composer.Completions() != nil {
		cmd, taken, sends := c.draft.completionKey(c.win.completes(press))
		if sends {
			cmd = tea.Batch(cmd, c.submit(""))
		}
		if taken {
			return cmd
		}
	}
	if command, ok := c.win.keys[name]; ok && c.takes(command) && !c.composer.Claims(press) {
		return c.runKey(command, press)
	}
	return c.editorKey(press)
}

// editorKey gives a press to the editor, and what that leaves to the recall of
// earlier prompts.
func (c *keyInput) editorKey(press tea.KeyPressMsg) tea.Cmd {
	name := keymap.Name(press)
	as, live := c.win.keymap.Press(keymap.InComposer, press)
	switch {
	case !live && name != "up" && name != "down": // these are the editor's too
		return nil
	case c.composer.Update(as):
		return c.draft.edited()
	case !live:
		return nil
	case name == "esc" && c.stepBack(): // whatever interrupts
		return nil
	}
	return c.recallKey(as.Keystroke())
}

// runKey runs a command for a press of its key.
func (c *keyInput) runKey(command keymap.Command, press tea.KeyPressMsg) tea.Cmd {
	if press.IsRepeat && !command.Held {
		return nil
	}
	return c.commands.do(command, "")
}

// takes reports whether a command takes its key now, or leaves it to the
// editor.
func (c *keyInput) takes(command keymap.Command) bool {
	switch command.ID {
	case "help", "delete", "expand-all", "search":
		return c.composer.Empty()
	case "show-plan": // as in the Copilot CLI
		return c.composer.Empty() && c.mode() == session.Plan
	}
	return true
}

// paste puts a paste where the focus is. It never answers anything.
func (m *Model) paste(p tea.PasteMsg, at time.Time) tea.Cmd {
	m.front.pane.Deselect()
	if m.win.overlay != nil {
		taken := false
		cmd := m.tabs.overlaid(func(o overlay.Overlay) (cmd tea.Cmd) {
			cmd, taken = o.Paste(p.Content)
			return cmd
		})
		if taken {
			m.front.questions.Elsewhere(at)
			return cmd
		}
	}
	if m.front.focus() == searching {
		m.front.questions.Elsewhere(at)
		return m.front.blocks.do(m.front.nav.SearchPaste(p.Content))
	}
	m.front.closeOverlays()
	if m.front.focus() == browsing {
		m.front.nav.LeaveBlocks()
	}
	if m.front.focus() == answering {
		if o := m.front.questions.Key(p, at); o.Taken {
			return m.front.outcome(o)
		}
	}
	m.front.questions.Elsewhere(at)
	return m.front.draft.pasted(p.Content)
}

// tellDraft says to the questions whether the composer waits for the first key of a
// draft: a question takes the focus by itself only then. It follows from the state,
// and is told before a question may come, and after each message.
func (c *core) tellDraft() {
	f := c.focus()
	c.questions.Draft(c.inFront() && c.composer.Empty() && (f == composing || f == answering))
}

// insert puts text into the draft.
func (c *promptDraft) insert(text string) {
	if c.pane.Browsing {
		c.nav.LeaveBlocks()
	}
	c.composer.Insert(text)
}

// chordLines are the second keys after the leader and what they do, in columns.
func (w *windowState) chordLines() []string {
	type chord struct{ key, what string }
	var chords []chord
	width := 0
	for _, c := range w.commands {
		i := slices.IndexFunc(c.Keys, func(k string) bool { return strings.HasPrefix(k, w.keymap.Leader+" ") })
		if i < 0 {
			continue
		}
		one := chord{strings.TrimPrefix(c.Keys[i], w.keymap.Leader+" "), strings.ReplaceAll(c.ID, "-", " ")}
		width = max(width, text.Width(one.key+one.what)+1+2*widget.ColumnGap)
		chords = append(chords, one)
	}
	across := max(1, (w.width-widget.Margin)/max(1, width))
	down := (len(chords) + across - 1) / across
	lines := []string{"", widget.Indent + w.theme.Render(theme.Strong, w.keymap.Leader) + w.theme.Render(theme.Dim, "  and then")}
	for y := range down {
		line := widget.Indent
		for x := y; x < len(chords); x += down {
			c := chords[x]
			line += w.theme.Render(theme.Key, c.key) + " " + w.theme.Render(theme.Text, c.what) +
				widget.Blank(width-text.Width(c.key+c.what)-1)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// tab goes to the waiting question, or to the timeline, when there is no draft to
// complete.
func (c *keyInput) tab(string) tea.Cmd {
	switch {
	case c.composer.CompleteWhenFound():
	case c.composer.Empty() && c.questions.Len() > 0:
		c.questions.Focus(c.win.now)
	case c.composer.Empty():
		c.blocks.do(c.nav.Browse())
	case c.busy() && c.win.config.Settings.BusyEnter == "queue":
		c.tell("{send} queues the prompt for after this turn; {queued}, then s, sends it now")
	case c.busy():
		c.tell("{queue} queues the prompt for after this turn")
	}
	return nil
}

// tabQueue is tab where a draft that waits is queued by it.
func (c *keyInput) tabQueue(string) tea.Cmd {
	if c.busy() && !c.composer.Empty() && !c.composer.SearchesFiles() {
		return c.enqueue("")
	}
	return c.tab("")
}

func (c *keyInput) focusQuestion(string) tea.Cmd {
	c.closeOverlays()
	c.blocks.do(c.nav.TurnAway())
	if !c.questions.Focus(c.win.now) {
		c.tell("No question is pending.")
	}
	return nil
}
