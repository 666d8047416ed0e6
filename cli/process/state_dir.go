package process

import (
	"path/filepath"
	"strings"
)

// StateDir is the folder for what this program keeps between two runs, by the
// XDG Base Directory Specification: $XDG_STATE_HOME/parley, or
// ~/.local/state/parley. A variable that is not an absolute path is ignored, as
// the specification says. It is "" if there is no home either.
func StateDir(env []string, home string) string {
	return xdgDir(env, "XDG_STATE_HOME", home, ".local", "state")
}

// CacheDir is the folder for what this program can make again, such as the index
// of past sessions: $XDG_CACHE_HOME/parley, or ~/.cache/parley, as StateDir.
func CacheDir(env []string, home string) string {
	return xdgDir(env, "XDG_CACHE_HOME", home, ".cache")
}

// xdgDir is our folder in the one that a variable names, or else in the one below
// the home directory.
func xdgDir(env []string, variable, home string, below ...string) string {
	dir := ""
	if filepath.IsAbs(home) {
		dir = filepath.Join(home, filepath.Join(below...))
	}
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, variable+"="); ok && filepath.IsAbs(value) {
			dir = value
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "parley")
}
