package reporttext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/render/text"
	"parley/timeline"
)

// usageRow is a number of each model, and of all of them.
type usageRow struct {
	label string
	cell  func(u timeline.Usage) string
	hides bool // where it is zero everywhere
}

// table is a row for each number, with a column for each model and, if there are
// several, one for all of them. The first row names the columns.
func (r Usage) table() [][]string {
	if len(r.columns) == 0 {
		return nil
	}
	names := []string{""}
	for _, c := range r.columns {
		names = append(names, c.name)
	}
	rows := [][]string{names}
	for i, row := range r.rows() {
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
		if i == 0 { // they add up to it
			rows = append(rows, r.initiators()...)
		}
	}
	if slices.ContainsFunc(r.columns, func(c usageColumn) bool { return c.Timed > 0 }) {
		rows = append(rows, r.times())
	}
	rows[0] = append(rows[0], "total")
	if len(r.columns) == 1 {
		for i := range rows {
			rows[i] = rows[i][:2]
		}
	}
	return rows
}

func (r Usage) rows() []usageRow {
	count := func(n func(u timeline.Usage) int) func(timeline.Usage) string {
		return func(u timeline.Usage) string { return text.Number(n(u)) }
	}
	return []usageRow{
		{"requests", count(func(u timeline.Usage) int { return u.Requests }), false},
		{"tokens in", count(func(u timeline.Usage) int { return u.Input }), false},
		{"  read from cache", count(func(u timeline.Usage) int { return u.CacheRead }), false},
		{"  written to cache", count(func(u timeline.Usage) int { return u.CacheWrite }), true},
		{"tokens out", count(func(u timeline.Usage) int { return u.Output }), false},
		{"  for reasoning", count(func(u timeline.Usage) int { return u.Reasoning }), true},
		{r.unit, func(u timeline.Usage) string { return text.Amount(u.Cost) }, true},
		{"AI credits", func(u timeline.Usage) string { return credits(u.NanoAIU) }, true},
	}
}

// times is how long the calls took: at least, where not each says it.
func (r Usage) times() []string {
	cells := []string{"model time"}
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
func (r Usage) initiators() [][]string {
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
	return rows
}

func (r Usage) startedBy(who string, calls func(c usageColumn) int) []string {
	cells, total := []string{"  started by " + who}, 0
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
	known := map[string]string{timeline.ByUser: "you", "sub-agent": "sub-agents", "agent": "the agent"}
	return cmp.Or(known[name], name)
}

func (r Usage) costs() [][]string {
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
