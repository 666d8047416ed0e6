package handover

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Redraw draws what a key changed at once. Bubble Tea draws when its clock ticks and
// takes no request for another time: at 120 frames a second a key would wait for 4 ms,
// two thirds of all it takes to the screen. The clock is a field that Bubble Tea does
// not export; if no field has that name and type, keys wait for the next tick.
// TestRedraw holds that there is.
type Redraw struct {
	Program *tea.Program  // set before it runs
	Frame   time.Duration // between two ticks of its clock
}

const (
	// atOnce is the clock's time between two ticks while a key is drawn. A tick
	// that finds nothing new costs next to nothing.
	atOnce = 10 * time.Microsecond
	// fastTime is how long it runs so fast: time enough for Bubble Tea to get
	// the view and to draw it. It bounds the cost of the fast clock, and nothing
	// waits for it to be over: a view that comes later is drawn with the next frame.
	// A write to the terminal could not end it sooner, since it may be of the frame
	// before, and a key that changes nothing on the screen leads to none.
	fastTime = time.Millisecond
)

// clock is what Bubble Tea draws by; nil if it cannot be had, or before the
// first frame.
func (r *Redraw) clock() *time.Ticker {
	f := reflect.ValueOf(r.Program).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(f.UnsafePointer())
}

// Now is a command: it has the view drawn that Bubble Tea has got, or is about to get.
func (r *Redraw) Now() tea.Msg {
	clock := r.clock()
	if clock == nil {
		return nil
	}
	clock.Reset(atOnce)
	time.Sleep(fastTime)
	clock.Reset(r.Frame)
	return nil
}
