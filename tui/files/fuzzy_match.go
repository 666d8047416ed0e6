package files

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/junegunn/fzf/src/algo"
	"github.com/junegunn/fzf/src/util"
)

// letters is a set of the letters in a text, whatever their case: a bit each, that some
// share. A text that lacks a letter of a query cannot match it.
type letters uint64

func lettersOf(text string) (set letters) {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return ^letters(0) // it may match a letter without an accent
		}
		set |= 1 << ((text[i] | ' ') % 64)
	}
	return set
}

// pattern is what is looked for, as fzf takes it.
type pattern struct {
	runes     []rune
	letters   letters
	exactCase bool
	plain     bool // letters with accents match without them
	folded    *[utf8.RuneSelf]rune
}

// fzfReady prepares fzf's tables for paths. They are fzf's own package state;
// this is done once, before they are first read.
var fzfReady = sync.OnceValue(func() bool { return algo.Init("path") })

// Fuzzy is how well a text matches a word as names match in Find, and the parts
// that match, as byte offsets; 0 if it does not match, or the word is "".
//
// All matching goes through this package: the tables of fzf are the state of
// its package, and are prepared here before they are read.
func Fuzzy(text, word string) (score int, spans [][2]int) {
	if utf8.RuneCountInString(word) > maxQuery {
		return 0, nil
	}
	p := newPattern(word)
	score, ok := p.score([]byte(text), nil)
	if !ok {
		return 0, nil
	}
	return score, p.spans(nil, []byte(text), 0)
}

// newPattern takes case into account when there is an upper case letter in the
// query, and accents when there is one.
func newPattern(query string) pattern {
	fzfReady()
	p := pattern{exactCase: strings.IndexFunc(query, unicode.IsUpper) >= 0}
	if !p.exactCase {
		query = strings.ToLower(query)
	}
	p.runes = []rune(query)
	for _, r := range p.runes {
		if r < utf8.RuneSelf {
			p.letters |= lettersOf(string(r))
		}
	}
	p.plain = string(algo.NormalizeRunes(p.runes)) == query
	p.folded = new([utf8.RuneSelf]rune)
	for r := range p.folded {
		p.folded[r] = p.fold(rune(r))
	}
	return p
}

// part is a part of the pattern, without its set of letters.
func (p *pattern) part(from, to int) pattern {
	return pattern{runes: p.runes[from:to], exactCase: p.exactCase, plain: p.plain}
}

// before is how many runes of the pattern are left over when as many as
// possible of its end match text, in their order.
func (p *pattern) before(text []byte) int {
	k := len(p.runes)
	for i := len(text); i > 0 && k > 0; {
		i--
		r := rune(text[i])
		if r < utf8.RuneSelf {
			r = p.folded[r]
		} else {
			last, size := utf8.DecodeLastRune(text[:i+1])
			r, i = p.fold(last), i+1-size
		}
		if r == p.runes[k-1] {
			k--
		}
	}
	return k
}

// fold is a rune of a text as fzf compares it.
func (p *pattern) fold(r rune) rune {
	if !p.exactCase {
		r = unicode.To(unicode.LowerCase, r)
	}
	if p.plain {
		r = algo.NormalizeRunes([]rune{r})[0]
	}
	return r
}

// The most that fzf gives: 16 for a letter, 9 for one that starts a word, twice
// for the first.
const (
	letterScore = 16
	startScore  = 9
)

// ceiling is the highest score of a pattern of n runes.
func ceiling(n int) int {
	if n == 0 {
		return 0
	}
	return n*(letterScore+startScore) + startScore
}

// score is how well the pattern matches text.
func (p *pattern) score(text []byte, slab *util.Slab) (score int, ok bool) {
	chars := util.ToChars(text)
	r, _ := algo.FuzzyMatchV2(p.exactCase, p.plain, true, &chars, p.runes, false, slab)
	return r.Score, r.Start >= 0
}

// spans appends the parts of text that the pattern matches, as byte offsets in a path
// in which the text begins at an offset. Parts that touch are one.
func (p *pattern) spans(spans [][2]int, text []byte, offset int) [][2]int {
	chars := util.ToChars(text)
	_, at := algo.FuzzyMatchV2(p.exactCase, p.plain, true, &chars, p.runes, true, nil)
	if at == nil {
		return spans
	}
	matched := make(map[int]bool, len(*at))
	for _, n := range *at {
		matched[n] = true
	}
	for i, n := 0, 0; i < len(text); n++ {
		_, size := utf8.DecodeRune(text[i:])
		from, to := offset+i, offset+i+size
		switch {
		case !matched[n]:
		case len(spans) > 0 && spans[len(spans)-1][1] == from:
			spans[len(spans)-1][1] = to
		default:
			spans = append(spans, [2]int{from, to})
		}
		i += size
	}
	return spans
}

// newSlab is working memory for a pattern; one goroutine may use it at a time.
func newSlab() *util.Slab { return util.MakeSlab(32<<10, 4<<10) }

// cutLast splits a query after its last slash.
func cutLast(query string) (folder, name string) {
	i := strings.LastIndexByte(query, '/') + 1
	return query[:i], query[i:]
}
