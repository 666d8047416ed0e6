package copilot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"

	"parley/session"
)

// ErrClosed is returned by calls on a session or an agent that has ended.
var ErrClosed = errors.New("the session has ended")

// Config says which runtime to use and how.
type Config struct {
	// URL is the address HOST:PORT of a runtime that is running, started with
	// "copilot --headless --port PORT". The agent leaves it running. "" starts
	// one of our own.
	URL string
	// Token is what the runtime at URL was started with, in its environment
	// variable COPILOT_CONNECTION_TOKEN; "" if with none.
	Token string

	// Path is the Copilot CLI to start (see Find).
	Path string
	// Args are put before the arguments that make the CLI a server.
	Args []string
	// Env is the whole environment of the CLI; nil is this process's own.
	// The connection token is taken out of it.
	Env []string

	// Dir is the working directory of sessions that name none; "" is this
	// process's own.
	Dir string
	// Model is used where neither the options nor the stored session name
	// one; "" is the runtime's choice.
	Model string
	// Provider is the user's own model provider, or nil.
	Provider *Provider
	// AskReads has reads asked in a trusted folder, too.
	AskReads bool
	// Claims say which process writes a session; nil lets any. They are not for
	// a runtime at a URL, which many may have a session open in.
	Claims session.Claims
}

// Agent is the connection to one Copilot CLI. It implements session.Agent,
// session.Latest, session.Library and session.Accounts.
type Agent struct {
	cfg     Config
	version string
	peer    peer
	client  *jrpc2.Client
	out     *rpcWriter
	valve   *valve
	read    chan struct{} // closed when the connection has ended
	down    chan struct{} // closed when a child and every session have ended

	mu       sync.Mutex
	sessions map[session.ID]*Session
	claims   map[session.ID]io.Closer // nil after the end
	trusted  map[string]string        // the folders that the user trusted for a session, and folder.shown of each
	closing  bool
	wire     error // why the connection ended; set before read is closed

	undo undo
}

var (
	_ session.Agent    = (*Agent)(nil)
	_ session.Latest   = (*Agent)(nil)
	_ session.Library  = (*Agent)(nil)
	_ session.Accounts = (*Agent)(nil)
)

// Open starts the CLI, or connects to a running one, and makes sure that it
// speaks our protocol. The errors say what is wrong and what to do about it.
// The agent must be closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if cfg.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("find the working directory: %w", err)
		}
		cfg.Dir = dir
	}
	p, err := reach(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return attach(ctx, cfg, p)
}

// remote reports whether the runtime was not started here.
func (a *Agent) remote() bool { return a.cfg.URL != "" }

// reach gets hold of the runtime.
func reach(ctx context.Context, cfg Config) (peer, error) {
	if cfg.URL != "" {
		r, err := dial(ctx, cfg)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	args := append(slices.Clone(cfg.Args), "--headless", "--no-auto-update", "--stdio")
	p, err := start(cfg.Path, args, environment(cfg), cfg.Dir)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// environment is what the child sees.
func environment(cfg Config) []string {
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return strings.HasPrefix(v, "COPILOT_CONNECTION_TOKEN=")
	})
}

// refuseCallback answers every request of the runtime: with observed prompt
// events no request must be served. The client would make an error of
// its panic, too.
func refuseCallback(_ context.Context, r *jrpc2.Request) (any, error) {
	return nil, jrpc2.Errorf(jrpc2.MethodNotFound, "Unhandled method %s", r.Method())
}

// guard runs what a goroutine does. With a panic in it the connection ends:
// the runtime and whoever reads its events may wait for what will never come.
func (a *Agent) guard(f func()) {
	if err := session.Guard(func() error { f(); return nil }); err != nil {
		a.abort(err)
	}
}

// abort ends the connection at once because of what came over it, or because
// of a panic. The first reason is kept.
func (a *Agent) abort(err error) {
	a.mu.Lock()
	if ended(a.wire) {
		a.wire = err
	}
	a.mu.Unlock()
	a.valve.release()
	a.peer.discard()
}

// leave ends what is at the other end of a connection that ended with err: it
// is of no use any more.
func (a *Agent) leave(err error) {
	if !ended(err) {
		a.abort(err) // it is not the runtime, or we are not in order
	}
	_ = a.peer.stop(context.Background()) // watch reports what became of it
}

// watch ends every session when the runtime has ended.
func (a *Agent) watch() {
	defer close(a.down)
	a.guard(func() { a.peer.finished(a.read) })
	a.unclaimAll()
	a.mu.Lock()
	open, closing, wire := a.sessions, a.closing, a.wire
	a.sessions = map[session.ID]*Session{}
	a.mu.Unlock()
	var err error
	if !closing {
		err = session.Guard(func() error { return a.unexpectedEnd(wire) })
	}
	for _, s := range open {
		s.finish(err)
	}
}

// detachGrace is how long leaving the sessions may take when the agent closes.
const detachGrace = 2 * time.Second

// Close implements session.Agent. It may be called more than once. A runtime
// that was started here is killed, with an error, when it has not ended after
// ten seconds or at the end of ctx; one that was running continues.
// Questions stay unanswered. A connection that ended with a panic is an error
// here too, after that of its sessions.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closing = true
	open := slices.Collect(maps.Values(a.sessions))
	a.mu.Unlock()
	leave, cancel := context.WithTimeout(ctx, detachGrace)
	defer cancel()
	var left sync.WaitGroup
	for _, s := range open {
		// The end of the connection leaves what did not leave.
		left.Go(func() { a.guard(func() { _ = s.Close(leave) }) })
	}
	left.Wait()
	a.valve.release()
	err := a.peer.stop(ctx)
	<-a.down
	_ = a.client.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	return errors.Join(crashed(a.wire), err)
}
