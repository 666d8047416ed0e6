package prompts

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/session"
)

// mostTexts bounds how many texts of questions that were not asked again are
// remembered.
const mostTexts = 64

// Written returns what the user wrote on questions and has not sent. What the
// queue gave away, by an Answer, Unsent or Dropped, is not in it, but for the
// answers of forms, which wait for the same form. It costs what is written, not
// its length.
func (q *Queue) Written() Written {
	w := Written{Forms: append([]WrittenForm(nil), q.forms.forms...), Texts: append([]WrittenText(nil), q.earlier...)}
	for _, d := range q.dialogs {
		switch d := d.(type) {
		case *form:
			if f := d.record(false); len(f.Answers) > 0 {
				w.Forms = append(w.Forms, f)
			}
		case *choiceDialog:
			for _, t := range d.texts() {
				t.Request, t.Kind, t.Content = d.of.request, session.KindOf(q.asked[d.of.request]), q.content(d.of.request)
				w.Texts = append(w.Texts, t)
			}
		}
	}
	return w
}

// Revision changes whenever Written may return something else than before.
func (q *Queue) Revision() uint64 { return q.written }

// Restore takes in what an earlier run left: a form that is asked again is
// filled in with it, and a line of a question with the same id, or about the
// same thing, holds it again. Questions that are open already get it too, where
// the user has not begun to write. None of it counts as something that the
// user did: it answers nothing, opens nothing, chooses no row, and goes along
// with no answer before they opened its line; comments on a change are shown
// there and go along with a refusal, as those do that the user has just kept.
func (q *Queue) Restore(w Written) {
	q.written++
	forms := slices.DeleteFunc(slices.Clone(w.Forms), func(f WrittenForm) bool { return len(f.Answers) == 0 })
	q.forms.forms = append(q.forms.forms, last(forms, mostForms)...)
	texts := slices.DeleteFunc(slices.Clone(w.Texts), func(t WrittenText) bool { return strings.TrimSpace(t.Text) == "" })
	q.earlier = append(q.earlier, last(texts, mostTexts)...)
	for _, d := range q.dialogs {
		q.resume(d)
	}
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// Unsent returns what was written on cards that closed before it was sent: once,
// in the order in which they closed. It belongs to the draft.
func (q *Queue) Unsent() []string {
	texts := q.unsent
	q.unsent = nil
	return texts
}

// Dropped is a text that goes neither to the agent nor to the draft.
type Dropped struct {
	// Why is "form" where the user declined or cancelled one, which brings its answers
	// back, too; UnsentForm where it ended by itself; "question" where the text was restored, and its question ended before
	// the user looked at it.
	Why  string
	Text string // as it was written; of a form a line "name: value" for each answer
}

// UnsentForm is why answers were dropped that the user had not sent yet.
const UnsentForm = "unsent form"

// Dropped returns what the user wrote and dismissed: once, in order. It
// belongs to the texts that are kept for later, where the user finds it when
// they look for it, not to the draft. A text comes out of Unsent or of Dropped,
// never of both.
func (q *Queue) Dropped() []Dropped {
	texts := q.dropped
	q.dropped = nil
	return texts
}

// collect takes what was written on a dialog that is over.
func (q *Queue) collect(d dialog) {
	q.written++
	unsent, dropped := d.written()
	q.unsent = append(q.unsent, unsent...)
	why := "question"
	if f, ok := d.(*form); ok {
		if why = "form"; !f.ended {
			why = UnsentForm
		}
	}
	for _, text := range dropped {
		q.dropped = append(q.dropped, Dropped{why, text})
	}
}

// resume gives a new dialog what was written on its question before: first what
// bears its id, then what was about the same.
func (q *Queue) resume(d dialog) {
	q.written++
	if f, ok := d.(*form); ok {
		f.refill()
	}
	c, ok := d.(*choiceDialog)
	if !ok || len(q.earlier) == 0 {
		return
	}
	of, kind := c.of.request, session.KindOf(q.asked[c.of.request])
	content := q.content(of)
	for _, wanted := range []func(WrittenText) bool{
		func(t WrittenText) bool { return t.Request == of },
		func(t WrittenText) bool { return t.Content == content && content != "" },
	} {
		q.earlier = slices.DeleteFunc(q.earlier, func(t WrittenText) bool {
			return t.Kind == kind && wanted(t) && c.restore(t, t.Content == content)
		})
	}
}

// content is the hash of what a question is about.
func (q *Queue) content(request session.RequestID) string {
	known, ok := q.contents[request]
	if !ok {
		known = contentOf(q.asked[request])
		q.contents[request] = known
	}
	return known
}

// contentOf is the hash of what stays the same when a question is asked again;
// "" if it takes no words of the user's own. It is stored with the unsent text: by
// another hash, also of the same parts with other words between them, the text of an
// earlier version would not be found.
func contentOf(ask session.Ask) string {
	switch a := ask.(type) {
	case session.PermissionRequested:
		w := merge(a)
		return digest(slices.Concat(
			[]string{
				w.kind, w.command, w.access, w.file, w.diff, w.contents, w.path, w.url, w.server, w.tool, w.args,
				w.action, w.subject, w.fact, w.rest, "paths",
			},
			w.paths, []string{"besides"}, w.otherFields,
		)...)
	case session.UserInputRequested:
		return digest(append([]string{a.Question}, a.Choices...)...)
	case session.ExitPlanModeRequested:
		return digest(a.Summary, a.PlanContent)
	}
	return ""
}

func (c *choiceDialog) texts() []WrittenText {
	var texts []WrittenText
	add := func(name string, l *textAnswer) {
		if l == nil || l.word {
			return
		}
		for _, text := range []string{l.earlier, l.field.text()} {
			if strings.TrimSpace(text) != "" {
				texts = append(texts, WrittenText{Line: name, Text: text})
			}
		}
	}
	add(LineAnswer, c.ownWords())
	add(LineNote, c.note)
	if d := c.reviewed(); d != nil {
		texts = append(texts, d.texts()...)
	}
	return texts
}

// ownWords is the line of a card for words of the user's own; nil if it has
// no such line.
func (c *choiceDialog) ownWords() *textAnswer {
	if c.direct != nil {
		return c.direct
	}
	for _, r := range c.choices.rows {
		if r.opens != nil && !r.opens.word {
			return r.opens
		}
	}
	return nil
}

// texts are the comments on a change: what was kept, and what was begun.
func (d *diffDocument) texts() []WrittenText {
	var texts []WrittenText
	for _, at := range slices.Sorted(maps.Keys(d.lines)) {
		l, kept := d.lines[at], d.comment(at)
		t := WrittenText{Line: LineComment, At: at, Place: d.place(at)}
		if kept != "" {
			t.Kept, t.Text = true, kept
			texts = append(texts, t)
		}
		for _, begun := range []string{l.earlier, l.field.text()} {
			if begun := strings.TrimSpace(begun); begun != "" && begun != kept {
				t.Kept, t.Text = false, begun
				texts = append(texts, t)
			}
		}
	}
	return texts
}

// restore puts a text back onto its line, where it waits until the user opens
// that; not ok when there is no such line, or it holds something. Comments go to
// the line of the change if it is the same, and else with the answer.
func (c *choiceDialog) restore(t WrittenText, same bool) (ok bool) {
	l := c.ownWords()
	switch t.Line {
	case LineAnswer:
	case LineNote:
		l = c.note
	case LineComment:
		if d := c.reviewed(); d != nil && same {
			return d.restore(t, c.open)
		}
		if l == nil || l == c.open || l.field.text() != "" {
			return false
		}
		l.earlier = text.JoinNonEmpty("\n\n", l.earlier, t.line())
		return true
	default:
		return false
	}
	if l == nil || l == c.open || l.earlier != "" || l.field.text() != "" {
		return false
	}
	l.earlier = t.Text
	return true
}

// restore puts a comment back onto its line of the change, unless that is open.
func (d *diffDocument) restore(t WrittenText, open *textAnswer) (ok bool) {
	if t.At < 0 || t.At >= len(d.asked.Lines) {
		return false
	}
	l := d.line(t.At)
	switch text := t.Text; {
	case strings.TrimSpace(text) == d.comment(t.At), t.Kept && text == strings.TrimSpace(l.earlier):
		return false // the line has it, and has one text of each sort: the other one waits
	case l == open || l.field.text() != "" && d.comment(t.At) == "": // it is being written
		return false
	case t.Kept && d.comment(t.At) == "":
		l.field = newField(text)
		l.keep(text)
		d.restored++
	case !t.Kept && l.earlier == "":
		l.earlier = text
	default:
		return false
	}
	return true
}

// keptComments says how many comments were kept, for a user who does not see them among
// the lines of the change.
func (c *choiceDialog) keptComments(d *diffDocument) string {
	kept := d.kept()
	if kept == 0 || c.large && d.restored == 0 {
		return ""
	}
	says := strconv.Itoa(kept)
	switch {
	case d.restored >= kept:
		says += " from before"
	case d.restored > 0:
		says += fmt.Sprintf(", %d from before", d.restored)
	}
	says += ", sent when you refuse"
	if key := c.drawn.keys.Card.Show("v"); key != "" && !c.large {
		says += ": " + key + " to read"
	}
	return says
}

// waiting returns what of before is on the card and not in a row: it waits for the
// key that opens its line, or goes along with a refusal.
func (c *choiceDialog) waiting() []fact {
	var facts factList
	if c.note != nil && c.note.earlier != "" {
		facts.add("note", "from before, not sent yet: tab opens it")
	}
	d := c.reviewed()
	if d == nil {
		return facts
	}
	facts.add("comments", c.keptComments(d))
	for _, at := range slices.Sorted(maps.Keys(d.lines)) {
		if d.lines[at].earlier != "" {
			facts.add("comment", "begun at "+d.place(at)+", not kept: c on that line")
		}
	}
	return facts
}
