// Package observe watches the sessions of a command: a log without content, and
// telemetry.
package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"parley/cli/agents"
	"parley/cli/process"
	"parley/session"
	"parley/session/observe"
	"parley/telemetry"
)

// Observer watches sessions: it writes the log of --log-file, and exports the
// telemetry that the environment asks for. The zero Observer watches nothing.
type Observer struct {
	LogFile string // of --log-file; "" for none

	log       *slog.Logger        // nil without a log file
	telemetry *telemetry.Exporter // nil unless the environment asks for it
}

// Register adds the flag of the log to a command line.
func (o *Observer) Register(f *pflag.FlagSet) {
	f.StringVar(&o.LogFile, "log-file", "", "append a log without content or secrets to this `file`")
}

// Check finds what the flag cannot mean.
func (o *Observer) Check(given *pflag.FlagSet) error {
	if given.Changed("log-file") && o.LogFile == "" {
		return errors.New("--log-file needs the name of a file")
	}
	return nil
}

// Around runs a command under the log and the telemetry that are asked for.
func (o Observer) Around(c process.Console, command func(Observer) error) error {
	return o.withLog(c, func(o Observer) error { return o.withTelemetry(c, time.Now, command) })
}

// Open is how to open an agent so that what it does is logged and exported, as far
// as Around was asked for that. A log that is played again is not exported: it was
// when it happened.
func (o Observer) Open(b agents.Backend) func(context.Context) (session.Agent, error) {
	return func(ctx context.Context) (session.Agent, error) {
		agent, err := b.Open(ctx)
		if err != nil {
			if o.log != nil {
				o.log.Error("start", "error", category(err))
			}
			return nil, err
		}
		var observers []observe.Observer
		if o.telemetry != nil && !b.Replayed {
			observers = append(observers, o.telemetry)
		}
		if o.log != nil {
			observers = append(observers, begun(o.log))
		}
		if observers == nil {
			return agent, nil
		}
		return observe.Agent(agent, observers...), nil
	}
}

// withLog runs a command with the log of --log-file, if there is to be one.
// That the log could not be written is said once, and is no failure of the
// command.
func (o Observer) withLog(c process.Console, command func(Observer) error) error {
	if o.LogFile == "" {
		return command(o)
	}
	f, err := openLogFile(o.LogFile)
	if err != nil {
		return err
	}
	w := &logWriter{Writer: f}
	o.log = slog.New(slog.NewJSONHandler(w, nil))
	err = command(o)
	if lerr := errors.Join(w.failure(), f.Close()); lerr != nil {
		process.Complain(c.Err, fmt.Errorf("the log file is not complete: %w", lerr))
	}
	return err
}
