package process

import (
	"os"

	"parley/settings"
	"parley/terminal"
)

// Lookup returns the value of an environment variable, "" if it is not set.
func Lookup(env []string, name string) string {
	return terminal.Environment{Vars: env}.Get(name)
}

// SettingsPath is where the settings are, or would be; "" where there is no
// folder for them.
func SettingsPath(c Console) string {
	home, _ := os.UserHomeDir()
	return settings.Path(c.Env, home)
}
