package sse

import (
	"context"
	"errors"

	"parley/session"
)

// noStore is the store that stores nothing.
type noStore struct{}

var errNoStore = errors.New("there is no folder to keep sessions in, so this one is not there any more")

// Begin implements session.Store.
func (noStore) Begin(session.Stored) (session.Record, error) { return noStore{}, nil }

// Take implements session.Store.
func (noStore) Take(context.Context, session.ID, string) (session.StoredSession, session.Record, error) {
	return session.StoredSession{}, nil, errNoStore
}

// Read implements session.Store.
func (noStore) Read(context.Context, session.ID) (session.StoredSession, error) {
	return session.StoredSession{}, errNoStore
}

// List implements session.Store.
func (noStore) List(context.Context) ([]session.Stored, error) { return nil, nil }

// Remove implements session.Store.
func (noStore) Remove(context.Context, session.ID) error { return errNoStore }

// Append implements session.Record.
func (noStore) Append(session.Event) error { return nil }

// Describe implements session.Record.
func (noStore) Describe(string, bool) error { return nil }

// Close implements session.Record.
func (noStore) Close() error { return nil }
