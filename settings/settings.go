// Package settings reads the files a person owns: what they prefer.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Settings are what a person prefers. The zero Settings are the defaults.
type Settings struct {
	// Vim edits drafts as in vim.
	Vim bool `toml:"vim"`
}

// Path is where the settings of a person are, or would be:
// $XDG_CONFIG_HOME/parley/settings.toml (XDG Base Directory Specification), or
// below ~/.config; "" if there is no home either.
func Path(env []string, home string) string {
	config := filepath.Join(home, ".config")
	if home == "" {
		config = ""
	}
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, "XDG_CONFIG_HOME="); ok {
			if filepath.IsAbs(value) {
				config = value
			}
			break
		}
	}
	if config == "" {
		return ""
	}
	return filepath.Join(config, "parley", "settings.toml")
}

// Load reads a file of settings (TOML 1.0). A file that is not there holds the
// defaults. An error names the file, the line and what is wrong in it.
func Load(path string) (Settings, error) {
	var s Settings
	if path == "" {
		return s, nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return s, fmt.Errorf("read the settings: %w", err)
	}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Settings{}, fmt.Errorf("%s, %w", path, explain(err))
	}
	return s, nil
}

// explain says in which line what is wrong.
func explain(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: there is no setting %q", line, strings.Join(first.Key(), "."))
	}
	var broken *toml.DecodeError
	if errors.As(err, &broken) {
		line, _ := broken.Position()
		return fmt.Errorf("line %d: %w", line, broken)
	}
	return err
}
