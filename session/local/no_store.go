package local

import (
	"context"
	"errors"

	"parley/session"
)

// NoStore is a store, and the record of a session, that store nothing.
type NoStore struct{}

var errNoStore = errors.New("there is no folder to keep sessions in, so this one is not there any more")

// Begin implements session.Store.
func (NoStore) Begin(session.Stored) (session.Record, error) { return NoStore{}, nil }

// Take implements session.Store.
func (NoStore) Take(context.Context, session.ID, string) (session.StoredSession, session.Record, error) {
	return session.StoredSession{}, nil, errNoStore
}

// Read implements session.Store.
func (NoStore) Read(context.Context, session.ID) (session.StoredSession, error) {
	return session.StoredSession{}, errNoStore
}

// List implements session.Store.
func (NoStore) List(context.Context) ([]session.Stored, error) { return nil, nil }

// Remove implements session.Store.
func (NoStore) Remove(context.Context, session.ID) error { return errNoStore }

// Append implements session.Record.
func (NoStore) Append(session.Event) error { return nil }

// Describe implements session.Record.
func (NoStore) Describe(string, bool) error { return nil }

// Close implements session.Record.
func (NoStore) Close() error { return nil }
