package telemetry

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// errorCollector keeps the first error of exporting: it is reported once, when the
// program ends.
type errorCollector struct {
	mu    sync.Mutex
	first error
}

// Handle implements otel.ErrorHandler. What was cancelled the SDK gave up itself,
// to do it again as it stops.
func (t *errorCollector) Handle(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil {
		t.first = err
	}
}

func (t *errorCollector) firstError() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.first
}

// install has the libraries report their errors to t alone. They would write them
// to the standard error, which is the screen, and take where to as a setting of
// the process. A log line of theirs may show a secret next to its message, such
// as the headers, so only the message is kept.
func (t *errorCollector) install() {
	otel.SetErrorHandler(t)
	otel.SetLogger(logr.New(sink{t}))
}

// sink is a log of which only the errors are kept.
type sink struct{ errors *errorCollector }

// Init implements logr.LogSink.
func (sink) Init(logr.RuntimeInfo) {}

// Enabled implements logr.LogSink.
func (sink) Enabled(int) bool { return false }

// Info implements logr.LogSink.
func (sink) Info(int, string, ...any) {}

// Error implements logr.LogSink.
func (s sink) Error(err error, message string, _ ...any) {
	s.errors.Handle(fmt.Errorf("%s: %w", message, err))
}

// WithValues implements logr.LogSink.
func (s sink) WithValues(...any) logr.LogSink { return s }

// WithName implements logr.LogSink.
func (s sink) WithName(string) logr.LogSink { return s }

// newTracerProvider sets up the export of spans. Nothing is connected before there is something to
// send.
func newTracerProvider(getenv func(string) string, r *resource.Resource, t *errorCollector) (*sdktrace.TracerProvider, error) {
	c, err := newClient("TRACES", getenv, t)
	if err != nil {
		return nil, fmt.Errorf("export traces: %w", err)
	}
	return sdktrace.NewTracerProvider(sdktrace.WithBatcher(spanExporter{c, t}, validateBatching), sdktrace.WithResource(r)), nil
}

// maxQueue is how many spans may wait to be sent.
const maxQueue = 1 << 16

// validateBatching puts the defaults in the place of what the variables for batches cannot
// mean: the SDK panics at a size that is negative, and never rests without a
// delay.
func validateBatching(o *sdktrace.BatchSpanProcessorOptions) {
	if o.MaxQueueSize < 1 || o.MaxQueueSize > maxQueue {
		o.MaxQueueSize = sdktrace.DefaultMaxQueueSize
	}
	if o.MaxExportBatchSize < 1 || o.MaxExportBatchSize > o.MaxQueueSize {
		o.MaxExportBatchSize = min(sdktrace.DefaultMaxExportBatchSize, o.MaxQueueSize)
	}
	if o.BatchTimeout <= 0 {
		o.BatchTimeout = sdktrace.DefaultScheduleDelay * time.Millisecond
	}
}

// newMeterProvider sets up the export of metrics.
func newMeterProvider(getenv func(string) string, r *resource.Resource, t *errorCollector) (*sdkmetric.MeterProvider, error) {
	c, err := newClient("METRICS", getenv, t)
	if err != nil {
		return nil, fmt.Errorf("export metrics: %w", err)
	}
	reader := sdkmetric.NewPeriodicReader(metricExporter{c, t})
	return sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(r)), nil
}

// newResource says who exports: this program, unless OTEL_SERVICE_NAME and
// OTEL_RESOURCE_ATTRIBUTES say otherwise. An instance has an id of its own, so
// that the sums of two windows are not taken for one.
func newResource(ctx context.Context, version string) (*resource.Resource, error) {
	r, err := resource.New(ctx, resource.WithService(), resource.WithTelemetrySDK(),
		resource.WithAttributes(semconv.ServiceName("parley"), semconv.ServiceVersion(version)), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) && !errors.Is(err, resource.ErrSchemaURLConflict) {
		return nil, fmt.Errorf("describe the telemetry's source: %w", err)
	}
	return r, nil
}
