package sessions

import (
	"time"

	"golang.org/x/sys/unix"
)

// processStart is when a process began; not ok where that cannot be known.
func processStart(pid int) (at time.Time, ok bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return at, false
	}
	return time.Unix(info.Proc.P_starttime.Unix()), true
}
