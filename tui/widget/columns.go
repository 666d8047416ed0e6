package widget

import (
	"strings"

	"parley/render/text"
	"parley/theme"
)

// Cell is a text in a column.
type Cell struct {
	Token theme.Token
	Text  string
	Width int
}

// Cells draws texts side by side, each wrapped in its column.
func Cells(th *theme.Theme, row ...Cell) []string {
	columns, height := make([][]string, len(row)), 0
	for i, c := range row {
		columns[i] = text.Wrap(text.SanitizeLine(c.Text), max(1, c.Width))
		height = max(height, len(columns[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		line, to := Indent, 0 // to is where the column begins
		for i, c := range row {
			if y < len(columns[i]) && columns[i][y] != "" {
				s := strings.TrimRight(columns[i][y], " ")
				line += Blank(Margin+to-text.Width(line)) + th.Render(c.Token, s)
			}
			to += c.Width + ColumnGap
		}
		lines[y] = line
	}
	return lines
}
