//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package lines

import "golang.org/x/sys/unix"

const (
	getTermios, setTermios = unix.TIOCGETA, unix.TIOCSETA
	disabled               = 0xff // _POSIX_VDISABLE
)
