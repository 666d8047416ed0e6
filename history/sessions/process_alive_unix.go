//go:build unix

package sessions

import (
	"errors"
	"os"
	"syscall"
)

// processAlive reports whether there is a process of that number.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
