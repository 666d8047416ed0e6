package files

import (
	"bytes"
	"slices"
	"strings"
)

// rules are the ignore files of a folder, and of those it is in (gitignore(5)).
// They are checked by hand, a folder before what is in it, as git does: a path
// is held to a pattern as a whole, so a pattern that takes a folder back does
// not take back what is in it.
type rules struct {
	above *rules // of the folder it is in, if there are any
	depth int    // how many folders below the first
	list  []rule // the last one that matches counts
}

// rule is a line of an ignore file.
type rule struct {
	elements []string // of a path, "**" for any number of folders; one matches at any depth
	anchored bool     // the pattern has a slash: it holds from the folder of its file on
	back     bool     // the pattern takes back what one before it left out
	folders  bool     // only folders match
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

func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line = trimSpaces(line)
	line, r.back = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	if line == "" {
		return r, false
	}
	if r.anchored = strings.Contains(line, "/"); !r.anchored {
		r.elements = []string{line}
		return r, true
	}
	for _, element := range elements(strings.TrimPrefix(line, "/")) {
		if n := len(r.elements); element == "**" && n > 0 && r.elements[n-1] == "**" {
			continue
		}
		r.elements = append(r.elements, element)
	}
	if r.elements[len(r.elements)-1] == "**" { // all that is in a folder, and not the folder
		r.elements = append(r.elements, "*")
	}
	return r, true
}

// elements are a pattern's, between its slashes. A backslash before one means
// nothing, and one in a class is of the class, though no name has it.
func elements(pattern string) []string {
	var all []string
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern) && pattern[i+1] != '/':
			b.WriteString(pattern[i : i+2])
			i++
		case c == '\\' && i+1 < len(pattern):
		case c == '[':
			n, _ := matchClass(pattern[i:], 0)
			n = max(n, 1) // it is not closed
			b.WriteString(pattern[i : i+n])
			i += n - 1
		case c == '/':
			all = append(all, b.String())
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	return append(all, b.String())
}

// trimSpaces takes the spaces at the end of a line that no backslash keeps.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
			end = i + 1
		case line[i] != ' ':
			end = i + 1
		}
	}
	return line[:end]
}

// ignores reports whether a path is left out. The folders it is in are not.
func (r *rules) ignores(path []string, folder bool) bool {
	for ; r != nil; r = r.above {
		for i := len(r.list) - 1; i >= 0; i-- {
			if r.list[i].matches(path[r.depth:], folder) {
				return !r.list[i].back
			}
		}
	}
	return false
}

// matches holds a path, relative to the folder of the ignore file, to the rule.
func (r rule) matches(path []string, folder bool) bool {
	if r.folders && !folder {
		return false
	}
	if !r.anchored {
		return matchName(r.elements[0], path[len(path)-1])
	}
	return matchElements(r.elements, path)
}

// matchElements matches a whole path. When it fails, only the last "**" takes
// one more folder: what an earlier one could take, a later one can.
func matchElements(pattern, path []string) bool {
	p, stars, taken := 0, -1, 0
	for i := 0; i < len(path); {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			stars, taken = p, i
			p++
		case p < len(pattern) && matchName(pattern[p], path[i]):
			p++
			i++
		case stars >= 0:
			taken++
			p, i = stars+1, taken
		default:
			return false
		}
	}
	return p == len(pattern)
}

// matchName matches one element of a path, byte by byte as git does.
func matchName(pattern, name string) bool {
	p, star, taken := 0, -1, 0
	for i := 0; i < len(name); {
		if p < len(pattern) && pattern[p] == '*' {
			star, taken = p, i
			p++
			continue
		}
		n, ok := matchByte(pattern[p:], name[i])
		switch {
		case ok:
			p += n
			i++
		case star >= 0:
			taken++
			p, i = star+1, taken
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchByte matches c against the first sign of a pattern, which is n bytes
// long.
func matchByte(pattern string, c byte) (n int, ok bool) {
	switch {
	case pattern == "":
		return 0, false
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '[':
		return matchClass(pattern, c)
	case pattern[0] == '\\':
		return 2, len(pattern) > 1 && pattern[1] == c
	}
	return 1, pattern[0] == c
}

// matchClass matches c against the class that a pattern starts with, as in
// "[!a-z_]". One that is not closed matches nothing.
func matchClass(pattern string, c byte) (n int, ok bool) {
	i := 1
	not := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if not {
		i++
	}
	for first := i; i < len(pattern); {
		if pattern[i] == ']' && i > first {
			return i + 1, ok != not
		}
		if kind, rest, found := strings.Cut(pattern[i:], ":]"); found && strings.HasPrefix(kind, "[:") {
			ok = ok || inClass(kind[2:], c)
			i = len(pattern) - len(rest)
			continue
		}
		var low, high byte
		low, i = classByte(pattern, i)
		high = low
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			high, i = classByte(pattern, i+1)
		}
		ok = ok || low <= c && c <= high
	}
	return 0, false
}

// classByte reads a byte of a class, which a backslash may stand before.
func classByte(pattern string, i int) (c byte, next int) {
	if pattern[i] == '\\' && i+1 < len(pattern) {
		i++
	}
	return pattern[i], i + 1
}

// classes are the named classes of POSIX, as pairs of a first and a last byte.
var classes = map[string]string{
	"alnum":  "azAZ09",
	"alpha":  "azAZ",
	"blank":  "  \t\t",
	"cntrl":  "\x00\x1f\x7f\x7f",
	"digit":  "09",
	"graph":  "!~",
	"lower":  "az",
	"print":  " ~",
	"punct":  "!/:@[`{~",
	"space":  "  \t\r",
	"upper":  "AZ",
	"xdigit": "09afAF",
}

// inClass reports whether c is of a named class.
func inClass(name string, c byte) bool {
	for pair := range slices.Chunk([]byte(classes[name]), 2) {
		if pair[0] <= c && c <= pair[1] {
			return true
		}
	}
	return false
}
