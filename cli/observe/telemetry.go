package observe

import (
	"context"
	"fmt"
	"time"

	"parley/cli/process"
	"parley/settings/environ"
	"parley/telemetry"
)

// flushGrace is how long leaving waits for a receiver of telemetry.
const flushGrace = 3 * time.Second

// withTelemetry runs a command with the export that the standard OpenTelemetry
// variables ask for, if one does. That telemetry cannot start, or did not
// arrive, is said once and is no failure of the command.
func (o Observer) withTelemetry(c process.Console, now func() time.Time, command func(Observer) error) error {
	say := func(what string, err error) {
		if err == nil {
			return
		}
		process.Complain(c.Err, fmt.Errorf("%s: %w", what, err))
		if o.log != nil {
			o.log.Error("telemetry", "error", category(err))
		}
	}
	exporter, err := telemetry.Start(context.Background(), telemetry.Config{
		Getenv: func(name string) string { return environ.Get(c.Env, name) }, Version: process.Release, Now: now,
	})
	say("telemetry is off", err)
	o.telemetry = exporter
	err = command(o)
	ctx, cancel := context.WithTimeout(context.Background(), flushGrace)
	defer cancel()
	say("the telemetry is not complete", exporter.Close(ctx))
	return err
}
