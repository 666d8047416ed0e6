package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/prompts"
	"parley/tui/composer"
	"parley/tui/conversation"
)

// draftSaver writes what the conversations of the window have unsent into the journal.
type draftSaver struct {
	win  *conversation.Window
	tabs *tabs
}

// save writes what is not sent.
func (d *draftSaver) save() tea.Cmd { return d.win.Journal.Save(d.unsent(), d.written()) }

// end writes what is left when the window ends.
func (d *draftSaver) end() error { return d.win.Journal.End(d.unsent(), d.written()) }

// unsent is all that the user wrote and did not send, but for what stands in
// questions.
func (d *draftSaver) unsent() drafts.State {
	s := d.win.Unsent()
	s.Session, s.Draft = d.win.Front.Info.ID, d.win.Front.Composer.Draft()
	s.Waiting, s.Unsent = d.win.Front.WaitingDrafts()
	for _, c := range d.tabs.all {
		if c == d.win.Front {
			continue
		}
		waiting, unsent := c.WaitingDrafts()
		draft := composer.Join(slices.Concat(waiting, composer.Plain(unsent...), []drafts.Draft{c.Composer.Draft()})...)
		switch {
		case draft.Empty():
		case c.Info.ID == "":
			s.Stash = append(s.Stash, drafts.Stashed{Draft: draft, Time: s.Time, Why: "not sent"})
		default:
			s.Drafts[c.Info.ID] = composer.Join(s.Drafts[c.Info.ID], draft)
		}
	}
	return s
}

// written is what was written on questions of all conversations and not sent.
func (d *draftSaver) written() prompts.Written {
	var all prompts.Written
	for _, c := range d.tabs.all {
		w := c.Questions.Written()
		all.Forms, all.Texts = append(all.Forms, w.Forms...), append(all.Texts, w.Texts...)
	}
	return all
}
