package doctor

import (
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"

	"parley/terminal"
)

// quiet has a console echo nothing and give each byte that a terminal sends as it comes,
// until over is called; ok is false if that cannot be.
func quiet(in *os.File) (tty *terminal.Device, over func(), ok bool) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, nil, false
	}
	quiet := *before
	quiet.Mode &^= windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT
	quiet.Mode |= windows.ENABLE_VIRTUAL_TERMINAL_INPUT
	if err := term.SetState(in.Fd(), &quiet); err != nil {
		return nil, nil, false
	}
	return terminal.NewDevice(in), func() {
		terminal.DiscardInput(in)
		_ = term.Restore(in.Fd(), before)
	}, true
}

// makeSane gives a console the mode that a shell expects.
func makeSane(in, _ *os.File) error {
	const mode = windows.ENABLE_PROCESSED_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT |
		windows.ENABLE_INSERT_MODE | windows.ENABLE_QUICK_EDIT_MODE | windows.ENABLE_EXTENDED_FLAGS
	if err := windows.SetConsoleMode(windows.Handle(in.Fd()), mode); err != nil {
		return fmt.Errorf("reset the mode of the console: %w", err)
	}
	return nil
}
