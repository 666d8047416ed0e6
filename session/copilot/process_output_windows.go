package copilot

import "os"

// output is the end of a pipe that is read.
type output struct{ file *os.File }

// newOutput takes over the end of a pipe.
func newOutput(pipe *os.File) (*output, error) { return &output{pipe}, nil }

// Read implements io.Reader. The first error is the last call, and closes the pipe.
func (o *output) Read(b []byte) (int, error) {
	n, err := o.file.Read(b)
	if err != nil {
		o.close()
	}
	return n, err
}

// cancel makes Read return, from another goroutine too.
func (o *output) cancel() { o.close() }

func (o *output) close() { _ = o.file.Close() }
