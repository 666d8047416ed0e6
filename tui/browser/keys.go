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

// burstInterval is the time after a letter within which another letter is text, and no
// key.
const burstInterval = 40 * time.Millisecond

// delayedActions change something or leave the browser. A letter for one of them acts only
// if no other follows at once, so that text that a program types does nothing.
var delayedActions = []string{
	"session-new", "session-read", "session-fork", "session-export", "session-pin", "session-archive", "session-tag",
	"session-rename", "session-delete.delete", "session-delete.undo", "session-copy", "session-close",
	"preview-open.resume", "preview-open.read", "preview-close",
}

// Key implements overlay.Overlay.
func (b *Browser) Key(press tea.KeyPressMsg) tea.Cmd {
	typed := editor.Types(press) || press.Code == tea.KeyEnter
	burst, cut := typed && b.Now.Sub(b.typedAt) < burstInterval, b.letterPending && typed
	if b.letterPending, b.keyPresses = false, b.keyPresses+1; typed {
		b.typedAt = b.Now
	}
	switch {
	case b.input != nil:
		b.message = ""
		return b.inputKey(press)
	case b.queryFocused:
		b.message = ""
		return b.queryKey(press)
	}
	scope := keymap.InSessions
	if b.previewFocused {
		scope = keymap.InPreview
	}
	action := b.Keys.Action(scope, press)
	if action == "" && !cut {
		return b.notDeleted("")
	}
	b.message = ""
	if b.armedDelete != "" {
		if action = confirmedDelete(action); action != deleteAction {
			return b.notDeleted(action)
		}
	}
	switch {
	case cut || burst && (press.Code == tea.KeyEnter || slices.Contains(delayedActions, action)):
		b.message = b.Keys.Fill("Letters are keys here; {session-query} searches.")
		return nil
	case editor.Types(press) && press.Code != tea.KeySpace && slices.Contains(delayedActions, action):
		b.letterPending = true
		turn := b.keyPresses
		return b.later(burstInterval, func() tea.Cmd {
			if b.keyPresses != turn {
				return nil
			}
			b.letterPending = false
			return b.listAction(action, press.IsRepeat)
		})
	}
	return b.listAction(action, press.IsRepeat)
}

// deleteAction asks for a deletion, and confirms it.
const deleteAction = "session-delete.delete"

// confirmedDelete is what an action means while a deletion waits for its second key: Enter confirms it.
func confirmedDelete(action string) string {
	if action == "session-open" {
		return deleteAction
	}
	return action
}

// notDeleted gives up a deletion that waits for its second key. The key does nothing else, unless it
// only moves.
func (b *Browser) notDeleted(action string) tea.Cmd {
	if b.armedDelete == "" {
		return nil
	}
	b.armedDelete, b.message = "", "Not deleted."
	if !b.previewFocused && b.list.moveByAction(action, b.bodyRows()) {
		return b.previewSoon()
	}
	return nil
}

// listAction runs an action of the list or of the preview.
func (b *Browser) listAction(action string, repeat bool) tea.Cmd {
	switch {
	case b.previewFocused:
		return b.previewAction(action, repeat)
	case b.list.moveByAction(action, b.bodyRows()):
		return b.previewSoon()
	case repeat:
		return nil
	}
	return b.runAction(action)
}

// moveByAction moves through the list if the action is one that does.
func (l *sessionList) moveByAction(action string, rows int) bool {
	page := max(1, rows/max(1, l.rowLines)-1)
	half := max(1, page/2)
	by, ok := map[string]int{
		"session-move.before": -1, "session-page.up": -page, "session-page.half-up": -half, "session-ends.first": -len(l.items),
		"session-move.after": 1, "session-page.down": page, "session-page.half-down": half, "session-ends.last": len(l.items),
	}[action]
	if !ok {
		return false
	}
	if l.move(by); action == "session-ends.first" {
		l.top = 0
	}
	return true
}

// runAction runs an action of the list that does not move.
func (b *Browser) runAction(action string) tea.Cmd {
	switch action {
	case "session-close":
		b.Ask(overlay.Close{})
	case "session-query":
		b.queryFocused = true
		b.updateCompletions()
	case "session-preview":
		b.previewFocused = b.list.session() != nil
	case "session-hit.next":
		return b.hopToHit(1)
	case "session-hit.before":
		return b.hopToHit(-1)
	case "session-scope":
		return b.nextScope()
	case "session-sort":
		return b.nextOrder()
	case "session-group":
		return b.nextGrouping()
	case "session-keys":
		b.Ask(overlay.Help{Context: keymap.InSessions})
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

// sessionAction runs an action on the chosen session.
func (b *Browser) sessionAction(action string, s sessions.Session) tea.Cmd {
	switch action {
	case "session-open", "preview-open.resume":
		if !s.Deleted.IsZero() {
			b.message = b.Keys.Fill("It is deleted; {session-delete.undo} undoes that.")
			return nil
		}
		b.Ask(Resume{s})
	case "session-read", "preview-open.read":
		b.Ask(Read{s.ID})
	case "session-fork":
		if s.Foreign(b.Keeper) {
			b.message = b.Keys.Fill("Another agent answers in it; {session-copy} copies the command that opens it.")
			return nil
		}
		b.Ask(Fork{s.ID})
	case "session-export":
		b.exportSession(s)
	case "session-copy":
		b.Ask(overlay.Copy{Text: s.ResumeCommand()})
	case "session-pin":
		return b.mark(s.ID, "pin the session", func(k *sessions.Mark) { k.Pinned = !s.Pinned })
	case "session-archive":
		return b.archiveSession(s)
	case "session-tag":
		b.tagSession(s)
	case "session-rename":
		b.renameSession(s)
	case "session-delete.delete":
		return b.deleteSession(s)
	}
	return nil
}

// previewAction runs an action of the preview.
func (b *Browser) previewAction(action string, repeat bool) tea.Cmd {
	switch action {
	case "preview-close":
		b.previewFocused = false
		return nil
	case "preview-keys":
		b.Ask(overlay.Help{Context: keymap.InPreview})
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
	if by, ok := map[string]int{
		"preview-line.up": -1, "preview-page.up": -page, "preview-page.half-up": -page / 2,
		"preview-line.down": 1, "preview-page.down": page, "preview-page.half-down": page / 2,
	}[action]; ok {
		p.pane.Scroll(by)
		return nil
	}
	switch action {
	case "preview-ends.start":
		p.pane.Home()
	case "preview-ends.end":
		p.pane.End()
	case "preview-hit.next":
		return b.hopToHit(1)
	case "preview-hit.before":
		return b.hopToHit(-1)
	}
	return nil
}

// hopToHit goes to another hit in the preview.
func (b *Browser) hopToHit(by int) tea.Cmd {
	switch {
	case b.preview == nil:
	case b.matcher == nil:
		b.message = b.Keys.Fill("Nothing is searched for; {session-query} searches.")
	default:
		if _, hits := b.preview.search.Place(); hits == 0 {
			b.message = "The words are not in what is shown of it."
			return nil
		}
		if _, wide := b.listWidth(); !wide {
			b.previewFocused = true
		}
		return b.hop(b.preview, b.preview.search.Next(by < 0))
	}
	return nil
}

// nextScope searches the next wider scope, or after the widest the folder.
func (b *Browser) nextScope() tea.Cmd {
	scope := (b.options.Scope + 1) % (sessions.Everywhere + 1)
	if scope == sessions.InRepository && b.repoRoot == "" {
		scope++ // there is no repository
	}
	b.options.Scope, b.options.setByUser, b.autoWiden = scope, true, false
	return b.search()
}

// nextOrder sorts by the next order. Without words, by relevance is by use.
func (b *Browser) nextOrder() tea.Cmd {
	order := (b.options.Order + 1) % (sessions.ByCost + 1)
	if b.options.Order == sessions.ByRelevance && b.matcher == nil {
		order = sessions.ByStarted // by relevance is by use already
	} else if order == sessions.ByRelevance && b.matcher == nil {
		order = sessions.ByUsed
	}
	b.options.Order = order
	return b.search()
}

// nextGrouping groups by the next grouping.
func (b *Browser) nextGrouping() tea.Cmd {
	b.options.group = (b.options.group + 1) % groupings
	b.list.setHits(b, b.list.hits)
	return nil
}

// Wheel implements overlay.Overlay: it scrolls what is below the mouse.
func (b *Browser) Wheel(x, n int) tea.Cmd {
	if left, wide := b.listWidth(); b.preview != nil && (wide && x > left || !wide && b.previewFocused) {
		b.preview.search.Stay()
		b.preview.pane.Scroll(n)
		return nil
	}
	b.list.move(cmp.Compare(n, 0))
	return b.previewSoon()
}

// Click implements overlay.Overlay: it chooses or focuses what was clicked on.
func (b *Browser) Click(c tea.MouseClickMsg) tea.Cmd {
	left, wide := b.listWidth()
	row := c.Y - browserHead
	switch {
	case c.Button != tea.MouseLeft || b.input != nil:
	case c.Y == browserHead-2:
		b.queryFocused, b.previewFocused = true, false
	case row < 0 || row >= b.bodyRows():
	case wide && c.X > left || !wide && b.previewFocused:
		b.queryFocused, b.previewFocused = false, b.list.session() != nil
	default:
		b.queryFocused, b.previewFocused = false, false
		line := b.list.top + row
		if line < len(b.list.lines) && b.list.items[b.list.lines[line]].hit >= 0 {
			b.list.chosenItem = b.list.lines[line]
			b.list.choose()
			return b.previewSoon()
		}
	}
	return nil
}
