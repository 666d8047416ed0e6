package sessions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/settings/didyoumean"
)

// needs is what the value of a field is.
func needs(k Kind) string {
	switch k {
	case Number:
		return "a number"
	case Duration:
		return "a time with its unit"
	case Moment:
		return "a date"
	default:
		return "a value"
	}
}

// read takes a value over, or says what is wrong with it and what to write.
func (f *Filter) read(field *Field, value string, now time.Time) (what, instead string) {
	ok := true
	switch field.Kind {
	case Part:
		f.Value = value
	case Choices:
		var v Value
		if v, ok = field.value(value); !ok {
			return fmt.Sprintf("%s: knows no %q", field.Name, clip(value)), field.offer(value)
		}
		f.Value = v.Name
	case Number:
		f.Number, ok = number(value)
	case Duration:
		f.Number, ok = seconds(value)
	case Moment:
		f.Op = AtLeast
		if field.Name == "before" {
			f.Op = Less
		}
		f.Time, ok = moment(value, now)
		if !ok {
			return fmt.Sprintf("%s: %q is no date", field.Name, clip(value)),
				fmt.Sprintf("such as %[1]s:2026-11-01, %[1]s:yesterday or %[1]s:7d", field.Name)
		}
	}
	if !ok {
		return field.Name + ": needs " + needs(field.Kind), "such as " + field.example()
	}
	return "", ""
}

// offer asks for the nearest of the values, or lists them.
func (f *Field) offer(typed string) string {
	names := make([]string, len(f.Values))
	for i, v := range f.Values {
		names[i] = v.Name
	}
	best := didyoumean.Nearest(typed, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, strings.ToLower(typed)) }); i >= 0 {
		best = names[i]
	}
	if best != "" {
		return fmt.Sprintf("did you mean %s:%s?", f.Name, best)
	}
	last := len(names) - 1
	return "it has " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// number reads digits with a point at most, and k or M.
func number(text string) (float64, bool) {
	times := 1.0
	switch {
	case strings.HasSuffix(text, "k"), strings.HasSuffix(text, "K"):
		times = 1e3
	case strings.HasSuffix(text, "M"), strings.HasSuffix(text, "m"):
		times = 1e6
	}
	if times > 1 {
		text = text[:len(text)-1]
	}
	const most = 15 // digits that a float64 holds exactly
	if len(text) > most || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n * times, err == nil
}

// seconds reads such as 90s, 10m, 1h30m, to the millisecond.
func seconds(text string) (float64, bool) {
	d, err := time.ParseDuration(strings.ToLower(text))
	if err != nil || d < 0 || text == "0" || strings.HasPrefix(text, "+") {
		return 0, err == nil && d == 0
	}
	return float64(d.Milliseconds()) / 1000, true
}

// moment reads a point of time, in the location of now. Dates are their begin.
func moment(text string, now time.Time) (time.Time, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	day := func(months, days int) time.Time {
		return time.Date(now.Year(), now.Month()+time.Month(months), now.Day()+days, 0, 0, 0, 0, now.Location())
	}
	switch text {
	case "today":
		return day(0, 0), true
	case "yesterday":
		return day(0, -1), true
	case "now":
		return now.Truncate(time.Second), true
	}
	for d := range 7 {
		if strings.ToLower(time.Weekday(d).String()) == text {
			return day(0, -(int(now.Weekday())-d+7)%7), true
		}
	}
	for _, layout := range []string{time.DateOnly, "2006-01", "2006", "2006-01-02t15:04", "2006-01-02t15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, inCalendar(t)
		}
	}
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err == nil {
		t = t.In(now.Location()).Truncate(time.Second)
		return t, inCalendar(t)
	}
	return ago(strings.TrimSpace(strings.TrimSuffix(text, "ago")), now, day)
}

// ago reads how long ago something was: hours and minutes to the second, longer
// times to the day.
func ago(text string, now time.Time, day func(months, days int) time.Time) (time.Time, bool) {
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.Atoi(digits)
	const most = 100_000
	if err != nil || n < 0 || n > most || digits[0] == '+' {
		return time.Time{}, false
	}
	var t time.Time
	switch unit := strings.TrimSpace(text[len(digits):]); {
	case slices.Contains([]string{"m", "min", "minutes", "minute"}, unit):
		t = now.Add(-time.Duration(n) * time.Minute).Truncate(time.Second)
	case slices.Contains([]string{"h", "hours", "hour"}, unit):
		t = now.Add(-time.Duration(n) * time.Hour).Truncate(time.Second)
	case slices.Contains([]string{"d", "days", "day"}, unit):
		t = day(0, -n)
	case slices.Contains([]string{"w", "weeks", "week"}, unit):
		t = day(0, -7*n)
	case slices.Contains([]string{"mo", "months", "month"}, unit):
		t = day(-n, 0)
	case slices.Contains([]string{"y", "years", "year"}, unit):
		t = day(-12*n, 0)
	}
	return t, inCalendar(t)
}

// inCalendar reports whether a date can be written with four digits of the year.
func inCalendar(t time.Time) bool { return t.Year() > 1 && t.Year() < 9999 }
