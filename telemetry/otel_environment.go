package telemetry

import (
	"fmt"
	"net/url"
	"strings"
)

// protocol is what the exporters speak. Receivers take OTLP over gRPC as well; it
// would be a second client, with settings and a log of its own.
const protocol = "http/protobuf"

// enabledSignals returns which signals the standard variables ask for. Without one
// none is: unlike the SDK, no endpoint is guessed for a signal that was not named.
func enabledSignals(getenv func(string) string) (traces, metrics bool, err error) {
	if strings.EqualFold(strings.TrimSpace(getenv("OTEL_SDK_DISABLED")), "true") {
		return false, false, nil
	}
	if traces, err = signalEnabled("TRACES", getenv); err == nil {
		metrics, err = signalEnabled("METRICS", getenv)
	}
	return traces, metrics, err
}

// signalEnabled decides whether a signal, as the variables name it, is exported.
func signalEnabled(signal string, getenv func(string) string) (bool, error) {
	get := func(name string) string { return strings.TrimSpace(getenv(name)) }
	variable := "OTEL_" + signal + "_EXPORTER"
	where, endpoint := otlpSetting(signal, "ENDPOINT", get)
	switch exporter := get(variable); exporter {
	case "none":
		return false, nil
	case "":
		if endpoint == "" {
			return false, nil
		}
	case "otlp":
	default:
		return false, fmt.Errorf("%s is %q, and telemetry goes out as otlp, or none", variable, exporter)
	}
	// The SDK would send to its own default, or nowhere.
	if u, err := url.Parse(endpoint); endpoint != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return false, fmt.Errorf("%s is no URL such as http://localhost:4318", where)
	}
	if where, spoken := otlpSetting(signal, "PROTOCOL", get); spoken != "" && spoken != protocol {
		return false, fmt.Errorf("%s is %q, and telemetry speaks %s", where, spoken, protocol)
	}
	return true, nil
}

// otlpSetting is one of OTLP for a signal, or for all: its variable and its value; ""
// if it is not set.
func otlpSetting(signal, name string, get func(string) string) (variable, value string) {
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_" + signal + "_" + name, "OTEL_EXPORTER_OTLP_" + name} {
		if value := get(variable); value != "" {
			return variable, value
		}
	}
	return "", ""
}

// capturesContent reports whether content is exported too. In addition to true, the
// values count that ask for content on spans.
func capturesContent(getenv func(string) string) bool {
	switch strings.ToLower(strings.TrimSpace(getenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"))) {
	case "true", "span_only", "span_and_event":
		return true
	}
	return false
}
