package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"parley/session"
	"parley/session/sessiontest"
)

const abort = `{"type":"abort","data":{"reason":"user_initiated"},"id":"%d"}`

func TestReadLog(t *testing.T) {
	t.Parallel()
	line := func(n int) string { return fmt.Sprintf(abort, n) }
	long := strings.Repeat("x", 300<<10)
	tests := []struct {
		name, log string
		ids       []session.EventID
		bad       []int
	}{
		{"empty", "", nil, nil},
		{"only line ends", "\n\r\n\n", nil, nil},
		{"no end of the last line", line(1) + "\n" + line(2), []session.EventID{"1", "2"}, nil},
		{"blank lines", "\n" + line(1) + "\n \t\n\n" + line(2) + "\n\n", []session.EventID{"1", "2"}, nil},
		{"carriage returns", line(1) + "\r\n" + line(2) + "\r\n", []session.EventID{"1", "2"}, nil},
		{"byte order mark", "\uFEFF" + line(1) + "\n" + line(2), []session.EventID{"1", "2"}, nil},
		{"only a byte order mark", "\uFEFF", nil, nil},
		{"half written", line(1) + "\n" + line(2)[:30], []session.EventID{"1"}, []int{2}},
		{"garbage between", line(1) + "\noops\n\n[1]\n" + line(2), []session.EventID{"1", "2"}, []int{2, 4}},
		{"zeros after a crash", line(1) + "\n\x00\x00\x00\n" + line(2), []session.EventID{"1", "2"}, []int{2}},
		{"line separator", `{"type":"abort","data":{"reason":"` + "\u2028" + `"},"id":"1"}`, []session.EventID{"1"}, nil},
		{"long line", line(1) + "\n" + `{"type":"abort","data":{"reason":"` + long + `"},"id":"2"}` + "\n" + line(3), []session.EventID{"1", "2", "3"}, nil},
		{"long garbage", line(1) + "\n" + long + "\n" + line(3), []session.EventID{"1", "3"}, []int{2}},
		{"unknown and malformed payloads", `{"type":"a.b","id":"1"}` + "\n" + `{"type":"abort","data":7,"id":"2"}`, []session.EventID{"1", "2"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(tt.log), iotest.OneByteReader(strings.NewReader(tt.log))} {
				var ids []session.EventID
				var bad []int
				for ev, err := range session.ReadLog(r) {
					var le *session.LineError
					switch {
					case err == nil:
						ids = append(ids, ev.ID)
					case errors.As(err, &le) && errors.Is(err, session.ErrEnvelope) && ev.Body == nil:
						bad = append(bad, le.Line)
						if !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d: ", le.Line)) {
							t.Errorf("error does not name its line: %v", err)
						}
					default:
						t.Errorf("got %v with %+v", err, ev)
					}
				}
				if !slices.Equal(ids, tt.ids) || !slices.Equal(bad, tt.bad) {
					t.Errorf("events %v, want %v; bad lines %v, want %v", ids, tt.ids, bad, tt.bad)
				}
			}
		})
	}
}

// TestReadLogError checks that an error of the reader ends the log, names the
// line, and drops what was read of that line.
func TestReadLogError(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	r := io.MultiReader(strings.NewReader(fmt.Sprintf(abort, 1)+"\n"+fmt.Sprintf(abort, 2)), iotest.ErrReader(broken))
	var events int
	var last error
	for _, err := range session.ReadLog(r) {
		if last != nil {
			t.Error("something came after the error")
		}
		if last = err; err == nil {
			events++
		}
	}
	var le *session.LineError
	if events != 1 || !errors.Is(last, broken) || errors.As(last, &le) || !strings.Contains(last.Error(), "line 2") {
		t.Errorf("%d events, then %v", events, last)
	}
}

func TestReadLogStops(t *testing.T) {
	t.Parallel()
	n := 0
	for range session.ReadLog(strings.NewReader(strings.Repeat(fmt.Sprintf(abort, 1)+"\n", 10))) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("read %d events", n)
	}
}

// TestReadLogs reads every recorded log whole.
func TestReadLogs(t *testing.T) {
	t.Parallel()
	for _, path := range sessiontest.Logs(t) {
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.Count(log, []byte("\n"))
		n := 0
		for _, err := range session.ReadLog(bytes.NewReader(log)) {
			if n++; err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		if n != want {
			t.Errorf("%s: %d events of %d lines", path, n, want)
		}
	}
}

// TestReadLogHoldsOneLine reads a line only when the one before has been used,
// but for one buffer.
func TestReadLogHoldsOneLine(t *testing.T) {
	t.Parallel()
	line := []byte(delta + "\n")
	const lines, buffered = 10_000, 64 << 10
	r := &repeat{line: line, left: lines}
	n := 0
	for _, err := range session.ReadLog(r) {
		if n++; err != nil {
			t.Fatal(err)
		}
		if ahead := (lines-r.left-n)*len(line) - buffered; ahead > len(line) {
			t.Fatalf("at event %d the reader is %d bytes ahead", n, ahead)
		}
	}
	if n != lines {
		t.Errorf("read %d events", n)
	}
}

// repeat yields line left times.
type repeat struct {
	line []byte
	left int
	rest []byte
}

func (r *repeat) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.rest = r.line
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func BenchmarkReadLog(b *testing.B) {
	var log []byte
	for _, path := range sessiontest.Logs(b) {
		part, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		log = append(log, part...)
	}
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range session.ReadLog(bytes.NewReader(log)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
