package prompts

import (
	"strings"
	"unicode"

	"parley/prompts/consent"

	tea "charm.land/bubbletea/v2"
)

// Keys are the keys that a user has on the cards in place of the cards' own.
// They are looked up where a press that consent let through reaches a dialog,
// and where its role is asked, so that what is typed is judged, and goes to the
// draft, as it was typed. Until they are bound, the cards have DefaultKeys.
//
// Whatever it says, esc and ctrl+c keep their meaning, a press on an open line
// is what is written, and only a letter or sign that comes alone stands for a
// key that answers.
type Keys struct {
	Card     Bindings // the rows of a card have the keys
	Line     Bindings // a line of a card is written on
	Form     Bindings // a choice of a form has the keys, or nothing of it yet
	FormLine Bindings // an answer of a form is written
	Focus    string   // goes to the waiting question, as it is shown; "" nothing
	Turn     string   // does so where nothing is written
	// Behind are the keys that move in what is behind a card, by KeyName. A line that is
	// written on leaves them alone, unless they write something.
	Behind map[string]bool
}

// Bindings are the user's keys in one place.
type Bindings struct {
	// Meant is the key of the dialog's own that a press stands for, by KeyName
	// of the press. The zero key is none: the press does nothing.
	Meant map[string]tea.KeyPressMsg
	// Shown is the user's key for one of the dialog's own; "" is none. A key
	// that is not in it is its own.
	Shown map[string]string
}

// DefaultKeys are those of a user who has none of their own.
func DefaultKeys() *Keys { return &Keys{Focus: "ctrl+x p", Turn: "tab"} }

// KeyName is what a key writes, or else its name.
func KeyName(k tea.KeyPressMsg) string {
	if printable(k) && k.Code != tea.KeySpace {
		return k.Text
	}
	return k.Keystroke()
}

// Bind gives the cards the user's keys. What k points to may change; Resize
// is to be called then, so that a card is painted anew before it listens.
func (q *Queue) Bind(k *Keys) { q.keys = k }

// Show returns the user's keys for some of the dialog's own, which are
// separated by blanks; "" if they have none.
func (b Bindings) Show(keys string) string {
	var shown []string
	for key := range strings.FieldsSeq(keys) {
		if live, ok := b.Shown[key]; ok {
			key = live
		}
		if key != "" {
			shown = append(shown, key)
		}
	}
	return strings.Join(shown, " ")
}

// arrows returns what goes up and down: the arrows themselves, or the user's
// keys.
func (b Bindings) arrows(glyphs string) string {
	if keys := b.Show("up down"); keys != "up down" {
		return keys
	}
	return glyphs
}

// hints names the user's keys in hints; those without one are left out, but
// the last is how the dialog is left.
func (b Bindings) hints(h []keyHint) []keyHint {
	out := make([]keyHint, 0, len(h))
	for _, hint := range h {
		if hint.key = b.Show(hint.key); hint.key != "" {
			out = append(out, hint)
		}
	}
	return out
}

// single reports whether a press writes one letter, digit or sign.
func single(k tea.KeyPressMsg) bool {
	r := []rune(k.Text)
	return printable(k) && len(r) == 1 && !unicode.IsSpace(r[0])
}

// The letters that end a form without an answer are not the user's to choose:
// elsewhere the first of them is for something else.
const declines, cancels = "d", "x"

// bindings are those for what has the keys of the card in front.
func (q *Queue) bindings(k tea.KeyPressMsg) Bindings {
	d := q.dialogs[q.front]
	f, ok := d.(*form)
	switch {
	case ok && f.card == nil && f.writing():
		return q.keys.FormLine
	case ok && f.card == nil:
		return q.keys.Form
	case d.writing():
		return q.keys.Line
	case ok && k.Text == declines, k.Text == cancels:
		return Bindings{}
	}
	return q.keys.Card
}

// meant returns the key of the dialog's own that a press stands for; not ok
// means that it is none any more.
func (q *Queue) meant(k tea.KeyPressMsg) (as tea.KeyPressMsg, ok bool) {
	if len(q.dialogs) == 0 {
		return k, true
	}
	writing := q.dialogs[q.front].writing()
	name := k.Keystroke()
	if name == "esc" || name == "ctrl+c" || writing && (printable(k) || k.Code == tea.KeyEnter || k.Code == tea.KeyKpEnter) {
		return k, true
	}
	as, bound := q.bindings(k).Meant[KeyName(k)]
	switch {
	case !bound:
		return k, true
	case as == tea.KeyPressMsg{}, writing && printable(as): // what prints nothing writes nothing
		return k, false
	}
	as.IsRepeat = k.IsRepeat
	return as, single(k) || !q.role(as).MayAnswer()
}

// roleOf is the role of a press that stands for another key. One that is none
// any more is typed, where that is what letters are there. A letter that
// chooses must come alone, as every letter that answers.
func (q *Queue) roleOf(k tea.KeyPressMsg) consent.Role {
	as, ok := q.meant(k)
	if !ok {
		f, filling := q.dialogs[q.front].(*form)
		if r := q.role(k); r == consent.Types || r == consent.Begins || r == consent.Moves && filling && f.card == nil {
			return r
		}
		return consent.Unused
	}
	r := q.role(as)
	if r == consent.Types && !printable(k) && q.keys.Behind[KeyName(k)] {
		return consent.Unused
	}
	if (r == consent.Chooses || r == consent.Submits) && printable(k) && KeyName(as) != KeyName(k) {
		return consent.Answers
	}
	return r
}
