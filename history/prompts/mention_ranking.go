package prompts

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// halfLife is after how long a mention counts half.
const halfLife = 14 * 24 * time.Hour

// Mentions are the paths that prompts of this repository, or folder, mention as
// @path, and how much each counts: one for a prompt of now, half for one of two
// weeks ago, and so on, all added up. A path is as it was written, without its
// quotes, lines and a slash at its end. It is safe for concurrent use.
func (p *History) Mentions(at Place, now time.Time) map[string]float64 {
	out := map[string]float64{}
	p.mu.RLock()
	defer p.mu.RUnlock()
	in := p.index.within(InRepository, at)
	for e := range p.index.all {
		paths := p.index.texts[e.text].mentions
		if !in[e.place] || len(paths) == 0 {
			continue
		}
		weight := math.Exp2(-max(0, now.Sub(e.time).Hours()) / halfLife.Hours())
		for _, path := range paths {
			out[path] += weight
		}
	}
	return out
}

// mentions are the paths that a text mentions, each once. What a mention is, the
// composer knows better: this only ranks paths that exist.
func mentions(s string) []string {
	var out []string
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '@')
		if i < 0 {
			return slices.Clip(out)
		}
		at := from + i
		from = at + 1
		if before, _ := utf8.DecodeLastRuneInString(s[:at]); at > 0 && inWord(before) {
			continue
		}
		path := mentioned(s[from:])
		if path != "" && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
}

// inWord reports whether an @ behind r is none of a mention, as in an address.
func inWord(r rune) bool {
	return r < unicode.MaxLatin1 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune(`_.-+%@/\#&=`, r)
}

// lines is the span of lines at the end of a path.
var lines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\d+(?:[-:]\d+)?$`) })

// mentioned is the path at the start of s, which follows an @.
func mentioned(s string) string {
	if rest, quoted := strings.CutPrefix(s, `"`); quoted {
		return strings.TrimSuffix(quotedPath(rest), "/")
	}
	end := strings.IndexAny(s, " \t\n\r\"`,;<>|")
	if end < 0 {
		end = len(s)
	}
	const punctuation = ".:!?'*_~"
	path := strings.TrimRight(s[:end], punctuation)
	for _, brackets := range []string{"()", "[]", "{}"} {
		if strings.HasSuffix(path, brackets[1:]) && !strings.Contains(path, brackets[:1]) {
			path = strings.TrimRight(path[:len(path)-1], punctuation)
		}
	}
	if strings.Contains(path, ":") {
		path = path[:len(path)-len(lines().FindString(path))]
	}
	return strings.TrimSuffix(path, "/")
}

// quotedPath is the path before the closing quote in s; "" without one.
func quotedPath(s string) string {
	for end := 0; end < len(s) && s[end] != '\n'; end++ {
		switch s[end] {
		case '\\':
			end++
		case '"':
			return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[:end])
		}
	}
	return ""
}
