package text

import (
	"path"
	"strings"
)

// The paths that agents name are those of the machine they work on, which may run another system
// than this one. So it is the path that says which it is: on Windows a whole one begins with a
// drive or with two backslashes.

// ofWindows reports whether a path is a whole one on Windows.
func ofWindows(name string) bool {
	if strings.HasPrefix(name, `\\`) {
		return true
	}
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

// WholePath reports whether a path is the same in every folder.
func WholePath(name string) bool { return strings.HasPrefix(name, "/") || ofWindows(name) }

// JoinPath is where a path leads from a folder: itself if it is a whole one.
func JoinPath(dir, name string) string {
	switch {
	case WholePath(name):
		return name
	case ofWindows(dir):
		return dir[:2] + strings.ReplaceAll(path.Join(slashed(dir[2:]), slashed(name)), "/", `\`)
	}
	return path.Join(dir, name)
}

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// Below is what follows a folder in the path of something in it, from the separator on; "" is the
// folder itself.
func Below(dir, name string) (rest string, ok bool) {
	whole, sought := name, strings.TrimRight(dir, "/")
	if ofWindows(dir) {
		whole, sought = slashed(name), strings.TrimRight(slashed(dir), "/")
	}
	n := len(sought)
	if dir == "" || len(whole) < n || len(whole) > n && whole[n] != '/' {
		return "", false
	}
	same := whole[:n] == sought || ofWindows(dir) && strings.EqualFold(whole[:n], sought)
	return name[n:], same
}

// PathFrom writes the path of a file from a folder, if the file is in it.
func PathFrom(dir, file string) string {
	rest, ok := Below(dir, file)
	if !ok || rest == "" || WholePath(rest[1:]) {
		return file
	}
	return rest[1:]
}

// PathFromHome writes the path of what is in the user's home with a tilde.
func PathFromHome(home, name string) string {
	if rest, ok := Below(home, name); ok {
		return "~" + rest
	}
	return name
}
