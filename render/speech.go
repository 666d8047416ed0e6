package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"parley/render/text"
	"parley/timeline"
)

// Speech speaks a message as it comes: whole sentences, and lists, tables and code whole. The
// zero value has said nothing.
type Speech struct {
	said   string // of the source
	begun  bool
	looked int // length of the rest that was looked at last
	parser parser.Parser
}

// Next returns the lines of what can be said of a message and was not yet: all of it once the
// message has ended. A message that is no longer what it was is said anew.
func (s *Speech) Next(e *timeline.Entry, o ExportOptions) []string {
	m, ok := e.Body.(*timeline.Message)
	if !ok {
		return nil
	}
	source := m.Text.String()
	if !strings.HasPrefix(source, s.said) {
		*s = Speech{parser: s.parser}
	}
	rest, ended := source[len(s.said):], e.State.Final()
	n := len(rest)
	if !ended {
		n = s.sayable(rest)
	}
	var part timeline.Message
	part.Text.Set(rest[:n])
	if ended {
		part.Attachments = m.Attachments
	}
	spoken := *e
	spoken.Body = &part
	s.said = source[:len(s.said)+n]
	var lines []string
	if n > 0 || ended {
		lines = Speak(&spoken, o)
	}
	kind, first := spokenKind(e), !s.begun
	s.begun = s.begun || len(lines) > 0
	switch {
	case first:
	case len(lines) > 0 && (!ended || e.State == timeline.Done): // it was said what it is
		lines[0] = strings.TrimPrefix(lines[0], kind)
	case len(lines) == 0 && ended && e.State != timeline.Done: // nothing follows, and it is no end
		lines = []string{strings.TrimSuffix(kind, ": ")}
	}
	return lines
}

// eagerSpeech is the length up to which a rest is looked at whenever it grows; a longer one when
// it grew by a quarter.
const eagerSpeech = 2048

// sayable returns how many bytes of a text that grows can be said: those of its blocks that have
// ended, and of the sentences of a paragraph at its end.
func (s *Speech) sayable(rest string) int {
	if grown := len(rest) - s.looked; grown == 0 || grown > 0 && s.looked > eagerSpeech && grown < s.looked/4 {
		return 0
	}
	s.looked = len(rest)
	if tame(rest) != rest {
		return 0
	}
	if s.parser == nil {
		s.parser = newSplitter()
	}
	pieces := split(s.parser, rest, listState{}).pieces
	if len(pieces) == 0 {
		return 0
	}
	last := len(pieces) - 1
	for last > 0 && pieces[last].marker != 0 && pieces[last-1].marker == pieces[last].marker {
		last-- // of one list
	}
	n := 0
	if last > 0 {
		n = pieces[last].start
	}
	if kind := pieces[last].node.Kind(); pieces[last].marker == 0 && kind == ast.KindParagraph {
		n = max(n, pieces[last].start+sentences(rest[pieces[last].start:]))
	}
	if n > 0 {
		s.looked = 0
	}
	return n
}

// sentences returns the length of the sentences of a paragraph that have ended, with the blanks
// after them: another one has begun, and no mark of markdown is open. One that may be a table
// has none.
func sentences(paragraph string) (end int) {
	if strings.Contains(paragraph, "|") || text.Sanitize(paragraph) != paragraph {
		return 0
	}
	for i, r := range paragraph {
		if !strings.ContainsRune(".!?…", r) {
			continue
		}
		after := strings.TrimLeft(paragraph[i+utf8.RuneLen(r):], ".!?…\"'”’»)]*_`")
		next := strings.TrimLeft(after, " \n")
		if next == after || next == "" || abbreviates(paragraph[:i]) {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(next); unicode.IsLower(first) {
			continue
		}
		if to := len(paragraph) - len(next); closed(paragraph[end:to]) {
			end = to
		}
	}
	return end
}

// abbreviates reports whether a full stop after a text ends no sentence: after a letter alone,
// as in "e.g." and before a name, and after a number at the beginning of a line.
func abbreviates(before string) bool {
	word := before[strings.LastIndexAny(before, " \n(")+1:]
	word = word[strings.LastIndexByte(word, '.')+1:]
	return utf8.RuneCountInString(word) == 1 && unicode.IsLetter([]rune(word)[0]) ||
		strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " 0123456789") == ""
}

// closed reports whether every mark that is opened in a text is closed there.
func closed(s string) bool {
	for _, mark := range []string{"`", "**", "__", "~~"} {
		if strings.Count(s, mark)%2 != 0 {
			return false
		}
	}
	return (strings.Count(s, "*")-2*strings.Count(s, "**"))%2 == 0 &&
		strings.Count(s, "[") == strings.Count(s, "]") && strings.Count(s, "(") == strings.Count(s, ")")
}
