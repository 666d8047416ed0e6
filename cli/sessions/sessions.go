// Package sessions is the command about past sessions: it lists, searches, shows,
// exports and deletes them.
package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/agents"
	"parley/cli/arguments"
	"parley/cli/config"
	"parley/cli/output"
	"parley/cli/process"
	"parley/history/secrets"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/settings/environ"
	"parley/theme"
	"parley/tui/widget"
)

// holder holds sessions and can delete them.
type holder struct {
	delete func(ctx context.Context, id session.ID) error
	close  func(ctx context.Context) error
}

// openHolder is who holds the sessions of a keeper: an agent, which is started, or
// Parley itself.
func openHolder(ctx context.Context, c process.Console, keeper string, o agents.Options) (holder, error) {
	if keeper == sessions.ParleyKeeper {
		home, _ := os.UserHomeDir()
		store := sessions.StoreIn(agents.OwnSessions(environ.StateDir(c.Env, home)))
		return holder{store.Remove, func(context.Context) error { return nil }}, nil
	}
	prefer, err := config.Preferences(c)
	if err != nil {
		return holder{}, err
	}
	o.Agent = keeper
	if err := o.FindFolder(); err != nil {
		return holder{}, err
	}
	b, err := agents.Choose(o, c.Env, prefer.Settings)
	if err != nil {
		return holder{}, err
	}
	agent, err := b.Open(ctx)
	if err != nil {
		return holder{}, err
	}
	if l, ok := session.As[session.Library](agent); ok {
		return holder{l.Delete, agent.Close}, nil
	}
	return holder{}, errors.Join(errors.New("it cannot delete sessions"), agent.Close(ctx))
}

// command builds the command line of past sessions.
func (p past) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List, search, read, export and delete past sessions",
		Args:  arguments.SubcommandsOnly,
	}
	list := p.listCommand()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		terminal := term.IsTerminal(p.In.Fd()) && term.IsTerminal(p.Out.Fd()) && !environ.Dumb(p.Env)
		if terminal && cmd.Flags().NFlag() == 0 && p.browse != nil {
			return process.Fail(p.browse())
		}
		return list.RunE(cmd, args)
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(
		list, p.searchCommand(), p.showCommand(), p.exportCommand(), p.statsCommand(), p.deleteCommand(), p.reindexCommand(),
	)
	return cmd
}

// drawing is how an answer is written.
type drawing struct {
	output.Flags
	json bool
}

// register adds the flags of a drawing.
func (o *drawing) register(f *pflag.FlagSet, otherwise string) {
	f.BoolVar(&o.json, "json", false, "write it as JSON, for programs")
	o.RegisterWidth(f, otherwise)
	o.RegisterColour(f)
}

// theme is what an answer is drawn with, and how many colours of it can be seen.
func (p past) theme(o drawing) (*theme.Theme, colorprofile.Profile) {
	th, profile := output.Theme(p.Console, o.Colour)
	th.ASCII = !output.ShowsUnicode(p.Console)
	return th, profile
}

// write writes drawn lines, all at once.
func (p past) write(lines []string, profile colorprofile.Profile) error {
	out := &colorprofile.Writer{Forward: p.Out, Profile: profile}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	if _, err := out.WriteString(b.String()); err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	return nil
}

// tableWidth is how wide a table may be; 0 is as wide as it gets, where the
// output is no terminal.
func (p past) tableWidth(o drawing) int {
	if o.Width == 0 && !term.IsTerminal(p.Out.Fd()) {
		return 0
	}
	return p.textWidth(o)
}

// textWidth is how wide text may be.
func (p past) textWidth(o drawing) int {
	if o.Width > 0 {
		return o.Width
	}
	return output.Width(p.Console)
}

// find gets a session by its id, or the beginning of one, and says what to do
// where there is no such one.
func find(ctx context.Context, l library, id string) (sessions.Session, error) {
	s, err := l.Get(ctx, session.ID(id))
	var several *sessions.AmbiguousError
	switch {
	case errors.As(err, &several):
		return s, fmt.Errorf("%w; give more of it", err)
	case errors.Is(err, sessions.ErrNotFound) && len(id) < sessions.ShortestID:
		return s, fmt.Errorf("%q is too short; give four characters of an id at least", id)
	case errors.Is(err, sessions.ErrNotFound):
		return s, fmt.Errorf("there is no past session %q; `parley sessions list --all` lists them", id)
	}
	return s, err
}

// oneID accepts the id of one session.
func oneID(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return fmt.Errorf("%s takes the id of one session, not %d; `parley sessions list` lists them", cmd.Name(), len(args))
	}
	return nil
}

// plain makes text of any kind one safe line.
func plain(s string) string { return strings.Join(strings.Fields(text.SanitizeLine(s)), " ") }

// titleOf is what a session is called, without the secrets of a prompt.
func titleOf(s sessions.Session) string { return cmp.Or(plain(secrets.Hide(s.Title)), "Untitled") }

// shortDir is a folder as people write it.
func shortDir(dir string) string {
	home, _ := os.UserHomeDir()
	return widget.ShortPath(dir, home)
}
