package timeline

import "strings"

// Text grows at its end. Appending costs the appended bytes (amortised), and
// reading any part copies nothing. The zero Text is empty. It must not be
// copied once it holds something.
type Text struct {
	b strings.Builder
}

// Append adds s at the end.
func (t *Text) Append(s string) { t.b.WriteString(s) }

// Set replaces the whole text.
func (t *Text) Set(s string) {
	if t.b.String() == s {
		return
	}
	t.b.Reset()
	t.b.WriteString(s)
}

// Len returns the length in bytes.
func (t *Text) Len() int { return t.b.Len() }

// String returns the whole text.
func (t *Text) String() string { return t.b.String() }

// Since returns what was appended after the text had off bytes.
func (t *Text) Since(off int) string { return t.b.String()[min(max(off, 0), t.b.Len()):] }
