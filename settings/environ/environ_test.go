package environ

import "testing"

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
