package tui

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
)

// stash puts the draft away, or takes the one put away last back.
func (c *promptDraft) stash(string) tea.Cmd {
	if !c.composer.Empty() {
		c.putAway("stashed")
		c.tell("Draft stashed; {stash} restores it.")
		return nil
	}
	n := len(c.win.aside)
	if n == 0 {
		c.tell("Nothing is stashed.")
		return nil
	}
	last := c.win.aside[n-1]
	c.win.aside = c.win.aside[:n-1]
	c.setDraft(last.Draft)
	if n > 1 {
		c.tell("%d more stashed; {history} shows them", n-1)
	}
	return nil
}

// stashLimit bounds what is put away.
const stashLimit = 100

// putAway empties the draft and keeps it on the stash. It can be undone, too.
func (c *promptDraft) putAway(why string) {
	if !c.composer.ShowsRecalled() { // else it is in the history
		c.win.keepAside(c.composer.Draft(), why)
	}
	c.setDraft(drafts.Draft{})
}

// keepAside puts a draft on the stash. One that is on it already moves to its
// top.
func (w *windowState) keepAside(d drafts.Draft, why string) {
	w.shelve(drafts.Stashed{Draft: d, Time: w.now, Why: why})
}

// shelve is keepAside for a draft that was put away before.
func (w *windowState) shelve(put drafts.Stashed) {
	if put.Draft.Empty() {
		return
	}
	w.takeAside(put.Draft)
	w.aside = append(w.aside, put)
	if extra := len(w.aside) - stashLimit; extra > 0 {
		w.aside = slices.Delete(w.aside, 0, extra)
	}
	w.journal.touch()
}

// takeAside takes a draft off the stash.
func (w *windowState) takeAside(d drafts.Draft) {
	w.aside = slices.DeleteFunc(w.aside, func(s drafts.Stashed) bool {
		return s.Draft.Text == d.Text && reflect.DeepEqual(s.Draft.Chips, d.Chips)
	})
	w.journal.touch()
}
