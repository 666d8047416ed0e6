package render

import (
	"regexp"
	"sync"
)

// compiled is an expression that is compiled when it is needed first: the first
// frame needs none.
func compiled(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
