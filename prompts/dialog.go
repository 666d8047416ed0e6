package prompts

import (
	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/session"
	"parley/theme"
)

// dialog is one question in front of the user. The queue shows one at a time
// and asks it what a key would do; the consent machine decides whether the key
// counts; press then does it.
type dialog interface {
	about() about
	// enter is called when the user moved the focus here, leave when the
	// focus went: what was chosen is forgotten then, what was written stays.
	enter()
	leave()
	// unread forgets what was on the screen, as far as it matters for an answer.
	unread()
	// full reports whether it wants all the room there is.
	full() bool
	// writing reports whether a text field has the keys.
	writing() bool
	// openField is that field, where files can be mentioned in it; nil if none is.
	openField() *field
	// back closes the innermost thing that is open and reports whether there
	// was one.
	back() bool
	// role returns what press would do with a key.
	role(k tea.KeyPressMsg) consent.Role
	// press does what role said. An answer ends the dialog.
	press(k tea.KeyPressMsg) result
	// mark shows what a key that is held back would choose, and unmark that it did not count:
	// nothing is chosen by it then.
	mark(k tea.KeyPressMsg)
	unmark()
	// paste puts text into the open field, exactly; edited replaces what the
	// field holds.
	paste(text string)
	edited(text string)
	// written returns the texts that are the user's own words and forgets
	// them: unsent ones, which belong to the draft, and those that were dropped,
	// which the user dismissed or never looked at again.
	written() (unsent, dropped []string)
	// draw returns the dialog in at most height lines of width cells each; nil
	// when there is no room for it. It draws the same with the number of lines
	// it returned as its height.
	draw(width, height int, th *theme.Theme, s state) []string
	// cursor is where the caret of the open field is in what draw returned.
	cursor() (x, y int, ok bool)
}

// about is whose question a dialog is.
type about struct {
	request session.RequestID
	call    session.CallID
	agent   session.AgentID
	ends    ending
	own     *OwnQuestion // it is the window's own question; nil: it is one of the session
}

// ending is which ends of others end a dialog, apart from its settlement, the
// end of its tool call and the end of the session (docs/decisions.md 9).
type ending uint8

const (
	withAbort ending = iota // permissions: an abort
	withTurn                // questions: also when the root agent goes idle
	withNone                // Parley's own questions
)

// result is what a key led to.
type result struct {
	answer session.Answer // nil: the dialog stays
	effect Effect         // nil: nothing to be done
	away   bool           // the user leaves the dialog waiting
}

// pageOf is which page of a dialog is shown. To the user another page is what another
// card is: it must be painted before its keys answer.
func pageOf(d dialog) formPage {
	if f, ok := d.(*form); ok {
		return f.current
	}
	return 0
}

// state is what the queue knows about the dialog it draws.
type state struct {
	position, total            int
	armed, focused, draftEmpty bool
	away                       bool     // neither the dialog nor the draft has the keys
	hasty                      hastyKey // the last key
	keys                       Keys     // the user's
}
