package copilot

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// frameLimit is the longest message that is taken. The longest seen are
	// snapshots of a whole transcript, which are below a megabyte.
	frameLimit = 256 << 20
	// frameKept is the size up to which the buffer of a message is kept.
	frameKept = 1 << 20
	// lineLimit is the longest line of a header, and headerLines how many
	// lines it may have; the runtime sends one of twenty bytes.
	lineLimit   = 64 << 10
	headerLines = 16
	// gather is how long the output is left unread while an answer streams. It is
	// below a frame of the screen, and a pipe holds what comes meanwhile.
	gather = 15 * time.Millisecond
)

// protocolError says in what way something sent is not the protocol.
type protocolError string

// Error implements error.
func (e protocolError) Error() string { return string(e) }

func notProtocol(format string, args ...any) error {
	return protocolError(fmt.Sprintf(format, args...))
}

// frames reads messages with a header that has their length (docs/protocol.md,
// section 2). What is announced and never comes takes no memory.
type frames struct {
	in     *bufio.Reader
	source *gatherer
	buf    []byte
}

func newFrames(r io.Reader) *frames {
	source := &gatherer{in: r}
	return &frames{in: bufio.NewReaderSize(source, lineLimit), source: source}
}

// gatherer reads many increments at once: to be woken for each of them costs more
// than everything that they lead to.
type gatherer struct {
	in io.Reader
	// streams is whether the last message was an increment. Only then is there
	// something to gather: a question or an answer to a call is read at once.
	streams bool
	full    bool // more was there than the last read had room for
	last    time.Time
}

// Read implements io.Reader.
func (g *gatherer) Read(b []byte) (int, error) {
	if g.streams && !g.full {
		time.Sleep(gather - time.Since(g.last))
	}
	n, err := g.in.Read(b)
	g.full, g.last = n == len(b), time.Now()
	return n, err
}

// next returns the next message, which is valid until the following call. At
// the end of the input it is io.EOF, within a message io.ErrUnexpectedEOF; for
// what is no message it is a protocolError.
func (f *frames) next() ([]byte, error) {
	size := -1
	for n := 0; ; n++ {
		line, err := f.line()
		switch {
		case errors.Is(err, io.EOF) && n == 0 && len(line) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(line) == 0 && size < 0:
			return nil, notProtocol("a message does not give its length")
		case len(line) == 0:
			return f.body(size)
		case n == headerLines:
			return nil, notProtocol("the header of a message has more than %d lines", headerLines)
		}
		name, value, _ := strings.Cut(string(line), ":")
		if strings.EqualFold(name, "Content-Type") {
			continue
		}
		if !strings.EqualFold(name, "Content-Length") {
			return nil, notProtocol("it sent %q where a message was to begin", opening(line))
		}
		if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 {
			return nil, notProtocol("a message gives %q as its length", opening([]byte(value)))
		}
		if size > frameLimit {
			return nil, notProtocol("a message is to have %d bytes; Parley takes %d at most", size, frameLimit)
		}
	}
}

// line reads one line without its end.
func (f *frames) line() ([]byte, error) {
	line, err := f.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, notProtocol("it sent %q and more where a message was to begin", opening(line))
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// body reads a message of that size.
func (f *frames) body(size int) ([]byte, error) {
	f.buf = f.buf[:0]
	for have := 0; have < size; have = len(f.buf) {
		step := min(size-have, max(have, lineLimit))
		f.buf = slices.Grow(f.buf, step)[:have+step]
		if _, err := io.ReadFull(f.in, f.buf[have:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
	msg := f.buf
	if size > frameKept {
		f.buf = nil // only who reads the message has it
	}
	return msg, nil
}

// opening is the beginning of what is no message, for an error.
func opening(b []byte) []byte { return b[:min(len(b), 60)] }

// frame is a message with its header.
func frame(msg []byte) []byte {
	b := make([]byte, 0, len(msg)+32)
	b = fmt.Appendf(b, "Content-Length: %d\r\n\r\n", len(msg))
	return append(b, msg...)
}
