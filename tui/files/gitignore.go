package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// rules are the ignore files of a folder, and of those it is in (gitignore(5)).
// A folder is checked before what is in it, as git does: a path is held to a
// pattern as a whole, so a pattern that takes a folder back does not take back what
// is in it.
type rules struct {
	above *rules // of the folder it is in, if there are any
	depth int    // how many folders below the first
	list  []rule // the last one that matches counts
}

// rule is a line of an ignore file.
type rule struct {
	matches  func(path string) bool // bytewise
	anchored bool                   // the pattern has a slash: it is for the path from the folder of its file on, else for the name
	back     bool                   // the pattern takes back what one before it left out
	folders  bool                   // only folders match
}

// parseRules reads an ignore file.
func parseRules(file []byte) []rule {
	var list []rule
	for line := range bytes.SplitSeq(bytes.TrimPrefix(file, []byte("\ufeff")), []byte{'\n'}) {
		if r, ok := parseRule(string(bytes.TrimSuffix(line, []byte{'\r'}))); ok {
			list = append(list, r)
		}
	}
	return list
}

// parseRule reads a line; not ok means that it matches nothing.
func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	text := strings.TrimRight(line, " ")
	if slashes := len(text) - len(strings.TrimRight(text, `\`)); slashes%2 == 1 && text != line {
		text += " " // a backslash keeps it
	}
	text, r.back = strings.CutPrefix(text, "!")
	text, r.folders = strings.CutSuffix(text, "/")
	r.anchored = strings.Contains(text, "/")
	text = bytewise(strings.TrimPrefix(text, "/"))
	end, ok := strings.CutPrefix(text, "*")
	switch {
	case !strings.ContainsAny(text, special):
		r.matches = func(path string) bool { return path == text }
		return r, text != ""
	case ok && !r.anchored && !strings.ContainsAny(end, special):
		r.matches = func(name string) bool { return strings.HasSuffix(name, end) }
		return r, true
	}
	pattern, err := regexp.Compile(expression(text))
	if err != nil {
		return r, false
	}
	r.matches = pattern.MatchString
	return r, true
}

// special are the characters of a pattern that are no name's.
const special = `*?[\`

// separator stands between the names of a bytewise path. As it is no byte, only "**"
// matches it.
const separator = "\u0100"

// bytewise is a path in which each byte is a character, as git matches it.
func bytewise(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return r >= utf8.RuneSelf }) {
		runes := make([]rune, len(path))
		for i := range runes {
			runes[i] = rune(path[i])
		}
		path = string(runes)
	}
	return strings.ReplaceAll(path, "/", separator)
}

// invalid is no regular expression: what has it matches nothing.
const invalid = "["

// expression is a bytewise pattern as a regular expression.
func expression(pattern string) string {
	var b strings.Builder
	b.WriteString("(?s)^")
	for name := true; pattern != ""; { // whether a name begins
		var part string
		n := 1
		switch {
		case name && pattern == "**": // all that is in a folder, and not the folder
			part, n = ".+", len(pattern)
		case name && strings.HasPrefix(pattern, "**"+separator): // any number of folders
			b.WriteString("(?:.*" + separator + ")?")
			pattern = pattern[len("**"+separator):]
			continue
		case pattern[0] == '*':
			part, n = "[^"+separator+"]*", len(pattern)-len(strings.TrimLeft(pattern, "*"))
		case pattern[0] == '?':
			part = "[^" + separator + "]"
		case pattern[0] == '[':
			part, n = class(pattern)
		case pattern == `\`:
			part = invalid
		default:
			pattern = strings.TrimPrefix(pattern, `\`)
			_, n = utf8.DecodeRuneInString(pattern)
			part = regexp.QuoteMeta(pattern[:n])
		}
		b.WriteString(part)
		name = strings.HasPrefix(pattern, separator)
		pattern = pattern[n:]
	}
	return b.String() + "$"
}

// class is the class that a pattern begins with, as in "[!a-z_]", in a regular
// expression, and its length.
func class(pattern string) (part string, n int) {
	part, i := "[", 1
	if strings.HasPrefix(pattern[1:], "!") || strings.HasPrefix(pattern[1:], "^") {
		part, i = "[^"+separator, 2
	}
	next := func() rune { // which a backslash may stand before
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		r, size := utf8.DecodeRuneInString(pattern[i:])
		i += size
		if string(r) == separator {
			return '/' // which no name has
		}
		return r
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return part + "]", i + 1
		}
		name, _, closed := strings.Cut(pattern[i:], "]")
		if closed && len(name) > len("[:") && strings.HasPrefix(name, "[:") && strings.HasSuffix(name, ":") {
			part += name + "]"
			i += len(name) + 1
			continue
		}
		low := next()
		high := low
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			i++
			high = next()
		}
		if low <= high {
			part += fmt.Sprintf(`\x{%x}-\x{%x}`, low, high)
		}
	}
	return invalid, len(pattern)
}

// ignores reports whether a path is left out. The folders it is in are not.
func (r *rules) ignores(path []string, folder bool) bool {
	name := bytewise(path[len(path)-1])
	for ; r != nil; r = r.above {
		whole := ""
		for i := len(r.list) - 1; i >= 0; i-- {
			rule, text := r.list[i], name
			if rule.anchored {
				if whole == "" {
					whole = bytewise(strings.Join(path[r.depth:], "/"))
				}
				text = whole
			}
			if (folder || !rule.folders) && rule.matches(text) {
				return !rule.back
			}
		}
	}
	return false
}
