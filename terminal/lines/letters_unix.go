//go:build unix

package lines

import (
	"fmt"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// Letters is a terminal that gives each letter as it is typed, and echoes none. Ctrl+z stops
// the process as before, and when it continues the terminal gives letters again.
type Letters struct {
	tty       *os.File
	was       *unix.Termios
	continued chan os.Signal

	mu     sync.Mutex
	away   bool // lent to another program, or given back
	closed bool
}

// ByLetter makes a terminal give letters, until Close.
func ByLetter(tty *os.File) (*Letters, error) {
	was, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios)
	if err != nil {
		return nil, fmt.Errorf("read the settings of the terminal: %w", err)
	}
	l := &Letters{tty: tty, was: was, continued: make(chan os.Signal, 1)}
	if err := l.set(false); err != nil {
		return nil, fmt.Errorf("change the settings of the terminal: %w", err)
	}
	signal.Notify(l.continued, unix.SIGCONT)
	go func() {
		for range l.continued {
			l.resume()
		}
	}()
	return l, nil
}

// resume follows that the process continues: the shell had its own settings meanwhile.
func (l *Letters) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.away {
		_ = l.set(false)
	}
}

// Echoed reports whether the terminal echoed what is typed.
func (l *Letters) Echoed() bool { return l.was.Lflag&unix.ECHO != 0 }

// Lend gives the terminal to another program as it was, while that runs.
func (l *Letters) Lend(run func() error) error {
	l.put(true)
	defer l.put(false)
	return run()
}

// Close gives the terminal back as it was, for good.
func (l *Letters) Close() {
	signal.Stop(l.continued)
	close(l.continued)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away, l.closed = true, true
	_ = l.set(true)
}

func (l *Letters) put(away bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.away = away
	_ = l.set(away) // a terminal that is gone has no settings
}

// set gives the terminal the settings that it had, or those that give letters.
func (l *Letters) set(as bool) error {
	settings := *l.was
	if !as {
		settings.Lflag &^= unix.ICANON | unix.ECHO
		settings.Cc[unix.VINTR], settings.Cc[unix.VQUIT] = disabled, disabled
		settings.Cc[unix.VMIN], settings.Cc[unix.VTIME] = 1, 0
	}
	return unix.IoctlSetTermios(int(l.tty.Fd()), setTermios, &settings)
}
