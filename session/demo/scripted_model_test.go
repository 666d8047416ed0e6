package demo

import (
	"testing"

	"parley/session/local"
	"parley/session/modelview"
)

func from(kind modelview.SourceKind, text string) modelview.Message {
	m := sideMessage(text)
	m.Source.Kind = kind
	return m
}

// What the pretended model answers is the last that the user wrote, whatever
// stands around it.
func TestListen(t *testing.T) {
	t.Parallel()
	answer := modelview.Message{Role: modelview.Assistant, Content: []modelview.Part{{Text: "Yes."}}}
	for name, c := range map[string]struct {
		messages     []modelview.Message
		prompt, over string
		meanwhile    int
	}{
		"nothing":          {},
		"an answer":        {[]modelview.Message{sideMessage("one"), answer}, "one", "", 0},
		"interrupted":      {[]modelview.Message{sideMessage("one"), sideMessage("two")}, "two", "", 2},
		"steered":          {[]modelview.Message{sideMessage("one"), answer, sideMessage("two"), sideMessage("three")}, "three", "", 2},
		"not by a person":  {[]modelview.Message{sideMessage("one"), from(modelview.FromShell, "x"), from(modelview.FromSkill, "y")}, "one", "", 1},
		"a notification":   {[]modelview.Message{sideMessage("one"), answer, from(modelview.FromNotification, "over")}, "one", "over", 0},
		"after that":       {[]modelview.Message{from(modelview.FromNotification, "over"), answer, sideMessage("two")}, "two", "", 1},
		"files":            {[]modelview.Message{sideMessage("plan\n\n\n\n<tagged_files>\n* a.go\n</tagged_files>")}, "plan", "", 1},
		"a selection":      {[]modelview.Message{sideMessage("<ide_selection>\nmany words of it\n</ide_selection>\n\nplan")}, "plan", "", 1},
		"nothing but text": {[]modelview.Message{sideMessage("")}, "", "", 1},
	} {
		h := readInput(c.messages)
		if h.prompt != c.prompt || h.over != c.over || len(h.meanwhile) != c.meanwhile || h.messages != len(c.messages) {
			t.Errorf("%s: heard %+v", name, h)
		}
	}
}

// The model says nothing that is not in its line or in what it is sent.
func TestSpeak(t *testing.T) {
	t.Parallel()
	messages := []modelview.Message{sideMessage("huge"), {Role: modelview.Assistant}, sideMessage("faster"), sideMessage("please")}
	const heard = "You said meanwhile: *faster* and *please*. The demo acts only on words that it knows, such as `write`; " +
		"a real agent takes it into account from here on.\n\n"
	for name, c := range map[string]struct {
		line reply
		want string
	}{
		"a line":           {reply{text: "A."}, heard + "A."},
		"of what it hears": {reply{say: "{{asked}}"}, heard + "please"},
		"of a prompt":      {reply{text: "A.", opens: true}, "A."},
	} {
		for range 2 {
			if got := speak(messages, c.line).text; got != c.want {
				t.Errorf("%s: said %q, want %q", name, got, c.want)
			}
		}
	}
}

// A grant is written in the instructions so that it is found there, and no other is.
func TestAllows(t *testing.T) {
	t.Parallel()
	touch, ls := grant{grantCommand, "touch"}, grant{grantCommand, "ls"}
	s := &Session{Session: new(local.Session), equipment: new(equipment), granted: map[grant]bool{touch: true}}
	h := modelInput{instructions: s.instructions()}
	if !h.allows(permit{Needs: []grant{touch}}) || h.allows(permit{Needs: []grant{touch, ls}}) || h.allows(permit{Needs: []grant{{grantCommand, "tou"}}}) {
		t.Errorf("allowed by %q", h.instructions)
	}
	s.allowAll = true
	if !(modelInput{instructions: s.instructions()}).allows(permit{Needs: []grant{ls}}) {
		t.Errorf("not allowed by %q", s.instructions())
	}
	if (modelInput{}).allows(permit{Needs: []grant{ls}}) {
		t.Error("allowed by nothing")
	}
}
