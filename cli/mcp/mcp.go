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
	"parley/history/secrets"
	"parley/render/text"
	"parley/settings"
	"parley/settings/mcpfile"
	"parley/tui/widget"
)

// The scopes of a server.
const (
	user    = "user"
	project = "project"
)

// Scopes are what --scope takes.
var Scopes = []string{user, project}

// Transports are what --transport takes.
var Transports = []string{"stdio", "http", "sse"}

// manager is the command line of MCP servers.
type manager struct {
	process.Console
	folder agents.Options
	scope  string // one of Scopes, or ""
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
			if m.scope != "" && !slices.Contains(Scopes, m.scope) {
				return fmt.Errorf("--scope is %s, not %q", strings.Join(Scopes, " or "), m.scope)
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

// file is a file of servers, as it was read.
type file struct {
	scope, path string
	text        []byte
	servers     []mcpfile.Server
	err         error // why it cannot be read
}

// open reads a file.
func open(scope, path string) file {
	f := file{scope: scope, path: path}
	if f.text, f.err = settings.ReadText(path); f.err == nil {
		f.servers, f.err = mcpfile.Parse(f.text)
		f.err = f.at(f.err)
	}
	return f
}

// at is an error about the file, with its path and the line.
func (f file) at(err error) error {
	if wrong := (*mcpfile.SyntaxError)(nil); errors.As(err, &wrong) {
		return &settings.MistakeError{Path: f.path, Line: wrong.Line, What: wrong.What}
	}
	return err
}

// files reads those of the scope, or of all, the nearest of the project first.
func (m *manager) files() ([]file, error) {
	var all []file
	if m.scope != user {
		found, _ := m.projectPaths()
		for _, path := range found {
			all = append(all, open(project, path))
		}
	}
	if m.scope != project {
		path, err := m.userPath()
		if err != nil {
			return nil, err
		}
		all = append(all, open(user, path))
	}
	return all, nil
}

// userPath is the file of the user.
func (m *manager) userPath() (string, error) {
	home, _ := os.UserHomeDir()
	if path := mcpfile.UserPath(m.Env, home); path != "" {
		return path, nil
	}
	return "", errors.New("there is no folder for the agent's files; set HOME or COPILOT_HOME")
}

// projectPaths are the files of the project, and the one that a server is added to.
func (m *manager) projectPaths() (found []string, add string) {
	return mcpfile.ProjectPaths(m.folder.Dir, func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
}

// find reads the file that has a server, and returns both.
func (m *manager) find(name string) (file, mcpfile.Server, error) {
	files, err := m.files()
	if err != nil {
		return file{}, mcpfile.Server{}, err
	}
	var in []file
	var broken []error
	for _, f := range files {
		broken = append(broken, f.err)
		if f.index(name) >= 0 {
			in = append(in, f)
		}
	}
	switch {
	case len(in) == 0 && errors.Join(broken...) != nil:
		return file{}, mcpfile.Server{}, errors.Join(broken...)
	case len(in) == 0:
		return file{}, mcpfile.Server{}, fmt.Errorf("there is no MCP server %q; `parley mcp list` lists them", name)
	case in[0].scope != in[len(in)-1].scope:
		return file{}, mcpfile.Server{}, fmt.Errorf("there is a server %q of yours and one of the project; "+
			"--scope user or --scope project chooses", name)
	}
	return in[0], in[0].servers[in[0].index(name)], nil
}

func (f file) index(name string) int {
	return slices.IndexFunc(f.servers, func(s mcpfile.Server) bool { return s.Name == name })
}

// completeName completes the name of a server.
func (m *manager) completeName(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || m.folder.FindFolder() != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	files, _ := m.files() // a shell shows no errors
	for _, f := range files {
		for _, s := range f.servers {
			if strings.HasPrefix(s.Name, typed) && s.Name == text.SanitizeCompact(s.Name) {
				names = append(names, s.Name+"\t"+text.Truncate(what(s), 60, "..."))
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
	files, err := m.files()
	if err != nil {
		return err
	}
	rows := []row{}
	var broken []error
	for _, f := range files {
		broken = append(broken, f.err)
		for _, s := range f.servers {
			r := row{s.Name, s.Kind(), f.scope, f.path, what(s), ""}
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
	shown := string(f.text)
	if !show {
		if shown, err = hidden(f.text, nil); err != nil {
			return err
		}
	}
	raw, err := mcpfile.Raw([]byte(shown), name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(m.Out, "%s, %s, in %s\n%s\n", plain(name), s.Kind(), plain(f.path), text.Sanitize(string(raw)))
	return errors.Join(err, f.at(s.Err))
}

// plain makes text of any kind one safe line.
func plain(s string) string { return text.SanitizeCompact(s) }

// what a server is: the command line or the URL, without secrets.
func what(s mcpfile.Server) string {
	if s.Remote() {
		return redacted(s.URL)
	}
	return redacted(strings.Join(append([]string{s.Command}, s.Args...), " "))
}

// redacted is a text without what looks like a secret.
func redacted(s string) string {
	shown, err := secrets.Replace(s, func(string) string { return mcpfile.Hidden })
	if err != nil {
		return mcpfile.Hidden
	}
	return shown
}

// hidden is the text of a file to be shown. before is that before a change, or nil.
func hidden(text, before []byte) (string, error) {
	shown, err := mcpfile.HideSecrets(text, before)
	return redacted(string(shown)), err
}

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
