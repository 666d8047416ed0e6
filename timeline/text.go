package timeline

import "strings"

// Text grows at its end. Appending costs the appended bytes (amortised), and
// reading any part copies nothing. The zero Text is empty. It must not be
// copied once it holds something.
type Text struct {
	b     strings.Builder
	fixed string // of a copy: what it holds in place of b
}

// Append adds s at the end.
func (t *Text) Append(s string) {
	if t.fixed != "" {
		t.b.WriteString(t.fixed)
		t.fixed = ""
	}
	t.b.WriteString(s)
}

// Set replaces the whole text.
func (t *Text) Set(s string) {
	if t.String() == s {
		return
	}
	t.fixed = ""
	t.b.Reset()
	t.b.WriteString(s)
}

// Len returns the length in bytes.
func (t *Text) Len() int { return len(t.String()) }

// String returns the whole text.
func (t *Text) String() string {
	if t.fixed != "" {
		return t.fixed
	}
	return t.b.String()
}

// Since returns what was appended after the text had off bytes.
func (t *Text) Since(off int) string {
	s := t.String()
	return s[min(max(off, 0), len(s)):]
}
