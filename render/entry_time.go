package render

import (
	"slices"
	"time"

	"parley/render/text"
	"parley/timeline"
)

// Times is how the time of an entry is shown at the right edge.
type Times uint8

// The ways to show a time.
const (
	TimesOff   Times = iota // not at all
	TimesClock              // the time of day
	TimesAgo                // how long it was before Options.Now, in minutes; the time of day where that is zero
	TimesFull               // the date and the time of day
)

// timesNames are the names of the ways, by their number.
var timesNames = [...]string{"off", "clock", "ago", "full"}

// String implements fmt.Stringer.
func (t Times) String() string { return timesNames[min(t, TimesFull)] }

// TimesNamed finds a form of times by its name.
func TimesNamed(name string) (Times, bool) {
	i := slices.Index(timesNames[:], name)
	return Times(max(i, 0)), i >= 0
}

// cells is the width that a time needs at most, with the space before it.
func (t Times) cells() int { return [...]int{0, 7, 11, 18}[min(t, TimesFull)] }

// clock formats a time as the options want it, or nothing.
func clock(t time.Time, o Options) string {
	switch {
	case o.Times == TimesOff || t.IsZero():
		return ""
	case o.Times == TimesFull:
		return local(t, o).Format("2006-01-02 15:04")
	case o.Times == TimesAgo && !o.Now.IsZero():
		return text.Ago(o.Now.Sub(t))
	}
	return local(t, o).Format("15:04")
}

// WithoutTime returns what was drawn of a unit without the time at the right edge, which is
// none of what was said.
func WithoutTime(e *timeline.Entry, unit int, lines []string, o Options) []string {
	prompt, timed := e.Body.(*timeline.Prompt)
	if timed = timed && prompt.Source == ""; !timed {
		_, timed = e.Body.(*timeline.Divider)
	}
	if !timed || unit != 0 || len(lines) == 0 || clock(e.At, o) == "" || o.Width < text.NarrowBelow {
		return lines
	}
	lines = slices.Clone(lines)
	lines[0] = text.Truncate(lines[0], text.Margin(o.Width)+promptRoom(o), "")
	return lines
}

func local(t time.Time, o Options) time.Time {
	if o.Location == nil {
		return t.UTC()
	}
	return t.In(o.Location)
}
