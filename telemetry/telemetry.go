package telemetry

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"parley/session"
)

// Config is what an Exporter is started with.
type Config struct {
	// Getenv reads the environment of the process. Which signals are exported, and where
	// to, is decided by it; batches, intervals and sampling the SDK reads from the process
	// itself.
	Getenv  func(string) string
	Version string           // of this program
	Now     func() time.Time // ends what is open when the program ends
}

// Exporter exports sessions. A nil one exports nothing and costs nothing.
type Exporter struct {
	tracer   trace.Tracer
	meters   instruments
	content  bool
	now      func() time.Time
	shutdown []shutdownFunc
	errors   *errorCollector

	mu       sync.Mutex
	sessions []*observedSession // whose events still come
}

// shutdownFunc ends what was started with the SDK.
type shutdownFunc func(context.Context) error

// Start sets up the export that the standard OpenTelemetry variables ask for,
// or returns nil if none asks for it: then nothing is started. No connection is
// opened before there is something to send. There is one Exporter in a process,
// since the libraries' own errors have one destination.
func Start(ctx context.Context, c Config) (*Exporter, error) {
	traces, metrics, err := enabledSignals(c.Getenv)
	if err != nil || !traces && !metrics {
		return nil, err
	}
	t := &errorCollector{}
	t.install()
	source, err := newResource(ctx, c.Version)
	if err != nil {
		return nil, err
	}
	var tp trace.TracerProvider = tracenoop.NewTracerProvider()
	var mp metric.MeterProvider = metricnoop.NewMeterProvider()
	var shutdown []shutdownFunc
	if traces {
		p, err := newTracerProvider(c.Getenv, source, t)
		if err != nil {
			return nil, err
		}
		tp, shutdown = p, append(shutdown, p.Shutdown)
	}
	if metrics {
		p, err := newMeterProvider(c.Getenv, source, t)
		if err != nil {
			return nil, errors.Join(err, session.CloseAll(ctx, shutdown))
		}
		mp, shutdown = p, append(shutdown, p.Shutdown)
	}
	e, err := newExporter(tp, mp, c, t)
	if err != nil {
		return nil, errors.Join(err, session.CloseAll(ctx, shutdown))
	}
	e.shutdown = shutdown
	return e, nil
}

// newExporter exports with any SDK.
func newExporter(tp trace.TracerProvider, mp metric.MeterProvider, c Config, t *errorCollector) (*Exporter, error) {
	schema := semconv.SchemaURL
	meters, err := newInstruments(mp.Meter(scope, metric.WithInstrumentationVersion(c.Version), metric.WithSchemaURL(schema)))
	if err != nil {
		return nil, fmt.Errorf("make the metrics: %w", err)
	}
	tracer := tp.Tracer(scope, trace.WithInstrumentationVersion(c.Version), trace.WithSchemaURL(schema))
	return &Exporter{tracer: tracer, meters: meters, content: capturesContent(c.Getenv), now: c.Now, errors: t}, nil
}

// Close ends what is open, sends what was not sent, and stops. It gives up when
// ctx does. The error is the first thing that went wrong since the start.
func (e *Exporter) Close(ctx context.Context) error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	sessions := e.sessions
	e.sessions = nil
	e.mu.Unlock()
	for _, s := range sessions {
		s.end(e.now())
	}
	e.errors.Handle(session.CloseAll(ctx, e.shutdown))
	return e.errors.firstError()
}

// Close calls the function.
func (f shutdownFunc) Close(ctx context.Context) error { return f(ctx) }
