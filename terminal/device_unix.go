//go:build unix

package terminal

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Device is a terminal that is read.
type Device struct{ *os.File }

// NewDevice returns a terminal that is read.
func NewDevice(file *os.File) *Device { return &Device{file} }

// Follows reports whether there is more to read within some time. A signal is no input.
func (d *Device) Follows(within time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(d.Fd()), Events: unix.POLLIN}}
	for end := time.Now().Add(within); ; {
		left := (time.Until(end) + time.Millisecond - 1).Milliseconds()
		if n, err := unix.Poll(fds, int(max(left, 0))); !errors.Is(err, unix.EINTR) {
			return n > 0 || err != nil
		}
	}
}

// Leave has nobody read while another program has the terminal. Bubble Tea does that here.
func (d *Device) Leave() {}

// Return ends Leave.
func (d *Device) Return() {}
