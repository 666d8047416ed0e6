package telemetry

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"parley/session"
	"parley/session/sessiontest"
)

// TestEncodedAsBySDK compares what is sent with what the SDK's own exporters send, of
// every capture.
func TestEncodedAsBySDK(t *testing.T) {
	t.Parallel()
	bodies := make(chan []byte, 1)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- body
	}))
	defer web.Close()
	sdkSpans, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(web.URL+"/v1/traces"))
	if err != nil {
		t.Fatal(err)
	}
	sdkMetrics, err := otlpmetrichttp.New(t.Context(), otlpmetrichttp.WithEndpointURL(web.URL+"/v1/metrics"))
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, wanted, got proto.Message, ours encoding) {
		t.Helper()
		if err := proto.Unmarshal(<-bodies, wanted); err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(ours, got); err != nil || !proto.Equal(wanted, got) {
			t.Errorf("%s: %v\n%v\nwant\n%v", name, err, got, wanted)
		}
	}
	for _, name := range sessiontest.LogNames(t) {
		l := newLab(t, true)
		l.play(session.Info{ID: "s"}, sessiontest.Log(t, name)...)
		spans := l.spans.GetSpans().Snapshots()
		if len(spans) == 0 {
			continue
		}
		if err := sdkSpans.ExportSpans(t.Context(), spans); err != nil {
			t.Fatal(err)
		}
		same(name, &tracepb.ExportTraceServiceRequest{}, &tracepb.ExportTraceServiceRequest{}, encodeSpans(spans))
		var all metricdata.ResourceMetrics
		if err := l.reader.Collect(t.Context(), &all); err != nil {
			t.Fatal(err)
		}
		if err := sdkMetrics.Export(t.Context(), &all); err != nil {
			t.Fatal(err)
		}
		same(name, &metricspb.ExportMetricsServiceRequest{}, &metricspb.ExportMetricsServiceRequest{}, encodeMetrics(&all))
	}
}

// TestClientVariables reads the variables of one signal and of all.
func TestClientVariables(t *testing.T) {
	t.Parallel()
	missing := func(path string) string {
		_, err := os.ReadFile(path)
		return fmt.Sprint(err)
	}
	for env, want := range map[string]string{
		"": "http://localhost:4318/v1/traces 10s false",
		"OTEL_EXPORTER_OTLP_ENDPOINT=https://x.example/base/":                                         "https://x.example/base/v1/traces 10s false",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://y/here":       "http://y/here 10s false",
		"OTEL_EXPORTER_OTLP_TIMEOUT=5 OTEL_EXPORTER_OTLP_TRACES_TIMEOUT=7000":                         "http://localhost:4318/v1/traces 7s false",
		"OTEL_EXPORTER_OTLP_TIMEOUT=soon OTEL_EXPORTER_OTLP_COMPRESSION=gzip":                         "http://localhost:4318/v1/traces 10s true",
		"OTEL_EXPORTER_OTLP_CERTIFICATE=/nonexistent":                                                 missing("/nonexistent"),
		"OTEL_EXPORTER_OTLP_CLIENT_KEY=/nonexistent OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE=/no/either": missing("/no/either"),
	} {
		c, err := newClient("TRACES", getenv(env), &errorCollector{})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(c.url, " ", c.Timeout, " ", c.gzip)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", env, got, want)
		}
	}
	for preference, want := range map[string]metricdata.Temporality{"": metricdata.CumulativeTemporality, "delta": metricdata.DeltaTemporality} {
		c, err := newClient("METRICS", getenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE="+preference), &errorCollector{})
		if got := (metricExporter{client: c}).Temporality(sdkmetric.InstrumentKindHistogram); err != nil || got != want {
			t.Errorf("%q: %v, %v", preference, got, err)
		}
	}
}

// getenv reads variables that are separated by spaces.
func getenv(env string) func(string) string {
	return func(name string) string {
		for v := range strings.FieldsSeq(env) {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// TestClientRetries sends again what a receiver was too busy for, and not what it refused
// or took in part.
func TestClientRetries(t *testing.T) {
	t.Parallel()
	answers := make(chan func(http.ResponseWriter), 3)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { (<-answers)(w) }))
	defer web.Close()
	c, err := newClient("TRACES", getenv("OTEL_EXPORTER_OTLP_ENDPOINT="+web.URL), &errorCollector{})
	if err != nil {
		t.Fatal(err)
	}
	answers <- func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }
	answers <- func(http.ResponseWriter) {}
	if err := c.export(t.Context(), nil); err != nil || len(answers) > 0 {
		t.Errorf("%v, and %d answers are left", err, len(answers))
	}
	answers <- func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) }
	if err := c.export(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "400 Bad Request") {
		t.Errorf("%v", err)
	}
	answers <- func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", protobuf)
		var part encoding
		part.in(1, func(m *encoding) { m.number(1, 3); m.text(2, "too many") })
		_, _ = w.Write(part)
	}
	if err := c.export(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "rejected a part: too many") {
		t.Errorf("%v", err)
	}
	answers <- func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "99")
		w.WriteHeader(http.StatusTooManyRequests)
	}
	soon, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	if err := c.export(soon, nil); err == nil || soon.Err() != nil {
		t.Errorf("a receiver is waited for as long as it likes: %v", err)
	}
}
