package tui

import (
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/prompts/consent"
	"parley/terminal"
	"parley/terminal/handover"
	"parley/tui/conversation"
)

// window is the model as the program runs it: its first frame, signals to stop,
// and an orderly end after a panic. Bubble Tea would write what a panic says as
// it is, and on the screen that is about to go.
type window struct {
	model  *Model
	out    *terminal.Output
	redraw *handover.Redraw
	shown  tea.View       // the last one
	sized  bool           // the size of the terminal is known
	stops  chan os.Signal // asks to stop the process, as ctrl+z does
	crash  *terminal.CrashRestore
	panicGuard
}

// Init implements tea.Model. It shows the first frame before the program's
// first tick, which comes a frame later. Bubble Tea enters the alternate screen
// again, which changes nothing, and paints over it. It does not come sooner, as
// only now keys go to the window, and ctrl+z does not stop it as it is.
func (w *window) Init() tea.Cmd {
	if w.sized && !w.model.frame.low && !w.model.win.Config.Inline { // which would paint it twice
		w.model.draw()
		w.out.First(w.model.appearance.Limited(w.View().Content))
	}
	return w.guard(tea.Batch(w.model.Init(), w.stop, w.restoreAfterCrash, w.measure))
}

// Update implements tea.Model.
func (w *window) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() { w.crashed(recover()) }()
	if _, sized := msg.(tea.WindowSizeMsg); sized {
		w.out.Resized()
	}
	if _, cmd = w.model.Update(msg); msg == (stopMsg{}) {
		cmd = tea.Batch(cmd, w.stop)
	}
	return w, w.guard(cmd)
}

// View implements tea.Model.
func (w *window) View() (v tea.View) {
	defer func() { w.crashed(recover()) }()
	if v = w.model.View(); w.model.win.Config.Inline && !v.AltScreen {
		v = w.below(v)
	}
	if !sameView(v, w.shown) {
		w.redraw.Soon()
	}
	w.shown = v
	return v
}

// below shows a view below what the terminal has, and returns what is left of it for Bubble Tea, which would write over that
// when the size of the terminal changes.
func (w *window) below(v tea.View) tea.View {
	f := terminal.Frame{Width: w.model.frame.width, Height: w.model.frame.height, Reflow: w.model.win.Reflow()}
	if v.Content != "" {
		f.Lines = strings.Split(w.model.appearance.Limited(v.Content), "\n")
		f.Y = len(f.Lines) - 1
	}
	if v.Cursor != nil {
		f.X, f.Y, f.Cursor = v.Cursor.X, v.Cursor.Y, true
		v.Cursor = &tea.Cursor{Color: v.Cursor.Color, Shape: v.Cursor.Shape, Blink: v.Cursor.Blink}
	}
	w.out.Show(f)
	v.Content = ""
	return v
}

// sameView reports whether two views of the window show the same.
func sameView(a, b tea.View) bool {
	return a.Content == b.Content && a.AltScreen == b.AltScreen && a.WindowTitle == b.WindowTitle && a.MouseMode == b.MouseMode &&
		same(a.Cursor, b.Cursor) && same(a.ProgressBar, b.ProgressBar)
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// restoreAfterCrash is a command: from then on a fatal error gives the terminal back.
func (w *window) restoreAfterCrash() tea.Msg {
	w.crash.Start()
	return nil
}

// measure is a command: it finds out how long the terminal takes to answer. Where tests run
// faster than a user, many windows share the machine, and answers are that much slower.
func (w *window) measure() tea.Msg {
	return conversation.RoundTripMsg(w.out.RoundTrip(w.model.win.Ctx) / consent.Pace)
}

// stopMsg is a signal that asks to stop the process.
type stopMsg struct{}

// stop waits for such a signal.
func (w *window) stop() tea.Msg {
	select {
	case <-w.stops:
		return stopMsg{}
	case <-w.model.win.Ctx.Done():
		return nil
	}
}
