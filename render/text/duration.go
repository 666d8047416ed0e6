package text

import (
	"fmt"
	"time"
)

// Duration formats how long something took, in whole seconds: "12 s", "3 m 05 s".
func Duration(d time.Duration) string { return Elapsed(d, true) }

// Elapsed formats how long something took: "0.1 s", "12 s", "3 m 05 s",
// "1 h 02 m", "4 d 07 h". Whole seconds are enough for what is still running.
// What the clocks of an agent make of it is bounded: less than nothing is
// nothing, and more than 99 days is "over 99 d".
func Elapsed(d time.Duration, whole bool) string {
	const day = 24 * 3600
	d = max(d, 0)
	switch s := int64(d / time.Second); {
	case d < 10*time.Second && !whole:
		tenths := int((d + 50*time.Millisecond) / (100 * time.Millisecond))
		return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d m %02d s", s/60, s%60)
	case s < day:
		return fmt.Sprintf("%d h %02d m", s/3600, s%3600/60)
	case s < 100*day:
		return fmt.Sprintf("%d d %02d h", s/day, s%day/3600)
	}
	return "over 99 d"
}

// Age writes how long ago something was, in one unit: "now", "3 m", "2 d".
func Age(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d m", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d < year:
		return fmt.Sprintf("%d d", d/day)
	}
	return fmt.Sprintf("%d y", d/year)
}

// Ago is Age in a sentence: "now", "3 m ago", "2 d ago".
func Ago(d time.Duration) string {
	if d < time.Minute {
		return "now"
	}
	return Age(d) + " ago"
}
