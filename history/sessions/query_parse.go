package sessions

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/settings/didyoumean"
)

// QueryError says what is wrong at a place of a query, and what to write there.
type QueryError struct {
	Span    [2]int // the bytes of the text that are meant
	What    string // such as `No filter "repos:"`
	Instead string // such as "did you mean repo:?"; "" for nothing to say
}

// Error implements error in one line.
func (e *QueryError) Error() string {
	switch {
	case e.Instead == "":
		return e.What
	case strings.HasSuffix(e.Instead, "?"):
		return e.What + ": " + e.Instead
	}
	return e.What + ", " + e.Instead
}

// queryLimit is how many bytes of a text are read as a query.
const queryLimit = 1 << 10

// ParseQuery reads a line of the query language; now is what relative times are
// seen from, and its location is the one of dates. The error is the first
// mistake, a *QueryError; beside it comes the query without what is not
// understood, so that a list that is searched while one types does not go away.
//
// Words are parted by blanks. Quotes hold words together, also those that are
// not closed yet; a quote between quotes is written twice. A minus before
// anything is a not, and two are a word such as --force. What is before a colon
// names a filter if it is made of letters only, and no blank, slash or further
// colon follows; any other word with a colon is a word. Only the filters that
// there are may have a blank after the colon. Words that begin so are always
// found, but for those between quotes.
func ParseQuery(text string, now time.Time) (Query, error) {
	p := &parser{text: text, now: now}
	if len(text) > queryLimit {
		p.text = text[:queryLimit]
		p.fail(queryLimit, len(text), "A query this long is not read to its end", "write fewer words")
	}
	for p.skipBlanks(); p.at < len(p.text); p.skipBlanks() {
		p.next()
	}
	if p.query.Empty() && p.signs[1] > 0 {
		what := clip(cleaned(p.text[p.signs[0]:p.signs[1]]))
		p.fail(p.signs[0], p.signs[1], fmt.Sprintf("%q has no letter and no digit that could be found", what), "")
	}
	if p.err != nil {
		return p.query, p.err
	}
	return p.query, nil
}

// parser goes through a text once.
type parser struct {
	text  string
	now   time.Time
	at    int
	query Query
	signs [2]int      // the last word that nothing can be found of
	err   *QueryError // the first
	// read is called with each filter and each word without quotes, for completion.
	read func(piece)
}

// piece is a part of a query: a filter, from where its value begins, or a word.
type piece struct {
	start, end int
	field      *Field // nil for a word
	value      string
}

func (p *parser) report(found piece) {
	if p.read != nil {
		p.read(found)
	}
}

func (p *parser) fail(start, end int, what, instead string) {
	if p.err == nil {
		p.err = &QueryError{Span: [2]int{start, end}, What: what, Instead: instead}
	}
}

// blank reports whether a character parts words: what is no text does, too.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError }

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) skipBlanks() { p.at = len(p.text) - len(strings.TrimLeftFunc(p.rest(), blank)) }

// next reads a word or a filter.
func (p *parser) next() {
	start, not := p.at, false
	if rest := p.rest(); negates(rest) {
		not = true
		p.at++
	} else if rest == "-" {
		p.at++ // of something that is not typed yet
		return
	}
	if strings.HasPrefix(p.rest(), `"`) {
		text, closed := p.quotes()
		prefix := !closed
		if closed && strings.HasPrefix(p.rest(), "*") {
			prefix = true
			p.at++
		}
		if strings.TrimSpace(text) != "" {
			p.word(start, Word{Text: text, Exact: true, Not: not, Prefix: prefix})
		}
		return
	}
	at := p.at
	word := p.plain()
	name, value, ok := filterName(word)
	if !ok {
		p.report(piece{start: at, end: p.at, value: word})
		p.word(start, Word{Text: word, Not: not, Prefix: true})
		return
	}
	field, known := fieldNamed(name)
	near := nearestField(name)
	switch {
	case known:
		p.at -= len(value)
		p.filter(start, field, not)
	case near != "":
		p.fail(start, p.at, fmt.Sprintf("No filter %q", name+":"), fmt.Sprintf("did you mean %s:?", near))
	case value != "":
		p.fail(start, p.at, fmt.Sprintf("No filter %q", name+":"), fmt.Sprintf("to find the text write %s", quoted(clip(word))))
	default:
		p.word(start, Word{Text: word, Not: not, Prefix: true})
	}
}

// negates reports whether a text begins with a minus that stands for not.
func negates(text string) bool {
	if len(text) < 2 || text[0] != '-' || text[1] == '-' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[1:])
	return !blank(r)
}

// word takes a word over. Signs between words have no meaning, as in what one pastes.
func (p *parser) word(start int, w Word) {
	if !strings.ContainsFunc(w.Text, tokenRune) {
		p.signs = [2]int{start, p.at}
		return
	}
	p.query.Words = append(p.query.Words, w)
}

// plain reads as far as the next blank.
func (p *parser) plain() string {
	rest := p.rest()
	end := strings.IndexFunc(rest, blank)
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

// quotes reads what is between quotes; without the second one that is the rest.
func (p *parser) quotes() (text string, closed bool) {
	var b strings.Builder
	p.at++
	for {
		part, after, found := strings.Cut(p.rest(), `"`)
		b.WriteString(part)
		p.at = len(p.text) - len(after)
		if !found || !strings.HasPrefix(after, `"`) {
			return cleaned(b.String()), found
		}
		b.WriteByte('"')
		p.at++
	}
}

// cleaned is a text without anything that is no text.
func cleaned(text string) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && blank(r) {
			return ' '
		}
		return r
	}, text)
}

// filterName parts a word at its colon, if that may be one of a filter: neither
// http://x nor C:\x nor foo::bar.
func filterName(word string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(word, ":")
	letters := strings.ToLower(name)
	if !ok || len(name) < 2 || strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", "", false
	}
	if _, known := fieldNamed(letters); !known && value != "" && strings.ContainsRune(`:/\`, rune(value[0])) {
		return "", "", false
	}
	return letters, value, true
}

// nearestField is the name of the field that a misspelt one may mean; "" for none.
func nearestField(typed string) string {
	var names []string
	for _, f := range fields {
		names = append(append(names, f.Name), f.Also...)
	}
	f, ok := fieldNamed(didyoumean.Nearest(typed, names))
	if !ok {
		return ""
	}
	return f.Name
}

// clip shortens what a message repeats.
func clip(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// filter reads the value of a field, from behind the colon.
func (p *parser) filter(start int, field *Field, not bool) {
	f := Filter{Field: field.Name, Not: not}
	colon := p.at
	p.skipBlanks()
	first := p.at
	if field.Kind == Number || field.Kind == Duration {
		f.Op = p.comparison()
		p.skipBlanks()
	}
	at := p.at
	value := ""
	switch rest := p.rest(); {
	case strings.HasPrefix(rest, `"`):
		value, _ = p.quotes()
	case !p.begins():
		value = p.plain()
	}
	if p.at == first {
		p.report(piece{start: colon, end: p.at, field: field})
	} else {
		p.report(piece{start: first, end: p.at, field: field, value: p.text[first:at] + value})
	}
	if strings.TrimSpace(value) == "" {
		end := len(strings.TrimRightFunc(p.text[:at], blank))
		p.fail(start, end, field.Name+": needs "+needs(field.Kind), "such as "+field.example())
		return
	}
	if what, instead := f.read(field, value, p.now); what != "" {
		p.fail(at, p.at, what, instead)
		return
	}
	p.query.Filters = append(p.query.Filters, f)
}

// comparison reads a sign, if there is one.
func (p *parser) comparison() Op {
	rest := p.rest()
	for _, op := range []Op{AtMost, AtLeast, Less, More} {
		if strings.HasPrefix(rest, signs[op]) {
			p.at += len(signs[op])
			return op
		}
	}
	if strings.HasPrefix(rest, "=") {
		p.at++
	}
	return Is
}

// begins reports whether another filter, or a not, begins where a value could:
// "repo: branch:main" gives repo no value.
func (p *parser) begins() bool {
	before, _ := utf8.DecodeLastRuneInString(p.text[:p.at])
	if !blank(before) {
		return false
	}
	here := p.at
	name, _, ok := filterName(p.plain())
	p.at = here
	_, known := fieldNamed(name)
	return ok && known || negates(p.rest())
}
