package tui

import (
	"time"

	"charm.land/bubbles/v2/spinner"

	"parley/tui/widget"
)

// turning is what shows that something runs. What it looks like now is drawn when it
// turns, which is less often than a frame.
type turning struct {
	model spinner.Model
	shown string
}

func (c Config) spinner() turning {
	kind := spinner.MiniDot
	if !c.Environment().Unicode() {
		kind = spinner.Line
	}
	t := turning{model: spinner.New(spinner.WithSpinner(kind))}
	t.shown = t.model.View()
	return t
}

// turn turns it a little.
func (t *turning) turn() {
	t.model, _ = t.model.Update(spinner.TickMsg{}) // the window's own timer turns it, and stops
	t.shown = t.model.View()
}

// spinner is the one thing that moves, and only while something runs and the
// window has the focus.
func (sh *shared) spinner() string {
	if !sh.focused || sh.still() {
		return sh.spin.model.Spinner.Frames[0]
	}
	return sh.spin.shown
}

// elapsed is how long ago a time is, where that can be counted on.
func (sh *shared) elapsed(since time.Time) string {
	return widget.Elapsed(since, sh.now.In(sh.zone), sh.still())
}

// second is the time now, cut to whole seconds, so that what is drawn with it
// changes once a second. It is zero, which is no time, where nothing may change
// by itself.
func (sh *shared) second() time.Time {
	if sh.still() {
		return time.Time{}
	}
	return sh.now.Truncate(time.Second)
}
