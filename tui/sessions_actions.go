package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/session"
)

// undoing is a mark that can be taken back, and what it was before.
type undoing struct {
	id     session.ID
	what   string
	before sessions.Mark
}

// openSession goes on with a session. One that another program has open is read
// first: two that write one log lose what one of them says.
func (m *Model) openSession(s sessions.Session) tea.Cmd {
	switch {
	case m.holds(s.ID) && m.readOnly == nil:
		m.closeOverlays()
		m.tell("This is the session.")
		return nil
	case !s.Deleted.IsZero() && m.browser != nil:
		m.browser.note = m.says("It is deleted; {session-delete.undo} takes that back.")
		return nil
	case m.foreign(s):
		m.closeOverlays()
		return m.readSession(s.ID)
	case s.InUse && !m.livesHere(s.ID):
		m.closeOverlays()
		cmd := m.readSession(s.ID)
		if m.readOnly != nil {
			m.tell("It is open elsewhere; here it is to read.")
		}
		return cmd
	}
	m.closeOverlays()
	return m.turnTo(s.ID)
}

// mark changes what is noted about a session.
func (m *Model) mark(id session.ID, what string, change func(*sessions.Mark)) tea.Cmd {
	b := m.browser
	return consult(m.ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, b.library.Mark(ctx, id, change) },
		func(m *Model, _ struct{}, err error) tea.Cmd {
			if m.browser != b {
				if err != nil {
					m.fail(what, err, "")
				}
				return nil
			}
			if err != nil {
				b.note = "Could not " + what + ": " + err.Error()
				return nil
			}
			return tea.Batch(m.lookUp(), m.learn(), m.findRecent())
		})
}

// undoable changes a mark, and remembers what it was.
func (m *Model) undoable(s sessions.Session, what, said string, change func(*sessions.Mark)) tea.Cmd {
	b := m.browser
	b.undone = append(b.undone, undoing{s.ID, what, s.Mark})
	b.note = m.says(said)
	return m.mark(s.ID, what, change)
}

// undoMark takes the last deletion or archiving back; on a session that is
// deleted or archived, that one.
func (m *Model) undoMark() tea.Cmd {
	b := m.browser
	if s := b.list.session(); s != nil && !s.Deleted.IsZero() {
		b.undone = slices.DeleteFunc(b.undone, func(u undoing) bool { return u.id == s.ID })
		b.note = "Not deleted any more."
		return m.mark(s.ID, "bring the session back", func(k *sessions.Mark) { k.Deleted = time.Time{} })
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
	return m.mark(u.id, "take back to "+u.what, func(k *sessions.Mark) { k.Archived, k.Deleted = u.before.Archived, u.before.Deleted })
}

func (m *Model) pinSession(s sessions.Session) tea.Cmd {
	return m.mark(s.ID, "pin the session", func(k *sessions.Mark) { k.Pinned = !s.Pinned })
}

func (m *Model) archiveSession(s sessions.Session) tea.Cmd {
	if s.Archived {
		return m.undoable(s, "show the session again", "Not archived any more; {session-delete.undo} takes that back.",
			func(k *sessions.Mark) { k.Archived = false })
	}
	return m.undoable(s, "archive the session", "Archived; is:archived finds it, {session-delete.undo} takes that back.",
		func(k *sessions.Mark) { k.Archived = true })
}

// deleteSession marks a session for deletion when it is asked for twice
// (product/decisions.md, 24).
func (m *Model) deleteSession(s sessions.Session) tea.Cmd {
	b := m.browser
	switch {
	case !s.Deleted.IsZero():
		b.note = m.says("It is deleted already; {session-delete.undo} takes that back.")
		return nil
	case m.openHere(s.ID):
		b.note = "It is open in this window; leave it first."
		return nil
	case s.InUse:
		b.note = "It is open elsewhere; close it there first."
		return nil
	}
	if this := string(s.ID); b.armed != this || m.now.Sub(b.since) < repeatTime { // a key that is held down does not count
		b.armed, b.since = this, m.now
		b.note = fmt.Sprintf("Delete “%s”? ", m.cut(titleOf(&s), m.width/2)) + m.says("{session-delete.delete} again does it.")
		return nil
	}
	b.armed = ""
	now := m.now
	when := "Deleted when you leave; {session-delete.undo} takes that back."
	if m.foreign(s) {
		when = "Deleted when you leave a window of its agent; {session-delete.undo} takes that back."
	}
	return m.undoable(s, "delete the session", when, func(k *sessions.Mark) { k.Deleted = now })
}

// tagSession asks for the tags of a session.
func (m *Model) tagSession(s sessions.Session) {
	m.noteDown("tags", strings.Join(s.Tags, " "), func(m *Model, text string) tea.Cmd {
		return m.mark(s.ID, "tag the session", func(k *sessions.Mark) { k.Tags = sessions.Tags(text) })
	})
}

// nameSession asks for a name. That of a session that lives here is its agent's
// to keep; any other is a note of ours (product/decisions.md, 24).
func (m *Model) nameSession(s sessions.Session) {
	m.noteDown("name", titleOf(&s), func(m *Model, text string) tea.Cmd {
		if m.session != nil && m.holds(s.ID) && text != "" {
			if _, ok := session.As[session.Renamer](m.session); ok {
				return tea.Batch(m.rename(text), m.mark(s.ID, "name the session", func(k *sessions.Mark) { k.Name = text }))
			}
		}
		return m.mark(s.ID, "name the session", func(k *sessions.Mark) { k.Name = text })
	})
}

// noteDown asks for a line about a session.
func (m *Model) noteDown(lead, text string, take func(m *Model, text string) tea.Cmd) {
	n := &noting{lead: lead, editor: editor.New(), take: take}
	n.editor.SetText(text)
	m.browser.noting = n
}
