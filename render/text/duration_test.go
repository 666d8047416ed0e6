package text

import (
	"math"
	"testing"
	"time"
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
		if got := Elapsed(tc.d, tc.whole); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.d, got, tc.want)
		}
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 59 * time.Second: "now", 90 * time.Second: "1 m", 59 * time.Minute: "59 m", time.Hour: "1 h",
		47 * time.Hour: "1 d", 364 * 24 * time.Hour: "364 d", 800 * 24 * time.Hour: "2 y",
	} {
		ago := want
		if want != "now" {
			ago += " ago"
		}
		if got := Age(d); got != want || Ago(d) != ago {
			t.Errorf("%v: %q, %q; want %q, %q", d, got, Ago(d), want, ago)
		}
	}
}
