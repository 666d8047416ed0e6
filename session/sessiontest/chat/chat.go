// Package chat serves a scripted chat agent: it answers over server-sent events
// as agents do, in every way that is documented, and fails in every
// way in which servers fail. It is also an endpoint for chat completions.
//
// The first word of the last prompt picks what it does: see Scenes.
package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Models are what the agent lists.
var models = []string{"small", "large"}

// Request is a request that the agent got.
type Request struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Message is a message of a request.
type Message struct {
	Role          string          `json:"role"`
	Content       json.RawMessage `json:"content"`
	References    json.RawMessage `json:"copilot_references"`
	Confirmations []Confirmation  `json:"copilot_confirmations"`
}

// Confirmation is an answer to a confirmation.
type Confirmation struct {
	State        string          `json:"state"`
	Confirmation json.RawMessage `json:"confirmation"`
}

// Agent is the server. The zero Agent is ready.
type Agent struct {
	// Token is what a request must bring along; "" for nothing.
	Token string
	// Elsewhere is where the scene "redirect" sends requests on to.
	Elsewhere string

	running sync.WaitGroup

	mu       sync.Mutex
	requests []Request
	release  chan struct{}
	done     int            // things that were accepted
	times    map[string]int // how often a scene was played
}

// Requests are those with a conversation, in order.
func (a *Agent) Requests() []Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// Done is how many confirmations were accepted.
func (a *Agent) Done() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.done
}

// Wait waits until no request runs, or ctx is done.
func (a *Agent) Wait(ctx context.Context) {
	over := make(chan struct{})
	go func() { a.running.Wait(); close(over) }()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// Release ends the answers of the scene "long" that run now, as if they were
// complete.
func (a *Agent) Release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.release != nil {
		close(a.release)
	}
	a.release = nil
}

// released is closed by the next Release.
func (a *Agent) released() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.release == nil {
		a.release = make(chan struct{})
	}
	return a.release
}

// Scenes are the names of what the agent can do, sorted.
func Scenes() []string { return slices.Sorted(maps.Keys(scenes())) }

// ServeHTTP implements http.Handler.
func (a *Agent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.running.Add(1)
	defer a.running.Done()
	if as := r.URL.Query().Get("as"); as != "" {
		t := &reply{w: w, r: r, agent: a}
		t.say("Redirected.")
		t.end("stop")
		return
	}
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") {
		a.list(w)
		return
	}
	body, err := io.ReadAll(r.Body)
	var asked struct{ Messages []Message }
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil || len(asked.Messages) == 0 {
		refuse(w, http.StatusBadRequest, "there are no messages")
		return
	}
	last := asked.Messages[len(asked.Messages)-1]
	a.mu.Lock()
	a.requests = append(a.requests, Request{r.URL.Path, r.Header.Clone(), body})
	for _, c := range last.Confirmations {
		if c.State == "accepted" {
			a.done++
		}
	}
	var text string
	_ = json.Unmarshal(last.Content, &text) // parts with images have no scene
	name, _, _ := strings.Cut(text, " ")
	if a.times == nil {
		a.times = map[string]int{}
	}
	a.times[name]++
	t := &reply{w: w, r: r, agent: a, text: text, time: a.times[name]}
	a.mu.Unlock()
	switch {
	case a.Token != "" && r.Header.Get("Authorization") != "Bearer "+a.Token && r.Header.Get("X-GitHub-Token") != a.Token:
		refuse(w, http.StatusUnauthorized, "bad token")
	case len(last.Confirmations) > 0:
		t.confirmed(last.Confirmations)
	case scenes()[name] != nil:
		scenes()[name](t)
	default:
		t.say("You said: ", text)
		t.end("stop")
	}
}

func (a *Agent) list(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	items := make([]string, len(models))
	for i, id := range models {
		items[i] = fmt.Sprintf(`{"id":%q,"object":"model"}`, id)
	}
	_, _ = io.WriteString(w, `{"object":"list","data":[`+strings.Join(items, ",")+`]}`)
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"message":%q,"type":"scripted","code":"c-%d"}}`, message, status)
}

// reply is one answer.
type reply struct {
	w     http.ResponseWriter
	r     *http.Request
	agent *Agent
	text  string
	time  int // how often the scene was played, this time included
	begun bool
}

// raw writes bytes of the stream as they are, at once.
func (t *reply) raw(text string) {
	if !t.begun {
		t.begun = true
		t.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	}
	_, _ = io.WriteString(t.w, text)
	if f, ok := t.w.(http.Flusher); ok {
		f.Flush()
	}
}

// event writes an event; "" is the default one.
func (t *reply) event(name, data string) {
	if name != "" {
		name = "event: " + name + "\n"
	}
	t.raw(name + "data: " + strings.ReplaceAll(data, "\n", "\ndata: ") + "\n\n")
}

// chunk writes a piece of an answer.
func (t *reply) chunk(delta, finish string) {
	if finish = `"` + finish + `"`; finish == `""` {
		finish = "null"
	}
	t.event("", piece(delta, finish))
}

func piece(delta, finish string) string {
	return `{"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"scripted",` +
		`"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + `}]}`
}

// say writes text, each word a piece.
func (t *reply) say(texts ...string) {
	t.chunk(`{"role":"assistant","content":""}`, "")
	for _, text := range texts {
		for _, word := range strings.SplitAfter(text, " ") {
			quoted, _ := json.Marshal(word) // a text always can be
			t.chunk(`{"content":`+string(quoted)+`}`, "")
		}
	}
}

// end ends the answer.
func (t *reply) end(finish string) {
	t.chunk(`{}`, finish)
	t.event("", `{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},`+
		`"completion_tokens_details":{"reasoning_tokens":2}}}`)
	t.event("", "[DONE]")
}

// hang waits until the client goes.
func (t *reply) hang() { <-t.r.Context().Done() }

// confirmed does what was accepted.
func (t *reply) confirmed(all []Confirmation) {
	for _, c := range all {
		if c.State == "accepted" {
			t.say("Done: ", string(c.Confirmation), "\n")
		} else {
			t.say("Left as it is: ", string(c.Confirmation), "\n")
		}
	}
	t.end("stop")
}
