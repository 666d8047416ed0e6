package conversation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/settings/mcpfile"
	"parley/theme"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// mcp is the MCP servers and the tools of one of them, as they were read
// last. They are read again while they are open and the session reports a change.
type mcp struct {
	*core
	servers mirror[McpServer]
	picker  *picker.Picker // lists the servers, if it is the one that is open
	tools   mirror[session.McpTool]
	server  string       // that has the tools
	panel   *panel.Panel // shows the tools, if it is the one that is open
}

// McpServer is what the list shows of a server.
type McpServer struct {
	Name, Status, Error string
	Source              string // where it is from, in the agent's words
	Path, Scope         string // of the file that has it; "" is none
	About               string // its command line or URL, without secrets
}

// The states of a server that the agent does not report.
const (
	notStarted = "not started" // the folder is not trusted
	notLoaded  = "not loaded"  // it was added to a file since the agent read it
	notUsable  = "not usable"  // the file has something else in its place
)

// trusts reports whether the agent starts servers in the folder of a session.
func trusts(s session.Session) bool {
	t, ok := session.As[session.FolderTruster](s)
	return !ok || t.FolderTrusted()
}

// inFiles reports whether the servers are configured in files that can be changed here.
func (c *mcp) inFiles() bool {
	_, ok := session.As[session.McpConfigurer](c.Session)
	return ok && !c.Info.Remote
}

// mcpPlaces are where the files of servers are found.
func (c *mcp) mcpPlaces() mcpfile.Places {
	return mcpfile.Places{Env: c.win.Config.Env, Home: c.win.Config.Home, Dir: c.Info.Dir}
}

// mcpServers reads the servers: those that the agent lists, and what else is in its files.
func (c *mcp) mcpServers(s session.McpManager) func(context.Context) ([]McpServer, error) {
	places, trusted, inFiles := c.mcpPlaces(), trusts(c.Session), c.inFiles()
	return func(ctx context.Context) ([]McpServer, error) {
		list, err := s.McpServers(ctx)
		if err != nil {
			return nil, err
		}
		var files []mcpfile.File
		if inFiles {
			files, _ = places.Files("") // without a home there is no file of the user's
		}
		return mergeServers(list, files, trusted), nil
	}
}

// mergeServers are the servers that the agent lists, each with the file that has it, and those
// of files that it does not list.
func mergeServers(list []session.McpServer, files []mcpfile.File, trusted bool) []McpServer {
	all := make([]McpServer, len(list))
	for i, v := range list {
		all[i] = McpServer{Name: v.Name, Status: v.Status, Source: v.Source, Error: mcpfile.Redacted(v.Error)}
		if !trusted && v.Status == "disabled" {
			all[i].Status = notStarted
		}
	}
	for _, f := range files {
		if f.Err != nil {
			all = append(all, McpServer{Status: notUsable, Error: f.Err.Error(), Path: f.Path, Scope: f.Scope})
		}
		for _, s := range f.Servers {
			i := slices.IndexFunc(all, func(v McpServer) bool { return v.Name == s.Name })
			if i < 0 {
				i, all = len(all), append(all, McpServer{Name: s.Name, Status: notLoaded})
				switch {
				case s.Err != nil:
					all[i].Status, all[i].Error = notUsable, f.At(s.Err).Error()
				case !trusted:
					all[i].Status = notStarted
				}
			}
			if all[i].Path == "" { // else a file before this one has it
				all[i].Path, all[i].Scope, all[i].About = f.Path, f.Scope, s.About()
			}
		}
	}
	return all
}

// changed reads the list of servers or of tools again that is open.
func (c *mcp) changed() tea.Cmd {
	s, ok := session.As[session.McpManager](c.Session)
	switch {
	case !ok || !c.inFront():
	case c.win.Overlay == c.picker:
		return c.servers.read(c.core, c.mcpServers(s))
	case c.win.Overlay == c.panel:
		return c.tools.read(c.core, mcpTools(s, c.server))
	}
	return nil
}

// namedServers are the choices of /mcp with a server by its name, of those that are known
// without asking for them.
func (c *mcp) namedServers(reported []session.McpServer) []string {
	var names []string
	add := func(name string) {
		if name != "" && name == text.SanitizeLine(name) && !strings.Contains(name, " ") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, v := range c.servers.Items {
		add(v.Name)
	}
	for _, v := range reported {
		add(v.Name)
	}
	for _, v := range c.Timeline.Status().Catalog.Servers {
		add(v.Name)
	}
	var choices []string
	for _, verb := range []string{"edit", "remove", "try"} {
		for _, name := range names {
			choices = append(choices, verb+" "+name)
		}
	}
	return choices
}

// noMcp is said where the agent has no servers.
const noMcp = "This agent has no MCP servers; parley mcp changes the Copilot CLI's."

// showMcp shows the MCP servers, to switch, restart, change and look into them, with the
// one chosen that is named; or it does what the words say.
func (c *mcp) showMcp(words string) tea.Cmd {
	s, ok := capability[session.McpManager](c.core, noMcp)
	if !ok {
		return nil
	}
	verb, rest, _ := strings.Cut(words, " ")
	switch rest = strings.TrimSpace(rest); {
	case verb == "add":
		return c.addTyped(s, rest)
	case verb == "reload" && rest == "":
		return c.listAfter(s, "reload the MCP servers", s.ReloadMcp, "")
	case (verb == "edit" || verb == "remove" || verb == "try") && rest == "":
		return c.ShowHint("/mcp %s takes the name of a server.", verb)
	case verb == "edit":
		return c.edit(s, rest, "")
	case verb == "remove" || verb == "rm":
		return c.remove(s, rest, "")
	case verb == "try":
		return c.try(rest, "")
	}
	return c.listAfter(s, "list the MCP servers", func(context.Context) error { return nil }, words)
}

// listAfter does something, and lists the servers then, with one chosen.
func (c *mcp) listAfter(s session.McpManager, what string, do func(context.Context) error, chosen string) tea.Cmd {
	read := c.mcpServers(s)
	return ask(c.core, what, func(ctx context.Context) ([]McpServer, error) {
		if err := do(ctx); err != nil {
			return nil, err
		}
		return read(ctx)
	}, func(all []McpServer) tea.Cmd {
		known := chosen == "" || slices.ContainsFunc(all, func(v McpServer) bool { return v.Name == chosen })
		switch {
		case !known:
			c.ShowHint("There is no MCP server %s: /mcp lists them, and /mcp add adds one.", c.win.Cut(chosen, c.win.Width/3))
		case c.Opens(true, "", "The MCP servers are here: /mcp shows them."):
			c.OpenMcp(s, all, chosen)
		}
		return nil
	})
}

// OpenMcp lists the servers, with one chosen; "" is the first.
func (c *mcp) OpenMcp(s session.McpManager, all []McpServer, chosen string) {
	c.servers.Items = all
	p := &picker.Picker{
		List: widget.List{Rows: c.mcpRows()}, Title: "MCP servers", Live: c.mcpRows, State: c.mcpState,
		Empty: "No MCP servers yet.", Preview: c.mcpPreview,
	}
	for _, v := range all {
		p.PreviewRows = max(p.PreviewRows, min(mostServerFacts, len(c.drawServer(v, c.win.Width))+1)) // with air below
	}
	p.More = c.mcpKeys(s, p)
	c.picker = p
	if chosen == "" && len(all) > 0 {
		chosen = all[0].Name
	}
	c.Pick(p, chosen)
}

// find is the server of a row.
func (c *mcp) find(r widget.Row) McpServer {
	i := slices.IndexFunc(c.servers.Items, func(v McpServer) bool { return v.Name == r.Value })
	if i < 0 {
		return McpServer{}
	}
	return c.servers.Items[i]
}

// whyNoServer is why what is done with a server is not offered; "" where there is one.
func (c *mcp) whyNoServer(widget.Row) string {
	if slices.ContainsFunc(c.servers.Items, func(v McpServer) bool { return v.Name != "" }) {
		return ""
	}
	return "There is no server yet."
}

// mcpKeys are the keys of the list of servers.
func (c *mcp) mcpKeys(s session.McpManager, p *picker.Picker) []picker.Key {
	open := func(all []McpServer, chosen string) { c.OpenMcp(s, all, chosen) }
	// named does something with the chosen server, if there is one.
	named := func(do func(v McpServer) tea.Cmd) func(r widget.Row) overlay.Request {
		return Doing(func(r widget.Row) tea.Cmd {
			if v := c.find(r); v.Name != "" {
				return do(v)
			}
			return nil
		})
	}
	// filed is named for what is in a file; a note says why that is not changed.
	filed := func(do func(v McpServer) tea.Cmd) func(r widget.Row) overlay.Request {
		return named(func(v McpServer) tea.Cmd {
			switch why := c.whyNotInFiles(); {
			case why != "":
				p.Note = why
			case v.Path == "":
				p.Note = fmt.Sprintf("%s is in no file of yours or of the project's.", c.win.Cut(v.Name, c.win.Width/3))
			default:
				return do(v)
			}
			return nil
		})
	}
	none := c.whyNoServer
	fixed := func(widget.Row) string { return c.whyNotInFiles() }
	return []picker.Key{
		{Action: "list-choose", Title: "tools", Refuse: none, Do: named(func(v McpServer) tea.Cmd {
			if v.Status != "connected" {
				p.Note = fmt.Sprintf("%s is %s, so that its tools are not known.", c.win.Cut(v.Name, c.win.Width/3), v.Status)
				return nil
			}
			return c.showMcpTools(s, v.Name)
		})},
		{Action: "list-switch.toggle", Title: "on/off", Refuse: none, Do: named(func(v McpServer) tea.Cmd {
			return reopen(c.core, "switch the MCP server", func(ctx context.Context) error {
				return s.EnableMcp(ctx, v.Name, v.Status == "disabled" || v.Status == "stopped" || v.Status == notStarted)
			}, c.mcpServers(s), open, v.Name)
		})},
		{Action: "list-server.add", Title: "add", Refuse: fixed, Do: Doing(func(widget.Row) tea.Cmd {
			return c.addByForm(s, addition{}, "")
		})},
		{Action: "list-queue.reword", Title: "edit", Refuse: none, Do: filed(func(v McpServer) tea.Cmd {
			return c.edit(s, v.Name, v.Scope)
		})},
		{Action: "list-server.remove", Title: "remove", Refuse: none, Do: filed(func(v McpServer) tea.Cmd {
			return c.remove(s, v.Name, v.Scope)
		})},
		{Action: "list-server.try", Title: "try", Refuse: none, Do: filed(func(v McpServer) tea.Cmd {
			p.Note = "Trying " + c.win.Cut(v.Name, c.win.Width/3)
			return c.try(v.Name, v.Scope)
		})},
		{Action: "list-switch.restart", Title: "restart", Refuse: none, Do: named(func(v McpServer) tea.Cmd {
			return reopen(c.core, "restart the MCP server", func(ctx context.Context) error {
				return s.RestartMcp(ctx, v.Name)
			}, c.mcpServers(s), open, v.Name)
		})},
	}
}

// whyNotInFiles is why no server is changed, and what to do instead; "" where one can be.
func (c *mcp) whyNotInFiles() string {
	switch {
	case c.inFiles():
		return ""
	case c.Info.Remote:
		return "This agent runs elsewhere: its files of MCP servers are changed there."
	}
	return "Fixed by this agent. Use parley mcp add, or start with --agent copilot."
}

// mcpState says at the title why no server runs, if that is so.
func (c *mcp) mcpState() string {
	if trusts(c.Session) {
		return ""
	}
	return "the folder is not trusted, so none is started: /trust"
}

// mcpRows are the servers as they were read last.
func (c *mcp) mcpRows() []widget.Row {
	return widget.Rows(c.servers.Items, func(v McpServer) widget.Row {
		mark := c.win.onOff(v.Status == "connected")
		if v.Status == "failed" || v.Status == notUsable {
			mark = c.win.Theme.Glyph(theme.MarkFailed)
		}
		r := widget.Row{
			Value: v.Name, Label: mark + " " + v.Name, Right: v.Status,
			Detail: cmp.Or(widget.FirstLine(v.Error), shortFile(c.core, v.Path), v.Source),
		}
		if v.Name == "" {
			r.Label = mark + " " + widget.Base(v.Path)
		}
		return r
	})
}

// mostServerFacts is how many lines at most are drawn below the list for one server.
const mostServerFacts = 8

// mcpPreview draws what else is known of the server of a row.
func (c *mcp) mcpPreview(r widget.Row, width, height int) []string {
	lines := c.drawServer(c.find(r), width)
	return lines[:min(len(lines), height)]
}

// drawServer draws what is known of a server: first why it does not work.
func (c *mcp) drawServer(v McpServer, width int) []string {
	where := shortFile(c.core, v.Path)
	switch v.Scope {
	case mcpfile.User:
		where += ", yours in all folders"
	case mcpfile.Project:
		where += ", of this project"
	}
	facts := panel.Known(panel.Fact{"problem", v.Error}, panel.Fact{"runs", v.About}, panel.Fact{"file", where})
	return panel.DrawFacts(c.win.Theme, facts, max(1, width-2*widget.Margin))
}
