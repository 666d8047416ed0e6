package process

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name that a misspelt one may mean: two letters away at
// most, or begun by it; "" if there is none.
func Nearest(typed string, names []string) string {
	best, distance := "", 3
	for _, name := range names {
		d := levenshtein.ComputeDistance(typed, name)
		if len(typed) > 2 && strings.HasPrefix(name, typed) {
			d = min(d, 2)
		}
		if d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	return best
}
