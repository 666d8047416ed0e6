package tui

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/terminal/handover"
	"parley/tui/conversation"
	"parley/tui/status"
)

// outside are the real effects.
func outside(ctx context.Context, c Config, out *terminal.Output, settle func(), lend func(run func() error) error) conversation.Effects {
	tty := handover.TTY{In: c.In, Out: c.Out, Env: c.Env}
	return conversation.Effects{
		After:   func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd { return tea.Tick(max(d, 0), msg) },
		Pump:    func(last conversation.EventsMsg) tea.Cmd { return pump(last, c.Now) },
		Flushed: out.Count,
		Written: out.Written,

		Above:  out.Above,
		Settle: settle,
		Lend: func(run func() error, back func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg { return back(lend(run)) }
		},
		Ring: func(sequence string) { _, _ = c.Out.WriteString(sequence) },
		Edit: func(e *conversation.Edition) tea.Cmd {
			return func() tea.Msg {
				var err error
				e.Result, err = tty.Edit(ctx, handover.File{Name: e.Name, Text: e.Text, ReadOnly: e.ReadOnly}, lend)
				return conversation.ReturnedMsg{Edition: e, Err: err}
			}
		},
		HandOver: func(ctx context.Context, argv []string, back func(error) tea.Msg) tea.Cmd {
			return func() tea.Msg { return back(lend(func() error { return tty.Run(ctx, argv) })) }
		},
		Start:   start,
		Program: func(ctx context.Context, p status.Program) (string, error) { return p.Run(ctx) },
	}
}

// start runs a program without a terminal.
func start(ctx context.Context, argv, env []string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = env
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", argv[0], err)
	}
	return nil
}
