package llm_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/sessiontest/llm"
)

// TestOtherWires: the same script answers a first request with a call and the one with what
// came of it with words, whatever form an agent speaks to its model in.
func TestOtherWires(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address     string
		first, then object
		delta       func(jsontext.Value) string // the text of an event
		call        string                      // a part of the answer that makes the call
	}{
		"responses": {
			address: "/v1/responses",
			first: object{"model": "m", "stream": true, "tools": []object{{"type": "function", "name": "look"}}, "input": []object{
				{"type": "message", "role": "user", "content": []object{{"type": "input_text", "text": "please @@go"}}},
			}},
			then: object{"model": "m", "stream": true, "input": []object{
				{"type": "message", "role": "user", "content": []object{{"type": "input_text", "text": "please @@go"}}},
				{"type": "reasoning", "summary": []any{}},
				{"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"},
				{"type": "function_call_output", "call_id": "call_1", "output": "nothing"},
			}},
			delta: func(raw jsontext.Value) string {
				var e struct{ Type, Delta string }
				decode(t, raw, &e)
				return e.Delta
			},
			call: `"arguments":"{\"at\":1}","call_id":"call_1","id":"item_call_1","name":"look"`,
		},
		"gemini": {
			address: "/v1beta/models/m:streamGenerateContent?alt=sse",
			first: object{"tools": []object{{"functionDeclarations": []object{{"name": "look"}}}}, "contents": []object{
				{"role": "user", "parts": []object{{"text": "please @@go"}}},
			}},
			then: object{"contents": []object{
				{"role": "user", "parts": []object{{"text": "please @@go"}}},
				{"role": "model", "parts": []object{{"functionCall": object{"name": "look", "args": object{}}}}},
				{"role": "user", "parts": []object{{"functionResponse": object{"name": "look", "response": object{}}}}},
			}},
			delta: func(raw jsontext.Value) string {
				var e struct {
					Candidates []struct {
						Content struct{ Parts []struct{ Text string } }
					}
				}
				decode(t, raw, &e)
				return e.Candidates[0].Content.Parts[0].Text
			},
			call: `"functionCall":{"args":{"at":1},"name":"look"}`,
		},
		"anthropic": {
			address: "/v1/messages?beta=true",
			first: object{"model": "m", "stream": true, "tools": []object{{"name": "look"}}, "messages": []object{
				message("user", "please @@go"),
			}},
			then: object{"model": "m", "stream": true, "messages": []object{
				message("user", "please @@go"),
				{"role": "assistant", "content": []object{{"type": "tool_use", "id": "call_1", "name": "look", "input": object{}}}},
				{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": "call_1", "content": "nothing"}}},
			}},
			delta: func(raw jsontext.Value) string {
				var e struct{ Delta struct{ Text string } }
				decode(t, raw, &e)
				return e.Delta.Text
			},
			call: `"delta":{"partial_json":"{\"at\":1}","type":"input_json_delta"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llm.Serve(t, llm.Script{"go": {{Calls: []llm.Call{{Name: "look", Args: object{"at": 1}}}}, {Text: "Seen it all."}}})
			if got := strings.Join(events(t, s, c.address, c.first), "\n"); !strings.Contains(got, c.call) {
				t.Errorf("the call is not in\n%s", got)
			}
			var words []string
			for _, raw := range events(t, s, c.address, c.then) {
				words = append(words, c.delta(jsontext.Value(raw)))
			}
			words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
			if want := []string{"Seen ", "it ", "all."}; !slices.Equal(words, want) {
				t.Errorf("got %q, want %q", words, want)
			}
			asked := s.Requests()
			if len(asked) != 2 || asked[0].Model != "m" || !asked[0].Stream || len(asked[0].Tools) != 1 || asked[0].Tools[0].Function.Name != "look" {
				t.Errorf("the requests were read as %+v", asked)
			}
		})
	}
}

// events are what a stream sends, each as canonical JSON.
func events(t *testing.T, s *llm.Server, address string, body object) []string {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSuffix(s.URL, "/v1") + address
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	rsp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rsp.Body.Close() }()
	text, err := io.ReadAll(rsp.Body)
	if err != nil || rsp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", rsp.StatusCode, text, err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && !strings.HasPrefix(data, "[DONE]") {
			value := jsontext.Value(strings.TrimSpace(data))
			if err := value.Canonicalize(); err != nil {
				t.Fatal(err)
			}
			all = append(all, string(value))
		}
	}
	return all
}

func decode(t *testing.T, raw jsontext.Value, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Error(err)
	}
}
