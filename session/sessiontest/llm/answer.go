package llm

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// object is a JSON object of the wire form.
type object = map[string]any

// wire is a form in which agents speak to models.
type wire interface {
	// read reads a request, which came to an address with this last part.
	read(raw []byte, last string) (Request, error)
	// stream is an answer: what comes before its pieces, they, and what comes after them. Calls
	// have these ids.
	stream(req Request, step Step, ids []string) (before, pieces, after []event)
	// whole is an answer to a request that does not stream.
	whole(req Request, step Step, ids []string) object
}

// event is one of a stream. Without a body it is the end of the stream.
type event struct {
	name string // "": it has none
	body object
}

// typed is an event whose body names its type too.
func typed(name string, body object) event {
	body["type"] = name
	return event{name, body}
}

func (s *Server) complete(form wire, w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the runtime hung up
	}
	req, err := form.read(raw, path.Base(r.URL.Path))
	if err != nil {
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
	s.play(form, w, r, req, step)
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

func (s *Server) play(form wire, w http.ResponseWriter, r *http.Request, req Request, step Step) {
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
	ids := s.ids(len(step.Calls))
	if !req.Stream {
		reply(w, http.StatusOK, form.whole(req, step, ids))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	before, pieces, after := form.stream(req, step, ids)
	write(w, before...)
	for i, piece := range pieces {
		if i > 0 && step.ChunkDelay > 0 {
			time.Sleep(step.ChunkDelay)
		}
		if step.Hold != nil && i > 0 && i == step.HoldAfter {
			step.Hold.wait(r.Context().Done())
		}
		if fails && step.BreakAfter > 0 && i == step.BreakAfter {
			panic(http.ErrAbortHandler)
		}
		write(w, piece)
	}
	write(w, after...)
}

// ids are names for so many calls that no call had before.
func (s *Server) ids(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, n)
	for i := range ids {
		s.calls++
		ids[i] = fmt.Sprintf("call_%d", s.calls)
	}
	return ids
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

// tokens are those of an answer.
func tokens(step Step) (prompt, completion int) {
	return cmp.Or(step.Usage.Prompt, 1000), cmp.Or(step.Usage.Completion, 1+len(step.Text)/4)
}

func failure(status int, message string) object {
	return object{"error": object{"message": message, "code": fmt.Sprint(status)}}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, body) // the runtime may have hung up
}

func write(w http.ResponseWriter, events ...event) {
	for _, e := range events {
		b := []byte("[DONE]")
		if e.body != nil {
			var err error
			if b, err = json.Marshal(e.body); err != nil {
				panic(fmt.Sprintf("llm: %v", err)) // only a mistake in this package
			}
		}
		if e.name != "" {
			_, _ = fmt.Fprintf(w, "event: %s\n", e.name)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
