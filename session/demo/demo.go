// Package demo is the agent that answers when there is no Copilot CLI: no model
// is behind it, nothing leaves the machine, and it says so. It tells its part
// in the events of the real runtime, in the runtime's order (protocol note,
// section 6), asks for permission as the runtime does, and runs harmless
// commands for real, in a scratch folder that it makes and removes. What would
// reach outside that folder it only pretends. It keeps no log.
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

	"github.com/google/uuid"

	"parley/session"
)

// HumanPace is a pace at which one can read along.
const HumanPace = 25 * time.Millisecond

// The models of the demo. They differ in nothing but their pace.
const (
	Fast = "demo-fast"
	Slow = "demo-slow"
)

// slowness is how many times the pace of Fast that of Slow takes.
const slowness = 4

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
}

// Agent is the demo. It implements session.Agent.
type Agent struct {
	cfg Config

	mu       sync.Mutex
	sessions []*Session
	closed   bool
}

var _ session.Agent = (*Agent)(nil)

// Open returns a demo. It must be closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open the demo: %w", err)
	}
	return &Agent{cfg: cfg}, nil
}

// Open implements session.Agent. A model that is not the demo's means Fast. The
// session works in its scratch folder, whatever folder the options name.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, fmt.Errorf("open a demo session: %w", ErrClosed)
	}
	scratch, err := makeScratch(a.cfg.TempDir)
	if err != nil {
		return nil, fmt.Errorf("open a demo session: %w", err)
	}
	if o.Model != Slow {
		o.Model = Fast
	}
	if o.Mode == "" {
		o.Mode = session.Interactive
	}
	s := newSession(context.WithoutCancel(ctx), a.cfg, scratch, session.Info{
		ID: session.ID(uuid.NewString()), Agent: "demo", Model: o.Model, Mode: o.Mode, Dir: scratch, Demo: true,
	})
	a.sessions = append(a.sessions, s)
	s.begin()
	s.delivering.Go(func() { s.guard(func() { s.out.deliver(s.ending) }) })
	go s.live()
	return s, nil
}

// Resume implements session.Agent. It always fails: there is no log.
func (a *Agent) Resume(_ context.Context, id session.ID, _ session.Options) (session.Session, error) {
	return nil, fmt.Errorf("resume session %s: the demo keeps no log of its sessions; start a new one, or install "+
		"the Copilot CLI with %q to keep them", id, install)
}

// Close implements session.Agent.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	sessions := slices.Clone(a.sessions)
	a.mu.Unlock()
	var errs []error
	for _, s := range sessions {
		errs = append(errs, s.Close(ctx))
	}
	return errors.Join(errs...)
}

// scratchFiles are what a scratch folder holds at first.
func scratchFiles() map[string]string {
	return map[string]string{
		"README.txt": "This folder belongs to Parley's demo. It is removed when the demo ends.\n",
		"notes.md":   "# Notes\n\n- a prompt starts a turn\n- a tool may need your permission\n- you can always interrupt\n",
		"hello.go":   program(greetings[0]),
		"count.sh":   "i=1\nwhile [ $i -le 20 ]; do\n\techo \"line $i of 20\"\n\tsleep 1\n\ti=$((i + 1))\ndone\n",
	}
}

// makeScratch makes a folder in which the demo's commands run. It is the only
// thing in a folder of its own, so that its name is short.
func makeScratch(parent string) (string, error) {
	parent, err := os.MkdirTemp(parent, "parley-demo-")
	if err != nil {
		return "", fmt.Errorf("make a scratch folder: %w", err)
	}
	dir := filepath.Join(parent, "scratch")
	if err := fill(dir); err != nil {
		return "", errors.Join(fmt.Errorf("fill the scratch folder: %w", err), removeScratch(dir))
	}
	return dir, nil
}

func fill(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for name, text := range scratchFiles() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func removeScratch(dir string) error { return os.RemoveAll(filepath.Dir(dir)) }
