package handover

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Redraw draws what a key changed at once, other changes soon, and nothing while nothing
// happens. Bubble Tea draws when its clock ticks, as long as it runs, and takes no request
// for another time: at 120 frames a second a key would wait for 4 ms, two thirds of all it
// takes to the screen, and each tick wakes the processor, which costs more than most
// frames. The clock is a field that Bubble Tea does not export; if no field has that name
// and type, keys wait for the next tick, and the clock never rests. TestRedraw holds that
// there is.
type Redraw struct {
	Program *tea.Program  // set before it runs
	Frame   time.Duration // between two ticks of its clock

	mu    sync.Mutex
	ticks *time.Ticker
	pace  time.Duration // between two ticks now
	woken time.Time     // the last time that there was something to draw, perhaps
	quiet *time.Timer   // for the clock to rest; nil before the first frame
	keys  int           // are drawn at once now
	wrote bool          // since the last of them
}

const (
	// soon is how long a view waits that has changed. It is for Bubble Tea to have got it,
	// and bounds what a clock costs whose view leads to no write.
	soon = 2 * time.Millisecond
	// settleTime is between two ticks after a write. That may have been of the view before:
	// this is what a frame is late then.
	settleTime = 30 * time.Millisecond
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

// Wake has the clock run for a while. It is for each message to the program that may lead
// to more than another view.
func (r *Redraw) Wake() { r.within(r.Frame) }

// Changed is for each view that the program returns and that differs from the one before.
func (r *Redraw) Changed() { r.within(soon) }

// within has the clock tick within a time.
func (r *Redraw) within(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wake() && d < r.pace {
		r.set(d)
	}
}

// Wrote is for the end of each write to the terminal: nothing else waits to be drawn, most
// likely.
func (r *Redraw) Wrote() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrote = true
	if r.wake() && r.keys == 0 {
		r.set(settleTime)
	}
}

// wake notes that there is something to draw, perhaps, and reports whether there is a clock.
func (r *Redraw) wake() bool {
	r.woken = time.Now()
	switch {
	case r.quiet == nil:
		if r.ticks = r.clock(); r.ticks == nil {
			return false
		}
		r.pace = r.Frame
		r.quiet = time.AfterFunc(quietTime, r.rest)
	case r.pace == restTime:
		r.quiet.Reset(quietTime)
	}
	return true
}

// set changes the pace of the clock.
func (r *Redraw) set(pace time.Duration) {
	r.pace = pace
	r.ticks.Reset(pace)
}

// rest slows the clock down, or comes back if it was woken meanwhile.
func (r *Redraw) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := quietTime - time.Since(r.woken); left > 0 {
		r.quiet.Reset(left)
		return
	}
	r.set(restTime)
}

// Now is a command: it has the view drawn that Bubble Tea has got, or is about to get.
func (r *Redraw) Now() tea.Msg {
	if r.hurry(1) {
		time.Sleep(fastTime)
		r.hurry(-1)
	}
	return nil
}

// hurry notes that one key more or less is drawn at once, and reports whether that can be.
func (r *Redraw) hurry(more int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.wake() {
		return false
	}
	switch r.keys += more; {
	case more > 0:
		r.wrote = false
		r.set(atOnce)
	case r.keys == 0 && r.wrote:
		r.set(settleTime)
	case r.keys == 0:
		r.set(r.Frame)
	}
	return true
}
