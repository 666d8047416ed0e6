package text

import (
	"strings"
	"unicode/utf8"
)

// ChunkBytes is the size of a run: the piece of a plain text that is drawn as
// one unit, some sixty lines of output. Pieces are found by position and not
// by counting lines, so that a text of any size can be entered anywhere.
const ChunkBytes = 4096

// Chunks returns the number of runs of s: at least 1, and 0 for nothing. The
// last run ends with the text; the borders of all others are final, whatever
// is appended.
func Chunks(s string) int {
	if s == "" {
		return 0
	}
	return max(1, (len(s)-ChunkBytes/2)/ChunkBytes+1)
}

// Chunk returns run i of s without the line end it closes with. Runs begin after
// a line end, or inside a line that has none for half a run, but never inside
// a character or an escape sequence of usual length.
func Chunk(s string, i int) string { return strings.TrimSuffix(ChunkWithEnd(s, i), "\n") }

// ChunkWithEnd is Chunk with its line end.
func ChunkWithEnd(s string, i int) string {
	end := len(s)
	if i+1 < Chunks(s) {
		end = ChunkStart(s, i+1)
	}
	return s[ChunkStart(s, i):end]
}

// ChunkStart is where run i begins. It looks at no more than half a run.
func ChunkStart(s string, i int) int {
	if i == 0 {
		return 0
	}
	p := i * ChunkBytes
	if n := strings.IndexByte(s[p:p+ChunkBytes/2], '\n'); n >= 0 {
		return p + n + 1
	}
	const sequence = 32
	if esc := strings.LastIndexByte(s[p-sequence:p], '\x1b'); esc >= 0 {
		return p - sequence + esc
	}
	for !utf8.RuneStart(s[p]) && p > i*ChunkBytes-utf8.UTFMax {
		p--
	}
	return p
}

// LastLines returns the last n lines of s, or fewer: it looks at no more than
// ChunkBytes for each. Blank lines at the end do not count.
func LastLines(s string, n int) string {
	s = strings.TrimRight(s[:len(s)-min(LineEnds(s), ChunkBytes)], " ")
	start := len(s)
	for range n {
		from := max(0, start-ChunkBytes)
		nl := strings.LastIndexByte(s[from:start], '\n')
		if nl < 0 {
			start = from
			for start < len(s) && start > 0 && !utf8.RuneStart(s[start]) {
				start++
			}
			break
		}
		start = from + nl
	}
	return strings.TrimPrefix(s[start:], "\n")
}

// FirstLines returns the first n lines of s, or fewer, within ChunkBytes.
func FirstLines(s string, n int) string {
	if len(s) > ChunkBytes {
		s = CutBytes(s, ChunkBytes)
	}
	end := 0
	for range n {
		nl := strings.IndexByte(s[end:], '\n')
		if nl < 0 {
			return s
		}
		end += nl + 1
	}
	return strings.TrimSuffix(s[:end], "\n")
}

// CutBytes returns the first n bytes of s, less a character that would be torn.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// LineEnds is the length of the line ends and carriage returns that s ends
// with.
func LineEnds(s string) int { return len(s) - len(strings.TrimRight(s, "\r\n")) }

// LineCounter counts the lines of a text that grows at its end, each part once.
type LineCounter struct {
	seen string
	ends int
}

// Lines returns the number of lines of s without blank ones at its end. When s
// continues what was seen before only the rest is looked at: comparing a
// string with a prefix of itself is one comparison of pointers.
func (t *LineCounter) Lines(s string) int {
	if !strings.HasPrefix(s, t.seen) {
		*t = LineCounter{}
	}
	t.ends += strings.Count(s[len(t.seen):], "\n")
	t.seen = s
	tail := LineEnds(s)
	if tail == len(s) {
		return 0
	}
	return t.ends - strings.Count(s[len(s)-tail:], "\n") + 1
}
