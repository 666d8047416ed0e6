package telemetry

import (
	"context"
	"sync"
	"time"

	"parley/session"
)

// Watch returns the agent with its sessions exported. It has just the
// capabilities that it had before (session.As).
func (e *Exporter) Watch(agent session.Agent) session.Agent {
	if e == nil {
		return agent
	}
	return &watchedAgent{Agent: agent, exporter: e, gone: make(chan struct{})}
}

type watchedAgent struct {
	session.Agent
	exporter *Exporter
	gone     chan struct{} // closed when nobody reads any session any more
	left     sync.Once

	mu    sync.Mutex
	pumps []<-chan struct{} // each closed when a session's last event was seen
}

// Inner implements session.Decorator.
func (a *watchedAgent) Inner() any { return a.Agent }

// Open implements session.Agent.
func (a *watchedAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	return a.watch(a.Agent.Open(ctx, o))
}

// Resume implements session.Agent.
func (a *watchedAgent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	return a.watch(a.Agent.Resume(ctx, id, o))
}

func (a *watchedAgent) watch(s session.Session, err error) (session.Session, error) {
	if err != nil {
		return s, err
	}
	e := a.exporter
	w := &watched{
		Session: s, exporter: e, events: make(chan session.Event), gone: make(chan struct{}), closed: a.gone, over: make(chan struct{}),
		projection: newProjection(s.Info(), e.content), recorder: newRecorder(e.tracer, e.meters),
	}
	e.mu.Lock()
	e.sessions = append(e.sessions, w)
	e.mu.Unlock()
	a.mu.Lock()
	a.pumps = append(a.pumps, w.over)
	a.mu.Unlock()
	go w.pump()
	return w, nil
}

// Close implements session.Agent.
func (a *watchedAgent) Close(ctx context.Context) error {
	a.left.Do(func() { close(a.gone) })
	err := a.Agent.Close(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, over := range a.pumps {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	return err
}

// watched is a session whose live events are projected as they pass.
type watched struct {
	session.Session
	exporter *Exporter
	events   chan session.Event
	gone     chan struct{}   // closed when nobody reads this session any more
	closed   <-chan struct{} // closed when nobody reads any session of the agent
	left     sync.Once
	over     chan struct{} // closed when the last event was passed on

	mu         sync.Mutex
	projection *projection // nil when it is over
	recorder   *recorder
}

// Inner implements session.Decorator.
func (w *watched) Inner() any { return w.Session }

// Events implements session.Session.
func (w *watched) Events() <-chan session.Event { return w.events }

// Close implements session.Session.
func (w *watched) Close(ctx context.Context) error {
	w.left.Do(func() { close(w.gone) })
	return w.Session.Close(ctx)
}

// pump passes the events on, one by one and in order.
func (w *watched) pump() {
	defer close(w.over)
	defer close(w.events)
	for ev := range w.Session.Events() {
		w.see(ev)
		select {
		case w.events <- ev:
		case <-w.gone:
		case <-w.closed:
		}
	}
	w.end(w.exporter.now())
}

// see projects an event of the running agent: history was exported when it
// happened. One without a time happens now.
func (w *watched) see(ev session.Event) {
	if !ev.Replayed {
		if ev.Time.IsZero() {
			ev.Time = w.exporter.now()
		}
		w.record(func(p *projection) []step { return p.apply(ev) }, false)
	}
}

// end ends what is open at a time; nothing is projected after it.
func (w *watched) end(at time.Time) {
	w.record(func(p *projection) []step { return p.close(at) }, true)
	w.exporter.forget(w)
}

// record carries out what a projection gives, perhaps for the last time. A
// mistake in it ends the telemetry of the session, and never the session.
func (w *watched) record(project func(*projection) []step, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projection == nil {
		return
	}
	err := session.Guard(func() error { w.recorder.do(project(w.projection)); return nil })
	if err != nil {
		w.exporter.troubles.Handle(err)
	}
	if last || err != nil {
		w.projection, w.recorder = nil, nil
	}
}

// forget lets go of a session that has ended.
func (e *Exporter) forget(w *watched) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, s := range e.sessions {
		if s == w {
			e.sessions = append(e.sessions[:i:i], e.sessions[i+1:]...)
			return
		}
	}
}
