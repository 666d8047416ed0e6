package conversation

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// setAgent chooses who handles the conversation.
func (c *options) setAgent(name string) tea.Cmd {
	s, ok := capability[session.AgentPicker](c.core, "This agent has no custom agents.")
	if !ok {
		return nil
	}
	choose := func(name string) tea.Cmd {
		return c.inOrder("choose the agent", func(ctx context.Context) error { return s.SelectAgent(ctx, name) })
	}
	if name != "" {
		return choose(name)
	}
	type agents struct {
		all      []session.CustomAgent
		selected string
	}
	return ask(c.core, "list the agents", func(ctx context.Context) (a agents, err error) {
		a.all, a.selected, err = s.CustomAgents(ctx)
		return a, err
	}, func(a agents) tea.Cmd {
		if !c.Opens(len(a.all) > 0, "There is no custom agent here.", "The agents are here: /agent shows them.") {
			return nil
		}
		rows := []widget.Row{{Label: "default", Detail: "the agent itself"}}
		for _, o := range a.all {
			rows = append(rows, widget.Row{
				Value: o.Name, Label: cmp.Or(o.DisplayName, o.Name), Detail: widget.FirstLine(o.Description), Right: o.Model,
			})
		}
		p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Agent"}
		p.Pick = Doing(func(r widget.Row) tea.Cmd { return choose(r.Value) })
		c.Pick(p, a.selected)
		return nil
	})
}

// onOff is the mark of what can be switched.
func (w *Window) onOff(on bool) string {
	if on {
		return w.Theme.Glyph(theme.MarkDone)
	}
	return w.Theme.Glyph(theme.MarkMinus)
}

// reopen does something to what a picker lists, and shows the list anew with
// the same row chosen.
func reopen[T any](c *core, what string, do func(context.Context) error, list func(context.Context) ([]T, error),
	open func(all []T, chosen string), chosen string,
) tea.Cmd {
	seen := Over[*picker.Picker](c.win)
	return ask(c, what, func(ctx context.Context) ([]T, error) {
		if err := do(ctx); err != nil {
			return nil, err
		}
		return list(ctx)
	}, func(all []T) tea.Cmd {
		if Over[*picker.Picker](c.win) == seen { // else the user has turned to something else
			open(all, chosen)
		}
		return nil
	})
}

// showSkills shows the skills, to switch them on and off.
func (c *options) showSkills(string) tea.Cmd {
	s, ok := capability[session.SkillManager](c.core, "This agent has no skills.")
	if !ok {
		return nil
	}
	var open func(all []session.Skill, chosen string)
	open = func(all []session.Skill, chosen string) {
		rows := widget.Rows(all, func(k session.Skill) widget.Row {
			return widget.Row{
				Value: k.Name, Label: c.win.onOff(k.Enabled) + " " + k.Name, Detail: widget.FirstLine(k.Description), Right: k.Source,
			}
		})
		p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Skills"}
		p.More = []picker.Key{{Action: "list-switch.toggle", Title: "on or off", Do: Doing(func(r widget.Row) tea.Cmd {
			i := slices.IndexFunc(all, func(k session.Skill) bool { return k.Name == r.Value })
			if i < 0 {
				return nil
			}
			return reopen(c.core, "switch the skill", func(ctx context.Context) error {
				return s.EnableSkill(ctx, r.Value, !all[i].Enabled)
			}, s.Skills, open, r.Value)
		})}}
		c.Pick(p, chosen)
	}
	return ask(c.core, "list the skills", s.Skills, func(all []session.Skill) tea.Cmd {
		if c.Opens(len(all) > 0, "There is no skill here.", "The skills are here: /skills shows them.") {
			open(all, all[0].Name)
		}
		return nil
	})
}

// showHooks shows the hooks that are configured; those that ran stand on the timeline.
func (c *options) showHooks(string) tea.Cmd {
	s, ok := capability[session.HookLister](c.core, "This agent reports no hooks.")
	if !ok {
		return nil
	}
	return ask(c.core, "list the hooks", s.Hooks, func(hooks session.Hooks) tea.Cmd {
		var facts []panel.Fact
		for _, h := range hooks.All {
			off := ""
			if !h.Enabled {
				off = "off"
			}
			facts = append(facts, panel.Fact{cmp.Or(h.Event, "hooks"), text.JoinNonEmpty(c.win.Dot(), h.Source, h.Origin, off)})
		}
		for _, wrong := range hooks.Wrong {
			facts = append(facts, panel.Fact{"not loaded", wrong})
		}
		if c.Opens(len(facts) > 0, "No hooks run here. They are files in .github/hooks and ~/.copilot/hooks.",
			"The hooks are here: /hooks shows them.") {
			c.OpenPanel(&panel.Panel{Title: "Hooks", Text: func(th *theme.Theme, width int) []string {
				return panel.DrawFacts(th, facts, width)
			}})
		}
		return nil
	})
}

// mcp is the MCP servers and the tools of one of them, as they were read
// last. They are read again while they are open and the tools change.
type mcp struct {
	*core
	servers mirror[McpServer]
	picker  *picker.Picker // lists the servers, if it is the one that is open
	tools   mirror[session.McpTool]
	server  string       // that has the tools
	panel   *panel.Panel // shows the tools, if it is the one that is open
}

// McpServer is what the list shows of a server.
type McpServer struct{ Name, Status, About string }

// mcpServers reads the servers.
func mcpServers(s session.McpManager) func(context.Context) ([]McpServer, error) {
	return func(ctx context.Context) ([]McpServer, error) {
		list, err := s.McpServers(ctx)
		all := make([]McpServer, len(list))
		for i, v := range list {
			all[i] = McpServer{v.Name, v.Status, cmp.Or(v.Error, v.Source)}
		}
		return all, err
	}
}

// mcpTools reads the tools of a server.
func mcpTools(s session.McpManager, server string) func(context.Context) ([]session.McpTool, error) {
	return func(ctx context.Context) ([]session.McpTool, error) { return s.McpTools(ctx, server) }
}

// toolsUpdated reads the list of servers or of tools again that is open, and says
// that it has changed.
func (c *mcp) toolsUpdated(model string) tea.Cmd {
	s, ok := session.As[session.McpManager](c.Session)
	var read tea.Cmd
	switch {
	case !ok || !c.inFront():
		return nil
	case c.win.Overlay == c.picker:
		read = c.servers.read(c.core, mcpServers(s))
	case c.win.Overlay == c.panel:
		read = c.tools.read(c.core, mcpTools(s, c.server))
	default:
		return nil
	}
	if model = c.win.Cut(model, c.win.Width/3); model == "" {
		c.ShowHint("Tools updated.")
	} else {
		c.ShowHint("Tools updated for %s.", model)
	}
	return read
}

// reloadWord is the word behind /mcp that has the files of the servers read again.
const reloadWord = "reload"

// showMcp shows the MCP servers, to switch, restart and look into them, with the
// one chosen that is named. The word reload has the agent read their files again.
func (c *mcp) showMcp(name string) tea.Cmd {
	s, ok := capability[session.McpManager](c.core, "This agent has no MCP servers.")
	if !ok {
		return nil
	}
	read := mcpServers(s)
	what := "list the MCP servers"
	if name == reloadWord {
		name, what = "", "reload the MCP servers"
		read = func(ctx context.Context) ([]McpServer, error) {
			if err := s.ReloadMcp(ctx); err != nil {
				return nil, err
			}
			return mcpServers(s)(ctx)
		}
	}
	return ask(c.core, what, read, func(all []McpServer) tea.Cmd {
		chosen := slices.IndexFunc(all, func(v McpServer) bool { return v.Name == name })
		if name == "" {
			chosen = 0
		}
		switch {
		case chosen < 0 && len(all) > 0:
			c.ShowHint("/mcp lists the servers, or takes the name of one; parley mcp add adds one, and /mcp reload takes it up.")
		case c.Opens(len(all) > 0, "No MCP servers: parley mcp add adds one, and /mcp reload takes it up.",
			"The MCP servers are here: /mcp shows them."):
			c.OpenMcp(s, all, all[chosen].Name)
		}
		return nil
	})
}

// OpenMcp lists the servers, with one chosen.
func (c *mcp) OpenMcp(s session.McpManager, all []McpServer, chosen string) {
	c.servers.Items = all
	open := func(all []McpServer, chosen string) { c.OpenMcp(s, all, chosen) }
	p := &picker.Picker{List: widget.List{Rows: c.mcpRows()}, Title: "MCP servers", Live: c.mcpRows}
	tools := Doing(func(r widget.Row) tea.Cmd { return c.showMcpTools(s, r.Value) })
	p.More = []picker.Key{
		{Action: "list-switch.toggle", Title: "on or off", Do: Doing(func(r widget.Row) tea.Cmd {
			i := slices.IndexFunc(c.servers.Items, func(v McpServer) bool { return v.Name == r.Value })
			if i < 0 {
				return nil
			}
			status := c.servers.Items[i].Status
			return reopen(c.core, "switch the MCP server", func(ctx context.Context) error {
				return s.EnableMcp(ctx, r.Value, status == "disabled" || status == "stopped")
			}, mcpServers(s), open, r.Value)
		})},
		{Action: "list-switch.restart", Title: "restart", Do: Doing(func(r widget.Row) tea.Cmd {
			return reopen(c.core, "restart the MCP server", func(ctx context.Context) error {
				return s.RestartMcp(ctx, r.Value)
			}, mcpServers(s), open, r.Value)
		})},
		{Action: "list-choose", Title: "tools", Do: tools},
		{Action: "list-switch.tools", Do: tools},
	}
	c.picker = p
	c.Pick(p, chosen)
}

// mcpRows are the servers as they were read last.
func (c *mcp) mcpRows() []widget.Row {
	return widget.Rows(c.servers.Items, func(v McpServer) widget.Row {
		return widget.Row{
			Value: v.Name, Label: c.win.onOff(v.Status == "connected") + " " + v.Name, Detail: widget.FirstLine(v.About), Right: v.Status,
		}
	})
}

// showMcpTools shows the tools of a server.
func (c *mcp) showMcpTools(s session.McpManager, server string) tea.Cmd {
	seen := Over[*picker.Picker](c.win)
	return ask(c.core, "list the tools of "+server, mcpTools(s, server), func(tools []session.McpTool) tea.Cmd {
		if Over[*picker.Picker](c.win) != seen {
			return nil
		}
		c.tools.Items, c.server = tools, server
		p := &panel.Panel{Title: "Tools of " + c.win.Cut(server, c.win.Width/3), Text: c.mcpTools}
		c.OpenPanel(p)
		c.panel = p
		return nil
	})
}

// mcpTools draws the tools of a server as they were read last.
func (c *mcp) mcpTools(th *theme.Theme, width int) []string {
	facts := make([]panel.Fact, len(c.tools.Items))
	for i, t := range c.tools.Items {
		facts[i] = panel.Fact{t.Name, cmp.Or(widget.FirstLine(t.Description), "-")}
	}
	if len(facts) == 0 {
		facts = []panel.Fact{{"", "It has no tools."}}
	}
	return panel.DrawFacts(th, facts, width)
}
