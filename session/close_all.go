package session

import (
	"context"
	"errors"
	"sync"
)

// CloseAll closes several agents, or sessions, side by side, so that one that
// hangs does not use up the time of the others. It returns when all calls have,
// with their errors in the order of the list; a panic is an error too.
func CloseAll[C interface{ Close(context.Context) error }](ctx context.Context, list []C) error {
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, c := range list {
		all.Go(func() {
			errs[i] = Guard(func() error { return c.Close(ctx) })
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
