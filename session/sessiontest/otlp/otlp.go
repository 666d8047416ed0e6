// Package otlp is a receiver of OpenTelemetry for tests: it speaks the OpenTelemetry
// Protocol over HTTP by the official definitions, on loopback.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	metric "go.opentelemetry.io/proto/otlp/metrics/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Receiver records what was sent to it. Its methods may be called from any
// goroutine.
type Receiver struct {
	URL string // for OTEL_EXPORTER_OTLP_ENDPOINT

	arrived     chan struct{} // holds one while something came that was not waited for
	connections atomic.Int64

	mu      sync.Mutex
	status  int
	header  http.Header
	traces  []*trace.ResourceSpans
	metrics []*metric.ResourceMetrics
}

// Serve starts a receiver, which ends with the test.
func Serve(tb testing.TB) *Receiver {
	tb.Helper()
	return serve(tb, (*httptest.Server).Start)
}

// ServeTLS starts one that speaks HTTPS alone, and returns the path of its
// certificate too.
func ServeTLS(tb testing.TB) (r *Receiver, certificate string) {
	tb.Helper()
	certificate = filepath.Join(tb.TempDir(), "receiver.pem")
	return serve(tb, func(s *httptest.Server) {
		s.StartTLS()
		block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
		if err := os.WriteFile(certificate, block, 0o600); err != nil {
			tb.Fatal(err)
		}
	}), certificate
}

func serve(tb testing.TB, start func(*httptest.Server)) *Receiver {
	tb.Helper()
	r := &Receiver{arrived: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/traces", func(w http.ResponseWriter, q *http.Request) {
		var m tracepb.ExportTraceServiceRequest
		r.take(tb, w, q, &m, func() { r.traces = append(r.traces, m.GetResourceSpans()...) })
	})
	mux.HandleFunc("/v1/metrics", func(w http.ResponseWriter, q *http.Request) {
		var m metricspb.ExportMetricsServiceRequest
		r.take(tb, w, q, &m, func() { r.metrics = append(r.metrics, m.GetResourceMetrics()...) })
	})
	web := httptest.NewUnstartedServer(mux)
	web.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			r.connections.Add(1)
		}
	}
	web.Config.ErrorLog = log.New(io.Discard, "", 0) // a client may not trust its certificate
	start(web)
	tb.Cleanup(web.Close)
	r.URL = web.URL
	return r
}

// Wait blocks until what came is enough, and reports false if ctx ends before.
func (r *Receiver) Wait(ctx context.Context, enough func() bool) bool {
	for !enough() {
		select {
		case <-r.arrived:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// Refuse has the receiver answer every request with a status.
func (r *Receiver) Refuse(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// Connections is how many connections were opened to it.
func (r *Receiver) Connections() int { return int(r.connections.Load()) }

// Header is the header of the last request.
func (r *Receiver) Header() http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.header
}

// take answers a request over HTTP, and records what it brought.
func (r *Receiver) take(tb testing.TB, w http.ResponseWriter, q *http.Request, into proto.Message, record func()) {
	tb.Helper()
	all, err := io.ReadAll(q.Body)
	if err != nil {
		return // the client has gone, and nothing has come
	}
	if q.Header.Get("Content-Encoding") == "gzip" {
		var plain io.Reader
		if plain, err = gzip.NewReader(bytes.NewReader(all)); err == nil {
			all, err = io.ReadAll(plain)
		}
	}
	if err == nil {
		err = proto.Unmarshal(all, into)
	}
	if err != nil || q.Header.Get("Content-Type") != "application/x-protobuf" {
		tb.Errorf("a request that is not OTLP: %v, %v", q.Header, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.header = q.Header.Clone()
	if r.status != 0 {
		http.Error(w, "not today", r.status)
		return
	}
	record()
	select {
	case r.arrived <- struct{}{}:
	default:
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}
