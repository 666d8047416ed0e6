package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/prompts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/conversation"
)

// draftSaver writes what the conversations of the window have unsent into the journal.
type draftSaver struct {
	win  *conversation.Window
	tabs *tabs
}

// save writes what is not sent, and what is open.
func (d *draftSaver) save() tea.Cmd {
	s := d.unsent()
	s.Open = d.open()
	return d.win.Journal.Save(s, d.written())
}

// end writes what is left when the window ends: what is open only if its user did not
// leave it.
func (d *draftSaver) end(left bool) error {
	s := d.unsent()
	if !left {
		s.Open = d.open()
	}
	return d.win.Journal.End(s, d.written())
}

// recovered gives the drafts that were found again to the sessions that they are of.
func (d *draftSaver) recovered() {
	for _, c := range d.tabs.all {
		if c.Session != nil {
			c.Draft.ReturnTo(c.Info.ID)
		}
	}
}

// open are the sessions that can be resumed, the one on the screen first.
func (d *draftSaver) open() []session.ID {
	var ids []session.ID
	for _, c := range d.tabs.all {
		switch id := c.Current(); {
		case id == "":
		case c == d.win.Front:
			ids = slices.Insert(ids, 0, id)
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

// unsent is all that the user wrote and did not send, but for what stands in
// questions.
func (d *draftSaver) unsent() drafts.State {
	s := d.win.Unsent()
	s.Session, s.Draft = d.win.Front.Info.ID, d.win.Front.Composer.Draft()
	s.Waiting, s.Unsent = d.win.Front.WaitingDrafts()
	for _, c := range d.tabs.all {
		s.Stash = append(s.Stash, c.Queue.HeldDrafts()...)
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
