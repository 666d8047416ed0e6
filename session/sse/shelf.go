package sse

import (
	"context"
	"errors"

	"parley/session"
)

// nowhere is the Shelf that keeps nothing.
type nowhere struct{}

var errNotKept = errors.New("there is no folder to keep sessions in, so this one is not there any more")

func (nowhere) Begin(session.Stored) (session.Record, error) { return nowhere{}, nil }
func (nowhere) Take(context.Context, session.ID) (session.Kept, session.Record, error) {
	return session.Kept{}, nil, errNotKept
}

func (nowhere) Read(context.Context, session.ID) (session.Kept, error) {
	return session.Kept{}, errNotKept
}
func (nowhere) List(context.Context) ([]session.Stored, error) { return nil, nil }
func (nowhere) Remove(context.Context, session.ID) error       { return errNotKept }
func (nowhere) Append(session.Event) error                     { return nil }
func (nowhere) Describe(string, bool) error                    { return nil }
func (nowhere) Close() error                                   { return nil }
