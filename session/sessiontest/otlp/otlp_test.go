package otlp

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// TestCutOffRequest has an exporter end in the middle of a request, as when a reader of
// metrics is shut down while it exports: nothing has come, and nothing is wrong.
func TestCutOffRequest(t *testing.T) {
	t.Parallel()
	r := Serve(t)
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(r.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	const request = "POST /v1/metrics HTTP/1.1\r\nHost: receiver\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100\r\n\r\n"
	if _, err := fmt.Fprint(conn, request, "part"); err != nil {
		t.Error(err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}
