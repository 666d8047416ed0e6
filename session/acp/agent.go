package acp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
	"parley/session/local"
)

// Config is which program the agent is and how it is started.
type Config struct {
	// Command is the program, found on the PATH of Env where it has no slash, and its
	// arguments. No shell runs.
	Command []string
	Env     []string // all of its environment
	Name    string   // shown until the agent says its own, and kept with sessions; "" is Command's
	Install string   // a command that installs the program; "" is not known
	Mode    string   // the agent's own, set when a session opens; "" leaves the choice to it
	Model   string   // likewise
	Dir     string   // where sessions work if their options do not say
	Client  string   // the version of this program
	Store   session.Store
	Trust   Trust
	Now     func() time.Time // nil is time.Now
}

// Trust remembers in which folders agents may load what is in them. It is safe for concurrent use.
type Trust interface {
	// Trusted reports whether an agent is trusted in a folder.
	Trusted(agent, dir string) bool
	// Keep remembers that it is.
	Keep(agent, dir string) error
}

// Agent is a program that speaks the protocol. One process holds all sessions; it is
// started for the first one. It implements session.Agent, session.Library and session.Latest.
type Agent struct {
	local.Agent
	cfg Config

	login atomic.Pointer[[]string] // the command line that signs in; nil: none is known

	mu     sync.Mutex
	link   *link // nil: none was started yet
	closed bool
}

var (
	_ session.Agent   = (*Agent)(nil)
	_ session.Library = (*Agent)(nil)
	_ session.Latest  = (*Agent)(nil)
)

// Open returns the agent of a configuration, which is not started yet. It must be closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open the agent: %w", err)
	}
	if len(cfg.Command) == 0 {
		return nil, errors.New("an agent needs a command")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Name = cmp.Or(cfg.Name, filepath.Base(cfg.Command[0]))
	a := &Agent{cfg: cfg}
	a.Agent = local.Agent{Name: cfg.Name, Client: producer, Store: cfg.Store, Now: cfg.Now, Begin: a.begin}
	return a, nil
}

// Found is what a program says of itself when it is started.
type Found struct {
	Name   string        // with its version
	SignIn []string      // the ways to sign in that it names
	Start  time.Duration // until it said so
}

// Probe starts the agent of a configuration, reads what it says of itself and ends it. No
// session is opened, so nothing that is in a folder is run. The error may be a MissingError.
func Probe(ctx context.Context, cfg Config) (Found, error) {
	began := time.Now()
	l, err := connect(ctx, cfg)
	if err != nil {
		return Found{}, err
	}
	found := Found{Name: l.name(), Start: time.Since(began)}
	for _, m := range l.info.AuthMethods {
		found.SignIn = append(found.SignIn, m.Name)
	}
	l.stop(ctx)
	return found, nil
}

// producer names this program in the log.
const producer = "parley"

// Open implements session.Agent.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	o.Dir = cmp.Or(o.Dir, a.cfg.Dir)
	return a.Agent.Open(ctx, o)
}

// begin begins a session with what is stored of it.
func (a *Agent) begin(
	ctx context.Context, o session.Options, stored session.StoredSession, record session.Record,
) (local.Running, error) {
	if stored.Agent != "" && stored.Agent != a.cfg.Name { // whose id of the session means nothing to this one
		_ = record.Close()
		return nil, fmt.Errorf("%s answers in it, not %s; resume it with `parley --agent %s --resume %s`",
			stored.Agent, a.cfg.Name, stored.Agent, stored.ID)
	}
	info := session.Info{
		ID: stored.ID, Agent: a.cfg.Name, Mode: session.Interactive, Dir: cmp.Or(o.Dir, stored.Dir, a.cfg.Dir),
	}
	s := newSession(ctx, a, info, record)
	s.model = cmp.Or(o.Model, a.cfg.Model)
	s.recall(stored)
	s.Start(s.live, s.end)
	return s, nil
}

// connected returns the running process, which is started if there is none, or it has ended.
func (a *Agent) connected(ctx context.Context) (*link, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return nil, local.ErrClosed
	case a.link != nil && a.link.alive():
		return a.link, nil
	}
	l, err := connect(ctx, a.cfg)
	if err != nil {
		return nil, err
	}
	a.link = l
	if argv := signIn(l.info.AuthMethods, a.cfg.Command); argv != nil {
		a.login.Store(&argv)
	}
	return l, nil
}

// Close implements session.Agent.
func (a *Agent) Close(ctx context.Context) error {
	err := a.Agent.Close(ctx)
	a.mu.Lock()
	a.closed = true
	l := a.link
	a.mu.Unlock()
	if l != nil {
		l.stop(ctx)
	}
	return err
}
