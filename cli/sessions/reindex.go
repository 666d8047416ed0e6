package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley/cli/process"
	"parley/render/text"
)

// reindexCommand builds the index of past sessions anew.
func (p past) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "reindex",
		Short:             "Rebuild the index of past sessions",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			return process.Fail(p.opened(p.reindex))
		},
	}
	return cmd
}

// reindex builds the index anew, and says how long that took.
func (p past) reindex(ctx context.Context, l library) error {
	began := p.now()
	if err := p.watched(ctx, l, l.Rebuild); err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	took := p.now().Sub(began)
	p.warned(ctx, l)
	at := l.Progress()
	line := fmt.Sprintf("%s, %s in %s", text.Count(at.All, "session"), text.Size(int(at.Size)), tookText(took))
	if took > 0 && at.Size > 0 {
		line += ", " + text.Size(int(float64(at.Size)/took.Seconds())) + " a second"
	}
	p.say(line)
	return nil
}

// tookText is how long something took.
func tookText(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return text.Duration(d)
}
