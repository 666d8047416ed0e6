package render

import (
	"math"
	"strings"
	"testing"
	"time"

	"parley/theme"
)

func TestDuration(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		d     time.Duration
		whole bool
		want  string
	}{
		{100 * time.Millisecond, false, "0.1 s"},
		{149 * time.Millisecond, false, "0.1 s"},
		{4200 * time.Millisecond, false, "4.2 s"},
		{4200 * time.Millisecond, true, "4 s"},
		{9999 * time.Millisecond, false, "10.0 s"},
		{12 * time.Second, false, "12 s"},
		{185 * time.Second, false, "3 m 05 s"},
		{time.Hour + 2*time.Minute, false, "1 h 02 m"},
		{23*time.Hour + 59*time.Minute, true, "23 h 59 m"},
		{50 * time.Hour, true, "2 d 02 h"},
		{99*24*time.Hour + 23*time.Hour, true, "99 d 23 h"},
		{100 * 24 * time.Hour, true, "over 99 d"},
		{math.MaxInt64, true, "over 99 d"},
		{-time.Hour, true, "0 s"},
		{math.MinInt64, false, "0.0 s"},
	} {
		if got := duration(tc.d, tc.whole); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.d, got, tc.want)
		}
	}
}

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
		if n := Width(clock(tc.t, tc.o)); n+2 > max(2, tc.o.Times.cells()) {
			t.Errorf("%q has no room in its column", tc.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Number(0): "0", Number(-999): "-999", Number(1000): "1 000", Number(-1_234_567): "-1 234 567",
		Tokens(0): "0", Tokens(950): "950", Tokens(1000): "1 k", Tokens(1540): "1.5 k", Tokens(9_949): "9.9 k", Tokens(9_950): "10 k",
		Tokens(14_000): "14 k", Tokens(999_499): "999 k", Tokens(999_500): "1 M", Tokens(1_240_000): "1.2 M", Tokens(45_600_000): "46 M",
		Tokens(2_000_000_000): "2 000 M", amount(1, "request"): "1 request", amount(0.333, "request"): "0.33 requests",
		amount(20, "request"): "20 requests", Count(1200, "line"): "1 200 lines",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCountAndSize(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Count(1, "match"): "1 match", Count(3, "match"): "3 matches", Count(0, "line"): "0 lines",
		Size(1): "1 byte", Size(999): "999 bytes", Size(1600): "2 kB", Size(12_345_678): "12.3 MB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	t.Parallel()
	o := Options{Theme: theme.Plain()}
	const path = "internal/very/deep/端末/folder/worker_test.go"
	for width := range 60 {
		got := cutMiddle(o, path, width)
		if Width(got) > width {
			t.Errorf("width %d: %q", width, got)
		}
		if width >= 24 && !strings.HasSuffix(got, "worker_test.go") {
			t.Errorf("width %d lost the name: %q", width, got)
		}
	}
	if got := cutMiddle(o, path, 100); got != path {
		t.Errorf("%q", got)
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
	windows := Options{Dir: `C:\src\parley`}
	if got := shortPath(`C:\src\parley\a.go`, windows); got != "a.go" {
		t.Errorf("got %q", got)
	}
}

// TestRowColumns: right edges line up, whatever the subject.
func TestRowColumns(t *testing.T) {
	t.Parallel()
	o := Options{Width: 80, Theme: theme.Plain()}
	for _, subject := range []string{"", "short", "端末の幅", strings.Repeat("long ", 40)} {
		r := row{verb: "shell", subject: subject, facts: []Span{{"3 lines", theme.Dim}}, took: time.Second}
		lines := r.draw(o)
		if len(lines) != 1 || Width(lines[0]) != 80 || !strings.HasSuffix(lines[0], "3 lines     1.0 s") {
			t.Errorf("%q", lines)
		}
	}
}
