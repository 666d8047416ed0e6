package copilot

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
	"parley/session/sessiontest"
)

// streamOf is an answer in increments of 12 bytes, as the runtime frames it: before each it
// says how long the answer is with it. What the runtime reports of itself meanwhile, and no code
// reads, is in it as well.
func streamOf(tb testing.TB, text string) (stream []byte, events int) {
	tb.Helper()
	var out bytes.Buffer
	send := func(kind, data string) {
		_, _ = out.Write(frame(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"4f7dc9b2-8a36-4f0e-9d5e-2f3f7d1f0a11","event":`+
			`{"type":%q,"data":%s,"ephemeral":true,"id":%q,"timestamp":"2026-11-21T11:01:22.%03dZ","parentId":"af90d69e-d2ce-4579-be68-4bfafd1040b1"}}}`,
			kind, data, uuid.NewString(), events/100%1000)))
		events++
	}
	snapshot := `{"messages":[` + strings.Repeat(`{"role":"user","content":"what was said before"},`, 1000) + `{}]}`
	for size := 0; size < len(text); {
		if size%12000 == 0 {
			send("model.messages_snapshot", snapshot)
		}
		n := min(12, len(text)-size)
		quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(text[size:size+n], "?"))
		if err != nil {
			tb.Fatal(err)
		}
		size += n
		send("assistant.streaming_delta", fmt.Sprintf(`{"totalResponseSizeBytes":%d}`, size))
		send("assistant.message_delta", fmt.Sprintf(`{"messageId":"420083a8-77a5-43cd-b487-6beef41718ff","deltaContent":%s}`, quoted))
	}
	return out.Bytes(), events
}

// BenchmarkStream is 200 KB of answer from the frames of the runtime to the reader of the
// session.
func BenchmarkStream(b *testing.B) {
	stream, events := streamOf(b, sessiontest.Answer(200<<10))
	b.ReportAllocs()
	b.SetBytes(int64(len(stream)))
	var used sessiontest.Samples
	for b.Loop() {
		a := &Agent{valve: newValve()}
		s := newSession(&link{agent: a, queue: newQueue(a.valve, func(f func()) { f() })}, session.Info{})
		c := &rpcChannel{in: newFrames(bytes.NewReader(stream)), deliver: func(_ session.ID, ev jsontext.Value) { s.receive(ev) }}
		done := make(chan int)
		before := sessiontest.CPU(b)
		go func() {
			n := 0
			for range s.Events() {
				n++
			}
			done <- n
		}()
		if _, err := c.Recv(); err != io.EOF { //nolint:errorlint // Recv promises io.EOF itself
			b.Fatal(err)
		}
		s.queue.end()
		if n := <-done; n < events*9/10 {
			b.Fatalf("%d events of %d arrived", n, events)
		}
		used = append(used, sessiontest.CPU(b)-before)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
	sessiontest.Figure(b, sessiontest.Milliseconds(used.Quantile(0)), "cpu-ms-best", 150)
}
