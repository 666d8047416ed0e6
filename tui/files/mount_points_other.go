//go:build !linux && !darwin && !freebsd

package files

// mounts are the folders in which other file systems begin. It cannot be known
// here.
func mounts() map[string]bool { return nil }
