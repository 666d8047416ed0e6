package composer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/editor"
	"parley/history/mentions"
	"parley/theme"
)

// highlight returns the parts of a line of a draft that mean something: what
// is mentioned, issues such as #12, and on the first line the command that it
// starts with, or the ! of a shell command.
func highlight(line string, first bool) []editor.Span {
	var out []editor.Span
	if n := commandWord(line); first && n > 0 {
		out = append(out, editor.Span{From: 0, To: n, Token: theme.Mention})
		if line[0] == '!' {
			return out // the rest is the shell's
		}
	}
	for _, m := range mentions.Find(line) {
		out = append(out, editor.Span{From: m.From, To: m.To, Token: theme.Link})
	}
	for _, issue := range issueSpans(line) {
		if !slices.ContainsFunc(out, func(s editor.Span) bool { return issue.From < s.To && s.From < issue.To }) {
			out = append(out, issue)
		}
	}
	slices.SortFunc(out, func(a, b editor.Span) int { return a.From - b.From })
	return out
}

// commandWord is the length of a slash command's name, or of the !, at the
// start of a draft; 0 if it starts with neither. A path is no command.
func commandWord(line string) int {
	if strings.HasPrefix(line, "!") {
		return 1
	}
	word, _, _ := strings.Cut(line, " ")
	if len(word) < 2 || word[0] != '/' || strings.ContainsFunc(word[1:], func(r rune) bool {
		return r == '/' || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	}) {
		return 0
	}
	return len(word)
}

// issueSpans are the issues named in a line, such as #12.
func issueSpans(line string) []editor.Span {
	var out []editor.Span
	for i := 0; i < len(line); {
		n := strings.IndexByte(line[i:], '#')
		if n < 0 {
			break
		}
		at := i + n
		i = at + 1
		for i < len(line) && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		next, _ := utf8.DecodeRuneInString(line[i:])
		inWord := i < len(line) && (unicode.In(next, unicode.L, unicode.M, unicode.N) || next == '_')
		if digits := i - at - 1; digits > 0 && digits < 10 && mentions.Starts(line, at) && !inWord {
			out = append(out, editor.Span{From: at, To: i, Token: theme.Link})
		}
	}
	return out
}
