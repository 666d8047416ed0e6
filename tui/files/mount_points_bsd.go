//go:build darwin || freebsd

package files

import "golang.org/x/sys/unix"

// mounts are the folders in which other file systems begin, as the system knows
// them: to look at one that does not answer would take for ever.
func mounts() map[string]bool {
	n, err := unix.Getfsstat(nil, unix.MNT_NOWAIT)
	if err != nil {
		return nil
	}
	table := make([]unix.Statfs_t, n)
	if n, err = unix.Getfsstat(table, unix.MNT_NOWAIT); err != nil {
		return nil
	}
	points := map[string]bool{}
	for _, m := range table[:min(n, len(table))] {
		points[unix.ByteSliceToString(m.Mntonname[:])] = true
	}
	return points
}
