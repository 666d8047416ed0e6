package render

import (
	"strings"

	"parley/render/text"
	"parley/theme"
)

// drawCode draws lines of code as a style does, cut where the width ends so that
// nothing is lost. Rows that continue a line have a mark before them, so that
// they are not taken for lines.
func drawCode(lines [][]text.Span, width int, th *theme.Theme) []string {
	indent, look := "", th.Markdown()
	if n := codeIndent(look); width >= 4*n {
		indent = strings.Repeat(" ", n)
		width -= n
	}
	mark := ""
	if width >= narrowest {
		mark = th.Render(theme.Dim, th.Glyph(theme.MarkWrapped)) + " "
	}
	var out []string
	for _, line := range lines {
		for i, row := range text.HardWrapSpans(line, width, text.Width(mark)) {
			switch {
			case len(row) == 0:
				out = append(out, "")
			case i == 0:
				out = append(out, indent+text.DrawSpans(row, look.CodeTheme))
			default:
				out = append(out, indent+mark+text.DrawSpans(row, look.CodeTheme))
			}
		}
	}
	return out
}

// codeIndent is the indentation of code inside the text column.
func codeIndent(look *theme.Markdown) int {
	n := uint(0)
	for _, part := range []*uint{look.CodeBlock.Margin, look.CodeBlock.Indent} {
		if part != nil {
			n += *part
		}
	}
	return int(n) //nolint:gosec // bounded by the theme
}
