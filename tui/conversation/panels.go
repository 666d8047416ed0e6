package conversation

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/history/secrets"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/inspector"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/reporttext"
)

// showSession shows what this session is.
func (c *reports) showSession(string) tea.Cmd {
	return c.OpenPanel(&panel.Panel{Title: "Session", Text: func(th *theme.Theme, width int) []string {
		return c.SessionReport().Draw(th, width)
	}})
}

// SessionReport is what this session is, where it works and with what.
func (c *reports) SessionReport() reporttext.Session {
	s := c.Timeline.Status()
	s.Title = secrets.Hide(s.Title)
	r := reporttext.Session{
		Status: s, ID: c.Info.ID, Agent: c.Info.Agent, Model: c.Info.Model, Mode: c.Mode(), Home: c.win.Config.Home, Dir: c.Info.Dir,
		AllowAll: c.win.Config.AllowAll, Zone: c.win.Zone,
	}
	if c.ReadOnly != nil { // where it worked last, and not where it began
		r.Dir = cmp.Or(s.Dir, r.Dir)
	}
	if id := c.Current(); id != "" {
		r.ResumeCommand = c.Backend.ResumeCommand(id)
	}
	return r
}

// showVersion says what this is.
func (c *reports) showVersion(string) tea.Cmd {
	return c.ShowHint("Parley %s%s%s", c.win.Config.Version, c.win.Dot(), c.Info.Agent)
}

// showChords lists the keys after the leader, to be filtered by typing.
func (c *reports) showChords(string) tea.Cmd { return c.showHelp(c.win.Keymap.Leader + " ") }

// showHelp lists the keys and commands of the table that match a query, to be filtered
// by typing.
func (c *reports) showHelp(query string) tea.Cmd {
	return c.OpenPanel(c.help("", query, doThis{func() tea.Cmd { // as the Copilot CLI does
		c.CloseOverlays()
		c.draft.Insert("?")
		return nil
	}}))
}

// showKeysOf lists the same over what takes the whole window, the keys of that first.
func (c *reports) showKeysOf(context string) { layer(c.core, c.help(context, "", overlay.Close{})) }

// help lists the keys and commands that match a query, those of a context first. Its key
// pressed again asks for something.
func (c *reports) help(context, query string, again overlay.Request) *panel.Panel {
	return panel.NewFilter("Keys and commands", &panel.Filter{
		What:  "keys and commands",
		Begin: query,
		Draw: func(th *theme.Theme, query string, width int) []string {
			return reporttext.DrawHelp(th, c.win.Keymap, c.slashes(), reporttext.Selection{Context: context, Query: query}, width)
		},
		Source: func() any { // which is replaced as a whole
			if len(c.AgentCommands) == 0 {
				return nil
			}
			return &c.AgentCommands[0]
		},
		Opens: "?",
		Again: again,
	})
}

// showTerminalSetup shows what terminals need for all the keys.
func (c *reports) showTerminalSetup(string) tea.Cmd {
	return c.openText("Your terminal", reporttext.TerminalSetup(c.win.Keymap))
}

// showKeys shows the keys of every action as they are now, and where they can be
// changed.
func (c *reports) showKeys(string) tea.Cmd {
	return c.OpenPanel(panel.NewFilter("Your keys", &panel.Filter{
		What: "actions",
		Draw: func(th *theme.Theme, query string, width int) []string {
			return reporttext.DrawKeys(th, c.win.Keymap.Actions, c.win.Config.Keys, c.win.Config.Home, query, width)
		},
	}))
}

// showUsage shows what the session used. An agent that cannot be asked has
// reported it in its events, if at all.
func (c *reports) showUsage(string) tea.Cmd {
	s, ok := session.As[session.UsageReporter](c.Session)
	switch status := c.Timeline.Status(); {
	case ok:
	case status.Usage == (timeline.Usage{}) && status.Calls == 0 && status.MessageOutput == 0:
		return c.ShowHint("This agent has not reported what it used.")
	default:
		return c.OpenUsage(reporttext.ReportedUsage(c.Timeline, c.win.Zone))
	}
	return ask(c.core, "look at the usage", s.Usage, func(u session.Usage) tea.Cmd {
		if c.Elsewhere() {
			return c.ShowHint("The usage is here: /usage shows it.")
		}
		return c.OpenUsage(reporttext.AskedUsage(c.Timeline, u, c.win.Zone))
	})
}

// OpenUsage shows what the session used.
func (c *reports) OpenUsage(u reporttext.Usage) tea.Cmd {
	return c.OpenPanel(&panel.Panel{Title: "Usage", Text: u.Draw})
}

// showContext shows what the model sees, at once, and how full its context is as
// soon as the agent has said so. One that cannot be asked has reported it in its
// events, if at all.
func (c *reports) showContext(string) tea.Cmd {
	known := c.inContext(c.ContextTold())
	if known && c.Inspecting() == nil {
		c.Inspect(c.ContextTold())
	}
	s, ok := session.As[session.ContextReporter](c.Session)
	if !ok && !known {
		c.ShowHint(emptyContext)
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
	return ask(c.core, "look at the context", look, func(use *session.ContextUse) tea.Cmd {
		switch in := c.Inspecting(); {
		case in != nil:
			in.SetFacts(c.OverlayFacts())
			in.SetUse(use)
		case known: // and closed meanwhile
		case c.Opens(c.inContext(use), emptyContext, "The context is here: /context shows it."):
			c.Inspect(use)
		}
		return nil
	})
}

// emptyContext says that there is nothing to inspect.
const emptyContext = "There is nothing in the context before the first turn."

// inContext reports whether something is known to be in the context.
func (c *reports) inContext(use *session.ContextUse) bool {
	return use != nil || len(c.ModelView.Messages()) > 0
}

// ContextTold is how the context is filled as the events report it; nil if they
// did not since the session was opened.
func (c *core) ContextTold() *session.ContextUse {
	s := c.Timeline.Status()
	if !c.Metered || s.ContextLimit <= 0 {
		return nil
	}
	use := &session.ContextUse{Model: cmp.Or(s.Model, c.Info.Model), Limit: s.ContextLimit, Total: s.ContextTokens}
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

// Inspect opens the inspector on the session's own conversation.
func (c *reports) Inspect(use *session.ContextUse) {
	c.OpenPanel(&panel.Panel{Title: "Context", Body: inspector.New(c.OverlayFacts(), c.ModelView, c.Timeline, use)})
}

// Inspecting is the inspector if it is open.
func (c *reports) Inspecting() *inspector.Inspector {
	p := Over[*panel.Panel](c.win)
	if p == nil {
		return nil
	}
	in, _ := p.Body.(*inspector.Inspector)
	return in
}
