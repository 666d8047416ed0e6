// Package tui composes the window: it routes keys, owns the focus, keeps the
// draft and arranges the projections of the session on the screen. It is the
// only package that knows Bubble Tea's loop.
//
// Of bubbles, key is what a hint or a command of a panel is bound to, help draws
// the hints, spinner shows that something runs, progress shows shares of the
// context window, and viewport scrolls the panels of text. The others lose
// something that is promised here:
//
//   - textarea and textinput edit runes and have no undo; a draft is exact bytes in
//     grapheme clusters with chips, and every query takes the user's own keys.
//   - list brings its filter, its keys and its pages, and draws what it is given;
//     rows here are found by jobs, made safe as they are drawn, and never picked by
//     a key that came before them.
//   - table cuts cells and aligns all to the left; here they wrap, numbers are
//     aligned to the right, and what has no room becomes a record.
//   - filepicker reads one folder at a time by itself; files come from tui/files, by
//     the letters of their path and without what is ignored.
//   - paginator has nothing to page: whatever is longer than the screen scrolls.
//   - timer, stopwatch and a cursor of its own each wake the program while nothing
//     happens; there is one timer, which stops, and the cursor is the terminal's.
//   - tree and viewport, for what may be very long (the timeline, edits, the details
//     and the context), want all lines drawn at first; here those in view are.
//   - help's columns of all keys do not wrap; the panel of help does.
package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"parley/prompts/consent"
	"parley/terminal"
	"parley/terminal/handover"
	"parley/tui/conversation"
)

// NotOpenedError is why the session that a window begins with could not be opened, so that the
// window was left at once.
type NotOpenedError struct{ Err error }

// Error implements error.
func (e NotOpenedError) Error() string { return e.Err.Error() }

// Unwrap returns what failed.
func (e NotOpenedError) Unwrap() error { return e.Err }

// Run shows the window until the user leaves it or ctx ends, restores the
// terminal, and closes the sessions and their agents. It returns the commands that resume
// those that have something to resume, the one on the screen last, also beside an
// error.
func Run(ctx context.Context, c Config) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	owner := &agentLifecycle{}
	c.Agent, c.Reading = owner.owning(c.Agent), owner.owning(c.Reading)
	c.Others = slices.Clone(c.Others)
	for i := range c.Others {
		c.Others[i].Open = owner.owning(c.Others[i].Open)
	}
	run := runScreen
	if c.Lines {
		run = runLines
	}
	m, err := run(ctx, c)
	if m == nil {
		return nil, err
	}
	if jerr := m.drafts.end(err == nil && ctx.Err() == nil); err == nil {
		err = jerr
	}
	owner.purge(ctx, c.Sessions, c.Keeper, m.openIDs())
	cancel() // ends what the window still waits for, such as an agent that starts
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), conversation.CloseTimeout)
	defer done()
	if cerr := owner.close(closing); err == nil {
		err = cerr
	}
	switch {
	case m.switcher.failed != nil:
		return nil, NotOpenedError{m.switcher.failed}
	case err != nil:
		return m.resumeCommands(), fmt.Errorf("run the window: %w", err)
	}
	return m.resumeCommands(), nil
}

// runScreen runs the model on a screen until the user leaves it or ctx ends.
func runScreen(ctx context.Context, c Config) (*Model, error) {
	in := terminal.NewInput(c.In, c.Now)
	out := newOutput(c, in)
	shown, hide := context.WithCancel(context.WithoutCancel(ctx))
	defer hide()
	redraw := &handover.Redraw{}
	lender := handover.NewLender(shown, in, out, redraw, c.Inline)
	m := newModel(ctx, c, outside(ctx, c, out, in.Settle, lender.Lend))
	over, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(over, func() { lender.WhenBack(hide) })()
	w := &window{
		model: m, out: out, redraw: redraw, panicGuard: panicGuard{end: end}, stops: make(chan os.Signal, 1),
		crash: terminal.NewCrashRestore(c.In, c.Out, c.Err, c.Environment()),
	}
	handover.NotifyStop(w.stops)
	defer signal.Stop(w.stops)
	if width, height, err := term.GetSize(c.Out.Fd()); err == nil {
		m.display.Resize(width, height)
		w.sized = true
	}
	program := tea.NewProgram(w,
		tea.WithContext(shown),
		tea.WithoutSignalHandler(), // signals end ctx
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithEnvironment(c.Env),
		tea.WithColorProfile(m.win.Environment().Colours()),
		tea.WithFPS(conversation.FrameRate),
		tea.WithFilter(incoming(in, lender, redraw)),
	)
	redraw.Drive(program)
	_, err := program.Run()
	w.crash.Stop()
	if out.OnAlternate() { // ended before its first frame
		_, _ = out.Write([]byte(ansi.ResetModeAltScreenSaveCursor))
	}
	if c.Inline {
		out.Show(terminal.Frame{})
		_, _ = c.Out.WriteString(m.inline.rest(m.win.Front))
	}
	if crash := w.panic.Load(); crash != nil {
		err = crash
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil // ended from outside, on purpose
	}
	return m, err
}

// newOutput is what the window is written to.
func newOutput(c Config, in *terminal.Input) *terminal.Output {
	out := terminal.NewOutput(c.Out, in)
	if c.Environment().ErasesToOwn() {
		out.PaintErased()
	}
	if c.Inline {
		out.Inline()
	}
	return out
}

// incoming stamps what the user does, and has drawn what messages lead to. The terminal is not lent any more once the window
// is to end.
func incoming(in *terminal.Input, lender *handover.Lender, redraw *handover.Redraw) func(tea.Model, tea.Msg) tea.Msg {
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if redraw.Filter(msg) {
			return nil
		}
		switch msg.(type) {
		case nil, tea.BatchMsg, tea.KeyMsg, frameMsg, conversation.Message, conversation.SaveMsg, conversation.SavedMsg:
			// all that comes of them is views and messages
		case tea.QuitMsg:
			lender.Keep()
		default:
			redraw.Soon()
		}
		return stamp(in, msg)
	}
}

// lateInput is how long a key may wait for the loop before it counts as meant
// for an older screen. Where tests run faster than a user, many windows share the
// machine, and the loop may be that much slower.
const lateInput = 100 * time.Millisecond * consent.Pace

// escapeWait is how long Bubble Tea's reader may wait for what follows an Escape
// before that is a key of its own: its 50 ms, twice if its timer is early. The
// loop is not late for that.
const escapeWait = 100 * time.Millisecond

// stamp puts the time of reading on everything the
// user does. A read that happened after the message's own is the later of
// the two, so the wait of a message is never overestimated.
func stamp(i *terminal.Input, msg tea.Msg) tea.Msg {
	switch in := msg.(type) {
	case tea.PasteMsg:
		msg = i.Resolve(in)
	case conversation.ReturnedMsg:
		in.At = i.Now()
		return in
	case tea.ResumeMsg, tea.KeyMsg, tea.MouseMsg, tea.FocusMsg, tea.BlurMsg, tea.CursorPositionMsg:
	default:
		return msg
	}
	now := i.Now()
	read := now
	if _, resumed := msg.(tea.ResumeMsg); !resumed {
		read = i.LastRead(now)
	}
	late := lateInput
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Code == tea.KeyEscape {
		late += escapeWait
	}
	return conversation.InputMsg{At: read, Msg: msg, Late: now.Sub(read) > late}
}
