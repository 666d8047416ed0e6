package agents

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"parley/history/sessions"
	"parley/session"
	"parley/session/demo"
)

// demoSessions are the sessions of the demo, which it keeps while it lives.
type demoSessions struct {
	mu    sync.Mutex
	agent *demo.Agent // that was opened last; nil is none
	ran   bool        // it runs, or did
}

// open is the demo whose sessions are listed, or, to run, one that did not run yet. One that was opened to be listed
// has no session open, and need not be closed.
func (d *demoSessions) open(ctx context.Context, run bool) (*demo.Agent, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.agent == nil || run && d.ran {
		agent, err := demo.Open(ctx, demo.Config{Pace: demo.HumanPace})
		if err != nil {
			return nil, err
		}
		d.agent, d.ran = agent, false
	}
	d.ran = d.ran || run
	return d.agent, nil
}

// Keeper implements sessions.Source.
func (d *demoSessions) Keeper() string { return Demo }

// List implements sessions.Source.
func (d *demoSessions) List(ctx context.Context) ([]sessions.Log, error) {
	agent, err := d.open(ctx, false)
	if err != nil {
		return nil, err
	}
	stored, err := agent.List(ctx)
	if err != nil {
		return nil, err
	}
	logs := make([]sessions.Log, 0, len(stored))
	var errs []error
	for _, s := range stored {
		raw, err := agent.Log(ctx, s.ID)
		if err != nil { // it was deleted meanwhile
			errs = append(errs, err)
			continue
		}
		logs = append(logs, sessions.Log{
			ID: s.ID, Keeper: d.Keeper(), Agent: Demo, Size: int64(len(raw)), Modified: s.Used,
			Name: s.Title, Named: s.Title != "", Dir: s.Dir,
			Repository: s.Repository, Branch: s.Branch, Client: s.Client, Created: s.Started, InUse: s.InUse,
		})
	}
	return logs, errors.Join(errs...)
}

// Open implements sessions.Source.
func (d *demoSessions) Open(ctx context.Context, id session.ID) (io.ReadCloser, error) {
	agent, err := d.open(ctx, false)
	if err != nil {
		return nil, err
	}
	raw, err := agent.Log(ctx, id)
	if err != nil {
		return nil, err
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(raw), io.NopCloser(nil)}, nil
}
