package copilot

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// piped is a writer and the end of the pipe at which it is read.
func piped(t *testing.T, broken func(error)) (*rpcWriter, *io.PipeReader) {
	t.Helper()
	r, w := io.Pipe()
	o := newRPCWriter(w, broken)
	t.Cleanup(func() { _ = o.close() })
	return o, r
}

func TestOutboxKeepsOrder(t *testing.T) {
	t.Parallel()
	o, r := piped(t, nil)
	var want bytes.Buffer
	for i := range 1000 { // not read yet
		b := bytes.Repeat([]byte{byte(i)}, i%7+1)
		want.Write(b)
		if err := o.send(b); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]byte, want.Len())
	if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%v, equal: %v", err, bytes.Equal(got, want.Bytes()))
	}
}

func TestOutboxIsBounded(t *testing.T) {
	t.Parallel()
	o, r := piped(t, nil)
	large := make([]byte, rpcWriterLimit+1)
	if err := o.send(large); err != nil {
		t.Errorf("one message, however long: %v", err)
	}
	if err := o.send([]byte("x")); !errors.Is(err, errNotReading) || !strings.Contains(err.Error(), "stopped reading") {
		t.Errorf("and one more: %v", err)
	}
	if _, err := io.ReadFull(r, large); err != nil {
		t.Fatal(err)
	}
	for o.send([]byte("x")) != nil { //nolint:revive // until the writer has noticed that it was read
	}
	if n, err := io.ReadFull(r, large[:1]); n != 1 || err != nil {
		t.Errorf("after all was read: %d, %v", n, err)
	}
}

func TestOutboxBreaks(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 2)
	o, r := piped(t, func(err error) { failed <- err })
	lost := errors.New("it is lost")
	_ = r.CloseWithError(lost)
	if err := o.send([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, lost) {
		t.Errorf("failed with %v", err)
	}
	if err := o.send([]byte("y")); !errors.Is(err, lost) {
		t.Errorf("sent: %v", err)
	}
	_ = o.close()
	select {
	case err := <-failed:
		t.Errorf("failed again with %v", err)
	default:
	}
}

// TestOutboxCloses closes one that hangs in a write: no error is reported.
func TestOutboxCloses(t *testing.T) {
	t.Parallel()
	o, r := piped(t, func(err error) { t.Errorf("failed with %v", err) })
	if err := o.send([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := o.close(); err != nil {
			t.Error(err)
		}
	}
	if err := o.send([]byte("y")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("sent: %v", err)
	}
}
