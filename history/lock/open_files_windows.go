package lock

// MovesOpen reports whether the system renames and removes a file that is open, and the
// folder of one.
const MovesOpen = false

// For is the file that is locked for who writes a file: another, since nobody else can write
// or read what is locked, also not by another handle of the same process.
func For(path string) string { return path + ".lock" }
