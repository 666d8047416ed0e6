package generate

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/history/sessions"
)

// fieldTable lists the filters of the query language.
func fieldTable() string {
	var b strings.Builder
	b.WriteString("| Filter | What it asks for | Such as |\n| --- | --- | --- |\n")
	for _, f := range sessions.Fields() {
		names := "`" + f.Name + ":`"
		for _, also := range f.Also {
			names += " `" + also + ":`"
		}
		var values []string
		for _, v := range f.Values {
			if f.Kind != sessions.Choices {
				values = append(values, "`"+v.Name+"`")
			}
		}
		what := f.Title
		if f.Kind == sessions.Choices {
			what += ", see below"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", names, what, strings.Join(values, " "))
	}
	b.WriteString("\n| | What it means |\n| --- | --- |\n")
	for _, f := range sessions.Fields() {
		for _, v := range f.Values {
			if f.Kind == sessions.Choices {
				fmt.Fprintf(&b, "| `%s:%s` | %s |\n", f.Name, v.Name, v.Title)
			}
		}
	}
	return b.String()
}

// sessionFlags lists the flags of the commands about past sessions, each with the
// commands that have it.
func sessionFlags(program *cobra.Command) (string, error) {
	cmd, _, err := program.Find([]string{pastSessions})
	if err != nil {
		return "", fmt.Errorf("find the commands about past sessions: %w", err)
	}
	var rows []string
	with := map[string][]string{}
	for _, sub := range cmd.Commands() {
		sub.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			row := "| " + flagCells(f, "") + " |"
			if with[row] == nil {
				rows = append(rows, row)
			}
			with[row] = append(with[row], "`"+sub.Name()+"`")
		})
	}
	var b strings.Builder
	b.WriteString("| Flag | What it does | Of |\n| --- | --- | --- |\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "%s %s |\n", row, strings.Join(with[row], " "))
	}
	return b.String(), nil
}
