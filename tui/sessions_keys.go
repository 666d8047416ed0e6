package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
)

// burstTime is how soon a letter after another was not meant as a key.
const burstTime = 40 * time.Millisecond

// acts reports whether a letter changes something or leaves. It counts only when
// it stays alone for a moment, so that a text that a program types does nothing.
func (b *browser) acts(name string) bool {
	if b.looking {
		return name == "o" || name == "q"
	}
	return len(name) == 1 && strings.Contains("nofepztrxuycq", name)
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
	scope := inSessions
	if b.looking {
		scope = inPreview
	}
	as, ok := m.keymap.press(scope, press)
	name := keyName(as)
	if !ok && !cut {
		return nil
	}
	if b.note = ""; name != "x" {
		b.armed = ""
	}
	switch {
	case cut || burst && (name == "enter" || b.acts(name)):
		b.note = m.withKey("/", "Letters are keys here; %s searches.")
		return nil
	case editor.Types(press) && b.acts(name):
		b.held = true
		turn := b.pressed
		return m.later(burstTime, func(m *Model) tea.Cmd {
			if m.browser != b || b.pressed != turn {
				return nil
			}
			b.held = false
			return m.listKey(name, press.IsRepeat)
		})
	}
	return m.listKey(name, press.IsRepeat)
}

// listKey does what a key is for in the list, or in the preview.
func (m *Model) listKey(name string, repeat bool) tea.Cmd {
	b := m.browser
	switch {
	case b.looking:
		return m.previewKey(name, repeat)
	case b.list.moveBy(name, b.rows):
		return m.previewSoon()
	case repeat:
		return nil
	}
	return m.browserCommand(name)
}

// withKey is a text with the user's key in it.
func (m *Model) withKey(key, format string) string {
	return strings.Replace(format, "%s", m.keymap.show(inSessions, key), 1)
}

// moveBy goes through the list if that is what a key is for.
func (l *sessionList) moveBy(name string, rows int) bool {
	page := max(1, rows/max(1, l.span)-1)
	switch name {
	case "up", "k", "ctrl+p":
		l.move(-1)
	case "down", "j", "ctrl+n":
		l.move(1)
	case "pgup":
		l.move(-page)
	case "pgdown":
		l.move(page)
	case "ctrl+u":
		l.move(-max(1, page/2))
	case "ctrl+d":
		l.move(max(1, page/2))
	case "home", "g", "ctrl+home":
		l.move(-len(l.items))
		l.top = 0
	case "end", "G", "ctrl+end":
		l.move(len(l.items))
	default:
		return false
	}
	return true
}

// browserCommand does what a key of the list is for, besides moving.
func (m *Model) browserCommand(name string) tea.Cmd {
	b := m.browser
	switch name {
	case "esc", "q":
		m.closeOverlays()
	case "/":
		b.writing = true
		b.complete()
	case "space", "tab":
		b.looking = b.list.session() != nil
	case "}", "{":
		return m.hop(map[string]int{"}": 1, "{": -1}[name])
	case "a", "ctrl+r":
		return m.lookFurther()
	case "s":
		return m.sortSessions()
	case "b":
		return m.groupSessions()
	case "?":
		b.page++
	case "n":
		m.closeOverlays()
		return m.newSession("")
	case "u":
		return m.undoMark()
	}
	if s := b.list.session(); s != nil {
		return m.sessionCommand(name, *s)
	}
	return nil
}

// sessionCommand does what a key is for on the chosen session.
func (m *Model) sessionCommand(name string, s sessions.Session) tea.Cmd {
	switch name {
	case "enter":
		return m.openSession(s)
	case "o":
		m.closeOverlays()
		return m.readSession(s.ID)
	case "f", "ctrl+f":
		if m.foreign(s) {
			m.browser.note = m.withKey("y", "Another agent answers in it; %s copies the command that opens it.")
			return nil
		}
		m.closeOverlays()
		return m.forkFrom(s.ID)
	case "e":
		return m.exportStored(s)
	case "y", "c":
		return m.copyText(s.GoOn())
	case "p":
		return m.pinSession(s)
	case "z":
		return m.archiveSession(s)
	case "t":
		m.tagSession(s)
	case "r":
		m.nameSession(s)
	case "x":
		return m.deleteSession(s)
	}
	return nil
}

// previewKey takes a key while the preview has them.
func (m *Model) previewKey(name string, repeat bool) tea.Cmd {
	b := m.browser
	switch name {
	case "esc", "q", "space", "tab":
		b.looking = false
		return nil
	case "enter", "o":
		if s := b.list.session(); s != nil && !repeat {
			return m.sessionCommand(name, *s)
		}
		return nil
	}
	p := b.preview
	if p == nil {
		return nil
	}
	page := max(1, p.pane.height-2)
	switch name {
	case "up", "k", "ctrl+p":
		p.pane.scroll(-1)
	case "down", "j", "ctrl+n":
		p.pane.scroll(1)
	case "pgup":
		p.pane.scroll(-page)
	case "pgdown":
		p.pane.scroll(page)
	case "ctrl+u":
		p.pane.scroll(-page / 2)
	case "ctrl+d":
		p.pane.scroll(page / 2)
	case "home", "g", "ctrl+home":
		p.pane.home()
	case "end", "G", "ctrl+end":
		p.pane.end()
	case "n", "}":
		return m.hop(1)
	case "N", "{":
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
		b.note = m.withKey("/", "Nothing is searched for; %s searches.")
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
		b.preview.pane.scroll(n)
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
