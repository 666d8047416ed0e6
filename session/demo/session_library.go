package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

var errOpen = errors.New("it is open")

// Resume implements session.Agent. A session is kept as long as the agent
// lives. It works in a new scratch folder, with the files of the old one.
func (a *Agent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, err := a.closedRecord(id)
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	s, err := a.start(ctx, r, o)
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	delete(a.records, id)
	return s, nil
}

// closedRecord is what is kept of a session that is not open. The caller holds
// mu.
func (a *Agent) closedRecord(id session.ID) (*record, error) {
	if a.closed {
		return nil, ErrClosed
	}
	if r := a.records[id]; r != nil {
		return r, nil
	}
	if a.openSession(id) != nil {
		return nil, errOpen
	}
	return nil, fmt.Errorf("the demo has no such session; it keeps those of this run only. Start a new one, or install "+
		"the Copilot CLI with %q to keep them", install)
}

// openSession is the session of that id that has not ended. The caller holds
// mu.
func (a *Agent) openSession(id session.ID) *Session {
	for _, s := range a.sessions {
		if s.info.ID == id && a.records[id] == nil && !s.life.Ended() {
			return s
		}
	}
	return nil
}

// keep stores what is left of a session.
func (a *Agent) keep(r *record) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.records[r.ID] = r
}

// List implements session.Library. As in the runtime a session in which nobody
// has said anything is left out.
func (a *Agent) List(context.Context) ([]session.Stored, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []session.Stored
	add := func(r *record) {
		if r.said() {
			all = append(all, r.Stored)
		}
	}
	for _, r := range a.records {
		add(r)
	}
	for _, s := range a.sessions {
		if s == a.openSession(s.info.ID) {
			add(s.record())
		}
	}
	slices.SortFunc(all, func(x, y session.Stored) int {
		if c := y.Used.Compare(x.Used); c != 0 {
			return c
		}
		return strings.Compare(string(x.ID), string(y.ID))
	})
	return all, nil
}

// Log is what is stored of a session that List lists, in the form of a stored log:
// JSON lines, as session.ReadLog reads them. A session that goes on has a log that
// begins with the same bytes.
func (a *Agent) Log(ctx context.Context, id session.ID) ([]byte, error) {
	events, err := a.events(id)
	if err == nil {
		err = ctx.Err()
	}
	var log []byte
	for _, ev := range events {
		if err != nil {
			break
		}
		var line []byte
		line, err = session.Encode(ev)
		log = append(append(log, line...), '\n')
	}
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	return log, nil
}

// events are what is stored of a session, open or not.
func (a *Agent) events(id session.ID) ([]session.Event, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, err := a.closedRecord(id)
	if errors.Is(err, errOpen) {
		return a.openSession(id).out.stored(), nil
	}
	if err != nil {
		return nil, err
	}
	return r.events, nil
}

// Fork implements session.Library.
func (a *Agent) Fork(_ context.Context, id session.ID, before session.EventID) (session.ID, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, err := a.closedRecord(id)
	if errors.Is(err, errOpen) {
		r, err = a.openSession(id).record(), nil
	}
	if err != nil {
		return "", fmt.Errorf("copy session %s: %w", id, err)
	}
	end := len(r.events)
	if before != "" {
		if end = slices.IndexFunc(r.events, func(ev session.Event) bool { return ev.ID == before }); end < 0 {
			return "", fmt.Errorf("copy session %s: it has no event %s", id, before)
		}
	}
	c := r.copied(end, a.cfg.Now())
	c.Title, c.named = r.Title+" (fork)", true // as the runtime calls it (docs/protocol.md, section 4.3)
	a.records[c.ID] = c
	return c.ID, nil
}

// Delete implements session.Library. A session that is open stays.
func (a *Agent) Delete(_ context.Context, id session.ID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.closedRecord(id); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	delete(a.records, id)
	return nil
}

// start makes a session: a new one, or one that continues a record. The
// caller holds mu.
func (a *Agent) start(ctx context.Context, r *record, o session.Options) (*Session, error) {
	if a.closed {
		return nil, ErrClosed
	}
	info := session.Info{
		ID: session.ID(uuid.NewString()), Agent: "demo", Model: modelOr(o.Model).ID, Mode: session.Interactive, Demo: true,
	}
	files := pretended().Files
	if r != nil {
		info.ID, info.InUse = r.ID, r.InUse
		if r.files != nil {
			files = r.files
		}
	}
	if o.Mode != "" {
		info.Mode = o.Mode
	}
	scratch, err := makeScratch(a.cfg.TempDir, files)
	if err != nil {
		return nil, err
	}
	info.Dir = scratch
	s := newSession(ctx, a.cfg, scratch, info, a.keep)
	a.sessions = append(a.sessions, s)
	if r == nil {
		s.begin()
	} else {
		s.goOn(r, o)
	}
	s.delivering.Go(func() { s.life.Guard(func() { s.out.Run(s.life) }) })
	go s.live()
	return s, nil
}

// goOn begins with what a session was, told again, and what the options change
// of it.
func (s *Session) goOn(r *record, o session.Options) {
	s.out.replay(r.events)
	s.recall(r)
	s.out.put(session.SessionResume{
		ResumeTime: s.cfg.Now().Format(time.RFC3339Nano), EventCount: len(r.events), SelectedModel: s.model, ReasoningEffort: s.effort,
		Context: &session.WorkingContext{Cwd: s.info.Dir, Repository: r.Repository, Branch: r.Branch}, AlreadyInUse: r.InUse,
	})
	s.out.put(session.SessionContextChanged{Cwd: s.info.Dir, Repository: r.Repository, Branch: r.Branch})
	s.out.put(session.SessionTitleChanged{Title: s.title})
	s.out.put(s.usage(true))
	if m, err := modelOf(o.Model); err == nil && m.ID != s.model {
		_ = s.SetModel(s.life, m.ID, "") // it can: the model is there
	}
	if o.Mode != "" {
		_ = s.SetMode(s.life, o.Mode) // one that there is not is not set
	}
	s.info.Model, s.info.Mode = s.model, s.mode
}
