package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// DiscardInput discards what was typed into a terminal and not read yet.
func DiscardInput(tty *os.File) { _ = unix.IoctlSetInt(int(tty.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
