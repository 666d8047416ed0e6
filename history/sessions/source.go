package sessions

import (
	"context"
	"io"

	"parley/session"
)

// Source is a place where sessions are stored. It is safe for concurrent use and
// never changes what it reads.
type Source interface {
	// Keeper names who stores there: "copilot", "parley", "demo".
	Keeper() string
	// List returns the stored sessions, the one used last first. What cannot be
	// read is left out, and the error, which may come beside a list, says so.
	List(ctx context.Context) ([]Log, error)
	// Open opens the events of one: JSON lines, as session.ReadLog reads them.
	Open(ctx context.Context, id session.ID) (io.ReadCloser, error)
}

// recaller is a Source whose List takes long the first time, because it reads a
// file for each session. recall gives it what it listed in an earlier process.
type recaller interface{ recall(logs []Log) }
