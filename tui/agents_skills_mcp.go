package tui

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/theme"
	"parley/tui/picker"
	"parley/tui/widget"
)

// setAgent chooses who handles the conversation.
func (c *options) setAgent(name string) tea.Cmd {
	s, ok := session.As[session.AgentPicker](c.session)
	if !ok {
		c.tell("This agent has no custom agents.")
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
		if !c.opens(len(a.all) > 0, "There is no custom agent here.", "The agents are here: /agent shows them.") {
			return nil
		}
		rows := []widget.Row{{Label: "default", Detail: "the agent itself"}}
		for _, o := range a.all {
			rows = append(rows, widget.Row{
				Value: o.Name, Label: cmp.Or(o.DisplayName, o.Name), Detail: widget.FirstLine(o.Description), Right: o.Model,
			})
		}
		p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Agent"}
		p.Pick = doing(func(r widget.Row) tea.Cmd { return choose(r.Value) })
		c.pick(p, a.selected)
		return nil
	})
}

// onOff is the mark of what can be switched.
func (w *windowState) onOff(on bool) string {
	if on {
		return w.theme.Glyph(theme.MarkDone)
	}
	return w.theme.Glyph(theme.MarkMinus)
}

// reopen does something to what a picker lists, and shows the list anew with
// the same row chosen.
func reopen[T any](c *core, what string, do func(context.Context) error, list func(context.Context) ([]T, error),
	open func(all []T, chosen string), chosen string,
) tea.Cmd {
	seen := over[*picker.Picker](c.win)
	return ask(c, what, func(ctx context.Context) ([]T, error) {
		if err := do(ctx); err != nil {
			return nil, err
		}
		return list(ctx)
	}, func(all []T) tea.Cmd {
		if over[*picker.Picker](c.win) == seen { // else the user has turned to something else
			open(all, chosen)
		}
		return nil
	})
}

// showSkills shows the skills, to switch them on and off.
func (c *options) showSkills(string) tea.Cmd {
	s, ok := session.As[session.SkillManager](c.session)
	if !ok {
		c.tell("This agent has no skills.")
		return nil
	}
	var open func(all []session.Skill, chosen string)
	open = func(all []session.Skill, chosen string) {
		rows := make([]widget.Row, len(all))
		for i, k := range all {
			rows[i] = widget.Row{
				Value: k.Name, Label: c.win.onOff(k.Enabled) + " " + k.Name, Detail: widget.FirstLine(k.Description), Right: k.Source,
			}
		}
		p := &picker.Picker{List: widget.List{Rows: rows}, Title: "Skills"}
		p.More = []picker.Key{{Action: "list-switch.toggle", Title: "on or off", Do: doing(func(r widget.Row) tea.Cmd {
			i := slices.IndexFunc(all, func(k session.Skill) bool { return k.Name == r.Value })
			if i < 0 {
				return nil
			}
			return reopen(c.core, "switch the skill", func(ctx context.Context) error {
				return s.EnableSkill(ctx, r.Value, !all[i].Enabled)
			}, s.Skills, open, r.Value)
		})}}
		c.pick(p, chosen)
	}
	return ask(c.core, "list the skills", s.Skills, func(all []session.Skill) tea.Cmd {
		if c.opens(len(all) > 0, "There is no skill here.", "The skills are here: /skills shows them.") {
			open(all, all[0].Name)
		}
		return nil
	})
}

// setAllowAll lets the agent ask for nothing, or ask again. To allow all of it
// is asked for once more, with nothing chosen.
func (c *options) setAllowAll(args string) tea.Cmd {
	s, ok := session.As[session.AllowAllSetter](c.session)
	if !ok {
		c.tell("This agent always asks.")
		return nil
	}
	set := func(on bool) tea.Cmd {
		return c.job("change what is asked for", func(ctx context.Context) error { return s.SetAllowAll(ctx, on) })
	}
	switch {
	case args == "off" || args == "" && c.timeline.Status().AllowAll:
		return set(false)
	case args != "" && args != "on":
		c.tell("/allow-all takes on or off.")
		return nil
	}
	c.pick(&picker.Picker{
		List: widget.List{Rows: []widget.Row{
			{Value: "no", Label: "No, keep asking"},
			{Value: "yes", Label: "Yes, allow everything", Detail: "nothing asks until the session ends"},
		}},
		Title:  "Allow everything without asking?",
		Strict: true,
		More: []picker.Key{{
			Action: "list-choose", Title: "choose",
			Sure: func(r widget.Row) string {
				if r.Value == "yes" {
					return "Really?"
				}
				return ""
			},
			Do: doing(func(r widget.Row) tea.Cmd {
				switch r.Value {
				case "yes":
					c.closeOverlays()
					return set(true)
				case "no":
					c.closeOverlays()
				}
				return nil
			}),
		}},
	}, "")
	return nil
}
