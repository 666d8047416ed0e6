package generate

import (
	"fmt"
	"strings"

	"parley/tui/keymap"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pastSessions is the command whose flags docs/history.md lists.
const pastSessions = "sessions"

// flagTable lists the flags of a chat and of every subcommand of ours, but for
// those about past sessions, which docs/history.md lists.
func flagTable(program *cobra.Command) string {
	var b strings.Builder
	b.WriteString("| flag | what it does |\n|---|---|\n")
	list := func(cmd *cobra.Command, before string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" && before != "" {
				return // every command has it
			}
			fmt.Fprintf(&b, "| %s |\n", flagCells(f, before))
		})
	}
	var all func(cmd *cobra.Command, before string)
	all = func(cmd *cobra.Command, before string) {
		list(cmd, before)
		for _, sub := range cmd.Commands() {
			if sub.Name() != pastSessions {
				all(sub, before+sub.Name()+" ")
			}
		}
	}
	all(program, "")
	return b.String()
}

// flagCells is a flag of a command, and what it does, as two cells of a table.
func flagCells(f *pflag.Flag, command string) string {
	value, usage := pflag.UnquoteUsage(f)
	name := command + "--" + f.Name
	if f.Value.Type() != "bool" {
		name += " " + strings.ToUpper(value)
	}
	if f.Shorthand != "" && command == "" {
		name = "-" + f.Shorthand + "`, `" + name
	}
	return fmt.Sprintf("`%s` | %s", name, cell(usage))
}

// commandTable lists the slash commands.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | also |\n|---|---|---|\n")
	for _, c := range keymap.Commands() {
		if c.Slash == "" {
			continue
		}
		also := make([]string, len(c.Aliases))
		for i, a := range c.Aliases {
			also[i] = "`/" + a + "`"
		}
		name := "/" + c.Slash
		if c.Args != "" {
			name += " " + c.Args
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), cell(c.Title), strings.Join(also, " "))
	}
	return b.String()
}

// cell is a text as a cell of a table shows it.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }
