// Package environ looks variables up in an environment, and finds the folders of
// the XDG Base Directory Specification.
package environ

import (
	"path/filepath"
	"slices"
	"strings"
)

// Get returns a variable of an environment as os.Environ returns it; "" if it is
// not set. Of several entries the last one counts.
func Get(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// Dumb reports whether the terminal of an environment is the one that terminfo
// calls dumb: it shows text and line ends, and no escape sequence.
func Dumb(env []string) bool { return Get(env, "TERM") == "dumb" }

// ConfigDir is the folder for what users write: $XDG_CONFIG_HOME/parley, or
// ~/.config/parley. A variable that is not an absolute path is ignored, as the
// specification says. It is "" if there is no home either.
func ConfigDir(env []string, home string) string { return dir(env, "XDG_CONFIG_HOME", home, ".config") }

// StateDir is the folder for what this program keeps between two runs:
// $XDG_STATE_HOME/parley, or ~/.local/state/parley, as ConfigDir.
func StateDir(env []string, home string) string {
	return dir(env, "XDG_STATE_HOME", home, ".local", "state")
}

// CacheDir is the folder for what this program can make again, such as the index
// of past sessions: $XDG_CACHE_HOME/parley, or ~/.cache/parley, as ConfigDir.
func CacheDir(env []string, home string) string { return dir(env, "XDG_CACHE_HOME", home, ".cache") }

func dir(env []string, variable, home string, below ...string) string {
	if value := Get(env, variable); filepath.IsAbs(value) {
		return filepath.Join(value, "parley")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, filepath.Join(below...), "parley")
}
