package browser

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/tui/keymap"
	"parley/tui/overlay"
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

// key routes a key to the open browser.
func (b *Browser) Key(press tea.KeyPressMsg) tea.Cmd {
	typed := editor.Types(press) || press.Code == tea.KeyEnter
	burst, cut := typed && b.Now.Sub(b.letter) < burstTime, b.held && typed
	if b.held, b.pressed = false, b.pressed+1; typed {
		b.letter = b.Now
	}
	switch {
	case b.noting != nil:
		b.note = ""
		return b.noteKey(press)
	case b.writing:
		b.note = ""
		return b.queryKey(press)
	}
	scope := keymap.InSessions
	if b.looking {
		scope = keymap.InPreview
	}
	action := b.Keys.Action(scope, press)
	if action == "" && !cut {
		b.armed = ""
		return nil
	}
	if b.note = ""; action != "session-delete.delete" {
		b.armed = ""
	}
	switch {
	case cut || burst && (press.Code == tea.KeyEnter || slices.Contains(drastic, action)):
		b.note = b.Keys.Fill("Letters are keys here; {session-query} searches.")
		return nil
	case editor.Types(press) && press.Code != tea.KeySpace && slices.Contains(drastic, action):
		b.held = true
		turn := b.pressed
		return b.later(burstTime, func() tea.Cmd {
			if b.closed || b.pressed != turn {
				return nil
			}
			b.held = false
			return b.listAction(action, press.IsRepeat)
		})
	}
	return b.listAction(action, press.IsRepeat)
}

// listAction does an action in the list, or in the preview.
func (b *Browser) listAction(action string, repeat bool) tea.Cmd {
	switch {
	case b.looking:
		return b.previewAction(action, repeat)
	case b.list.moveBy(action, b.bodyRows()):
		return b.previewSoon()
	case repeat:
		return nil
	}
	return b.act(action)
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

// act does an action of the list, besides moving.
func (b *Browser) act(action string) tea.Cmd {
	switch action {
	case "session-close":
		b.Ask(overlay.Close{})
	case "session-query":
		b.writing = true
		b.complete()
	case "session-preview":
		b.looking = b.list.session() != nil
	case "session-hit.next":
		return b.hop(1)
	case "session-hit.before":
		return b.hop(-1)
	case "session-scope":
		return b.lookFurther()
	case "session-sort":
		return b.sortSessions()
	case "session-group":
		return b.groupSessions()
	case "session-keys":
		b.page++
	case "session-new":
		b.Ask(Start{})
		return nil
	case "session-delete.undo":
		return b.undoMark()
	}
	if s := b.list.session(); s != nil {
		return b.sessionAction(action, *s)
	}
	return nil
}

// sessionAction does an action on the chosen session.
func (b *Browser) sessionAction(action string, s sessions.Session) tea.Cmd {
	switch action {
	case "session-open", "preview-open.resume":
		if !s.Deleted.IsZero() {
			b.note = b.Keys.Fill("It is deleted; {session-delete.undo} takes that back.")
			return nil
		}
		b.Ask(Resume{s})
	case "session-read", "preview-open.read":
		b.Ask(Read{s.ID})
	case "session-fork":
		if s.Foreign(b.Keeper) {
			b.note = b.Keys.Fill("Another agent answers in it; {session-copy} copies the command that opens it.")
			return nil
		}
		b.Ask(Fork{s.ID})
	case "session-export":
		b.Ask(Export{s})
	case "session-copy":
		b.Ask(overlay.Copy{Text: s.GoOn()})
	case "session-pin":
		return b.mark(s.ID, "pin the session", func(k *sessions.Mark) { k.Pinned = !s.Pinned })
	case "session-archive":
		return b.archiveSession(s)
	case "session-tag":
		b.tagSession(s)
	case "session-rename":
		b.nameSession(s)
	case "session-delete.delete":
		return b.deleteSession(s)
	}
	return nil
}

// previewAction does an action of the preview.
func (b *Browser) previewAction(action string, repeat bool) tea.Cmd {
	switch action {
	case "preview-close":
		b.looking = false
		return nil
	case "preview-open.resume", "preview-open.read":
		if s := b.list.session(); s != nil && !repeat {
			return b.sessionAction(action, *s)
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
		return b.hop(1)
	case "preview-hit.before":
		return b.hop(-1)
	}
	return nil
}

// hop goes to another hit in the preview.
func (b *Browser) hop(by int) tea.Cmd {
	switch {
	case b.preview == nil:
	case b.matcher == nil:
		b.note = b.Keys.Fill("Nothing is searched for; {session-query} searches.")
	case len(b.preview.hits) == 0:
		b.note = "The words are not in what is shown of it."
	default:
		if _, wide := b.listWidth(); !wide {
			b.looking = true
		}
		return b.hopIn(b.preview, by)
	}
	return nil
}

// lookFurther looks through more sessions, or after all through those of the
// folder.
func (b *Browser) lookFurther() tea.Cmd {
	scope := (b.options.Scope + 1) % (sessions.Everywhere + 1)
	if scope == sessions.InRepository && b.root == "" {
		scope++ // there is none
	}
	b.options.Scope, b.options.set, b.widens = scope, true, false
	return b.lookUp()
}

// sortSessions goes to the next order. By relevance is one where words are looked
// for.
func (b *Browser) sortSessions() tea.Cmd {
	order := (b.options.Order + 1) % (sessions.ByCost + 1)
	if b.options.Order == sessions.ByRelevance && b.matcher == nil {
		order = sessions.ByStarted // it is sorted by use already
	} else if order == sessions.ByRelevance && b.matcher == nil {
		order = sessions.ByUsed
	}
	b.options.Order = order
	return b.lookUp()
}

// groupSessions goes to the next grouping. The chosen session stays where it is
// on the screen.
func (b *Browser) groupSessions() tea.Cmd {
	b.options.group = (b.options.group + 1) % groupings
	b.list.take(b, b.list.hits)
	return nil
}

// wheel scrolls what is below the mouse.
func (b *Browser) Wheel(x, n int) tea.Cmd {
	if left, wide := b.listWidth(); b.preview != nil && (wide && x > left || !wide && b.looking) {
		b.preview.way = nil
		b.preview.pane.Scroll(n)
		return nil
	}
	b.list.move(cmp.Compare(n, 0))
	return b.previewSoon()
}

// click chooses what was clicked on.
func (b *Browser) Click(c tea.MouseClickMsg) tea.Cmd {
	left, wide := b.listWidth()
	row := c.Y - browserHead
	switch {
	case c.Button != tea.MouseLeft || b.noting != nil:
	case c.Y == browserHead-2:
		b.writing, b.looking = true, false
	case row < 0 || row >= b.bodyRows():
	case wide && c.X > left || !wide && b.looking:
		b.writing, b.looking = false, b.list.session() != nil
	default:
		b.writing, b.looking = false, false
		if i := b.list.itemAt(b.list.top + row); i >= 0 && b.list.items[i].hit >= 0 {
			b.list.at = i
			b.list.choose()
			return b.previewSoon()
		}
	}
	return nil
}
