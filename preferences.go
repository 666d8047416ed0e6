package main

import (
	"context"
	"errors"
	"path/filepath"

	"parley/cli/process"
	"parley/settings"
	"parley/theme"
	"parley/tui"
)

// preferences reads what the user prefers. The error is every mistake in
// their files.
func preferences(c process.Console) (tui.Preferences, error) {
	s, err := settings.Load(process.SettingsPath(c))
	k, wrong := loadKeys(c)
	return tui.Preferences{Settings: s, Keys: k}, errors.Join(err, wrong)
}

// changed waits until the files are others than they are when it is called, or
// than they were read the last time, and reads them.
func changed(c process.Console) func(context.Context) (tui.Preferences, error) {
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
		return preferences(c)
	}
}

// prefers writes one setting, and reads them all. The other files do not matter:
// a mistake in one of them does not keep a setting from being written.
func prefers(ctx context.Context, c process.Console, name string, value any) (settings.Settings, error) {
	path := process.SettingsPath(c)
	if err := settings.Put(ctx, path, name, value); err != nil {
		return settings.Settings{}, err
	}
	return settings.Load(path)
}

// markdownChoice is what a user says about the look of markdown.
func markdownChoice(env []string, home, setting string) theme.MarkdownChoice {
	return theme.MarkdownChoice{
		Setting: setting, Environment: process.Lookup(env, theme.MarkdownEnv), Themes: theme.Dir(settings.Path(env, home)), Home: home,
	}
}

// ownFile is a file that a user may have, or a folder of them, and what reads it:
// what is hard to read in it, and every mistake.
type ownFile struct {
	name, path string
	needed     bool // with a mistake in it no window opens
	read       func() (warnings []string, err error)
}

// ownFiles are all of them.
func ownFiles(env []string, home string) []ownFile {
	path, keys := settings.Path(env, home), settings.KeysPath(env, home)
	themes := theme.Dir(path)
	return []ownFile{
		{"settings.toml", path, true, func() ([]string, error) {
			_, err := settings.Load(path)
			return nil, err
		}},
		{"keys.toml", keys, true, func() ([]string, error) {
			_, err := readKeys(keys)
			return nil, err
		}},
		{"themes", themes, false, func() ([]string, error) {
			prefer, _ := settings.Load(path) // its mistakes are told above
			warnings, err := theme.Check(themes, prefer.Theme)
			_, wrong := markdownChoice(env, home, prefer.MarkdownStyle).Load()
			return warnings, errors.Join(err, wrong)
		}},
	}
}
