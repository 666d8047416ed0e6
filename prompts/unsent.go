package prompts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/history/exactjson"
	"parley/prompts/schema"
	"parley/session"
)

// Written is what the user wrote on questions and has not sent: on those that
// are open, and what is remembered of others for when they are asked again. It is
// stored beside the draft, as JSON, and comes back after a crash. It shares nothing
// that changes, and the zero Written is empty. From JSON that was damaged, or written
// by another version, what can be understood is read.
type Written struct {
	Forms each[WrittenForm] `json:"forms,omitzero"` // oldest first
	Texts each[WrittenText] `json:"texts,omitzero"` // oldest first
}

// WrittenForm is what was answered on a form.
type WrittenForm struct {
	// Key distinguishes forms: by who asks, and for what. It is the hash of both.
	Key     string            `json:"key"`
	Request session.RequestID `json:"request,omitzero"`
	// Sent is true when the answers were given to the agent, and it has not
	// confirmed them: they are of use for the very same request only.
	Sent    bool                `json:"sent,omitzero"`
	Answers each[WrittenAnswer] `json:"answers,omitzero"`
}

// WrittenAnswer is what the user wrote or chose in a field. Without either
// they took away what the schema proposed.
type WrittenAnswer struct {
	Field  int    `json:"field"`            // the property, counted as the schema lists them
	Label  string `json:"label"`            // of the field, safe to show
	Text   string `json:"text,omitzero"`    // as it was written
	Picked []int  `json:"picked,omitempty"` // the options, counted as the schema lists them
	Chosen string `json:"chosen,omitzero"`  // their labels, safe to show
	// Given is true when it is in the draft, or among the unsent texts, too.
	Given bool `json:"given,omitzero"`
}

// WrittenText is what was written on a line of a question.
type WrittenText struct {
	Request session.RequestID `json:"request,omitzero"`
	Kind    session.Kind      `json:"kind"`
	// Content is the hash of what was asked about: the same permission, the
	// same plan, the same words.
	Content string `json:"content"`
	Line    string `json:"line"`           // one of the constants below
	At      int    `json:"at,omitzero"`    // the line of the change that a comment is about
	Place   string `json:"place,omitzero"` // where that is, safe to show: "main.go:12"
	Kept    bool   `json:"kept,omitzero"`  // the comment was finished
	Text    string `json:"text"`
}

// The lines of a question.
const (
	LineAnswer  = "answer"  // an answer in the user's own words, or what should be done instead
	LineNote    = "note"    // what goes along with a yes
	LineComment = "comment" // about a line of a change
)

// Empty reports whether nothing is written.
func (w Written) Empty() bool { return len(w.Forms) == 0 && len(w.Texts) == 0 }

// Lines are the texts that are nowhere else, oldest first, ready for a user:
// of a form, a line "name: value" for each answer. They are raw, and still part
// of w: show them, and store w.
func (w Written) Lines() []string {
	var texts []string
	for _, f := range w.Forms {
		if text := f.line(); text != "" && !f.Sent {
			texts = append(texts, text)
		}
	}
	for _, t := range w.Texts {
		texts = append(texts, t.line())
	}
	return texts
}

// line is what was answered and is nowhere else.
func (f WrittenForm) line() string {
	var lines []string
	for _, a := range f.Answers {
		if said := cmp.Or(a.Text, a.Chosen); !a.Given && strings.TrimSpace(said) != "" {
			lines = append(lines, a.Label+": "+said)
		}
	}
	return strings.Join(lines, "\n")
}

func (t WrittenText) line() string {
	if t.Place == "" {
		return t.Text
	}
	return t.Place + ": " + t.Text
}

// MarshalJSON writes texts of any bytes.
func (w Written) MarshalJSON() ([]byte, error) {
	type plain Written
	return exactjson.Marshal(plain(w))
}

// each is a list that is read without the elements that cannot be.
type each[T any] []T

// UnmarshalJSON never fails.
func (l *each[T]) UnmarshalJSON(raw []byte) error {
	*l = nil
	var elements []jsontext.Value
	_ = json.Unmarshal(raw, &elements) // what is no list is empty
	for _, e := range elements {
		var v T
		if exactjson.Unmarshal(e, &v) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

// formMemory holds what was written on forms that closed, for when they are asked
// again: forms that were cancelled, declined or interrupted, and answers that
// could not be delivered. What an earlier run left comes in by Queue.Restore.
// The zero memory is empty.
type formMemory struct{ forms []WrittenForm }

// mostForms bounds how many forms are remembered.
const mostForms = 32

// keyOf distinguishes forms: by who asks, and for what.
func keyOf(r session.ElicitationRequested) string {
	return digest(r.ElicitationSource, string(r.RequestedSchema))
}

// digest is the hash of texts, in hexadecimal digits.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keep remembers what was answered on a form, in the place of what was kept for
// the same request before.
func (m *formMemory) keep(f WrittenForm) {
	m.forms = slices.DeleteFunc(m.forms, func(old WrittenForm) bool { return old.Key == f.Key && old.Request == f.Request })
	if len(f.Answers) == 0 {
		return
	}
	m.forms = append(m.forms, f)
	if extra := len(m.forms) - mostForms; extra > 0 {
		m.forms = slices.Delete(m.forms, 0, extra)
	}
}

// recall takes out what was kept for a form: for the same request, or the latest
// that was not sent.
func (m *formMemory) recall(key string, request session.RequestID) WrittenForm {
	at := -1
	for i, f := range m.forms {
		switch {
		case f.Key != key:
		case f.Request == request:
			at = i
		case !f.Sent && (at < 0 || m.forms[at].Request != request):
			at = i
		}
	}
	if at < 0 {
		return WrittenForm{}
	}
	f := m.forms[at]
	m.forms = slices.Delete(m.forms, at, at+1)
	return f
}

// confirm forgets what was sent to a request that is settled.
func (m *formMemory) confirm(request session.RequestID) {
	m.forms = slices.DeleteFunc(m.forms, func(f WrittenForm) bool { return f.Sent && f.Request == request })
}

// replyOf is an answer as a property can take it; not ok when it cannot.
func replyOf(p *schema.Property, a WrittenAnswer) (r schema.Reply, ok bool) {
	if p.Written() {
		return schema.Reply{Text: a.Text}, len(a.Picked) == 0
	}
	picked := slices.DeleteFunc(slices.Clone(a.Picked), func(i int) bool { return i < 0 || i >= len(p.Options) })
	if p.Kind == schema.One {
		picked = picked[:min(len(picked), 1)]
	}
	slices.Sort(picked)
	return schema.Reply{Picked: slices.Compact(picked)}, a.Text == "" && (len(picked) > 0 || len(a.Picked) == 0)
}

// writtenAnswer is what the user wrote or chose in a field.
func writtenAnswer(p *schema.Property, field int, e *entry) WrittenAnswer {
	a := WrittenAnswer{Field: field, Label: p.Label, Given: !e.undelivered}
	if p.Written() {
		a.Text = e.field.text()
		return a
	}
	a.Chosen, a.Picked = p.Words(e.reply()), append(a.Picked, e.picked...)
	return a
}
