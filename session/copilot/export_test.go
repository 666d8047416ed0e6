package copilot

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"parley/session"
)

// Call makes any call about a session: what nothing in Parley does.
func Call(ctx context.Context, s *Session, method string, params map[string]any) error {
	return s.call(ctx, method, params, nil)
}

// Environment is what the child sees of cfg.Env.
var Environment = environment

// Pid is the runtime's process, which leads its group.
func (a *Agent) Pid() int { return a.peer.(*process).cmd.Process.Pid }

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
		killGroup(p.cmd)
		<-p.exited
		return nil, fmt.Errorf("the runtime says %q and %q", line, p.stderr.last(5))
	}
	return &Server{Addr: "127.0.0.1:" + port, proc: p}, nil
}

// Kill ends the server without warning.
func (s *Server) Kill() {
	killGroup(s.proc.cmd)
	<-s.proc.exited
	_ = s.proc.stdin.Close()
	_ = s.proc.stdout.Close()
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
