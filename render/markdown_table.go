package render

import (
	"slices"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	extast "github.com/yuin/goldmark/extension/ast"

	"parley/render/text"
	"parley/theme"
)

// columnGap is the room between two columns: a bar and a blank on each side.
const columnGap = 3

// narrowColumn is the width below which a column that has to shrink cannot be
// read; the table is then drawn as records.
const narrowColumn = 8

// grid is a table with its cells drawn. The first row is the header.
type grid struct {
	rows   [][]string
	align  []extast.Alignment
	widths []int // of the widest line in each column
}

// table draws a table. Columns that do not fit shrink and wrap; where that
// leaves too little, each row becomes a record of "header: value" lines.
func (d *drawer) table(n *extast.Table, width int) []string {
	g := d.grid(n)
	widths, ok := shrink(g.widths, width-columnGap*(len(g.widths)-1))
	if !ok {
		return d.records(g, width)
	}
	return d.columns(g, widths)
}

func (d *drawer) grid(n *extast.Table) grid {
	g := grid{align: n.Alignments, widths: make([]int, len(n.Alignments))}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		style := gansi.StylePrimitive{}
		if row.Kind() == extast.KindTableHeader {
			style = unmarked(d.look.Strong)
		}
		cells := make([]string, len(g.widths))
		i := 0
		for c := row.FirstChild(); c != nil && i < len(cells); c = c.NextSibling() {
			cells[i] = d.inline(c, d.look.Table.StylePrimitive, style)
			for line := range strings.Lines(cells[i]) {
				g.widths[i] = max(g.widths[i], text.Width(strings.TrimRight(line, "\n")))
			}
			i++
		}
		g.rows = append(g.rows, cells)
	}
	return g
}

// shrink fits column widths into the room for all: the widest give first. It
// fails if a column would have to be narrower than can be read.
func shrink(natural []int, room int) (widths []int, ok bool) {
	sorted := slices.Sorted(slices.Values(natural))
	left, limit := room, 0
	for i, w := range sorted {
		limit = left / (len(sorted) - i)
		if w > limit {
			break
		}
		left -= w
		limit = w
	}
	widths = slices.Clone(natural)
	for i, w := range widths {
		if w > limit && limit < narrowColumn {
			return nil, false
		}
		widths[i] = max(min(w, limit), 1)
	}
	sum := 0
	for _, w := range widths {
		sum += w
	}
	return widths, sum <= room
}

// columns draws a table as rows of cells, with a rule under the header and, if
// a cell has several lines, between the rows.
func (d *drawer) columns(g grid, widths []int) []string {
	line := separator(d.look.Table.RowSeparator, d.th.Glyph(theme.MarkBoundary))
	cross := separator(d.look.Table.CenterSeparator, d.th.Glyph(theme.MarkCross))
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat(line, w)
	}
	rule := d.line(strings.Join(parts, line+cross+line))
	bar := " " + d.line(separator(d.look.Table.ColumnSeparator, d.th.Glyph(theme.MarkQuote))) + " "
	var rows [][]string
	tall := false
	for _, cells := range g.rows {
		rows = append(rows, tableRow(cells, widths, g.align, bar))
		tall = tall || len(rows[len(rows)-1]) > 1
	}
	var out []string
	for i, lines := range rows {
		if i == 1 || i > 1 && tall {
			out = append(out, rule)
		}
		out = append(out, lines...)
	}
	if len(rows) == 1 {
		out = append(out, rule)
	}
	return out
}

// separator is the separator of a style, or another if it has none of one cell.
func separator(of *string, other string) string {
	if of != nil && text.Width(*of) == 1 {
		return *of
	}
	return other
}

func tableRow(cells []string, widths []int, align []extast.Alignment, bar string) []string {
	columns := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		columns[i] = text.Wrap(c, widths[i])
		height = max(height, len(columns[i]))
	}
	out := make([]string, height)
	for y := range out {
		var b strings.Builder
		for i, lines := range columns {
			line := ""
			if y < len(lines) {
				line = lines[y]
			}
			room := widths[i] - text.Width(line)
			before := 0
			switch align[i] {
			case extast.AlignRight:
				before = room
			case extast.AlignCenter:
				before = room / 2
			case extast.AlignLeft, extast.AlignNone:
			}
			if i > 0 {
				b.WriteString(bar)
			}
			b.WriteString(strings.Repeat(" ", before) + line)
			if i+1 < len(columns) {
				b.WriteString(strings.Repeat(" ", room-before))
			}
		}
		out[y] = strings.TrimRight(b.String(), " ")
	}
	return out
}

// records draws each row of a table as "header: value" lines. A table of one
// row is its header.
func (d *drawer) records(g grid, width int) []string {
	header := g.rows[0]
	if len(g.rows) == 1 {
		return text.Wrap(strings.Join(header, ", "), width)
	}
	indent := strings.Repeat(" ", 2)
	if width < narrowest {
		indent = ""
	}
	var out []string
	for i, cells := range g.rows[1:] {
		if i > 0 {
			out = append(out, "")
		}
		for j, c := range cells {
			if strings.TrimSpace(c) == "" {
				continue
			}
			lines := text.Wrap(header[j]+": "+c, width-len(indent))
			out = append(out, lines[0])
			if len(lines) > 1 {
				rest := strings.TrimPrefix(strings.Join(lines[1:], "\n"), "\n")
				out = append(out, prefixed(strings.Split(rest, "\n"), indent, indent)...)
			}
		}
	}
	return out
}
