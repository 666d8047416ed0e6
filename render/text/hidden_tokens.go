package text

import (
	"strings"

	"parley/theme"
)

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

// DrawVisible draws text that SanitizeShowHidden made safe: the tokens of hidden
// characters stand out.
func DrawVisible(s string, tok theme.Token, th *theme.Theme) string {
	var spans []Span
	at := 0
	for _, h := range HiddenTokens(s) {
		spans = append(spans, Span{s[at:h.From], tok}, Span{s[h.From:h.To], theme.Hidden})
		at = h.To
	}
	return DrawSpans(JoinClusters(append(spans, Span{s[at:], tok})), th)
}
