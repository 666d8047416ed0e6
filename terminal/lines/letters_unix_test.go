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

// TestLettersLent: who reads gets what is typed, but not what is typed while another program has the terminal, and an end when it is
// given back.
func TestLettersLent(t *testing.T) {
	t.Parallel()
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptm.Close()
	defer tty.Close()
	l, err := lines.ByLetter(tty)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		defer close(read)
		for b := make([]byte, 1<<10); ; {
			n, err := l.Read(b)
			if err != nil {
				return
			}
			read <- string(b[:n])
		}
	}()
	typed := func(s string) {
		t.Helper()
		if _, err := ptm.WriteString(s); err != nil {
			t.Fatal(err)
		}
	}
	typed("a")
	if got := <-read; got != "a" {
		t.Errorf("%q was read before it was lent", got)
	}
	for range 100 {
		err = l.Lend(func() error {
			typed("no\n")
			b := make([]byte, 10)
			n, err := tty.Read(b)
			if string(b[:n]) != "no\n" {
				t.Errorf("the other program read %q", b[:n])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		typed("b")
		if got := <-read; got != "b" {
			t.Errorf("%q was read after it was lent", got)
		}
	}
	l.Close()
	if got, more := <-read; more {
		t.Errorf("%q was read after it was given back", got)
	}
}
