package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
)

// timers are the timers of the window that run now.
type timers struct {
	win       *Window
	animating bool      // for what moves
	ageing    bool      // for times that are shown as how long ago they were
	Waking    time.Time // when the queue of questions will be called; zero: it is not
}

// Start starts those that are needed now and do not run. A clock on the screen needs
// one.
func (t *timers) Start(clock bool) tea.Cmd {
	return tea.Batch(t.WakeQuestions(), t.animate(), t.age(clock))
}

// tickTime is how often a running turn is looked at: often enough for a calm
// sign of life, and once a second without the focus.
const tickTime = 250 * time.Millisecond

// animate keeps a timer going while something on the screen depends on the time,
// and only then.
func (t *timers) animate() tea.Cmd {
	c := t.win.Front
	asks := c.Questions.Len() > 0
	moving := c.Session != nil && (c.ReadOnly.growing() || timed(c)) || c.Opening ||
		asks && t.win.Config.Environment().ShowsProgress() || // which is sent again
		len(c.shells) > 0 || !c.Aborting.IsZero() || t.win.Now.Before(c.Hint.until) || t.win.Now.Before(c.Armed.until) ||
		c.Tasks.watching() || len(c.Queue.Sending) > 0
	if t.win.still() {
		moving = !c.Aborting.IsZero() || len(c.Queue.Sending) > 0 // for the way out, and to show what is not taken
	}
	if t.animating || !moving {
		return nil
	}
	t.animating = true
	wait := tickTime
	switch {
	case t.win.still() && len(c.Queue.Sending) == 0:
		wait = abortPatience
	case !t.win.Focused || asks:
		wait = time.Second // nothing spins
	}
	return t.win.After(wait, func(at time.Time) tea.Msg { return TickMsg(at) })
}

// timed reports whether the agent does something whose duration is shown. While all of it
// waits for the user it is not.
func timed(c *Conversation) bool {
	s := c.Timeline.Status()
	if c.Questions.Len() > 0 && s.Waiting > 0 && !s.Timed && c.Pane.Agent == nil {
		return false
	}
	return s.Busy || s.Compacting || s.Agents > 0
}

// AgeMsg comes once a minute where times show how long ago something was.
type AgeMsg time.Time

// age keeps the timer for these going.
func (t *timers) age(clock bool) tea.Cmd {
	if t.ageing || t.win.still() || t.win.Front.Pane.Opts.Times != render.TimesAgo && !clock {
		return nil
	}
	t.ageing = true
	wait := time.Minute
	if clock { // at the minute
		wait = t.win.Now.Truncate(wait).Add(wait).Sub(t.win.Now)
	}
	return t.win.After(wait, func(at time.Time) tea.Msg { return AgeMsg(at) })
}

// WakeQuestions arranges for the next call of Tick.
func (t *timers) WakeQuestions() tea.Cmd {
	next := t.win.Front.Questions.Wake()
	if next.IsZero() || !t.Waking.IsZero() && !next.Before(t.Waking) {
		return nil
	}
	t.Waking = next
	return t.win.After(next.Sub(t.win.Now), func(at time.Time) tea.Msg { return WakeMsg(at) })
}
