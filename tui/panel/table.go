package panel

import (
	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// widestName is how much of the name of a column is shown at most.
const widestName = 28

// DrawTable draws a table whose first row is its heading: the first column to the
// left, the others to the right. Columns without room follow below, each time
// with the first column.
func DrawTable(th *theme.Theme, rows [][]string, width int) []string {
	if len(rows) == 0 {
		return nil
	}
	widths := make([]int, len(rows[0]))
	for y, row := range rows {
		for x := range row {
			rows[y][x] = widget.Clip(row[x], width)
			if y == 0 {
				rows[y][x] = widget.Cut(th, rows[y][x], widestName)
			}
			widths[x] = max(widths[x], text.Width(rows[y][x]))
		}
	}
	widths[0] = min(widths[0], width/2)
	var lines []string
	for first := 1; first < len(widths); {
		last, used := first, widths[0]
		for last < len(widths) && (last == first || used+widget.ColumnGap+widths[last] <= width) {
			used += widget.ColumnGap + widths[last]
			last++
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		for y, row := range rows {
			lines = append(lines, tableRow(th, row, widths, first, last, width, y == 0))
		}
		first = last
	}
	return lines
}

// tableRow draws the first cell of a row and those from first to before last.
func tableRow(th *theme.Theme, row []string, widths []int, first, last, width int, heading bool) string {
	labelTok, cellTok := theme.Dim, theme.Text
	if heading {
		labelTok, cellTok = theme.Heading, theme.Heading
	}
	label := widget.Cut(th, row[0], widths[0])
	line := th.Render(labelTok, label) + widget.Blank(widths[0]-text.Width(label))
	for x := first; x < last; x++ {
		cell := widget.Cut(th, row[x], max(0, width-widths[0]-widget.ColumnGap))
		line += widget.Blank(widget.ColumnGap+widths[x]-text.Width(cell)) + th.Render(cellTok, cell)
	}
	return widget.Indent + text.Truncate(line, width, "")
}
