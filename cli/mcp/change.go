package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/diff"
	"parley/settings/mcpfile"
	"parley/terminal/handover"
)

// registerYes adds the flag of the commands that change a file.
func (m *manager) registerYes(f *pflag.FlagSet) {
	f.BoolVar(&m.yes, "yes", false, "do not ask before the file is written")
}

// errNoCommand is that it is not said what is added.
var errNoCommand = errors.New("add takes a name, and a command behind -- or a --url")

// addCommand adds a server.
func (m *manager) addCommand() *cobra.Command {
	var a mcpfile.Addition
	cmd := &cobra.Command{
		Use:   "add NAME (-- COMMAND [ARG...] | --url URL)",
		Short: "Add a server: a program that the agent starts, or a URL",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errNoCommand
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			a.Name, a.Words = args[0], args[1:]
			s, err := a.Server()
			if errors.Is(err, mcpfile.ErrNoCommand) {
				return errNoCommand
			}
			if err != nil {
				return err
			}
			return process.Fail(m.add(s))
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) && cmd.Flags().NArg() > 0 {
			return fmt.Errorf("%w; a command with flags stands behind --, as in `parley mcp add NAME -- COMMAND ARG...`", err)
		}
		return arguments.FlagError(cmd, err)
	})
	f := cmd.Flags()
	f.StringVar(&a.URL, "url", "", "the `address` of a server that runs elsewhere")
	f.StringVar(&a.Transport, "transport", "", "the `kind` of server: stdio (a command), http or sse (a URL)")
	f.StringArrayVar(&a.Env, "env", nil, "a `KEY=VALUE` of the environment of the command; may be repeated")
	f.StringArrayVar(&a.Headers, "header", nil, "a `KEY:VALUE` that is sent to the URL; may be repeated")
	f.StringSliceVar(&a.Tools, "tools", []string{"*"}, "the `names` of the tools that the agent may use, with commas between; * is all")
	m.registerYes(f)
	return cmd
}

func (m *manager) add(s mcpfile.Server) error {
	f, err := m.places().Target(m.scope)
	if err != nil {
		return err
	}
	c, err := f.Add(s)
	if errors.Is(err, mcpfile.ErrServerExists) {
		return fmt.Errorf("there is a server %q in %s already; `parley mcp edit %s` changes it", s.Name, f.Path, s.Name)
	}
	if err != nil {
		return err
	}
	return m.change(c, fmt.Sprintf("Add %s to %s?", s.Name, f.Path),
		fmt.Sprintf("Added %s. `parley mcp try %s` starts it and lists its tools.", s.Name, s.Name)+ifTrusted(f))
}

// removeCommand removes a server.
func (m *manager) removeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "remove NAME", Aliases: []string{"rm"}, Short: "Remove a server", Args: oneName, ValidArgsFunction: m.completeName,
		RunE: func(_ *cobra.Command, args []string) error { return process.Fail(m.remove(args[0])) },
	}
	m.registerYes(cmd.Flags())
	return cmd
}

func (m *manager) remove(name string) error {
	f, _, err := m.find(name)
	if err != nil {
		return err
	}
	c, err := f.Remove(name)
	if err != nil {
		return err
	}
	return m.change(c, fmt.Sprintf("Remove %s from %s?", plain(name), f.Path), f.Removed(plain(name)))
}

// editCommand changes a server in the user's editor.
func (m *manager) editCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Change a server in your editor", Args: oneName, ValidArgsFunction: m.completeName,
		RunE: func(_ *cobra.Command, args []string) error {
			return process.Fail(untilSignal(func(ctx context.Context) error { return m.edit(ctx, args[0]) }))
		},
	}
	m.registerYes(cmd.Flags())
	return cmd
}

func (m *manager) edit(ctx context.Context, name string) error {
	f, _, err := m.find(name)
	if err != nil {
		return err
	}
	if err := m.canAsk(); err != nil {
		return err
	}
	raw, err := mcpfile.Raw(f.Text, name)
	if err != nil {
		return f.At(err)
	}
	editing := string(raw)
	for {
		before := editing
		saved, err := handover.TTY{In: m.In, Out: m.Out, Env: m.Env}.Edit(ctx, handover.File{Name: name + ".json", Text: editing},
			func(run func() error) error { return run() })
		if err != nil {
			return err
		}
		editing = handover.EditedText(before, saved)
		c, err := f.Replace(name, []byte(editing))
		if err == nil {
			return m.change(c, fmt.Sprintf("Change %s in %s?", plain(name), f.Path), "Changed "+plain(name)+"."+ifTrusted(f))
		}
		err = fmt.Errorf("what was saved is no server: %w", err)
		process.Complain(m.Err, err)
		if !m.Agrees("Edit it again? [y/N] ") {
			return process.ErrSilent
		}
	}
}

// canAsk reports why the user cannot be asked; nil if it need not be.
func (m *manager) canAsk() error {
	if m.yes || term.IsTerminal(m.In.Fd()) && term.IsTerminal(m.Out.Fd()) {
		return nil
	}
	return errors.New("the change is shown and asked about first, which needs a terminal; --yes goes without")
}

// change shows what becomes of a file, asks, and writes it.
func (m *manager) change(c mcpfile.Change, question, done string) error {
	if c.Empty() {
		m.note("Nothing was changed.")
		return nil
	}
	if err := m.canAsk(); err != nil {
		return err
	}
	if err := m.showChange(c); err != nil {
		return err
	}
	if !m.yes && !m.Agrees(question+" [y/N] ") {
		m.note("Nothing was written.")
		return nil
	}
	if err := c.Write(context.Background()); err != nil {
		return err
	}
	m.note(done)
	m.note("In a session that is open, /mcp reload applies the change.")
	return nil
}

// ifTrusted says on a line of its own where the agent starts the servers of a file, if that
// is not everywhere.
func ifTrusted(f mcpfile.File) string {
	if f.Scope != mcpfile.Project {
		return ""
	}
	return "\nThe agent starts servers of a project in folders that you trust only."
}

// showChange writes the change of a file, without secrets.
func (m *manager) showChange(c mcpfile.Change) error {
	was, is, err := c.Shown()
	if err != nil {
		return err
	}
	d := diff.NewInline(diff.Compare(c.Path, was, is))
	th, profile := output.Theme(m.Console, "auto")
	th.ASCII = !output.ShowsUnicode(m.Console)
	out := &colorprofile.Writer{Forward: m.Out, Profile: profile}
	lines := []string{plain(c.Path)}
	for unit := range d.Units() {
		lines = append(lines, d.Draw(unit, output.Width(m.Console), th, false)...)
	}
	if !d.Changes() {
		lines = append(lines, "Only values that are hidden differ.")
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	if _, err := out.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		return fmt.Errorf("show the change: %w", err)
	}
	return nil
}

// note says what was done, which is no answer for programs.
func (m *manager) note(line string) { _, _ = fmt.Fprintln(m.Err, line) }
