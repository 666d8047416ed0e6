package timeline

import (
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MatchMode is how a Matcher takes the text of a query.
type MatchMode uint8

// The modes.
const (
	MatchPlain      MatchMode = iota // nothing in it could mean anything but itself
	MatchExpression                  // a regular expression
	MatchLiteral                     // it was asked to stand for itself
	MatchInvalid                     // it stands for itself, as it is no valid expression
)

// MatchCase is what the case of letters means to a Matcher.
type MatchCase uint8

// The cases.
const (
	SmartCase MatchCase = iota // a capital letter in the query makes it matter
	ExactCase                  // it matters
	AnyCase                    // it does not
)

// maxExpression bounds what is read as an expression, in bytes: no
// user types more, and compiling costs a multiple of the length.
const maxExpression = 1 << 10

// Matcher finds the matches of a query. An expression has the syntax of RE2
// (https://github.com/google/re2/wiki/Syntax) and matches within a line. A match is
// never empty and none overlaps another. A Matcher never changes and is safe for
// concurrent use.
type Matcher struct {
	mode    MatchMode
	exact   bool           // the case of letters matters
	needles []needle       // one of them is in every match, or expr has no such
	expr    *regexp.Regexp // nil: the one needle is all there is to a match
}

// NewMatcher returns a matcher for what was typed, which stands for itself if
// literal is true.
func NewMatcher(text string, literal bool, letters MatchCase) *Matcher {
	m := &Matcher{exact: letters == ExactCase}
	switch special := strings.ContainsAny(text, `\.+*?()|[]{}^$`); {
	case literal && special:
		m.mode = MatchLiteral
	case !special:
	case m.compile(text, letters):
		m.mode = MatchExpression
		return m
	default:
		m.mode = MatchInvalid
	}
	if letters == SmartCase {
		m.exact = strings.ContainsFunc(text, unicode.IsUpper)
	}
	m.needles = []needle{newNeedle(text, !m.exact)}
	return m
}

// Mode is how the text of the query was taken.
func (m *Matcher) Mode() MatchMode { return m.mode }

// Exact reports whether the case of letters matters.
func (m *Matcher) Exact() bool { return m.exact }

// compile reads the text as an expression and reports whether it is one.
func (m *Matcher) compile(text string, letters MatchCase) bool {
	if len(text) > maxExpression {
		return false
	}
	if before, ok := strings.CutSuffix(text, "|"); ok && !strings.HasSuffix(before, `\`) {
		text = before // the other choice is still to be typed: as it is, it would match anywhere
	}
	if letters == SmartCase {
		m.exact = capital(text)
	}
	if !m.exact {
		text = "(?i)" + text
	}
	expr, err := regexp.Compile(text)
	if err != nil {
		return false
	}
	tree, _ := syntax.Parse(text, syntax.Perl) // as regexp.Compile has
	m.needles = required(tree)
	if tree.Op != syntax.OpLiteral {
		m.expr = expr
	}
	return true
}

// capital reports whether an expression has a capital letter that stands for
// itself, and not for a class such as \S or \pL.
func capital(expr string) bool {
	for escaped, class := false, false; expr != ""; {
		r, size := utf8.DecodeRuneInString(expr)
		expr = expr[size:]
		switch {
		case class:
			class = false
			if r == '{' {
				_, expr, _ = strings.Cut(expr, "}")
			}
		case escaped:
			escaped, class = false, r == 'p' || r == 'P'
		case r == '\\':
			escaped = true
		case unicode.IsUpper(r):
			return true
		}
	}
	return false
}

// required returns texts of which each match of an expression has one; none if
// nothing is known. They let a search skip lines without running the expression.
func required(re *syntax.Regexp) []needle {
	switch re.Op {
	case syntax.OpLiteral:
		return []needle{newNeedle(string(re.Rune), re.Flags&syntax.FoldCase != 0)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if found := required(sub); shortest(found) > shortest(best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			found := required(sub)
			if len(found) == 0 {
				return nil
			}
			all = append(all, found...)
		}
		return all
	default:
	}
	return nil
}

func shortest(needles []needle) int {
	if len(needles) == 0 {
		return 0
	}
	return len(slices.MinFunc(needles, func(a, b needle) int { return len(a.text) - len(b.text) }).text)
}

// Find returns the matches in a text, in order, as spans of bytes.
func (m *Matcher) Find(text string) [][2]int {
	var spans [][2]int
	if m.expr == nil {
		for from, to := range m.needles[0].each(text) {
			spans = append(spans, [2]int{from, to})
		}
		return spans
	}
	for at := range m.lines(text) {
		found, _ := m.inLine(text[at[0]:at[1]])
		for _, span := range found {
			spans = append(spans, [2]int{at[0] + span[0], at[0] + span[1]})
		}
	}
	return spans
}

// count returns the number of matches in a text, and how many bytes of work it
// was: running an expression over a byte counts one.
func (m *Matcher) count(text string) (n, work int) {
	work = len(text) / plainSpeed
	if m.expr == nil {
		for range m.needles[0].each(text) {
			n++
		}
		return n, work
	}
	for at := range m.lines(text) {
		found, cost := m.inLine(text[at[0]:at[1]])
		n += len(found)
		work += cost
	}
	return n, work
}

// plainSpeed is how many times faster than an expression a text is looked for.
const plainSpeed = 32

// lines yields where the lines are that may match, without their ends.
func (m *Matcher) lines(text string) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		next := make([]int, len(m.needles)) // where each is found next; before the line it is not known
		for at := 0; at < len(text); {
			hit := at
			if len(m.needles) > 0 {
				hit = len(text)
			}
			for i, n := range m.needles {
				if next[i] <= at {
					next[i] = at + n.index(text[at:])
				}
				hit = min(hit, next[i])
			}
			if hit == len(text) {
				return
			}
			from := at + strings.LastIndexByte(text[at:hit], '\n') + 1
			to := len(text)
			if i := strings.IndexByte(text[hit:], '\n'); i >= 0 {
				to = hit + i
			}
			at = to + 1
			if to > from && text[to-1] == '\r' {
				to--
			}
			if !yield([2]int{from, to}) {
				return
			}
		}
	}
}

// matchCost is what a match costs on top of finding it, in bytes of work.
const matchCost = 16

// inLine returns the matches of the expression in one line that are not empty,
// and what work it was.
func (m *Matcher) inLine(line string) (found [][]int, work int) {
	found = m.expr.FindAllStringIndex(line, -1)
	work = len(line) + matchCost*len(found)
	return slices.DeleteFunc(found, func(span []int) bool { return span[0] == span[1] }), work
}

// Narrows reports whether m is known to match only where before does: at the
// same place or around it.
func (m *Matcher) Narrows(before *Matcher) bool {
	if m.expr != nil || before.expr != nil {
		return false
	}
	n, old := &m.needles[0], &before.needles[0]
	return (old.fold || !n.fold) && old.index(n.text) < len(n.text)
}

// needle is a text to look for. With fold it is found whatever the case of its
// letters, as by Unicode's simple folding.
type needle struct {
	text  string
	fold  bool
	forms []string // of its first letter
	rest  string   // what follows that
}

func newNeedle(text string, fold bool) needle {
	n := needle{text: text, fold: fold, forms: []string{text}}
	if fold {
		r, size := utf8.DecodeRuneInString(text)
		n.forms, n.rest = []string{text[:size]}, text[size:]
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			n.forms = append(n.forms, string(f))
		}
	}
	return n
}

// index returns where the first match begins; the length of the text is none.
func (n *needle) index(s string) int {
	for from := range n.each(s) {
		return from
	}
	return len(s)
}

// each yields the matches in a text. It goes from one form of the first letter
// to the next, each found by the fastest means there is.
func (n *needle) each(s string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if n.text == "" {
			return
		}
		var few [4]int // no letter has more forms
		next := append(few[:0], make([]int, len(n.forms))...)
		for i := range next {
			next[i] = -1
		}
		for at := 0; ; {
			from, size := len(s), 0
			for i, form := range n.forms {
				if next[i] < at {
					if j := strings.Index(s[at:], form); j >= 0 {
						next[i] = at + j
					} else {
						next[i] = len(s)
					}
				}
				if next[i] < from {
					from, size = next[i], len(form)
				}
			}
			if from == len(s) {
				return
			}
			more, ok := foldedPrefix(s[from+size:], n.rest)
			if !ok {
				at = from + 1
				continue
			}
			if at = from + size + more; !yield(from, at) {
				return
			}
		}
	}
}

// foldedPrefix returns how many bytes of s are want in some case.
func foldedPrefix(s, want string) (size int, ok bool) {
	for i := 0; i < len(want); {
		if size == len(s) {
			return 0, false
		}
		a, b := s[size], want[i]
		if a < utf8.RuneSelf && b < utf8.RuneSelf {
			if a != b && (a^b != 0x20 || a|0x20 < 'a' || a|0x20 > 'z') {
				return 0, false
			}
			size++
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[size:])
		w, k := utf8.DecodeRuneInString(want[i:])
		if (r != w || s[size:size+n] != want[i:i+k]) && (r == w || !folds(r, w)) {
			return 0, false
		}
		size += n
		i += k
	}
	return size, true
}

// folds reports whether two letters are one in different case.
func folds(a, b rune) bool {
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}
