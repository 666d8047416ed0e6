package process

import (
	"regexp"
	"sync"
)

// Compiled is an expression that is compiled when it is needed first: most commands
// need none.
func Compiled(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
