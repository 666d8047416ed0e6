package render

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
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

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// ExpandTabs replaces every tab by the spaces up to the next tab stop, counted
// from the start of its line.
func ExpandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(expandTabsAt(line, 0))
	}
	return b.String()
}

// expandTabsAt expands the tabs of one line's text that starts at column col.
func expandTabsAt(s string, col int) string {
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
		n := tabStop - col%tabStop
		b.WriteString("    "[:n])
		col += n
		s = rest
	}
}
