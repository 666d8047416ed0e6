package render

import (
	"fmt"
	"strconv"
	"time"
)

// duration formats how long something took: "0.1 s", "12 s", "3 m 05 s",
// "1 h 02 m". Whole seconds are enough for what is still running.
func duration(d time.Duration, whole bool) string {
	switch s := int(d / time.Second); {
	case d < 10*time.Second && !whole:
		tenths := int((d + 50*time.Millisecond) / (100 * time.Millisecond))
		return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d m %02d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %02d m", s/3600, s%3600/60)
	}
}

// clock formats the time of day, or nothing where times are not wanted.
func clock(t time.Time, o Options) string {
	if !o.Times || t.IsZero() {
		return ""
	}
	if o.Location == nil {
		return t.UTC().Format("15:04")
	}
	return t.In(o.Location).Format("15:04")
}

// Count is a number with its noun, which it makes a plural of by its letters:
// "1 match", "2 matches".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	for _, end := range []string{"ch", "s", "x"} {
		if len(noun) >= len(end) && noun[len(noun)-len(end):] == end {
			return strconv.Itoa(n) + " " + noun + "es"
		}
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// size is a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1000:
		return Count(n, "byte")
	case n < 1000_000:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%d.%d MB", n/1000_000, n%1000_000/100_000)
}
