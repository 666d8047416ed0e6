package sse_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sse"
)

// carrier answers every request with the same bytes, one at a time.
type carrier struct{ kind, text string }

// RoundTrip implements http.RoundTripper.
func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {c.kind}}, Request: r,
		Body: io.NopCloser(iotest.OneByteReader(strings.NewReader(c.text))),
	}, nil
}

// FuzzAnswer takes any bytes for an answer: the turn ends, what was streamed is
// what is kept, and what is reported is text.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		"", "data: [DONE]\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"text\":\"a\"}],\"tool_calls\":[{\"index\":-1},{\"function\":{\"arguments\":{}}}]}}]}\n\n",
		"event: copilot_confirmation\ndata: {}\n\n", "event: copilot_errors\ndata: [{\"type\":7}]\n\n",
		"event: copilot_references\ndata: [1,{\"id\":2}]\n\n", "{\"choices\":[{\"message\":{\"content\":null}}]}", "<html>\x1b]0;x\x07",
		"event: copilot_confirmation\ndata: { // one\ndata: \"title\": \"a//b\", // \"two\"\ndata: }\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"\\ud800\xff\\u0000\"}}]}\r\r",
	} {
		f.Add("text/event-stream", text)
		f.Add("", text)
		f.Add("application/json", text)
	}
	f.Fuzz(func(t *testing.T, kind, text string) {
		a, err := sse.Open(t.Context(), sse.Config{
			Protocol: sse.Copilot, URL: "http://127.0.0.1:1", Transport: carrier{kind, text}, Limits: sse.Limits{Event: 4 << 10, Idle: time.Minute},
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.Open(t.Context(), session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := sessiontest.Read(t, s)
		if err := s.Send(t.Context(), session.Input{Prompt: "go"}); err != nil {
			t.Fatal(err)
		}
		sessiontest.Next[session.AssistantTurnEnd](r)
		if err := a.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := of(r.Seen())
		if got.text != got.streamed {
			t.Errorf("streamed %q, kept %q", got.streamed, got.text)
		}
		for _, ev := range r.Seen() {
			if _, err := session.Encode(ev); err != nil {
				t.Errorf("%s cannot be kept: %v", ev.Kind(), err)
			}
		}
	})
}
