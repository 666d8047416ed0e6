package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"

	"go.opentelemetry.io/otel"

	"parley/session/sessiontest/otlp"
)

// The variables that a test must not inherit.
var variables = []string{
	"OTEL_SDK_DISABLED", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
	"OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
	"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_HEADERS",
	"OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_BSP_SCHEDULE_DELAY",
	"OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "OTEL_METRIC_EXPORT_INTERVAL", "OTEL_METRIC_EXPORT_TIMEOUT",
	"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "OTEL_TRACES_SAMPLER",
}

// started is an exporter that reads the environment of this process, as the SDK
// does.
func started(t *testing.T, env map[string]string) (*Exporter, error) {
	t.Helper()
	for _, name := range variables {
		t.Setenv(name, env[name])
	}
	return Start(t.Context(), Config{Getenv: func(name string) string { return env[name] }, Version: "1.2.3", Now: func() time.Time { return event(9, nil).Time }})
}

// one is a session with a turn and a call.
func one() []session.Event {
	return []session.Event{
		event(0, session.UserMessage{Content: "x"}), event(1, session.AssistantTurnStart{}),
		event(5, session.AssistantUsage{Model: "m", InputTokens: 7, OutputTokens: 3, Duration: 3, TimeToFirstTokenMs: 1}),
		event(6, start("c", "bash")), event(7, done("c")), event(8, session.AssistantTurnEnd{}), event(9, session.AssistantIdle{}),
	}
}

const oneTree = "invoke_agent\n  turn\n    chat m\n    execute_tool bash\n"

// closed closes an exporter in good time.
func closed(t *testing.T, e *Exporter, within time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	return e.Close(ctx)
}

// TestExport sends a session to a receiver over HTTP, with everything that the
// standard variables say.
func TestExport(t *testing.T) {
	r := otlp.Serve(t)
	e, err := started(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20abc,x-team=ops",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test,team=red", "OTEL_SERVICE_NAME": "my-parley",
	})
	if err != nil {
		t.Fatal(err)
	}
	(&lab{Exporter: e}).play(session.Info{ID: "s-1"}, one()...)
	if err := closed(t, e, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := r.Tree(); got != oneTree {
		t.Errorf("the receiver has\n%s", got)
	}
	if h := r.Header(); h.Get("Authorization") != "Basic abc" || h.Get("X-Team") != "ops" || h.Get("Content-Encoding") != "gzip" {
		t.Errorf("the header is %v", h)
	}
	source := r.Resource()
	for name, want := range map[string]string{
		"service.name": "my-parley", "service.version": "1.2.3", "team": "red", "deployment.environment.name": "test", "telemetry.sdk.language": "go",
	} {
		if source[name] != want {
			t.Errorf("%s is %q, want %q", name, source[name], want)
		}
	}
	if source["service.instance.id"] == "" {
		t.Error("two instances have the same id")
	}
	for name := range source {
		if strings.HasPrefix(name, "process.") || strings.HasPrefix(name, "host.") || strings.HasPrefix(name, "os.") {
			t.Errorf("%s is exported", name)
		}
	}
	units := r.Metrics()
	for name, unit := range map[string]string{
		"gen_ai.client.token.usage": "{token}", "gen_ai.client.operation.duration": "s", "gen_ai.client.operation.time_to_first_chunk": "s",
		"gen_ai.invoke_agent.duration": "s", "gen_ai.execute_tool.duration": "s", "github.copilot.tool.call.count": "{call}",
		"github.copilot.agent.turn.count": "{turn}",
	} {
		if units[name] != unit {
			t.Errorf("%s is in %q, want %q", name, units[name], unit)
		}
	}
	for _, s := range r.Spans() {
		if got := otlp.Attribute(s, "gen_ai.conversation.id"); got != "s-1" {
			t.Errorf("%s belongs to the session %q", s.GetName(), got)
		}
	}
}

// TestExportOverTLS trusts the certificate that is named, and no other.
func TestExportOverTLS(t *testing.T) {
	r, certificate := otlp.ServeTLS(t)
	for named, want := range map[string]string{certificate: oneTree, "": ""} {
		e, err := started(t, map[string]string{
			"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL,
			"OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_CERTIFICATE": named, "OTEL_EXPORTER_OTLP_TIMEOUT": "5000",
		})
		if err != nil {
			t.Fatal(err)
		}
		before := len(r.Spans())
		(&lab{Exporter: e}).play(session.Info{}, one()...)
		err = closed(t, e, 20*time.Second)
		if got := len(r.Spans()) > before; got != (want != "") || err == nil != (want != "") {
			t.Errorf("with the certificate %q spans came: %t, and the error is %v", named, got, err)
		}
	}
}

// TestExportWhileItRuns has the batches and the metrics go out on time.
func TestExportWhileItRuns(t *testing.T) {
	r := otlp.Serve(t)
	e, err := started(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_BSP_SCHEDULE_DELAY": "1", "OTEL_METRIC_EXPORT_INTERVAL": "1",
	})
	if err != nil {
		t.Fatal(err)
	}
	(&lab{Exporter: e}).play(session.Info{}, one()...)
	late, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if !r.Wait(late, func() bool { return r.Tree() == oneTree && r.Metrics()["gen_ai.client.token.usage"] != "" }) {
		t.Fatal("nothing came")
	}
	if err := closed(t, e, time.Minute); err != nil {
		t.Error(err)
	}
}

// TestOneSignal exports the signal that is named, and nothing else.
func TestOneSignal(t *testing.T) {
	for variable, want := range map[string]struct {
		traces, metrics bool
	}{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": {traces: true}, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": {metrics: true}} {
		r := otlp.Serve(t)
		path := "/v1/traces"
		if want.metrics {
			path = "/v1/metrics"
		}
		e, err := started(t, map[string]string{variable: r.URL + path})
		if err != nil {
			t.Fatal(err)
		}
		(&lab{Exporter: e}).play(session.Info{}, one()...)
		if err := closed(t, e, time.Minute); err != nil {
			t.Error(err)
		}
		if len(r.Spans()) > 0 != want.traces || len(r.Metrics()) > 0 != want.metrics {
			t.Errorf("%s: %d spans, %d metrics", variable, len(r.Spans()), len(r.Metrics()))
		}
	}
}

// TestFailuresAreReportedOnce has receivers that do not listen, refuse, or never
// answer: leaving is not held up, and the error is for who closes.
func TestFailuresAreReportedOnce(t *testing.T) {
	refusing := otlp.Serve(t)
	refusing.Refuse(400)
	address := unused(t)
	unreachable := "http://" + address
	var refused syscall.Errno
	if _, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address); !errors.As(err, &refused) {
		t.Fatalf("no connection is refused: %v", err)
	}
	silent := silence(t)
	for endpoint, want := range map[string]string{refusing.URL: "400 Bad Request", unreachable: refused.Error(), silent: "deadline exceeded"} {
		e, err := started(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint})
		if err != nil {
			t.Fatal(err)
		}
		(&lab{Exporter: e}).play(session.Info{}, one()...)
		left := make(chan error, 1)
		go func() { left <- closed(t, e, 300*time.Millisecond) }()
		late, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		select {
		case err := <-left:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", endpoint, err, want)
			}
		case <-late.Done():
			t.Errorf("%s: leaving is held up", endpoint)
		}
		cancel()
	}
}

// unused is an address without a listener.
func unused(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// silence is an address that takes connections and never answers.
func silence(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String()
}

// TestLibrariesAreQuiet has the libraries complain, as they would to the standard
// error, and finds it where it belongs, without the values they mention.
func TestLibrariesAreQuiet(t *testing.T) {
	r := otlp.Serve(t)
	e, err := started(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_EXPORTER_OTLP_HEADERS": "my secret"})
	if err != nil {
		t.Fatal(err)
	}
	otel.Handle(errors.New("later"))
	if err := closed(t, e, time.Minute); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "headers") {
		t.Errorf("the error is %v", err)
	}
}

// TestNothingStarts has no variable set, or all of it switched off: there is no
// exporter, no connection and no goroutine.
func TestNothingStarts(t *testing.T) {
	r := otlp.Serve(t)
	before := exporterGoroutines(t)
	for name, env := range map[string]map[string]string{
		"nothing set": {}, "content alone": {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true", "OTEL_SERVICE_NAME": "x"},
		"disabled":      {"OTEL_SDK_DISABLED": "TRUE", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL},
		"both are none": {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL},
	} {
		e, err := started(t, env)
		if e != nil || err != nil {
			t.Errorf("%s: %v, %v", name, e, err)
		}
		if e.Close(t.Context()) != nil {
			t.Errorf("%s: an exporter that is none does something", name)
		}
	}
	for name, stack := range exporterGoroutines(t) {
		if before[name] == "" {
			t.Errorf("a goroutine was started: %s", stack)
		}
	}
	if n := r.Connections(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// exporterGoroutines are the stacks of the goroutines of exporters, by their names.
// Those of a test before may be about to end.
func exporterGoroutines(t *testing.T) map[string]string {
	t.Helper()
	var all strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&all, 2); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for stack := range strings.SplitSeq(all.String(), "\n\n") {
		if name, _, ok := strings.Cut(stack, " ["); ok && strings.Contains(stack, "otel/sdk") {
			found[name] = stack
		}
	}
	return found
}

// TestWanted holds the variables to what they ask for.
func TestWanted(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]string{
		"OTEL_TRACES_EXPORTER=otlp": "traces true, metrics false",
		"OTEL_METRICS_EXPORTER=otlp OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf":                                        "traces false, metrics true",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x":                                                                        "traces true, metrics true",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_METRICS_EXPORTER=none":                                             "traces true, metrics false",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://x/y":                                                               "traces true, metrics false",
		"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=x":                                                                          "traces false, metrics false",
		"OTEL_SDK_DISABLED=false OTEL_TRACES_EXPORTER=none":                                                           "traces false, metrics false",
		"OTEL_TRACES_EXPORTER=otlp OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf OTEL_EXPORTER_OTLP_PROTOCOL=grpc": "traces true, metrics false",
		"OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4318":                                                                  "OTEL_EXPORTER_OTLP_ENDPOINT is no URL such as http://localhost:4318",
		"OTEL_EXPORTER_OTLP_ENDPOINT=://x":                                                                            "OTEL_EXPORTER_OTLP_ENDPOINT is no URL such as http://localhost:4318",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://":                                                                         "OTEL_EXPORTER_OTLP_ENDPOINT is no URL such as http://localhost:4318",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=ftp://y":                            "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is no URL such as http://localhost:4318",
		"OTEL_TRACES_EXPORTER=console":                                                                                `OTEL_TRACES_EXPORTER is "console", and telemetry goes out as otlp, or none`,
		"OTEL_TRACES_EXPORTER=otlp OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                                                  `OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", and telemetry speaks http/protobuf`,
		"OTEL_METRICS_EXPORTER=otlp OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/json":                                    `OTEL_EXPORTER_OTLP_METRICS_PROTOCOL is "http/json", and telemetry speaks http/protobuf`,
	} {
		traces, metrics, err := enabledSignals(func(name string) string {
			for _, set := range strings.Fields(env) {
				if value, ok := strings.CutPrefix(set, name+"="); ok {
					return value
				}
			}
			return ""
		})
		got := fmt.Sprintf("traces %t, metrics %t", traces, metrics)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", env, got, want)
		}
	}
}
