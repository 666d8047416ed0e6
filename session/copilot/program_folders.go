package copilot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"

	"parley/settings/environ"
)

// Unwritable returns which folder a Copilot CLI needs in an environment and cannot write to,
// and what to do; "" if it can write to all. One that has unpacked itself needs no cache.
func Unwritable(env []string, unpacked bool) (trouble, remedy string) {
	home := HomeDir(env)
	state, variable := environ.Get(env, "COPILOT_HOME"), "COPILOT_HOME"
	if state == "" {
		state, variable = filepath.Join(home, ".copilot"), environ.HomeVariable
	}
	folder, writable := state, canWrite(state)
	if writable && !unpacked {
		folder, variable = CacheDir(env, home)
		writable = canWrite(folder)
	}
	if writable {
		return "", ""
	}
	return fmt.Sprintf("it needs to write to %s and cannot", folder),
		fmt.Sprintf("set %s to a folder that can be written to", variable)
}

// CacheDir returns the folder that a Copilot CLI unpacks itself into in an environment, and the
// variable that says where it is (docs/protocol.md, section 1). Without a home folder there may
// be none: it is "".
func CacheDir(env []string, home string) (folder, variable string) {
	return cacheDir(runtime.GOOS, env, home)
}

func cacheDir(system string, env []string, home string) (folder, variable string) {
	for _, variable := range []string{"COPILOT_PKG_CACHE_HOME", "COPILOT_CACHE_HOME"} {
		if folder := environ.Get(env, variable); folder != "" {
			return folder, variable
		}
	}
	base, inHome := "XDG_CACHE_HOME", ".cache"
	switch system {
	case "darwin":
		base, inHome = "", "Library/Caches"
	case "windows":
		base = "LOCALAPPDATA"
	}
	switch folder := environ.Get(env, base); {
	case base != "" && folder != "":
		return filepath.Join(folder, "copilot"), base
	case home == "":
		return "", environ.HomeVariable
	}
	return filepath.Join(home, inHome, "copilot"), environ.HomeVariable
}

// HomeDir returns the home folder that a Copilot CLI takes in an environment: without its variable it
// asks the system.
func HomeDir(env []string) string {
	if home := environ.Get(env, environ.HomeVariable); home != "" {
		return home
	}
	var u *user.User
	var err error
	if runtime.GOOS == "windows" { // where a user has no number
		u, err = user.Current()
	} else {
		u, err = user.LookupId(strconv.Itoa(os.Getuid()))
	}
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// canWrite reports whether files can be made in a folder, which may have to be made first.
func canWrite(folder string) bool {
	info, err := os.Stat(folder)
	for errors.Is(err, fs.ErrNotExist) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
		info, err = os.Stat(folder)
	}
	return err == nil && info.IsDir() && environ.Writable(folder) == nil
}
