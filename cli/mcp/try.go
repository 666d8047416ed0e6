package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/cli/process"
	"parley/render/text"
	"parley/session"
	"parley/session/processgroup"
	"parley/settings/environ"
	"parley/settings/mcpfile"
)

const (
	tailBytes  = 2048 // kept of what a program writes to its standard error
	endsWithin = time.Second
)

// tryCommand starts a server and lists its tools.
func (m *manager) tryCommand() *cobra.Command {
	timeout := 0
	cmd := &cobra.Command{
		Use: "try NAME", Short: "Start a server, list its tools, and end it", Args: oneName, ValidArgsFunction: m.completeName,
		RunE: func(_ *cobra.Command, args []string) error {
			if timeout <= 0 {
				return errors.New("--timeout is a number of seconds above 0")
			}
			return process.Fail(untilSignal(func(ctx context.Context) error {
				return m.try(ctx, args[0], time.Duration(timeout)*time.Second)
			}))
		},
	}
	cmd.Flags().IntVar(&timeout, "timeout", 30, "how many `seconds` it may take")
	return cmd
}

func (m *manager) try(ctx context.Context, name string, timeout time.Duration) error {
	f, s, err := m.find(name)
	if err == nil {
		err = f.At(s.Err)
	}
	if err != nil {
		return err
	}
	m.note("Trying " + plain(s.About()))
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	about, found, err := Try(ctx, m.Env, m.folder.Dir, s)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer in %s; --timeout gives it longer", name, timeout)
	case err != nil:
		return fmt.Errorf("%s does not work: %w", name, err)
	}
	return m.listTools(name, about, found)
}

// listTools writes the tools of a server one below another.
func (m *manager) listTools(name, about string, tools []session.McpTool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s works (%s): %s\n", plain(name), plain(about), text.Count(len(tools), "tool"))
	widest := 0
	for _, t := range tools {
		widest = max(widest, min(30, text.Width(plain(t.Name))))
	}
	for _, t := range tools {
		first, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
		called := plain(t.Name)
		called += text.Spaces(widest - text.Width(called))
		b.WriteString(strings.TrimRight("  "+called+"  "+plain(first), " ") + "\n")
	}
	_, err := m.Out.WriteString(b.String())
	return err
}

// Try starts a server as the agent does in a folder, or connects to it, and returns what it
// calls itself and its tools.
func Try(ctx context.Context, env []string, dir string, s mcpfile.Server) (about string, tools []session.McpTool, err error) {
	t := trial{env, dir}
	if s.Remote() {
		return t.remote(ctx, s)
	}
	return t.local(ctx, s)
}

// trial is what servers are tried with.
type trial struct {
	env []string // of the agent
	dir string
}

// local starts a program as the agent does, and returns its tools. All that it started
// ends with it.
func (t trial) local(ctx context.Context, s mcpfile.Server) (about string, tools []session.McpTool, err error) {
	words := make([]string, len(s.Args))
	for i, a := range s.Args {
		words[i] = t.expand(a)
	}
	cmd := exec.CommandContext(ctx, t.expand(s.Command), words...)
	cmd.Dir = filepath.Join(t.dir, s.Dir)
	if filepath.IsAbs(s.Dir) {
		cmd.Dir = s.Dir
	}
	cmd.Env = slices.Clone(t.env)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+t.expand(value))
	}
	var said tail
	cmd.Stderr = &said
	group := processgroup.New(cmd)
	cmd.WaitDelay = endsWithin
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := group.Start(); err != nil {
		return "", nil, err
	}
	about, tools, err = (&client{connection: newLines(in, out)}).tools()
	_ = in.Close()
	ending, stop := context.WithTimeout(ctx, endsWithin)
	defer stop()
	defer context.AfterFunc(ending, func() { _ = group.Kill() })()
	ended := cmd.Wait()
	var strange *strangeError
	switch {
	case errors.As(err, &strange):
		err = fmt.Errorf("the program wrote %w; check that its command and arguments start an MCP server", strange)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = cmp.Or(ended, errors.New("the program ended without an answer; check that its command and arguments start an MCP server"))
	}
	_ = group.Kill() // what it started and left; none is the rule
	if wrote := plain(string(said)); err != nil && wrote != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, mcpfile.Redacted(wrote))
	}
	return about, tools, err
}

// tail keeps the end of what is written to it.
type tail []byte

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-tailBytes):]
	return len(p), nil
}

// variable is a variable of the environment in a file of servers, as ${NAME} or
// ${NAME:-otherwise}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}`)

// expand puts the values of variables in a text, as the agent does. One that is not set
// and has no other value stays.
func (t trial) expand(s string) string {
	return variable.ReplaceAllStringFunc(s, func(found string) string {
		parts := variable.FindStringSubmatch(found)
		switch value := environ.Get(t.env, parts[1]); {
		case value != "":
			return value
		case strings.Contains(found, ":-"):
			return parts[2]
		}
		return found
	})
}

// remote connects to a URL as the agent does, and returns the tools of the server there.
func (t trial) remote(ctx context.Context, s mcpfile.Server) (about string, tools []session.McpTool, err error) {
	address := t.expand(s.URL)
	headers := map[string]string{}
	for name, value := range s.Headers {
		headers[name] = t.expand(value)
	}
	r := &remote{ctx: ctx, client: &http.Client{Transport: withHeaders{headers, address}}, url: address, events: s.Kind() == "sse"}
	defer r.close()
	if err := r.open(); err != nil {
		return "", nil, err
	}
	about, tools, err = (&client{connection: r}).tools()
	if strange := (*strangeError)(nil); errors.As(err, &strange) {
		err = fmt.Errorf("the address answers with %w; check that it is the URL of an MCP server", strange)
	}
	return about, tools, err
}

// withHeaders sends headers to the host of an address, and to no other that it leads to.
type withHeaders struct {
	headers map[string]string
	address string
}

// RoundTrip implements http.RoundTripper.
func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	if to, err := url.Parse(w.address); err == nil && to.Host == r.URL.Host && to.Scheme == r.URL.Scheme {
		r = r.Clone(r.Context())
		for name, value := range w.headers {
			r.Header.Set(name, value)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}
