package render

import (
	"strings"
	"testing"
	"time"

	"parley/render/text"
	"parley/theme"
)

func TestClock(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 23, 5, 0, 0, time.UTC)
	east := time.FixedZone("east", 2*3600)
	for _, tc := range []struct {
		o    Options
		t    time.Time
		want string
	}{
		{Options{Times: TimesClock}, at, "23:05"},
		{Options{Times: TimesClock, Location: east}, at, "01:05"},
		{Options{Times: TimesClock}, time.Time{}, ""},
		{Options{}, at, ""},
		{Options{Times: TimesFull, Location: east}, at, "2026-11-22 01:05"},
		{Options{Times: TimesAgo}, at, "23:05"},
		{Options{Times: TimesAgo, Now: at.Add(-time.Second)}, at, "now"},
		{Options{Times: TimesAgo, Now: at.Add(3 * time.Minute)}, at, "3 m ago"},
		{Options{Times: TimesAgo, Now: at.Add(90 * time.Minute)}, at, "1 h ago"},
		{Options{Times: TimesAgo, Now: at.Add(364 * 24 * time.Hour)}, at, "364 d ago"},
		{Options{Times: TimesAgo, Now: at.Add(800 * 24 * time.Hour)}, at, "2 y ago"},
	} {
		if got := clock(tc.t, tc.o); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
		if n := text.Width(clock(tc.t, tc.o)); n+2 > max(2, tc.o.Times.cells()) {
			t.Errorf("%q has no room in its column", tc.want)
		}
	}
}

func TestShortPath(t *testing.T) {
	t.Parallel()
	o := Options{Home: "/home/ada", Dir: "/home/ada/src/parley/"}
	for in, want := range map[string]string{
		"/home/ada/src/parley/queue/a.go": "queue/a.go",
		"/home/ada/src/parley":            ".",
		"/home/ada/src/parley2/a.go":      "~/src/parley2/a.go",
		"/home/ada":                       "~",
		"/home/adam/x":                    "/home/adam/x",
		"/etc/hosts":                      "/etc/hosts",
		"queue/a.go":                      "queue/a.go",
		"/home/ada/src/parley/../secret":  "../secret",
		"":                                "",
	} {
		if got := shortPath(in, o); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	windows := Options{Home: `C:\Users\ada`, Dir: `C:\src\parley`}
	for in, want := range map[string]string{
		`C:\src\parley\a.go`: "a.go", `c:/src/parley/a.go`: "a.go", `C:\src\parley`: ".", `C:\Users\ada\a.go`: `~\a.go`,
	} {
		if got := shortPath(in, windows); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestRowColumns: right edges line up, whatever the subject.
func TestRowColumns(t *testing.T) {
	t.Parallel()
	o := Options{Width: 80, Theme: theme.Plain()}
	for _, subject := range []string{"", "short", "端末の幅", strings.Repeat("long ", 40)} {
		r := row{verb: "shell", subject: subject, facts: []fact{dim("3 lines")}, took: time.Second}
		lines := r.draw(o)
		if len(lines) != 1 || text.Width(lines[0]) != 80 || !strings.HasSuffix(lines[0], "3 lines     1.0 s") {
			t.Errorf("%q", lines)
		}
	}
}
