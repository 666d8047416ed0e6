package text

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled when it is needed first: the first
// frame needs none, and most commands none.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
