package conversation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
)

// setAgent chooses who handles the conversation, or begins another with another agent.
func (c *options) setAgent(name string) tea.Cmd {
	others := c.otherAgents()
	s, picks := session.As[session.AgentPicker](c.Session)
	switch {
	case slices.ContainsFunc(others, func(r widget.Row) bool { return r.Value == name }):
		return c.openWith(name)
	case !picks && name == "" && len(others) > 0:
		c.Pick(&picker.Picker{List: widget.List{Rows: others}, Title: "Agent", Pick: Doing(func(r widget.Row) tea.Cmd {
			return c.openWith(r.Value)
		})}, "")
		return nil
	}
	const none = "This agent has no custom agents."
	if !picks && name == "" && c.Session != nil {
		return c.noAgents(none)
	}
	if s, picks = capability[session.AgentPicker](c.core, none); !picks {
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
		if len(a.all)+len(others) == 0 {
			return c.noAgents("There is no custom agent here.")
		}
		if !c.Opens(true, "", "The agents are here: /agent shows them.") {
			return nil
		}
		rows := []widget.Row{{Label: "default", Detail: "the agent itself"}}
		for _, o := range a.all {
			rows = append(rows, widget.Row{
				Value: o.Name, Label: cmp.Or(o.DisplayName, o.Name), Detail: widget.FirstLine(o.Description), Right: o.Model,
			})
		}
		p := &picker.Picker{List: widget.List{Rows: append(rows, others...)}, Title: "Agent"}
		p.Pick = Doing(func(r widget.Row) tea.Cmd {
			if r.Group == otherAgents {
				return c.openWith(r.Value)
			}
			return choose(r.Value)
		})
		c.Pick(p, a.selected)
		return nil
	})
}

// noAgents says that there is none to choose, and how another is had.
func (c *options) noAgents(none string) tea.Cmd {
	c.AddNotice(session.SessionInfo{Message: strings.TrimSpace(none + " No other agent is installed. " + c.win.Config.Known)})
	c.Pane.ToEnd()
	return nil
}

// otherAgents is the heading above the other agents of the window.
const otherAgents = "other agents, in a new tab"

// otherAgents are rows for the agents that the session is not held with.
func (c *options) otherAgents() []widget.Row {
	var rows []widget.Row
	for _, b := range c.win.backends {
		if b != c.Backend {
			rows = append(rows, widget.Row{Value: b.called(), Label: b.called(), Group: otherAgents})
		}
	}
	return rows
}

// openWith begins a session with another agent, in a new tab.
func (c *options) openWith(name string) tea.Cmd {
	for _, b := range c.win.backends {
		if b.called() == name {
			return c.request(OpenWith{b})
		}
	}
	return nil
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
