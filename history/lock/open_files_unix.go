//go:build unix

package lock

// MovesOpen reports whether the system renames and removes a file that is open, and the
// folder of one.
const MovesOpen = true

// For is the file that is locked for who writes a file: itself.
func For(path string) string { return path }
