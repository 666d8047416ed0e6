package copilot

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
)

// ErrNotFound is wrapped by Find when there is no Copilot CLI at all, as
// opposed to one that was named and does not exist.
var ErrNotFound = errors.New("no Copilot CLI found")

// Find says which Copilot CLI to run: the one named by flagPath, then by
// COPILOT_CLI_PATH, then "copilot" on PATH. What was named is never replaced by
// a guess. lookPath resolves a name or path to an executable file, as
// exec.LookPath does.
func Find(flagPath string, getenv func(string) string, lookPath func(string) (string, error)) (string, error) {
	for _, named := range []struct{ by, path string }{
		{"--copilot-path", flagPath},
		{"COPILOT_CLI_PATH", getenv("COPILOT_CLI_PATH")},
	} {
		if named.path == "" {
			continue
		}
		path, err := lookPath(named.path)
		if err != nil {
			why := "is no program that can be run"
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
				why = "does not exist"
			}
			return "", fmt.Errorf("%s names %q, which %s; correct it or leave it out", named.by, named.path, why)
		}
		return path, nil
	}
	path, err := lookPath("copilot")
	if err != nil {
		return "", fmt.Errorf("%w on the PATH; install it with `npm install -g @github/copilot`, "+
			"or name it with --copilot-path", ErrNotFound)
	}
	return path, nil
}
