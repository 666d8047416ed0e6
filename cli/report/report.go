// Package report writes an account of a fault for whoever mends it, without what was
// said in a session.
package report

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/cli/agents"
	"parley/cli/doctor"
	"parley/cli/output"
	"parley/cli/process"
	"parley/render/text"
	"parley/session"
	"parley/session/trace"
	"parley/tui"
	"parley/tui/files"
)

// reportFlags are the flags of a report.
type reportFlags struct {
	agents.Options
	output  string
	logFile string
}

// Command writes a report of a mistake.
func Command(c process.Console) *cobra.Command {
	var o reportFlags
	cmd := &cobra.Command{
		Use:   "report [LOG]",
		Short: "Write a bug report, without content and secrets",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("output") && o.output == "" {
				return errors.New("--output needs the name of a file")
			}
			return process.Fail(report(c, o, strings.Join(args, "")))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.output, "output", "", "write it to this `file`, which must not be there yet, once it was shown")
	f.StringVar(&o.logFile, "log-file", "", "include the end of this `file` of --log-file")
	f.StringVar(&o.CopilotPath, "copilot-path", "", "the Copilot CLI it is about, a `file` (default: $COPILOT_CLI_PATH, then the PATH)")
	return cmd
}

// report shows a report, and writes it if that is wanted.
func report(c process.Console, o reportFlags, log string) error {
	ctx, stop := process.UntilSignal(context.Background())
	defer stop()
	w := doctor.WindowOf(c)
	found := doctor.Gather(ctx, c, o.Options)
	a := account{agent: found.Agent.Version, terminal: found.Terminal, settings: w.Settings, keys: w.Keys, env: c.Env}
	for _, f := range found.Files {
		if f.Mistake != "" {
			a.mistaken = append(a.mistaken, f.Name)
		}
	}
	if log != "" {
		var err error
		if a.recent, err = lastEvents(c, log); err != nil {
			return err
		}
	}
	if o.logFile != "" {
		var err error
		if a.log, err = readTail(o.logFile); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	s := a.text()
	if _, err := fmt.Fprint(c.Out, text.Sanitize(s)); err != nil {
		return fmt.Errorf("show the report: %w", err)
	}
	name := o.output
	if name == "" {
		if name = "parley-report-" + time.Now().Format(time.DateOnly) + ".md"; !c.Agrees("Write it to " + name + "? [y/N] ") {
			return nil
		}
	}
	switch err := files.Create(name, s); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already, and stays as it is; give another name with --output", name)
	case err != nil:
		return err
	}
	_, _ = fmt.Fprintf(c.Err, "The report is in %s. Read it once more before you give it to others.\n", text.SanitizeLine(name))
	return nil
}

// lastEvents are the last events of a stored log.
func lastEvents(c process.Console, log string) (trace.RecentEvents, error) {
	var r trace.RecentEvents
	in, name, err := output.OpenLog(c, log)
	if err != nil {
		return r, err
	}
	defer in.Close()
	return r, output.EachEvent(c, in, name, func(ev session.Event) { r.Add(&ev) })
}

// Account is the report for a window, which knows its session and its terminal.
// logFile is where it logs; "" is nowhere.
func Account(logFile string) func(context.Context, tui.Config, tui.Scene) (string, error) {
	return func(ctx context.Context, c tui.Config, s tui.Scene) (string, error) {
		a := account{agent: s.Agent, terminal: s.Terminal, settings: s.Settings, keys: s.Keys, env: c.Env, recent: s.Recent}
		if logFile != "" {
			var err error
			if a.log, err = readTail(logFile); err != nil {
				return "", err
			}
		}
		return a.text(), ctx.Err()
	}
}
