package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/picker"
)

// promptDraft is the prompt that the user writes in a conversation: the composer, and
// what was put away of it or comes back to it.
type promptDraft struct {
	*core
	rewording rewording // a queued prompt that the draft is a new text of
	sends     bool      // the key that was pressed last sends it
}

// composerFacts are what the composer decides by now.
func (c *promptDraft) composerFacts() composer.Facts {
	completer, _ := session.As[session.Completer](c.session)
	return composer.Facts{
		Now: c.win.now, Place: c.place(), Dir: c.info.Dir, Home: c.win.config.Home, Env: c.win.config.Env,
		Commands: c.slashes(), Completer: completer, Covered: over[*picker.Picker](c.win) != nil,
	}
}

// place is where the user is, for prompts and files used there before.
func (c *promptDraft) place() prompthistory.Place {
	s := c.timeline.Status()
	return prompthistory.Place{Session: c.info.ID, Dir: c.info.Dir, Repository: s.Repository}
}

// completionKey gives a key to the completions, and reports whether they took it, and
// whether it also sends the draft.
func (c *promptDraft) completionKey(name string) (cmd tea.Cmd, taken, sends bool) {
	cmd = c.compose(func(of *composer.Composer) (cmd tea.Cmd) {
		cmd, taken = of.CompletionKey(name)
		return cmd
	})
	sends, c.sends = c.sends, false
	return cmd, taken, sends
}

// compose does something with the composer, and what that asks for.
func (c *promptDraft) compose(do func(of *composer.Composer) tea.Cmd) tea.Cmd {
	c.composer.SetFacts(c.composerFacts())
	cmd := fromComposer(c.id, do(&c.composer))
	for _, r := range c.composer.Requests() {
		switch r := r.(type) {
		case composer.Hint:
			if r.Detail == "" {
				c.showHint(r.Format)
			} else {
				c.showHint(r.Format, c.win.cut(r.Detail, c.win.width))
			}
		case composer.Submit:
			c.sends = true
		}
	}
	return cmd
}

// fromComposer is a command of a composer, whose messages are for its conversation.
func fromComposer(id conversationID, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		switch msg := msg.(type) {
		case tea.BatchMsg:
			for i, cmd := range msg {
				msg[i] = fromComposer(id, cmd)
			}
		case composer.Msg:
			return inMsg{id, msg}
		}
		return msg
	}
}

// edited follows a change of the draft.
func (c *promptDraft) edited() tea.Cmd { return c.compose((*composer.Composer).Edited) }

// pasted takes a paste into the draft.
func (c *promptDraft) pasted(text string) tea.Cmd {
	return c.compose(func(of *composer.Composer) tea.Cmd { return of.Paste(text) })
}

// attach attaches a file or a folder.
func (c *promptDraft) attach(path string) tea.Cmd {
	return c.compose(func(of *composer.Composer) tea.Cmd { return of.Attach(path) })
}

// pasteImage attaches the image on the clipboard.
func (c *promptDraft) pasteImage(string) tea.Cmd { return c.compose((*composer.Composer).PasteImage) }

// mentionFile begins a mention.
func (c *promptDraft) mentionFile(string) tea.Cmd {
	c.insert("@")
	return c.edited()
}

// giveBack returns what could not be sent to the draft; what was typed
// meanwhile follows it.
func (c *promptDraft) giveBack(back ...drafts.Draft) {
	c.setDraft(composer.Join(append(slices.Clone(back), c.composer.Draft())...))
}

// setDraft puts another draft in the place of the one there is.
func (c *promptDraft) setDraft(d drafts.Draft) {
	c.composer.SetDraft(d)
	c.rewording = rewording{}
	if c.pane.Browsing && !d.Empty() {
		c.nav.LeaveBlocks() // the user continues to write it
	}
}

// recallKey goes through the prompts sent before. The editor has the arrows
// first, and leaves them at the edges of the draft.
func (c *keyInput) recallKey(name string) tea.Cmd {
	step := c.composer.RecallStep(name)
	if step > 0 && c.composer.Empty() && !c.composer.Recalls() {
		if cmd, ok := c.queue.takeBackLast(); ok {
			return cmd
		}
	}
	if step == 0 {
		return nil
	}
	return c.draft.compose(func(of *composer.Composer) tea.Cmd { return of.Recall(step) })
}

// takeBackLast takes the prompt that was queued last back into the draft; not
// ok means that none can be.
func (c *promptQueue) takeBackLast() (tea.Cmd, bool) {
	if n := len(c.held); n > 0 {
		d := c.held[n-1].Draft
		c.held = c.held[:n-1]
		c.draft.setDraft(d)
		return nil, true
	}
	q, ok := session.As[session.QueueEditor](c.session)
	if !ok {
		return nil, false
	}
	for _, p := range slices.Backward(c.pending) {
		if p.ID != "" {
			return c.withdraw(q, p), true
		}
	}
	return nil, false
}

// loadPrompts reads the prompts sent before.
func (w *windowState) loadPrompts() tea.Cmd {
	prompts := w.prompts
	return func() tea.Msg { return composer.PromptsMsg{Err: prompts.Load()} }
}

// setVim switches vim's way of editing on or off.
func (m *Model) setVim(args string) tea.Cmd {
	m.win.vim = args == "on" || args != "off" && !m.win.vim
	for _, c := range m.all {
		c.composer.SetVim(m.win.vim)
	}
	if m.win.vim {
		m.front.showHint("Vim editing is on; vim = true in settings.toml keeps it so.")
	} else {
		m.front.showHint("Vim editing is off.")
	}
	return nil
}

// leaveWritten leaves the draft with the session that it was written in.
func (c *promptDraft) leaveWritten(from session.ID) {
	if d := c.composer.Draft(); !d.Empty() && from != "" {
		c.win.keepDraftOf(from, d)
		c.setDraft(drafts.Draft{})
		c.showHint("What you wrote stays with the session you left; {history} shows it.")
	}
}

// returnTo brings the draft of a session back that was left.
func (c *promptDraft) returnTo(id session.ID) {
	d, ok := c.win.journal.drafts[id]
	if !ok {
		return
	}
	delete(c.win.journal.drafts, id)
	if c.composer.Empty() {
		c.setDraft(d)
	} else {
		c.win.stash(d, "not sent")
	}
}
