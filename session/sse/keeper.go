package sse

import (
	"context"
	"errors"

	"parley/session"
)

// nowhere is the Keeper that keeps nothing.
type nowhere struct{}

var errNotKept = errors.New("there is no folder to keep sessions in, so this one is not there any more")

// Begin implements session.Keeper.
func (nowhere) Begin(session.Stored) (session.Record, error) { return nowhere{}, nil }

// Take implements session.Keeper.
func (nowhere) Take(context.Context, session.ID, string) (session.Kept, session.Record, error) {
	return session.Kept{}, nil, errNotKept
}

// Read implements session.Keeper.
func (nowhere) Read(context.Context, session.ID) (session.Kept, error) {
	return session.Kept{}, errNotKept
}

// List implements session.Keeper.
func (nowhere) List(context.Context) ([]session.Stored, error) { return nil, nil }

// Remove implements session.Keeper.
func (nowhere) Remove(context.Context, session.ID) error { return errNotKept }

// Append implements session.Record.
func (nowhere) Append(session.Event) error { return nil }

// Describe implements session.Record.
func (nowhere) Describe(string, bool) error { return nil }

// Close implements session.Record.
func (nowhere) Close() error { return nil }
