package prompts

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/history/exactjson"
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
	Text   string `json:"text,omitzero"`    // as it was written
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
