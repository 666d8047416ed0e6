package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/arguments"
	"parley/cli/headless"
	"parley/cli/output"
	"parley/cli/policy"
	"parley/cli/print"
	"parley/cli/process"
	"parley/tui/keymap"
)

// shells are those that completions are written for.
var shells = []string{"bash", "zsh", "fish"}

// completionCommand writes a script with which a shell completes Parley's
// command line. The script asks Parley itself, which starts nothing for it.
func completionCommand(c process.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a script that completes the command line in bash, zsh or fish",
		Long:  "Completion writes a script that completes Parley's command line in a shell: bash, zsh or fish.",
		Example: "  source <(parley completion bash)                                       # in ~/.bashrc\n" +
			"  parley completion zsh > \"${fpath[1]}/_parley\"\n" +
			"  parley completion fish > ~/.config/fish/completions/parley.fish",
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
			}
			return process.Fail(bashCompletion(c.Out, cmd.Root()))
		},
	}
	cmd.Flags().BoolP("help", "h", false, "print this help and leave")
	return cmd
}

// alone is how the script for bash finds the words of a line where the package
// bash-completion is not there to do it: Cobra's own way leans on it, and each tab
// would print an error. The words end at blanks; quotes are not looked at.
const alone = `
__parley_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=${words[cword - 1]}
}
`

// bashCompletion writes the script for bash.
func bashCompletion(out io.Writer, root *cobra.Command) error {
	if err := root.GenBashCompletionV2(out, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, alone)
	return err
}

// words are the values of flags, by command and flag. What takes a file has no
// row: shells complete files by themselves.
func words(cmd *cobra.Command) map[string][]string {
	return map[string]map[string][]string{
		"parley": {"mode": agents.Modes, "output": headless.Outputs, "allow-tool": {
			policy.KindRead, policy.KindWrite, policy.KindShell, policy.KindURL, policy.KindMemory,
		}},
		"keys":  {"preset": keymap.PresetNames()},
		"print": {"as": {print.AsTimeline, print.AsModel}, "color": output.Colours},
	}[cmd.Name()]
}

// unguessed are the flags whose values nothing can know without an agent.
var unguessed = []string{"speed", "copilot-url", "model", "resume", "prompt", "width"}

// completing teaches a command line the values of its flags and arguments.
func completing(cmd *cobra.Command) {
	for _, c := range append(cmd.Commands(), cmd) {
		for flag, values := range words(c) {
			arguments.Complete(c, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		for _, flag := range unguessed {
			arguments.Complete(c, flag, cobra.NoFileCompletions)
		}
		arguments.Complete(c, "cwd", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	arguments.Complete(cmd, "agent", completeAgent)
	cmd.ValidArgsFunction = cobra.NoFileCompletions // a prompt
}

// completeAgent completes --agent, and after replay: the file.
func completeAgent(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	for _, prefix := range []string{agents.SSEPrefix, agents.OpenAIPrefix, agents.ReplayPrefix} {
		if typed != "" && typed != prefix && strings.HasPrefix(prefix, typed) {
			return []string{prefix}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
	}
	path, replays := strings.CutPrefix(typed, agents.ReplayPrefix)
	if !replays {
		return []string{
			agents.Copilot, agents.Demo, agents.SSEPrefix, agents.OpenAIPrefix, agents.ReplayPrefix,
		}, cobra.ShellCompDirectiveNoFileComp
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
