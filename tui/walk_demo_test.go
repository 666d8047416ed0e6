package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/demo"
)

// demoSessions are the sessions of a demo that says everything at a human pace.
type demoSessions struct{ agent atomic.Pointer[demo.Agent] }

func (d *demoSessions) start(ctx context.Context, t *testing.T) (session.Agent, error) {
	t.Helper()
	a, err := demo.Open(ctx, demo.Config{Pace: demo.HumanPace, TempDir: t.TempDir()})
	if err != nil {
		return nil, err
	}
	d.agent.Store(a)
	return a, nil
}

func (d *demoSessions) library(t *testing.T) *sessions.Library {
	t.Helper()
	l, err := sessions.Open(sessions.Config{Sources: []sessions.Source{d}, Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Keeper implements sessions.Source.
func (d *demoSessions) Keeper() string { return "demo" }

// List implements sessions.Source.
func (d *demoSessions) List(ctx context.Context) ([]sessions.Log, error) {
	agent := d.agent.Load()
	if agent == nil {
		return nil, nil
	}
	stored, err := agent.List(ctx)
	logs := make([]sessions.Log, len(stored))
	for i, s := range stored {
		logs[i] = sessions.Log{
			ID: s.ID, Keeper: d.Keeper(), Agent: d.Keeper(), Modified: s.Used, Name: s.Title, Named: s.Title != "", Dir: s.Dir,
			Repository: s.Repository, Branch: s.Branch, Client: s.Client, Created: s.Started, InUse: s.InUse,
		}
	}
	return logs, err
}

// Open implements sessions.Source.
func (d *demoSessions) Open(ctx context.Context, id session.ID) (io.ReadCloser, error) {
	raw, err := d.agent.Load().Log(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(raw), io.NopCloser(nil)}, nil
}
