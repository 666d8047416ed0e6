package sessions

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// The bounds of what is held of a log at a time.
const (
	bufferSize = 128 << 10
	maxString  = 1 << 20  // of one string of a line that is longer than the buffer
	maxLine    = 16 << 20 // of such a line, with its strings cut
	tailSize   = 256
)

// line is a line of a log, without its end.
type line struct {
	text  []byte // nil if it is noise, or too long; good until the next one
	noise bool
	size  int64 // in the log, with the line end
	tail  []byte
	// whole says that its line end was there. Only the last one can be without.
	whole bool
}

// reader reads lines of any length in bounded memory: noise is not held at all,
// and of long strings in long lines only the beginning.
type reader struct {
	in   *bufio.Reader
	held []byte
	tail []byte
}

// next returns the next line; io.EOF after the last.
func (r *reader) next() (line, error) {
	part, err := r.in.ReadSlice('\n')
	if err == nil || errors.Is(err, io.EOF) && len(part) > 0 {
		l := line{
			text: bytes.TrimSuffix(part, []byte("\n")), size: int64(len(part)), tail: part[max(0, len(part)-tailSize):], whole: err == nil,
		}
		if kind, ok := headKind(part); ok && handlerOf(kind) == nil {
			l.text, l.noise = nil, true
		}
		return l, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line{}, err
	}
	return r.long(part)
}

// long reads a line that is longer than the buffer, of which part is the
// beginning.
func (r *reader) long(part []byte) (line, error) {
	kind, known := headKind(part)
	l := line{noise: known && handlerOf(kind) == nil}
	cut := cutter{most: maxString, out: r.held[:0]}
	r.tail = r.tail[:0]
	for {
		l.size += int64(len(part))
		r.tail = lastBytes(append(r.tail, part[max(0, len(part)-tailSize):]...))
		if !l.noise && len(cut.out) <= maxLine {
			cut.write(part)
		}
		if l.whole = part[len(part)-1] == '\n'; l.whole {
			break
		}
		var err error
		part, err = r.in.ReadSlice('\n')
		if len(part) == 0 && err != nil {
			if !errors.Is(err, io.EOF) {
				return line{}, err
			}
			break
		}
	}
	l.tail, r.held = r.tail, cut.out
	if !l.noise && len(cut.out) <= maxLine {
		l.text = bytes.TrimSuffix(cut.out, []byte("\n"))
	}
	return l, nil
}

// cutter copies JSON and leaves out what is in a string after its first
// most bytes.
type cutter struct {
	most     int
	out      []byte
	inString bool
	length   int // of the string so far
	escape   int // bytes of an escape that are still to come; -1 is the character that says how many
	keep     bool
}

func (c *cutter) write(part []byte) {
	for len(part) > 0 {
		n := 1
		switch {
		case !c.inString:
			n = bytes.IndexByte(part, '"') + 1
			if c.inString = n > 0; !c.inString {
				n = len(part)
			}
			c.length, c.keep = 0, true
		case c.escape < 0:
			c.escape = 0
			if part[0] == 'u' {
				c.escape = 4
			}
		case c.escape > 0:
			c.escape--
		case part[0] == '"':
			c.inString, c.keep = false, true
		case part[0] == '\\':
			c.escape, c.keep = -1, c.length < c.most
		default:
			if n = bytes.IndexAny(part, `"\`); n < 0 {
				n = len(part)
			}
			fits := max(0, min(n, c.most-c.length))
			c.out = append(c.out, part[:fits]...)
			c.keep = false
		}
		if c.keep {
			c.out = append(c.out, part[:n]...)
		}
		c.length += n
		part = part[n:]
	}
}

// headKind reads the type of an event where the runtime writes it: first in the
// line (docs/protocol.md, section 9).
func headKind(text []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(text, []byte(`{"type":`))
	if !ok {
		return nil, false
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(`"`))
	if !ok {
		return nil, false
	}
	n := bytes.IndexByte(rest[:min(len(rest), 64)], '"')
	if n < 0 {
		return nil, false
	}
	return rest[:n], true
}

// lastBytes are the last tailSize bytes of b, in its array.
func lastBytes(b []byte) []byte { return slices.Delete(b, 0, max(0, len(b)-tailSize)) }
