package config

import (
	"context"
	"errors"
	"path/filepath"

	"parley/cli/process"
	"parley/settings"
	"parley/settings/environ"
	"parley/theme"
	"parley/tui"
)

// Preferences reads what the user prefers. The error is every mistake in
// their files.
func Preferences(c process.Console) (tui.Preferences, error) {
	s, err := settings.Load(process.SettingsPath(c))
	k, wrong := LoadKeys(c)
	return tui.Preferences{Settings: s, Keys: k}, errors.Join(err, wrong)
}

// Changed waits until the files are others than they are when it is called, or
// than they were read the last time, and reads them.
func Changed(c process.Console) func(context.Context) (tui.Preferences, error) {
	path := process.SettingsPath(c)
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	were := settings.Stamped(dir)
	return func(ctx context.Context) (tui.Preferences, error) {
		if err := settings.Watch(ctx, dir, were); err != nil {
			return tui.Preferences{}, err
		}
		were = settings.Stamped(dir)
		return Preferences(c)
	}
}

// Put writes one setting, and reads them all. The other files do not matter:
// a mistake in one of them does not keep a setting from being written.
func Put(ctx context.Context, c process.Console, name string, value any) (settings.Settings, error) {
	path := process.SettingsPath(c)
	if err := settings.Put(ctx, path, name, value); err != nil {
		return settings.Settings{}, err
	}
	return settings.Load(path)
}

// MarkdownChoice is what a user says about the look of markdown.
func MarkdownChoice(env []string, home, setting string) theme.MarkdownChoice {
	return theme.MarkdownChoice{
		Setting: setting, Environment: environ.Get(env, theme.MarkdownEnv), Themes: theme.Dir(settings.Path(env, home)), Home: home,
	}
}

// OwnFile is a file that a user may have, or a folder of them, and what reads it:
// what is hard to read in it, and every mistake.
type OwnFile struct {
	Name, Path string
	Needed     bool // with a mistake in it no window opens
	Read       func() (warnings []string, err error)
}

// OwnFiles are all of them.
func OwnFiles(env []string, home string) []OwnFile {
	path, keys := settings.Path(env, home), settings.KeysPath(env, home)
	themes := theme.Dir(path)
	return []OwnFile{
		{"settings.toml", path, true, func() ([]string, error) {
			file, err := settings.Read(path)
			var warnings []string
			for _, renamed := range file.Renamed {
				warnings = append(warnings, path+", "+renamed)
			}
			return warnings, err
		}},
		{"keys.toml", keys, true, func() ([]string, error) {
			_, err := readKeys(keys)
			return nil, err
		}},
		{"themes", themes, false, func() ([]string, error) {
			prefer, _ := settings.Load(path) // its mistakes are reported above
			warnings, err := theme.Check(themes, prefer.Theme)
			_, wrong := MarkdownChoice(env, home, prefer.MarkdownStyle).Load()
			return warnings, errors.Join(err, wrong)
		}},
	}
}
