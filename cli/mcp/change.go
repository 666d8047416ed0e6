package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/diff"
	"parley/settings"
	"parley/settings/mcpfile"
	"parley/terminal/handover"
)

// registerYes adds the flag of the commands that change a file.
func (m *manager) registerYes(f *pflag.FlagSet) {
	f.BoolVar(&m.yes, "yes", false, "do not ask before the file is written")
}

// addition holds the flags of `parley mcp add`.
type addition struct {
	url, transport string
	env, headers   []string
	tools          []string
}

// addCommand adds a server.
func (m *manager) addCommand() *cobra.Command {
	var a addition
	cmd := &cobra.Command{
		Use:   "add NAME (-- COMMAND [ARG...] | --url URL)",
		Short: "Add a server: a program that the agent starts, or a URL",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("add takes a name, and a command behind -- or a --url")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.server(args[0], args[1:])
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
	f.StringVar(&a.url, "url", "", "the `address` of a server that runs elsewhere")
	f.StringVar(&a.transport, "transport", "", "the `kind` of server: stdio (a command), http or sse (a URL)")
	f.StringArrayVar(&a.env, "env", nil, "a `KEY=VALUE` of the environment of the command; may be repeated")
	f.StringArrayVar(&a.headers, "header", nil, "a `KEY:VALUE` that is sent to the URL; may be repeated")
	f.StringSliceVar(&a.tools, "tools", []string{"*"}, "the `names` of the tools that the agent may use, with commas between; * is all")
	m.registerYes(f)
	return cmd
}

// server is the one that the command line describes.
func (a addition) server(name string, words []string) (mcpfile.Server, error) {
	s := mcpfile.Server{Name: name, Type: a.transport, URL: a.url, Tools: a.tools}
	if len(words) == 1 && s.URL == "" && (strings.HasPrefix(words[0], "https://") || strings.HasPrefix(words[0], "http://")) {
		s.URL, words = words[0], nil
	}
	if len(words) > 0 {
		s.Command, s.Args = words[0], words[1:]
	}
	switch {
	case s.Type != "" && !slices.Contains(Transports, s.Type):
		return s, fmt.Errorf("--transport is one of %s, not %q", strings.Join(Transports, ", "), s.Type)
	case s.Command == "" && s.URL == "":
		return s, errors.New("add takes a name, and a command behind -- or a --url")
	case s.Command != "" && s.URL != "":
		return s, errors.New("a server has a command or a --url, not both")
	case s.Command != "" && len(a.headers) > 0:
		return s, errors.New("--header is for a --url; a command takes --env")
	case s.URL != "" && len(a.env) > 0:
		return s, errors.New("--env is for a command; a --url takes --header")
	}
	if s.Type == "" || s.Type == "stdio" {
		s.Type = mcpfile.Server{Command: s.Command, URL: s.URL}.Kind()
	}
	var err error
	if s.Env, err = pairs("--env", a.env, "="); err != nil {
		return s, err
	}
	if s.Headers, err = pairs("--header", a.headers, ":"); err != nil {
		return s, err
	}
	return s, s.Check()
}

// pairs are the values of a flag, each with a name before a sign. An error does not repeat
// them, as they may be secrets.
func pairs(flag string, given []string, sign string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, pair := range given {
		name, value, ok := strings.Cut(pair, sign)
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("%s takes a name and a value with %q between", flag, sign)
		}
		if sign == ":" {
			value = strings.TrimSpace(value)
		}
		all[name] = value
	}
	return all, nil
}

func (m *manager) add(s mcpfile.Server) error {
	_, path := m.projectPaths()
	scope := project
	if m.scope != project {
		scope = user
		var err error
		if path, err = m.userPath(); err != nil {
			return err
		}
	}
	f := open(scope, path)
	if f.err != nil {
		return f.err
	}
	after, err := mcpfile.Add(f.text, s)
	if errors.Is(err, mcpfile.ErrServerExists) {
		return fmt.Errorf("there is a server %q in %s already; `parley mcp edit %s` changes it", s.Name, path, s.Name)
	}
	if err != nil {
		return f.at(err)
	}
	return m.change(f, after, fmt.Sprintf("Add %s to %s?", s.Name, path),
		fmt.Sprintf("Added %s. `parley mcp try %s` starts it and lists its tools.", s.Name, s.Name))
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
	after, err := mcpfile.Remove(f.text, name)
	if err != nil {
		return f.at(err)
	}
	return m.change(f, after, fmt.Sprintf("Remove %s from %s?", plain(name), f.path), "Removed "+plain(name)+".")
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
	raw, err := mcpfile.Raw(f.text, name)
	if err != nil {
		return f.at(err)
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
		after, err := mcpfile.Replace(f.text, name, []byte(editing))
		if err == nil {
			return m.change(f, after, fmt.Sprintf("Change %s in %s?", plain(name), f.path), "Changed "+plain(name)+".")
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
func (m *manager) change(f file, after []byte, question, done string) error {
	if bytes.Equal(f.text, after) {
		m.note("Nothing was changed.")
		return nil
	}
	if err := m.canAsk(); err != nil {
		return err
	}
	if err := m.showChange(f, after); err != nil {
		return err
	}
	if !m.yes && !m.Agrees(question+" [y/N] ") {
		m.note("Nothing was written.")
		return nil
	}
	err := settings.Rewrite(context.Background(), f.path, func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, f.text) {
			return nil, fmt.Errorf("%s was changed meanwhile, so nothing was written; run the command again", f.path)
		}
		return after, nil
	})
	if err != nil {
		return err
	}
	m.note(done)
	if f.scope == project {
		m.note("The agent starts servers of a project in folders that you trust only.")
	}
	m.note("/mcp reload takes it up in a session that is open.")
	return nil
}

// showChange writes the change of a file, without secrets.
func (m *manager) showChange(f file, after []byte) error {
	was, err := hidden(f.text, nil)
	if err != nil {
		return err
	}
	is, err := hidden(after, f.text)
	if err != nil {
		return err
	}
	d := diff.NewInline(diff.Compare(f.path, was, is))
	th, profile := output.Theme(m.Console, "auto")
	th.ASCII = !output.ShowsUnicode(m.Console)
	out := &colorprofile.Writer{Forward: m.Out, Profile: profile}
	lines := []string{plain(f.path)}
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
