package sessions

import (
	"context"
	"errors"
	"fmt"
)

// AgentKeeper is the keeper of sessions that an agent keeps itself and of which there is nothing here: they
// are listed, and there is no log to read before the agent has opened them.
const AgentKeeper = "agent"

// ErrKept is that a session cannot be read here, since its agent keeps it.
var ErrKept = errors.New("its agent keeps it: resume it to read it here")

// ListKept asks the agent of Config.Kept which sessions it keeps; from then on they are found beside those of the
// sources. What is wrong with the agent is a warning of Find, and takes nothing away.
func (l *Library) ListKept(ctx context.Context) error {
	if l.config.Kept == nil {
		return nil
	}
	kept, err := l.config.Kept(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("list the sessions of the agent: %w", ctx.Err())
	}
	trouble := ""
	if err != nil {
		trouble = "The agent's own sessions are not listed: " + err.Error()
	}
	for i := range kept {
		kept[i].Keeper = AgentKeeper
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept, l.asked, l.all, l.warnings[keptWarning] = kept, true, nil, trouble
	return nil
}

// asking reports whether there is an agent that has not listed its sessions yet.
func (l *Library) asking() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.config.Kept != nil && !l.asked
}
