package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/prompts"
	"parley/session"
)

// undoing is a mark that can be taken back, and what it was before.
type undoing struct {
	id     session.ID
	what   string
	before sessions.Mark
}

// mark changes what is noted about a session.
func (b *Browser) mark(id session.ID, what string, change func(*sessions.Mark)) tea.Cmd {
	library := b.library
	return job(b.ctx, b, func(ctx context.Context) (struct{}, error) { return struct{}{}, library.Mark(ctx, id, change) },
		func(_ struct{}, err error) tea.Cmd {
			if b.closed {
				if err != nil {
					b.Ask(Failed{what, err})
				}
				return nil
			}
			if err != nil {
				b.note = "Could not " + what + ": " + err.Error()
				return nil
			}
			b.Ask(Marked{})
			return tea.Batch(b.lookUp(), b.learn())
		})
}

// undoable changes a mark, and remembers what it was.
func (b *Browser) undoable(s sessions.Session, what, said string, change func(*sessions.Mark)) tea.Cmd {
	b.undone = append(b.undone, undoing{s.ID, what, s.Mark})
	b.note = b.Keys.Fill(said)
	return b.mark(s.ID, what, change)
}

// undoMark takes the last deletion or archiving back; on a session that is
// deleted or archived, that one.
func (b *Browser) undoMark() tea.Cmd {
	if s := b.list.session(); s != nil && !s.Deleted.IsZero() {
		b.undone = slices.DeleteFunc(b.undone, func(u undoing) bool { return u.id == s.ID })
		b.note = "Not deleted any more."
		return b.mark(s.ID, "bring the session back", func(k *sessions.Mark) { k.Deleted = time.Time{} })
	}
	n := len(b.undone)
	if n == 0 {
		b.note = "There is nothing to take back."
		return nil
	}
	u := b.undone[n-1]
	b.undone = b.undone[:n-1]
	b.list.wanted = u.id
	b.note = "Taken back."
	return b.mark(u.id, "take back to "+u.what, func(k *sessions.Mark) { k.Archived, k.Deleted = u.before.Archived, u.before.Deleted })
}

func (b *Browser) archiveSession(s sessions.Session) tea.Cmd {
	if s.Archived {
		return b.undoable(s, "show the session again", "Not archived any more; {session-delete.undo} takes that back.",
			func(k *sessions.Mark) { k.Archived = false })
	}
	return b.undoable(s, "archive the session", "Archived; is:archived finds it, {session-delete.undo} takes that back.",
		func(k *sessions.Mark) { k.Archived = true })
}

// deleteSession marks a session for deletion when it is asked for twice
// (docs/decisions.md, 24).
func (b *Browser) deleteSession(s sessions.Session) tea.Cmd {
	switch {
	case !s.Deleted.IsZero():
		b.note = b.Keys.Fill("It is deleted already; {session-delete.undo} takes that back.")
		return nil
	case b.openHere(s.ID):
		b.note = "It is open in this window; leave it first."
		return nil
	case s.InUse:
		b.note = "It is open elsewhere; close it there first."
		return nil
	}
	if this := string(s.ID); b.armed != this || b.Now.Sub(b.since) < prompts.Quiet { // a key that is held down does not count
		b.armed, b.since = this, b.Now
		b.note = fmt.Sprintf("Delete “%s”? ", b.Cut(titleOf(&s), b.Width/2)) + b.Keys.Fill("{session-delete.delete} again does it.")
		return nil
	}
	b.armed = ""
	now := b.Now
	when := "Deleted when you leave; {session-delete.undo} takes that back."
	if s.Foreign(b.Keeper) {
		when = "Deleted when you leave a window of its agent; {session-delete.undo} takes that back."
	}
	return b.undoable(s, "delete the session", when, func(k *sessions.Mark) { k.Deleted = now })
}

// tagSession asks for the tags of a session.
func (b *Browser) tagSession(s sessions.Session) {
	b.noteDown("tags", strings.Join(s.Tags, " "), func(text string) tea.Cmd {
		return b.mark(s.ID, "tag the session", func(k *sessions.Mark) { k.Tags = sessions.Tags(text) })
	})
}

// nameSession asks for a name. That of a session that lives here is its agent's
// to keep; any other is a note of ours (docs/decisions.md, 24).
func (b *Browser) nameSession(s sessions.Session) {
	b.noteDown("name", titleOf(&s), func(text string) tea.Cmd {
		if b.Renames && b.holds(s.ID) && text != "" {
			b.Ask(Rename{text})
		}
		return b.mark(s.ID, "name the session", func(k *sessions.Mark) { k.Name = text })
	})
}

// noteDown asks for a line about a session.
func (b *Browser) noteDown(lead, text string, take func(text string) tea.Cmd) {
	n := &noting{lead: lead, editor: editor.New(), take: take}
	n.editor.SetText(text)
	b.noting = n
}
