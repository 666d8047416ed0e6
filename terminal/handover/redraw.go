package handover

import (
	"reflect"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Redraw draws what has changed at once, and nothing while nothing happens. Bubble Tea
// draws when its clock ticks, as long as it runs, and takes no request for another time: at
// 120 frames a second a change would wait for 4 ms, two thirds of all that a key takes to
// the screen, and each tick wakes the processor, which costs more than most frames. The
// clock is a field that Bubble Tea does not export, and makes only if it is not set: Redraw
// sets it to one that ticks when it is asked to. If no field has that name and type, Bubble
// Tea draws by its own. TestClockIsReplaced holds that there is.
type Redraw struct {
	program *tea.Program
	ticks   chan time.Time // nil without that field
	asked   atomic.Bool    // a drawMsg is on its way
}

// drawMsg says that the program has dealt with all that came before it.
type drawMsg struct{}

// Drive has a program, which gives Filter each message, draw when it is asked to. It is
// called once, before the program runs.
func (r *Redraw) Drive(p *tea.Program) {
	r.program = p
	clock := time.NewTicker(time.Hour) //nolint:forbidigo // only its type is wanted: it measures no time
	f := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeOf(clock) {
		return
	}
	r.ticks = make(chan time.Time, 1)
	clock.C = r.ticks // what else it has is for Bubble Tea to set and stop: no timer runs
	reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(clock))
}

// Soon draws once the program has dealt with the message that it has now. It is for each
// view that differs from the one before, and for each message that may lead to more than
// another view. Bubble Tea has a view only after it has called for it, which is before it
// takes the next message: so the request is one.
func (r *Redraw) Soon() {
	if r.ticks != nil && !r.asked.Swap(true) {
		go r.program.Send(drawMsg{}) // which ends with the program
	}
}

// Filter takes a message of the program, and reports whether that was meant for it.
func (r *Redraw) Filter(msg tea.Msg) bool {
	_, draw := msg.(drawMsg)
	if draw {
		r.asked.Store(false)
		r.tick()
	}
	return draw
}

// tick has Bubble Tea draw the view that it has.
func (r *Redraw) tick() {
	select {
	case r.ticks <- time.Time{}:
	default: // it is going to, or there is no such clock
	}
}
