// Package mentions reads and writes the files and folders that a prompt mentions, as in
// @path.
package mentions

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"parley/session"
)

// Mention is a file or folder named in a prompt: @path, @path:10, @path:10-20,
// or in quotes, as in @"two words.txt":10. In quotes a backslash stands before
// a quote and a backslash, and \n, \t, \r and \x7f are bytes that cannot be
// typed. On Windows, where no name has such bytes, a backslash is a slash.
type Mention struct {
	From, To int    // byte offsets in the text, from the @ on
	Path     string // as it is on the disk, with slashes on every system; a folder's may end in one
	Lines    *session.LineRange
}

// Find returns the mentions in a text, in order. An @ inside a word, as in
// a mail address, is none, and punctuation after a path does not belong to it.
func Find(text string) []Mention {
	var out []Mention
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '@')
		if n < 0 {
			break
		}
		at := i + n
		i = at + 1
		if !Starts(text, at) {
			continue
		}
		m, ok := mentionFrom(text, at)
		if ok {
			out = append(out, m)
			i = m.To
		}
	}
	return out
}

// unspaced are the scripts that put no spaces between words, or few.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// Starts reports whether an @ there, or another sign such as #, is not inside a word.
func Starts(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	switch {
	case at == 0:
		return true
	case unicode.In(r, unspaced...):
		return true
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(`_.-+%@/\#&=`, r)
}

// mentionFrom reads the mention that an @ starts.
func mentionFrom(text string, at int) (m Mention, ok bool) {
	m.From = at
	rest := text[at+1:]
	if strings.HasPrefix(rest, `"`) {
		path, n, closed := unquote(rest)
		if !closed || path == "" {
			return m, false
		}
		m.Path, m.To = path, at+1+n
		if lines, n := lineSuffix(text[m.To:]); lines != nil {
			m.Lines, m.To = lines, m.To+n
		}
		return m, true
	}
	m.Path = trimPath(filepath.ToSlash(rest[:barePath(rest)]))
	m.To = at + 1 + len(m.Path)
	if i := lineSpec(m.Path); i > 0 {
		if m.Lines, _ = lineSuffix(m.Path[i:]); m.Lines != nil {
			m.Path = m.Path[:i]
		}
	}
	return m, m.Path != ""
}

// pathEnds are signs that a path without quotes does not have.
const pathEnds = "\"`,;<>|、。，！？：；（）「」『』【】《》“”‘’…"

// barePath is the length of what may be a path without quotes at the start of s.
func barePath(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		broken := r == utf8.RuneError && size == 1
		if broken || unicode.IsSpace(r) || !unicode.IsGraphic(r) || strings.ContainsRune(pathEnds, r) {
			return i
		}
		i += size
	}
	return len(s)
}

// trimPath takes the punctuation off that follows a path in a sentence. A
// bracket belongs to the path if it was opened there, as in "(group)".
func trimPath(path string) string {
	const opening, closing = "([{", ")]}"
	var unopened [len(closing)]int
	for i := range closing {
		unopened[i] = strings.Count(path, closing[i:i+1]) - strings.Count(path, opening[i:i+1])
	}
	for path != "" {
		last := len(path) - 1
		c := path[last]
		bracket := strings.IndexByte(closing, c)
		switch {
		case bracket >= 0 && unopened[bracket] > 0:
			unopened[bracket]--
		case c == '.' && (path == "." || path == ".." || strings.HasSuffix(path, "/.") || strings.HasSuffix(path, "/..")):
			return path
		case strings.IndexByte(".:!?'*_~", c) < 0:
			return path
		}
		path = path[:last]
	}
	return path
}

// lineSpec finds the lines at the end of a path: the offset of their colon; -1
// if the path names no lines.
func lineSpec(path string) int {
	// A compiler's "path:10:5" is line 10, so there may be two colons.
	for i, c := range path {
		if c != ':' {
			continue
		}
		if lines, n := lineSuffix(path[i:]); lines != nil && i+n == len(path) {
			return i
		}
	}
	return -1
}

// lineReference is ":10", ":10-20" or ":10:5".
var lineReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^:(\d{1,9})(?:-(\d{1,9})|:(\d{1,9}))?`) })

// lineSuffix reads ":10", ":10-20" or ":10:5" at the start of s; nil if s
// begins with none of them, or it is no span of lines.
func lineSuffix(s string) (lines *session.LineRange, n int) {
	found := lineReference().FindStringSubmatch(s)
	if found == nil {
		return nil, 0
	}
	start, _ := strconv.Atoi(found[1]) // it is digits
	end, err := strconv.Atoi(found[2])
	if err != nil { // one line
		end = start
	}
	if start == 0 || end < start {
		return nil, 0
	}
	return &session.LineRange{Start: start, End: end}, len(found[0])
}

// escapes reports whether a backslash in quotes is one: on Windows it separates folders.
const escapes = filepath.Separator != '\\'

// unquote reads a quoted path at the start of s. n is its length with the
// quotes.
func unquote(s string) (path string, n int, closed bool) {
	if !escapes {
		path, _, closed = strings.Cut(s[1:], `"`)
		path, _, broken := strings.Cut(path, "\n")
		return filepath.ToSlash(path), len(path) + len(`""`), closed && !broken
	}
	var b strings.Builder
	for rest := s[1:]; rest != "" && rest[0] != '\n'; {
		if rest[0] == '"' {
			return b.String(), len(s) - len(rest) + 1, true
		}
		c, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		switch {
		case rest[0] != '\\', err != nil: // a backslash before anything else is one
			b.WriteByte(rest[0])
			tail = rest[1:]
		case multibyte:
			b.WriteRune(c)
		default:
			b.WriteByte(byte(c))
		}
		rest = tail
	}
	return b.String(), len(s), false
}

// Text is the mention of a path, in quotes when it needs them. A folder
// ends in a slash.
func Text(path string, dir bool) string {
	path = filepath.ToSlash(path)
	if dir && !strings.HasSuffix(path, "/") {
		path += "/"
	}
	// Brackets that may follow must not be taken for a part of the path.
	if m, ok := mentionFrom("@"+path+")]}", 0); ok && m.Path == path && m.To == len(path)+1 && m.Lines == nil {
		return "@" + path
	}
	if !escapes {
		return `@"` + path + `"`
	}
	return "@" + strconv.QuoteToGraphic(path)
}

// maxMention is how far before the caret a mention may start, in bytes.
const maxMention = 4096

// At returns the mention that is being typed at an offset: what stands
// between its @ and the caret, as a path, and the part of the text that what is
// chosen takes the place of. Not ok once lines or a closing quote are
// typed.
func At(text string, offset int) (query string, from, to int, ok bool) {
	offset = min(max(0, offset), len(text))
	start := max(strings.LastIndexByte(text[:offset], '\n')+1, offset-maxMention)
	for at := offset; ; {
		at = strings.LastIndexByte(text[start:at], '@') + start
		if at < start {
			return "", 0, 0, false
		}
		if !Starts(text, at) {
			continue
		}
		typed := text[at+1 : offset]
		if strings.HasPrefix(typed, `"`) {
			path, _, closed := unquote(typed)
			to = offset
			if strings.HasPrefix(text[offset:], `"`) {
				to++
			}
			return path, at, to, !closed
		}
		if barePath(typed) == len(typed) {
			return filepath.ToSlash(typed), at, offset, lineSpec(typed) < 0
		}
	}
}
