// Package llm serves a scripted model on loopback, in the forms of OpenAI's chat
// completions, OpenAI's responses and Gemini's API, so that tests can make a real agent
// do anything on demand, offline and without sleeping.
//
// A prompt picks its script by holding "@@name". The step that is played is
// the number of assistant messages after the last user message that holds the
// mark, so the server needs no memory of conversations: tool results,
// steering and sub-agents (whose prompts hold marks of their own) all work.
package llm

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Model is the model name that Env selects. The runtime accepts any name.
const Model = "fake-model"

// CompactScript is the script played for the runtime's own request to
// summarise a conversation. Without one a fixed summary is given.
const CompactScript = "__compact"

// Script maps the name in "@@name" to the answers the model gives one after
// another. After the last one the model answers "Done.". The script named ""
// is played for conversations in which no prompt names one.
type Script map[string][]Step

// Step is one answer of the model. Its parts are streamed in the order
// reasoning, text, calls.
type Step struct {
	Reasoning string
	Text      string
	Calls     []Call

	// ChunkDelay is waited between pieces, which are words. Tests use Hold
	// instead; it is for demonstrations and benchmarks.
	ChunkDelay time.Duration
	// Hold stops the answer after HoldAfter pieces (0: before the first byte)
	// until the gate opens or the runtime hangs up.
	Hold      *Gate
	HoldAfter int

	// Status other than 0 and 200 fails the request with Body (a default
	// error object when nil) and Headers. With Times the step fails that
	// often and then plays; without, it fails for ever.
	Status  int
	Body    any
	Headers map[string]string
	Times   int
	// BreakAfter cuts the connection after that many pieces, under Times too.
	BreakAfter int

	// Finish overrides the finish reason ("stop", or "tool_calls" with calls).
	Finish string
	// Usage overrides the token counts, which the runtime believes.
	Usage Usage
}

// Call is one tool call. Raw, when set, is sent as the arguments as it stands,
// valid JSON or not.
type Call struct {
	Name string
	Args map[string]any
	Raw  string
}

// Usage is the token count of one answer.
type Usage struct {
	Prompt, Completion int
}

// Gate is where a step waits for the test.
type Gate struct {
	reached chan struct{}
	open    chan struct{}
	arrive  sync.Once
	release sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate {
	return &Gate{reached: make(chan struct{}), open: make(chan struct{})}
}

// Reached is closed when a step waits at the gate for the first time.
func (g *Gate) Reached() <-chan struct{} { return g.reached }

// Open lets every step pass, now and later. It may be called more than once.
func (g *Gate) Open() { g.release.Do(func() { close(g.open) }) }

func (g *Gate) wait(done <-chan struct{}) {
	g.arrive.Do(func() { close(g.reached) })
	select {
	case <-g.open:
	case <-done:
	}
}

// Server is a running scripted model.
type Server struct {
	// URL is the base address, with the path "/v1".
	URL string

	http   *http.Server
	served chan struct{}

	mu       sync.Mutex
	script   Script
	requests []Request
	failures map[string]int // failed plays by script and step
	calls    int            // tool calls made, for their ids
}

// Start serves script on a free port of loopback until Close.
func Start(ctx context.Context, script Script) (*Server, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve the scripted model: %w", err)
	}
	if script == nil {
		script = Script{}
	}
	s := &Server{
		URL:      "http://" + l.Addr().String() + "/v1",
		script:   maps.Clone(script),
		served:   make(chan struct{}),
		failures: map[string]int{},
	}
	mux := http.NewServeMux()
	for pattern, form := range map[string]wire{
		"POST /v1/chat/completions": chat{}, "POST /v1/responses": responses{}, "POST /v1beta/models/{call}": gemini{},
		"POST /v1/messages": anthropic{},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.complete(form, w, r) })
	}
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l) // always ErrServerClosed: the listener is ours alone
	}()
	return s, nil
}

// Serve is Start for the length of a test.
func Serve(t testing.TB, script Script) *Server {
	t.Helper()
	s, err := Start(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Close cuts every open answer and stops the server.
func (s *Server) Close() {
	_ = s.http.Close()
	<-s.served
}

// Env is the environment that points a Copilot CLI with the state directory
// home at this server and at nothing else. The place where the CLI unpacks
// itself (XDG_CACHE_HOME) is left alone, so that runs share it.
func (s *Server) Env(home string) []string {
	return []string{
		"COPILOT_OFFLINE=true",
		"COPILOT_PROVIDER_BASE_URL=" + s.URL,
		"COPILOT_MODEL=" + Model,
		"COPILOT_HOME=" + home,
	}
}

// Add adds a script, or replaces the one of that name.
func (s *Server) Add(name string, steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script[name] = steps
}

// Requests returns what the runtime has asked so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
