package copilot

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"parley/session"
)

// Call makes any call about a session: what nothing in Parley does.
func Call(ctx context.Context, s *Session, method string, params map[string]any) error {
	return s.call(ctx, method, params, nil)
}

// Completions are what the runtime has to complete a text with.
func Completions(ctx context.Context, s *Session, text string, offset int) ([]any, error) {
	return ask[[]any](ctx, s, "session.completions.request", object{"text": text, "offset": offset}, "items")
}

// Environment is what the child sees of cfg.Env.
var Environment = environment

// Refusal is how a question is declined.
var Refusal = refusal

// Misplaced compares the order of the pieces of a response.
var Misplaced = misplaced

// Pid is the runtime's process, which leads its group.
func (a *Agent) Pid() int {
	p := a.peer
	if t, ok := p.(tapped); ok {
		p = t.peer
	}
	return p.(*process).cmd.Process.Pid
}

// OpenUntilSaid opens an agent as Open does, and gives up as soon as the program has
// written something to its error output.
func OpenUntilSaid(ctx context.Context, cfg Config) error {
	p, err := reach(ctx, cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		again := time.NewTicker(time.Millisecond)
		defer again.Stop()
		for p.said() == "" && ctx.Err() == nil {
			<-again.C
		}
	}()
	_, err = attach(ctx, cfg, p)
	return err
}

// OpenTapped opens an agent as Open does. The goroutine that is about to call
// the runtime's end of the connection calls tap with the name of the call.
func OpenTapped(ctx context.Context, cfg Config, tap func(call string)) (*Agent, error) {
	p, err := reach(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return attach(ctx, cfg, tapped{p, tap})
}

// HoldLess lowers how much may wait for a runtime that does not read.
func HoldLess(a *Agent, limit int) {
	a.out.mu.Lock()
	defer a.out.mu.Unlock()
	a.out.limit = limit
}

// OpenAt opens an agent as Open does. Its runtime is the one at addr, which it
// treats as one that it has started.
func OpenAt(ctx context.Context, cfg Config, addr string) (*Agent, error) {
	p, err := dial(ctx, Config{URL: addr})
	if err != nil {
		return nil, err
	}
	return attach(ctx, cfg, p)
}

type tapped struct {
	peer
	tap func(string)
}

func (t tapped) Read(b []byte) (int, error) {
	n, err := t.peer.Read(b)
	t.tap("read")
	return n, err
}

func (t tapped) Write(b []byte) (int, error)    { t.tap("write"); return t.peer.Write(b) }
func (t tapped) Close() error                   { t.tap("close"); return t.peer.Close() }
func (t tapped) stop(ctx context.Context) error { t.tap("stop"); return t.peer.stop(ctx) }
func (t tapped) finished(read <-chan struct{})  { t.tap("finished"); t.peer.finished(read) }
func (t tapped) said() string                   { t.tap("said"); return t.peer.said() }

// Guard runs f as a goroutine of the agent is run.
func Guard(a *Agent, f func()) { a.guard(f) }

// Server is a runtime that was started to be connected to.
type Server struct {
	Addr string
	proc *process
}

// Serve starts the runtime as a server on a free port, with env as its whole
// environment.
func Serve(path string, env []string, dir string) (*Server, error) {
	p, err := start(path, []string{"--headless", "--no-auto-update", "--port", "0"}, env, dir)
	if err != nil {
		return nil, err
	}
	line, _ := bufio.NewReader(p).ReadString('\n')
	_, port, ok := strings.Cut(strings.TrimSpace(line), "listening on port ")
	if !ok {
		p.killGroup()
		<-p.exited
		return nil, fmt.Errorf("the runtime says %q and %q", line, p.stderr.last(5))
	}
	return &Server{Addr: "127.0.0.1:" + port, proc: p}, nil
}

// Kill ends the server without warning.
func (s *Server) Kill() {
	s.proc.killGroup()
	<-s.proc.exited
	_ = s.proc.stdin.Close()
	s.proc.stdout.close()
}

// Running reports whether the server has not ended.
func (s *Server) Running() bool {
	select {
	case <-s.proc.exited:
		return false
	default:
		return true
	}
}

// Pid is the server's process, which leads its group.
func (s *Server) Pid() int { return s.proc.cmd.Process.Pid }

// Compare does now what is done when the root agent comes to rest, and returns
// the questions that are open afterwards.
func Compare(s *Session) []session.RequestID {
	s.compare()
	return s.asked.ids()
}

// StartJammed starts a program for which a panic comes between its start and
// the wait for its end. It returns its process and the error of the start.
func StartJammed(cfg Config) (pid int, err error) {
	p := &process{cmd: exec.Command(cfg.Path), exited: make(chan struct{}), mark: "PARLEY_RUNTIME=none"}
	p.cmd.Env = cfg.Env
	p.lead()
	started := make(chan error)
	close(started) // so that a send on it panics
	p.live(started, nil, nil)
	return p.cmd.Process.Pid, p.began(make(chan error))
}
