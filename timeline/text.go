package timeline

import "strings"

// Text grows at its end. Appending costs the appended bytes (amortised), and
// setting the whole or reading any part copies nothing. The zero Text is empty.
// It must not be copied once it holds something.
type Text struct {
	set string
	b   *strings.Builder // in place of set once it has grown
}

// Append adds s at the end.
func (t *Text) Append(s string) {
	if t.b == nil {
		t.b = new(strings.Builder)
		t.b.WriteString(t.set)
		t.set = ""
	}
	t.b.WriteString(s)
}

// Set replaces the whole text.
func (t *Text) Set(s string) { *t = Text{set: s} }

// Len returns the length in bytes.
func (t *Text) Len() int { return len(t.String()) }

// String returns the whole text.
func (t *Text) String() string {
	if t.b == nil {
		return t.set
	}
	return t.b.String()
}
