package lines

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/windows"

	"parley/terminal"
)

// Letters is a console that gives each letter as it is typed, and echoes none. Ctrl+z ends
// its input, as that of any program on Windows.
type Letters struct {
	tty    *os.File
	was    uint32
	device *terminal.Device

	mu     sync.Mutex
	back   sync.Cond // it is not away any more, or closed
	away   bool      // lent to another program, or given back
	closed bool
}

// ByLetter makes a console give letters, until Close.
func ByLetter(tty *os.File) (*Letters, error) {
	l := &Letters{tty: tty, device: terminal.NewDevice(tty)}
	l.back.L = &l.mu
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

// Read implements io.Reader. What is typed while another program has the console is that program's. After Close it returns io.EOF.
func (l *Letters) Read(p []byte) (int, error) {
	for {
		n, err := l.device.Read(p)
		if !errors.Is(err, cancelreader.ErrCanceled) {
			return n, err
		}
		l.mu.Lock()
		for l.away && !l.closed {
			l.back.Wait()
		}
		closed := l.closed
		l.mu.Unlock()
		if closed {
			return 0, io.EOF
		}
	}
}

// Lend gives the console to another program as it was, while that runs.
func (l *Letters) Lend(run func() error) error {
	l.put(true, l.was)
	defer l.put(false, l.letters())
	return run()
}

// Close gives the console back as it was, for good.
func (l *Letters) Close() {
	l.put(true, l.was)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.back.Broadcast()
}

func (l *Letters) put(away bool, mode uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.away = away
	_ = l.set(mode)
	if away {
		l.device.Leave()
		return
	}
	l.device.Return()
	l.back.Broadcast()
}

func (l *Letters) set(mode uint32) error {
	return windows.SetConsoleMode(windows.Handle(l.tty.Fd()), mode)
}
