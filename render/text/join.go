package text

import (
	"slices"
	"strings"
)

// JoinNonEmpty joins the texts, which are few, that are not empty.
func JoinNonEmpty(sep string, texts ...string) string {
	joined := ""
	for _, t := range texts {
		switch {
		case joined == "":
			joined = t
		case t != "":
			joined += sep + t
		}
	}
	return joined
}

// NonEmpty returns the texts that are not empty.
func NonEmpty(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" })
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
