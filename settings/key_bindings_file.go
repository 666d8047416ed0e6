package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"parley/settings/tomlfile"
)

// Keys are a user's own key bindings, over those of a preset. Which actions
// and keys there are is not known here: whoever has the table of commands checks
// them, and names Path and the line.
type Keys struct {
	// Preset is whose keys are the defaults: copilot, claude, codex or gemini.
	// "" is copilot.
	Preset string
	// Bindings are the keys of actions, by the action's name. An action with no
	// keys has none; one that is not named keeps its own.
	Bindings map[string][]string
	// Path is the file they were read from; "" without a file.
	Path string
	// Lines are where they stand in it: "preset", and actions by their names.
	Lines map[string]int
}

// KeysPath is where the keys of a user are, or would be: keys.toml beside the
// settings; "" if there is no place for these.
func KeysPath(env []string, home string) string {
	path := Path(env, home)
	if path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(path), "keys.toml")
}

// LoadKeys reads a file of keys (TOML 1.0): a line `preset = "claude"`, and
// below `[bindings]` actions with a key, a list of keys, or an empty list. A
// file that is not there has none. An error names the file, the line and what is
// wrong in it.
func LoadKeys(path string) (Keys, error) {
	k := Keys{Path: path}
	if path == "" {
		return k, nil
	}
	text, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err != nil:
		return k, unreadable(path, err)
	}
	return ParseKeys(path, text)
}

// ParseKeys is LoadKeys for the text of the file.
func ParseKeys(path string, text []byte) (Keys, error) {
	k := Keys{Path: path}
	file, broken := tomlfile.Parse(text)
	if broken != nil {
		return k, fmt.Errorf("%s, line %d: this is no TOML: %s", path, broken.Line, broken.Problem)
	}
	wrong := func(name, format string, args ...any) (Keys, error) {
		return Keys{Path: path}, fmt.Errorf("%s, line %d: "+format, append([]any{path, file.Line(name)}, args...)...)
	}
	for name, value := range file.Values {
		switch name {
		case "preset":
			preset, ok := value.(string)
			if !ok {
				return wrong(name, "preset must be a name in quotes")
			}
			k.Preset = preset
		case "bindings":
			bindings, ok := value.(map[string]any)
			if !ok {
				return wrong(name, "bindings must be a table: a line [bindings], and below it lines such as todos = \"ctrl+t\"")
			}
			k.Bindings = map[string][]string{}
			if bad := flatten(k.Bindings, "", bindings); bad != "" {
				return wrong("bindings."+bad, "%s must be a key in quotes, or a list of them: \"ctrl+t\", [\"ctrl+t\", \"f2\"], []", bad)
			}
		default:
			return wrong(name, "there is no setting %q here; the settings are preset and bindings", name)
		}
	}
	k.Lines = map[string]int{"preset": file.Line("preset")}
	for name := range k.Bindings {
		k.Lines[name] = file.Line("bindings", name)
	}
	return k, nil
}

// flatten takes the bindings out of a table; the name of an action that has a
// dot may be written without quotes, and is a table in a table then. It returns
// the name of a value that is no binding.
func flatten(into map[string][]string, before string, table map[string]any) (bad string) {
	for name, value := range table {
		name = before + name
		switch v := value.(type) {
		case string:
			into[name] = []string{v}
		case []any:
			keys := []string{}
			for _, one := range v {
				key, ok := one.(string)
				if !ok {
					return name
				}
				keys = append(keys, key)
			}
			into[name] = keys
		case map[string]any:
			if bad := flatten(into, name+".", v); bad != "" {
				return bad
			}
		default:
			return name
		}
	}
	return ""
}
