package handover

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Redraw draws what a key changed at once, and nothing while nothing happens. Bubble Tea
// draws when its clock ticks, as long as it runs, and takes no request for another time:
// at 120 frames a second a key would wait for 4 ms, two thirds of all it takes to the
// screen, and a window in which nothing happens would wake the processor 120 times a
// second. The clock is a field that Bubble Tea does not export; if no field has that name
// and type, keys wait for the next tick, and the clock never rests. TestRedraw holds that
// there is.
type Redraw struct {
	Program *tea.Program  // set before it runs
	Frame   time.Duration // between two ticks of its clock

	mu    sync.Mutex
	woken time.Time   // the last time that there was something to draw, perhaps
	quiet *time.Timer // for the clock to rest; nil before the first frame
	ticks *time.Ticker
	rests bool
}

const (
	// quietTime is how long nothing must come for the clock to rest. What came last is
	// drawn by then, unless the terminal takes longer to be written to: the end of a
	// write wakes the clock, too.
	quietTime = 50 * time.Millisecond
	// restTime is between two ticks of a clock that rests. It is what a frame is late
	// if the goroutine that draws had not one turn in quietTime.
	restTime = time.Second

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
	if r.Program == nil {
		return nil
	}
	f := reflect.ValueOf(r.Program).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(f.UnsafePointer())
}

// Wake has the clock run for a while. It is for each message to the program, each view
// that it returns, and the end of each write to the terminal.
func (r *Redraw) Wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.woken = time.Now()
	switch {
	case r.quiet == nil:
		if r.ticks = r.clock(); r.ticks != nil {
			r.quiet = time.AfterFunc(quietTime, r.rest)
		}
	case r.rests:
		r.rests = false
		r.ticks.Reset(r.Frame)
		r.quiet.Reset(quietTime)
	}
}

// rest slows the clock down, or comes back if it was woken meanwhile.
func (r *Redraw) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := quietTime - time.Since(r.woken); left > 0 {
		r.quiet.Reset(left)
		return
	}
	r.rests = true
	r.ticks.Reset(restTime)
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
