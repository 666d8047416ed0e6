package history

import (
	"path/filepath"
	"strings"
)

// StateDir is the folder for what this program keeps between two runs, by the
// XDG Base Directory Specification: $XDG_STATE_HOME/parley, or
// ~/.local/state/parley. A variable that is not an absolute path is ignored, as
// the specification says. It is "" if there is no home either.
func StateDir(env []string, home string) string {
	dir := ""
	if filepath.IsAbs(home) {
		dir = filepath.Join(home, ".local", "state")
	}
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "XDG_STATE_HOME="); ok && filepath.IsAbs(value) {
			dir = value
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "parley")
}
