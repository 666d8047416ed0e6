package sessions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
)

// deletion holds the flags of `parley sessions delete`.
type deletion struct{ undo, purge, yes bool }

// deleteCommand marks past sessions as deleted, and removes those that are.
func (p past) deleteCommand() *cobra.Command {
	var d deletion
	var o agents.Options
	cmd := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete past sessions, undo that, or remove them for good",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case d.undo && d.purge:
				return errors.New("--undo and --purge say two things; leave one of them out")
			case d.yes && !d.purge:
				return errors.New("--yes is for --purge; nothing else asks")
			case len(args) == 0 && !d.purge:
				return errors.New("delete takes ids of sessions; `parley sessions list` lists them")
			}
			return nil
		},
		ValidArgsFunction: p.completeIDs,
		RunE: func(_ *cobra.Command, args []string) error {
			return process.Fail(p.looking(func(ctx context.Context, l library) error {
				switch {
				case d.undo:
					return p.undelete(ctx, l, args)
				case d.purge:
					return p.purge(ctx, l, args, d, o)
				}
				return p.delete(ctx, l, args)
			}))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&d.undo, "undo", false, "bring deleted sessions back that are not removed yet")
	f.BoolVar(&d.purge, "purge", false, "remove these for good, or, without an id, all that were deleted")
	f.BoolVar(&d.yes, "yes", false, "do not ask before --purge removes them")
	f.StringVar(&o.CopilotPath, "copilot-path", "", "the Copilot CLI that removes them, a `file` (default: $COPILOT_CLI_PATH, PATH)")
	return cmd
}

// atRest gets the sessions of ids, each once, none of which may be in use.
func atRest(ctx context.Context, l library, ids []string) ([]sessions.Session, error) {
	chosen, err := chosenOf(ctx, l, ids)
	for _, s := range chosen {
		if s.InUse {
			return nil, errInUse(s)
		}
	}
	return chosen, err
}

// chosenOf gets the sessions of ids, each once.
func chosenOf(ctx context.Context, l library, ids []string) ([]sessions.Session, error) {
	var out []sessions.Session
	seen := map[session.ID]bool{}
	for _, id := range ids {
		s, err := find(ctx, l, id)
		if err != nil {
			return nil, err
		}
		if !seen[s.ID] {
			seen[s.ID], out = true, append(out, s)
		}
	}
	return out, nil
}

// errInUse says which session cannot be deleted.
func errInUse(s sessions.Session) error {
	return fmt.Errorf("%s (%s) is in use; leave it there first", s.ID, titleOf(s))
}

// delete marks sessions, all or none.
func (p past) delete(ctx context.Context, l library, ids []string) error {
	chosen, err := atRest(ctx, l, ids)
	if err != nil {
		return err
	}
	undo := "parley sessions delete --undo"
	for _, s := range chosen {
		err := l.Mark(ctx, s.ID, func(m *sessions.Mark) { m.Deleted = p.now() })
		if err != nil {
			return fmt.Errorf("delete session %s: %w", s.ID, err)
		}
		undo += " " + plain(string(s.ID))
		p.say("Deleted: " + idAndTitle(s))
	}
	p.note("Removed for good when a window is left, or by `parley sessions delete --purge`.\nTo take it back: " + undo)
	return nil
}

// undelete takes the marks away.
func (p past) undelete(ctx context.Context, l library, ids []string) error {
	chosen, err := chosenOf(ctx, l, ids)
	if err != nil {
		return err
	}
	for _, s := range chosen {
		if s.Deleted.IsZero() {
			p.say("Was not deleted: " + idAndTitle(s))
			continue
		}
		err := l.Mark(ctx, s.ID, func(m *sessions.Mark) { m.Deleted = time.Time{} })
		if err != nil {
			return fmt.Errorf("bring session %s back: %w", s.ID, err)
		}
		p.say("Is back: " + idAndTitle(s))
	}
	return nil
}

// idAndTitle is a session as a line names it.
func idAndTitle(s sessions.Session) string { return plain(string(s.ID)) + "  " + titleOf(s) }

// say writes what was done.
func (p past) say(line string) { _, _ = fmt.Fprintln(p.Out, line) }

// purge removes sessions for good.
func (p past) purge(ctx context.Context, l library, ids []string, d deletion, o agents.Options) error {
	chosen, err := p.doomed(ctx, l, ids)
	switch {
	case err != nil:
		return err
	case len(chosen) == 0:
		p.say("There is nothing to remove.")
		return nil
	}
	if !d.yes {
		if !term.IsTerminal(p.In.Fd()) || !term.IsTerminal(p.Out.Fd()) {
			return errors.New("--purge removes sessions for good and asks first, which needs a terminal; --yes goes without")
		}
		for _, s := range chosen {
			p.note(idAndTitle(s))
		}
		if !p.Agrees("Remove " + countOf(len(chosen), "session") + " for good? [y/N] ") {
			p.note("Nothing was removed.")
			return nil
		}
	}
	return p.remove(ctx, l, chosen, o)
}

// doomed are the sessions that are to be removed: those of the ids, or all that are
// marked. One in use stays.
func (p past) doomed(ctx context.Context, l library, ids []string) ([]sessions.Session, error) {
	if len(ids) > 0 {
		return atRest(ctx, l, ids)
	}
	deleted, err := l.Deleted(ctx)
	var chosen []sessions.Session
	for _, s := range deleted {
		if s.InUse {
			process.Complain(p.Err, errInUse(s))
		} else {
			chosen = append(chosen, s)
		}
	}
	return chosen, err
}

// remove has the programs that hold sessions delete them, and erases what the index has of them. What one of them
// refuses stays, marked as it was.
func (p past) remove(ctx context.Context, l library, chosen []sessions.Session, o agents.Options) error {
	var failures []error
	done := 0
	holders := map[string]holder{}
	for _, s := range chosen {
		held, ok := holders[s.Keeper]
		if !ok {
			var err error
			if held, err = p.holder(ctx, s.Keeper, o); err != nil {
				return errors.Join(append(failures, fmt.Errorf("start what holds the sessions of %s: %w", s.Keeper, err))...)
			}
			defer func() { _ = held.close(context.WithoutCancel(ctx)) }()
			holders[s.Keeper] = held
		}
		if err := held.delete(ctx, s.ID); err != nil {
			failures = append(failures, err)
			continue
		}
		_ = l.Mark(ctx, s.ID, func(m *sessions.Mark) { *m = sessions.Mark{} }) // nothing is left that it says something of
		done++
		p.say("Removed: " + idAndTitle(s))
	}
	if done > 0 {
		if err := p.watched(ctx, l, l.Erase); err != nil {
			failures = append(failures,
				fmt.Errorf("the index still has texts of what was removed: %w; `parley sessions reindex` erases them", err))
		}
	}
	p.note(text.Count(done, "session") + " removed for good.")
	return errors.Join(failures...)
}
