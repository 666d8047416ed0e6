package handover

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"parley/terminal"
)

// Lender gives the terminal of a window to something else and takes it back. Events,
// timers and answers continue meanwhile; nothing is drawn, and what is typed is not read.
type Lender struct {
	in     *terminal.Input
	out    *terminal.Output
	redraw *Redraw
	ended  context.Context // the end of the window
	inline bool            // the window is on the terminal's own screen
	mu     sync.Mutex      // held while something else has the terminal
	over   bool            // the window is about to end: the terminal stays where it is
}

// NewLender returns the lender of the terminal of a window, which ends with ended. An inline window is on the
// terminal's own screen.
func NewLender(ended context.Context, in *terminal.Input, out *terminal.Output, redraw *Redraw, inline bool) *Lender {
	return &Lender{in: in, out: out, redraw: redraw, ended: ended, inline: inline}
}

// Lend gives the terminal away while run lasts. It waits first until the terminal has
// answered what it was asked: an answer that comes later is typed into the other
// program. Afterwards it waits until the window has drawn again: if the window ended
// sooner, Bubble Tea would switch modes on behind switching them off. The error is
// that of run, or why the terminal could not be given away or taken back.
func (l *Lender) Lend(run func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over || l.ended.Err() != nil {
		return context.Canceled
	}
	l.in.Settle()
	program := l.redraw.program
	l.in.Leave()
	if err := program.ReleaseTerminal(); err != nil {
		l.in.Return()
		l.in.Hush(false)
		return fmt.Errorf("give the terminal away: %w", err)
	}
	err := run()
	before := l.out.Count()
	l.in.Return()
	if back := program.RestoreTerminal(); back != nil {
		return cmp.Or(err, fmt.Errorf("take the terminal back: %w", back))
	}
	l.in.Hush(false) // before the window can be asked to lend it again
	l.drawn(before)
	return err
}

// drawn waits until the window has drawn, after so many writes.
func (l *Lender) drawn(before uint64) {
	l.redraw.tick()
	for !l.out.OnAlternate() && (!l.inline || l.out.Count() == before) {
		select {
		case <-l.out.Wrote:
		case <-l.ended.Done():
			return
		}
	}
}

// Keep waits until the window has the terminal, and lends it no more: the window is
// about to end.
func (l *Lender) Keep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
}

// WhenBack waits until the window has the terminal and the terminal has answered what
// it was asked, and calls f before anything else can get it.
func (l *Lender) WhenBack(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.in.Settle()
	f()
}
