package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Number writes a whole number with its digits in groups of three: "950",
// "14 250".
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Amount writes a number that need not be whole, with two decimals at most: "2.5".
func Amount(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// Tokens writes a number of tokens shortly: "950", "1.5 k", "14 k", "1.2 M".
func Tokens(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_500:
		return short(float64(n)/1000) + " k"
	}
	return short(float64(n)/1_000_000) + " M"
}

// short writes a number with one digit behind the point, or none when it is not
// small.
func short(f float64) string {
	if f >= 9.95 {
		return Number(int(f + 0.5))
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}

// CountAmount writes a number that need not be whole with what it counts: "1
// request", "0.33 requests".
func CountAmount(f float64, noun string) string {
	s := Amount(f)
	if s == "1" {
		return "1 " + noun
	}
	return s + " " + noun + "s"
}

// Requests is a number of premium requests, which need not be whole.
func Requests(cost float64) string { return CountAmount(cost, "premium request") }

// Count is a number with its noun, which it makes a plural of by its letters:
// "1 match", "2 matches".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	for _, end := range []string{"ch", "s", "x"} {
		if strings.HasSuffix(noun, end) {
			return Number(n) + " " + noun + "es"
		}
	}
	return Number(n) + " " + noun + "s"
}

// Size is a number of bytes for people: "950 bytes", "14 kB", "1.2 MB".
func Size(n int) string {
	switch {
	case n < 1000:
		return Count(n, "byte")
	case n < 999_500:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
}
