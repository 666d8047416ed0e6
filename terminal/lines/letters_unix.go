//go:build unix

package lines

import (
	"errors"
	"fmt"
	"io"
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
	wake, end *os.File // a pipe: what is written to its end wakes who waits for letters

	mu     sync.Mutex
	back   sync.Cond // it is not away any more, or closed
	away   bool      // lent to another program, or given back
	closed bool
}

// ByLetter makes a terminal give letters, until Close.
func ByLetter(tty *os.File) (*Letters, error) {
	was, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios)
	if err != nil {
		return nil, fmt.Errorf("read the settings of the terminal: %w", err)
	}
	l := &Letters{tty: tty, was: was, continued: make(chan os.Signal, 1)}
	l.back.L = &l.mu
	if l.wake, l.end, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("make a pipe to wake the reader of the terminal: %w", err)
	}
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

// Read implements io.Reader. What is typed while another program has the terminal is that program's. After Close it returns
// io.EOF.
func (l *Letters) Read(p []byte) (int, error) {
	for {
		woken, err := l.wait()
		if err != nil {
			return 0, fmt.Errorf("wait for letters of the terminal: %w", err)
		}
		l.mu.Lock()
		if !l.away && !woken {
			defer l.mu.Unlock()
			return l.tty.Read(p) // at once
		}
		if woken {
			_, _ = l.wake.Read(make([]byte, 1))
		}
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

// wait waits until there are letters, or who waits is woken.
func (l *Letters) wait() (woken bool, err error) {
	fds := []unix.PollFd{{Fd: int32(l.tty.Fd()), Events: unix.POLLIN}, {Fd: int32(l.wake.Fd()), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if !errors.Is(err, unix.EINTR) {
			return fds[1].Revents != 0, err
		}
	}
}

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
	l.rouse()
}

func (l *Letters) put(away bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.away = away
	_ = l.set(away) // a terminal that is gone has no settings
	l.rouse()
}

// rouse has who reads look whether the terminal is away; the caller holds mu.
func (l *Letters) rouse() {
	l.back.Broadcast()
	if l.away {
		_, _ = l.end.Write([]byte{0})
	}
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
