package tui

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/inspector"
	"parley/tui/panel"
	"parley/tui/reporttext"
)

// showSession shows what this session is.
func (c *reports) showSession(string) tea.Cmd {
	c.openPanel(&panel.Panel{Title: "Session", Text: func(th *theme.Theme, width int) []string {
		return c.sessionReport().Draw(th, width)
	}})
	return nil
}

// sessionReport is what this session is, where it works and with what.
func (c *reports) sessionReport() reporttext.Session {
	s := c.timeline.Status()
	r := reporttext.Session{
		Status: s, ID: c.info.ID, Agent: c.info.Agent, Model: c.info.Model, Mode: c.mode(), Home: c.win.config.Home, Dir: c.info.Dir,
		AllowAll: c.win.config.AllowAll, Zone: c.win.zone,
	}
	if c.readOnly != nil { // where it worked last, and not where it began
		r.Dir = cmp.Or(s.Dir, r.Dir)
	}
	if id := c.current(); id != "" {
		r.ResumeCommand = c.win.resumeCommand(id)
	}
	return r
}

// showVersion says what this is.
func (c *reports) showVersion(string) tea.Cmd {
	c.showHint("Parley %s%s%s", c.win.config.Version, c.win.dot(), c.info.Agent)
	return nil
}

// showHelp lists the keys and commands of the table, those of what has the
// focus first.
func (c *reports) showHelp(string) tea.Cmd {
	c.openPanel(&panel.Panel{Title: "Keys and commands", Text: func(th *theme.Theme, width int) []string {
		return reporttext.DrawHelp(th, c.win.commands, width)
	}, More: []panel.Key{
		onKey("?", "", func() tea.Cmd { // as the Copilot CLI does
			c.closeOverlays()
			c.draft.insert("?")
			return nil
		}),
	}})
	return nil
}

// showTerminalSetup shows what terminals need for all the keys.
func (c *reports) showTerminalSetup(string) tea.Cmd {
	c.openText("Your terminal", reporttext.TerminalSetup(c.win.keymap))
	return nil
}

// showKeys shows the keys of every action as they are now, and where they can be
// changed.
func (c *reports) showKeys(string) tea.Cmd {
	c.openPanel(&panel.Panel{Title: "Your keys", Text: func(th *theme.Theme, width int) []string {
		return reporttext.DrawKeys(th, c.win.keymap.Actions, c.win.config.Keys, c.win.config.Home, width)
	}})
	return nil
}

// showUsage shows what the session used. An agent that cannot be asked has
// reported it in its events, if at all.
func (c *reports) showUsage(string) tea.Cmd {
	s, ok := session.As[session.UsageReporter](c.session)
	switch status := c.timeline.Status(); {
	case ok:
	case status.Usage == (timeline.Usage{}) && status.Calls == 0 && status.MessageOutput == 0:
		c.showHint("This agent has not reported what it used.")
		return nil
	default:
		c.openUsage(reporttext.ReportedUsage(c.timeline, c.win.zone))
		return nil
	}
	return ask(c.core, "look at the usage", s.Usage, func(u session.Usage) tea.Cmd {
		if c.elsewhere() {
			c.showHint("The usage is here: /usage shows it.")
			return nil
		}
		c.openUsage(reporttext.AskedUsage(c.timeline, u, c.win.zone))
		return nil
	})
}

func (c *reports) openUsage(u reporttext.Usage) {
	c.openPanel(&panel.Panel{Title: "Usage", Text: u.Draw})
}

// showContext shows what the model sees, at once, and how full its context is as
// soon as the agent has said so. One that cannot be asked has reported it in its
// events, if at all.
func (c *reports) showContext(string) tea.Cmd {
	known := c.inContext(c.contextTold())
	if known && c.inspecting() == nil {
		c.inspect(c.contextTold())
	}
	s, ok := session.As[session.ContextReporter](c.session)
	if !ok && !known {
		c.showHint(emptyContext)
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
		switch in := c.inspecting(); {
		case in != nil:
			in.SetFacts(c.overlayFacts())
			in.SetUse(use)
		case known: // and closed meanwhile
		case c.opens(c.inContext(use), emptyContext, "The context is here: /context shows it."):
			c.inspect(use)
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

// contextTold is how the context is filled as the events report it; nil if they
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
func (c *reports) inspect(use *session.ContextUse) {
	c.openPanel(&panel.Panel{Title: "Context", Body: inspector.New(c.overlayFacts(), c.modelView, c.timeline, use)})
}

// inspecting is the inspector if it is open.
func (c *reports) inspecting() *inspector.Inspector {
	p := over[*panel.Panel](c.win)
	if p == nil {
		return nil
	}
	in, _ := p.Body.(*inspector.Inspector)
	return in
}
