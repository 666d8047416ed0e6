package main

import (
	"os"
	"slices"
	"strings"

	"parley/settings"
)

// lookup returns the value of an environment variable, "" if it is not set.
func lookup(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// settingsPath is where the settings are, or would be; "" where there is no
// folder for them.
func settingsPath(c console) string {
	home, _ := os.UserHomeDir()
	return settings.Path(c.env, home)
}
