package tui

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
)

// stash puts the draft away, or takes the one put away last back.
func (c *conversation) stash(string) tea.Cmd {
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
func (c *conversation) putAway(why string) {
	if !c.composer.ShowsRecalled() { // else it is in the history
		c.win.keepAside(c.composer.Draft(), why)
	}
	c.setDraft(drafts.Draft{})
}

// keepAside puts a draft on the stash. One that is on it already moves to its
// top.
func (sh *shared) keepAside(d drafts.Draft, why string) {
	sh.shelve(drafts.Stashed{Draft: d, Time: sh.now, Why: why})
}

// shelve is keepAside for a draft that was put away before.
func (sh *shared) shelve(put drafts.Stashed) {
	if put.Draft.Empty() {
		return
	}
	sh.takeAside(put.Draft)
	sh.aside = append(sh.aside, put)
	if extra := len(sh.aside) - stashLimit; extra > 0 {
		sh.aside = slices.Delete(sh.aside, 0, extra)
	}
	sh.journal.touch()
}

// takeAside takes a draft off the stash.
func (sh *shared) takeAside(d drafts.Draft) {
	sh.aside = slices.DeleteFunc(sh.aside, func(s drafts.Stashed) bool {
		return s.Draft.Text == d.Text && reflect.DeepEqual(s.Draft.Chips, d.Chips)
	})
	sh.journal.touch()
}
