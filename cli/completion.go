package cli

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli/agents"
	"parley/cli/headless"
	"parley/cli/output"
	"parley/cli/policy"
	"parley/cli/print"
	"parley/cli/process"
	"parley/cli/sessions"
	"parley/settings/mcpfile"
	"parley/tui/keymap"
)

// shells are those that completions are written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand writes a script with which a shell completes Parley's
// command line. The script asks Parley itself, which starts nothing for it.
func completionCommand(c process.Console) *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Write a script that completes the command line in bash, zsh, fish or PowerShell",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return fmt.Errorf("completion takes a shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "zsh":
				return process.Fail(cmd.Root().GenZshCompletion(c.Out))
			case "fish":
				return process.Fail(cmd.Root().GenFishCompletion(c.Out, true))
			case "powershell":
				return process.Fail(cmd.Root().GenPowerShellCompletionWithDesc(c.Out))
			}
			return process.Fail(bashCompletion(c.Out, cmd.Root()))
		},
	}
}

// bashWords is how the script for bash finds the words of a line if the package
// bash-completion is not there to do it.
//
//go:embed completion_words.bash
var bashWords string

// bashCompletion writes the script for bash.
func bashCompletion(out io.Writer, root *cobra.Command) error {
	if err := root.GenBashCompletionV2(out, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n"+bashWords)
	return err
}

// completeFlags teaches a command the values of its flags.
func completeFlags(cmd *cobra.Command, c process.Console) {
	words := map[string][]string{ // of the flags that take one of a few
		"mode": agents.Modes, "output": headless.Outputs, "preset": keymap.PresetNames(), "as": print.Forms,
		"density": print.Densities, "color": output.Colours, "sort": sessions.Orders, "format": sessions.Formats,
		"low-bandwidth": agents.LowBandwidths(), "scope": mcpfile.Scopes, "transport": mcpfile.Transports,
		"allow-tool": {policy.KindRead, policy.KindWrite, policy.KindShell, policy.KindURL, policy.KindMemory},
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if complete := completer(f, words, c); complete != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails for a flag of two commands only
		}
	})
}

// completer completes the value of a flag, by what its usage calls that; nil leaves it
// to the shell, which knows the files.
func completer(f *pflag.Flag, words map[string][]string, c process.Console) cobra.CompletionFunc {
	switch name, _ := pflag.UnquoteUsage(f); name {
	case "file":
		return nil
	case "folder":
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case "agent":
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeAgent(c, typed)
		}
	}
	return cobra.FixedCompletions(words[f.Name], cobra.ShellCompDirectiveNoFileComp)
}

// completeAgent completes --agent, and after replay: the file.
func completeAgent(c process.Console, typed string) ([]string, cobra.ShellCompDirective) {
	prefixes := []string{agents.ACPPrefix, agents.SSEPrefix, agents.OpenAIPrefix, agents.ReplayPrefix}
	path, replays := strings.CutPrefix(typed, agents.ReplayPrefix)
	if !replays {
		names := slices.DeleteFunc(append(agents.CalledHere(c), prefixes...), func(name string) bool {
			return !strings.HasPrefix(name, typed)
		})
		if len(names) == 1 && slices.Contains(prefixes, names[0]) {
			return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		if strings.HasPrefix(name, base) && (e.IsDir() || filepath.Ext(name) == ".jsonl") && (base != "" || name[0] != '.') {
			found = append(found, agents.ReplayPrefix+dir+name)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
