package browser

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/prompts/consent"
	"parley/session"
	"parley/tui/keymap"
	"parley/tui/overlay"
)

// Key implements overlay.Overlay.
func (b *Browser) Key(press tea.KeyPressMsg) tea.Cmd {
	pending := b.typing.pending
	key := b.typing.press(press, b.Now)
	switch {
	case pending != "" && !key.types && press.Code != tea.KeyEscape: // no word continues so
		return tea.Batch(b.listAction(pending, false), b.Key(press))
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
	b.typing.inWord = key.inWord || key.cuts || key.letter && action == ""
	if action == "" && !key.cuts {
		return b.declined("")
	}
	b.message = ""
	if b.armed.action != "" {
		if action = b.armed.confirmed(action); action != b.armed.action {
			b.typing.inWord = b.typing.inWord || key.letter && delayedActions[action] > 0
			return b.declined(action)
		}
	}
	switch {
	case key.isText(action):
		notTyped(b)
		return nil
	case key.letter && delayedActions[action] > 0:
		return actLater(b, action, press)
	}
	return b.listAction(action, press.IsRepeat)
}

// armed is an action that waits for its second key.
type armed struct {
	action string // "" for none
	id     session.ID
	at     time.Time
}

// confirmed is what an action means while another waits for its second key: Enter confirms it.
func (a armed) confirmed(action string) string {
	if action == "session-open" {
		return a.action
	}
	return action
}

// sure reports whether an action was asked for twice, and else asks the question.
func sure(b *Browser, action string, id session.ID, question, does string) bool {
	before := b.armed
	b.armed = armed{action, id, b.Now}
	switch {
	case before.action != action || before.id != id:
		b.message = question + b.Keys.Fill(" {session-open} or {"+action+"} "+does+", no other key.")
	case b.Now.Sub(before.at) < consent.Quiet: // a key that is held down does not count
		b.message = question + b.Keys.Fill(" That was too quick: {"+action+"} once more.")
	default:
		b.armed = armed{}
		return true
	}
	return false
}

// declined gives up what waits for its second key. The key does nothing else, unless it
// only moves.
func (b *Browser) declined(action string) tea.Cmd {
	if b.armed.action == "" {
		return nil
	}
	b.message = "Not deleted."
	if b.armed.action == "session-new" {
		b.message = "No new session."
	}
	if b.armed = (armed{}); !b.previewFocused && b.list.moveByAction(action, b.bodyRows()) {
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
		if sure(b, action, "", "Start a new session?", "starts it") {
			b.Ask(Start{})
		}
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
	if s.Keeper == sessions.AgentKeeper && keptAction(b, action, s) {
		return nil
	}
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

// keptAction runs an action on a session that its agent keeps, and reports whether it is another
// one than for those that are stored here. What is noted of it is noted here, and stays.
func keptAction(b *Browser, action string, s sessions.Session) bool {
	switch action {
	case "session-read", "preview-open.read":
		b.Ask(Resume{s})
	case "session-fork":
		b.message = b.Keys.Fill("Its agent keeps it: {session-open} opens it here, then it can be copied.")
	case "session-export":
		b.message = b.Keys.Fill("Its agent keeps it: {session-open} opens it here, then it can be exported.")
	case "session-delete.delete":
		b.message = b.Keys.Fill("Its agent keeps it, and Parley does not delete it there; {session-archive} hides it here.")
	default:
		return false
	}
	return true
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
