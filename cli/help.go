package cli

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/process"
)

// helpTexts are the help of each command, and its examples behind a line that says so.
//
//go:embed help/*.txt
var helpTexts embed.FS

// helpFile is the file of a command's help.
func helpFile(cmd *cobra.Command) string {
	return "help/" + strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".txt"
}

// describe gives a command its help. What it has of its own comes behind that.
func describe(cmd *cobra.Command) {
	text, err := helpTexts.ReadFile(helpFile(cmd))
	if err != nil {
		return // its one line says it all
	}
	help, examples, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n\nExamples:\n")
	cmd.Long, cmd.Example = strings.TrimSuffix(help+"\n\n"+cmd.Long, "\n\n"), examples
}

// finish gives a command and those below it what all have: help, flags in the order
// in which they were added, and their completion by a shell.
func finish(cmd *cobra.Command) {
	describe(cmd)
	cmd.Flags().BoolP("help", "h", false, "print this help and leave")
	cmd.Flags().SortFlags = false
	completeFlags(cmd)
	for _, sub := range cmd.Commands() {
		finish(sub)
	}
}

// helpCommand is "parley help", which knows when there is nothing to help with.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Print the help of a command",
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return arguments.Names(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			switch {
			case (err != nil || len(rest) > 0) && meantCommand(cmd.Root(), args[0]) != "":
				return fmt.Errorf("there is no command %q: %s", args[0], meantCommand(cmd.Root(), args[0]))
			case err != nil, len(rest) > 0:
				return fmt.Errorf("there is no command %q; `parley --help` lists them, and a prompt of several words needs quotes",
					strings.Join(args, " "))
			}
			return process.Fail(about.Help())
		},
	}
}
