package render

import (
	"strings"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// Space returns the lines between two entries that are shown one after the
// other: blank ones, and where time passed between them a line that says so
// A nil prev is the beginning of the timeline. What
// draws nothing has no space; callers leave it out (Shown).
func Space(prev, next *timeline.Entry, o Options) []string {
	if prev == nil || !Shown(next, o) {
		return nil
	}
	if passed := between(prev, next, o); passed != "" {
		line := dimRow(o, theme.MarkBoundary, passed)
		return append(append([]string{""}, text.Clip([]string{line}, max(1, o.Width))...), "")
	}
	return make([]string, gap(prev, next))
}

// leastGap is how much time passes between two entries until a line says so.
const leastGap = time.Hour

// between returns how much time passed from the end of one entry to the beginning
// of the next, and the date where that is another; nothing when it was not long.
func between(prev, next *timeline.Entry, o Options) string {
	from, to := prev.End, next.At
	if from.IsZero() {
		from = prev.At
	}
	if o.Times == TimesOff || from.IsZero() || !to.After(from) {
		return ""
	}
	const day = 24 * time.Hour
	later := ""
	switch passed := to.Sub(from); {
	case passed >= day:
		later = text.Count(int(passed/day), "day") + " later"
	case passed >= leastGap:
		later = text.Count(int(passed/time.Hour), "hour") + " later"
	}
	return text.JoinNonEmpty(o.Theme.Dot(), later, newDate(local(from, o), local(to, o)))
}

// newDate is the date of a time when it is another than that of the one before.
func newDate(before, now time.Time) string {
	switch {
	case before.Year() != now.Year():
		return now.Format("2 January 2006")
	case before.YearDay() != now.YearDay():
		return now.Format("2 January")
	}
	return ""
}

// gap returns the number of blank lines between two entries that follow each
// other: none inside a group of tool calls and around an entry that draws
// nothing, else one.
func gap(prev, next *timeline.Entry) int {
	if blank(prev) || blank(next) {
		return 0
	}
	if grouped(prev) && grouped(next) {
		return 0
	}
	if a, ok := prev.Body.(*timeline.Notice); ok {
		if b, ok := next.Body.(*timeline.Notice); ok && a.Level == b.Level && a.Category == b.Category {
			return 0
		}
	}
	return 1
}

// grouped reports whether e stands close to its neighbours of the same kind.
func grouped(e *timeline.Entry) bool {
	switch e.Body.(type) {
	case *timeline.ToolCall, *timeline.AnsweredQuestion:
		return true
	}
	return false
}

func blank(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Message:
		return strings.TrimSpace(b.Text.String()) == ""
	case *timeline.Prompt:
		return b.Text == "" && len(b.Attachments) == 0 && b.Source == ""
	case *timeline.Reasoning:
		return b.Text.Len() == 0 && e.State.Final()
	case *timeline.Notice:
		return b.Text == "" && b.URL == "" && b.Next == "" && b.Category == "" && b.Retry == 0 && b.Detail == ""
	}
	return false
}
