package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// The columns that everything is drawn in. Everything hangs on a margin that holds at
// most one mark; what belongs to a tool call stands two cells further in;
// numbers stand at the right edge. Below NarrowBelow columns they move under the
// text or go away.
const (
	MarginCells = 2
	NarrowBelow = 60
	TinyBelow   = 40
)

// Margin is the width of the margin at a width: it gives way before the text
// does.
func Margin(width int) int { return min(MarginCells, max(0, width-1)) }

// Room is what is left of a line for text after the margin.
func Room(width int) int { return max(1, width-Margin(width)) }

// Nested is the indentation of what belongs to the line above it.
func Nested(width int) int {
	if width < TinyBelow {
		return Margin(width)
	}
	return 2 * MarginCells
}

// MarginMark draws a mark in the margin.
func MarginMark(th *theme.Theme, width int, tok theme.Token, m theme.Mark) string {
	n := Margin(width)
	if n == 0 {
		return ""
	}
	return th.Render(tok, th.Glyph(m)) + Spaces(n-1)
}

// HangingIndent puts first before the first line and blank space before the others, in
// place. Empty lines stay empty, but for a mark.
func HangingIndent(first string, lines []string, indent int) []string {
	blank := Spaces(indent)
	for i, l := range lines {
		switch {
		case i == 0 && (l != "" || first != blank):
			lines[i] = first + l
		case l != "":
			lines[i] = blank + l
		}
	}
	return lines
}

// WrapStyled returns text wrapped to width, each line in the style of tok.
func WrapStyled(th *theme.Theme, tok theme.Token, text string, width int) []string {
	lines := Wrap(text, max(1, width))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = th.Render(tok, l)
	}
	return out
}

// Cut shortens a line at its end.
func Cut(th *theme.Theme, s string, width int) string {
	return Truncate(s, width, ellipsis(th, width))
}

// CutMiddle shortens a path in its middle: its end says most, its beginning
// says where.
func CutMiddle(th *theme.Theme, s string, width int) string {
	if Width(s) <= width {
		return s
	}
	dots := ellipsis(th, width)
	keep := max(0, width-Width(dots))
	head := Truncate(s, keep/3, "")
	drop := Width(s) - (keep - Width(head))
	tail := ansi.TruncateLeft(s, drop, "")
	for Width(tail) > keep-Width(head) {
		drop++
		tail = ansi.TruncateLeft(s, drop, "")
	}
	return head + dots + tail
}

func ellipsis(th *theme.Theme, width int) string {
	if e := th.Glyph(theme.MarkEllipsis); Width(e) < width {
		return e
	}
	return ""
}

// FoldedLines is the line that stands for n lines that are not shown.
func FoldedLines(th *theme.Theme, width, n, indent int, what string) string {
	text := th.Glyph(theme.MarkFolded) + " " + Count(n, what+" line")
	return Spaces(indent) + th.Render(theme.Dim, Cut(th, text, max(1, width-indent)))
}

// Clip is the last guard: whatever was drawn, no line is wider than width.
func Clip(lines []string, width int) []string {
	for i, l := range lines {
		if len(l) > width && Width(l) > width {
			lines[i] = Truncate(l, width, "")
		}
	}
	return lines
}

// Spaces returns n spaces, none if n is negative.
func Spaces(n int) string { return strings.Repeat(" ", max(0, n)) }
