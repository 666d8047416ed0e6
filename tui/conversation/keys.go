package conversation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/keymap"
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
	case c.win.Overlay != nil:
		return overlaid
	case c.Questions.Focused():
		return answering
	case c.Nav.Searching():
		return searching
	case c.Pane.Browsing:
		return browsing
	}
	return composing
}

// keyboard routes what is typed and pasted to the part of the window that has the keys.
type keyboard struct {
	win   *Window
	mouse *mouse
}

// press routes a press in one fixed order: chords and the keys that always work,
// then the part that has the focus. What a question leaves goes to the
// completions, the table of commands and the editor.
func (k *keyboard) press(press tea.KeyPressMsg, at time.Time) tea.Cmd {
	name := keymap.Name(press)
	k.win.Front.Hint = Hint{}
	k.win.Pressed++
	if name == "esc" && k.win.escapable() {
		k.win.escaped, k.win.Front.Armed = k.win.Now, Armed{}
	}
	if k.win.Chord.Pressed {
		k.endChord(at)
		return k.chorded(name, press, at)
	}
	if k.mouse.deselect(name, press) {
		k.win.Front.Questions.Elsewhere(at)
		return nil
	}
	if name == k.win.Keymap.Leader {
		k.win.Front.Questions.Elsewhere(at)
		return k.startChord()
	}
	if c, ok := k.win.keys[name]; ok && c.Always {
		k.win.Front.Questions.Elsewhere(at)
		return k.win.Front.Input.runKey(c, press)
	}
	f := k.win.Front.focus()
	if f == answering {
		if o := k.win.Front.Questions.Key(press, at); o.Taken {
			return k.win.Front.Outcome(o)
		}
	}
	k.win.Front.Questions.Elsewhere(at)
	switch f {
	case overlaid:
		return k.win.Overlay.Key(press)
	case answering:
		if k.win.keys[name].ID == "cycle-mode" {
			return nil // inside a dialog it moves backwards, and never changes the mode
		}
		return k.win.Front.Input.composerKey(press)
	case searching:
		return k.win.Front.Blocks.Do(k.win.Front.Nav.SearchKey(k.win.Keymap, press))
	case browsing:
		return k.win.Front.Input.blockKey(press)
	case composing:
		return k.win.Front.Input.composerKey(press)
	}
	return nil
}

// escapable reports whether something is open that escape would close, or leave for the draft.
func (w *Window) escapable() bool {
	return w.Chord.Pressed || w.Front.focus() != composing || w.Front.Composer.Completions() != nil
}

// chord is the wait for the second press, after the leader.
type chord struct {
	Pressed bool // the leader was
	at      time.Time
}

// whichTime is how long the second press of a chord may take before all of
// them are shown.
const whichTime = 400 * time.Millisecond

// whichMsg is the time at which the chords are shown.
type whichMsg time.Time

// listed reports whether the chords are shown.
func (ch chord) listed(now time.Time) bool { return ch.Pressed && now.Sub(ch.at) >= whichTime }

// startChord waits for the second press.
func (k *keyboard) startChord() tea.Cmd {
	k.win.Chord = chord{true, k.win.Now}
	return k.win.After(whichTime, func(t time.Time) tea.Msg { return whichMsg(t) })
}

// endChord ends the wait for the second press. The question that was behind the
// list of chords must be on the screen again before a key may answer it.
func (k *keyboard) endChord(at time.Time) {
	if k.win.Chord.listed(k.win.Now) {
		k.win.Front.Questions.Resize(at)
	}
	k.win.Chord.Pressed = false
}

// chorded runs the second press of a chord.
func (k *keyboard) chorded(name string, press tea.KeyPressMsg, at time.Time) tea.Cmd {
	if c, ok := k.win.keys[k.win.Keymap.Leader+" "+name]; ok {
		edit := k.win.Keymap.Show("edit-answer")
		if c.ID == "edit" && edit != "" && k.win.Front.focus() == answering { // a line of the question may be open
			if o := k.win.Front.Questions.Key(keymap.Stroke(edit), at); o.Taken {
				return k.win.Front.Outcome(o)
			}
		}
		if c.ID == "answer" { // first, or the press would count against it
			k.win.Front.Questions.Elsewhere(at)
		}
		return k.win.Front.Commands.do(c, "")
	}
	k.win.Front.Questions.Elsewhere(at)
	if name != "esc" && name != "ctrl+c" {
		k.win.Front.ShowHint("{leader} %s does nothing; {help} shows the keys", press.String())
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
	account      *account
	first        *firstScreen
	letters      blockLetters
	noSendBefore time.Time // Enter sends nothing before it
}

// composerKey gives a press to the completions, the table of commands and the
// editor, in this order.
func (c *keyInput) composerKey(press tea.KeyPressMsg) tea.Cmd {
	name := keymap.Name(press)
	if command, ok := c.win.keys[name]; !ok || command.ID != c.Armed.by {
		c.Armed = Armed{}
	}
	if c.Composer.Completions() != nil {
		cmd, taken, sends := c.draft.completionKey(c.win.completes(press))
		if sends {
			cmd = tea.Batch(cmd, c.submit(""))
		}
		if taken {
			return cmd
		}
	}
	if command, ok := c.win.keys[name]; ok && c.takes(command, name) && !c.Composer.Claims(press) {
		return c.runKey(command, press)
	}
	return c.editorKey(press)
}

// editorKey gives a press to the editor, and what that leaves to the recall of
// earlier prompts; one that goes through these already has it first.
func (c *keyInput) editorKey(press tea.KeyPressMsg) tea.Cmd {
	c.first.writeOver(press)
	name := keymap.Name(press)
	as, live := c.win.Keymap.Press(keymap.InComposer, press)
	switch {
	case !live && name != "up" && name != "down": // these are the editor's too
		return nil
	case live && c.Composer.RecallsFirst(as.Keystroke()):
	case c.Composer.Update(as):
		return tea.Batch(c.draft.edited(), c.first.numberPressed())
	case !live:
		return nil
	case name == "esc" && c.stepBack(): // whatever interrupts
		return nil
	}
	return c.RecallKey(as.Keystroke())
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
func (c *keyInput) takes(command keymap.Command, name string) bool {
	switch command.ID {
	case "help", "delete", "expand-all", "search":
		return c.Composer.Empty()
	case "end":
		return name != "end" || c.Composer.Empty()
	case "show-plan": // as in the Copilot CLI
		return c.Composer.Empty() && c.Mode() == session.Plan
	}
	return true
}

// paste puts a paste where the focus is. It never answers anything.
func (k *keyboard) paste(p tea.PasteMsg, at time.Time) tea.Cmd {
	k.win.Front.Pane.Deselect()
	if k.win.Overlay != nil {
		if cmd, taken := k.win.Overlay.Paste(p.Content); taken {
			k.win.Front.Questions.Elsewhere(at)
			return cmd
		}
	}
	if k.win.Front.focus() == searching {
		k.win.Front.Questions.Elsewhere(at)
		return k.win.Front.Blocks.Do(k.win.Front.Nav.SearchPaste(p.Content))
	}
	k.win.Front.CloseOverlays()
	if k.win.Front.focus() == browsing {
		k.win.Front.Nav.LeaveBlocks()
	}
	if k.win.Front.focus() == answering {
		if o := k.win.Front.Questions.Key(p, at); o.Taken {
			return k.win.Front.Outcome(o)
		}
	}
	k.win.Front.Questions.Elsewhere(at)
	return k.win.Front.Draft.pasted(p.Content)
}

// UpdateDraftState says to the questions whether the composer waits for the first key of a
// draft: a question takes the focus by itself only then. It follows from the state,
// and is passed on before a question may come, and after each message.
func (c *core) UpdateDraftState() {
	f := c.focus()
	away := f != composing && f != answering
	c.Questions.KeysAway(away)
	c.Questions.Draft(c.inFront() && c.Composer.Empty() && !away)
}

// Insert puts text into the draft.
func (c *promptDraft) Insert(text string) {
	if c.Pane.Browsing {
		c.Nav.LeaveBlocks()
	}
	c.Composer.Insert(text)
}

// chordLines are the second keys after the leader and what they do, in columns of which
// so many lines are drawn.
func (w *Window) chordLines(height int) []string {
	type chord struct{ key, what string }
	const widest = 20 // of what the table has a short text for
	var chords []chord
	keys, width := 0, 0
	for _, c := range w.commands {
		i := slices.IndexFunc(c.Keys, func(k string) bool { return strings.HasPrefix(k, w.Keymap.Leader+" ") })
		if i < 0 {
			continue
		}
		one := chord{strings.TrimPrefix(c.Keys[i], w.Keymap.Leader+" "), cmp.Or(c.Short, c.Title)}
		keys, width = max(keys, text.Width(one.key)), max(width, min(text.Width(one.what), widest))
		chords = append(chords, one)
	}
	room := max(0, w.Width-widget.Margin-1)
	width = min(keys+1+width, room)
	across := max(1, (room+widget.ColumnGap)/max(1, width+widget.ColumnGap))
	in := widget.Scroll{All: (len(chords) + across - 1) / across}
	in.Shown = min(in.All, max(0, height-2))
	title := w.Theme.Render(theme.Strong, w.Keymap.Leader) + w.Theme.Render(theme.Dim, "  and then")
	lines := []string{"", widget.Indent + widget.Spread(w.Theme, title, in.Rows(), room)}
	for y := range in.Shown {
		line := widget.Indent
		for x := y; x < len(chords); x += in.All {
			c := chords[x]
			line += widget.Blank(widget.Margin + x/in.All*(width+widget.ColumnGap) - text.Width(line))
			line += w.Theme.Render(theme.Key, c.key) + widget.Blank(keys-text.Width(c.key)+1)
			line += w.Theme.Render(theme.Text, w.Cut(c.what, width-keys-1))
		}
		lines = append(lines, line)
	}
	in.Mark(w.Theme, lines[2:], w.Width)
	return lines
}

// tab goes to the waiting question, or to the timeline, when there is no draft to
// complete.
func (c *keyInput) tab(string) tea.Cmd {
	switch {
	case c.Composer.CompleteWhenFound():
	case c.Composer.Empty() && c.Questions.Len() > 0:
		c.Questions.Focus(c.win.Now)
	case c.Composer.Empty():
		c.blocks.Do(c.Nav.Browse())
	case c.Busy() && c.win.Config.Settings.BusyEnter == "queue":
		c.ShowHint("{send} queues the prompt for after this turn; {queued}, s: for its next step")
	case c.Busy():
		c.ShowHint("{queue} queues the prompt for after this turn")
	}
	return nil
}

// tabQueue is tab where a draft that waits is queued by it.
func (c *keyInput) tabQueue(string) tea.Cmd {
	if c.Busy() && !c.Composer.Empty() && !c.Composer.SearchesFiles() {
		return c.enqueue("")
	}
	return c.tab("")
}

func (c *keyInput) focusQuestion(string) tea.Cmd {
	c.CloseOverlays()
	c.blocks.Do(c.Nav.TurnAway())
	if !c.Questions.Focus(c.win.Now) {
		c.ShowHint("No question is pending.")
	}
	return nil
}
