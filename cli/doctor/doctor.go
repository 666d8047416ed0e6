// Package doctor looks at what Parley needs around it, and says what is missing.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/config"
	"parley/cli/output"
	"parley/cli/process"
	"parley/settings"
	"parley/settings/environ"
	"parley/terminal"
	"parley/theme"
	"parley/tui"
)

// Command says what Parley found around it, and what to do.
func Command(c process.Console) *cobra.Command {
	var asJSON, reset bool
	var o agents.Options
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the terminal, the agent, folders and files, and say what to do",
		Args:  cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if reset {
				return process.Fail(resetTerminal(c))
			}
			_ = o.FindFolder() // what is wrong with it is among the findings
			return process.Fail(doctor(c, o, asJSON))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "write what was found as JSON")
	f.BoolVar(&reset, "reset", false, "give this terminal back to the shell after a window that was killed, and look at nothing")
	f.StringVar(&o.CopilotPath, "copilot-path", "", "the Copilot CLI to look at, a `file` (default: $COPILOT_CLI_PATH, then the PATH)")
	return cmd
}

// errSick says that Parley cannot work; why was said before.
var errSick = errors.New("a problem keeps Parley from working; see above")

// doctor looks and writes what it found.
func doctor(c process.Console, o agents.Options, asJSON bool) error {
	ctx, stop := process.UntilSignal(context.Background())
	defer stop()
	d := diagnose(Gather(ctx, c, o))
	if err := context.Cause(ctx); err != nil {
		return err
	}
	text, err := d.JSON()
	if !asJSON {
		th, profile := output.Theme(c, "auto")
		out := &colorprofile.Writer{Forward: c.Out, Profile: profile}
		_, err = fmt.Fprintln(out, strings.Join(d.lines(output.Width(c), th), "\n"))
	} else if err == nil {
		_, err = c.Out.Write(text)
	}
	switch {
	case err != nil:
		return fmt.Errorf("write what was found: %w", err)
	case !d.Works:
		return errSick
	}
	return nil
}

// resetTerminal brings the terminal back to what a shell expects, whatever a
// window that was killed has left on.
func resetTerminal(c process.Console) error {
	if !term.IsTerminal(c.In.Fd()) || !term.IsTerminal(c.Out.Fd()) {
		return errors.New("reset the terminal: the input or the output is none")
	}
	if _, err := c.Out.WriteString(terminal.Environment{Vars: c.Env}.ResetSequence()); err != nil {
		return fmt.Errorf("reset the terminal: %w", err)
	}
	if err := makeSane(c.In, c.Err); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.Out, "The terminal is as a shell expects it.")
	return err
}

// WindowOf is what the window would be configured with. A
// mistake in the settings leaves them as they come.
func WindowOf(c process.Console) tui.Config {
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	prefer, err := settings.Load(settings.Path(c.Env, home))
	if err != nil {
		prefer = settings.Defaults()
	}
	keys, _ := config.LoadKeys(c) // nor do those of the keys
	return tui.Config{Settings: prefer, Keys: keys, Home: home, Env: c.Env, In: c.In, Out: c.Out, Version: process.Version()}
}

// Gather finds out what there is to know from outside of a window: the terminal,
// if there is one, is asked.
func Gather(ctx context.Context, c process.Console, o agents.Options) Facts {
	w := WindowOf(c)
	isTerminal := term.IsTerminal(c.In.Fd()) && term.IsTerminal(c.Out.Fd())
	var heard terminal.Heard
	width, height := 0, 0
	if isTerminal {
		width, height, _ = term.GetSize(c.Out.Fd())
		if (environ.Get(c.Env, "TERM") != "" || runtime.GOOS == "windows") && !environ.Dumb(c.Env) {
			var over func()
			heard, over = askTerminal(c.In, c.Out)
			defer over() // after all else, which takes a while: it may answer late
		}
	}
	return look(ctx, w, o, w.Environment().Describe(heard, width, height), isTerminal)
}

// Examine is the doctor for a window, which knows the terminal and must not ask
// it anew.
func Examine(o agents.Options) func(context.Context, tui.Config, terminal.Description) (tui.Examination, error) {
	return func(ctx context.Context, c tui.Config, t terminal.Description) (tui.Examination, error) {
		d := diagnose(look(ctx, c, o, t, true))
		return func(width int, th *theme.Theme) []string { return d.lines(width, th) }, ctx.Err()
	}
}
