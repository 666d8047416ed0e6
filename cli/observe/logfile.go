package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"parley/cli/process"
	"parley/render/text"
	"parley/session"
	"parley/session/copilot"
	"parley/session/observe"
	"parley/session/trace"
)

// openLogFile opens the file of --log-file to append to it. It can be read by
// its owner alone, also when it was there before.
func openLogFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log file: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("keep the log file from others: %w", err)
	}
	return f, nil
}

// logWriter keeps the first error of a writer: a logger drops it.
type logWriter struct {
	io.Writer
	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (w *logWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	return n, err
}

func (w *logWriter) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// begun is the observer that writes a log of what an agent does, and nothing of
// what it says: kinds, ids, sizes and durations, but no text, no argument, no
// name of a tool and no path beyond the base of the working folder. The log says
// first what writes it.
func begun(log *slog.Logger) observe.Observer {
	log.Info("start", "parley", process.Release, "go", runtime.Version(), "os", runtime.GOOS, "arch", runtime.GOARCH)
	return agentLog{log}
}

// agentLog is the log of an agent. It implements observe.Observer.
type agentLog struct{ log *slog.Logger }

// Called implements observe.Observer.
func (l agentLog) Called(c observe.Call) { note(l.log, c) }

// Opened implements observe.Observer.
func (l agentLog) Opened(c observe.Call, s session.Session) observe.SessionObserver {
	if s == nil {
		note(l.log, c)
		return nil
	}
	i := s.Info()
	log := l.log.With("session", trace.ID(string(i.ID)))
	name := i.Agent
	if !agentNames().MatchString(name) {
		name = "(odd)"
	}
	c.Attrs = append(c.Attrs, took(c), "agent", name, "model", trace.ID(i.Model), "demo", i.Demo, "in_use", i.InUse)
	log.Info(c.Name, c.Attrs...)
	return &sessionLog{log: log, calls: trace.NewCalls()}
}

// sessionLog is the log of a session. It implements observe.SessionObserver.
type sessionLog struct {
	log   *slog.Logger
	calls *trace.Calls // of tools
}

// Called implements observe.SessionObserver.
func (l *sessionLog) Called(c observe.Call) { note(l.log, c) }

// Event implements observe.SessionObserver.
func (l *sessionLog) Event(ev session.Event) error {
	err := session.Guard(func() error {
		l.log.LogAttrs(context.Background(), slog.LevelInfo, "event", trace.Describe(ev, l.calls)...)
		return nil
	})
	if err != nil {
		return fmt.Errorf("the log of the session has ended: %w; start without --log-file, or resume the session to continue", err)
	}
	return nil
}

// Ended implements observe.SessionObserver.
func (l *sessionLog) Ended(err error) {
	if err != nil {
		l.log.Error("session ended", "error", category(err))
		return
	}
	l.log.Info("session ended")
}

// note logs how long a call took and what kind of error it gave.
func note(log *slog.Logger, c observe.Call) {
	attrs := append(c.Attrs, took(c))
	if c.Err != nil {
		log.Error(c.Name, append(attrs, "error", category(c.Err))...)
		return
	}
	log.Info(c.Name, attrs...)
}

func took(c observe.Call) slog.Attr {
	return slog.Float64("ms", float64(c.Took.Microseconds())/1000)
}

// category is what kind of error it is. Its words are not logged: they may hold
// what an agent said, or a path.
func category(err error) string {
	var crash *session.PanicError
	var path *fs.PathError
	var network *net.OpError
	var exit *exec.ExitError
	if errors.As(err, &crash) {
		return "panic"
	}
	for _, of := range []struct {
		err  error
		name string
	}{
		{session.ErrResolved, "settled"},
		{copilot.ErrClosed, "closed"},
		{copilot.ErrNotFound, "no runtime"},
		{copilot.ErrVersion, "runtime version"},
		{copilot.ErrProtocol, "protocol version"},
		{copilot.ErrToken, "connection token"},
		{copilot.ErrGarbled, "not the protocol"},
	} {
		if errors.Is(err, of.err) {
			return of.name
		}
	}
	switch {
	case errors.As(err, &exit):
		return runtimeEnd(exit)
	case errors.Is(err, copilot.ErrEnded):
		return "runtime ended"
	case errors.As(err, &network) && network.Op == "dial":
		return "unreachable"
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed):
		return "closed"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case errors.Is(err, fs.ErrNotExist):
		return "not found"
	case errors.Is(err, fs.ErrPermission):
		return "not permitted"
	case errors.As(err, &path):
		return "file " + path.Op
	}
	return "other"
}

// runtimeEnd is how a runtime has ended.
func runtimeEnd(exit *exec.ExitError) string {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("runtime ended, signal %d", status.Signal())
	}
	return fmt.Sprintf("runtime ended, exit code %d", exit.ExitCode())
}

// agentNames are the agents as they call themselves, with their version.
var agentNames = text.Regexp(`^[A-Za-z][A-Za-z ]{0,30}( [0-9][0-9A-Za-z.-]{0,30})?$`)
