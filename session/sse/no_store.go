package sse

import (
	"context"
	"errors"

	"parley/session"
)

// nowhere is the store that stores nothing.
type nowhere struct{}

var errNotKept = errors.New("there is no folder to keep sessions in, so this one is not there any more")

// Begin implements session.Store.
func (nowhere) Begin(session.Stored) (session.Record, error) { return nowhere{}, nil }

// Take implements session.Store.
func (nowhere) Take(context.Context, session.ID, string) (session.StoredSession, session.Record, error) {
	return session.StoredSession{}, nil, errNotKept
}

// Read implements session.Store.
func (nowhere) Read(context.Context, session.ID) (session.StoredSession, error) {
	return session.StoredSession{}, errNotKept
}

// List implements session.Store.
func (nowhere) List(context.Context) ([]session.Stored, error) { return nil, nil }

// Remove implements session.Store.
func (nowhere) Remove(context.Context, session.ID) error { return errNotKept }

// Append implements session.Record.
func (nowhere) Append(session.Event) error { return nil }

// Describe implements session.Record.
func (nowhere) Describe(string, bool) error { return nil }

// Close implements session.Record.
func (nowhere) Close() error { return nil }
