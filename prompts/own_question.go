package prompts

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/diff"
	"parley/session"
	"parley/theme"
)

// OwnQuestion is a question of the window itself, such as whether a file is to be written.
// It is no event of the session, nothing that is written on it is kept, and Esc answers no.
type OwnQuestion struct {
	Title   string
	Text    string      // what it says first; "" is nothing
	Change  *FileChange // what becomes of a file; nil is none
	Yes, No string      // what the rows say
	// Form is the JSON Schema of what is asked for, in place of yes or no; nil is none. Its
	// texts have one line but for that with the label Hidden, which has many, each with a
	// value behind = or : that is not shown.
	Form   jsontext.Value
	Hidden string
	// Answered takes the answer.
	Answered func(OwnAnswer) tea.Cmd
}

// FileChange is what becomes of a file, as it may be shown.
type FileChange struct{ Path, Before, After string }

// OwnAnswer is the answer to an OwnQuestion.
type OwnAnswer struct {
	Yes     bool
	Content map[string]any // what was answered on the form, if it was sent
}

// ownRequest is the request of the window's own question: there is one at most.
const ownRequest session.RequestID = "own"

// ownAnswer is the answer of a row or of a form, as a dialog returns it.
type ownAnswer struct {
	session.Answer
	OwnAnswer
}

// AskOwn shows a question of the window itself in front of all others, in place of the one
// before it. It has the focus, as the user asked for it.
func (q *Queue) AskOwn(own OwnQuestion, at time.Time) {
	q.begin(at)
	if len(q.dialogs) > 0 {
		q.dialogs[q.front].leave()
	}
	q.drop(func(of about) bool { return of.own != nil })
	of := about{request: ownRequest, ends: withNone, own: &own}
	if own.Form != nil {
		f := newForm(session.ElicitationRequested{Message: own.Text, RequestedSchema: own.Form}, of, "", &q.forms)
		f.title = own.Title
		for i := range f.entries {
			p := &f.schema.Properties[i]
			hidden := p.Label == own.Hidden
			f.entries[i].field.masked, p.Multiline, p.Needs = hidden, hidden, ""
		}
		q.dialogs = append(q.dialogs, f)
	} else {
		q.dialogs = append(q.dialogs, newOwn(own, of, q.places))
	}
	q.front = len(q.dialogs) - 1
	q.present(at)
	q.Focus(at)
}

// newOwn is the question whether something is to be done.
func newOwn(own OwnQuestion, of about, p places) *choiceDialog {
	c := newCard(of, own.Title)
	c.esc = "cancel"
	spans := prose(own.Text, theme.Text)
	if f := own.Change; f != nil {
		spans = append(spans, code(p.short(f.Path), theme.Strong)...)
		change := diff.Compare(f.Path, f.Before, f.After)
		d := newDiffDocument(spans, change, change.Unified(), f.Path+".diff")
		d.plain = true
		c.payload = d
		c.warnOfHidden(f.Path, f.After)
	} else {
		c.payload = &textDocument{spans: spans}
	}
	c.choices.rows = []row{
		{key: "y", label: own.Yes, answer: ownAnswer{OwnAnswer: OwnAnswer{Yes: true}}, approves: true},
		{key: "n", label: own.No, answer: ownAnswer{}},
	}
	return c
}

// later is what Esc does with the form.
func (f *form) later() string {
	switch {
	case f.of.own != nil:
		return "cancel"
	case f.active:
		return "leave"
	}
	return "later"
}

// send sends the form of the window's own question; what is wrong with it is shown.
func (f *form) send() result {
	content, _, whole := f.check()
	if i := slices.IndexFunc(f.entries, func(e entry) bool { return e.problem != "" }); i >= 0 {
		f.at = i
		f.arrive()
		return result{}
	}
	f.hint, f.ended = whole, whole == ""
	if !f.ended {
		return result{}
	}
	return result{answer: ownAnswer{OwnAnswer: OwnAnswer{Yes: true, Content: content}}}
}

// masked hides the values in the lines of a text, which begin behind = or :.
func masked(s string, th *theme.Theme) string {
	hide := th.Glyph(theme.MarkDot)
	value := false
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			value = false
			b.WriteRune(r)
		case value:
			b.WriteString(hide)
		default:
			value = r == '=' || r == ':'
			b.WriteRune(r)
		}
	}
	return b.String()
}
