package copilot

import (
	"context"
	"io"
)

// peer is the program at the other end of the connection: a child of ours or a
// server that runs on its own.
type peer interface {
	io.Reader
	io.WriteCloser // Close ends what is written and may be called more than once

	// stop ends a child, gently while ctx allows it, and leaves a server. It
	// may be called more than once. The error says that a child was killed.
	stop(ctx context.Context) error
	// discard ends at once a child that is not the runtime.
	discard()
	// finished waits until nothing more will be read; read is closed when the
	// reader has ended.
	finished(read <-chan struct{})

	// name is the runtime and where it is, at the start of a sentence.
	name() string
	// fate is what became of it, as a verb with its object, and why. wire is
	// why the connection ended.
	fate(wire error) (what string, why remark)
	// said is the end of what a child wrote to its error output, on lines of
	// their own, or "".
	said() string
	// advice is what can be checked when it is not the runtime.
	advice() string
}
