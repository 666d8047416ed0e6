package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Wrap breaks s, plain or styled, into lines of at most width cells: at spaces,
// between wide characters, before tokens of SanitizeShowHidden, and inside a word
// only if the word is wider than a line. Line ends of s stay, tabs are expanded, the indentation of a line stays
// in its first row, trailing blanks go. Each line opens and closes its own
// styles and links. A cluster wider than the width is drawn as "?".
func Wrap(s string, width int) []string { return closed(breakLines(s, width, wrapLine), true) }

// HardWrap breaks s, plain or styled, into lines of at most width cells and keeps
// all its characters, blanks included: for code and output.
func HardWrap(s string, width int) []string { return closed(breakLines(s, width, hardLine), false) }

// WrapKeepBlanks breaks s, plain or styled, into lines of at most width cells where
// Wrap would, and keeps all its characters: a blank ends a line.
func WrapKeepBlanks(s string, width int) []string {
	return closed(breakLines(s, width, wholeLine), false)
}

// breakLines applies a breaker to each line of s.
func breakLines(s string, width int, breaker func(lines []string, s string, width int) []string) []string {
	width = max(width, 1)
	s = ExpandTabs(s)
	var lines []string
	for {
		line, rest, more := strings.Cut(s, "\n")
		lines = breaker(lines, line, width)
		if !more {
			return lines
		}
		s = rest
	}
}

// Cluster returns the size in bytes and the width in cells of what comes first
// in s: a grapheme cluster or an escape sequence.
func Cluster(s string) (size, width int) {
	if plain(s) {
		return 1, 1
	}
	g := graphemes.FromString(s)
	g.AnsiEscapeSequences = true
	if !g.Next() {
		return 1, 0
	}
	v := g.Value()
	return len(v), Width(v)
}

// plain reports whether what comes first in s is an ASCII character by itself.
func plain(s string) bool {
	return s[0] >= 0x20 && s[0] < 0x7f && (len(s) == 1 || s[1] < 0x80)
}

// unit is cluster, but a token of SanitizeShowHidden that a line has room for is
// one.
func unit(s string, room int) (size, width int) {
	size, width = Cluster(s)
	if s[:size] != "⟦" {
		return size, width
	}
	i := size
	for i < len(s) && i < size+room && s[i] >= 0x20 && s[i] < 0x7f {
		i++
	}
	if !strings.HasPrefix(s[i:], "⟧") {
		return size, width
	}
	n, w := Cluster(s[i:])
	if all := width + i - size + w; all <= room {
		return i + n, all
	}
	return size, width
}

// narrow stands for a cluster that is wider than the whole line.
const narrow = "?"

// hardLine appends the pieces of one line, cut where the width ends.
func hardLine(lines []string, s string, width int) []string {
	if len(s) <= width {
		return append(lines, s)
	}
	s = fitClusters(s, width)
	start, col := 0, 0
	for i := 0; i < len(s); {
		n, w := unit(s[i:], width)
		if col+w > width {
			lines = append(lines, s[start:i])
			start, col = i, 0
		}
		col += w
		i += n
	}
	return append(lines, s[start:])
}

// fitClusters replaces clusters wider than width, which only a width of one
// cell can meet.
func fitClusters(s string, width int) string {
	if width > 1 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n, w := Cluster(s[i:])
		if w > width {
			b.WriteString(narrow)
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// wrapLine appends the rows of one line. It goes back to the last opportunity
// when a row is full, so each word is measured twice at most.
func wrapLine(lines []string, s string, width int) []string {
	if len(s) <= width && !strings.HasSuffix(s, " ") {
		return append(lines, s)
	}
	s = fitClusters(s, width)
	var row wrapRow
	for i := 0; i < len(s); {
		n, w, r := 1, 1, rune(s[i])
		if !plain(s[i:]) {
			n, w = unit(s[i:], width)
			r = first(s[i : i+n])
		}
		if r == ' ' && i == row.start && i > 0 { // blanks at a wrap vanish
			i++
			row.start = i
			continue
		}
		row.opportunity(i, r, w)
		if row.col+w > width && r != ' ' && r != '\x1b' && i > row.start {
			if row.cut <= row.start || !row.ink {
				row.cut, row.resume = i, i
			}
			lines = append(lines, s[row.start:row.cut])
			i = row.resume
			row = wrapRow{start: i}
			continue
		}
		row.take(r, w)
		i += n
	}
	return append(lines, strings.TrimRight(s[row.start:], " "))
}

// wholeLine appends the rows of one line, as wrapLine does, with all blanks.
func wholeLine(lines []string, s string, width int) []string {
	if len(s) <= width {
		return append(lines, s)
	}
	s = fitClusters(s, width)
	var row wrapRow
	for i := 0; i < len(s); {
		n, w := unit(s[i:], width)
		r := first(s[i : i+n])
		if row.last == ' ' && (row.ink || row.start > 0) || row.ink && w > 0 && r != ' ' && breakable(row.last, r, w) {
			row.cut = i
		}
		if row.col+w > width && i > row.start {
			if row.cut <= row.start {
				row.cut = i
			}
			lines = append(lines, s[row.start:row.cut])
			i = row.cut
			row = wrapRow{start: i}
			continue
		}
		row.take(r, w)
		i += n
	}
	return append(lines, s[row.start:])
}

// first is the rune that a cluster counts as. With a mark on it, a blank is a
// character like any other.
func first(cluster string) rune {
	r, n := utf8.DecodeRuneInString(cluster)
	if r == ' ' && n < len(cluster) {
		return '\u00a0'
	}
	return r
}

// wrapRow is the row that is being filled.
type wrapRow struct {
	start, col  int
	cut, resume int  // the last opportunity: the row ends, the next begins
	ink         bool // it has something other than blanks
	last        rune // before the next cluster
}

// opportunity notes whether the row may end before the cluster at i.
func (r *wrapRow) opportunity(i int, next rune, w int) {
	switch {
	case next == ' ':
		if r.last != ' ' {
			r.cut = i
		}
		r.resume = i + 1
	case w > 0 && r.ink && breakable(r.last, next, w):
		r.cut, r.resume = i, i
	}
}

func (r *wrapRow) take(next rune, w int) {
	if w > 0 {
		r.ink = r.ink || next != ' '
		r.last = next
	}
	r.col += w
}

// clinging are the characters that do not begin a row beside wide ones, apart from
// closing punctuation (JIS X 4051, line-start prohibition, in part).
const clinging = "、。，．：；！？・ー々ゝゞヽヾぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?…"

// breakable reports whether a row may end between prev and next, the first rune
// of a cluster w cells wide: wide characters need no space between them, but
// closing punctuation stays with what it closes and opening with what it opens.
func breakable(prev, next rune, w int) bool {
	if prev < 0x1100 && w < 2 || prev == ' ' {
		return false
	}
	if w < 2 && !IsWide(prev) {
		return false
	}
	if unicode.In(next, unicode.Pe, unicode.Pf) || strings.ContainsRune(clinging, next) {
		return false
	}
	return !unicode.In(prev, unicode.Ps, unicode.Pi)
}

// IsWide reports whether a character takes two cells.
func IsWide(r rune) bool { return r >= 0x1100 && cells.Rune(r) == 2 }
