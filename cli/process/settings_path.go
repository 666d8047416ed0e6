package process

import (
	"os"

	"parley/settings"
)

// SettingsPath is where the settings are, or would be; "" where there is no
// folder for them.
func SettingsPath(c Console) string {
	home, _ := os.UserHomeDir()
	return settings.Path(c.Env, home)
}
