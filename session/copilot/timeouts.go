package copilot

import (
	"context"
	"fmt"
	"time"

	"parley/session"
)

const (
	// answerTime is how long the runtime may take to answer a call about what it
	// has at hand.
	answerTime = 30 * time.Second
	// longTime is that time for calls that read, copy or change what may be large:
	// whole sessions, the files of a folder, the agent's own programs.
	longTime = 2 * time.Minute
)

// patience is how long the runtime may take to answer a call. Not bounded are the
// calls that wait for somebody, or for a model: whoever makes them can give up.
func patience(method string) (d time.Duration, bounded bool) {
	switch method {
	case "connect": // the first start ever unpacks the runtime: see connect
	case "session.history.compact", "session.ui.ephemeralQuery": // a model writes the answer
	case "session.commands.invoke": // a command may ask a model, and does what it likes
	case "session.shell.executeUserRequested": // the user's own command runs
	case "session.mcp.list", "session.mcp.listTools", "session.mcp.enable", "session.mcp.restartServer", "session.mcp.reload":
		// The servers start first, and may wait until somebody has signed in.
	case "session.create", "session.resume", "session.getMessages", "sessions.fork", "sessions.list",
		"session.history.listRewindPoints", "session.history.previewRewind", "session.history.rewind",
		"session.metadata.setWorkingDirectory", "session.agent.select", "session.agent.deselect":
		return longTime, true
	default:
		return answerTime, true
	}
	return 0, false
}

// within is ctx for a call that may take so long.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, silence(d))
}

// silence is the error of a call that the runtime did not answer within a time.
type silence time.Duration

// Error implements error.
func (s silence) Error() string {
	d := time.Duration(s)
	if d >= time.Minute {
		return fmt.Sprintf("the Copilot CLI did not answer within %d min", d/time.Minute)
	}
	return fmt.Sprintf("the Copilot CLI did not answer within %d s", d/time.Second)
}

// Unwrap returns what kinds of error it is.
func (s silence) Unwrap() []error { return []error{context.DeadlineExceeded, session.ErrUnanswered} }
