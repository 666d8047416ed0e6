package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// The columns of the screen. Everything hangs on a margin that holds at
// most one mark; what belongs to a tool call stands two cells further in;
// numbers stand at the right edge. Below narrowBelow columns they move under the
// text or go away.
const (
	marginCells = 2
	verbCells   = 8
	tookCells   = 10
	narrowBelow = 60
	tinyBelow   = 40
)

// margin is the width of the margin at a width: it gives way before the text
// does.
func margin(width int) int { return min(marginCells, max(0, width-1)) }

// room is what is left of a line for text after the margin.
func room(o Options) int { return max(1, o.Width-margin(o.Width)) }

// nested is the indentation of what belongs to the line above it.
func nested(o Options) int {
	if o.Width < tinyBelow {
		return margin(o.Width)
	}
	return 2 * marginCells
}

// lead draws a mark in the margin.
func lead(o Options, tok theme.Token, m theme.Mark) string {
	n := margin(o.Width)
	if n == 0 {
		return ""
	}
	return o.Theme.Render(tok, o.Theme.Glyph(m)) + spaces(n-1)
}

// hang puts first before the first line and blank space before the others, in
// place. Empty lines stay empty, but for a mark.
func hang(first string, lines []string, indent int) []string {
	blank := spaces(indent)
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

// wrapped returns text wrapped to width, each line in the style of tok.
func wrapped(o Options, tok theme.Token, text string, width int) []string {
	lines := Wrap(text, max(1, width))
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = o.Theme.Render(tok, l)
	}
	return out
}

// joined puts a dim dot between spans.
func joined(th *theme.Theme, spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if s.Text == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, Span{" " + th.Glyph(theme.MarkDot) + " ", theme.Dim})
		}
		out = append(out, s)
	}
	return out
}

// spansWidth is the number of cells of spans.
func spansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += Width(s.Text)
	}
	return n
}

// cut shortens a line at its end.
func cut(o Options, s string, width int) string {
	return Truncate(s, width, ellipsis(o, width))
}

// cutMiddle shortens a path in its middle: its end says most, its beginning
// says where.
func cutMiddle(o Options, s string, width int) string {
	if Width(s) <= width {
		return s
	}
	dots := ellipsis(o, width)
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

func ellipsis(o Options, width int) string {
	if e := o.Theme.Glyph(theme.MarkEllipsis); Width(e) < width {
		return e
	}
	return ""
}

// folded is the line that stands for n lines that are not shown.
func folded(o Options, n, indent int, what string) string {
	text := o.Theme.Glyph(theme.MarkFolded) + " " + Count(n, what+" line")
	return spaces(indent) + o.Theme.Render(theme.Dim, cut(o, text, max(1, o.Width-indent)))
}

// clip is the last guard: whatever was drawn, no line is wider than width.
func clip(lines []string, width int) []string {
	for i, l := range lines {
		if len(l) > width && Width(l) > width {
			lines[i] = Truncate(l, width, "")
		}
	}
	return lines
}

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }
