package cli

import (
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"parley/cli/process"
)

// TestHelpWraps: no help is wider than the output, but for examples.
func TestHelpWraps(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, width := range []string{"80", "60", "132"} {
		cmd := CommandLine(process.Console{Out: devNull(t), Env: []string{"COLUMNS=" + width}})
		most, _ := strconv.Atoi(width)
		for _, sub := range append(cmd.Commands(), cmd) {
			out.Reset()
			sub.SetOut(&out)
			if err := sub.Help(); err != nil {
				t.Fatal(err)
			}
			before, examples, _ := strings.Cut(out.String(), "Examples:\n")
			_, flags, _ := strings.Cut(examples, "\n\n")
			for line := range strings.SplitSeq(before+flags, "\n") {
				if len(line) > most {
					t.Errorf("%s at %s: %d bytes: %q", sub.CommandPath(), width, len(line), line)
				}
			}
			if got, want := strings.Fields(out.String()), strings.Fields(sub.Long); len(want) > 0 && !slices.Equal(got[:len(want)], want) {
				t.Errorf("%s at %s does not begin with its text:\n%s", sub.CommandPath(), width, out.String())
			}
		}
	}
}

// devNull is an output that is no terminal.
func devNull(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

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
