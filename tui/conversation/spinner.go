package conversation

import (
	"time"

	"charm.land/bubbles/v2/spinner"
)

// Spinner is what shows that something runs. What it looks like now is drawn when it
// turns, which is less often than a frame.
type Spinner struct {
	model spinner.Model
	shown string
}

// Spinner is what shows that something runs, in what the terminal can show.
func (c Config) Spinner() Spinner {
	kind := spinner.MiniDot
	if len(c.Environment().Glyphs()) > 0 { // not all of them
		kind = spinner.Line
	}
	t := Spinner{model: spinner.New(spinner.WithSpinner(kind))}
	t.shown = t.model.View()
	return t
}

// turn turns it a little.
func (t *Spinner) turn() {
	t.model, _ = t.model.Update(spinner.TickMsg{}) // the window's own timer turns it, and stops
	t.shown = t.model.View()
}

// spinner is the one thing that moves, and only while something runs and the
// window has the focus.
func (w *Window) spinner() string {
	if !w.Focused || w.still() {
		return w.Spin.model.Spinner.Frames[0]
	}
	return w.Spin.shown
}

// second is the time now, cut to whole seconds, so that what is drawn with it
// changes once a second. It is zero, which is no time, where nothing may change
// by itself.
func (w *Window) second() time.Time {
	if w.still() {
		return time.Time{}
	}
	return w.Now.Truncate(time.Second)
}
