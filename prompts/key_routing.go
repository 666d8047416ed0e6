package prompts

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/prompts/consent"
	"parley/session"

	tea "charm.land/bubbletea/v2"
)

// Key takes a tea.KeyPressMsg, tea.KeyReleaseMsg or tea.PasteMsg. It answers
// only with a deliberate key (docs/decisions.md 1 to 4).
func (q *Queue) Key(msg tea.Msg, at time.Time) Outcome {
	q.begin(at)
	var o Outcome
	q.releaseDue(&o, at)
	verdict := consent.Ignore
	switch msg := msg.(type) {
	case tea.KeyReleaseMsg:
		q.consent.Release(msg.Code)
		if q.Focused() {
			verdict = consent.Drop
		}
	case tea.PasteMsg:
		verdict = q.consent.Paste(msg, len(q.dialogs) > 0 && q.dialogs[q.front].writing(), at)
		if verdict == consent.Accept {
			q.dialogs[q.front].paste(msg.Content)
			q.changed = true
			q.written++
		}
	case tea.KeyPressMsg:
		verdict = q.press(&o, msg, at)
	}
	o.Taken = verdict != consent.Ignore
	o = q.finish(o)
	if !o.Taken && (o.Answer != nil || o.Own != nil || len(o.Draft) > 0) {
		o.Draft, o.Taken = append(o.Draft, msg), true
	}
	return o
}

// press asks the consent machine about a key press and does as it says.
func (q *Queue) press(o *Outcome, k tea.KeyPressMsg, at time.Time) consent.Decision {
	if k.Code >= tea.KeyCapsLock && k.Code <= tea.KeyIsoLevel5Shift { // it changes other keys, and says nothing by itself
		if q.Focused() {
			return consent.Drop
		}
		return consent.Ignore
	}
	r := consent.Unused
	if len(q.dialogs) > 0 {
		r = q.roleOf(k)
		q.consent.Whole(q.Full())
		if r == consent.Unused && printable(k) && q.Full() {
			r = consent.Moves // nothing: there is no composer to type in
		}
	}
	hasty, answers := q.hastyIf(k, r)
	early := q.Focused() && !q.consent.Armed(at)
	v := q.consent.Press(k, consent.KeyPress{Key: k.Code, Text: printable(k), Repeat: k.IsRepeat}, r, at)
	if v == consent.Ignore && early && enter(k) { // it would have chosen, or said what is missing
		v = consent.Hasty
	}
	q.hasty = hastyKey{}
	switch v {
	case consent.Accept:
		q.handle(o, k, at)
	case consent.Defer:
		as, _ := q.meant(k)
		q.marked = q.dialogs[q.front]
		q.marked.mark(as)
	case consent.Hasty:
		q.hasty = hasty
	case consent.ToComposer:
		if answers {
			q.hasty = hasty
		}
	case consent.Ignore, consent.Drop:
	}
	return v
}

// hastyIf is what the card says of a press of a role if it comes too soon, and whether it
// would have answered. It is about a letter that waits, which then did not stay alone.
func (q *Queue) hastyIf(k tea.KeyPressMsg, r consent.Role) (h hastyKey, answers bool) {
	if m, ok := q.consent.Held(); ok {
		if held, ok := m.(tea.KeyPressMsg); ok {
			return hastyKey{name: KeyName(held), letter: true}, true
		}
	}
	return hastyKey{name: KeyName(k), letter: printable(k)}, r.MayAnswer() || r == consent.Picks
}

// hastyKey is a key that would have answered and came too soon, or with others, to count.
// The card says so until the next key; nothing else follows from it.
type hastyKey struct {
	name   string // "": no such key
	letter bool   // others must not come with it
}

// says is what a user whose key was not taken can do.
func (h hastyKey) says() string {
	if h.name == "" {
		return ""
	}
	says := "too quick: press " + h.name + " again"
	if h.letter {
		says += ", alone"
	}
	return says
}

// enter reports whether a press is Enter alone.
func enter(k tea.KeyPressMsg) bool {
	return (k.Code == tea.KeyEnter || k.Code == tea.KeyKpEnter) && k.Mod == 0
}

// printable reports whether a press would write something.
func printable(k tea.KeyPressMsg) bool {
	return k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper|tea.ModHyper) == 0
}

// role is what a key would do: with the queue, or with the card in front.
func (q *Queue) role(k tea.KeyPressMsg) consent.Role {
	d := q.dialogs[q.front]
	switch k.Keystroke() {
	case "esc", "ctrl+c":
		if d.writing() {
			return consent.Types
		}
		return consent.Moves
	}
	if q.switches(k) {
		return consent.Moves
	}
	return d.role(k)
}

// switches reports whether a key goes to another question: nothing is written with it.
func (q *Queue) switches(k tea.KeyPressMsg) bool {
	if len(q.dialogs) < 2 || k.Text != "[" && k.Text != "]" {
		return false
	}
	c, ok := q.dialogs[q.front].(*choiceDialog)
	return !q.dialogs[q.front].writing() || ok && c.untouched()
}

func (q *Queue) handle(o *Outcome, press tea.KeyPressMsg, at time.Time) {
	k, ok := q.meant(press)
	if !ok {
		return
	}
	d := q.dialogs[q.front]
	q.marked = nil
	page := pageOf(d)
	q.changed = true
	q.written++
	switch key := k.Keystroke(); {
	case key == "ctrl+c" || key == "esc" && !d.back():
		if d.about().own == nil {
			q.consent.PutAside()
			return
		}
		q.end(o, d, ownAnswer{}, at)
		return
	case key == "esc":
		q.newPage(d, page, at)
		return
	case q.switches(k):
		q.step(k.Text == "]", at)
		return
	}
	r := d.press(k)
	if r.effect != nil { // a letter that was due may have asked for one in the same call
		o.Effect = r.effect
	}
	switch e := r.effect.(type) {
	case OpenEditor:
		if !e.ReadOnly {
			q.editing = d
		}
	case ReadFile:
		q.reading = d
	}
	switch {
	case r.answer != nil:
		q.end(o, d, r.answer, at)
	case r.away:
		q.consent.PutAside()
	default:
		q.newPage(d, page, at)
	}
}

// end closes the dialog in front with its answer.
func (q *Queue) end(o *Outcome, d dialog, a session.Answer, at time.Time) {
	if own, ok := a.(ownAnswer); ok {
		o.Own, o.Question = &own.OwnAnswer, d.about().own
	} else {
		o.Answer = a
	}
	q.close(d)
	q.dialogs = slices.Delete(q.dialogs, q.front, q.front+1)
	q.front = 0
	q.present(at)
}

// newPage starts anew with a dialog that shows another page than before.
func (q *Queue) newPage(d dialog, before formPage, at time.Time) {
	if pageOf(d) != before {
		q.consent.Turn(at)
	}
}

// step shows the next or the previous question, around the ends.
func (q *Queue) step(forward bool, at time.Time) {
	q.dialogs[q.front].leave()
	by := len(q.dialogs) - 1
	if forward {
		by = 1
	}
	q.front = (q.front + by) % len(q.dialogs)
	q.shown = q.dialogs[q.front]
	q.consent.Move(at)
}

// AnswerKey reports whether a text is a key that would answer a question if the
// card had it: whoever sends that as a prompt means the card.
func (q *Queue) AnswerKey(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if len(q.dialogs) == 0 || n == 0 || n < len(text) {
		return false
	}
	k, ok := q.meant(tea.KeyPressMsg{Code: unicode.ToLower(r), Text: text})
	role := consent.Unused
	if ok {
		role = q.role(k)
	}
	return r >= '1' && r <= '9' || strings.ContainsRune("ynsl", r) || role.MayAnswer() || role == consent.Picks
}
