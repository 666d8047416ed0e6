package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// DiscardInput discards what was typed into a terminal and not read yet.
func DiscardInput(tty *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(tty.Fd())) }
