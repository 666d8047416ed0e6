// Package demo is the agent that answers when there is no Copilot CLI: no model
// is behind it, nothing leaves the machine, and it says so. It plays its part
// in the events of the real runtime, in the runtime's order (docs/protocol.md,
// section 6), asks for permission as the runtime does, and runs harmless
// commands for real, in a scratch folder that it makes and removes. What would
// reach outside that folder it only pretends. What it says is made of what
// modelview says that a model would be sent, and of nothing else. It keeps its
// sessions as long as it runs, and no longer, and a few that it pretends to
// have had.
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/session"
	"parley/session/local"
)

// HumanPace is a pace at which one can read along.
const HumanPace = 25 * time.Millisecond

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
	local.Agent
	cfg   Config
	store *memoryStore
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
	a := &Agent{cfg: cfg, store: &memoryStore{records: map[session.ID]*record{}}}
	for _, r := range pastSessions(cfg.Now()) {
		a.store.add(r)
	}
	a.Agent = local.Agent{Client: client, Store: a.store, Now: cfg.Now, Begin: a.begin}
	return a, nil
}

// begin begins a session with what is stored of it. A model that is not the demo's is an
// error. It works in a new scratch folder, whatever folder the options name.
func (a *Agent) begin(
	ctx context.Context, o session.Options, stored session.StoredSession, place session.Record,
) (local.Running, error) {
	if o.Model != "" {
		if _, err := modelOf(o.Model); err != nil {
			return nil, errors.Join(err, place.Close())
		}
	}
	r, _ := place.(*record)
	files := r.now().files
	if files == nil {
		files = pretended().Files
	}
	scratch, err := makeScratch(a.cfg.TempDir, files)
	if err != nil {
		return nil, errors.Join(err, place.Close())
	}
	info := session.Info{
		ID: stored.ID, Agent: "demo", Model: modelOr(o.Model).ID, Mode: cmp.Or(o.Mode, session.Interactive), Dir: scratch,
		Demo: true, InUse: stored.InUse,
	}
	r.opened(scratch)
	s := newSession(ctx, a.cfg, info, r, a.store)
	if len(stored.Events) == 0 {
		s.begin()
	} else {
		s.resume(stored, o)
	}
	s.Start(s.live, s.leave)
	return s, nil
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
