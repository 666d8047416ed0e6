package process

import (
	"os"
	"slices"
	"strings"

	"parley/settings"
)

// Lookup returns the value of an environment variable, "" if it is not set.
func Lookup(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// SettingsPath is where the settings are, or would be; "" where there is no
// folder for them.
func SettingsPath(c Console) string {
	home, _ := os.UserHomeDir()
	return settings.Path(c.Env, home)
}
