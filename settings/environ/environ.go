// Package environ looks variables up in an environment, and finds the folders of
// the XDG Base Directory Specification, or of Windows.
package environ

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Get returns a variable of an environment as os.Environ returns it; "" if it is
// not set. Of several entries the last one counts. On Windows, capital and small letters of
// a name are the same: PATH is Path there.
func Get(env []string, name string) string { return get(runtime.GOOS, env, name) }

func get(system string, env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		n := len(name)
		if len(entry) > n && entry[n] == '=' && (entry[:n] == name || system == windows && strings.EqualFold(entry[:n], name)) {
			return entry[n+1:]
		}
	}
	return ""
}

const windows = "windows"

// Dumb reports whether the terminal of an environment is the one that terminfo
// calls dumb: it shows text and line ends, and no escape sequence.
func Dumb(env []string) bool { return Get(env, "TERM") == "dumb" }

// ConfigDir is the folder for what users write: $XDG_CONFIG_HOME/parley, else
// ~/.config/parley, also on a Mac, or %AppData%\parley on Windows. A variable that is not an
// absolute path is ignored, as the specification says. It is "" if there is no home either.
func ConfigDir(env []string, home string) string { return config.dir(runtime.GOOS, env, home) }

// StateDir is the folder for what this program keeps between two runs:
// $XDG_STATE_HOME/parley, else ~/.local/state/parley, or %LocalAppData%\parley\state on
// Windows, as ConfigDir.
func StateDir(env []string, home string) string { return state.dir(runtime.GOOS, env, home) }

// CacheDir is the folder for what this program can make again, such as the index
// of past sessions: $XDG_CACHE_HOME/parley, else ~/.cache/parley, or
// %LocalAppData%\parley\cache on Windows, as ConfigDir.
func CacheDir(env []string, home string) string { return cache.dir(runtime.GOOS, env, home) }

// place is where a folder is.
type place struct {
	xdg, below string // its variable, and what is below the home folder without it
	appData    string // the variable on Windows
	inAppData  string // what is below the home folder without that
	name       string // of the folder below that of the program, on Windows
}

var (
	config = place{"XDG_CONFIG_HOME", ".config", "APPDATA", "AppData/Roaming", ""}
	state  = place{"XDG_STATE_HOME", ".local/state", "LOCALAPPDATA", "AppData/Local", "state"}
	cache  = place{"XDG_CACHE_HOME", ".cache", "LOCALAPPDATA", "AppData/Local", "cache"}
)

func (p place) dir(system string, env []string, home string) string {
	if value := get(system, env, p.xdg); filepath.IsAbs(value) {
		return filepath.Join(value, "parley")
	}
	if system != windows {
		p.inAppData, p.name = p.below, ""
	} else if value := get(system, env, p.appData); filepath.IsAbs(value) {
		return filepath.Join(value, "parley", p.name)
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(p.inAppData), "parley", p.name)
}
