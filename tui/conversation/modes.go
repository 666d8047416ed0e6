package conversation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/picker"
	"parley/tui/widget"
)

// modes in the order in which shift+tab goes through them.
func modes() []session.Mode {
	return []session.Mode{session.Interactive, session.Plan, session.Autopilot}
}

func (c *options) cycleMode(string) tea.Cmd {
	if s, ok := session.As[session.OptionSetter](c.Session); ok && c.ReadOnly == nil {
		return ask(c.core, "list the modes", s.Options, func(all []session.Option) tea.Cmd {
			return c.nextMode(s, all)
		})
	}
	all := modes()
	next := all[(slices.Index(all, c.Mode())+1)%len(all)]
	return c.changeMode(next)
}

// Mode is the session's as its events report it, or the one that was asked for
// since.
func (c *core) Mode() session.Mode {
	if n := len(c.Wanted); n > 0 {
		return c.Wanted[n-1]
	}
	if mode := c.Timeline.Status().Mode; mode != "" {
		return mode
	}
	if c.Info.Mode != "" {
		return c.Info.Mode
	}
	return session.Interactive
}

func (c *options) changeMode(mode session.Mode) tea.Cmd {
	if c.ReadOnly != nil {
		return c.OnlyRead()
	}
	s, ok := capability[session.ModeSetter](c.core, "This agent has no modes.")
	if !ok {
		return nil
	}
	c.Wanted = append(c.Wanted, mode)
	what := "switch to " + string(mode) + " mode"
	return c.inOrder(what, func(ctx context.Context) error { return s.SetMode(ctx, mode) })
}

// setMode switches the session to the mode of a name; without one it lists those there are.
func (c *options) setMode(args string) tea.Cmd {
	if s, ok := session.As[session.OptionSetter](c.Session); ok && c.ReadOnly == nil {
		return ask(c.core, "list the modes", s.Options, func(all []session.Option) tea.Cmd {
			mode, ok := session.OptionOf(all, session.OptionMode)
			if !ok {
				return c.ShowHint("This agent has no modes.")
			}
			return c.PickValue(s, mode, args)
		})
	}
	if args != "" {
		if mode := session.Mode(args); slices.Contains(modes(), mode) {
			return c.changeMode(mode)
		}
		return c.ShowHint("No mode %q: interactive, plan or autopilot.", args)
	}
	rows := []widget.Row{
		{Value: string(session.Interactive), Label: "interactive", Detail: "asks before it changes anything"},
		{Value: string(session.Plan), Label: "plan", Detail: "writes a plan and changes nothing until you approve it"},
		{Value: string(session.Autopilot), Label: "autopilot", Detail: "continues until the task is done; asks for what is not allowed"},
	}
	c.Pick(&picker.Picker{List: widget.List{Rows: rows}, Title: "Mode", Pick: Doing(func(r widget.Row) tea.Cmd {
		return c.changeMode(session.Mode(r.Value))
	})}, string(c.Mode()))
	return nil
}

// nextMode switches to the mode of the agent's own behind the current one; those in which no
// user is asked are left out: /mode has them.
func (c *options) nextMode(s session.OptionSetter, all []session.Option) tea.Cmd {
	mode, ok := session.OptionOf(all, session.OptionMode)
	if !ok {
		return c.ShowHint("This agent has no modes.")
	}
	asks := slices.DeleteFunc(slices.Clone(mode.Values), func(v session.OptionValue) bool { return v.Unasked && v.ID != mode.Value })
	if len(asks) < 2 {
		return c.ShowHint("This agent has no other mode in which you are asked; /mode lists all.")
	}
	i := slices.IndexFunc(asks, func(v session.OptionValue) bool { return v.ID == mode.Value })
	return c.setValue(s, mode, asks[(i+1)%len(asks)])
}

// setOption shows the options of the agent's own, to change them.
func (c *options) setOption(string) tea.Cmd {
	const none = "This agent has no options of its own; /settings has Parley's."
	s, ok := capability[session.OptionSetter](c.core, none)
	if !ok {
		return nil
	}
	return ask(c.core, "list the options", s.Options, func(all []session.Option) tea.Cmd {
		if !c.Opens(len(all) > 0, none, "The options are here: /options shows them.") {
			return nil
		}
		rows := widget.Rows(all, func(o session.Option) widget.Row {
			return widget.Row{Value: o.ID, Label: cmp.Or(o.Name, o.ID), Detail: o.Description, Right: valueName(o, o.Value)}
		})
		c.Pick((&picker.Picker{List: widget.List{Rows: rows}, Title: "Options of the agent", Pick: Doing(func(r widget.Row) tea.Cmd {
			i := slices.IndexFunc(all, func(o session.Option) bool { return o.ID == r.Value })
			if i < 0 {
				return nil
			}
			return c.PickValue(s, all[i], "")
		})}).Filter(""), "")
		return nil
	})
}

// valueName is how a value of an option is shown.
func valueName(o session.Option, id string) string {
	for _, v := range o.Values {
		if v.ID == id {
			return cmp.Or(v.Name, v.ID)
		}
	}
	return id
}

// PickValue sets an option to the value that is named; without a name it shows what there is.
// One with which no user is asked any more takes a second key.
func (c *options) PickValue(s session.OptionSetter, o session.Option, name string) tea.Cmd {
	named := func(v session.OptionValue) bool {
		return v.ID == name || strings.EqualFold(v.Name, name)
	}
	if i := slices.IndexFunc(o.Values, named); name != "" && i >= 0 && !o.Values[i].Unasked {
		return c.setValue(s, o, o.Values[i])
	}
	rows := widget.Rows(o.Values, func(v session.OptionValue) widget.Row {
		return widget.Row{Value: v.ID, Label: cmp.Or(v.Name, v.ID), Detail: v.Description}
	})
	value := func(r widget.Row) session.OptionValue {
		return o.Values[max(0, slices.IndexFunc(o.Values, func(v session.OptionValue) bool { return v.ID == r.Value }))]
	}
	if !c.Opens(len(rows) > 0, cmp.Or(o.Name, o.ID)+" has no values to choose from.", "The values are here: /options shows them.") {
		return nil
	}
	c.Pick(&picker.Picker{
		List: widget.List{Rows: rows}, Title: cmp.Or(o.Name, o.ID),
		More: []picker.Key{{
			Action: "list-choose", Title: "choose",
			Sure: func(r widget.Row) string {
				if r.Value != "" && value(r).Unasked {
					return "Then the agent acts without asking you. Really?"
				}
				return ""
			},
			Do: Doing(func(r widget.Row) tea.Cmd {
				if r.Value == "" {
					return nil
				}
				c.CloseOverlays()
				return c.setValue(s, o, value(r))
			}),
		}},
	}, o.Value)
	return nil
}

// setValue sets an option, which no prompt overtakes.
func (c *options) setValue(s session.OptionSetter, o session.Option, v session.OptionValue) tea.Cmd {
	what := "set " + cmp.Or(o.Name, o.ID) + " to " + cmp.Or(v.Name, v.ID)
	return c.inOrder(what, func(ctx context.Context) error { return s.SetOption(ctx, o.ID, v.ID) })
}

// planFirst switches to plan mode, and sends the prompt if there is one.
func (c *slashCommands) planFirst(d drafts.Draft) tea.Cmd {
	cmd := c.options.changeMode(session.Plan)
	switch {
	case cmd == nil:
		c.draft.giveBack(d)
		return nil
	case d.Empty():
		return cmd
	}
	out := composer.Outgoing{Input: session.Input{Prompt: d.Prompt(), Delivery: session.Enqueue}, Draft: d}
	c.Composer.Sent(out)
	return tea.Batch(cmd, c.queue.send(out))
}

// showPlan shows the plan of the session.
func (c *options) showPlan(string) tea.Cmd {
	s, ok := capability[session.PlanManager](c.core, "This agent keeps no plan.")
	if !ok {
		return nil
	}
	return ask(c.core, "read the plan", s.ReadPlan, func(plan string) tea.Cmd {
		if !c.Opens(strings.TrimSpace(plan) != "", "There is no plan yet.", "The plan is here: /show-plan shows it.") {
			return nil
		}
		c.openText("Plan", plan, onKey("e", "edit", func() tea.Cmd { return c.editPlan(s, plan) }))
		return nil
	})
}

// editPlan opens the plan in the user's editor and keeps what they saved.
func (c *options) editPlan(s session.PlanManager, plan string) tea.Cmd {
	c.CloseOverlays()
	return c.request(EditText{&Edition{Text: plan, Name: "plan.md", back: func(text string) tea.Cmd {
		if text == plan {
			return nil
		}
		return attempt(c.core, "write the plan", func(ctx context.Context) error { return s.WritePlan(ctx, text) }, func() tea.Cmd {
			return c.ShowHint("The plan is changed.")
		})
	}}})
}
