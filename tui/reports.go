package tui

import (
	"cmp"
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/inspector"
	"parley/tui/panel"
	"parley/tui/widget"
)

// showSession says what this session is.
func (m *reports) showSession(string) tea.Cmd {
	m.openPanel(&panel.Panel{Title: "Session", Text: func(th *theme.Theme, width int) []string { return panel.DrawFacts(th, m.sessionFacts(), width) }})
	return nil
}

// sessionFacts are what this session is, where it works and with what.
func (c *reports) sessionFacts() []panel.Fact {
	s, home, dir := c.timeline.Status(), c.config.Home, c.info.Dir
	if c.readOnly != nil { // where it worked last, and not where it began
		dir = cmp.Or(s.Dir, dir)
	}
	all := panel.Known(
		panel.Fact{"name", s.Title}, panel.Fact{"id", string(c.info.ID)}, panel.Fact{"agent", c.info.Agent}, panel.Fact{"handled by", personaText(s.Persona)},
		panel.Fact{"its tools", personaTools(s.Persona)},
		panel.Fact{"model", strings.TrimSpace(cmp.Or(s.Model, c.info.Model) + " " + s.Effort)}, panel.Fact{"mode", string(c.mode())},
		panel.Fact{"folder", widget.ShortPath(dir, home)}, panel.Fact{"git root", widget.ShortPath(s.GitRoot, home)},
		panel.Fact{"repository", s.Repository}, panel.Fact{"branch", s.Branch}, panel.Fact{"turns", turnsText(s)},
		panel.Fact{"in context", some(s.ContextMessages, "message")}, checkpointFact(s.Checkpoint, home),
		panel.Fact{"objective", s.Objective},
	)
	if id := c.current(); id != "" {
		all = append(all, panel.Fact{"resume it", c.goOnWith(id)})
	}
	all = append(all, panel.Known(panel.Fact{"tools", c.toolsText(s.Catalog)})...)
	if s.AllowAll || c.config.AllowAll {
		all = append(all, panel.Fact{"permissions", "everything is allowed, nothing asks"})
	}
	return append(all, catalogFacts(s.Catalog)...)
}

// toolsText is when the tools were updated, and for which model.
func (sh *shared) toolsText(c timeline.Catalog) string {
	text := ""
	if !c.ToolsAt.IsZero() {
		text += " at " + c.ToolsAt.In(sh.zone).Format("15:04")
	}
	if c.ToolsModel != "" {
		text += " for " + c.ToolsModel
	}
	if text == "" {
		return ""
	}
	return "updated" + text
}

// some is a number of something, or nothing for none.
func some(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, noun)
}

// personaText is a custom agent, with its internal name where that is another.
func personaText(p timeline.Persona) string {
	if p.Name == "" || p.Name == p.Title {
		return p.Title
	}
	return p.Title + " (" + p.Name + ")"
}

// personaTools are the tools that a custom agent may use.
func personaTools(p timeline.Persona) string {
	switch {
	case p.Title == "":
		return ""
	case p.Tools == nil:
		return "all"
	default:
		return cmp.Or(strings.Join(p.Tools, ", "), "none")
	}
}

// checkpointFact is where the conversation before the last compaction is kept.
func checkpointFact(c timeline.Checkpoint, home string) panel.Fact {
	name := "checkpoint"
	if c.Number > 0 {
		name += " " + text.Number(c.Number)
	}
	return panel.Fact{name, widget.ShortPath(c.Path, home)}
}

// catalogFacts are what the session has to work with, as far as it was told.
func catalogFacts(c timeline.Catalog) []panel.Fact {
	var all []panel.Fact
	list := func(heading string, parts []timeline.CatalogItem) {
		if len(parts) == 0 {
			return
		}
		all = append(all, panel.Fact{}, panel.Fact{"", heading})
		for _, p := range parts {
			value := cmp.Or(p.Status, "not known")
			if p.Tools > 0 {
				value += ", " + text.Count(p.Tools, "tool")
			}
			if p.Error != "" {
				value += ": " + widget.FirstLine(p.Error)
			}
			all = append(all, panel.Fact{p.Name, value})
		}
	}
	words := panel.Known(panel.Fact{"skills", strings.Join(c.Skills, ", ")}, panel.Fact{"custom agents", strings.Join(c.Agents, ", ")})
	if len(words) > 0 {
		all = append(append(all, panel.Fact{}), words...)
	}
	list("MCP servers", c.Servers)
	list("Extensions", c.Extensions)
	return all
}

// showVersion says what this is.
func (c *reports) showVersion(string) tea.Cmd {
	c.tell("Parley %s%s%s", c.config.Version, c.dot(), c.info.Agent)
	return nil
}

// showContext shows what the model sees, at once, and how full its context is as
// soon as the agent has said so. One that cannot be asked has told it in its
// events, if at all.
func (m *reports) showContext(string) tea.Cmd {
	known := m.inContext(m.contextTold())
	if known && m.inspecting() == nil {
		m.inspect(m.contextTold())
	}
	s, ok := session.As[session.ContextReporter](m.session)
	if !ok && !known {
		m.tell(emptyContext)
	}
	if !ok {
		return nil
	}
	look := func(ctx context.Context) (*session.ContextUse, error) {
		use, err := s.ContextUse(ctx)
		if known {
			err = nil // there is something to look at without it
		}
		return use, err
	}
	return ask(m.core, "look at the context", look, func(use *session.ContextUse) tea.Cmd {
		switch in := m.inspecting(); {
		case in != nil:
			in.SetFacts(m.overlayFacts())
			in.SetUse(use)
		case known: // and closed meanwhile
		case m.opens(m.inContext(use), emptyContext, "The context is here: /context shows it."):
			m.inspect(use)
		}
		return nil
	})
}

// emptyContext says that there is nothing to inspect.
const emptyContext = "There is nothing in the context before the first turn."

// inContext reports whether something is known to be in the context.
func (c *reports) inContext(use *session.ContextUse) bool {
	return use != nil || len(c.modelView.Messages()) > 0
}

// contextTold is how the context is filled as the events told it; nil if they
// did not since the session was opened.
func (c *core) contextTold() *session.ContextUse {
	s := c.timeline.Status()
	if !c.metered || s.ContextLimit <= 0 {
		return nil
	}
	use := &session.ContextUse{Model: cmp.Or(s.Model, c.info.Model), Limit: s.ContextLimit, Total: s.ContextTokens}
	for _, p := range []session.ContextPart{
		{Name: "system prompt", Tokens: s.SystemTokens},
		{Name: "tools", Tokens: s.ToolTokens},
		{Name: "conversation", Tokens: s.ConversationTokens},
	} {
		if p.Tokens > 0 {
			use.Parts = append(use.Parts, p)
		}
	}
	return use
}

// inspect opens the inspector on the session's own conversation.
func (m *reports) inspect(use *session.ContextUse) {
	m.openPanel(&panel.Panel{Title: "Context", Body: inspector.New(m.overlayFacts(), m.modelView, m.timeline, use)})
}

// inspecting is the inspector if it is open.
func (m *reports) inspecting() *inspector.Inspector {
	p := over[*panel.Panel](m.shared)
	if p == nil {
		return nil
	}
	in, _ := p.Body.(*inspector.Inspector)
	return in
}
