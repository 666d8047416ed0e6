package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// lab is an exporter to memory.
type lab struct {
	*Exporter
	spans  *tracetest.InMemoryExporter
	reader *sdkmetric.ManualReader
}

func newLab(t testing.TB, content bool) *lab {
	t.Helper()
	l := &lab{spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader()}
	var err error
	l.Exporter, err = newExporter(sdktrace.NewTracerProvider(sdktrace.WithSyncer(l.spans)),
		sdkmetric.NewMeterProvider(sdkmetric.WithReader(l.reader)), Config{
			Getenv: func(name string) string {
				if content && name == "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" {
					return "true"
				}
				return ""
			},
			Version: "test",
			Now:     func() time.Time { return time.Unix(0, 0) },
		}, &errorCollector{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// play projects events as a session of their own.
func (l *lab) play(info session.Info, events ...session.Event) {
	p := newProjection(info, l.Exporter)
	for _, ev := range events {
		p.apply(ev)
	}
	p.finish(time.Time{})
}

// tree prints spans as trees, with what they say.
func (l *lab) tree() string {
	all := slices.Clone(l.spans.GetSpans())
	slices.SortStableFunc(all, func(a, b tracetest.SpanStub) int {
		return cmp.Or(a.StartTime.Compare(b.StartTime), b.EndTime.Compare(a.EndTime))
	})
	var b strings.Builder
	for _, s := range all {
		if !s.Parent.IsValid() {
			printSpan(&b, all, s, all[0].StartTime, 0)
		}
	}
	return b.String()
}

func printSpan(b *strings.Builder, all []tracetest.SpanStub, s tracetest.SpanStub, zero time.Time, depth int) {
	indent := strings.Repeat("  ", depth)
	fmt.Fprintf(b, "%s%s  +%s %s", indent, s.Name, short(s.StartTime.Sub(zero)), short(s.EndTime.Sub(s.StartTime)))
	if s.SpanKind != trace.SpanKindInternal {
		fmt.Fprintf(b, " %s", s.SpanKind)
	}
	if s.Status.Code == codes.Error {
		fmt.Fprintf(b, " ERROR %s", s.Status.Description)
	}
	for range s.Links {
		b.WriteString(" follows")
	}
	b.WriteByte('\n')
	for _, a := range sorted(s.Attributes) {
		switch a.Key {
		case semconv.GenAIConversationIDKey, semconv.GenAIOperationNameKey:
			continue
		}
		fmt.Fprintf(b, "%s    %s=%s\n", indent, a.Key, a.Value.String())
	}
	for _, e := range s.Events {
		fmt.Fprintf(b, "%s    * +%s %s%s\n", indent, short(e.Time.Sub(zero)), e.Name, list(e.Attributes))
	}
	for _, child := range all {
		if child.Parent.SpanID() == s.SpanContext.SpanID() {
			printSpan(b, all, child, zero, depth+1)
		}
	}
}

func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

func sorted(as []attribute.KeyValue) []attribute.KeyValue {
	set := attribute.NewSet(as...)
	return set.ToSlice()
}

func list(as []attribute.KeyValue) string {
	var b strings.Builder
	for _, a := range sorted(as) {
		fmt.Fprintf(&b, " %s=%s", a.Key, a.Value.String())
	}
	return b.String()
}

// metrics prints what was measured.
func (l *lab) metrics(t testing.TB) string {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := l.reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			lines = append(lines, points(m)...)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

func points(m metricdata.Metrics) (lines []string) {
	point := func(as attribute.Set, format string, values ...any) {
		lines = append(lines, fmt.Sprintf("%s %s%s: ", m.Name, m.Unit, list(as.ToSlice()))+fmt.Sprintf(format, values...))
	}
	switch d := m.Data.(type) {
	case metricdata.Histogram[float64]:
		for _, p := range d.DataPoints {
			point(p.Attributes, "%d, in all %.3f", p.Count, p.Sum)
		}
	case metricdata.Histogram[int64]:
		for _, p := range d.DataPoints {
			point(p.Attributes, "%d, in all %d", p.Count, p.Sum)
		}
	case metricdata.Sum[float64]:
		for _, p := range d.DataPoints {
			point(p.Attributes, "%g", p.Value)
		}
	case metricdata.Sum[int64]:
		for _, p := range d.DataPoints {
			point(p.Attributes, "%d", p.Value)
		}
	default:
		lines = append(lines, fmt.Sprintf("%s: %T", m.Name, d))
	}
	return lines
}
