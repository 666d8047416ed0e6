package lines

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/windows"
)

// Letters is a console that gives each letter as it is typed, and echoes none. Ctrl+z ends
// its input, as that of any program on Windows.
type Letters struct {
	tty    *os.File
	was    uint32
	closed atomic.Bool
}

// ByLetter makes a console give letters, until Close.
func ByLetter(tty *os.File) (*Letters, error) {
	l := &Letters{tty: tty}
	if err := windows.GetConsoleMode(windows.Handle(tty.Fd()), &l.was); err != nil {
		return nil, fmt.Errorf("read the settings of the terminal: %w", err)
	}
	if err := l.set(l.letters()); err != nil {
		return nil, fmt.Errorf("change the settings of the terminal: %w", err)
	}
	return l, nil
}

// letters is the mode in which the console gives letters.
func (l *Letters) letters() uint32 {
	return l.was &^ (windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT | windows.ENABLE_PROCESSED_INPUT)
}

// Echoed reports whether the console echoed what is typed.
func (l *Letters) Echoed() bool { return l.was&windows.ENABLE_ECHO_INPUT != 0 }

// Lend gives the console to another program as it was, while that runs.
func (l *Letters) Lend(run func() error) error {
	_ = l.set(l.was)
	defer func() {
		if !l.closed.Load() {
			_ = l.set(l.letters())
		}
	}()
	return run()
}

// Close gives the console back as it was, for good.
func (l *Letters) Close() {
	l.closed.Store(true)
	_ = l.set(l.was)
}

func (l *Letters) set(mode uint32) error {
	return windows.SetConsoleMode(windows.Handle(l.tty.Fd()), mode)
}
