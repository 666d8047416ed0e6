package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"parley/history/sessions"
	"parley/session"
	"parley/session/demo"
)

// demoSessions are the sessions of the demo, which it keeps while it lives. It has
// no sessions before it is opened.
type demoSessions struct{ agent atomic.Pointer[demo.Agent] }

// Keeper implements sessions.Source.
func (d *demoSessions) Keeper() string { return Demo }

// List implements sessions.Source.
func (d *demoSessions) List(ctx context.Context) ([]sessions.Log, error) {
	agent := d.agent.Load()
	if agent == nil {
		return nil, nil
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
	agent := d.agent.Load()
	if agent == nil {
		return nil, fmt.Errorf("read session %s: the demo is not open", id)
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
