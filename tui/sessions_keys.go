package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/tui/keymap"
)

// burstTime is how soon a letter after another was not meant as a key.
const burstTime = 40 * time.Millisecond

// drastic are the actions that change something or leave. A letter that is for one
// counts only when it stays alone for a moment, so that a text that a program types
// does nothing.
var drastic = []string{
	"session-new", "session-read", "session-fork", "session-export", "session-pin", "session-archive", "session-tag",
	"session-rename", "session-delete.delete", "session-delete.undo", "session-copy", "session-close",
	"preview-open.resume", "preview-open.read", "preview-close",
}

// browserKey routes a key to the open browser (product/keys.md, 3).
func (m *Model) browserKey(press tea.KeyPressMsg) tea.Cmd {
	b := m.browser
	typed := editor.Types(press) || press.Code == tea.KeyEnter
	burst, cut := typed && m.now.Sub(b.letter) < burstTime, b.held && typed
	if b.held, b.pressed = false, b.pressed+1; typed {
		b.letter = m.now
	}
	switch {
	case b.noting != nil:
		b.note = ""
		return m.noteKey(press)
	case b.writing:
		b.note = ""
		return m.queryKey(press)
	}
	scope := keymap.InSessions
	if b.looking {
		scope = keymap.InPreview
	}
	action := m.keymap.Action(scope, press)
	if action == "" && !cut {
		b.armed = ""
		return nil
	}
	if b.note = ""; action != "session-delete.delete" {
		b.armed = ""
	}
	switch {
	case cut || burst && (press.Code == tea.KeyEnter || slices.Contains(drastic, action)):
		b.note = m.says("Letters are keys here; {session-query} searches.")
		return nil
	case editor.Types(press) && press.Code != tea.KeySpace && slices.Contains(drastic, action):
		b.held = true
		turn := b.pressed
		return m.later(burstTime, func(m *Model) tea.Cmd {
			if m.browser != b || b.pressed != turn {
				return nil
			}
			b.held = false
			return m.listAction(action, press.IsRepeat)
		})
	}
	return m.listAction(action, press.IsRepeat)
}

// listAction does an action in the list, or in the preview.
func (m *Model) listAction(action string, repeat bool) tea.Cmd {
	b := m.browser
	switch {
	case b.looking:
		return m.previewAction(action, repeat)
	case b.list.moveBy(action, b.rows):
		return m.previewSoon()
	case repeat:
		return nil
	}
	return m.browserAction(action)
}

// moveBy goes through the list if that is what an action is for.
func (l *sessionList) moveBy(action string, rows int) bool {
	page := max(1, rows/max(1, l.span)-1)
	switch action {
	case "session-move.before":
		l.move(-1)
	case "session-move.after":
		l.move(1)
	case "session-page.up":
		l.move(-page)
	case "session-page.down":
		l.move(page)
	case "session-page.half-up":
		l.move(-max(1, page/2))
	case "session-page.half-down":
		l.move(max(1, page/2))
	case "session-ends.first":
		l.move(-len(l.items))
		l.top = 0
	case "session-ends.last":
		l.move(len(l.items))
	default:
		return false
	}
	return true
}

// browserAction does an action of the list, besides moving.
func (m *Model) browserAction(action string) tea.Cmd {
	b := m.browser
	switch action {
	case "session-close":
		m.closeOverlays()
	case "session-query":
		b.writing = true
		b.complete()
	case "session-preview":
		b.looking = b.list.session() != nil
	case "session-hit.next":
		return m.hop(1)
	case "session-hit.before":
		return m.hop(-1)
	case "session-scope":
		return m.lookFurther()
	case "session-sort":
		return m.sortSessions()
	case "session-group":
		return m.groupSessions()
	case "session-keys":
		b.page++
	case "session-new":
		m.closeOverlays()
		return m.newSession("")
	case "session-delete.undo":
		return m.undoMark()
	}
	if s := b.list.session(); s != nil {
		return m.sessionAction(action, *s)
	}
	return nil
}

// sessionAction does an action on the chosen session.
func (m *Model) sessionAction(action string, s sessions.Session) tea.Cmd {
	switch action {
	case "session-open", "preview-open.resume":
		return m.openSession(s)
	case "session-read", "preview-open.read":
		m.closeOverlays()
		return m.readSession(s.ID)
	case "session-fork":
		if m.foreign(s) {
			m.browser.note = m.says("Another agent answers in it; {session-copy} copies the command that opens it.")
			return nil
		}
		m.closeOverlays()
		return m.forkFrom(s.ID)
	case "session-export":
		return m.exportStored(s)
	case "session-copy":
		return m.copyText(s.GoOn())
	case "session-pin":
		return m.pinSession(s)
	case "session-archive":
		return m.archiveSession(s)
	case "session-tag":
		m.tagSession(s)
	case "session-rename":
		m.nameSession(s)
	case "session-delete.delete":
		return m.deleteSession(s)
	}
	return nil
}

// previewAction does an action of the preview.
func (m *Model) previewAction(action string, repeat bool) tea.Cmd {
	b := m.browser
	switch action {
	case "preview-close":
		b.looking = false
		return nil
	case "preview-open.resume", "preview-open.read":
		if s := b.list.session(); s != nil && !repeat {
			return m.sessionAction(action, *s)
		}
		return nil
	}
	p := b.preview
	if p == nil {
		return nil
	}
	page := max(1, p.pane.Height-2)
	switch action {
	case "preview-line.up":
		p.pane.Scroll(-1)
	case "preview-line.down":
		p.pane.Scroll(1)
	case "preview-page.up":
		p.pane.Scroll(-page)
	case "preview-page.down":
		p.pane.Scroll(page)
	case "preview-page.half-up":
		p.pane.Scroll(-page / 2)
	case "preview-page.half-down":
		p.pane.Scroll(page / 2)
	case "preview-ends.start":
		p.pane.Home()
	case "preview-ends.end":
		p.pane.End()
	case "preview-hit.next":
		return m.hop(1)
	case "preview-hit.before":
		return m.hop(-1)
	}
	return nil
}

// hop goes to another hit in the preview.
func (m *Model) hop(by int) tea.Cmd {
	b := m.browser
	switch {
	case b.preview == nil:
	case b.matcher == nil:
		b.note = m.says("Nothing is searched for; {session-query} searches.")
	case len(b.preview.hits) == 0:
		b.note = "The words are not in what is shown of it."
	default:
		if _, wide := m.listWidth(); !wide {
			b.looking = true
		}
		return m.hopIn(b.preview, by)
	}
	return nil
}

// lookFurther looks through more sessions, or after all through those of the
// folder.
func (m *Model) lookFurther() tea.Cmd {
	scope := (m.sought.scope + 1) % (sessions.Everywhere + 1)
	if scope == sessions.InRepository && m.browser.root == "" {
		scope++ // there is none
	}
	m.sought.scope, m.sought.set, m.browser.widens = scope, true, false
	return m.lookUp()
}

// sortSessions goes to the next order. By relevance is one where words are looked
// for.
func (m *Model) sortSessions() tea.Cmd {
	order := (m.sought.order + 1) % (sessions.ByCost + 1)
	if m.sought.order == sessions.ByRelevance && m.browser.matcher == nil {
		order = sessions.ByStarted // it is sorted by use already
	} else if order == sessions.ByRelevance && m.browser.matcher == nil {
		order = sessions.ByUsed
	}
	m.sought.order = order
	return m.lookUp()
}

// groupSessions goes to the next grouping. The chosen session stays where it is
// on the screen.
func (m *Model) groupSessions() tea.Cmd {
	m.sought.group = (m.sought.group + 1) % groupings
	m.browser.list.take(m, m.browser.list.hits)
	return nil
}

// browserWheel scrolls what is below the mouse.
func (m *Model) browserWheel(x, n int) tea.Cmd {
	b := m.browser
	if left, wide := m.listWidth(); b.preview != nil && (wide && x > left || !wide && b.looking) {
		b.preview.way = nil
		b.preview.pane.Scroll(n)
		return nil
	}
	b.list.move(n / wheelLines)
	return m.previewSoon()
}

// browserClick chooses what was clicked on.
func (m *Model) browserClick(c tea.MouseClickMsg) tea.Cmd {
	b := m.browser
	left, wide := m.listWidth()
	row := c.Y - browserHead
	switch {
	case c.Button != tea.MouseLeft || b.noting != nil:
	case c.Y == browserHead-2:
		b.writing, b.looking = true, false
	case row < 0 || row >= b.rows:
	case wide && c.X > left || !wide && b.looking:
		b.writing, b.looking = false, b.list.session() != nil
	default:
		b.writing, b.looking = false, false
		if i := b.list.itemAt(b.list.top + row); i >= 0 && b.list.items[i].hit >= 0 {
			b.list.at = i
			b.list.choose()
			return m.previewSoon()
		}
	}
	return nil
}
