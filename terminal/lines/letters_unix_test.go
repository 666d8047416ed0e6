//go:build unix

package lines_test

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"parley/terminal/lines"
)

// TestLetters has a terminal give letters again after the process was stopped, and not while
// another program has it.
func TestLetters(t *testing.T) {
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptm.Close()
	defer tty.Close()
	was, err := unix.IoctlGetTermios(int(tty.Fd()), lines.GetTermios)
	if err != nil {
		t.Fatal(err)
	}
	byLetter := func() bool {
		t.Helper()
		now, err := unix.IoctlGetTermios(int(tty.Fd()), lines.GetTermios)
		if err != nil {
			t.Fatal(err)
		}
		return now.Lflag&(unix.ICANON|unix.ECHO) == 0
	}
	seen := make(chan os.Signal, 1)
	signal.Notify(seen, unix.SIGCONT)
	defer signal.Stop(seen)
	resumed := func() {
		t.Helper()
		err := errors.Join(unix.IoctlSetTermios(int(tty.Fd()), lines.SetTermios, was), unix.Kill(os.Getpid(), unix.SIGCONT))
		if err != nil {
			t.Fatal(err)
		}
		<-seen
	}
	l, err := lines.ByLetter(tty)
	if err != nil {
		t.Fatal(err)
	}
	if !l.Echoed() || !byLetter() {
		t.Fatalf("it echoed: %v, by letter: %v", l.Echoed(), byLetter())
	}
	resumed()
	for end := time.Now().Add(10 * time.Second); !byLetter(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not by letter after it was stopped")
		}
	}
	err = l.Lend(func() error {
		resumed()
		lines.Resume(l)
		if byLetter() {
			t.Error("by letter under a program that has the terminal")
		}
		return io.EOF
	})
	if !errors.Is(err, io.EOF) || !byLetter() {
		t.Errorf("%v, by letter after it was lent: %v", err, byLetter())
	}
	_ = l.Lend(func() error { l.Close(); return nil })
	if byLetter() {
		t.Error("by letter after it was given back")
	}
}
