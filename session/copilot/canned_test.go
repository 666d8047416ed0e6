package copilot

import (
	"slices"
	"sync"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// canned is a session of a runtime that gives the same answer to each call
// of a method, for answers that the real one gives only elsewhere. A method
// without one is never heard.
type canned struct {
	*Session
	mu    sync.Mutex
	calls []heard
}

type heard struct {
	method string
	params map[string]any
}

func can(t *testing.T, results map[string]string) *canned {
	t.Helper()
	ours, theirs := channel.Direct()
	a := &canned{}
	agent := &Agent{client: jrpc2.NewClient(ours, nil), valve: newValve(), sessions: map[session.ID]*Session{}}
	a.Session = newSession(&link{agent: agent, id: "s", done: make(chan struct{}), moving: newGate()}, session.Info{ID: "s"})
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			raw, err := theirs.Recv()
			if err != nil {
				_ = theirs.Close()
				return
			}
			a.serve(t, theirs, raw, results)
		}
	}()
	t.Cleanup(func() {
		_ = agent.client.Close()
		<-served
	})
	return a
}

func (a *canned) serve(t *testing.T, to channel.Channel, raw []byte, results map[string]string) {
	t.Helper()
	var in struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params map[string]any `json:"params"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		t.Error(err)
		return
	}
	a.mu.Lock()
	a.calls = append(a.calls, heard{in.Method, in.Params})
	a.mu.Unlock()
	if result, ok := results[in.Method]; ok {
		_ = to.Send([]byte(`{"jsonrpc":"2.0","id":` + string(in.ID) + `,"result":` + result + `}`))
	}
}

// called returns the parameters of the last call of a method, nil if there was
// none.
func (a *canned) called(method string) map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range slices.Backward(a.calls) {
		if c.method == method {
			return c.params
		}
	}
	return nil
}
