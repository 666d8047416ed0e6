package conversation

import (
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
