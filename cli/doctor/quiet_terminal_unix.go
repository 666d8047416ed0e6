//go:build unix

package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"parley/terminal"
)

// quietTerminal is a terminal that echoes nothing and gives each byte as it comes.
type quietTerminal struct{ *os.File }

// quiet has a terminal be quiet until over is called; ok is false if that cannot be.
func quiet(in *os.File) (tty quietTerminal, over func(), ok bool) {
	if front, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP); err != nil || front != unix.Getpgrp() {
		return quietTerminal{}, nil, false // in the background it is not ours to ask
	}
	before, err := term.GetState(in.Fd())
	if err != nil {
		return quietTerminal{}, nil, false
	}
	quiet := *before
	quiet.Lflag &^= unix.ICANON | unix.ECHO
	quiet.Cc[unix.VMIN], quiet.Cc[unix.VTIME] = 1, 0
	if err := term.SetState(in.Fd(), &quiet); err != nil {
		return quietTerminal{}, nil, false
	}
	return quietTerminal{in}, func() {
		terminal.DiscardInput(in)
		_ = term.Restore(in.Fd(), before)
	}, true
}

// Follows waits until the terminal can be read from.
func (t quietTerminal) Follows(wait time.Duration) bool {
	fd := int(t.Fd())
	for end := time.Now().Add(wait); wait > 0; wait = time.Until(end) {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(wait.Nanoseconds())
		if n, err := unix.Select(fd+1, &set, nil, nil, &left); err != unix.EINTR {
			return err == nil && n > 0
		}
	}
	return false
}

// makeSane gives a terminal the settings that a shell expects.
func makeSane(in, complaints *os.File) error {
	sane := exec.CommandContext(context.Background(), "stty", "sane")
	sane.Stdin, sane.Stderr = in, complaints
	if err := sane.Run(); err != nil {
		return fmt.Errorf("reset the line discipline of the terminal with stty: %w", err)
	}
	return nil
}
