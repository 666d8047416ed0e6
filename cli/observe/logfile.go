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
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"parley/cli/agents"
	"parley/cli/process"
	"parley/session"
	"parley/session/copilot"
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

// logWriter keeps the first error of a writer: a logger tells nobody.
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

// logged is an agent that tells a structured log what it does, and nothing of
// what it says: kinds, ids, sizes and durations, but no text, no argument, no
// name of a tool and no path beyond the base of the working folder. session.As
// finds the capabilities of the agent and of its sessions, and no others.
func logged(agent session.Agent, log *slog.Logger) session.Agent {
	log.Info("start", "parley", process.Release, "go", runtime.Version(), "os", runtime.GOOS, "arch", runtime.GOARCH)
	return &loggedAgent{Agent: agent, log: log, gone: make(chan struct{})}
}

type loggedAgent struct {
	session.Agent
	log  *slog.Logger
	gone chan struct{} // closed when nobody reads any session any more
	left sync.Once

	mu    sync.Mutex
	pumps []<-chan struct{} // each closed when a session's last event was logged
}

// Open implements session.Agent.
func (a *loggedAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	return a.opened("open", o, func() (session.Session, error) { return a.Agent.Open(ctx, o) })
}

// Resume implements session.Agent.
func (a *loggedAgent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	return a.opened("resume", o, func() (session.Session, error) { return a.Agent.Resume(ctx, id, o) })
}

func (a *loggedAgent) opened(what string, o session.Options, open func() (session.Session, error)) (session.Session, error) {
	begin := time.Now()
	s, err := open()
	attrs := []any{"mode", string(knownMode(o.Mode)), "folder", folderName(o.Dir), took(begin)}
	if err != nil {
		a.log.Error(what, append(attrs, "error", category(err))...)
		return s, err
	}
	i := s.Info()
	log := a.log.With("session", trace.ID(string(i.ID)))
	log.Info(what, append(attrs, "agent", agentName(i.Agent), "model", trace.ID(i.Model), "demo", i.Demo, "in_use", i.InUse)...)
	w := &loggedSession{
		Session: s, log: log, events: make(chan session.Event), gone: make(chan struct{}), closed: a.gone, over: make(chan struct{}),
	}
	go w.live()
	a.mu.Lock()
	a.pumps = append(a.pumps, w.over)
	a.mu.Unlock()
	return w, nil
}

// Close implements session.Agent.
func (a *loggedAgent) Close(ctx context.Context) error {
	a.left.Do(func() { close(a.gone) })
	err := note(a.log, "end", func() error { return a.Agent.Close(ctx) })
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, over := range a.pumps {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	return err
}

// note makes a call and logs how long it took and what kind of error it gave.
func note(log *slog.Logger, what string, call func() error, attrs ...any) error {
	begin := time.Now()
	err := call()
	attrs = append(attrs, took(begin))
	if err != nil {
		log.Error(what, append(attrs, "error", category(err))...)
		return err
	}
	log.Info(what, attrs...)
	return nil
}

func took(begin time.Time) slog.Attr {
	return slog.Float64("ms", float64(time.Since(begin).Microseconds())/1000)
}

// loggedSession is a session whose calls and events are logged.
type loggedSession struct {
	session.Session
	log    *slog.Logger
	events chan session.Event
	gone   chan struct{}   // closed when nobody reads this session any more
	closed <-chan struct{} // closed when nobody reads any session of the agent
	left   sync.Once
	over   chan struct{}         // closed when the last event was logged
	crash  atomic.Pointer[error] // a panic of the pump; set before events is closed

	commands atomic.Pointer[[]session.SlashCommand] // as they were listed last
}

// Events implements session.Session.
func (s *loggedSession) Events() <-chan session.Event { return s.events }

// Wait implements session.Session.
func (s *loggedSession) Wait() error {
	err := s.Session.Wait()
	if crash := s.crash.Load(); crash != nil {
		return *crash
	}
	return err
}

// live runs the pump. With a panic in it the session ends.
func (s *loggedSession) live() {
	defer close(s.over)
	defer close(s.events)
	err := session.Guard(func() error { s.pump(); return nil })
	if err == nil {
		return
	}
	err = fmt.Errorf("the log of the session has ended: %w; start without --log-file, or resume the session to go on", err)
	s.crash.Store(&err)
	ctx, cancel := context.WithTimeout(context.Background(), agents.CloseGrace)
	defer cancel()
	_ = session.Guard(func() error { return s.Session.Close(ctx) }) // the agent's end ends what this does not
}

// pump passes the events on, one by one and in order, and logs each.
func (s *loggedSession) pump() {
	calls := trace.NewCalls()
	for ev := range s.Session.Events() {
		s.log.LogAttrs(context.Background(), slog.LevelInfo, "event", trace.Describe(ev, calls)...)
		select {
		case s.events <- ev:
		case <-s.gone:
		case <-s.closed:
		}
	}
	if err := s.Session.Wait(); err != nil {
		s.log.Error("session ended", "error", category(err))
		return
	}
	s.log.Info("session ended")
}

// Send implements session.Session.
func (s *loggedSession) Send(ctx context.Context, in session.Input) error {
	return note(s.log, "send", func() error { return s.Session.Send(ctx, in) },
		"bytes", len(in.Prompt), "attachments", len(in.Attachments), "immediate", in.Delivery == session.Immediate,
		"mode", string(knownMode(in.Mode)))
}

// Respond implements session.Session.
func (s *loggedSession) Respond(ctx context.Context, a session.Answer) error {
	return note(s.log, "respond", func() error { return s.Session.Respond(ctx, a) },
		"request", trace.ID(string(a.Request())), "answer", answerKind(a))
}

// Abort implements session.Session.
func (s *loggedSession) Abort(ctx context.Context) error {
	return note(s.log, "abort", func() error { return s.Session.Abort(ctx) })
}

// Close implements session.Session.
func (s *loggedSession) Close(ctx context.Context) error {
	s.left.Do(func() { close(s.gone) })
	return note(s.log, "close", func() error { return s.Session.Close(ctx) })
}

// answerKind is an answer without what it says.
func answerKind(a session.Answer) string {
	switch a := a.(type) {
	case session.PermissionAnswer:
		if a.Decision.Approves() || a.Decision == session.Reject {
			return "permission " + string(a.Decision)
		}
		return "permission"
	case session.UserInputAnswer:
		return "text"
	case session.ElicitationAnswer:
		switch a.Action {
		case session.Accept, session.Decline, session.Cancel:
			return "form " + string(a.Action)
		}
		return "form"
	case session.ExitPlanModeAnswer:
		return fmt.Sprintf("plan approved %t", a.Approved)
	case session.FolderTrustAnswer:
		return fmt.Sprintf("folder trusted %t", a.Trusted)
	case session.ConfirmationAnswer:
		return fmt.Sprintf("confirmation accepted %t", a.Accepted)
	case session.McpOAuthAnswer:
		return fmt.Sprintf("sign in %t", a.SignIn)
	case session.AutoModeSwitchAnswer:
		switch a.Response {
		case session.SwitchYes, session.SwitchAlways, session.SwitchNo:
			return "switch " + a.Response
		}
		return "switch"
	case session.SessionLimitsExhaustedAnswer:
		switch a.Action {
		case session.LimitAdd, session.LimitSet, session.LimitUnset, session.LimitCancel:
			return "limit " + a.Action
		}
		return "limit"
	case session.Refusal:
		return "refusal"
	}
	return "other"
}

// category is what kind of error it is. Its words are not logged: they may hold
// what an agent said, or a path.
func category(err error) string {
	var crash *session.PanicError
	var path *fs.PathError
	var network *net.OpError
	switch {
	case errors.As(err, &crash):
		return "panic"
	case errors.Is(err, session.ErrResolved):
		return "settled"
	case errors.Is(err, copilot.ErrClosed):
		return "closed"
	}
	if runtime := runtimeCategory(err); runtime != "" {
		return runtime
	}
	switch {
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

// runtimeCategory is what is the matter with a runtime; "" for other errors.
func runtimeCategory(err error) string {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, copilot.ErrNotFound):
		return "no runtime"
	case errors.Is(err, copilot.ErrVersion):
		return "runtime version"
	case errors.Is(err, copilot.ErrProtocol):
		return "protocol version"
	case errors.Is(err, copilot.ErrToken):
		return "connection token"
	case errors.Is(err, copilot.ErrGarbled):
		return "not the protocol"
	case errors.As(err, &exit):
		return runtimeEnd(exit)
	case errors.Is(err, copilot.ErrEnded):
		return "runtime ended"
	}
	return ""
}

// runtimeEnd is how a runtime has ended.
func runtimeEnd(exit *exec.ExitError) string {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("runtime ended, signal %d", status.Signal())
	}
	return fmt.Sprintf("runtime ended, exit code %d", exit.ExitCode())
}

// agentNames are the agents as they call themselves, with their version.
var agentNames = process.Compiled(`^[A-Za-z][A-Za-z ]{0,30}( [0-9][0-9A-Za-z.-]{0,30})?$`)

func agentName(name string) string {
	if agentNames().MatchString(name) {
		return name
	}
	return "(odd)"
}

func knownMode(m session.Mode) session.Mode {
	switch m {
	case session.Interactive, session.Plan, session.Autopilot, session.Shell, "":
		return m
	}
	return "(odd)"
}

// folderName is the last element of a working folder.
func folderName(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Base(dir)
}
