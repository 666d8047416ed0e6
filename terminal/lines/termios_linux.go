package lines

import "golang.org/x/sys/unix"

const (
	getTermios, setTermios = unix.TCGETS, unix.TCSETS
	disabled               = 0 // _POSIX_VDISABLE
)
