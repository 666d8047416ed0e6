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
	for _, needs := range []struct{ variable, inHome string }{{"COPILOT_HOME", ".copilot"}, {"XDG_CACHE_HOME", ".cache"}} {
		folder, variable := environ.Get(env, needs.variable), needs.variable
		if folder == "" {
			folder, variable = filepath.Join(home, needs.inHome), environ.HomeVariable
		}
		if !canWrite(folder) && (!unpacked || needs.inHome != ".cache") {
			return fmt.Sprintf("it needs to write to %s and cannot", folder),
				fmt.Sprintf("set %s to a folder that can be written to", variable)
		}
	}
	return "", ""
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
