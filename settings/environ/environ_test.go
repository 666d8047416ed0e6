package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// foundBy returns what find finds where the rooted paths of env and home are on a volume, as on Windows; the result is
// without the volume, and with slashes.
func foundBy(find func(env []string, home string) string, env []string, home string) string {
	volume := filepath.VolumeName(os.TempDir())
	on := make([]string, len(env))
	for i, entry := range env {
		on[i] = strings.Replace(entry, "/", volume+"/", 1)
	}
	got := find(on, strings.Replace(home, "/", volume+"/", 1))
	return filepath.ToSlash(strings.TrimPrefix(got, volume))
}

// inHome is one of two paths in the home folder: the first one on Windows.
func inHome(onWindows, elsewhere string) string {
	if runtime.GOOS == windows {
		return "/home/ada/" + onWindows
	}
	return "/home/ada/" + elsewhere
}

func TestStateDir(t *testing.T) {
	t.Parallel()
	folder := inHome("AppData/Local/parley/state", ".local/state/parley")
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/ada", folder},
		{[]string{"A=b", "XDG_STATE_HOME=/state"}, "/home/ada", "/state/parley"},
		{[]string{"XDG_STATE_HOME=/first", "XDG_STATE_HOME=/last/"}, "", "/last/parley"},
		{[]string{"XDG_STATE_HOME=relative"}, "/home/ada", folder},
		{[]string{"XDG_STATE_HOME="}, "/home/ada", folder},
		{nil, "", ""},
		{nil, "relative", ""},
	} {
		if got := foundBy(StateDir, c.env, c.home); got != c.want {
			t.Errorf("%v, %q: got %q, want %q", c.env, c.home, got, c.want)
		}
	}
}

func TestCacheDir(t *testing.T) {
	t.Parallel()
	folder := inHome("AppData/Local/parley/cache", ".cache/parley")
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/ada", folder},
		{[]string{"XDG_STATE_HOME=/state", "XDG_CACHE_HOME=/cache"}, "/home/ada", "/cache/parley"},
		{[]string{"XDG_CACHE_HOME=/first", "XDG_CACHE_HOME=/last/"}, "", "/last/parley"},
		{[]string{"XDG_CACHE_HOME=relative"}, "/home/ada", folder},
		{[]string{"XDG_CACHE_HOME="}, "", ""},
		{nil, "relative", ""},
	} {
		if got := foundBy(CacheDir, c.env, c.home); got != c.want {
			t.Errorf("%v, %q: got %q, want %q", c.env, c.home, got, c.want)
		}
	}
}

// TestWindows: the folders are those of Windows, after the variables of the specification,
// and names of variables may be written otherwise.
func TestWindows(t *testing.T) {
	t.Parallel()
	env := []string{"AppData=/roaming", "LocalAppData=/local"}
	for _, c := range []struct {
		place      place
		env        []string
		home, want string
	}{
		{config, env, "/ada", "/roaming/parley"},
		{state, env, "/ada", "/local/parley/state"},
		{cache, env, "/ada", "/local/parley/cache"},
		{config, nil, "/ada", "/ada/AppData/Roaming/parley"},
		{state, []string{"LocalAppData=relative"}, "/ada", "/ada/AppData/Local/parley/state"},
		{cache, append(env, "XDG_CACHE_HOME=/x"), "/ada", "/x/parley"},
		{config, nil, "", ""},
	} {
		find := func(env []string, home string) string { return c.place.dir(windows, env, home) }
		if got := foundBy(find, c.env, c.home); got != c.want {
			t.Errorf("%v, %q: got %q, want %q", c.env, c.home, got, c.want)
		}
	}
	if got := get("linux", env, "APPDATA"); got != "" {
		t.Errorf("elsewhere names are as they are written: %q", got)
	}
}
