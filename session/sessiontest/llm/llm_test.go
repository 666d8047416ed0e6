package llm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session/sessiontest/llm"
)

type object = map[string]any

// message is one message of a request.
func message(role, text string) object { return object{"role": role, "content": text} }

// reply is an answer as it comes in. The test closes it.
type reply struct {
	StatusCode int
	Header     http.Header
	Body       io.Reader
}

// post asks the model as the runtime does.
func post(t *testing.T, s *llm.Server, stream bool, messages ...object) reply {
	t.Helper()
	body, err := json.Marshal(object{"model": llm.Model, "stream": stream, "messages": messages})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Initiator", "user")
	rsp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rsp.Body.Close() })
	return reply{rsp.StatusCode, rsp.Header, rsp.Body}
}

// answer is what a stream says.
type answer struct {
	reasoning, text []string
	calls           []string
	finish          string
	err             string
	done            bool
}

type chunk struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			Reasoning string `json:"reasoning_content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

func read(t *testing.T, rsp reply) (answer, error) {
	t.Helper()
	raw, readErr := io.ReadAll(rsp.Body)
	var a answer
	for _, line := range strings.Split(string(raw), "\n\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			a.done = true
			continue
		}
		var c chunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("chunk %s: %v", data, err)
		}
		a.err += c.Error.Message
		for _, choice := range c.Choices {
			if d := choice.Delta.Reasoning; d != "" {
				a.reasoning = append(a.reasoning, d)
			}
			if d := choice.Delta.Content; d != "" {
				a.text = append(a.text, d)
			}
			for _, call := range choice.Delta.ToolCalls {
				if call.ID != "" {
					a.calls = append(a.calls, call.Function.Name+" ")
				}
				a.calls[call.Index] += call.Function.Arguments
			}
			a.finish += choice.FinishReason
		}
	}
	return a, readErr
}

func ask(t *testing.T, s *llm.Server, messages ...object) answer {
	t.Helper()
	a, err := read(t, post(t, s, true, messages...))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestStream(t *testing.T) {
	t.Parallel()
	s := llm.Serve(t, llm.Script{
		"words": {{Reasoning: "Let me see.", Text: "One two  three"}},
		"calls": {{Text: "So: ", Calls: []llm.Call{
			{Name: "bash", Args: object{"command": "ls", "at": 1}}, {Name: "odd", Raw: `{"x":`},
		}}},
		"cut": {{Text: "half a sen", Finish: "length"}},
	})
	for script, want := range map[string]answer{
		"words": {reasoning: []string{"Let ", "me ", "see."}, text: []string{"One ", "two ", " ", "three"}, finish: "stop"},
		"calls": {text: []string{"So: "}, calls: []string{`bash {"at":1,"command":"ls"}`, `odd {"x":`}, finish: "tool_calls"},
		"cut":   {text: []string{"half ", "a ", "sen"}, finish: "length"},
	} {
		got := ask(t, s, message("user", "please @@"+script))
		want.done = true
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v\nwant %+v", script, got, want)
		}
	}
}

// TestSteps shows which step answers which conversation.
func TestSteps(t *testing.T) {
	t.Parallel()
	s := llm.Serve(t, llm.Script{
		"a":               {{Text: "a0"}, {Text: "a1"}},
		"b":               {{Text: "b0"}},
		llm.CompactScript: {{Text: "short"}},
	})
	s.Add("c", llm.Step{Text: "c0"})
	user := func(text string) object { return message("user", text) }
	assistant := message("assistant", "said")
	tool := object{"role": "tool", "tool_call_id": "x", "content": "@@b is only output"}
	parts := object{"role": "user", "content": []object{{"type": "text", "text": "see"}, {"type": "image_url"}, {"type": "text", "text": "@@c"}}}
	for _, tc := range []struct {
		want     string
		messages []object
	}{
		{"a0", []object{user("@@a")}},
		{"a1", []object{user("@@a"), assistant, tool}},
		{"Done.", []object{user("@@a"), assistant, tool, assistant, tool}},
		{"a1", []object{user("@@a"), assistant, user("no mark: steering")}},
		{"b0", []object{user("@@a"), assistant, user("@@b")}},
		{"b0", []object{user("@@a and then @@b")}},
		{"c0", []object{message("system", "@@a"), parts}},
		{"short", []object{user("@@a"), assistant, user("Please create a detailed summary of the conversation so far.")}},
		{"No script was named.", []object{user("hello")}},
	} {
		if got := strings.Join(ask(t, s, tc.messages...).text, ""); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.messages, got, tc.want)
		}
	}
	rsp := post(t, s, true, user("@@unknown"))
	if body, _ := io.ReadAll(rsp.Body); rsp.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "unknown") {
		t.Errorf("a script that does not exist: %d %s", rsp.StatusCode, body)
	}
	requests := s.Requests()
	last := requests[len(requests)-1]
	if len(requests) != 10 || last.Script != "unknown" || last.Model != llm.Model || last.Header.Get("X-Initiator") != "user" ||
		last.Messages[0].Text() != "@@unknown" || requests[6].System() != "@@a\n" {
		t.Errorf("recorded %d requests, the last is %+v", len(requests), last)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := llm.Serve(t, llm.Script{
		"busy":  {{Status: http.StatusTooManyRequests, Headers: map[string]string{"Retry-After": "1"}, Times: 2, Text: "now"}},
		"never": {{Status: http.StatusPaymentRequired, Body: object{"error": object{"message": "pay"}}}},
		"cut":   {{Text: "one two three", BreakAfter: 2, Times: 1}},
	})
	busy := message("user", "@@busy")
	for range 2 {
		rsp := post(t, s, true, busy)
		if rsp.StatusCode != http.StatusTooManyRequests || rsp.Header.Get("Retry-After") != "1" {
			t.Errorf("got %d", rsp.StatusCode)
		}
	}
	if got := ask(t, s, busy); !slices.Equal(got.text, []string{"now"}) {
		t.Errorf("then %+v", got)
	}
	for range 3 {
		rsp := post(t, s, true, message("user", "@@never"))
		if body, _ := io.ReadAll(rsp.Body); rsp.StatusCode != http.StatusPaymentRequired || !strings.Contains(string(body), "pay") {
			t.Errorf("got %d %s", rsp.StatusCode, body)
		}
	}
	got, err := read(t, post(t, s, true, message("user", "@@cut")))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !slices.Equal(got.text, []string{"one ", "two "}) {
		t.Errorf("cut after two pieces: %+v, %v", got, err)
	}
	if got := ask(t, s, message("user", "@@cut")); len(got.text) != 3 {
		t.Errorf("then %+v", got)
	}
}

func TestHold(t *testing.T) {
	t.Parallel()
	first, middle := llm.NewGate(), llm.NewGate()
	s := llm.Serve(t, llm.Script{"wait": {{Text: "one two", Hold: middle, HoldAfter: 1}}, "start": {{Text: "go", Hold: first}}})
	rsp := post(t, s, true, message("user", "@@wait"))
	<-middle.Reached()
	piece := make([]byte, 4096)
	n, err := rsp.Body.Read(piece)
	if got := string(piece[:n]); err != nil || !strings.Contains(got, "one ") || strings.Contains(got, "two") {
		t.Errorf("before the gate opened: %s, %v", got, err)
	}
	middle.Open()
	middle.Open()
	if got, err := read(t, rsp); err != nil || !slices.Equal(got.text, []string{"two"}) || !got.done {
		t.Errorf("after: %+v, %v", got, err)
	}
	first.Open()
	if got := ask(t, s, message("user", "@@start")); !slices.Equal(got.text, []string{"go"}) {
		t.Errorf("through an open gate: %+v", got)
	}
}

// TestCloseWhileHeld shows that a server ends although a step waits.
func TestCloseWhileHeld(t *testing.T) {
	t.Parallel()
	gate := llm.NewGate()
	s, err := llm.Start(t.Context(), llm.Script{"wait": {{Text: "one two", Hold: gate, HoldAfter: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	rsp := post(t, s, true, message("user", "@@wait"))
	<-gate.Reached()
	s.Close()
	if _, err := io.ReadAll(rsp.Body); err == nil {
		t.Error("the answer ended well")
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	s := llm.Serve(t, llm.Script{"a": {{
		Reasoning: "Hm.", Text: "One two", Calls: []llm.Call{{Name: "bash", Args: object{"command": "ls"}}},
		Usage: llm.Usage{Prompt: 7, Completion: 8},
	}}})
	raw, err := io.ReadAll(post(t, s, false, message("user", "@@a")).Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"content":"One two"`, `"reasoning_content":"Hm."`, `"arguments":"{\"command\":\"ls\"}"`,
		`"finish_reason":"tool_calls"`, `"total_tokens":15`,
	} {
		if !bytes.Contains(raw, []byte(want)) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

func TestEnv(t *testing.T) {
	t.Parallel()
	s := llm.Serve(t, nil)
	env := s.Env("/scratch")
	for _, want := range []string{"COPILOT_HOME=/scratch", "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + s.URL, "COPILOT_MODEL=" + llm.Model} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s in %v", want, env)
		}
	}
}
