package sessions_test

import (
	"bytes"
	"context"
	"testing"

	"parley/history/sessions"
	"parley/session/sessiontest"
)

// BenchmarkDigest reads the recorded logs, which hold little noise.
func BenchmarkDigest(b *testing.B) {
	var log bytes.Buffer
	for _, name := range sessiontest.LogNames(b) {
		_, raw := stored(b, name)
		log.Write(raw)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		var d sessions.Digest
		if err := d.Read(context.Background(), bytes.NewReader(log.Bytes()), func(sessions.Text) {}); err != nil {
			b.Fatal(err)
		}
	}
}
