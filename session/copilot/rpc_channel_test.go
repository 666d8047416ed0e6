package copilot

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

func TestReadNotification(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		msg    string
		method string
		id     session.ID
		event  string
		fails  bool
	}{
		"an event":           {msg: `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s","event":{"type":"x"}}}`, method: "session.event", id: "s", event: `{"type":"x"}`},
		"in another order":   {msg: `{"params":{"event":{"type":"x"},"more":1,"sessionId":"s"},"method":"session.event"}`, method: "session.event", id: "s", event: `{"type":"x"}`},
		"another":            {msg: `{"method":"host.event","params":[1]}`, method: "host.event"},
		"a request":          {msg: `{"id":1,"method":"session.event","params":{}}`},
		"a response":         {msg: `{"id":1,"result":{"method":"x"}}`},
		"a batch":            {msg: `[{"id":1}]`, fails: true},
		"no JSON":            {msg: `Hello!`, fails: true},
		"an event of no use": {msg: `{"method":"session.event","params":7}`, fails: true},
		"a repeated name":    {msg: `{"method":"a","method":"host.event"}`, method: "host.event"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, err := readNotification([]byte(tc.msg))
			if (err != nil) != tc.fails || n.method != tc.method || n.session != tc.id || string(n.event) != tc.event {
				t.Errorf("read %+v, %v", n, err)
			}
		})
	}
}

// TestAsWritten: what is read in one look is what the careful reader reads, and what is not
// is left to it.
func TestAsWritten(t *testing.T) {
	t.Parallel()
	const head = `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"s`
	for msg, want := range map[string]bool{
		head + `","event":{"type":"x","data":{}}}}`:            true,
		head + `","event":{"type":"model.call","data":{}}}}`:   true,
		head + `","event":5}}`:                                 true,
		head + `","event":{"type":"x"},"more":{}}}`:            false,
		head + `","event":{"type":"x"},"event":{"type":"y"}}}`: false,
		head + `","event":{"type":"x"}},"id":{}}`:              false,
		head + `","event":{"type":"x"}},"id":{"a":{}}}`:        false,
		head + `\u0041","event":{"type":"x"}}}`:                false,
		head + "\n" + `","event":{"type":"x"}}}`:               false,
		head + "\xff" + `","event":{"type":"x"}}}`:             false,
		head + `","event":{"type":"x` + "\xff" + `"}}}`:        false,
		head + `","sessionId":"t","event":{"type":"x"}}}`:      false,
		head + `","event":}}`:                                  false,
		head + `}}`:                                            false,
		`{"method":"session.event","params":{}}`:               false,
	} {
		n, ok := asWritten([]byte(msg))
		if ok != want {
			t.Errorf("%s: %+v, %v", msg, n, ok)
		}
		same(t, msg)
	}
}

// same compares the two readers of a message.
func same(t *testing.T, msg string) {
	t.Helper()
	n, ok := asWritten([]byte(msg))
	if !ok || n.event == nil { // noise
		return
	}
	careful, err := readNotification([]byte(msg))
	if err != nil || n.session != careful.session || string(n.event) != string(careful.event) || n.method != careful.method {
		t.Errorf("%s: read %+v, and carefully %+v, %v", msg, n, careful, err)
	}
}

// FuzzReadNotification looks for input that breaks the reader.
func FuzzReadNotification(f *testing.F) {
	f.Add([]byte(`{"method":"session.event","params":{"sessionId":"s","event":{"type":"x"}}}`))
	f.Add([]byte("{\"method\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, msg []byte) {
		n, err := readNotification(msg)
		if err != nil && n.method != "" {
			t.Errorf("both %q and %v", n.method, err)
		}
		if n.event != nil {
			session.Decode(n.event)
		}
		same(t, string(msg))
		same(t, string(eventHead)+string(msg)+string(eventTail))
	})
}

func TestStreamDiverts(t *testing.T) {
	t.Parallel()
	var got []string
	s := &rpcChannel{
		in: newFrames(strings.NewReader(strings.Join([]string{
			framed(`{"method":"session.event","params":{"sessionId":"a","event":1}}`),
			framed(`{"method":"session.lifecycle","params":{}}`),
			framed(`{"id":1,"result":null}`),
			framed(`{"method":"session.event","params":{"sessionId":"b","event":2}}`),
		}, ""))),
		deliver: func(id session.ID, ev jsontext.Value) { got = append(got, string(id)+string(ev)) },
	}
	msg, err := s.Recv()
	if err != nil || string(msg) != `{"id":1,"result":null}` || !slices.Equal(got, []string{"a1"}) {
		t.Errorf("received %s, %v after %v", msg, err, got)
	}
	if _, err := s.Recv(); err != io.EOF || !slices.Equal(got, []string{"a1", "b2"}) { //nolint:errorlint // Recv promises io.EOF itself
		t.Errorf("at the end %v after %v", err, got)
	}
}

func framed(msg string) string { return string(frame([]byte(msg))) }

func TestNoise(t *testing.T) {
	t.Parallel()
	for kind, want := range map[session.Kind]bool{
		"model.messages_snapshot":           true,
		"model.call_failure":                false,
		"sandbox.decision":                  true,
		"session.managed_settings_resolved": true,
		"session.indexed_search":            true,
		"session.model_change":              false,
		"system.message":                    false,
		"something.new":                     false,
	} {
		if got := kind.Noise(); got != want {
			t.Errorf("Noise of %s = %v", kind, got)
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	var w tail
	for range 10_000 {
		if n, err := w.Write([]byte("a line\r\n")); n != 8 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = w.Write([]byte("\xffthe last\n\n"))
	if got := w.last(2); got != "a line\n\uFFFDthe last" {
		t.Errorf("the last lines are %q", got)
	}
	if len(w.buf) > tailLimit {
		t.Errorf("%d bytes are kept", len(w.buf))
	}
	if got := new(tail).last(3); got != "" {
		t.Errorf("nothing was said, and the last is %q", got)
	}
}
