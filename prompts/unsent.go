package prompts

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/prompts/schema"
	"parley/session"
)

// Written is what the user wrote on questions and has not sent: on those that
// are open, and what is remembered of others for when they are asked again. It
// is stored beside the draft and comes back after a crash. It is JSON, it shares nothing that changes, and the zero Written is
// empty.
//
// Reading one from damaged or foreign JSON never fails and keeps what can be
// understood.
type Written struct {
	Forms each[WrittenForm] `json:"forms,omitzero"` // oldest first
	Texts each[WrittenText] `json:"texts,omitzero"` // oldest first
}

// WrittenForm is what was answered on a form.
type WrittenForm struct {
	// Key distinguishes forms: by who asks, and for what. It is the hash of both.
	Key     string            `json:"key"`
	Request session.RequestID `json:"request,omitzero"`
	// Sent says that the answers were given to the agent, and that it has not
	// confirmed them: they are of use for the very same request only.
	Sent    bool                `json:"sent,omitzero"`
	Answers each[WrittenAnswer] `json:"answers,omitzero"`
}

// WrittenAnswer is what the user wrote or chose in a field. Without either
// they took away what the schema proposed.
type WrittenAnswer struct {
	Field  int    `json:"field"`            // the property, counted as the schema lists them
	Label  string `json:"label"`            // of the field, safe to show
	Text   Exact  `json:"text,omitzero"`    // as it was written
	Picked []int  `json:"picked,omitempty"` // the options, counted as the schema lists them
	Chosen string `json:"chosen,omitzero"`  // their labels, safe to show
	// Given says that it is in the draft, or among the unsent texts, too.
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
	Text    Exact  `json:"text"`
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
		if said := a.value(); !a.Given && strings.TrimSpace(said) != "" {
			lines = append(lines, a.Label+": "+said)
		}
	}
	return strings.Join(lines, "\n")
}

func (a WrittenAnswer) value() string {
	if a.Text != "" {
		return string(a.Text)
	}
	return a.Chosen
}

func (t WrittenText) line() string {
	if t.Place == "" {
		return string(t.Text)
	}
	return t.Place + ": " + string(t.Text)
}

// UnmarshalJSON reads what can be understood.
func (w *Written) UnmarshalJSON(raw []byte) error {
	*w = Written{}
	o, _ := schema.Members(raw)
	forms, _ := o.Find("forms")
	texts, _ := o.Find("texts")
	_ = w.Forms.UnmarshalJSON(forms)
	return w.Texts.UnmarshalJSON(texts)
}

// each is a list that is read without the elements that cannot be.
type each[T any] []T

// UnmarshalJSON never fails.
func (l *each[T]) UnmarshalJSON(raw []byte) error {
	*l = nil
	for _, e := range schema.Elements(raw) {
		var v T
		if json.Unmarshal(e, &v, schema.AnyJSON(), jsontext.AllowInvalidUTF8(true)) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

// Exact is a text that JSON carries byte for byte. One that is not UTF-8 is an
// object there, {"base64": ...}, since a JSON string cannot hold it.
type Exact string

type encoded struct {
	Base64 string `json:"base64"`
}

// MarshalJSON never fails.
func (e Exact) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(e)) {
		return jsontext.AppendQuote(nil, string(e))
	}
	return json.Marshal(encoded{base64.StdEncoding.EncodeToString([]byte(e))})
}

// UnmarshalJSON takes either form.
func (e *Exact) UnmarshalJSON(raw []byte) error {
	if jsontext.Value(raw).Kind() != '{' {
		return json.Unmarshal(raw, (*string)(e), jsontext.AllowInvalidUTF8(true))
	}
	var in encoded
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(in.Base64)
	*e = Exact(b)
	return err
}
