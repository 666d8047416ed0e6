package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
)

// measure is one of the numbers of a sum, and how it is written.
type measure struct {
	name  string
	value func(sessions.Sum) float64
	write func(float64) string
}

// measures are the numbers that charts are about, the most useful first.
func measures() []measure {
	whole := func(f float64) string { return text.Number(int(f)) }
	short := func(f float64) string { return text.Tokens(int(f)) }
	return []measure{
		{"tokens", func(s sessions.Sum) float64 { return float64(s.Tokens.Total()) }, short},
		{"requests", func(s sessions.Sum) float64 { return s.Cost }, requests},
		{"sessions", func(s sessions.Sum) float64 { return float64(s.Sessions) }, whole},
		{"calls", func(s sessions.Sum) float64 { return float64(s.Calls) }, whole},
	}
}

// chart are rows that have a label, a graphic, and numbers below their heads.
type chart struct {
	title   string
	heads   []string
	rows    []chartRow
	columns bool      // the values of a row are a line of columns, else a bar
	ends    [2]string // what is written below the two ends of the graphics
}

type chartRow struct {
	label   string
	values  []float64
	numbers []string
}

// frame is where the parts of charts that stand below each other are.
type frame struct{ label, graphic, numbers int }

const (
	// numberColumn is the width of a number, and of the space before it.
	numberColumn = 10
	// widestGraphic is the most cells of a graphic.
	widestGraphic = 62
	// mostShares is how many parts of a sum are listed one by one.
	mostShares = 8
)

// newFrame finds the places for the parts of charts.
func newFrame(charts []chart, width int) frame {
	f := frame{numbers: 1}
	for _, least := range []int{60, 96, 110} {
		if width >= least {
			f.numbers++
		}
	}
	for _, c := range charts {
		for _, r := range c.rows {
			f.label = max(f.label, text.Width(r.label))
		}
	}
	f.label = min(f.label, max(6, width/4))
	f.graphic = min(widestGraphic, max(1, width-f.label-columnGap-f.numbers*numberColumn))
	return f
}

// lines draws a chart.
func (c chart) lines(f frame, th *theme.Theme) []string {
	var out []string
	line := func(label string, token theme.Token, graphic string, cells int, numbers []string) {
		label = text.Truncate(label, f.label, th.Glyph(theme.MarkEllipsis))
		var b strings.Builder
		b.WriteString(drawn(th, token, label) + strings.Repeat(" ", f.label-text.Width(label)+columnGap))
		b.WriteString(graphic + strings.Repeat(" ", max(0, f.graphic-cells)))
		for _, n := range numbers[:min(len(numbers), f.numbers)] {
			b.WriteString(strings.Repeat(" ", max(1, numberColumn-text.Width(n))) + drawn(th, token, n))
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	title := c.title
	if per := together(len(c.rows[0].values), f.graphic); per > 1 {
		title = fmt.Sprintf("Per %d days", per)
	}
	line("", theme.Dim, "", 0, c.heads)
	blank := f.label + columnGap
	out[0] = th.Render(theme.Heading, title) + strings.TrimPrefix(out[0], strings.Repeat(" ", min(blank, text.Width(title))))
	most := 0.0
	for _, r := range c.rows {
		if !c.columns {
			most = max(most, r.values[0])
		}
	}
	for _, r := range c.rows {
		graphic, cells := r.graphic(c.columns, most, f.graphic, th)
		line(r.label, theme.Text, graphic, cells, r.numbers)
	}
	if c.ends != ([2]string{}) {
		room := min(f.graphic, columnsOf(c.rows[0].values, f.graphic))
		out = append(out, strings.Repeat(" ", blank)+th.Render(theme.Dim, between(c.ends, room, f.graphic)))
	}
	return out
}

// graphic draws the values of a row. most is what a bar of all cells stands for;
// each line of columns is drawn by its own measure.
func (r chartRow) graphic(line bool, most float64, room int, th *theme.Theme) (text string, cells int) {
	if !line {
		if most == 0 || r.values[0] == 0 {
			return "", 0
		}
		n := max(1, int(r.values[0]/most*float64(room)+0.5))
		return th.Render(theme.Accent, strings.Repeat(th.Glyph(theme.MarkBar), n)), n
	}
	values := squeezed(r.values, room)
	each := columnsOf(r.values, room) / len(values)
	levels, all := th.Levels(), slices.Max(values)
	var b strings.Builder
	for _, v := range values {
		glyph := " "
		if v > 0 {
			glyph = levels[min(len(levels)-1, int(v/all*float64(len(levels))))]
		}
		b.WriteString(strings.Repeat(glyph, each))
	}
	return th.Render(theme.Accent, b.String()), each * len(values)
}

// together is how many values are added up where there is room for so many.
func together(values, room int) int { return (values + room - 1) / room }

// squeezed adds values up so that there are no more than there is room for.
func squeezed(values []float64, room int) []float64 {
	per := together(len(values), room)
	if per <= 1 {
		return values
	}
	out := make([]float64, (len(values)+per-1)/per)
	for i, v := range values {
		out[i/per] += v
	}
	return out
}

// columnsOf is how many cells values take: each of them up to three.
func columnsOf(values []float64, room int) int {
	n := len(squeezed(values, room))
	return n * min(3, room/n)
}

// between writes two words at the ends of a room, or the second below the first
// where they do not fit: then it is as wide as it may be.
func between(ends [2]string, room, most int) string {
	if ends[0] == ends[1] {
		return ends[0]
	}
	need := text.Width(ends[0]) + 1 + text.Width(ends[1])
	if need > most {
		return ends[0]
	}
	room = max(room, need)
	return ends[0] + strings.Repeat(" ", room-need+1) + ends[1]
}

// perDay is what was used day by day, a row for each measure.
func perDay(days []sessions.Share) chart {
	c := chart{title: "Per day", columns: true, heads: []string{"total", "top day"}}
	if len(days) == 0 {
		return c
	}
	c.ends = [2]string{plain(days[0].Name), plain(days[len(days)-1].Name)}
	for _, m := range measures() {
		values, total := make([]float64, len(days)), 0.0
		for i, d := range days {
			values[i] = m.value(d.Sum)
			total += values[i]
		}
		if total > 0 {
			c.rows = append(c.rows, chartRow{m.name, values, []string{m.write(total), m.write(slices.Max(values))}})
		}
	}
	return c
}

// byShare is a sum taken apart by what its parts belong to, those with the most
// first, and the others together.
func byShare(of string, shares []sessions.Share, about []measure) chart {
	var said []measure
	for _, m := range about {
		if slices.ContainsFunc(shares, func(s sessions.Share) bool { return m.value(s.Sum) > 0 }) {
			said = append(said, m)
		}
	}
	c := chart{title: of}
	if len(said) == 0 {
		return c
	}
	shares = slices.Clone(shares)
	slices.SortStableFunc(shares, func(a, b sessions.Share) int { return cmp.Compare(said[0].value(b.Sum), said[0].value(a.Sum)) })
	for _, m := range said {
		c.heads = append(c.heads, m.name)
	}
	row := func(label string, shares []sessions.Share) {
		r := chartRow{label: label}
		for i, m := range said {
			sum := 0.0
			for _, s := range shares {
				sum += m.value(s.Sum)
			}
			if r.numbers = append(r.numbers, m.write(sum)); i == 0 {
				r.values = []float64{sum}
			}
		}
		c.rows = append(c.rows, r)
	}
	for i, s := range shares {
		if i == mostShares-1 && len(shares) > mostShares {
			row(fmt.Sprintf("%d others", len(shares)-i), shares[i:])
			break
		}
		row(cmp.Or(plain(shortDir(s.Name)), "none"), shares[i:i+1])
	}
	return c
}
