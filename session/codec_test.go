package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// eachLine calls f for every line of every recorded log and every sample.
func eachLine(tb testing.TB, f func(name string, line []byte)) {
	tb.Helper()
	for _, path := range sessiontest.Logs(tb) {
		log, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for i, line := range bytes.Split(bytes.TrimSpace(log), []byte("\n")) {
			f(fmt.Sprintf("%s:%d", filepath.Base(path), i+1), line)
		}
	}
	for kind, line := range sessiontest.Events(tb) {
		f(string(kind)+".json", line)
	}
}

// TestRoundTrip writes back every line of the corpus. What is lost is listed in
// the golden file: optional members that say nothing.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	lost := map[string]bool{}
	lines := 0
	eachLine(t, func(name string, line []byte) {
		lines++
		ev := session.Decode(line)
		out, err := session.Encode(ev)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		left, err := omitted(line, out)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, l := range left {
			lost[string(ev.Kind())+l] = true
		}
		again, err := session.Encode(session.Decode(out))
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("%s: a second round trip gives %s, %v\nfirst: %s", name, again, err, out)
		}
	})
	if lines < 5800 {
		t.Errorf("only %d lines in the corpus", lines)
	}
	list := slices.Sorted(maps.Keys(lost))
	if !empty(list) {
		t.Errorf("lost a member that says something: %v", list)
	}
	sessiontest.Golden(t, "session/omitted", strings.Join(list, "\n"))
}

// TestDecodeIsIdentity checks the other direction: an event that was decoded is
// the same after it was encoded and decoded.
func TestDecodeIsIdentity(t *testing.T) {
	t.Parallel()
	eachLine(t, func(_ string, line []byte) {
		compact := jsontext.Value(bytes.Clone(line))
		if err := compact.Compact(); err != nil {
			t.Fatal(err)
		}
		ev := session.Decode(compact)
		out, err := session.Encode(ev)
		if err != nil {
			t.Fatal(err)
		}
		same(t, ev, session.Decode(out))
	})
}

// TestCorpusIsTyped allows Unknown in recorded logs only for what is noise and
// for payloads that the recorder replaced by a word.
func TestCorpusIsTyped(t *testing.T) {
	t.Parallel()
	replaced := map[session.Kind]int{}
	eachLine(t, func(name string, line []byte) {
		ev := session.Decode(line)
		u, unknown := ev.Body.(session.Unknown)
		switch {
		case ev.ID == "" || ev.Time.IsZero():
			t.Errorf("%s: no id or no time", name)
		case unknown && u.Reason != nil:
			replaced[u.Type]++
		case unknown != ev.Kind().Noise():
			t.Errorf("%s: %s is unknown: %t, is noise: %t", name, ev.Kind(), unknown, ev.Kind().Noise())
		}
	})
	want := map[session.Kind]int{session.KindModelCallFailure: 26}
	if !maps.Equal(replaced, want) {
		t.Errorf("payloads that do not decode: %v, want %v", replaced, want)
	}
}

func TestDecodeEnvelope(t *testing.T) {
	t.Parallel()
	ev := session.Decode([]byte(`{"parentId":"p","data":{"title":"T","new":1},"timestamp":"2026-11-21T12:01:23.5+01:00",` +
		`"type":"session.title_changed","id":"i","agentId":"a","ephemeral":true,"seq":7}`))
	if ev.ID != "i" || ev.Parent != "p" || ev.Agent != "a" || !ev.Ephemeral || ev.Replayed || string(ev.Extra) != `{"seq":7}` {
		t.Errorf("wrong envelope: %+v", ev)
	}
	if want := time.Date(2026, 11, 21, 11, 1, 23, 500e6, time.UTC); !ev.Time.Equal(want) || ev.Time.Location() != time.UTC {
		t.Errorf("time %v, want %v", ev.Time, want)
	}
	title, ok := ev.Body.(session.SessionTitleChanged)
	if !ok || title.Title != "T" || string(title.Extra) != `{"new":1}` {
		t.Errorf("wrong body: %+v", ev.Body)
	}
	out, err := session.Encode(ev)
	want := `{"type":"session.title_changed","data":{"title":"T","new":1},"id":"i",` +
		`"timestamp":"2026-11-21T11:01:23.500Z","parentId":"p","agentId":"a","ephemeral":true,"seq":7}`
	if err != nil || string(out) != want {
		t.Errorf("encoded as\n%s, %v, want\n%s", out, err, want)
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 11, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		ev   session.Event
		want string
	}{
		{
			"required members are written though empty",
			session.Event{ID: "i", Time: at, Body: session.AssistantMessage{MessageID: "m"}},
			`{"type":"assistant.message","data":{"messageId":"m","content":""},"id":"i","timestamp":"2026-11-21T11:00:00.000Z","parentId":null}`,
		},
		{
			"an empty payload is an object",
			session.Event{ID: "i", Time: at.Add(1500), Parent: "p", Body: session.SessionTodosChanged{}},
			`{"type":"session.todos_changed","data":{},"id":"i","timestamp":"2026-11-21T11:00:00.0000015Z","parentId":"p"}`,
		},
		{
			"no time is written as none, Replayed not at all",
			session.Event{ID: "i", Replayed: true, Body: session.Abort{Reason: "user_initiated"}},
			`{"type":"abort","data":{"reason":"user_initiated"},"id":"i","parentId":null}`,
		},
		{
			"unknown keeps its payload",
			session.Event{ID: "i", Body: session.Unknown{Type: "x.y", Raw: jsontext.Value(`[1, {"a":2.0}]`)}},
			`{"type":"x.y","data":[1,{"a":2.0}],"id":"i","parentId":null}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := session.Encode(tt.ev)
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestEncodeFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ev   session.Event
		says string
	}{
		"no body":           {session.Event{ID: "i"}, "without a kind"},
		"no kind":           {session.Event{Body: session.Unknown{Raw: jsontext.Value(`{}`)}}, "without a kind"},
		"broken payload":    {session.Event{Body: session.Unknown{Type: "x", Raw: jsontext.Value(`{`)}}, "encode x: "},
		"broken free value": {session.Event{Body: session.HookStart{Input: jsontext.Value(`{"a":`)}}, `"/input/a"`}, // where in the payload
		"broken line":       {session.Decode([]byte(`{"type":"abort"`)), "no event"},
	} {
		if out, err := session.Encode(tt.ev); err == nil || len(out) > 0 || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: encoded as %s, %v, want %s", name, out, err, tt.says)
		}
	}
}

// TestWholeNumbers reads integers in every notation that JSON has.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"30000": 30000, "30000.0": 30000, "3e4": 30000, "3.0E+4": 30000, "-0.0": 0, "-7": -7, "0": 0,
		"9007199254740993": 9007199254740993, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"9223372036854774784.0": 9223372036854774784, "-9223372036854775808.0": math.MinInt64, "1e3": 1000, "null": 0,
	} {
		for _, other := range []string{`"messagesLength":2`, `"messagesLength":2.0`} { // the second is not read strictly
			line := `{"type":"session.usage_info","data":{"tokenLimit":` + text + `,"currentTokens":1,` + other + `}}`
			ev := session.Decode([]byte(line))
			b, ok := ev.Body.(session.SessionUsageInfo)
			if !ok || b.TokenLimit != want || b.CurrentTokens != 1 || b.MessagesLength != 2 || len(ev.Unreadable) > 0 {
				t.Errorf("%s in %s is read as %+v, unreadable: %+v", text, line, b, ev.Unreadable)
			}
		}
	}
	exit := session.Decode([]byte(`{"type":"tool.execution_complete","data":{"toolCallId":"c","shellExecution":{"exitCode":3.0}}}`))
	if b, ok := exit.Body.(session.ToolExecutionComplete); !ok || b.ShellExecution == nil || *b.ShellExecution.ExitCode != 3 {
		t.Errorf("exit code 3.0 is read as %+v", exit.Body)
	}
	for _, text := range []string{"1.5", "1e99", "9223372036854775808", "-9223372036854777856.0", "-1e99", `"3"`, "true", "1e400"} {
		line := `{"type":"session.usage_info","data":{"tokenLimit":` + text + `}}`
		ev := session.Decode([]byte(line))
		b, ok := ev.Body.(session.SessionUsageInfo)
		if !ok || b.TokenLimit != 0 || len(ev.Unreadable) != 1 || string(ev.Unreadable[0].Value) != text {
			t.Errorf("%s is read as %+v, unreadable: %+v", text, b, ev.Unreadable)
		}
	}
}

// TestLenient keeps events whose JSON is odd but readable.
func TestLenient(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{"repeated name", `{"type":"abort","type":"abort","data":{"reason":"a","reason":"b"},"id":"x","id":"y"}`, "b"},
		{"invalid UTF-8", "{\"type\":\"abort\",\"data\":{\"reason\":\"a\xff\xfeb\"},\"id\":\"y\"}", "a\uFFFD" + "b"},
		{"half a surrogate pair", `{"type":"abort","data":{"reason":"\ud83d!"},"id":"y"}`, "\uFFFD!"},
		{"white space", " {\n\t\"type\" : \"abort\", \"id\":\"y\", \"data\" : {\"reason\":\"a\"} }\r\n", "a"},
		{"line separator", "{\"type\":\"abort\",\"data\":{\"reason\":\"a\u2028b\"},\"id\":\"y\"}", "a\u2028b"},
		{"payload is null", `{"type":"abort","data":null,"id":"y"}`, ""},
		{"no payload", `{"type":"abort","id":"y"}`, ""},
		{"empty payload", `{"type":"abort","data":{},"id":"y","timestamp":null,"parentId":null,"ephemeral":null}`, ""},
		{"empty time", `{"type":"abort","data":{},"id":"y","timestamp":""}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ev := session.Decode([]byte(tt.line))
			b, ok := ev.Body.(session.Abort)
			if !ok || b.Reason != tt.want || ev.ID != "y" || !ev.Time.IsZero() {
				t.Errorf("read as %#v", ev)
			}
			if out, err := session.Encode(ev); err != nil || session.Decode(out).Body.(session.Abort).Reason != tt.want {
				t.Errorf("written as %s, %v", out, err)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		kind       session.Kind
		raw        string
		id         session.EventID
		isReason   bool
		isEnvelope bool
	}{
		{"unknown type", `{"type":"a.b","data":{"x":[1]},"id":"i"}`, "a.b", `{"x":[1]}`, "i", false, false},
		{"unknown type with a repeated name", `{"type":"a.b","data":{"x":[1]},"id":"h","id":"i"}`, "a.b", `{"x":[1]}`, "i", false, false},
		{"unknown type without payload", `{"type":"a.b","id":"i"}`, "a.b", "", "i", false, false},
		{"payload is a string", `{"type":"abort","data":"x","id":"i"}`, "abort", `"x"`, "i", true, false},
		{"payload is a list", `{"type":"abort","data":[],"id":"i"}`, "abort", `[]`, "i", true, false},
		{"half a line", `{"type":"abort","da`, "", `{"type":"abort","da`, "", true, true},
		{"empty", ``, "", ``, "", true, true},
		{"not JSON", `Error: out of memory`, "", `Error: out of memory`, "", true, true},
		{"not an object", `[1]`, "", `[1]`, "", true, true},
		{"no type", `{"data":{}}`, "", `{"data":{}}`, "", true, true},
		{"type is no string", `{"type":3}`, "", `{"type":3}`, "", true, true},
		{"two values", `{"type":"abort"} {}`, "", `{"type":"abort"} {}`, "", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			line := []byte(tt.line)
			ev := session.Decode(line)
			for i := range line {
				line[i] = '#'
			}
			u, ok := ev.Body.(session.Unknown)
			if !ok || u.Type != tt.kind || string(u.Raw) != tt.raw || ev.ID != tt.id {
				t.Errorf("read as %#v", ev)
			}
			if (u.Reason != nil) != tt.isReason || errors.Is(u.Reason, session.ErrEnvelope) != tt.isEnvelope {
				t.Errorf("reason is %v", u.Reason)
			}
		})
	}
}

// TestReasonsAreWords checks that why a line, or a value in it, could not be read
// is said without the words of the decoder, which name types of Go.
func TestReasonsAreWords(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{``, "not an event: it is empty"},
		{`nonsense`, "not an event: it is not valid JSON (at byte 2)"},
		{`{"type":"abort","da`, "not an event: it ends in the middle"},
		{`{"type":"abort","id":7,"da`, "not an event: it ends in the middle"},
		{`[1]`, "not an event: it is a list, not an object"},
		{`"x"`, "not an event: it is a string, not an object"},
		{`{"type":5}`, "not an event: it has no type"},
		{`{"type":"abort"} x`, "not an event: it is not valid JSON (at byte 18)"},
		{`{"type":"abort","id":7} x`, "not an event: it is not valid JSON (at byte 25)"},
		{`{"type":"a\qb"}`, "not an event: it is not valid JSON (at byte 11)"},
		{`{"type":"abort","data":7}`, "it is a number, not an object"},
		{`{"type":"abort","timestamp":"yesterday"}`, `/timestamp: "yesterday" is not a time of ISO 8601`},
		{`{"type":"abort","timestamp":"2026-02-30T25:00:00Z"}`, `/timestamp: "2026-02-30T25:00:00Z" is not a time of ISO 8601`},
		{`{"type":"abort","timestamp":3}`, "/timestamp: it should not be a number"},
		{`{"type":"assistant.message","data":{"outputTokens":1.5}}`, "/data/outputTokens: 1.5 is not a whole number"},
		{`{"type":"assistant.message","data":{"outputTokens":"3"}}`, "/data/outputTokens: it should not be a string"},
	}
	for _, tt := range tests {
		var got []string
		ev := session.Decode([]byte(tt.line))
		if u, unknown := ev.Body.(session.Unknown); unknown {
			got = append(got, u.Reason.Error())
		}
		for _, u := range ev.Unreadable {
			got = append(got, fmt.Sprintf("%s: %s", u.Path, u.Reason))
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s:\n%q\nwant\n%q", tt.line, got, tt.want)
		}
	}
}

// TestDecodeKeepsNothing checks that an event does not share memory with its
// line, which readers use again for the next one.
func TestDecodeKeepsNothing(t *testing.T) {
	t.Parallel()
	eachLine(t, func(name string, line []byte) {
		ours := bytes.Clone(line)
		ev := session.Decode(ours)
		before, err := session.Encode(ev)
		if err != nil {
			t.Fatal(err)
		}
		clear(ours)
		after, err := session.Encode(ev)
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the event changed with its line: %v", name, err)
		}
	})
}

func TestPeek(t *testing.T) {
	t.Parallel()
	eachLine(t, func(name string, line []byte) {
		if k, err := session.Peek(line); err != nil || k != session.Decode(line).Kind() {
			t.Errorf("%s: %q, %v", name, k, err)
		}
	})
	// What comes after the type is not looked at.
	if k, err := session.Peek([]byte(`{"data":{"type":"no"},"type":"abort","id":`)); k != session.KindAbort || err != nil {
		t.Errorf("got %q, %v", k, err)
	}
	for line, want := range map[string]string{
		``: "it is no object", `x`: "it is no object", `[]`: "it is no object", `["type","abort"]`: "it is no object", `"type"`: "it is no object",
		`{}`: "it has no type", `{"type":1}`: "it has no type", `{"type":`: "it has no type", `{"a":1,}`: "it has no type",
		`{"typ`: "it ends in the middle", `{"data":`: "it ends in the middle", `{"data":[1`: "it ends in the middle",
		`{"\x":1}`: "it is not valid JSON (at byte 3)", `{"a":x}`: "it is not valid JSON (at byte 6)",
	} {
		k, err := session.Peek([]byte(line))
		if k != "" || !errors.Is(err, session.ErrEnvelope) || err.Error() != "not an event: "+want {
			t.Errorf("%s: %q, %v, want %s", line, k, err, want)
		}
	}
}

func TestNoise(t *testing.T) {
	t.Parallel()
	for _, k := range session.Kinds() {
		if k.Noise() {
			t.Errorf("%s is noise and has a payload type", k)
		}
	}
	for _, k := range []session.Kind{
		"model.message", "model.call_start", "sandbox.decision", "session.managed_settings_resolved",
		"session.indexed_search",
	} {
		if !k.Noise() {
			t.Errorf("%s is no noise", k)
		}
	}
}

func TestKindsAreSorted(t *testing.T) {
	t.Parallel()
	if ks := session.Kinds(); !slices.IsSorted(ks) || len(slices.Compact(ks)) != len(session.Kinds()) {
		t.Errorf("not sorted, or one twice: %v", ks)
	}
	if k := (session.Event{}).Kind(); k != "" {
		t.Errorf("an event without a body is a %q", k)
	}
}

// TestBodiesAreValues checks that Decode gives bodies that a type switch over
// values finds, and that each says the kind it was decoded from.
func TestBodiesAreValues(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		b := session.Decode(line).Body
		if session.KindOf(b) != kind || reflect.TypeOf(b).Kind() != reflect.Struct {
			t.Errorf("%s is decoded as %T, which says %s", kind, b, session.KindOf(b))
		}
	}
}

const delta = `{"type":"assistant.message_delta","data":{"messageId":"420083a8-77a5-43cd-b487-6beef41718ff",` +
	`"deltaContent":"one more word "},"ephemeral":true,"id":"dbf34ae1-d947-45c8-90b8-84ac4f8ff6e0",` +
	`"timestamp":"2026-11-21T11:01:23.663Z","parentId":"a969a80b-7e1d-4129-97cc-8a1fedc8cf90"}`

func BenchmarkDecodeDelta(b *testing.B) {
	line := []byte(delta)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		session.Decode(line)
	}
}

func BenchmarkPeekDelta(b *testing.B) {
	line := []byte(delta)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session.Peek(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeDelta(b *testing.B) {
	ev := session.Decode([]byte(delta))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session.Encode(ev); err != nil {
			b.Fatal(err)
		}
	}
}
