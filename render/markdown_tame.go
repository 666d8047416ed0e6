package render

import "strings"

// Bounds of what is parsed as markdown. No user writes beyond them, and the
// parser takes time that grows with the square of what is.
const (
	deepest    = 32   // containers in containers on one line
	longestRun = 4096 // bytes without a blank that may hold many links
	mostLinks  = 64   // link targets in such a run
)

// tame escapes markup in safe text that no one could read and that would stop
// the program: the quotes and lists of a line beyond the deepest, and the links
// of a run of text that has far too many. It works on each line by itself and
// returns other text as it is.
func tame(text string) string {
	var b strings.Builder
	done, at := 0, 0
	for line := range strings.Lines(text) {
		if tamed := tameRuns(tameNesting(line)); tamed != line {
			b.WriteString(text[done:at])
			b.WriteString(tamed)
			done = at + len(line)
		}
		at += len(line)
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// tameNesting escapes the first container marker after the deepest.
func tameNesting(line string) string {
	depth := 0
	for i := 0; i < len(line); {
		n := marker(line[i:])
		switch {
		case line[i] == ' ' || line[i] == '\t':
			i++
		case n == 0:
			return line
		case depth == deepest:
			return line[:i+n-1] + `\` + line[i+n-1:]
		default:
			depth++
			i += n
		}
	}
	return line
}

// marker returns the length of the container marker at the start of s, without
// the blank that must follow that of a list, or 0.
func marker(s string) int {
	if s[0] == '>' {
		return 1
	}
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == len(s) || n > 0 && s[n] != '.' && s[n] != ')' || n == 0 && s[0] != '-' && s[0] != '+' && s[0] != '*' {
		return 0
	}
	n++
	if n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		return n
	}
	return 0
}

// tameRuns escapes the links in long runs of text without a blank.
func tameRuns(line string) string {
	if len(line) <= longestRun {
		return line
	}
	fields := strings.SplitAfter(line, " ")
	for i, f := range fields {
		if len(f) > longestRun && strings.Count(f, "](") > mostLinks {
			fields[i] = strings.ReplaceAll(f, "](", `\](`)
		}
	}
	return strings.Join(fields, "")
}
