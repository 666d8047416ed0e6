package files

import (
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Absolute is where a path that a user wrote leads: from a working folder, or from the
// user's home after "~/". Not ok means that no agent can be given the path: it is no
// UTF-8, or there is no home.
func Absolute(path, dir, home string) (string, bool) {
	if !utf8.ValidString(path) || strings.Contains(path, "\x00") {
		return "", false
	}
	switch rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); {
	case ok || path == "~":
		return filepath.Join(home, strings.TrimPrefix(rest, "~")), home != ""
	case filepath.IsAbs(path):
		return filepath.Clean(path), true
	case strings.HasPrefix(filepath.ToSlash(path), "/"): // on Windows, of the drive that dir is on
		return filepath.Join(filepath.VolumeName(dir), path), true
	}
	return filepath.Join(dir, path), true
}
