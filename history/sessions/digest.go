package sessions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// ErrReplaced says that a log is not the one that a Digest was made of: it became
// shorter, or holds something else where the Digest stopped. It is to be read
// again with a new Digest.
var ErrReplaced = errors.New("the log was replaced since it was read")

// Digest is what was learned of a log so far, and what is needed to continue where
// that stopped, when the log has grown. The zero Digest has read nothing. It can
// be stored as JSON.
type Digest struct {
	Facts
	// Files are those that were read or changed, and whether they were changed.
	// Of more than maxFiles the rest is left out.
	Files map[string]bool `json:"files,omitzero"`
	// Offset is how far the log was read, in bytes: to the end of a line.
	Offset int64 `json:"offset,omitzero"`
	// TailSize and TailSum are of the bytes before Offset, by which a log that was
	// replaced is known.
	TailSize int    `json:"tailSize,omitzero"`
	TailSum  uint64 `json:"tailSum,omitzero"`
	// Lines were read, Damaged were no events and Cut too long to be read.
	Lines   int `json:"lines,omitzero"`
	Damaged int `json:"damaged,omitzero"`
	Cut     int `json:"cut,omitzero"`
	// Foreign says that the log is not written in UTF-8.
	Foreign bool `json:"foreign,omitzero"`

	Summed Tokens `json:"summed,omitzero"` // of the calls that made summaries: no other sum has them
	Talk   turns  `json:"talk,omitzero"`
	Calls  []call `json:"calls,omitzero"`

	half bool // there is a line after Offset that was not written to its end
}

// Summary returns the facts of what was read, with what follows from them: the
// tokens of all calls, and how long the agent worked.
func (d *Digest) Summary() Facts {
	f := d.Facts
	f.Tokens, f.Busy, f.Tools = d.Tokens.plus(d.Summed), d.Talk.busy(), maps.Clone(d.Tools)
	return f
}

// Unread says why the log could not be read, or not all of it; "" if it was.
func (d *Digest) Unread() string {
	switch {
	case d.Foreign:
		return "its log is not written in UTF-8"
	case d.Lines > 0 && d.Damaged == d.Lines:
		return "its log holds no events"
	case d.Damaged > 0 && d.Cut > 0:
		return fmt.Sprintf("%s damaged and %d too long", countLines(d.Damaged), d.Cut)
	case d.Damaged > 0:
		return countLines(d.Damaged) + " damaged"
	case d.Cut > 0:
		return countLines(d.Cut) + " too long"
	}
	return ""
}

func countLines(lines int) string {
	if lines == 1 {
		return "1 line of its log is"
	}
	return fmt.Sprintf("%d lines of its log are", lines)
}

// Read continues with a log, of which r is the whole; it skips what it has read, by
// seeking where r can. What it finds said it gives to text, in order. A last line
// that is not written to its end is left for the next time. After an error of r or
// of ctx all that was given to text is counted, and Read can continue.
func (d *Digest) Read(ctx context.Context, r io.Reader, text func(Text)) error {
	tail, err := d.skip(r)
	if err != nil {
		return err
	}
	d.half = false
	in := &reader{in: bufio.NewReaderSize(r, bufferSize)}
	defer func() { d.TailSize, d.TailSum = len(tail), sum(tail) }()
	for lines := 0; ; lines++ {
		if lines%256 == 0 && ctx.Err() != nil {
			return fmt.Errorf("read a log: %w", ctx.Err())
		}
		l, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a log at byte %d: %w", d.Offset, err)
		}
		if !l.whole && !isCompleteLine(l) {
			d.half = len(bytes.TrimSpace(l.text)) > 0
			return nil
		}
		d.takeLine(l, text)
		d.Offset += l.size
		tail = lastBytes(append(tail, l.tail...))
	}
}

// skip leaves r at the offset, looks whether it is the log that was read, and
// returns the tail of what was.
func (d *Digest) skip(r io.Reader) ([]byte, error) {
	if d.Offset == 0 {
		return nil, nil
	}
	if d.TailSize < 0 || d.TailSize > tailSize || int64(d.TailSize) > d.Offset {
		return nil, ErrReplaced
	}
	before := d.Offset - int64(d.TailSize)
	var err error
	if s, ok := r.(io.Seeker); ok {
		_, err = s.Seek(before, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, before)
	}
	tail := make([]byte, d.TailSize)
	if err == nil {
		_, err = io.ReadFull(r, tail)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, ErrReplaced
	case err != nil:
		return nil, fmt.Errorf("continue reading a log at byte %d: %w", d.Offset, err)
	case sum(tail) != d.TailSum:
		return nil, ErrReplaced
	}
	return tail, nil
}

func sum(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b) // it cannot fail
	return h.Sum64()
}

// isCompleteLine reports whether a last line without an end is a whole event: JSON that
// is valid cannot continue.
func isCompleteLine(l line) bool {
	text := bytes.TrimSpace(l.text)
	return len(text) > 0 && text[len(text)-1] == '}' &&
		jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// takeLine takes one line.
func (d *Digest) takeLine(l line, text func(Text)) {
	if d.Offset == 0 {
		l.text = bytes.TrimPrefix(l.text, []byte("\ufeff"))
		d.Foreign = isUTF16(l.text)
	}
	l.text = bytes.TrimSpace(l.text)
	switch {
	case l.noise:
		d.Lines++
	case len(l.text) == 0 && l.size > bufferSize:
		d.Lines++
		d.Cut++
	case len(l.text) == 0:
	case d.Foreign:
		d.Lines++
	default:
		d.Lines++
		kind, ok := headKind(l.text)
		if !ok {
			k, err := session.Peek(l.text)
			if err != nil {
				d.Damaged++
				return
			}
			kind = []byte(k)
		}
		t := handlerOf(kind)
		if handled := t == nil || t(d, l.text, text); !handled || !utf8.Valid(l.text) { // which agents skip
			d.Damaged++
		}
	}
}

// isUTF16 reports whether a log that begins so is written in UTF-16 or UTF-32.
func isUTF16(head []byte) bool {
	return len(head) > 1 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff || head[0] == 0 || head[1] == 0)
}
