package browser

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/prompts/consent"
)

// burstInterval is the time after a letter within which another letter is text, and no
// key.
const burstInterval = 40 * time.Millisecond

// delayedActions change something or leave the browser, each with the time within which no
// letter may follow the one for it: a letter that begins a word does nothing. Where it leads
// to another session, the rest of the word would be a prompt there.
var delayedActions = map[string]time.Duration{
	"session-new": consent.Alone, "session-export": consent.Alone, "session-pin": consent.Alone, "session-archive": consent.Alone,
	"session-tag": consent.Alone, "session-rename": consent.Alone, "session-copy": consent.Alone, "session-close": consent.Alone,
	"session-delete.delete": consent.Alone, "session-delete.undo": consent.Alone,
	"preview-open.resume": consent.Alone, "preview-close": consent.Alone,
	"session-read": consent.Typing, "session-fork": consent.Typing, "preview-open.read": consent.Typing,
}

// immediateActions act at once, but not in the middle of a word.
var immediateActions = []string{"session-open", "session-preview", "session-scope", "session-sort", "session-group"}

// typing is what the keys so far say about whether a word is typed.
type typing struct {
	at      time.Time // of the last key that types, or Enter
	inWord  bool      // that key was of a word
	presses uint64    // numbers the keys
	// pending is an action that waits until it is certain that no other letter follows the
	// one for it; "" for none.
	pending, letter string
}

// pressed is a key, and what the keys before it make of it.
type pressed struct {
	tea.KeyPressMsg
	types  bool // it is of a text: a letter, a space or Enter
	letter bool
	cuts   bool // it follows another letter that has not acted yet
	inWord bool
	burst  bool // it comes faster than keys are pressed
}

// press takes a key. Whether the next one is of a word is to be decided.
func (t *typing) press(key tea.KeyPressMsg, now time.Time) pressed {
	p := pressed{KeyPressMsg: key, types: editor.Types(key) || key.Code == tea.KeyEnter}
	if p.letter = editor.Types(key) && key.Code != tea.KeySpace; p.types {
		since := now.Sub(t.at)
		p.cuts = t.pending != "" && t.letter != key.Text
		p.inWord, p.burst = t.inWord && since < consent.Burst, since < burstInterval
		t.at = now
	}
	t.pending, t.inWord, t.presses = "", false, t.presses+1
	return p
}

// isText reports whether a key is no key for its action, but of a text.
func (p *pressed) isText(action string) bool {
	acts := delayedActions[action] > 0
	return p.cuts || p.inWord && (acts || slices.Contains(immediateActions, action)) || p.burst && (acts || p.Code == tea.KeyEnter)
}

// actLater runs an action once it is certain that its letter stays alone.
func actLater(b *Browser, action string, press tea.KeyPressMsg) tea.Cmd {
	b.typing.pending, b.typing.letter = action, press.Text
	turn := b.typing.presses
	return b.later(delayedActions[action], func() tea.Cmd {
		if b.typing.presses != turn {
			return nil
		}
		b.typing.pending = ""
		return b.listAction(action, press.IsRepeat)
	})
}

// notTyped says that a letter was not written anywhere. Those that follow it are of the same
// word.
func notTyped(b *Browser) {
	b.typing.inWord, b.message = true, b.Keys.Fill("Letters are keys here; {session-query} searches.")
}
