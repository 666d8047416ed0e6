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
	return &observedAgent{Agent: agent, exporter: e, abandoned: make(chan struct{})}
}

type observedAgent struct {
	session.Agent
	exporter  *Exporter
	abandoned chan struct{} // closed when no session is read any more
	abandon   sync.Once

	mu    sync.Mutex
	pumps []<-chan struct{} // each closed when a session's last event was seen
}

// Inner implements session.Decorator.
func (a *observedAgent) Inner() any { return a.Agent }

// Open implements session.Agent.
func (a *observedAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	return a.watch(a.Agent.Open(ctx, o))
}

// Resume implements session.Agent.
func (a *observedAgent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	return a.watch(a.Agent.Resume(ctx, id, o))
}

func (a *observedAgent) watch(s session.Session, err error) (session.Session, error) {
	if err != nil {
		return s, err
	}
	e := a.exporter
	w := &observedSession{
		Session: s, exporter: e, events: make(chan session.Event), abandoned: make(chan struct{}), agentAbandoned: a.abandoned, done: make(chan struct{}),
		projection: newProjection(s.Info(), e.content), recorder: newRecorder(e.tracer, e.meters),
	}
	e.mu.Lock()
	e.sessions = append(e.sessions, w)
	e.mu.Unlock()
	a.mu.Lock()
	a.pumps = append(a.pumps, w.done)
	a.mu.Unlock()
	go w.pump()
	return w, nil
}

// Close implements session.Agent.
func (a *observedAgent) Close(ctx context.Context) error {
	a.abandon.Do(func() { close(a.abandoned) })
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

// observedSession is a session whose live events are projected as they pass.
type observedSession struct {
	session.Session
	exporter       *Exporter
	events         chan session.Event
	abandoned      chan struct{}   // closed when this session is not read any more
	agentAbandoned <-chan struct{} // closed when no session of the agent is read any more
	abandon        sync.Once
	done           chan struct{} // closed when the last event was passed on

	mu         sync.Mutex
	projection *projection // nil when it is over
	recorder   *recorder
}

// Inner implements session.Decorator.
func (w *observedSession) Inner() any { return w.Session }

// Events implements session.Session.
func (w *observedSession) Events() <-chan session.Event { return w.events }

// Close implements session.Session.
func (w *observedSession) Close(ctx context.Context) error {
	w.abandon.Do(func() { close(w.abandoned) })
	return w.Session.Close(ctx)
}

// pump passes the events on, one by one and in order.
func (w *observedSession) pump() {
	defer close(w.done)
	defer close(w.events)
	for ev := range w.Session.Events() {
		w.project(ev)
		select {
		case w.events <- ev:
		case <-w.abandoned:
		case <-w.agentAbandoned:
		}
	}
	w.end(w.exporter.now())
}

// project projects an event of the running agent: history was exported when it
// happened. One without a time happens now.
func (w *observedSession) project(ev session.Event) {
	if !ev.Replayed {
		if ev.Time.IsZero() {
			ev.Time = w.exporter.now()
		}
		w.record(func(p *projection) []spanOp { return p.apply(ev) }, false)
	}
}

// end ends what is open at a time; nothing is projected after it.
func (w *observedSession) end(at time.Time) {
	w.record(func(p *projection) []spanOp { return p.close(at) }, true)
	w.exporter.forget(w)
}

// record carries out what a projection gives, perhaps for the last time. A
// mistake in it ends the telemetry of the session, and never the session.
func (w *observedSession) record(project func(*projection) []spanOp, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.projection == nil {
		return
	}
	err := session.Guard(func() error { w.recorder.do(project(w.projection)); return nil })
	if err != nil {
		w.exporter.errors.Handle(err)
	}
	if last || err != nil {
		w.projection, w.recorder = nil, nil
	}
}

// forget lets go of a session that has ended.
func (e *Exporter) forget(w *observedSession) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, s := range e.sessions {
		if s == w {
			e.sessions = append(e.sessions[:i:i], e.sessions[i+1:]...)
			return
		}
	}
}
