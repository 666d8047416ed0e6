package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	defaultEndpoint = "http://localhost:4318"
	defaultTimeout  = 10 * time.Second
	firstRetry      = time.Second // the delay before the second attempt; it doubles
	longestRetry    = time.Minute // of all attempts for one request
	mostResponse    = 64 << 10
	protobuf        = "application/x-protobuf"
)

// client sends the requests of one signal to a receiver of OTLP over HTTP (docs/decisions.md 47).
type client struct {
	http.Client
	url     string
	headers http.Header
	gzip    bool
	getenv  func(name string) string // a variable of OTLP, for this signal or for all
}

// newClient reads the variables of a signal. A header that cannot be read is reported and
// left out.
func newClient(signal string, getenv func(string) string, t *errorCollector) (*client, error) {
	c := &client{headers: http.Header{}, getenv: func(name string) string {
		_, value := otlpSetting(signal, name, func(v string) string { return strings.TrimSpace(getenv(v)) })
		return value
	}}
	c.url = strings.TrimSpace(getenv("OTEL_EXPORTER_OTLP_" + signal + "_ENDPOINT"))
	if c.url == "" {
		u, err := url.Parse(c.setting("ENDPOINT", defaultEndpoint))
		if err != nil {
			return nil, err
		}
		u.Path = path.Join("/", u.Path, "v1", strings.ToLower(signal))
		c.url = u.String()
	}
	c.Timeout = defaultTimeout
	if ms, err := strconv.Atoi(c.getenv("TIMEOUT")); err == nil && ms > 0 {
		c.Timeout = time.Duration(ms) * time.Millisecond
	}
	c.gzip = c.getenv("COMPRESSION") == "gzip"
	for pair := range strings.SplitSeq(c.getenv("HEADERS"), ",") {
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		switch {
		case ok && err == nil:
			c.headers.Set(strings.TrimSpace(name), value)
		case strings.TrimSpace(pair) != "":
			t.Handle(errors.New("parse headers: one is not NAME=VALUE"))
		}
	}
	transport, _ := http.DefaultTransport.(*http.Transport)
	transport = transport.Clone()
	c.Transport = transport
	var err error
	transport.TLSClientConfig, err = c.tls()
	return c, err
}

func (c *client) setting(name, otherwise string) string {
	if value := c.getenv(name); value != "" {
		return value
	}
	return otherwise
}

// tls is what a connection is secured with: a certificate that is trusted, and one's own.
func (c *client) tls() (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if trusted := c.getenv("CERTIFICATE"); trusted != "" {
		pem, err := os.ReadFile(trusted)
		if err != nil {
			return nil, err
		}
		if cfg.RootCAs = x509.NewCertPool(); !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate", trusted)
		}
	}
	if own, key := c.getenv("CLIENT_CERTIFICATE"), c.getenv("CLIENT_KEY"); own != "" && key != "" {
		pair, err := tls.LoadX509KeyPair(own, key)
		if err != nil {
			return nil, err
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	return cfg, nil
}

// export sends a request, again and later where the receiver is busy.
func (c *client) export(ctx context.Context, m encoding) error {
	body := []byte(m)
	if c.gzip {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(body) // a buffer takes everything
		_ = w.Close()
		body = b.Bytes()
	}
	for delay, waited := firstRetry, time.Duration(0); ; delay *= 2 {
		again, after, err := c.post(ctx, body)
		after = max(after, delay)
		if waited += after; !again || waited > longestRetry {
			return err
		}
		pause, stop := context.WithTimeout(ctx, after)
		<-pause.Done()
		stop()
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
}

// post makes one attempt. It reports whether another may succeed, and how long the receiver
// wants to have until then.
func (c *client) post(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	req.Header = c.headers.Clone()
	req.Header.Set("Content-Type", protobuf)
	if c.gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := c.Do(req)
	if err != nil {
		return false, 0, err
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, mostResponse))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
			after = time.Duration(s) * time.Second
		}
		again = true
	}
	if resp.StatusCode/100 != 2 {
		return again, after, fmt.Errorf("failed to send to %s: %s (%s)", c.url, resp.Status, bytes.TrimSpace(answer))
	}
	if partial := field(1, answer); len(partial) > 0 && resp.Header.Get("Content-Type") == protobuf {
		return false, 0, fmt.Errorf("the receiver rejected a part: %s", field(2, partial))
	}
	return false, 0, nil
}

// spanExporter sends spans, and keeps the errors to itself.
type spanExporter struct {
	*client
	errors *errorCollector
}

var _ sdktrace.SpanExporter = spanExporter{}

// ExportSpans implements sdktrace.SpanExporter.
func (e spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) > 0 {
		e.errors.Handle(e.export(ctx, encodeSpans(spans)))
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (spanExporter) Shutdown(context.Context) error { return nil }

// metricExporter sends metrics, and keeps the errors to itself.
type metricExporter struct {
	*client
	errors *errorCollector
}

// Temporality implements sdkmetric.Exporter.
func (e metricExporter) Temporality(k sdkmetric.InstrumentKind) metricdata.Temporality {
	switch strings.ToLower(e.getenv("TEMPORALITY_PREFERENCE")) {
	case "delta":
		return sdkmetric.DeltaTemporalitySelector(k)
	case "lowmemory":
		return sdkmetric.LowMemoryTemporalitySelector(k)
	}
	return sdkmetric.CumulativeTemporalitySelector(k)
}

// Aggregation implements sdkmetric.Exporter.
func (metricExporter) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

// Export implements sdkmetric.Exporter.
func (e metricExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	e.errors.Handle(e.export(ctx, encodeMetrics(m)))
	return nil
}

// ForceFlush implements sdkmetric.Exporter.
func (metricExporter) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdkmetric.Exporter.
func (metricExporter) Shutdown(context.Context) error { return nil }
