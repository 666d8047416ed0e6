// Package demo is the agent that answers when there is no Copilot CLI: no model
// is behind it, nothing leaves the machine, and it says so. It plays its part
// in the events of the real runtime, in the runtime's order (docs/protocol.md,
// section 6), asks for permission as the runtime does, and runs harmless
// commands for real, in a scratch folder that it makes and removes. What would
// reach outside that folder it only pretends. What it says is made of what
// modelview says that a model would be sent, and of nothing else. It keeps its
// sessions as long as it runs, and no longer, beside a few that it pretends to
// have had.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// HumanPace is a pace at which one can read along.
const HumanPace = 25 * time.Millisecond

// ErrClosed is returned by calls on a session or an agent that was closed.
var ErrClosed = errors.New("the demo was closed")

// Config is how a demo behaves. The zero Config says everything at once.
type Config struct {
	// Pace is the pause between two pieces of streamed text; longer pauses
	// are multiples of it. Zero is no pause.
	Pace time.Duration
	// Now gives events their time; nil is time.Now.
	Now func() time.Time
	// TempDir is where scratch folders are made; "" is the system's folder
	// for temporary files.
	TempDir string

	model speaker // speak, but in tests
}

// Agent is the demo. It implements session.Agent and session.Library.
type Agent struct {
	cfg Config

	mu       sync.Mutex
	sessions []*Session             // all that were ever opened
	records  map[session.ID]*record // of sessions that are not open
	closed   bool
}

var (
	_ session.Agent   = (*Agent)(nil)
	_ session.Library = (*Agent)(nil)
)

// Open returns a demo. It must be closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.model = speak
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open the demo: %w", err)
	}
	a := &Agent{cfg: cfg, records: map[session.ID]*record{}}
	for _, r := range pastSessions(cfg.Now()) {
		a.records[r.ID] = r
	}
	return a, nil
}

// Open implements session.Agent. A model that is not the demo's means Fast. The
// session works in its scratch folder, whatever folder the options name.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s, err := a.start(ctx, nil, o)
	if err != nil {
		return nil, fmt.Errorf("open a demo session: %w", err)
	}
	return s, nil
}

// Close implements session.Agent.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	sessions := slices.Clone(a.sessions)
	a.mu.Unlock()
	return session.CloseAll(ctx, sessions)
}

// makeScratch makes a folder in which the demo's commands run. It is the only
// thing in a folder of its own, so that its name is short.
func makeScratch(parent string, files map[string]string) (string, error) {
	parent, err := os.MkdirTemp(parent, "parley-demo-")
	if err != nil {
		return "", fmt.Errorf("make a scratch folder: %w", err)
	}
	dir := filepath.Join(parent, "scratch")
	if err := fill(dir, files); err != nil {
		return "", errors.Join(fmt.Errorf("fill the scratch folder: %w", err), removeScratch(dir))
	}
	return dir, nil
}

func fill(dir string, files map[string]string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func removeScratch(dir string) error { return os.RemoveAll(filepath.Dir(dir)) }
