package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
)

// timers are the timers of the window that run now.
type timers struct {
	win       *windowState
	tabs      *tabs
	animating bool      // for what moves
	ageing    bool      // for times that are shown as how long ago they were
	waking    time.Time // when the queue of questions will be called; zero: it is not
}

// start starts those that are needed now and do not run. A clock on the screen needs
// one.
func (t *timers) start(clock bool) tea.Cmd {
	return tea.Batch(t.wakeQuestions(), t.animate(), t.age(clock))
}

// tickTime is how often a running turn is looked at: often enough for a calm
// sign of life, and once a second without the focus.
const tickTime = 250 * time.Millisecond

// animate keeps a timer going while something on the screen depends on the time,
// and only then.
func (t *timers) animate() tea.Cmd {
	c := t.tabs.front
	s := c.timeline.Status()
	moving := c.session != nil && (c.readOnly.growing() || s.Busy || s.Compacting || s.Agents > 0) || c.opening ||
		len(c.shells) > 0 || !c.aborting.IsZero() || t.win.now.Before(c.hint.until) || t.win.now.Before(c.armed.until) ||
		c.tasks.watching() || len(c.queue.sending) > 0
	if t.win.still() {
		moving = !c.aborting.IsZero() || len(c.queue.sending) > 0 // for the way out, and to show what is not taken
	}
	if t.animating || !moving {
		return nil
	}
	t.animating = true
	wait := tickTime
	switch {
	case t.win.still() && len(c.queue.sending) == 0:
		wait = abortPatience
	case !t.win.focused || c.questions.Len() > 0:
		wait = time.Second // nothing spins
	}
	return t.win.after(wait, func(at time.Time) tea.Msg { return tickMsg(at) })
}

// ageMsg comes once a minute where times show how long ago something was.
type ageMsg time.Time

// age keeps the timer for these going.
func (t *timers) age(clock bool) tea.Cmd {
	if t.ageing || t.win.still() || t.tabs.front.pane.Opts.Times != render.TimesAgo && !clock {
		return nil
	}
	t.ageing = true
	wait := time.Minute
	if clock { // at the minute
		wait = t.win.now.Truncate(wait).Add(wait).Sub(t.win.now)
	}
	return t.win.after(wait, func(at time.Time) tea.Msg { return ageMsg(at) })
}

// wakeQuestions arranges for the next call of Tick.
func (t *timers) wakeQuestions() tea.Cmd {
	next := t.tabs.front.questions.Wake()
	if next.IsZero() || !t.waking.IsZero() && !next.Before(t.waking) {
		return nil
	}
	t.waking = next
	return t.win.after(next.Sub(t.win.now), func(at time.Time) tea.Msg { return wakeMsg(at) })
}
