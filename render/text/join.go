package text

import "strings"

// JoinNonEmpty joins the texts that are not empty.
func JoinNonEmpty(sep string, texts ...string) string { return strings.Join(NonEmpty(texts), sep) }

// NonEmpty returns the texts that are not empty.
func NonEmpty(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

// Paragraphs joins the texts that are not empty, each on lines of its own.
func Paragraphs(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t == "" {
			continue
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(t)
	}
	return b.String()
}
