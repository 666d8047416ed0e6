//go:build unix && !linux

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// DiscardInput discards what was typed into a terminal and not read yet.
func DiscardInput(tty *os.File) {
	const input = 1 // FREAD (sys/fcntl.h)
	_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCFLUSH, input)
}
