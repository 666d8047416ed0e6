package copilot

import (
	"regexp"
	"slices"
	"strconv"
)

// MinVersion is the oldest version of the Copilot CLI that can be driven.
const MinVersion = "1.0.102"

var versionNumbers = regexp.MustCompile(`(\d+)\.(\d+)\.(\d+)`)

// TooOld reports whether what a Copilot CLI says of its version names one before MinVersion.
// What names no version does not.
func TooOld(said string) bool {
	numbers := func(s string) (all []int) {
		for _, digits := range versionNumbers.FindStringSubmatch(s) {
			n, _ := strconv.Atoi(digits) // the whole match is none, in both
			all = append(all, n)
		}
		return all
	}
	of := numbers(said)
	return of != nil && slices.Compare(of, numbers(MinVersion)) < 0
}
