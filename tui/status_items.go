package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/status"
	"parley/tui/widget"
)

// update takes the end of what the status line waited for. What failed is said in a
// conversation.
func (s *statusBar) update(msg tea.Msg, in *core) tea.Cmd {
	switch msg := msg.(type) {
	case scriptMsg:
		s.scriptEnded(msg, in)
	case restedMsg:
		s.win.pass(time.Time(msg))
		s.script.Rested()
	case statusSavedMsg:
		return s.saved(msg, in)
	}
	return nil
}

// preferred takes settings that have changed. While the window writes its own choice,
// that holds.
func (s *statusBar) preferred(before, now settings.Status) {
	if !status.SameSides(before, now) && !s.saving {
		s.Arrange(now)
	}
	if !slices.Equal(before.Script, now.Script) || before.ScriptTimeout != now.ScriptTimeout {
		s.script.Replace()
	}
}

// items lists the items of the status line, to choose and order them.
func (s *statusBar) items(facts func() status.Facts) *picker.Picker {
	o := s.Order()
	rows := o.Rows(facts())
	p := &picker.Picker{List: widget.List{Rows: rows, Steady: true}, Title: "Status line", PreviewRows: 3}
	p.Preview = func(r widget.Row, width, height int) []string {
		return widget.PreviewText(p.Theme, status.Description(r.Value), width, height)
	}
	p.Live = func() []widget.Row { return o.Rows(facts()) }
	rearrange := func() tea.Cmd {
		s.Arrange(o.Sides())
		p.Refresh()
		if s.win.config.Prefer == nil {
			p.Note = "It holds until this window closes: there is no file for settings."
		}
		return s.save()
	}
	move := func(by int) func(widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			o.Move(r.Value, by)
			return rearrange()
		}
	}
	p.More = []picker.Key{
		{Action: "list-switch.toggle", Title: "on or off", Do: doing(func(r widget.Row) tea.Cmd {
			if !o.Toggle(r.Value) {
				p.Note = r.Value + " is always shown; shift+up and shift+down move it."
				return nil
			}
			return rearrange()
		})},
		{Action: "list-queue.sooner", Title: "sooner", Do: doing(move(-1))},
		{Action: "list-queue.later", Title: "later", Do: doing(move(1))},
		{Action: "list-choose", Do: func(widget.Row) overlay.Request { return overlay.Close{} }},
	}
	return p
}

// statusSavedMsg ends save.
type statusSavedMsg struct {
	sides settings.Status
	err   error
}

// save writes the order into the user's file, if there is one: one write at a time.
func (s *statusBar) save() tea.Cmd {
	prefer := s.win.config.Prefer
	if prefer == nil || s.saving {
		return nil // the end of that write looks again
	}
	s.saving = true
	sides, ctx := s.Sides(), s.win.ctx
	return func() tea.Msg {
		_, err := prefer(ctx, "status.left", sides.Left)
		if err == nil && ctx.Err() == nil {
			_, err = prefer(ctx, "status.right", sides.Right)
		}
		return statusSavedMsg{sides, err}
	}
}

// saved takes the end of a write.
func (s *statusBar) saved(msg statusSavedMsg, in *core) tea.Cmd {
	s.saving = false
	if msg.err != nil {
		in.fail("save the order of the status line", msg.err, "It holds until this window closes.")
		return nil
	}
	s.win.config.Settings.Status.Left, s.win.config.Settings.Status.Right = msg.sides.Left, msg.sides.Right
	if !status.SameSides(s.Sides(), msg.sides) {
		return s.save()
	}
	return nil
}
