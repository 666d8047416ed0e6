package cli

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"parley/cli/process"
)

// TestHelpTexts: each help is that of a command, and each command below the first has
// one of its own or says all in one line.
func TestHelpTexts(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var described func(cmd *cobra.Command)
	described = func(cmd *cobra.Command) {
		if i := slices.Index(names, helpFile(cmd)); i >= 0 {
			names = slices.Delete(names, i, i+1)
		} else if cmd.Parent() == cmd.Root() && cmd.Name() != "help" {
			t.Errorf("%s is not in cli/help", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			described(sub)
		}
	}
	described(CommandLine(process.Console{}))
	if len(names) > 0 {
		t.Errorf("%q is the help of no command", names)
	}
}
