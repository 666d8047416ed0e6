package telemetry

import (
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/observe"
)

var _ observe.Observer = (*Exporter)(nil)

// Called implements observe.Observer. Calls are not exported.
func (e *Exporter) Called(observe.Call) {}

// Opened implements observe.Observer: the live events of the session are exported.
func (e *Exporter) Opened(_ observe.Call, s session.Session) observe.SessionObserver {
	if s == nil {
		return nil
	}
	w := &observedSession{exporter: e, projection: newProjection(s.Info(), e)}
	e.mu.Lock()
	e.sessions = append(e.sessions, w)
	e.mu.Unlock()
	return w
}

// observedSession is a session whose live events are projected as they pass. It
// implements observe.SessionObserver.
type observedSession struct {
	exporter *Exporter

	mu         sync.Mutex
	projection *projection // nil when it is over
}

// Called implements observe.SessionObserver.
func (w *observedSession) Called(observe.Call) {}

// Event implements observe.SessionObserver: it projects an event of the running
// agent, for history was exported when it happened. One without a time happens
// now.
func (w *observedSession) Event(ev session.Event) error {
	if !ev.Replayed {
		if ev.Time.IsZero() {
			ev.Time = w.exporter.now()
		}
		w.record(func(p *projection) { p.apply(ev) }, false)
	}
	return nil
}

// Ended implements observe.SessionObserver.
func (w *observedSession) Ended(error) { w.end(w.exporter.now()) }

// end ends what is open at a time; nothing is projected after it.
func (w *observedSession) end(at time.Time) {
	w.record(func(p *projection) { p.finish(at) }, true)
	w.exporter.forget(w)
}

// record has the projection export something, perhaps for the last time. A
// mistake in it ends the telemetry of the session, and never the session.
func (w *observedSession) record(project func(*projection), last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projection == nil {
		return
	}
	err := session.Guard(func() error { project(w.projection); return nil })
	if err != nil {
		w.exporter.errors.Handle(err)
	}
	if last || err != nil {
		w.projection = nil
	}
}

// forget lets go of a session that has ended.
func (e *Exporter) forget(w *observedSession) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sessions = slices.DeleteFunc(slices.Clone(e.sessions), func(s *observedSession) bool { return s == w })
}
