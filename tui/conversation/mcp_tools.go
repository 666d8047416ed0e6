package conversation

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// mcpTools reads the tools of a server.
func mcpTools(s session.McpManager, server string) func(context.Context) ([]session.McpTool, error) {
	return func(ctx context.Context) ([]session.McpTool, error) { return s.McpTools(ctx, server) }
}

// toolsUpdated reads what is open again, and says that the tools have changed.
func (c *mcp) toolsUpdated(model string) tea.Cmd {
	read := c.changed()
	switch model = c.win.Cut(model, c.win.Width/3); {
	case read == nil:
	case model == "":
		c.ShowHint("Tools updated.")
	default:
		c.ShowHint("Tools updated for %s.", model)
	}
	return read
}

// showMcpTools shows the tools of a server.
func (c *mcp) showMcpTools(s session.McpManager, server string) tea.Cmd {
	seen := Over[*picker.Picker](c.win)
	return ask(c.core, "list the tools of "+server, mcpTools(s, server), func(tools []session.McpTool) tea.Cmd {
		if Over[*picker.Picker](c.win) != seen {
			return nil
		}
		c.tools.Items, c.server = tools, server
		p := &panel.Panel{Title: "Tools of " + c.win.Cut(server, c.win.Width/3), Text: c.drawServerTools}
		c.OpenPanel(p)
		c.panel = p
		return nil
	})
}

// drawServerTools draws the tools of a server as they were read last.
func (c *mcp) drawServerTools(th *theme.Theme, width int) []string {
	return drawTools(th, c.tools.Items, width)
}

// drawTools draws tools.
func drawTools(th *theme.Theme, tools []session.McpTool, width int) []string {
	facts := make([]panel.Fact, len(tools))
	for i, t := range tools {
		facts[i] = panel.Fact{t.Name, cmp.Or(widget.FirstLine(t.Description), "-")}
	}
	if len(facts) == 0 {
		facts = []panel.Fact{{"", "It has no tools."}}
	}
	return panel.DrawFacts(th, facts, width)
}
