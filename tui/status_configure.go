package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/tui/picker"
	"parley/tui/status"
	"parley/tui/widget"
)

// statusTold takes the end of what the status line waited for.
func (m *Model) statusTold(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case scriptMsg:
		m.scriptEnded(msg)
	case restedMsg:
		m.win.pass(time.Time(msg))
		m.status.script.Rested()
	case statusSavedMsg:
		return m.statusSaved(msg)
	}
	return nil
}

// statusPreferred takes settings that have changed. While the window writes its
// own choice, that holds.
func (m *Model) statusPreferred(before, now settings.Status) {
	if !status.SameSides(before, now) && !m.status.saving {
		m.status.Arrange(now)
	}
	if !slices.Equal(before.Script, now.Script) || before.ScriptTimeout != now.ScriptTimeout {
		m.status.script.Replace()
	}
	m.front.refreshList()
}

// showStatusItems shows the items of the status line, to choose and order them.
func (m *Model) showStatusItems(string) tea.Cmd {
	o := m.status.Order()
	rows := o.Rows(m.statusFacts())
	p := &picker.Picker{List: widget.List{Rows: rows, Steady: true}, Title: "Status line", PreviewRows: 3}
	p.Preview = func(r widget.Row, width, height int) []string {
		return status.Preview(m.win.theme, r.Value, width, height)
	}
	p.Live = func() []widget.Row { return o.Rows(m.statusFacts()) }
	move := func(by int) func(widget.Row) tea.Cmd {
		return func(r widget.Row) tea.Cmd {
			o.Move(r.Value, by)
			return m.rearrange(o.Sides())
		}
	}
	p.More = []picker.Key{
		{Action: "list-switch.toggle", Title: "on or off", Do: doing(func(r widget.Row) tea.Cmd {
			if !o.Toggle(r.Value) {
				p.Note = r.Value + " is always shown; shift+up and shift+down move it."
				return nil
			}
			return m.rearrange(o.Sides())
		})},
		{Action: "list-queue.sooner", Title: "sooner", Do: doing(move(-1))},
		{Action: "list-queue.later", Title: "later", Do: doing(move(1))},
		{Action: "list-choose", Do: doing(func(widget.Row) tea.Cmd {
			m.front.closeOverlays()
			return nil
		})},
	}
	m.front.pick(p, rows[0].Value)
	return nil
}

// rearrange shows the items in another order, at once, and saves that.
func (m *Model) rearrange(sides settings.Status) tea.Cmd {
	m.status.Arrange(sides)
	m.front.refreshList()
	return m.saveStatus()
}

// statusSavedMsg ends saveStatus.
type statusSavedMsg struct {
	sides settings.Status
	err   error
}

// saveStatus writes the order into the user's file: one write at a time.
func (m *Model) saveStatus() tea.Cmd {
	prefer := m.win.config.Prefer
	if prefer == nil {
		over[*picker.Picker](m.win).Note = "It holds until this window closes: there is no file for settings."
		return nil
	}
	if m.status.saving {
		return nil // the end of that write looks again
	}
	m.status.saving = true
	sides, ctx := m.status.Sides(), m.win.ctx
	return func() tea.Msg {
		_, err := prefer(ctx, "status.left", sides.Left)
		if err == nil && ctx.Err() == nil {
			_, err = prefer(ctx, "status.right", sides.Right)
		}
		return statusSavedMsg{sides, err}
	}
}

// statusSaved takes the end of a write.
func (m *Model) statusSaved(msg statusSavedMsg) tea.Cmd {
	m.status.saving = false
	if msg.err != nil {
		m.front.fail("save the order of the status line", msg.err, "It holds until this window closes.")
		return nil
	}
	m.win.config.Settings.Status.Left, m.win.config.Settings.Status.Right = msg.sides.Left, msg.sides.Right
	if !status.SameSides(m.status.Sides(), msg.sides) {
		return m.saveStatus()
	}
	return nil
}
