package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// openAgent shows what a sub-agent did and does.
func (c *core) openAgent(id session.AgentID) tea.Cmd {
	a, ok := c.timeline.Subagent(id)
	if !ok {
		c.tell("What this agent did was not told here.")
		return nil
	}
	c.closeOverlays()
	c.enterAgent(a)
	return nil
}

// enterAgent puts the timeline of a sub-agent over the one that is shown.
func (c *core) enterAgent(a *timeline.Subagent) {
	outer := c.pane
	c.pane = transcript.New(a.Timeline, outer.Opts)
	c.pane.Agent, c.pane.Over, c.pane.Pictures, c.pane.Outside = a, &outer, c.win.pictures, outer.Outside
	c.pane.Height = outer.Height
	c.pane.As(&outer)
	c.pane.Browsing = true
}

// closeAgent goes back to what was shown before.
func (c *core) closeAgent() {
	inner := c.pane
	c.pane = *inner.Over
	c.pane.Opts, c.pane.Height = inner.Opts, inner.Height
	c.pane.As(&inner)
}

// leaveAgents goes back to the conversation.
func (c *core) leaveAgents() {
	for c.pane.Over != nil {
		c.closeAgent()
	}
}

// toEnd shows the end of the conversation, where something was said or is about
// to be.
func (c *core) toEnd() {
	c.leaveAgents()
	c.pane.End()
}

// agentTitle heads the timeline of a sub-agent.
func (c *navigator) agentTitle() string {
	a := c.pane.Agent
	room := max(0, c.win.width-widget.Margin-1)
	mark := c.win.theme.Render(theme.Accent, c.win.theme.Glyph(theme.MarkSubAgent))
	title := c.win.theme.Render(theme.Strong, c.win.cut(cmp.Or(a.Title, a.Name, "sub-agent"), room/3))
	what := c.win.theme.Render(theme.Dim, c.win.cut(cmp.Or(a.Description, a.Activity), max(0, room/2)))
	return mark + " " + text.Truncate(title+"  "+what+"   "+c.win.keyHints(c.win.ways("block-leave", "goes back")...), room, "")
}
