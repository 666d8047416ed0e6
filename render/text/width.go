package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// cells is how the whole program counts: by grapheme clusters, ambiguous
// characters are narrow, escape sequences take no room.
var cells = displaywidth.Options{ControlSequences: true}

// Width returns the number of terminal cells of s, plain or styled. It is the
// only measure of the program. Tabs and line ends count nothing: expand and
// split before.
func Width(s string) int { return cells.String(s) }

// Truncate cuts s, plain or styled, to at most width cells. When something is
// cut off, tail ends the result and counts in its width; a tail wider than the
// width is left out. Styles that are open at the cut are closed after it.
func Truncate(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width && !strings.Contains(s, "\x1b") {
		return s
	}
	if Width(tail) > width {
		tail = ""
	}
	return cells.TruncateString(s, width, tail)
}

// TabStop is the distance of tab stops in cells.
const TabStop = 4

// ExpandTabs replaces every tab by the spaces up to the next tab stop, counted
// from the start of its line.
func ExpandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(ExpandTabsAt(line, 0))
	}
	return b.String()
}

// ExpandTabsAt expands the tabs of one line's text that starts at column col.
func ExpandTabsAt(s string, col int) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(s, "\t")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		col += Width(text)
		n := TabStop - col%TabStop
		b.WriteString("    "[:n])
		col += n
		s = rest
	}
}

// SplitEmoji leaves out of emoji what joins them into one, changes their skin or
// chooses their form. A terminal that does not count by grapheme clusters gives
// the parts cells of their own, as Width does then: else what stands beside them,
// such as the next column of a table, would be moved.
func SplitEmoji(s string) string {
	if !strings.ContainsFunc(s, joinsEmoji) {
		return s
	}
	var b strings.Builder
	for g := graphemes.FromString(s); g.Next(); {
		v := g.Value()
		if r, n := utf8.DecodeRuneInString(v); n < len(v) && !unicode.IsLetter(r) && !joinsEmoji(r) {
			v = strings.Map(func(r rune) rune {
				if joinsEmoji(r) {
					return -1
				}
				return r
			}, v)
		}
		b.WriteString(v)
	}
	return b.String()
}

// FirstOfEmoji leaves of an emoji of several parts the first, and blanks for the other
// cells that Width counts: for lines that are laid out already and a terminal that does
// not count by grapheme clusters. Sequences in them stay as they are.
func FirstOfEmoji(s string) string {
	if !strings.Contains(s, "\u200d") && !strings.Contains(s, "\ufe0f") && !strings.Contains(s, skinTones) {
		return s
	}
	var b strings.Builder
	for g := graphemes.FromString(s); g.Next(); {
		v := g.Value()
		if r, n := utf8.DecodeRuneInString(v); n < len(v) && !unicode.IsLetter(r) && strings.ContainsFunc(v[n:], joinsEmoji) {
			v = v[:n] + strings.Repeat(" ", max(0, Width(v)-Width(v[:n])))
		}
		b.WriteString(v)
	}
	return b.String()
}

// skinTones is what the modifiers of the skin begin with, as bytes.
const skinTones = "\xf0\x9f\x8f"

// joinsEmoji reports whether r is the joiner, the selector of the coloured form or
// a modifier of the skin (UTS 51).
func joinsEmoji(r rune) bool {
	return r == '\u200d' || r == '\ufe0f' || r >= '\U0001f3fb' && r <= '\U0001f3ff'
}
