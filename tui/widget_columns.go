package tui

import (
	"strings"

	"parley/render"
	"parley/theme"
)

// cell is a text in a column.
type cell struct {
	token theme.Token
	text  string
	width int
}

// cells draws texts side by side, each wrapped in its column.
func cells(th *theme.Theme, row ...cell) []string {
	columns, height := make([][]string, len(row)), 0
	for i, c := range row {
		columns[i] = render.Wrap(render.SanitizeLine(c.text), max(1, c.width))
		height = max(height, len(columns[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		line, to := blank(margin), 0 // to is where the column begins
		for i, c := range row {
			if y < len(columns[i]) && columns[i][y] != "" {
				text := strings.TrimRight(columns[i][y], " ")
				line += blank(margin+to-render.Width(line)) + th.Render(c.token, text)
			}
			to += c.width + columnGap
		}
		lines[y] = line
	}
	return lines
}
