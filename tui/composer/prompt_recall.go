package composer

import (
	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/drafts"
	prompthistory "parley/history/prompts"
)

// recalled is an earlier prompt in the place of the draft.
type recalled struct {
	draft  drafts.Draft // what was typed before
	prefix string       // what earlier prompts must begin with
	n      int          // which of them is shown, 0 is the newest
	text   uint64       // version of the editor then: another text is a draft of its own
	moved  bool         // the editor took a key since
}

// RecallStep is how many prompts further back a key goes where the editor leaves it; 0
// if it does not.
func (c *Composer) RecallStep(key string) int {
	normal := c.VimMode() == "NORMAL"
	switch {
	case key == "up" || key == "ctrl+p" || normal && key == "k":
		return 1
	case key == "down" || key == "ctrl+n" || normal && key == "j":
		return -1
	}
	return 0
}

// RecallsFirst reports whether a key recalls another prompt before the editor has it: while
// the one that is shown is as it was recalled, the key does not move through its rows.
func (c *Composer) RecallsFirst(key string) bool {
	return c.ShowsRecalled() && !c.recalled.moved && c.RecallStep(key) != 0
}

// Update gives a key to the editor, and reports whether it took it.
func (c *Composer) Update(key tea.KeyPressMsg) bool {
	taken := c.Editor.Update(key)
	if taken && c.recalled != nil {
		c.recalled.moved = true
	}
	return taken
}

// TypeOver clears what is written if a key is a letter that will be written. It can be
// undone.
func (c *Composer) TypeOver(key tea.KeyPressMsg) {
	mode := c.VimMode()
	if editor.Types(key) && key.Code != tea.KeySpace && (mode == "" || mode == "INSERT") {
		c.SetText("")
	}
}

// Recall shows the prompt that many steps further back, or forward, which is
// read outside the loop; after the newest comes what was typed. Steps that are
// asked for meanwhile add up.
func (c *Composer) Recall(steps int) tea.Cmd {
	if c.recalling != nil {
		c.recalling.n += steps
		return nil
	}
	r := recalled{draft: c.Draft(), prefix: c.Text(), n: -1}
	if c.ShowsRecalled() {
		r = *c.recalled
	} else if steps < 0 {
		return nil
	}
	r.n, r.text = r.n+steps, c.Version()
	c.recalling = &r
	wanted, prompts, at := r, c.prompts, c.facts.Place // what is asked for meanwhile changes r
	return func() tea.Msg {
		msg := recalledMsg{wanted: wanted}
		if wanted.n >= 0 {
			msg.prompt, msg.found = prompts.Older(wanted.prefix, at, wanted.n)
		}
		return msg
	}
}

// recalledMsg ends the search for an earlier prompt.
type recalledMsg struct {
	wanted recalled
	prompt prompthistory.Prompt
	found  bool
}

// receive shows the prompt that was found, unless the draft is another one
// by now, and continues to where the user went meanwhile.
func (msg recalledMsg) receive(c *Composer) tea.Cmd {
	r, asked := msg.wanted, c.recalling
	c.recalling = nil
	if asked == nil || c.Version() != r.text {
		return nil
	}
	switch {
	case msg.found:
		c.SetDraft(msg.prompt.Draft)
		r.text, r.moved = c.Version(), false
		c.recalled = &r
		c.SkipCompletion()
	case r.n < 0:
		if c.recalled != nil {
			c.SetDraft(r.draft)
		}
		return nil
	case r.n == 0 && r.prefix != "":
		c.hint("No earlier prompt begins like this; {history} searches.", "")
		return nil
	default:
		return nil // the oldest is shown
	}
	if further := asked.n - r.n; further != 0 {
		return c.Recall(further)
	}
	return nil
}

// ShowsRecalled reports whether the draft is an earlier prompt, unchanged.
func (c *Composer) ShowsRecalled() bool { return c.recalled != nil && c.recalled.text == c.Version() }

// Recalls reports whether an earlier prompt was recalled, changed since or not.
func (c *Composer) Recalls() bool { return c.recalled != nil }

// Remember saves a prompt that was sent, in a job that ends with a PromptsMsg.
func (c *Composer) Remember(d drafts.Draft) tea.Cmd {
	if d.Empty() {
		return nil
	}
	at := c.facts.Place
	add := c.prompts.Adding(prompthistory.Prompt{Draft: d, Time: c.facts.Now, Session: at.Session, Dir: at.Dir, Repository: at.Repository})
	return func() tea.Msg { return PromptsMsg{add()} }
}

// PromptsMsg ends what was read or written of the prompts that were sent.
type PromptsMsg struct{ Err error }
