package prompts

import (
	"slices"
	"time"

	"parley/theme"
)

// View draws the card in front in at most maxHeight lines of at most width
// cells; nil without a card, or without room for one. It may be called with the
// number of lines it returned and draws the same then.
//
// A line that opens by itself is open from the first frame that has its caret on.
func (q *Queue) View(width, maxHeight int, th *theme.Theme) []string {
	if len(q.dialogs) == 0 {
		return nil
	}
	if c, ok := q.dialogs[q.front].(*choiceDialog); ok && q.consent.Armed(q.now) {
		c.attend(true)
	}
	lines := q.dialogs[q.front].draw(width, maxHeight, th, state{
		position: q.front + 1, total: len(q.dialogs),
		armed: q.consent.Armed(q.now), focused: q.consent.HasFocus(), draftEmpty: q.draftEmpty, away: q.away,
		hasty: q.hasty,
		keys:  *q.keys,
	})
	if lines == nil {
		q.noRoom = true
		return nil
	}
	q.drawn = frameSize{q.consent.Frame(), width, len(lines)}
	if q.Full() {
		q.drawn.lines = 0 // as many as there is room for
	}
	if q.changed {
		q.agreed, q.changed = q.drawn, false
	}
	return lines
}

// Cursor returns where the caret of an open line is in what View returned, or the chosen row.
func (q *Queue) Cursor() (x, y int, ok bool) {
	if len(q.dialogs) == 0 {
		return 0, 0, false
	}
	return q.dialogs[q.front].cursor()
}

// Edited takes what the user saved in the editor that an OpenEditor asked
// for. It belongs to the dialog that asked, and to the draft if that has closed.
func (q *Queue) Edited(text string, at time.Time) {
	q.begin(at)
	d := q.editing
	q.editing = nil
	q.written++
	switch {
	case d == nil:
	case slices.Contains(q.dialogs, d):
		d.edited(text)
		q.changed = q.changed || q.shown == d
	default:
		d.edited(text)
		q.collect(d)
	}
}

// Write writes a text on the line that is open, in place of what is there. It answers
// nothing.
func (q *Queue) Write(text string, at time.Time) {
	q.begin(at)
	if !q.Writing() {
		return
	}
	d := q.dialogs[q.front]
	switch d := d.(type) {
	case *choiceDialog:
		d.editor = d.open
	case *form:
		d.asked = d.at
	}
	d.edited(text)
	q.written++
	q.changed = true
}

// FileRead takes the file that a ReadFile asked for, or why it could not be read, for
// the change that asked. What the card shows then is new: it is painted again before
// it listens.
func (q *Queue) FileRead(text string, err error, at time.Time) {
	q.begin(at)
	d, ok := q.reading.(*choiceDialog)
	q.reading = nil
	if !ok || !slices.Contains(q.dialogs, dialog(d)) {
		return
	}
	d.fileRead(text, err)
	if q.shown == d {
		if q.consent.HasFocus() {
			q.consent.More(at)
		} else {
			q.consent.Repaint(at)
		}
		q.follow()
	}
}

// Scroll moves through what the card in front asks about, by lines: down, or up with
// fewer than none. It reports whether there is anything out of view. It answers
// nothing.
func (q *Queue) Scroll(lines int) bool {
	if len(q.dialogs) == 0 {
		return false
	}
	c, ok := q.dialogs[q.front].(*choiceDialog)
	if !ok || c.scroll.total <= c.scroll.height {
		return false
	}
	c.scroll.by(lines)
	q.changed = true
	return true
}

// Listens reports whether a key that comes now may answer the question in front.
func (q *Queue) Listens(at time.Time) bool { return q.Focused() && q.consent.Armed(at) }

// Writing reports whether what is typed is written on the question in front.
func (q *Queue) Writing() bool { return q.Focused() && q.dialogs[q.front].writing() }

// Ready reports whether the card in front, as View draws it, takes an answer.
func (q *Queue) Ready() bool { return q.Focused() && q.consent.Armed(q.now) }

// FillsForm reports whether the question in front is a form whose fields have the keys.
func (q *Queue) FillsForm() bool {
	if !q.Focused() {
		return false
	}
	f, ok := q.dialogs[q.front].(*form)
	return ok && f.card == nil
}

// Confirms reports whether the card in front has said that Enter answers with the row that
// was chosen.
func (q *Queue) Confirms() bool {
	if !q.Focused() {
		return false
	}
	c, ok := q.dialogs[q.front].(*choiceDialog)
	if f, isForm := q.dialogs[q.front].(*form); isForm {
		c, ok = f.card, f.card != nil
	}
	return ok && c.open == nil && c.drawn.confirm > 0 && c.drawn.confirm == c.choices.chosen+1
}
