package sessiontest

import (
	"os"
	"testing"
)

// Soak returns how many of something a test does: usual, or long when make soak
// asks for that by PARLEY_SOAK=long in the environment. PARLEY_SOAK=short is an
// eighth of the way from one to the other.
func Soak(tb testing.TB, usual, long int) int {
	tb.Helper()
	switch form := os.Getenv("PARLEY_SOAK"); form {
	case "":
		return usual
	case "short":
		return usual + (long-usual)/8
	case "long":
		return long
	default:
		tb.Fatalf("PARLEY_SOAK is %q: it is short or long", form)
		return 0
	}
}
