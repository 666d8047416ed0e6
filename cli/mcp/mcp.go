// Package mcp is the command about MCP servers: it lists, shows, adds, changes, removes
// and tries those that are configured in the agent's own files.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/text"
	"parley/settings/mcpfile"
	"parley/tui/widget"
)

// manager is the command line of MCP servers.
type manager struct {
	process.Console
	folder agents.Options
	scope  string // one of mcpfile.Scopes, or ""
	yes    bool
}

// Command is the command about MCP servers.
func Command(c process.Console) *cobra.Command {
	m := &manager{Console: c}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "List, add, change, remove and try MCP servers",
		Args:  arguments.SubcommandsOnly,
		RunE:  func(cmd *cobra.Command, _ []string) error { return process.Fail(cmd.Help()) },
	}
	cmd.AddCommand(m.listCommand(), m.getCommand(), m.addCommand(), m.editCommand(), m.removeCommand(), m.tryCommand())
	for _, sub := range cmd.Commands() {
		f := sub.Flags()
		f.StringVar(&m.folder.Dir, "cwd", "", "the `folder` of the project (default: this one)")
		f.StringVar(&m.scope, "scope", "", "`whose` server it is: user (yours, in all folders) or project (the folder's, shared)")
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error {
			if m.scope != "" && !slices.Contains(mcpfile.Scopes, m.scope) {
				return fmt.Errorf("--scope is %s, not %q", strings.Join(mcpfile.Scopes, " or "), m.scope)
			}
			if err := m.folder.FindFolder(); err != nil {
				return err
			}
			return run(cmd, args)
		}
	}
	return cmd
}

// oneName accepts the name of one server.
func oneName(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return fmt.Errorf("%s takes the name of one server; `parley mcp list` lists them", cmd.Name())
	}
	return nil
}

// places are where the files are.
func (m *manager) places() mcpfile.Places {
	home, _ := os.UserHomeDir()
	return mcpfile.Places{Env: m.Env, Home: home, Dir: m.folder.Dir}
}

// find reads the file that has a server, and returns both.
func (m *manager) find(name string) (mcpfile.File, mcpfile.Server, error) {
	f, s, err := m.places().Find(name, m.scope)
	switch {
	case errors.Is(err, mcpfile.ErrNoServer):
		err = fmt.Errorf("there is no MCP server %q; `parley mcp list` lists them", name)
	case errors.Is(err, mcpfile.ErrSeveral):
		err = fmt.Errorf("there is a server %q of yours and one of the project; --scope user or --scope project chooses", name)
	}
	return f, s, err
}

// completeName completes the name of a server.
func (m *manager) completeName(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || m.folder.FindFolder() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	files, _ := m.places().Files(m.scope) // a shell shows no errors
	for _, f := range files {
		for _, s := range f.Servers {
			if strings.HasPrefix(s.Name, typed) && s.Name == text.SanitizeCompact(s.Name) {
				names = append(names, s.Name+"\t"+text.Truncate(s.About(), 60, "..."))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// row is a server as `parley mcp list --json` prints it.
type row struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Scope   string `json:"scope"`
	Path    string `json:"path"`
	What    string `json:"what"` // the command line or the URL
	Problem string `json:"problem,omitempty"`
}

// listCommand lists the servers.
func (m *manager) listCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the MCP servers that are configured, and where", Args: arguments.NoWords,
		RunE: func(*cobra.Command, []string) error { return process.Fail(m.list(asJSON)) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write it as JSON, for programs")
	return cmd
}

// list lists the servers. A file that cannot be read is reported, and the others are listed.
func (m *manager) list(asJSON bool) error {
	files, err := m.places().Files(m.scope)
	if err != nil {
		return err
	}
	rows := []row{}
	var broken []error
	for _, f := range files {
		broken = append(broken, f.Err)
		for _, s := range f.Servers {
			r := row{s.Name, s.Kind(), f.Scope, f.Path, s.About(), ""}
			if s.Err != nil {
				r.Problem = s.Err.Error()
			}
			rows = append(rows, r)
		}
	}
	switch {
	case asJSON:
		return errors.Join(append(broken, output.JSON(m.Console, rows))...)
	case len(rows) > 0:
		return errors.Join(append(broken, m.table(rows))...)
	case errors.Join(broken...) == nil:
		_, err = fmt.Fprintln(m.Out, "No MCP servers are configured; `parley mcp add` adds one.")
	}
	return errors.Join(append(broken, err)...)
}

// table writes servers one below another.
func (m *manager) table(rows []row) error {
	home, _ := os.UserHomeDir()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		said := r.What
		if r.Problem != "" {
			said = "cannot be used: " + r.Problem
		}
		where := r.Scope + " " + widget.ShortPath(r.Path, home)
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", plain(r.Name), plain(r.Type), plain(where), plain(said))
	}
	_ = w.Flush()
	_, err := m.Out.WriteString(b.String())
	return err
}

// getCommand shows one server.
func (m *manager) getCommand() *cobra.Command {
	show := false
	cmd := &cobra.Command{
		Use: "get NAME", Short: "Show how a server is configured", Args: oneName, ValidArgsFunction: m.completeName,
		RunE: func(_ *cobra.Command, args []string) error { return process.Fail(m.get(args[0], show)) },
	}
	cmd.Flags().BoolVar(&show, "show-secrets", false, "show the values of env and headers, and other secrets")
	return cmd
}

func (m *manager) get(name string, show bool) error {
	f, s, err := m.find(name)
	if err != nil {
		return err
	}
	shown := string(f.Text)
	if !show {
		if shown, err = mcpfile.Shown(f.Text, nil); err != nil {
			return err
		}
	}
	raw, err := mcpfile.Raw([]byte(shown), name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Out, "%s, %s, in %s\n%s\n", plain(name), s.Kind(), plain(f.Path), text.Sanitize(string(raw)))
	return errors.Join(err, f.At(s.Err))
}

// plain makes text of any kind one safe line.
func plain(s string) string { return text.SanitizeCompact(s) }

// untilSignal does something that a signal ends.
func untilSignal(do func(ctx context.Context) error) error {
	ctx, stop := process.UntilSignal(context.Background())
	defer stop()
	err := do(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
