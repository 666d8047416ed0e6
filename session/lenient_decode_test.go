package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
)

// TestWrongTypes gives each member of each event, the inner ones too, each type
// that it does not have. The event stays what it was but for that member, which
// is said to be unreadable or is what the document allows there, and nothing is
// lost when the event is written back.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			for _, path := range members(t, line) {
				if path == "/type" || path == "/data" {
					continue
				}
				for _, wrong := range []string{`"\u001b[2J"`, `-1.5`, `true`, `{"a":1}`, `["a",{}]`} {
					checkWrong(t, kind, replaced(t, line, path, wrong), path)
				}
			}
		})
	}
}

func checkWrong(t *testing.T, kind session.Kind, line []byte, path jsontext.Pointer) {
	t.Helper()
	ev := session.Decode(line)
	if u, unknown := ev.Body.(session.Unknown); unknown || ev.Kind() != kind {
		t.Errorf("%s: read as %s, %v: %s", path, ev.Kind(), u.Reason, line)
		return
	}
	for _, u := range ev.Unreadable {
		if !strings.HasPrefix(string(path), string(u.Path)) && !strings.HasPrefix(string(u.Path), string(path)) {
			t.Errorf("%s: unreadable is %s, %s", path, u.Path, u.Reason)
		}
		if u.Reason == "" || strings.Contains(u.Reason, "Go ") || strings.Contains(u.Reason, "json:") {
			t.Errorf("%s: the reason is %q", path, u.Reason)
		}
	}
	out, err := session.Encode(ev)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if lost := lost(t, line, out); lost != "" {
		t.Errorf("%s: lost %s\nfrom %s\n  to %s", path, lost, line, out)
	}
	if again, err := session.Encode(session.Decode(out)); err != nil || !bytes.Equal(again, out) {
		t.Errorf("%s: a second round trip gives %s, %v\nfirst: %s", path, again, err, out)
	}
}

// TestUnknownMembers puts an unknown member into each object of each
// event: it is written back.
func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		for _, path := range append(members(t, line), "") {
			with := added(t, line, path, "brandNew", `{"deep":[1]}`)
			ev := session.Decode(with)
			out, err := session.Encode(ev)
			if err != nil || len(ev.Unreadable) > 0 {
				t.Errorf("%s at %s: %v, %+v", kind, path, err, ev.Unreadable)
				continue
			}
			if lost := lost(t, with, out); lost != "" {
				t.Errorf("%s at %s: lost %s", kind, path, lost)
			}
		}
	}
}

// added is line with a member at the end of the object at path, if there is one.
func added(tb testing.TB, line []byte, path jsontext.Pointer, name, value string) []byte {
	tb.Helper()
	var out bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(line)), jsontext.NewEncoder(&out)
	for {
		ends := d.PeekKind() == '}'
		if ends && parent(d) == path {
			if err := errors.Join(e.WriteToken(jsontext.String(name)), e.WriteValue(jsontext.Value(value))); err != nil {
				tb.Fatal(err)
			}
		}
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		if err := e.WriteToken(token); err != nil {
			tb.Fatal(err)
		}
	}
	return bytes.TrimSpace(out.Bytes())
}

// parent is the path of the object that the decoder is in.
func parent(d *jsontext.Decoder) jsontext.Pointer {
	if _, n := d.StackIndex(d.StackDepth()); n == 0 {
		return d.StackPointer()
	}
	return d.StackPointer().Parent()
}

// lost is what a JSON text has and another, to which it was written back, has
// not; "" if there is nothing. Null, false, 0 and what is empty may be left out.
func lost(tb testing.TB, from, to []byte) string {
	tb.Helper()
	var a, b any
	if err := errors.Join(json.Unmarshal(from, &a), json.Unmarshal(to, &b)); err != nil {
		tb.Fatal(err)
	}
	return lostOf("", a, b)
}

func lostOf(path string, a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		o, _ := b.(map[string]any)
		for name, v := range a {
			if lost := lostOf(path+"."+name, v, o[name]); lost != "" {
				return lost
			}
		}
		return ""
	case []any:
		o, _ := b.([]any)
		for i, v := range a {
			if i >= len(o) {
				return fmt.Sprintf("%s[%d]", path, i)
			}
			if lost := lostOf(fmt.Sprintf("%s[%d]", path, i), v, o[i]); lost != "" {
				return lost
			}
		}
		return ""
	case nil, bool, string, float64:
		if b == nil && (a == nil || a == false || a == "" || a == 0.0) || a == b {
			return ""
		}
	}
	if at, ok := a.(string); ok { // the same time is written in another form
		if x, err := time.Parse(time.RFC3339, at); err == nil {
			if y, err := time.Parse(time.RFC3339, fmt.Sprint(b)); err == nil && x.Equal(y) {
				return ""
			}
		}
	}
	return fmt.Sprintf("%s: %v is %v", path, a, b)
}

// members are the paths of all members of an event.
func members(tb testing.TB, line []byte) []jsontext.Pointer {
	tb.Helper()
	var paths []jsontext.Pointer
	d := jsontext.NewDecoder(bytes.NewReader(line))
	for {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		kind, n := d.StackIndex(d.StackDepth())
		if kind == '{' && n%2 == 1 && token.Kind() == '"' {
			paths = append(paths, jsontext.Pointer(strings.Clone(string(d.StackPointer()))))
		}
	}
	slices.Sort(paths)
	if paths = slices.Compact(paths); len(paths) < 4 {
		tb.Fatalf("found only %v in %s", paths, line)
	}
	return paths
}

// replaced is line with another value at path.
func replaced(tb testing.TB, line []byte, path jsontext.Pointer, value string) []byte {
	tb.Helper()
	var out bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(line)), jsontext.NewEncoder(&out)
	for {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		if err := e.WriteToken(token); err != nil {
			tb.Fatal(err)
		}
		if kind, n := d.StackIndex(d.StackDepth()); kind == '{' && n%2 == 1 && d.StackPointer() == path {
			if err := errors.Join(d.SkipValue(), e.WriteValue(jsontext.Value(value))); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return bytes.TrimSpace(out.Bytes())
}

// TestWrongElement: an element of a list that is wrong costs no other element.
func TestWrongElement(t *testing.T) {
	t.Parallel()
	ev := session.Decode([]byte(`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"",` +
		`"contents":[{"type":"text","text":"one"},7,{"type":"text","text":"two"}]}}}`))
	b, ok := ev.Body.(session.ToolExecutionComplete)
	if !ok || b.Result == nil || len(b.Result.Contents) != 3 || b.Result.Contents[2].Text != "two" {
		t.Fatalf("%#v", ev)
	}
	if len(ev.Unreadable) != 1 || ev.Unreadable[0].Path != "/data/result/contents/1" {
		t.Errorf("unreadable: %+v", ev.Unreadable)
	}
	if out, err := session.Encode(ev); err != nil || !bytes.Contains(out, []byte(`"one"},7,{`)) {
		t.Errorf("written as %s, %v", out, err)
	}
}

// TestMuchIsWrong: of a payload in which nearly nothing is right, the event stays.
func TestMuchIsWrong(t *testing.T) {
	t.Parallel()
	var requests []string
	for i := range 100 {
		requests = append(requests, fmt.Sprintf(`{"toolCallId":%d,"name":["x"]}`, i))
	}
	ev := session.Decode([]byte(`{"type":"assistant.message","id":7,"ephemeral":"no","parentId":{},"timestamp":12,"agentId":[],` +
		`"data":{"messageId":"m","content":"still here","outputTokens":"many","toolRequests":[` + strings.Join(requests, ",") + `]}}`))
	m, ok := ev.Body.(session.AssistantMessage)
	if !ok || m.Content != "still here" || m.MessageID != "m" || len(m.ToolRequests) != 0 {
		t.Fatalf("%#v", ev)
	}
	var paths []string
	for _, u := range ev.Unreadable {
		if len(u.Value) < 100 {
			paths = append(paths, string(u.Path)+" "+string(u.Value))
		}
	}
	for _, want := range []string{"/id 7", `/ephemeral "no"`, "/parentId {}", "/timestamp 12", "/agentId []", `/data/outputTokens "many"`} {
		if !slices.Contains(paths, want) {
			t.Errorf("%s is not in %v", want, paths)
		}
	}
	out, err := session.Encode(ev)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":7`, `"outputTokens":"many"`, `{"toolCallId":99,"name":["x"]}`, `{"name":["x"],"toolCallId":0}`} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s is lost: %s", want, out)
		}
	}
}
