package sessions

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// excerptSize is how long an excerpt is at most, in bytes.
const excerptSize = 240

// excerpt is the line of a text with the most of the words, or the part of it with
// the first hit.
func excerpt(q Query, words []*queryTerm, text string) (string, [][2]int) {
	line, most := "", 0
	var folded []byte
	for l := range lines(text) {
		folded = fold(append(folded[:0], ' '), l)
		n, all := 0, 0
		for _, s := range words {
			if s.Not {
				continue
			}
			all++
			if s.inName(string(folded)) {
				n++
			}
		}
		if n > most {
			line, most = l, n
		}
		if n > 0 && n == all {
			break
		}
	}
	line = strings.TrimSpace(line)
	if len(line) > excerptSize {
		line = around(line, q.Matches(line))
	}
	spans := q.Matches(line)
	if len(spans) == 0 {
		return "", nil
	}
	return line, spans
}

// lines are those of a text; one that is very long comes in pieces.
func lines(text string) iter.Seq[string] {
	const most = 4 << 10
	return func(yield func(string) bool) {
		for l := range strings.Lines(text) {
			for len(l) > most {
				end := strings.LastIndexByte(l[:most], ' ') + 1
				end = max(end, most/2)
				for !utf8.RuneStart(l[end]) {
					end++
				}
				if !yield(l[:end]) {
					return
				}
				l = l[end:]
			}
			if !yield(l) {
				return
			}
		}
	}
}

// around is the part of a line with the first of its hits, from blank to blank
// where there are some near.
func around(line string, hits [][2]int) string {
	from := 0
	if len(hits) > 0 {
		from = max(0, hits[0][0]-excerptSize/4)
	}
	to := min(len(line), from+excerptSize)
	if len(hits) > 0 {
		to = min(len(line), max(to, hits[0][1]))
	}
	if from > 0 {
		if i := strings.IndexByte(line[from:hits[0][0]], ' '); i >= 0 {
			from += i + 1
		}
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	return strings.TrimSpace(line[from:to])
}
