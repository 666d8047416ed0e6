package sessions

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// living reports whether there is a process of that number.
func living(number string) bool {
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	if runtime.GOOS == "windows" {
		return true // a process that is not there is not found
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
