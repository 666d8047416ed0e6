//go:build unix && !linux

package tui

import "golang.org/x/sys/unix"

// drain drops what was typed into a terminal and not read yet.
func drain(tty int) {
	const input = 1 // FREAD (sys/fcntl.h)
	_ = unix.IoctlSetPointerInt(tty, unix.TIOCFLUSH, input)
}
