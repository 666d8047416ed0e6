package browser

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/prompts/consent"
	"parley/session"
)

// undoEntry is a change of a mark, and the mark before it.
type undoEntry struct {
	id     session.ID
	what   string
	before sessions.Mark
}

// mark changes what is noted about a session.
func (b *Browser) mark(id session.ID, what string, change func(*sessions.Mark)) tea.Cmd {
	ctx, library := b.ctx, b.library
	return func() tea.Msg {
		err := library.Mark(ctx, id, change)
		return Msg{Of: b, whenClosed: true, do: func() tea.Cmd { return b.marked(what, err) }}
	}
}

func (b *Browser) marked(what string, err error) tea.Cmd {
	switch {
	case b.closed && err != nil:
		b.Ask(Failed{what, err})
	case b.closed:
	case err != nil:
		b.message = "Could not " + what + ": " + err.Error()
	default:
		b.Ask(Marked{})
		return tea.Batch(b.search(), b.loadKnown())
	}
	return nil
}

// undoable changes a mark so that it can be undone.
func (b *Browser) undoable(s sessions.Session, what, said string, change func(*sessions.Mark)) tea.Cmd {
	b.undoStack = append(b.undoStack, undoEntry{s.ID, what, s.Mark})
	b.message = b.Keys.Fill(said)
	return b.mark(s.ID, what, change)
}

// undoMark undoes the last deletion or archiving. If the chosen session is deleted, it
// undoes that.
func (b *Browser) undoMark() tea.Cmd {
	if s := b.list.session(); s != nil && !s.Deleted.IsZero() {
		b.undoStack = slices.DeleteFunc(b.undoStack, func(u undoEntry) bool { return u.id == s.ID })
		b.message = "No longer deleted."
		return b.mark(s.ID, "restore the session", func(k *sessions.Mark) { k.Deleted = time.Time{} })
	}
	n := len(b.undoStack)
	if n == 0 {
		b.message = "Nothing to undo."
		return nil
	}
	u := b.undoStack[n-1]
	b.undoStack = b.undoStack[:n-1]
	b.list.chooseNext = u.id
	b.message = "Undone."
	return b.mark(u.id, "undo: "+u.what, func(k *sessions.Mark) { k.Archived, k.Deleted = u.before.Archived, u.before.Deleted })
}

func (b *Browser) archiveSession(s sessions.Session) tea.Cmd {
	if s.Archived {
		return b.undoable(s, "unarchive the session", "No longer archived; {session-delete.undo} undoes that.",
			func(k *sessions.Mark) { k.Archived = false })
	}
	return b.undoable(s, "archive the session", "Archived; is:archived finds it, {session-delete.undo} undoes that.",
		func(k *sessions.Mark) { k.Archived = true })
}

// deleteSession marks a session for deletion if that is asked for twice (docs/decisions.md
// 24).
func (b *Browser) deleteSession(s sessions.Session) tea.Cmd {
	switch {
	case !s.Deleted.IsZero():
		b.message = b.Keys.Fill("It is already deleted; {session-delete.undo} undoes that.")
		return nil
	case b.isOpen(s.ID):
		b.message = "It is open in this window; leave it first."
		return nil
	case s.InUse:
		b.message = "It is open in another window; close it there first."
		return nil
	}
	title := b.Cut(b.list.titleOf(&s), max(8, b.Width-50))
	if !sure(b, "session-delete.delete", s.ID, "Delete “"+title+"”?", "deletes it") {
		return nil
	}
	now := b.Now
	when := "Deleted when you leave Parley; {session-delete.undo} undoes that."
	if s.Foreign(b.Keeper) {
		when = "Deleted when you leave a window of its agent; {session-delete.undo} undoes that."
	}
	return b.undoable(s, "delete the session", when, func(k *sessions.Mark) { k.Deleted = now })
}

func (b *Browser) tagSession(s sessions.Session) {
	b.askFor("tags", strings.Join(s.Tags, " "), func(text string) tea.Cmd {
		return b.mark(s.ID, "tag the session", func(k *sessions.Mark) { k.Tags = sessions.Tags(text) })
	})
}

// renameSession asks for a name. That of a session that is open is also given to it, and
// the agent stores it; that of any other is a mark alone (docs/decisions.md 24).
func (b *Browser) renameSession(s sessions.Session) {
	b.askFor("name", b.list.titleOf(&s), func(text string) tea.Cmd {
		if b.renames(s.ID) && text != "" {
			b.Ask(Rename{s.ID, text})
		}
		return b.mark(s.ID, "name the session", func(k *sessions.Mark) { k.Name = text })
	})
}

// exportSession asks which file it is written to. A name that is proposed is complete: a
// letter that follows at once is of a word that the key for it began.
func (b *Browser) exportSession(s sessions.Session) {
	b.askFor("write to", b.exportName(s.Title), func(to string) tea.Cmd {
		b.Ask(Export{s, to})
		return nil
	})
	b.input.listensFrom = b.Now.Add(consent.Burst)
}

// askFor asks for a line of text.
func (b *Browser) askFor(lead, text string, take func(text string) tea.Cmd) {
	n := &lineInput{label: lead, editor: editor.New(), submit: take}
	n.editor.SetText(text)
	b.input = n
}
