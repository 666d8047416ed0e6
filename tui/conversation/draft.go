package conversation

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/keymap"
	"parley/tui/picker"
	"parley/tui/widget"
)

// promptDraft is the prompt that the user writes in a conversation: the composer, and
// what was put away of it or comes back to it.
type promptDraft struct {
	*core
	Rewording rewording       // a queued prompt that the draft is a new text of
	sends     bool            // the key that was pressed last sends it
	servers   func() []string // the words of /mcp that name a server
}

// composerFacts are what the composer decides by now.
func (c *promptDraft) composerFacts() composer.Facts {
	completer, _ := session.As[session.Completer](c.Session)
	commands := c.slashes()
	if i := slices.IndexFunc(commands, func(of keymap.Command) bool { return of.ID == "mcp" }); i >= 0 {
		commands[i].Choices = slices.Concat(commands[i].Choices, c.servers())
	}
	return composer.Facts{
		Now: c.win.Now, Place: c.place(), Dir: c.Info.Dir, Home: c.win.Config.Home, Env: c.win.Config.Env,
		Commands: commands, Completer: completer, Covered: Over[*picker.Picker](c.win) != nil,
		Rows: widget.MostRows(c.win.Height),
	}
}

// place is where the user is, for prompts and files used there before.
func (c *promptDraft) place() prompthistory.Place {
	s := c.Timeline.Status()
	return prompthistory.Place{Session: c.Info.ID, Dir: c.Info.Dir, Repository: s.Repository}
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
	c.Composer.SetFacts(c.composerFacts())
	cmd := addressed(c.ID, do(&c.Composer), func(msg tea.Msg) bool {
		_, ok := msg.(composer.Msg)
		return ok
	})
	for _, r := range c.Composer.Requests() {
		switch r := r.(type) {
		case composer.Hint:
			if r.Detail == "" {
				c.ShowHint(r.Format)
			} else {
				c.ShowHint(r.Format, c.win.Cut(r.Detail, c.win.Width))
			}
		case composer.Submit:
			c.sends = true
		}
	}
	return cmd
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
	c.Insert("@")
	return c.edited()
}

// toggleIgnored offers the files that .gitignore names as well, or no longer.
func (c *promptDraft) toggleIgnored(string) tea.Cmd {
	offered := false
	cmd := c.compose(func(of *composer.Composer) (cmd tea.Cmd) {
		cmd, offered = of.ToggleIgnored()
		return cmd
	})
	if offered {
		c.ShowHint("@ finds ignored files as well; {ignored-files} leaves them out.")
	} else {
		c.ShowHint("@ leaves out what .gitignore names.")
	}
	return cmd
}

// giveBack returns what could not be sent to the draft; what was typed
// meanwhile follows it.
func (c *promptDraft) giveBack(back ...drafts.Draft) {
	c.SetDraft(composer.Join(append(slices.Clone(back), c.Composer.Draft())...))
}

// SetDraft puts another draft in the place of the one there is.
func (c *promptDraft) SetDraft(d drafts.Draft) {
	c.Composer.SetDraft(d)
	c.Rewording = rewording{}
	if c.Pane.Browsing && !d.Empty() {
		c.Nav.LeaveBlocks() // the user continues to write it
	}
}

// RecallKey goes through the prompts sent before. The editor has the arrows first, but
// for a prompt that is as it was recalled, and leaves them at the edges of the draft.
func (c *keyInput) RecallKey(name string) tea.Cmd {
	step := c.Composer.RecallStep(name)
	if step > 0 && c.Composer.Empty() && !c.Composer.Recalls() {
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
	if n := len(c.Early); n > 0 {
		d := c.Early[n-1].Draft
		c.Early = c.Early[:n-1]
		c.draft.SetDraft(d)
		return nil, true
	}
	if q, ok := session.As[session.QueueEditor](c.Session); ok {
		for _, p := range slices.Backward(c.Pending) {
			if p.ID != "" {
				return c.withdraw(q, p), true
			}
		}
	}
	if n := len(c.Notes); n > 0 {
		note := c.Notes[n-1].Text
		c.Notes = c.Notes[:n-1]
		c.draft.giveBack(c.Composer.Drafts(note)...)
		c.Composer.SkipCompletion()
		c.ShowHint("The note was not sent; it is in the composer.")
		return nil, true
	}
	if len(c.Pending) > 0 {
		c.ShowHint(hasIt)
	}
	return nil, false
}

// LeaveWritten leaves the draft with the session that it was written in.
func (c *promptDraft) LeaveWritten(from session.ID) {
	if d := c.Composer.Draft(); !d.Empty() && from != "" {
		c.win.KeepDraftOf(from, d)
		c.SetDraft(drafts.Draft{})
		c.ShowHint("What you wrote stays with the session you left; {history} shows it.")
	}
}

// ReturnTo brings the draft of a session back that was left, in this window or by one that
// has ended (docs/decisions.md 39).
func (c *promptDraft) ReturnTo(id session.ID) {
	if d, ok := c.win.Journal.Drafts[id]; ok {
		delete(c.win.Journal.Drafts, id)
		c.Offer(d, "not sent")
		return
	}
	for i, put := range slices.Backward(c.win.stashed) {
		if put.Why == leftByEnded && put.Session == id && id != "" && c.Composer.Empty() {
			c.win.stashed = slices.Delete(c.win.stashed, i, i+1)
			c.win.Journal.Touch()
			c.replace(put.Draft)
			return
		}
	}
}
