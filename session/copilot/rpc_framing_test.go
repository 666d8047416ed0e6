package copilot

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"parley/session"
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

// trickle gives what was written to it, as a pipe does, and counts how often it is read.
type trickle struct {
	mu    sync.Mutex
	came  *sync.Cond
	held  []byte
	ended bool
	reads int
}

func newTrickle() *trickle {
	t := &trickle{}
	t.came = sync.NewCond(&t.mu)
	return t
}

func (t *trickle) write(msg string) {
	t.mu.Lock()
	t.held = append(t.held, frame([]byte(msg))...)
	t.came.Broadcast()
	t.mu.Unlock()
}

func (t *trickle) Read(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.held) == 0 && !t.ended {
		t.came.Wait()
	}
	if len(t.held) == 0 {
		return 0, io.EOF
	}
	t.reads++
	n := copy(b, t.held)
	t.held = t.held[n:]
	return n, nil
}

// TestIncrementsAreGathered: while an answer streams it is read some sixty times a second, and
// what comes behind it, a question or a response, as soon as that is over.
func TestIncrementsAreGathered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const head = `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","event":{"type":"`
		in := newTrickle()
		events, last := 0, time.Time{}
		c := &rpcChannel{in: newFrames(in), deliver: func(session.ID, jsontext.Value) { events, last = events+1, time.Now() }}
		go func() {
			_, _ = c.Recv()
		}()
		for range 1000 {
			in.write(head + `assistant.message_delta","data":{"deltaContent":"x"}}}}`)
			time.Sleep(time.Millisecond)
		}
		asked := time.Now()
		in.write(head + `permission.requested","data":{}}}}`)
		time.Sleep(time.Second)
		synctest.Wait()
		if in.reads > 75 || events != 1001 || last.Sub(asked) > gather {
			t.Errorf("%d events in %d reads, the question %v late", events, in.reads, last.Sub(asked))
		}
		// What is no increment is read when it comes.
		before := in.reads
		for range 10 {
			time.Sleep(time.Millisecond)
			asked = time.Now()
			in.write(head + `session.info","data":{}}}}`)
			synctest.Wait()
			if !last.Equal(asked) {
				t.Errorf("an event came %v late", last.Sub(asked))
			}
		}
		if got := in.reads - before; got != 10 {
			t.Errorf("10 events in %d reads", got)
		}
		in.mu.Lock()
		in.ended = true
		in.came.Broadcast()
		in.mu.Unlock()
	})
}
