package sessions

import (
	"strings"

	"parley/render/text"
	"parley/theme"
)

// column is a column of a table. Its cells are safe text, a line each.
type column struct {
	head  string
	token theme.Token
	right bool // numbers stand below each other
	// least is the fewest cells that it is worth; 0 is all that its text needs.
	least int
	// rank says which one goes first where there is no room, the highest; 0 stays.
	rank  int
	cells []string
	// tokens are of single cells; nil is token for all.
	tokens []theme.Token

	width int
}

// gap is what stands between two columns.
const columnGap = 2

// fit gives columns their widths, and leaves out those for which there is no room,
// and those that say nothing. A width of 0 has room for all.
func fit(columns []column, width int) []column {
	var kept []column
	for _, c := range columns {
		said := false
		for _, cell := range c.cells {
			c.width = max(c.width, text.Width(cell))
			said = said || cell != ""
		}
		if c.width = max(c.width, text.Width(c.head)); width == 0 || said || c.rank == 0 {
			kept = append(kept, c)
		}
	}
	if width == 0 {
		return kept
	}
	for {
		need, last := -columnGap, -1
		for i, c := range kept {
			need += c.narrowest() + columnGap
			if c.rank > 0 && (last < 0 || c.rank > kept[last].rank) {
				last = i
			}
		}
		if need <= width || last < 0 {
			share(kept, width-need)
			return kept
		}
		kept = append(kept[:last:last], kept[last+1:]...)
	}
}

// narrowest is the fewest cells of a column.
func (c column) narrowest() int {
	if c.least == 0 {
		return c.width
	}
	return min(c.least, c.width)
}

// share gives the room that is left to the columns that could be wider, to the
// first of them up to twice as much before the others. Where there is less than no
// room, it takes it from them.
func share(columns []column, left int) {
	full := make([]int, len(columns))
	for i := range columns {
		full[i] = columns[i].width
		columns[i].width = columns[i].narrowest()
	}
	for _, times := range []int{2, 1000} {
		for i := range columns {
			if columns[i].least == 0 {
				continue
			}
			more := max(min(left, full[i]-columns[i].width, columns[i].least*times), min(left, 0), 1-columns[i].width)
			columns[i].width += more
			left -= more
		}
	}
}

// drawTable draws columns that have their widths, with their heads.
func drawTable(columns []column, th *theme.Theme) []string {
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c.cells))
	}
	out := make([]string, 0, rows+1)
	for row := -1; row < rows; row++ {
		var b strings.Builder
		for i, c := range columns {
			s, token := c.head, theme.Dim
			if row >= 0 {
				if s, token = c.cells[row], c.token; c.tokens != nil {
					token = c.tokens[row]
				}
			}
			s = text.Truncate(s, c.width, th.Glyph(theme.MarkEllipsis))
			pad := strings.Repeat(" ", max(0, c.width-text.Width(s)))
			if i > 0 {
				b.WriteString(strings.Repeat(" ", columnGap))
			}
			if c.right {
				b.WriteString(pad)
			}
			b.WriteString(drawn(th, token, s))
			if !c.right && i < len(columns)-1 {
				b.WriteString(pad)
			}
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// drawn is text in a style; "" if there is no text.
func drawn(th *theme.Theme, token theme.Token, text string) string {
	if text == "" {
		return ""
	}
	return th.Render(token, text)
}
