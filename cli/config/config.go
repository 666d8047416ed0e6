// Package config is about the files in which a user says what they prefer: reading
// them for a chat, and the commands that show and check them.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/text"
	"parley/settings"
	"parley/settings/environ"
)

// Command is about the files in which a user says what they prefer.
func Command(c process.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and check the settings files",
		Args:  arguments.SubcommandsOnly,
		RunE:  func(cmd *cobra.Command, _ []string) error { return process.Fail(cmd.Help()) },
	}
	asJSON := false
	show := configPart("show", "Print every setting: its value, where it is from, what it does", func() error {
		return showConfig(c, asJSON)
	})
	show.Flags().BoolVar(&asJSON, "json", false, "print them as JSON, with all that each may be")
	cmd.AddCommand(
		configPart("path", "Print where settings.toml is, or would be", func() error { return printConfigPath(c) }),
		configPart("check", "Look for mistakes in the files", func() error { return checkConfig(c) }),
		show,
		configPart("schema", "Print the JSON Schema of settings.toml, for editors", func() error {
			_, err := c.Out.Write(settings.Schema())
			return err
		}),
	)
	return cmd
}

// configPart is a command below config that takes no words.
func configPart(name, short string, do func() error) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  arguments.NoWords,
		RunE:  func(*cobra.Command, []string) error { return process.Fail(do()) },
	}
}

// errNoFolder says that there is no place for settings.
var errNoFolder = errors.New("there is no folder for settings; set " + environ.ConfigVariable + " or XDG_CONFIG_HOME")

func printConfigPath(c process.Console) error {
	path := process.SettingsPath(c)
	if path == "" {
		return errNoFolder
	}
	_, err := fmt.Fprintln(c.Out, path)
	return err
}

// checkConfig looks for mistakes in all files. What is only hard to read is
// reported and is none.
func checkConfig(c process.Console) error {
	if process.SettingsPath(c) == "" {
		return errNoFolder
	}
	home, _ := os.UserHomeDir()
	var all []error
	for _, f := range OwnFiles(c.Env, home) {
		warnings, err := f.Read()
		said := ": no mistakes"
		if _, missing := os.Stat(f.Path); errors.Is(missing, fs.ErrNotExist) {
			said = ": not there, so all is as by default"
		}
		if err == nil {
			warnings = append(warnings, f.Path+said)
		}
		all = append(all, err)
		for _, line := range warnings {
			_, err := fmt.Fprintln(c.Out, line)
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// settingRow is a setting as `parley config show --json` prints it.
type settingRow struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Value   any      `json:"value"`
	Default any      `json:"default"`
	Line    int      `json:"line,omitempty"` // of the file; 0 is none: it is the default
	Words   []string `json:"words,omitempty"`
	Min     *int     `json:"min,omitempty"`
	Max     *int     `json:"max,omitempty"`
	Doc     string   `json:"doc"`
	When    string   `json:"effective"`
}

// showConfig prints every setting, and the agents that are named.
func showConfig(c process.Console, asJSON bool) error {
	path := process.SettingsPath(c)
	file, err := settings.Read(path)
	if err != nil {
		return err
	}
	var rows []settingRow
	for _, s := range settings.Table() {
		row := settingRow{
			Name: s.Name, Kind: string(s.Kind), Value: s.Value(file.Settings), Default: s.Default,
			Line: file.Lines[s.Name], Words: s.Words, Doc: s.Title, When: string(s.When),
		}
		if s.Kind == settings.Number {
			row.Min, row.Max = &s.Min, &s.Max
		}
		rows = append(rows, row)
	}
	if asJSON {
		return output.JSON(c, struct {
			Path     string                    `json:"path"`
			Settings []settingRow              `json:"settings"`
			Agents   map[string]settings.Agent `json:"agents,omitzero"`
			Renamed  []string                  `json:"renamed,omitzero"`
		}{path, rows, file.Settings.Agents, file.Renamed})
	}
	text := settingsText(path, rows)
	for _, renamed := range file.Renamed {
		text += "\n# " + renamed + "\n"
	}
	if len(file.Settings.Agents) > 0 {
		named, err := settings.AgentsTOML(file.Settings.Agents)
		if err != nil {
			return err
		}
		text += "\n# agents for --agent, by name\n" + named
	}
	_, err = c.Out.WriteString(text)
	return err
}

// settingsText is all settings as a file of settings has them.
func settingsText(path string, rows []settingRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The settings of Parley, from %s\n", text.SanitizeLine(path))
	table := ""
	for _, row := range rows {
		in, key, ok := strings.Cut(row.Name, ".")
		if !ok {
			in, key = "", row.Name
		}
		if in != table {
			table = in
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		from := "default"
		if row.Line > 0 {
			from = fmt.Sprintf("line %d", row.Line)
		}
		fmt.Fprintf(&b, "\n# %s\n%s = %s  # %s\n", row.Doc, key, settings.TOML(row.Value), from)
	}
	return b.String()
}
