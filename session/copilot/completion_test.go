package copilot

import (
	"reflect"
	"testing"

	"parley/session"
)

// TestComplete reads items in the schema's form; the real runtime has none of
// its own. "𝔤" is two UTF-16 code units and four bytes.
func TestComplete(t *testing.T) {
	t.Parallel()
	const text = "𝔤é fix #12 now"
	a := can(t, map[string]string{"session.completions.request": `{"items":[
		{"insertText":"#123","rangeStart":8,"rangeEnd":11,"label":"#123 It hurts","kind":"issue"},
		{"insertText":"#124"},
		{"insertText":"far","rangeStart":90,"rangeEnd":3},
		{"insertText":"torn","rangeStart":1,"rangeEnd":1}]}`})
	got, err := a.Complete(t.Context(), text, 13)
	if err != nil {
		t.Fatal(err)
	}
	end := len(text)
	want := []session.Completion{
		{Text: "#123", From: 11, To: 14, Label: "#123 It hurts", Detail: "issue"},
		{Text: "#124", From: 11, To: 14, Label: "#124"},
		{Text: "far", From: end, To: end, Label: "far"},
		{Text: "torn", Label: "torn"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if p := a.called("session.completions.request"); p["offset"] != 10.0 || p["text"] != text {
		t.Errorf("asked with %v", p)
	}
	for _, offset := range []int{-5, len(text) + 5} {
		if _, err := a.Complete(t.Context(), text, offset); err != nil {
			t.Error(err)
		}
	}
}

func TestWord(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text             string
		offset, from, to int
	}{{"", 0, 0, 0}, {"ab", 1, 0, 2}, {"a b", 1, 0, 1}, {"a b", 2, 2, 3}, {"a  b", 2, 2, 2}, {"a\nbc d", 3, 2, 4}} {
		if from, to := word(test.text, test.offset); from != test.from || to != test.to {
			t.Errorf("%q at %d: %d to %d", test.text, test.offset, from, to)
		}
	}
}
