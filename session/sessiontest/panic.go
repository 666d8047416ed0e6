package sessiontest

import (
	"runtime/debug"
	"strings"
	"time"
)

// PanicText is what a panic of a test says. A terminal must not take it for more.
const PanicText = "the frobnicator\x1b]0;pwned\x07 is jammed"

// JammedClock is a clock that panics in the goroutine of the demo that takes in what
// a command prints.
func JammedClock() time.Time {
	if strings.Contains(string(debug.Stack()), "demo.(*shellOutput)") {
		panic(PanicText)
	}
	return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
}
