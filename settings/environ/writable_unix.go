//go:build unix

package environ

import "golang.org/x/sys/unix"

// Writable returns why files cannot be made in a folder; nil if they can.
func Writable(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }
