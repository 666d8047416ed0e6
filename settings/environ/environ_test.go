package environ

import (
	"path/filepath"
	"testing"
)

func TestStateDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/ada", "/home/ada/.local/state/parley"},
		{[]string{"A=b", "XDG_STATE_HOME=/state"}, "/home/ada", "/state/parley"},
		{[]string{"XDG_STATE_HOME=/first", "XDG_STATE_HOME=/last/"}, "", "/last/parley"},
		{[]string{"XDG_STATE_HOME=relative"}, "/home/ada", "/home/ada/.local/state/parley"},
		{[]string{"XDG_STATE_HOME="}, "/home/ada", "/home/ada/.local/state/parley"},
		{nil, "", ""},
		{nil, "relative", ""},
	} {
		if got := StateDir(c.env, c.home); got != c.want {
			t.Errorf("%v, %q: got %q, want %q", c.env, c.home, got, c.want)
		}
	}
}

func TestCacheDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/ada", "/home/ada/.cache/parley"},
		{[]string{"XDG_STATE_HOME=/state", "XDG_CACHE_HOME=/cache"}, "/home/ada", "/cache/parley"},
		{[]string{"XDG_CACHE_HOME=/first", "XDG_CACHE_HOME=/last/"}, "", "/last/parley"},
		{[]string{"XDG_CACHE_HOME=relative"}, "/home/ada", "/home/ada/.cache/parley"},
		{[]string{"XDG_CACHE_HOME="}, "", ""},
		{nil, "relative", ""},
	} {
		if got := CacheDir(c.env, c.home); got != c.want {
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
		if got := c.place.dir(windows, c.env, c.home); filepath.ToSlash(got) != c.want {
			t.Errorf("%v, %q: got %q, want %q", c.env, c.home, got, c.want)
		}
	}
	if got := get("linux", env, "APPDATA"); got != "" {
		t.Errorf("elsewhere names are as they are written: %q", got)
	}
}
