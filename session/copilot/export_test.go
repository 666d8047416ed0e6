package copilot

import "context"

// Call makes any call about a session: what nothing in Parley does.
func Call(ctx context.Context, s *Session, method string, params map[string]any) error {
	return s.call(ctx, method, params, nil)
}

// Environment is what the child sees of cfg.Env.
var Environment = environment

// Pid is the runtime's process, which leads its group.
func (a *Agent) Pid() int { return a.proc.cmd.Process.Pid }
