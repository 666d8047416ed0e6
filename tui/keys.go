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

// keyboard routes what is typed and pasted to the part of the window that has the keys.
type keyboard struct {
	win   *windowState
	tabs  *tabs
	mouse *mouse
}

// press routes a press in one fixed order: chords and the keys that always work,
// then the part that has the focus. What a question leaves goes to the
// completions, the table of commands and the editor.
func (k *keyboard) press(press tea.KeyPressMsg, at time.Time) tea.Cmd {
	name := keymap.Name(press)
	k.tabs.front.hint = hint{}
	k.win.pressed++
	if k.win.chord.pressed {
		k.endChord(at)
		return k.chorded(name, press, at)
	}
	if k.mouse.deselect(name, press) {
		k.tabs.front.questions.Elsewhere(at)
		return nil
	}
	if name == k.win.keymap.Leader {
		k.tabs.front.questions.Elsewhere(at)
		return k.startChord()
	}
	if c, ok := k.win.keys[name]; ok && c.Always {
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.front.input.runKey(c, press)
	}
	switch k.tabs.front.focus() {
	case overlaid:
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Key(press) })
	case answering:
		if o := k.tabs.front.questions.Key(press, at); o.Taken {
			return k.tabs.front.outcome(o)
		}
		k.tabs.front.questions.Elsewhere(at)
		if k.win.keys[name].ID == "cycle-mode" {
			return nil // inside a dialog it moves backwards, and never changes the mode
		}
		return k.tabs.front.input.composerKey(press)
	case searching:
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.front.blocks.do(k.tabs.front.nav.SearchKey(k.win.keymap, press))
	case browsing:
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.front.input.blockKey(press)
	case composing:
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.front.input.composerKey(press)
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
func (k *keyboard) startChord() tea.Cmd {
	k.win.chord = chord{true, k.win.now}
	return k.win.after(whichTime, func(t time.Time) tea.Msg { return whichMsg(t) })
}

// endChord ends the wait for the second press. The question that was behind the
// list of chords must be on the screen again before a key may answer it.
func (k *keyboard) endChord(at time.Time) {
	if k.win.chord.listed(k.win.now) {
		k.tabs.front.questions.Resize(at)
	}
	k.win.chord.pressed = false
}

// chorded runs the second press of a chord.
func (k *keyboard) chorded(name string, press tea.KeyPressMsg, at time.Time) tea.Cmd {
	if c, ok := k.win.keys[k.win.keymap.Leader+" "+name]; ok {
		edit := k.win.keymap.Show("edit-answer")
		if c.ID == "edit" && edit != "" && k.tabs.front.focus() == answering { // a line of the question may be open
			if o := k.tabs.front.questions.Key(keymap.Stroke(edit), at); o.Taken {
				return k.tabs.front.outcome(o)
			}
		}
		if c.ID == "answer" { // first, or the press would count against it
			k.tabs.front.questions.Elsewhere(at)
		}
		return k.tabs.front.commands.do(c, "")
	}
	k.tabs.front.questions.Elsewhere(at)
	if name != "esc" && name != "ctrl+c" {
		k.tabs.front.showHint("{leader} %s does nothing; {help} shows the keys", press.String())
	}
	return nil
}

// keyInput does what keys ask for in a conversation: they write and send its draft, move
// in its blocks, and interrupt it.
type keyInput struct {
	*core
	blocks       *blockActions
	draft        *promptDraft
	queue        *promptQueue
	commands     *slashCommands
	shell        *userShells
	checkpoints  *checkpoints
	past         *pastReader
	noSendBefore time.Time // Enter sends nothing before it
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
func (k *keyboard) paste(p tea.PasteMsg, at time.Time) tea.Cmd {
	k.tabs.front.pane.Deselect()
	if k.win.overlay != nil {
		taken := false
		cmd := k.tabs.overlaid(func(o overlay.Overlay) (cmd tea.Cmd) {
			cmd, taken = o.Paste(p.Content)
			return cmd
		})
		if taken {
			k.tabs.front.questions.Elsewhere(at)
			return cmd
		}
	}
	if k.tabs.front.focus() == searching {
		k.tabs.front.questions.Elsewhere(at)
		return k.tabs.front.blocks.do(k.tabs.front.nav.SearchPaste(p.Content))
	}
	k.tabs.front.closeOverlays()
	if k.tabs.front.focus() == browsing {
		k.tabs.front.nav.LeaveBlocks()
	}
	if k.tabs.front.focus() == answering {
		if o := k.tabs.front.questions.Key(p, at); o.Taken {
			return k.tabs.front.outcome(o)
		}
	}
	k.tabs.front.questions.Elsewhere(at)
	return k.tabs.front.draft.pasted(p.Content)
}

// updateDraftState says to the questions whether the composer waits for the first key of a
// draft: a question takes the focus by itself only then. It follows from the state,
// and is passed on before a question may come, and after each message.
func (c *core) updateDraftState() {
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
		c.showHint("{send} queues the prompt for after this turn; {queued}, then s, sends it now")
	case c.busy():
		c.showHint("{queue} queues the prompt for after this turn")
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
		c.showHint("No question is pending.")
	}
	return nil
}
