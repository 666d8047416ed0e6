package tui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/terminal"
	"parley/theme"
	"parley/tui/conversation"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/status"
	"parley/tui/widget"
)

// statusBar is the status line of the window.
type statusBar struct {
	status.Line
	win    *conversation.Window
	script status.Script
	saving bool // the settings file is being written
}

// statusLine says how the agent works and what it does now, by the facts of its
// conversation. A hint takes its place for a while.
func (m *Model) statusLine(f status.Facts) string {
	if hint := m.win.Front.Hinted(); hint != "" {
		return widget.Indent + m.win.Theme.Render(theme.Accent, m.win.Cut(hint, max(0, m.win.Width-widget.Margin-1)))
	}
	return m.status.Draw(m.statusFacts(f))
}

// statusFacts adds to what the status line shows of a conversation what it shows of the window.
func (m *Model) statusFacts(f status.Facts) status.Facts {
	f.OtherSessions = m.othersItem()
	f.Script, f.ScriptStale = m.status.script.Text()
	return f
}

// update takes the end of what the status line waited for.
func (s *statusBar) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case scriptMsg:
		s.scriptEnded(msg)
	case restedMsg:
		s.win.Pass(time.Time(msg))
		s.script.Rested()
	}
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

// openStatusItems opens the list of the items of the status line.
func (m *Model) openStatusItems(string) tea.Cmd {
	items := m.status.items(func() status.Facts { return m.statusFacts(m.display.View.StatusFacts()) })
	m.win.Front.Pick(items, items.Rows[0].Value)
	return nil
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
		if s.win.Config.Prefer == nil {
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
		{Action: "list-switch.toggle", Title: "on or off", Do: conversation.Doing(func(r widget.Row) tea.Cmd {
			if !o.Toggle(r.Value) {
				p.Note = r.Value + " is always shown; shift+up and shift+down move it."
				return nil
			}
			return rearrange()
		})},
		{Action: "list-queue.sooner", Title: "sooner", Do: conversation.Doing(move(-1))},
		{Action: "list-queue.later", Title: "later", Do: conversation.Doing(move(1))},
		{Action: "list-choose", Do: func(widget.Row) overlay.Request { return overlay.Close{} }},
	}
	return p
}

// save writes the order into the user's file, if there is one: one write at a time.
func (s *statusBar) save() tea.Cmd {
	prefer := s.win.Config.Prefer
	if prefer == nil || s.saving {
		return nil // the end of that write looks again
	}
	s.saving = true
	sides := s.Sides()
	return consult(s.win.Ctx, func(ctx context.Context) (settings.Status, error) {
		_, err := prefer(ctx, "status.left", sides.Left)
		if err == nil && ctx.Err() == nil {
			_, err = prefer(ctx, "status.right", sides.Right)
		}
		return sides, err
	}, s.saved)
}

// saved takes the end of a write.
func (s *statusBar) saved(sides settings.Status, err error) tea.Cmd {
	s.saving = false
	if err != nil {
		s.win.Front.Fail("save the order of the status line", err, "It holds until this window closes.")
		return nil
	}
	s.win.Config.Settings.Status.Left, s.win.Config.Settings.Status.Right = sides.Left, sides.Right
	if !status.SameSides(s.Sides(), sides) {
		return s.save()
	}
	return nil
}

// scriptMsg ends a run of the user's program for the status line.
type scriptMsg struct {
	run  int
	text string
	err  error
}

// restedMsg says that the program may run again.
type restedMsg time.Time

// runScript runs the program if its input, which is of a conversation, has changed.
// Without a change there is no timer.
func (s *statusBar) runScript(of *conversation.Conversation) tea.Cmd {
	if len(s.win.Config.Settings.Status.Script) == 0 || of.Session == nil || s.win.Width == 0 || !s.Shows("script") {
		return nil
	}
	in := of.Summary.ScriptInput()
	run, wait := s.script.Next(in, s.win.Now)
	switch {
	case wait > 0:
		return s.win.After(wait, func(t time.Time) tea.Msg { return restedMsg(t) })
	case run == 0:
		return nil
	}
	c := s.win.Config
	ctx, dir, do := s.win.Ctx, of.Info.Dir, s.win.Program
	if of.Info.Remote {
		dir = c.Home // the folder is on another machine
	}
	script := status.ScriptCommand{
		Argv: c.Settings.Status.Script, Timeout: time.Duration(c.Settings.Status.ScriptTimeout) * time.Millisecond,
		Env: c.Env, Home: c.Home, SettingsFile: c.SettingsFile,
	}
	return func() tea.Msg {
		p, err := script.Program(in, dir)
		text := ""
		if err == nil {
			text, err = do(ctx, p)
		}
		if ctx.Err() != nil {
			return nil
		}
		return scriptMsg{run, text, err}
	}
}

// scriptEnded takes the end of a run.
func (s *statusBar) scriptEnded(msg scriptMsg) {
	if s.script.Ended(msg.run, msg.text, msg.err) {
		s.win.Front.Warn("status line", fmt.Sprintf("The program for the status line (%s) failed: %s. "+
			"What it wrote last stays, marked with %s. "+
			"Run it by hand to see why, or take status.script out of the settings; "+
			"docs/statusline.md says what it is given.",
			s.win.Cut(s.win.Config.Settings.Status.Script[0], terminal.NoticeText),
			s.win.Cut(msg.err.Error(), 2*terminal.NoticeText), status.StaleMark))
	}
}
