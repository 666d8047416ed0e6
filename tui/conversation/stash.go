package conversation

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
)

// stash puts the draft away, or takes the one put away last back.
func (c *promptDraft) stash(string) tea.Cmd {
	if !c.Composer.Empty() {
		c.putAway("stashed")
		return c.ShowHint("Draft stashed; {stash} restores it.")
	}
	n := len(c.win.stashed)
	switch {
	case n == 0 && c.Opening && c.win.Journal.awaited():
		return c.ShowHint("What was stashed comes once the session is open.")
	case n == 0:
		return c.ShowHint("Nothing is stashed.")
	}
	last := c.win.stashed[n-1]
	c.win.stashed = c.win.stashed[:n-1]
	c.SetDraft(last.Draft)
	if n > 1 {
		c.ShowHint("%d more stashed; {history} shows them", n-1)
	}
	return nil
}

// replace puts a draft into the composer. No list of completions opens over it.
func (c *promptDraft) replace(d drafts.Draft) {
	c.SetDraft(d)
	c.Composer.SkipCompletion()
}

// Offer puts a draft into the composer, or on the stash if something is written there.
func (c *promptDraft) Offer(d drafts.Draft, why string) {
	if c.Composer.Empty() {
		c.replace(d)
	} else {
		c.win.Stash(d, why)
	}
}

// attaches reports whether a draft has attachments.
func attaches(d drafts.Draft) bool {
	return slices.ContainsFunc(d.Chips, func(chip drafts.Chip) bool { return chip.Attachment != nil })
}

// stashLimit bounds what is put away.
const stashLimit = 100

// putAway empties the draft and keeps it on the stash. It can be undone, too.
func (c *promptDraft) putAway(why string) {
	if !c.Composer.ShowsRecalled() { // else it is in the history
		c.win.Stash(c.Composer.Draft(), why)
	}
	c.SetDraft(drafts.Draft{})
}

// Stash puts a draft on the stash. One that is on it already moves to its
// top.
func (w *Window) Stash(d drafts.Draft, why string) {
	w.putOnStash(w.asStashed(d, why))
}

// asStashed is a draft as it is stashed now.
func (w *Window) asStashed(d drafts.Draft, why string) drafts.Stashed {
	put := drafts.Stashed{Draft: d, Time: w.Now, Why: why}
	if w.Front != nil {
		put.Session = w.Front.Info.ID
	}
	return put
}

// putOnStash is stash for a draft that was put away before.
func (w *Window) putOnStash(put drafts.Stashed) {
	if put.Draft.Empty() {
		return
	}
	w.removeFromStash(put.Draft)
	w.addToStash(put)
}

// addToStash puts a draft on the stash, also beside an equal one.
func (w *Window) addToStash(put drafts.Stashed) {
	w.stashed = append(w.stashed, put)
	if extra := len(w.stashed) - stashLimit; extra > 0 {
		w.stashed = slices.Delete(w.stashed, 0, extra)
	}
	w.Journal.Touch()
}

// removeFromStash takes a draft off the stash.
func (w *Window) removeFromStash(d drafts.Draft) {
	w.stashed = slices.DeleteFunc(w.stashed, func(s drafts.Stashed) bool {
		return s.Draft.Text == d.Text && reflect.DeepEqual(s.Draft.Chips, d.Chips)
	})
	w.Journal.Touch()
}
