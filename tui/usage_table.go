package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// usageRow is a number of each model, and of all of them.
type usageRow struct {
	label string
	cell  func(u timeline.Usage) string
	hides bool // where it is zero everywhere
}

// table is a row for each number, with a column for each model and, if there are
// several, one for all of them. The first row names the columns.
func (r usageReport) table() [][]string {
	if len(r.columns) == 0 {
		return nil
	}
	names := []string{""}
	for _, c := range r.columns {
		names = append(names, c.name)
	}
	rows := [][]string{names}
	for _, row := range r.rows() {
		cells := []string{row.label}
		some := !row.hides
		for _, c := range r.columns {
			cell := row.cell(c.Usage)
			some = some || cell != "0"
			cells = append(cells, cell)
		}
		if some {
			rows = append(rows, append(cells, row.cell(r.total)))
		}
	}
	if slices.ContainsFunc(r.columns, func(c usageColumn) bool { return c.Timed > 0 }) {
		rows = append(rows, r.times())
	}
	rows = append(rows, r.initiators()...)
	rows[0] = append(rows[0], "total")
	if len(r.columns) == 1 {
		for i := range rows {
			rows[i] = rows[i][:2]
		}
	}
	return rows
}

func (r usageReport) rows() []usageRow {
	count := func(n func(u timeline.Usage) int) func(timeline.Usage) string {
		return func(u timeline.Usage) string { return text.Number(n(u)) }
	}
	return []usageRow{
		{"calls", count(func(u timeline.Usage) int { return u.Requests }), false},
		{"tokens in", count(func(u timeline.Usage) int { return u.Input }), false},
		{"  read from cache", count(func(u timeline.Usage) int { return u.Cached }), false},
		{"  written to cache", count(func(u timeline.Usage) int { return u.Written }), true},
		{"tokens out", count(func(u timeline.Usage) int { return u.Output }), false},
		{"  for reasoning", count(func(u timeline.Usage) int { return u.Thought }), true},
		{r.unit, func(u timeline.Usage) string { return text.Amount(u.Cost) }, true},
		{"AI credits", func(u timeline.Usage) string { return credits(u.NanoAIU) }, true},
	}
}

// times is how long the calls took: at least, where not each says it.
func (r usageReport) times() []string {
	cells := []string{"API time"}
	for _, c := range r.columns {
		switch {
		case c.Timed == 0:
			cells = append(cells, "-")
		case c.Timed < c.Usage.Requests:
			cells = append(cells, "> "+brief(c.Usage.APITime))
		default:
			cells = append(cells, brief(c.Usage.APITime))
		}
	}
	return append(cells, brief(r.total.APITime))
}

// brief is a duration with a tenth of a second where that matters.
func brief(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return text.Duration(d)
}

// initiators are who started how many of the calls, as far as that is known.
func (r usageReport) initiators() [][]string {
	var names []string
	for _, c := range r.columns {
		for _, i := range c.Initiators {
			if !slices.Contains(names, i.Name) {
				names = append(names, i.Name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { // the user first
		switch timeline.ByUser {
		case a:
			return -1
		case b:
			return 1
		}
		return strings.Compare(a, b)
	})
	var rows [][]string
	for _, name := range names {
		rows = append(rows, r.startedBy(initiatorName(name), func(c usageColumn) int { return c.started(name) }))
	}
	unknown := func(c usageColumn) int {
		known := 0
		for _, i := range c.Initiators {
			known += i.Calls
		}
		return max(0, c.Usage.Requests-known)
	}
	if len(rows) > 0 && slices.ContainsFunc(r.columns, func(c usageColumn) bool { return unknown(c) > 0 }) {
		rows = append(rows, r.startedBy("unknown", unknown))
	}
	return rows
}

// startedBy is the row of one who starts calls.
func (r usageReport) startedBy(who string, calls func(c usageColumn) int) []string {
	cells, total := []string{"started by " + who}, 0
	for _, c := range r.columns {
		cells = append(cells, text.Number(calls(c)))
		total += calls(c)
	}
	return append(cells, text.Number(total))
}

func (c usageColumn) started(by string) int {
	for _, i := range c.Initiators {
		if i.Name == by {
			return i.Calls
		}
	}
	return 0
}

// initiatorName is who started calls, in words.
func initiatorName(name string) string {
	switch name {
	case timeline.ByUser:
		return "you"
	case "sub-agent":
		return "sub-agents"
	case "agent":
		return "the agent"
	}
	return name
}

// costs are the items that the calls of each model cost: a table with a row for
// each kind of tokens at one price. The first row names the columns.
func (r usageReport) costs() [][]string {
	rows := [][]string{{"Cost", "tokens", "credits per batch", "credits"}}
	for _, c := range r.columns {
		for _, i := range c.Items {
			price := "not known"
			if i.BatchSize > 0 {
				price = credits(i.Price) + " per " + text.Number(i.BatchSize)
			}
			what := c.name + ": " + strings.ReplaceAll(i.Type, "_", " ")
			rows = append(rows, []string{what, text.Number(i.Tokens), price, credits(i.NanoAIU)})
		}
	}
	if len(rows) == 1 {
		return nil
	}
	return rows
}

// credits writes billionths of AI credits with the digits that matter.
func credits(nano float64) string {
	switch f := nano / timeline.NanoAIUPerCredit; {
	case f == 0:
		return "0"
	case f < 0.0001:
		return "< 0.0001"
	case f < 1:
		return strings.TrimRight(strconv.FormatFloat(f, 'f', 4, 64), "0")
	default:
		return text.Amount(f)
	}
}

// widestName is how much of the name of a column is shown at most.
const widestName = 28

// drawGrid draws a table whose first row is its heading: the first column to the
// left, the others to the right. Columns without room follow below, each time
// with the first column.
func drawGrid(th *theme.Theme, rows [][]string, width int) []string {
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
			lines = append(lines, gridRow(th, row, widths, first, last, width, y == 0))
		}
		first = last
	}
	return lines
}

// gridRow draws the first cell of a row and those from first to before last.
func gridRow(th *theme.Theme, row []string, widths []int, first, last, width int, heading bool) string {
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
