package copilot

import (
	"context"
	"fmt"

	"parley/session"
)

var _ session.AllowAllSetter = (*Session)(nil)

// SetAllowAll implements session.AllowAllSetter. A question that is open stays
// open; it holds for those to come. A later Resume asks again.
func (gs *grants) SetAllowAll(ctx context.Context, on bool) error {
	mode, what := session.Manual, "ask for permissions again"
	if on {
		mode, what = session.AllowAll, "allow everything without asking"
	}
	if err := gs.change(ctx, "setMode", object{"mode": mode}); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
