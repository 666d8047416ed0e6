package text

import "strings"

// Stretch is text[from:to] of a line.
type Stretch struct{ From, To int }

// HiddenTokens are the tokens that stand for hidden characters.
func HiddenTokens(s string) []Stretch {
	var out []Stretch
	for at := 0; ; {
		from := strings.Index(s[at:], "⟦")
		if from < 0 {
			return out
		}
		from += at
		at = len(s)
		if n := strings.Index(s[from:], "⟧"); n >= 0 {
			at = from + n + len("⟧")
		}
		out = append(out, Stretch{from, at})
	}
}
