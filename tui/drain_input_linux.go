package tui

import "golang.org/x/sys/unix"

// drain drops what was typed into a terminal and not read yet.
func drain(tty int) { _ = unix.IoctlSetInt(tty, unix.TCFLSH, unix.TCIFLUSH) }
