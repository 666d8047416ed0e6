package sessions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/history/sessions"
	"parley/render/text"
)

const (
	// completes is how long a shell waits: the sessions used last are read first, so
	// they are there even when the index is not complete.
	completes = 400 * time.Millisecond
	// mostCompleted is how many sessions a shell is given.
	mostCompleted = 200
)

// completing opens the library for a shell that waits. Where it cannot, there are no
// completions: a shell shows no errors.
func (p past) completing(do func(ctx context.Context, l library)) {
	ctx, stop := context.WithTimeout(context.Background(), completes)
	defer stop()
	l, err := p.open()
	if err != nil {
		return
	}
	defer func() { _ = l.Close() }()
	_ = l.Refresh(ctx)
	do(context.WithoutCancel(ctx), l)
}

// completeID completes the id of one session.
func (p past) completeID(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.completeIDs(cmd, args, typed)
}

// completeIDs completes ids, each with the title of its session. What is deleted is
// completed where that can be taken back.
func (p past) completeIDs(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	undo := isSet(cmd, "undo") || isSet(cmd, "purge")
	p.completing(func(ctx context.Context, l library) {
		r := sessions.Request{Scope: sessions.Everywhere, Order: sessions.ByUsed, Archived: true, Deleted: undo}
		found, _ := l.Find(ctx, r) // what was found is enough
		for _, h := range found.Sessions {
			id := string(h.ID)
			switch {
			case !strings.HasPrefix(id, typed), slices.Contains(args, id), id != plain(id), undo && h.Deleted.IsZero():
				continue
			}
			title := text.Truncate(titleOf(h.Session), 60, "...")
			if out = append(out, id+"\t"+p.age(h.Used)+"  "+title); len(out) == mostCompleted {
				return
			}
		}
	})
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// isSet reports whether a flag that says yes or no says yes.
func isSet(cmd *cobra.Command, name string) bool {
	f := cmd.Flags().Lookup(name)
	return f != nil && f.Value.String() == "true"
}

// completeQuery completes a word of a query: the filters, and what sessions have of
// each.
func (p past) completeQuery(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	var out []string
	p.completing(func(ctx context.Context, l library) {
		known, _ := l.Known(ctx)
		span, choices := sessions.Complete(typed, len(typed), known)
		for _, c := range choices {
			word := typed[:span[0]] + c.Text + typed[span[1]:]
			if plain(word) != word {
				continue
			}
			if strings.HasSuffix(word, ":") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
			if c.Detail != "" {
				word += "\t" + plain(c.Detail)
			}
			out = append(out, word)
		}
	})
	return out, directive
}
