package copilot

import (
	"path/filepath"
	"testing"

	"parley/settings/environ"
)

// TestCacheDir: the runtime unpacks itself into another folder on each system.
func TestCacheDir(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system           string
		env              []string
		folder, variable string
	}{
		{"linux", nil, "/home/ada/.cache/copilot", environ.HomeVariable},
		{"freebsd", []string{"LOCALAPPDATA=/local"}, "/home/ada/.cache/copilot", environ.HomeVariable},
		{"linux", []string{"XDG_CACHE_HOME=/xdg"}, "/xdg/copilot", "XDG_CACHE_HOME"},
		{"darwin", []string{"XDG_CACHE_HOME=/xdg"}, "/home/ada/Library/Caches/copilot", environ.HomeVariable},
		{"windows", nil, "/home/ada/.cache/copilot", environ.HomeVariable},
		{"windows", []string{"XDG_CACHE_HOME=/xdg", "LOCALAPPDATA=/local"}, "/local/copilot", "LOCALAPPDATA"},
		{"linux", []string{"XDG_CACHE_HOME=/xdg", "COPILOT_CACHE_HOME=/its"}, "/its", "COPILOT_CACHE_HOME"},
		{"darwin", []string{"COPILOT_CACHE_HOME=/its", "COPILOT_PKG_CACHE_HOME=/pkg"}, "/pkg", "COPILOT_PKG_CACHE_HOME"},
	} {
		folder, variable := cacheDir(c.system, c.env, "/home/ada")
		if filepath.ToSlash(folder) != c.folder || variable != c.variable {
			t.Errorf("%s, %q: %s, of %s", c.system, c.env, folder, variable)
		}
		homeless, _ := cacheDir(c.system, c.env, "")
		if needed := c.variable == environ.HomeVariable; needed != (homeless == "") {
			t.Errorf("%s, %q, without a home: %q", c.system, c.env, homeless)
		}
	}
}
