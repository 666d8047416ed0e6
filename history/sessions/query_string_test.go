package sessions

import (
	"strconv"
	"strings"
	"time"
)

// String is the query as a line that ParseQuery reads as the same, at any time:
// filters first, times as dates.
func (q Query) String() string {
	parts := make([]string, 0, len(q.Words)+len(q.Filters))
	for _, f := range q.Filters {
		parts = append(parts, f.String())
	}
	for _, w := range q.Words {
		parts = append(parts, w.String())
	}
	return strings.Join(parts, " ")
}

// String is the word as it is written in a query.
func (w Word) String() string {
	text := w.Text
	if w.Exact {
		text = quoted(text)
		if w.Prefix {
			text += "*"
		}
	}
	return minus(w.Not) + text
}

// String is the filter as it is written in a query.
func (f Filter) String() string {
	name := minus(f.Not) + f.Field + ":"
	field, _ := fieldNamed(f.Field)
	switch field.Kind {
	case Moment:
		return name + writtenTime(f.Time)
	case Duration:
		return name + signs[f.Op] + writtenSeconds(f.Number)
	case Number:
		return name + signs[f.Op] + strconv.FormatFloat(f.Number, 'f', -1, 64)
	default:
		return name + valued(f.Value)
	}
}

func minus(not bool) string {
	if not {
		return "-"
	}
	return ""
}

// writtenSeconds is what seconds reads.
func writtenSeconds(n float64) string {
	switch {
	case n >= 3600 && n == float64(int64(n/3600))*3600:
		return strconv.FormatInt(int64(n/3600), 10) + "h"
	case n >= 60 && n == float64(int64(n/60))*60:
		return strconv.FormatInt(int64(n/60), 10) + "m"
	}
	return strconv.FormatFloat(n, 'f', -1, 64) + "s"
}

// writtenTime is what moment reads: a date where the time begins one.
func writtenTime(t time.Time) string {
	if y, m, d := t.Date(); t.Equal(time.Date(y, m, d, 0, 0, 0, 0, t.Location())) {
		return t.Format(time.DateOnly)
	}
	return t.UTC().Format(time.RFC3339)
}
