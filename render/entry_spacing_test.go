package render_test

import (
	"slices"
	"testing"
	"time"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// TestSpace: a line shows that time passed, and a new date.
func TestSpace(t *testing.T) {
	t.Parallel()
	text := func(at, end time.Time) *timeline.Entry {
		return &timeline.Entry{ID: "e", At: at, End: end, State: timeline.Done, Body: message("text")}
	}
	call := func(at time.Time) *timeline.Entry {
		return &timeline.Entry{ID: "c", At: at, State: timeline.Done, Body: call("bash", "{}", "", nil)}
	}
	o := options(80, theme.Plain())
	east := o
	east.Location = time.FixedZone("EAST", 12*60*60)
	narrow := o
	narrow.Width = 12
	off := o
	off.Times = render.TimesOff
	ascii := o
	ascii.Theme = theme.Plain(theme.ASCII())
	line := func(l string) []string { return []string{"", l, ""} }
	for _, tc := range []struct {
		name       string
		prev, next *timeline.Entry
		o          render.Options
		want       []string
	}{
		{"the first", nil, text(began, began), o, nil},
		{"soon", text(began, began), text(began.Add(59*time.Minute), began), o, []string{""}},
		{"soon, in a group", call(began), call(began.Add(time.Minute)), o, []string{}},
		{"an hour", text(began, began), text(began.Add(time.Hour), began), o, line("─ 1 hour later")},
		{"hours, in a group", call(began), call(began.Add(6*time.Hour + time.Minute)), o, line("─ 6 hours later")},
		{"from the end", text(began, began.Add(5*time.Hour)), text(began.Add(5*time.Hour), began), o, []string{""}},
		{"before the end", text(began, began.Add(5*time.Hour)), text(began.Add(time.Hour), began), o, []string{""}},
		{"midnight", text(began, began.Add(13*time.Hour)), text(began.Add(13*time.Hour+30*time.Minute), began), o, line("─ 22 November")},
		{"the next day", text(began, began), text(began.Add(20*time.Hour), began), o, line("─ 20 hours later · 22 November")},
		{"days", text(began, began), text(began.Add(50*time.Hour), began), o, line("─ 2 days later · 23 November")},
		{"the next year", text(began, began), text(began.AddDate(0, 2, 0), began), o, line("─ 61 days later · 21 January 2027")},
		{"where the user is", text(began, began), text(began.Add(4*time.Hour), began), east, line("─ 4 hours later · 22 November")},
		{"narrow", text(began, began), text(began.Add(50*time.Hour), began), narrow, line("─ 2 days la…")},
		{"no times", text(began, began), text(began.Add(50*time.Hour), began), off, []string{""}},
		{"plain glyphs", text(began, began), text(began.Add(50*time.Hour), began), ascii, line("- 2 days later - 23 November")},
		{"no time known", text(time.Time{}, time.Time{}), text(began, began), o, []string{""}},
	} {
		got := render.Space(tc.prev, tc.next, tc.o)
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestTimes: a prompt shows its time in each way, and is drawn again only when
// the minute changes, and only where it shows how long ago it was.
func TestTimes(t *testing.T) {
	t.Parallel()
	e, c := entry(timeline.Done, 0, &timeline.Prompt{Text: "Go on"}), render.NewCache(100)
	for _, tc := range []struct {
		times         render.Times
		want          string
		second, later bool // drawn again after a second, after two minutes
	}{
		{render.TimesOff, "", false, false},
		{render.TimesClock, "10:41", false, false},
		{render.TimesAgo, "now", false, true},
		{render.TimesFull, "2026-11-21 10:41", false, false},
	} {
		o := options(60, theme.Plain())
		o.Times = tc.times
		first := c.Lines(e, 0, o)
		if line := "▌ Go on"; first[0][:len(line)] != line || text.Width(first[0]) != 60 || first[0][len(first[0])-len(tc.want):] != tc.want {
			t.Errorf("%d: %q", tc.times, first)
		}
		o.Now = o.Now.Add(time.Second)
		if again := &c.Lines(e, 0, o)[0] != &first[0]; again != tc.second {
			t.Errorf("%d: drawn again after a second: %v", tc.times, again)
		}
		o.Now = o.Now.Add(2 * time.Minute)
		if again := &c.Lines(e, 0, o)[0] != &first[0]; again != tc.later {
			t.Errorf("%d: drawn again after minutes: %v", tc.times, again)
		}
	}
}
