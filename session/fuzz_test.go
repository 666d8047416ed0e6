package session_test

import (
	"bytes"
	"errors"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// FuzzDecode checks, for any bytes, that Decode gives a body and that what
// Encode makes of it is stable. Only what is no JSON cannot be encoded.
func FuzzDecode(f *testing.F) {
	for _, line := range sessiontest.Events(f) {
		f.Add(line)
	}
	for _, line := range []string{
		`{"type":"abort","data":{"reason":"\ud83d"},"x":1,"x":2}`, `{"type":"a","data":null}`, `{"type":"abort","data":[]}`,
		`{"type":"session.usage_info","data":{"tokenLimit":1e3,"y":3.0}}`, "{\"type\":\"a\xff\",\"\xfe\":1}", `{"type":`,
		`{"type":"a","timestamp":"2026-11-21T11:00:00.000x","data":{},"timestamp":"2026-11-21T11:00:00.000Z"}`,
		`{"type":"user.message","data":{"attachments":"0","supportedNativeDocumentMimeTypes":"0"}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		ev := session.Decode(line)
		if ev.Body == nil {
			t.Fatal("no body")
		}
		out, err := session.Encode(ev)
		if err != nil {
			u, ok := ev.Body.(session.Unknown)
			if !ok || !errors.Is(u.Reason, session.ErrEnvelope) {
				t.Fatalf("decoded, but does not encode: %v", err)
			}
			return
		}
		if bytes.ContainsAny(out, "\n\r") {
			t.Errorf("more than one line: %q", out)
		}
		again := session.Decode(out)
		if again.Kind() != ev.Kind() || again.ID != ev.ID || !again.Time.Equal(ev.Time) {
			t.Errorf("%+v became %+v", ev, again)
		}
		if twice, err := session.Encode(again); err != nil || !bytes.Equal(twice, out) {
			t.Errorf("%s became %s, %v", out, twice, err)
		}
	})
}

// FuzzReadLog checks, for any bytes, that a log is read to its end and that its
// events are those of its lines.
func FuzzReadLog(f *testing.F) {
	f.Add([]byte("\uFEFF" + delta + "\r\n\nx\n" + delta))
	f.Add([]byte("{\n}\n\x00"))
	f.Fuzz(func(t *testing.T, log []byte) {
		lines := bytes.Count(log, []byte("\n")) + 1
		n, last := 0, 0
		for ev, err := range session.ReadLog(bytes.NewReader(log)) {
			n++
			var le *session.LineError
			switch {
			case err == nil && ev.Kind() == "":
				t.Errorf("an event without a kind: %+v", ev)
			case err != nil && !errors.As(err, &le):
				t.Errorf("not a line error: %v", err)
			case err != nil:
				if le.Line <= last || le.Line > lines {
					t.Errorf("line %d after %d, of %d", le.Line, last, lines)
				}
				last = le.Line
			}
		}
		if n > lines {
			t.Errorf("%d events and errors of %d lines", n, lines)
		}
	})
}
