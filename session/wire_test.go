package session

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestWire: an event keeps the line it came in, apart from the reader's own, and an
// increment, of which there are many, keeps none.
func TestWire(t *testing.T) {
	t.Parallel()
	for text, kept := range map[string]bool{
		`{"type":"session.idle","data":{},"id":"e"}`:            true,
		`{"type":"session.idle","data":{"aborted":7},"id":"e"}`: true, // read leniently
		`{"type":"x.y","data":{},"id":"e"}`:                     true,
		`[]`:                                                    true,
		`{"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"x"},"id":"e"}`:       false,
		`{"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"x","y":1},"id":"e"}`: false,
	} {
		line := []byte(text)
		ev := Decode(line)
		clear(line)
		want := ""
		if kept {
			want = text
		}
		if got := string(ev.Wire); got != want {
			t.Errorf("%s: the wire form is %q", text, got)
		}
	}
}

// TestLinesOfNoEvent: a line that is JSON and no event is written back, and one that
// is no JSON is an error.
func TestLinesOfNoEvent(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{`[1, 2]`: `[1,2]`, `{"a":1}`: `{"a":1}`, `7`: `7`, `{"a":`: "", `no`: ""} {
		ev := Decode([]byte(line))
		if u, ok := ev.Body.(Unknown); !ok || !errors.Is(u.Reason, ErrEnvelope) || string(u.Raw) != line {
			t.Fatalf("%s is %+v", line, ev.Body)
		}
		got, err := Encode(ev)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %s, %v", line, got, err)
		}
		if kind, err := Peek([]byte(line)); kind != "" || !errors.Is(err, ErrEnvelope) {
			t.Errorf("%s: its kind is %q, %v", line, kind, err)
		}
	}
}

// TestCallOfAPermission: the call a question is about is where the request has it,
// else where the prompt has it.
func TestCallOfAPermission(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		asked PermissionRequested
		want  CallID
	}{
		{PermissionRequested{}, ""},
		{PermissionRequested{PermissionRequest: PermissionRequest{PermissionDetails: PermissionDetails{ToolCallID: "a"}}}, "a"},
		{PermissionRequested{PromptRequest: &PromptRequest{PermissionDetails: PermissionDetails{ToolCallID: "b"}}}, "b"},
		{PermissionRequested{PermissionRequest: PermissionRequest{PermissionDetails: PermissionDetails{ToolCallID: "a"}}, PromptRequest: &PromptRequest{PermissionDetails: PermissionDetails{ToolCallID: "b"}}}, "a"},
	} {
		if got := tt.asked.Call(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.asked, got, tt.want)
		}
	}
}

// TestReferences: what is no reference is left out, and only one with all that is
// drawn of it may be shown.
func TestReferences(t *testing.T) {
	t.Parallel()
	all := References{Items: []jsontext.Value{
		jsontext.Value(`{"metadata":{"display_name":"n","display_icon":"i","display_url":"u"}}`),
		jsontext.Value(`"no reference"`),
		jsontext.Value(`{"metadata":{"display_icon":"i","display_url":"u"}}`),
		jsontext.Value(`{"metadata":{"display_name":"n","display_url":"u"}}`),
		jsontext.Value(`{"metadata":{"display_name":"n","display_icon":"i"}}`),
		jsontext.Value(`{}`),
	}}
	var shown []bool
	for _, r := range all.List() {
		shown = append(shown, r.Shown())
	}
	if want := []bool{true, false, false, false, false}; !slices.Equal(shown, want) {
		t.Errorf("got %v, want %v", shown, want)
	}
}
