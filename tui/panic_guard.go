package tui

import (
	"context"
	"runtime/debug"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// panicGuard ends the program around a model in an orderly way after a panic, in the model
// or in a command.
type panicGuard struct {
	end   context.CancelFunc
	panic atomic.Pointer[session.PanicError] // the first
}

// guard lets a panic in a command, or in those that it leads to, end the
// window.
func (g *panicGuard) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer func() { g.crashed(recover()) }()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(batch))
			for i, c := range batch {
				guarded[i] = g.guard(c)
			}
			return guarded
		}
		return msg
	}
}

// crashed ends the window if there was a panic.
func (g *panicGuard) crashed(value any) {
	if value != nil {
		g.panic.CompareAndSwap(nil, &session.PanicError{Value: value, Stack: debug.Stack()})
		g.end()
	}
}
