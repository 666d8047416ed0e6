package session

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// timestamp is a time in the form of the runtime: RFC 3339 in UTC, to the
// millisecond if that is exact. It reads every form of ISO 8601.
type timestamp time.Time

// IsZero reports whether there is no time.
func (t timestamp) IsZero() bool { return time.Time(t).IsZero() }

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	layout := time.RFC3339Nano
	if utc := time.Time(t).UTC(); utc.Nanosecond()%int(time.Millisecond) == 0 {
		layout = "2006-01-02T15:04:05.000Z07:00"
	}
	return time.Time(t).UTC().AppendFormat(nil, layout), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. An empty text is the zero
// time.
func (t *timestamp) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*t = timestamp{}
		return nil
	}
	p, err := ParseTime(string(b))
	if err != nil {
		return err
	}
	*t = timestamp(p)
	return nil
}

// ParseTime reads a time in any form of ISO 8601, in UTC. One that JSON could not
// hold is an error.
func ParseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = parseISO8601(text)
	}
	if err != nil {
		return time.Time{}, err
	}
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}, ValueError(text + " is out of range")
	}
	return t, nil
}

// iso8601 has the groups year, week, weekday, day of the year, month, day, hour,
// minute, second, fraction, zone, zone hours, zone minutes.
var iso8601 = sync.OnceValue(func() *regexp.Regexp {
	const (
		date = `(\d{4})(?:-?[Ww](\d\d)(?:-?(\d))?|-?(\d{3})|-?(\d\d)(?:-?(\d\d))?)?`
		hour = `(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d{1,18}))?`
		zone = `([Zz]|[+\x{2212}-](\d\d)(?::?(\d\d))?)?`
	)
	return regexp.MustCompile(`^` + date + `(?:[Tt ]` + hour + ` ?` + zone + `)?$`)
})

// parseISO8601 reads the forms of ISO 8601 that RFC 3339 leaves out: basic forms,
// calendar, week and ordinal dates, parts that are missing at the end, a decimal
// fraction of the last part, and any zone. A time without a zone is in UTC.
func parseISO8601(text string) (time.Time, error) {
	errForm := ValueError(fmt.Sprintf("%.40q is not a time of ISO 8601", text))
	m := iso8601().FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, errForm
	}
	day, err := calendarDay(m)
	if err != nil {
		return time.Time{}, errForm
	}
	n := func(i int) time.Duration { v, _ := strconv.Atoi(m[i]); return time.Duration(v) } // digits or ""
	hour, minute, second := n(7), n(8), n(9)
	if hour > 24 || minute > 59 || second > 60 || hour == 24 && minute+second > 0 || n(12) > 23 || n(13) > 59 {
		return time.Time{}, errForm
	}
	last := time.Second
	switch {
	case m[8] == "":
		last = time.Hour
	case m[9] == "":
		last = time.Minute
	}
	fraction, _ := strconv.ParseFloat("0."+m[10], 64) // digits or ""
	offset := n(12)*time.Hour + n(13)*time.Minute
	if !strings.HasPrefix(m[11], "+") {
		offset = -offset
	}
	since := hour*time.Hour + minute*time.Minute + second*time.Second + time.Duration(fraction*float64(last))
	return day.Add(since - offset), nil
}

// calendarDay is the day that the date in the groups of iso8601 names. A part that
// is missing is the first.
func calendarDay(m []string) (time.Time, error) {
	switch {
	case m[4] != "":
		return time.Parse("2006-002", m[1]+"-"+m[4])
	case m[2] == "":
		return time.Parse(time.DateOnly, m[1]+"-"+cmp.Or(m[5], "01")+"-"+cmp.Or(m[6], "01"))
	}
	week, _ := strconv.Atoi(m[2]) // they are digits
	weekday, _ := strconv.Atoi(cmp.Or(m[3], "1"))
	fourth, err := time.Parse(time.DateOnly, m[1]+"-01-04") // is in week 1 (ISO 8601, week date)
	day := fourth.AddDate(0, 0, 7*(week-1)+weekday-1-(int(fourth.Weekday())+6)%7)
	if y, w := day.ISOWeek(); err == nil && (y != fourth.Year() || w != week || weekday < 1 || weekday > 7) {
		err = errors.New("no such day")
	}
	return day, err
}
