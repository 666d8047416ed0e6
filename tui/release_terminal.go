package tui

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"parley/terminal"

	tea "charm.land/bubbletea/v2"
)

// lend is the effect that gives the terminal to something else while run lasts.
// Events, timers and answers go on meanwhile; nothing is drawn, and what is typed
// is not read.
type lend func(run func() error, back func(error) tea.Msg) tea.Cmd

// loan is who has the terminal: the window, or something else for a while.
type loan struct {
	in    *terminal.Input
	out   *terminal.Output
	hurry *hurry
	ended context.Context // the end of the window
	mu    sync.Mutex      // held while something else has the terminal
	over  bool            // the window is about to end: the terminal stays where it is
}

// lend implements the effect.
func (l *loan) lend(run func() error, back func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return back(l.give(run)) }
}

// give lets run have the terminal. It waits first until the terminal has answered
// what it was asked: an answer that comes later is typed into the other program.
// Afterwards it waits until the window has drawn again: if the window ended
// sooner, Bubble Tea would switch modes on behind switching them off.
func (l *loan) give(run func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || l.ended.Err() != nil {
		return context.Canceled
	}
	l.in.Settle()
	program := l.hurry.program
	if err := program.ReleaseTerminal(); err != nil {
		l.in.Hush(false)
		return fmt.Errorf("give the terminal away: %w", err)
	}
	err := run()
	if back := program.RestoreTerminal(); back != nil {
		return cmp.Or(err, fmt.Errorf("take the terminal back: %w", back))
	}
	l.in.Hush(false) // before the window can be asked to lend it again
	l.drawn()
	return err
}

// drawn waits until the window has drawn. Bubble Tea stops its clock for drawing
// some time after it was told to, which may be after it has started it again, and
// shows nowhere that it has done so (startRenderer in its tea.go): the clock is
// started again in each frame's time until there is a frame.
func (l *loan) drawn() {
	for !l.out.OnAlternate() {
		select {
		case <-l.out.Wrote:
		case <-l.ended.Done():
			return
		case <-time.After(frameTime): //nolint:forbidigo // no test can wait for what only the terminal shows
			if clock := l.hurry.clock(); clock != nil {
				clock.Reset(frameTime)
			}
		}
	}
}

// quits is a Bubble Tea filter: the window ends only while it has the terminal,
// and keeps it from then on.
func (l *loan) quits(msg tea.Msg) tea.Msg {
	if _, quit := msg.(tea.QuitMsg); quit {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.over = true
	}
	return msg
}

// whenOurs calls f as soon as the window has the terminal.
func (l *loan) whenOurs(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.in.Settle()
	f()
}
