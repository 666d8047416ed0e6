package render

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

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

// WithoutTime returns what was drawn of a unit without the time at the right edge, or how
// long it took, which are none of what was said.
func WithoutTime(e *timeline.Entry, unit int, lines []string, o Options) []string {
	if unit != 0 || len(lines) == 0 || o.Width < text.NarrowBelow {
		return lines
	}
	switch b := e.Body.(type) {
	case *timeline.Prompt:
		if b.Source == "" {
			return withoutClock(e, lines, o)
		}
	case *timeline.Divider:
		return withoutClock(e, lines, o)
	case *timeline.Summary:
		return withoutEnd(lines, elapsed(b.Took, false))
	case *timeline.SessionEnd:
		return withoutEnd(lines, elapsed(b.Took, true))
	case *timeline.ToolCall:
		d := took(e, o.Now)
		if b.Agent != nil {
			d = agentTook(e, b.Agent, o.Now)
		}
		return withoutEnd(withoutEnd(lines, elapsed(d, false)), elapsed(d, true))
	}
	return lines
}

func withoutClock(e *timeline.Entry, lines []string, o Options) []string {
	if clock(e.At, o) == "" {
		return lines
	}
	lines = slices.Clone(lines)
	lines[0] = text.Truncate(lines[0], text.Margin(o.Width)+promptRoom(o), "")
	return lines
}

// withoutEnd cuts a text in a column of its own off the ends of lines.
func withoutEnd(lines []string, end string) []string {
	if end == "" {
		return lines
	}
	lines = slices.Clone(lines)
	for i, l := range lines {
		if before, ok := strings.CutSuffix(ansi.Strip(l), "  "+end); ok {
			lines[i] = text.Truncate(l, text.Width(before), "")
		}
	}
	return lines
}

func local(t time.Time, o Options) time.Time {
	if o.Location == nil {
		return t.UTC()
	}
	return t.In(o.Location)
}
