package cli

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/text"
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
	written, err := helpTexts.ReadFile(helpFile(cmd))
	if err != nil {
		return // its one line says it all
	}
	help, examples, _ := strings.Cut(strings.TrimSuffix(string(written), "\n"), "\n\nExamples:\n")
	cmd.Long, cmd.Example = strings.TrimSuffix(help+"\n\n"+cmd.Long, "\n\n"), examples
}

// finish gives a command and those below it what all have: help, flags in the order
// in which they were added, and their completion by a shell.
func finish(cmd *cobra.Command, c process.Console) {
	describe(cmd)
	cmd.Flags().BoolP("help", "h", false, "print this help and exit")
	cmd.Flags().SortFlags = false
	completeFlags(cmd, c)
	for _, sub := range cmd.Commands() {
		finish(sub, c)
	}
}

// wrapHelp has the help of a command and of those below it fit the width of the output. Examples
// are copied, so they stay as they are.
func wrapHelp(cmd *cobra.Command, c process.Console) {
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var b strings.Builder
		out := cmd.OutOrStdout()
		cmd.SetOut(&b)
		help(cmd, args)
		cmd.SetOut(out)
		_, _ = io.WriteString(out, wrapped(b.String(), output.Width(c)))
	})
}

// wrapped breaks the lines of a help that are wider than width between words. What was
// broken in its file is filled again; the rest of a flag stands below its description.
func wrapped(help string, width int) string {
	const (
		gap   = "  " // between columns, and before a flag or an example
		least = 16   // cells for words, else they are left to the terminal
	)
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSuffix(help, "\n"), "\n\n") {
		if !strings.Contains(paragraph, "\n"+gap) && !strings.HasPrefix(paragraph, gap) {
			paragraph = strings.ReplaceAll(paragraph, "\n", " ")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			words := strings.TrimLeft(line, " ")
			if i := strings.LastIndex(line, gap); i >= 0 {
				words = line[i+len(gap):]
			}
			indent := len(line) - len(words)
			if room := width - indent; len(line) > width && room >= least && !strings.HasPrefix(paragraph, "Examples:") {
				line = line[:indent] + strings.Join(text.Wrap(words, room), "\n"+strings.Repeat(" ", indent))
			}
			b.WriteString(line + "\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
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
