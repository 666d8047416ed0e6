//go:build unix

package copilot

import (
	"fmt"
	"os"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"
)

// output is the end of a pipe that is read while somebody waits for it, and costs nothing
// while nobody does. A file of os.Pipe is known to Go's poller, which is woken by each
// write of the runtime, thousands of times in an answer, whether it is read or not.
type output struct {
	file  *os.File
	ready cancelreader.CancelReader
}

// newOutput takes over the end of a pipe, which is closed even if it fails.
func newOutput(pipe *os.File) (*output, error) {
	defer func() { _ = pipe.Close() }()
	fd, err := unix.FcntlInt(pipe.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("duplicate a pipe: %w", err)
	}
	file := os.NewFile(uintptr(fd), pipe.Name()) // blocks, as pipe does since Fd
	ready, err := cancelreader.NewReader(file)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("wait for a pipe: %w", err)
	}
	return &output{file: file, ready: ready}, nil
}

// Read implements io.Reader. The first error is the last call, and closes the pipe.
func (o *output) Read(b []byte) (int, error) {
	n, err := o.ready.Read(b)
	if err != nil {
		o.close()
	}
	return n, err
}

// cancel makes Read return, from another goroutine too.
func (o *output) cancel() { o.ready.Cancel() }

func (o *output) close() {
	_ = o.ready.Close()
	_ = o.file.Close()
}
