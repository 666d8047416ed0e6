package search

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/tui/widget"
)

// stop is a match in the drawn lines of a unit.
type stop struct {
	line  int
	marks []lineMark
}

// stops are the matches in the lines of a unit, in order, with those that were
// broken in two where a line was, as width is.
func (s *Search) stops(lines []string, width int) []stop {
	var found []stop
	within := make([][][2]int, len(lines))
	for i, line := range lines {
		within[i] = s.matches(text.Unstyled(line))
		for _, span := range within[i] {
			found = append(found, stop{i, []lineMark{markOf(line, span)}})
		}
	}
	if len(lines) == 1 {
		return found
	}
	whole := len(found)
	for _, words := range []bool{true, false} {
		found = append(found, s.broken(lines, words, width, within)...)
	}
	if len(found) > whole {
		slices.SortStableFunc(found, func(a, b stop) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.marks[0].span[0], b.marks[0].span[0]))
		})
	}
	return found
}

// broken finds the matches that go over from one line to the next where lines
// were broken: between words, or in a line that is full. What overlaps a match
// within a line is none.
func (s *Search) broken(lines []string, words bool, width int, within [][][2]int) []stop {
	var (
		b      strings.Builder
		starts = make([]int, len(lines)) // of the lines in the whole
		ends   = make([]int, len(lines))
		skips  = make([]int, len(lines)) // what of a line is left out at its start
		texts  = make([]string, len(lines))
	)
	for i, line := range lines {
		text, at := body(line)
		texts[i] = strings.TrimRight(text, " ")
		skips[i] = at
	}
	for i, content := range texts {
		trimmed := strings.TrimLeft(content, " ")
		skips[i] += len(content) - len(trimmed)
		starts[i] = b.Len()
		b.WriteString(trimmed)
		ends[i] = b.Len()
		switch {
		case words:
			b.WriteByte(' ')
		case widget.Margin+text.Width(content) < width-1: // a wide letter may not have fitted
			b.WriteByte('\n')
		}
	}
	var found []stop
	for _, span := range s.matches(b.String()) {
		var one stop
		for i := sort.SearchInts(ends, span[0]+1); i < len(lines) && starts[i] < span[1]; i++ {
			from, to := max(span[0], starts[i]), min(span[1], ends[i])
			part := [2]int{from - starts[i] + skips[i], to - starts[i] + skips[i]}
			if slices.ContainsFunc(within[i], func(w [2]int) bool { return w[0] < part[1] && part[0] < w[1] }) {
				one.marks = nil
				break
			}
			if len(one.marks) == 0 {
				one.line = i
			}
			if from < to {
				one.marks = append(one.marks, markOf(lines[i], part))
			}
		}
		if len(one.marks) > 1 {
			found = append(found, one)
		}
	}
	return found
}

// lineMark is a part of a drawn line: bytes of its text behind the margin, which
// may show another mark later.
type lineMark struct {
	body string
	span [2]int
}

// body is the text of a drawn line behind the margin, and where that begins.
func body(line string) (s string, at int) {
	plain := text.Unstyled(line)
	s = ansi.TruncateLeft(plain, widget.Margin, "")
	return s, len(plain) - len(s)
}

// markOf is a part of a drawn line, given in bytes of its text.
func markOf(line string, span [2]int) lineMark {
	text, at := body(line)
	return lineMark{text, [2]int{span[0] - at, span[1] - at}}
}
