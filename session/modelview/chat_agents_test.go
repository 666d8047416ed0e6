package modelview_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/modelview"
)

// TestBeside: references go back with the answer they belong to, and answers to
// confirmations with the next prompt, as they were sent.
func TestBeside(t *testing.T) {
	t.Parallel()
	v := modelview.New()
	for i, b := range []session.Body{
		session.UserMessage{Content: "go"},
		session.AssistantMessage{MessageID: "m", Content: "May I?"},
		session.References{MessageID: "m", Items: nil},
		session.References{MessageID: "m", Items: asValues(`{"id":"a"}`, `{"id":1.50}`)},
		session.ConfirmationCompleted{RequestID: "1", State: session.Accepted, Confirmation: []byte(`{"n":1.0}`)},
		session.ConfirmationCompleted{RequestID: "2", State: session.Withdrawn, Confirmation: []byte(`{"n":2}`)},
		session.ConfirmationCompleted{RequestID: "3", State: session.Dismissed},
		session.UserMessage{Content: "", Source: "confirmation"},
		session.References{MessageID: "m", Items: asValues(`{"id":"stray"}`)},
		session.UserMessage{Content: "more"},
	} {
		v.Apply(session.Event{ID: session.EventID(rune('a' + i)), Body: b})
	}
	got := v.Messages()
	if len(got) != 4 {
		t.Fatal(v.Dump())
	}
	for i, want := range []string{
		"", `copilot_references [{"id":"a"},{"id":1.50}]`,
		`copilot_confirmations [{"state":"accepted","confirmation":{"n":1.0}},{"state":"dismissed"}]`, "",
	} {
		said := ""
		for _, b := range got[i].ExtraFields {
			said += b.Key + " " + string(b.Value)
		}
		if said != want {
			t.Errorf("beside message %d is %s, want %s", i, said, want)
		}
	}
	if n := len(got[2].Origin); n != 3 {
		t.Errorf("the answers are of %d events", n)
	}
}

func asValues(texts ...string) (all []jsontext.Value) {
	for _, s := range texts {
		all = append(all, jsontext.Value(s))
	}
	return all
}
