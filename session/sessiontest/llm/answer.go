package llm

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// object is a JSON object of the wire form.
type object = map[string]any

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the runtime hung up
	}
	var req Request
	if err := json.Unmarshal(raw, &req); err != nil {
		reply(w, http.StatusBadRequest, failure(400, "not a completion request: "+err.Error()))
		return
	}
	req.Raw = raw
	req.Interaction = r.Header.Get("X-Interaction-Type")
	req.Header = r.Header
	req.Script, req.Step = locate(req.Messages)
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()

	step, ok := s.step(req.Script, req.Step)
	if !ok {
		reply(w, http.StatusBadRequest, failure(400, fmt.Sprintf("no script is named %q", req.Script)))
		return
	}
	s.play(w, r, req, step)
}

// step returns what to play.
func (s *Server) step(name string, n int) (Step, bool) {
	s.mu.Lock()
	steps, ok := s.script[name]
	s.mu.Unlock()
	switch {
	case !ok && name == "":
		return Step{Text: "No script was named."}, true
	case !ok && name == CompactScript:
		return Step{Text: "<summary>The conversation so far, in short.</summary>"}, true
	case !ok:
		return Step{}, false
	case n >= len(steps):
		return Step{Text: "Done."}, true
	}
	return steps[n], true
}

// fails reports whether this play of a step that can fail still fails.
func (s *Server) fails(req Request, step Step) bool {
	if (step.Status == 0 || step.Status == http.StatusOK) && step.BreakAfter == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprintf("%s/%d", req.Script, req.Step)
	s.failures[key]++
	return step.Times == 0 || s.failures[key] <= step.Times
}

func (s *Server) play(w http.ResponseWriter, r *http.Request, req Request, step Step) {
	fails := s.fails(req, step)
	if step.Hold != nil && step.HoldAfter == 0 {
		step.Hold.wait(r.Context().Done())
	}
	if fails && step.Status != 0 && step.Status != http.StatusOK {
		for k, v := range step.Headers {
			w.Header().Set(k, v)
		}
		body := step.Body
		if body == nil {
			body = failure(step.Status, fmt.Sprintf("scripted failure %d", step.Status))
		}
		reply(w, step.Status, body)
		return
	}
	deltas := s.deltas(step)
	if !req.Stream {
		reply(w, http.StatusOK, whole(req, step, deltas))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for i, d := range deltas {
		if i > 0 && step.ChunkDelay > 0 {
			time.Sleep(step.ChunkDelay)
		}
		if step.Hold != nil && i > 0 && i == step.HoldAfter {
			step.Hold.wait(r.Context().Done())
		}
		if fails && step.BreakAfter > 0 && i == step.BreakAfter {
			panic(http.ErrAbortHandler)
		}
		write(w, chunk(req, d, nil))
	}
	write(w, chunk(req, object{}, finish(step)))
	last := chunk(req, nil, nil)
	last["choices"], last["usage"] = []any{}, usage(step)
	write(w, last)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// deltas cuts the step into streamed pieces. Arguments come in two halves, as
// real models send them in pieces too.
func (s *Server) deltas(step Step) []object {
	var out []object
	for _, p := range words(step.Reasoning) {
		out = append(out, object{"reasoning_content": p})
	}
	for _, p := range words(step.Text) {
		out = append(out, object{"content": p})
	}
	for i, c := range step.Calls {
		s.mu.Lock()
		s.calls++
		id := fmt.Sprintf("call_%d", s.calls)
		s.mu.Unlock()
		args := arguments(c)
		half := len(args) / 2
		out = append(out,
			object{"tool_calls": []object{{
				"index": i, "id": id, "type": "function",
				"function": object{"name": c.Name, "arguments": args[:half]},
			}}},
			object{"tool_calls": []object{{"index": i, "function": object{"arguments": args[half:]}}}})
	}
	return out
}

func arguments(c Call) string {
	if c.Raw != "" {
		return c.Raw
	}
	b, err := json.Marshal(c.Args, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("llm: arguments of %s: %v", c.Name, err)) // a mistake in the test
	}
	return string(b)
}

// words are the pieces of a text cut after its blanks, none of them empty.
func words(text string) []string {
	return slices.DeleteFunc(strings.SplitAfter(text, " "), func(piece string) bool { return piece == "" })
}

func finish(step Step) string {
	switch {
	case step.Finish != "":
		return step.Finish
	case len(step.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func usage(step Step) object {
	prompt, completion := cmp.Or(step.Usage.Prompt, 1000), cmp.Or(step.Usage.Completion, 1+len(step.Text)/4)
	return object{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
}

func chunk(req Request, delta object, finish any) object {
	return object{
		"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "model": req.Model,
		"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
	}
}

// whole is the answer of a request that does not stream.
func whole(req Request, step Step, deltas []object) object {
	message := object{"role": "assistant", "content": step.Text}
	if step.Reasoning != "" {
		message["reasoning_content"] = step.Reasoning
	}
	var calls []object
	for _, d := range deltas {
		if parts, ok := d["tool_calls"].([]object); ok && parts[0]["id"] != nil {
			c := step.Calls[len(calls)]
			calls = append(calls, object{
				"id": parts[0]["id"], "type": "function",
				"function": object{"name": c.Name, "arguments": arguments(c)},
			})
		}
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": req.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish(step)}},
		"usage":   usage(step),
	}
}

func failure(status int, message string) object {
	return object{"error": object{"message": message, "code": fmt.Sprint(status)}}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body) // the runtime may have hung up
}

func write(w http.ResponseWriter, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("llm: %v", err)) // only a mistake in this package
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
