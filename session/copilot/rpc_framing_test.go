package copilot

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestFrames(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in    string
		want  []string
		end   error  // after them, or
		fails string // part of a protocolError
	}{
		"nothing":              {in: "", end: io.EOF},
		"two":                  {in: framed("one") + framed(""), want: []string{"one", ""}, end: io.EOF},
		"line feeds alone":     {in: "Content-Length: 3\n\none", want: []string{"one"}, end: io.EOF},
		"in any case":          {in: "content-length:3\r\n\r\none", want: []string{"one"}, end: io.EOF},
		"with a type":          {in: "Content-Type: x\r\nContent-Length: 3\r\n\r\none", want: []string{"one"}, end: io.EOF},
		"half a header":        {in: framed("one") + "Conte", want: []string{"one"}, end: io.ErrUnexpectedEOF},
		"a header alone":       {in: "Content-Length: 3\r\n\r\n", end: io.ErrUnexpectedEOF},
		"half a body":          {in: "Content-Length: 3\r\n\r\no", end: io.ErrUnexpectedEOF},
		"no length":            {in: "Content-Type: x\r\n\r\none", fails: "does not give its length"},
		"an empty line":        {in: "\r\n", fails: "does not give its length"},
		"a negative length":    {in: "Content-Length: -1\r\n\r\n", fails: `gives " -1"`},
		"no number":            {in: "Content-Length: 0x3\r\n\r\none", fails: `gives " 0x3"`},
		"more than any number": {in: "Content-Length: 99999999999999999999\r\n\r\n", fails: "as its length"},
		"too long":             {in: "Content-Length: 268435457\r\n\r\n", fails: "268435457 bytes; Parley takes 268435456 at most"},
		"text":                 {in: "Hello\r\n", fails: `it sent "Hello" where`},
		"text with a colon":    {in: "Warning: hello\r\n", fails: `it sent "Warning: hello" where`},
		"a long line":          {in: strings.Repeat("x", lineLimit+1), fails: `xxx" and more where`},
		"many lines":           {in: strings.Repeat("Content-Type: x\r\n", headerLines+1), fails: "more than 16 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFrames(strings.NewReader(tc.in))
			for _, want := range tc.want {
				if got, err := f.next(); err != nil || string(got) != want {
					t.Fatalf("read %q, %v; want %q", got, err, want)
				}
			}
			got, err := f.next()
			var failed protocolError
			switch {
			case got != nil:
				t.Errorf("read %q", got)
			case tc.end != nil && !errors.Is(err, tc.end):
				t.Errorf("ended with %v, want %v", err, tc.end)
			case tc.end == nil && (!errors.As(err, &failed) || !strings.Contains(failed.Error(), tc.fails)):
				t.Errorf("failed with %v, want %s", err, tc.fails)
			}
		})
	}
}

// TestAnnouncedLengthTakesNoMemory announces the longest message there may be
// and sends none of it.
func TestAnnouncedLengthTakesNoMemory(t *testing.T) {
	t.Parallel()
	f := newFrames(strings.NewReader("Content-Length: 268435456\r\n\r\nsome"))
	if _, err := f.next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("read %v", err)
	}
	if cap(f.buf) > 4*lineLimit {
		t.Errorf("%d bytes were set aside", cap(f.buf))
	}
}

// TestLargeBufferIsGivenBack follows a large message by a small one.
func TestLargeBufferIsGivenBack(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 10<<20)
	f := newFrames(strings.NewReader(framed(large) + framed("small")))
	if got, err := f.next(); err != nil || string(got) != large {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if got, err := f.next(); err != nil || string(got) != "small" || cap(f.buf) > frameKept {
		t.Errorf("read %q, %v; %d bytes are kept", got, err, cap(f.buf))
	}
}

// TestFramesArriveInAnyPieces writes messages and reads them one byte at a time.
func TestFramesArriveInAnyPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(t, "messages")
		var all []byte
		for _, m := range messages {
			all = append(all, frame(m)...)
		}
		f := newFrames(iotest.OneByteReader(bytes.NewReader(all)))
		for i, want := range messages {
			if got, err := f.next(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("message %d is %q, %v; want %q", i, got, err, want)
			}
		}
		if _, err := f.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end %v", err)
		}
	})
}

// FuzzFrames looks for input that breaks the reader or makes it set much aside.
func FuzzFrames(f *testing.F) {
	f.Add([]byte(framed("one") + framed("two")))
	f.Add([]byte("Content-Length: 99999999\r\n\r\n"))
	f.Add([]byte("Content-Type: x\nContent-Length: 1\n\n{"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := newFrames(bytes.NewReader(in))
		total := 0
		for {
			msg, err := r.next()
			if err != nil {
				break
			}
			total += len(msg)
			_, _ = readNotification(msg)
		}
		if total > len(in) || cap(r.buf) > 4*(lineLimit+len(in)) {
			t.Errorf("%d bytes of %d in messages, %d set aside", total, len(in), cap(r.buf))
		}
	})
}
