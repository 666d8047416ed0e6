package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/settings"
	"parley/tui/keymap"
)

// keysPath is where the keys are, or would be; "" where there is no folder for
// them.
func keysPath(c process.Console) string {
	home, _ := os.UserHomeDir()
	return settings.KeysPath(c.Env, home)
}

// LoadKeys reads the user's keys. The error is every mistake in them.
func LoadKeys(c process.Console) (settings.Keys, error) { return readKeys(keysPath(c)) }

func readKeys(path string) (settings.Keys, error) {
	k, err := settings.LoadKeys(path)
	if err != nil {
		return k, err
	}
	return k, errors.Join(keymap.Check(k)...)
}

// KeysCommand lists what keys do.
func KeysCommand(c process.Console) *cobra.Command {
	var asJSON, check, list bool
	var preset string
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List every action and its keys, or check keys.toml",
		Args:  arguments.NoWords,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case check && (asJSON || list || preset != ""):
				return errors.New("--check lists nothing; leave it or the others out")
			case preset != "" && !slices.Contains(keymap.PresetNames(), preset):
				return fmt.Errorf("--preset is one of %s, not %q", strings.Join(keymap.PresetNames(), ", "), preset)
			case check:
				return process.Fail(checkKeys(c))
			}
			return process.Fail(listKeys(c, preset, asJSON))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&list, "list", false, "list every action and its keys, as without it")
	f.BoolVar(&asJSON, "json", false, "list them as JSON")
	f.BoolVar(&check, "check", false, "say what is wrong in the file of keys, and nothing else")
	f.StringVar(&preset, "preset", "", "list the keys of a preset by `name`, without yours: "+strings.Join(keymap.PresetNames(), ", "))
	return cmd
}

// checkKeys looks for mistakes in the file of keys.
func checkKeys(c process.Console) error {
	path := keysPath(c)
	if path == "" {
		return errNoFolder
	}
	k, err := LoadKeys(c)
	if err != nil {
		return err
	}
	said := "no mistakes"
	if k.Lines == nil {
		said = "not there, so all keys are as by default"
	}
	_, err = fmt.Fprintf(c.Out, "%s: %s\n", path, said)
	return err
}

// listKeys writes every action.
func listKeys(c process.Console, preset string, asJSON bool) error {
	k := settings.Keys{Preset: preset}
	if preset == "" {
		var err error
		if k, err = LoadKeys(c); err != nil {
			return err
		}
	}
	actions, wrong := keymap.Actions(k)
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	if asJSON {
		rows := make([]keyRow, len(actions))
		for i, a := range actions {
			rows[i] = keyRow{
				a.Context, a.Name, append([]string{}, a.Keys...), append([]string{}, a.Default...), a.Changed(), a.Title,
			}
		}
		return output.JSON(c, rows)
	}
	out := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "CONTEXT\tACTION\tKEYS\tDEFAULT\tWHAT IT DOES")
	for _, a := range actions {
		was := ""
		if a.Changed() {
			was = cmp.Or(strings.Join(a.Default, ", "), "none")
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", a.Context, a.Name, cmp.Or(strings.Join(a.Keys, ", "), "none"), was, a.Title)
	}
	return out.Flush()
}

// keyRow is an action as `parley keys --json` prints it.
type keyRow struct {
	Context string   `json:"context"`
	Action  string   `json:"action"`
	Keys    []string `json:"keys"`
	Default []string `json:"default"`
	Changed bool     `json:"changed"`
	Title   string   `json:"title"`
}
