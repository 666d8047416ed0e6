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
	"github.com/creachadair/jrpc2/channel"

	"parley/session"
)

// protocolVersion is the one version of the protocol that is spoken here.
const protocolVersion = 3

// connectGrace is how long the runtime may take to answer for the first time.
// Its first start ever unpacks 235 MB.
const connectGrace = time.Minute

// ErrClosed is returned by calls on a session or an agent that has ended.
var ErrClosed = errors.New("the session has ended")

// Config says which runtime to start and how.
type Config struct {
	// Path is the Copilot CLI (see Find).
	Path string
	// Args are put before the arguments that make the CLI a server.
	Args []string
	// Env is the whole environment of the CLI; nil is this process's own.
	// OTEL_* variables are taken out of it unless Telemetry is set: they
	// configure Parley, not what it starts.
	Env       []string
	Telemetry bool
	// Dir is the working directory of sessions that name none; "" is this
	// process's own.
	Dir string
	// Model is used where neither the options nor the stored session name
	// one; "" is the runtime's choice.
	Model string
	// Provider is the person's own model provider, or nil.
	Provider *Provider
}

// Agent is one running Copilot CLI. It implements session.Agent and
// session.Latest.
type Agent struct {
	cfg     Config
	version string
	proc    *process
	client  *jrpc2.Client
	valve   *valve
	read    chan struct{} // closed when the connection has ended
	down    chan struct{} // closed when the process and every session have ended

	mu       sync.Mutex
	sessions map[session.ID]*Session
	closing  bool
	wire     error // why the connection broke, if it did
}

var (
	_ session.Agent  = (*Agent)(nil)
	_ session.Latest = (*Agent)(nil)
)

// Open starts the CLI and makes sure that it speaks our protocol. The errors
// say what is wrong and what to do about it. The agent must be closed.
func Open(ctx context.Context, cfg Config) (*Agent, error) {
	if cfg.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("find the working directory: %w", err)
		}
		cfg.Dir = dir
	}
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	args := append(slices.Clone(cfg.Args), "--headless", "--no-auto-update", "--stdio")
	proc, err := start(cfg.Path, args, environment(cfg), cfg.Dir)
	if err != nil {
		return nil, err
	}
	a := &Agent{
		cfg: cfg, proc: proc, valve: newValve(),
		read: make(chan struct{}), down: make(chan struct{}), sessions: map[session.ID]*Session{},
	}
	a.client = jrpc2.NewClient(
		&stream{Channel: channel.LSP(proc.stdout, proc.stdin), deliver: a.deliver},
		&jrpc2.ClientOptions{OnCallback: refuseCallback, OnStop: a.disconnected},
	)
	go a.watch()
	if err := a.connect(ctx); err != nil {
		_ = a.Close(ctx)
		return nil, err
	}
	return a, nil
}

// environment is what the child sees.
func environment(cfg Config) []string {
	return slices.DeleteFunc(slices.Clone(cfg.Env), func(v string) bool {
		return !cfg.Telemetry && strings.HasPrefix(v, "OTEL_")
	})
}

// refuseCallback answers every request of the runtime: with observed prompt
// events there is none that we must serve.
func refuseCallback(_ context.Context, r *jrpc2.Request) (any, error) {
	return nil, jrpc2.Errorf(jrpc2.MethodNotFound, "Unhandled method %s", r.Method())
}

// connect shakes hands and checks the version.
func (a *Agent) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectGrace)
	defer cancel()
	var hello struct {
		ProtocolVersion float64 `json:"protocolVersion"` // the runtime may write 3.0
		Version         string  `json:"version"`
	}
	err := a.call(ctx, "connect", object{}, &hello)
	var failed *callError
	switch {
	case errors.As(err, &failed) && failed.code == jrpc2.MethodNotFound:
		return a.mismatch("an older protocol", "update it with \"npm install -g @github/copilot@latest\"")
	case err != nil:
		return a.unusable(err)
	case hello.ProtocolVersion < protocolVersion:
		return a.mismatch(fmt.Sprintf("protocol %v", hello.ProtocolVersion),
			"update it with \"npm install -g @github/copilot@latest\"")
	case hello.ProtocolVersion > protocolVersion:
		return a.mismatch(fmt.Sprintf("protocol %v", hello.ProtocolVersion), "update Parley")
	}
	a.version = hello.Version
	return nil
}

func (a *Agent) mismatch(speaks, remedy string) error {
	return fmt.Errorf("the Copilot CLI at %s speaks %s and Parley speaks %d: %s", a.cfg.Path, speaks, protocolVersion, remedy)
}

// unusable explains why a program that was started does not answer.
func (a *Agent) unusable(err error) error {
	select {
	case <-a.proc.exited:
	case <-time.After(drainGrace):
	}
	a.mu.Lock()
	wire := a.wire
	a.mu.Unlock()
	if !ended(wire) {
		return fmt.Errorf("%s does not speak the Copilot CLI's protocol: %w; "+
			"check the path, and that \"%[1]s --version\" is 1.0.102 or later", a.cfg.Path, wire)
	}
	select {
	case <-a.proc.exited:
	default:
		return fmt.Errorf("the Copilot CLI at %s does not answer: %w; run it by hand to see why", a.cfg.Path, err)
	}
	remedy := "run it by hand to see why"
	said := a.proc.stderr.last(5)
	if strings.Contains(said, "unknown option") {
		remedy = "it is too old: update it with \"npm install -g @github/copilot@latest\""
	}
	if said != "" {
		said = "\n" + said
	}
	return fmt.Errorf("the Copilot CLI at %s ended before it answered (%s); %s%s", a.cfg.Path, a.proc.exit(), remedy, said)
}

// disconnected is told once, when the connection has ended. The program at its
// other end is of no use any more and is stopped.
func (a *Agent) disconnected(_ *jrpc2.Client, err error) {
	a.mu.Lock()
	a.wire = err
	a.mu.Unlock()
	close(a.read)
	if !ended(err) {
		killGroup(a.proc.cmd) // whatever it is, it is not the runtime
	}
	_ = a.proc.stop(context.Background()) // watch tells what became of it
}

// watch ends every session when the process has ended.
func (a *Agent) watch() {
	<-a.proc.exited
	select {
	case <-a.read: // all it had written was read
	case <-time.After(drainGrace):
		_ = a.proc.stdout.Close()
	}
	a.mu.Lock()
	open, closing, wire := a.sessions, a.closing, a.wire
	a.sessions = map[session.ID]*Session{}
	a.mu.Unlock()
	var err error
	if !closing {
		err = a.lost(wire)
	}
	for _, s := range open {
		s.finish(err)
	}
	close(a.down)
}

// ended reports whether a connection ended as one does when its process ends.
func ended(err error) bool {
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || channel.IsErrClosing(err)
}

// lost says how the runtime ended that should not have ended.
func (a *Agent) lost(wire error) error {
	said := a.proc.stderr.last(5)
	if said != "" {
		said = "\n" + said
	}
	if !ended(wire) {
		return fmt.Errorf("the Copilot CLI sent what is not its protocol and was stopped: %w%s", wire, said)
	}
	return fmt.Errorf("the Copilot CLI ended unexpectedly (%s); resume the session to go on%s", a.proc.exit(), said)
}

// detachGrace is how long leaving the sessions may take when the agent closes.
const detachGrace = 2 * time.Second

// Close implements session.Agent. It may be called more than once. The runtime
// is killed, with an error, when it has not ended after ten seconds or at the
// end of ctx. Questions stay unanswered.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closing = true
	open := slices.Collect(maps.Values(a.sessions))
	a.mu.Unlock()
	leave, cancel := context.WithTimeout(ctx, detachGrace)
	defer cancel()
	var left sync.WaitGroup
	for _, s := range open {
		left.Go(func() { _ = s.Close(leave) }) // closing its input leaves what did not leave
	}
	left.Wait()
	a.valve.release()
	err := a.proc.stop(ctx)
	<-a.down
	_ = a.client.Close()
	_ = a.proc.stdout.Close()
	return err
}

// LatestID implements session.Latest.
func (a *Agent) LatestID(ctx context.Context, dir string) (session.ID, error) {
	var list struct {
		Sessions []struct {
			SessionID    session.ID `json:"sessionId"`
			ModifiedTime time.Time  `json:"modifiedTime"`
			IsRemote     bool       `json:"isRemote"`
			IsDetached   bool       `json:"isDetached"`
		} `json:"sessions"`
	}
	if err := a.call(ctx, "session.list", object{"filter": object{"cwd": dir}}, &list); err != nil {
		return "", fmt.Errorf("list the sessions of %s: %w", dir, err)
	}
	var id session.ID
	var newest time.Time
	for _, s := range list.Sessions {
		if !s.IsRemote && !s.IsDetached && s.ModifiedTime.After(newest) {
			id, newest = s.SessionID, s.ModifiedTime
		}
	}
	return id, nil
}
