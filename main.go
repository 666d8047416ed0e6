// Command parley is a terminal chat for coding-agent sessions. It drives the
// GitHub Copilot CLI, shows what the agent does, and asks before anything
// happens.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"parley/history"
	"parley/history/sessions"
	"parley/render"
	"parley/session"
	"parley/session/replay"
	"parley/settings"
	"parley/theme"
	"parley/tui"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // what was asked for could not be done
	exitUsage   = 2 // the command line makes no sense
)

// console is the process around a command: what it may read, write and know.
type console struct {
	in, out, err *os.File
	env          []string
}

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr, os.Environ()}))
}

// run carries out a command line and returns the exit code. Whatever goes
// wrong is said in one line, and of the user's files each mistake in its own.
func run(args []string, c console) int { return finish(c, root(c).execute(args)) }

// finish says what went wrong, and returns the exit code.
func finish(c console, err error) int {
	var failed failure
	var signal signalled
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &signal):
		_, _ = c.err.WriteString(signal.trace)
		return signal.code()
	case errors.Is(err, errNothingFound):
		return exitFailure
	case errors.As(err, &failed):
		for _, err := range settings.Mistakes(err) {
			complain(c.err, err)
		}
		printStack(c.err, err)
		return exitFailure
	}
	complain(c.err, err)
	return exitUsage
}

// complain writes an error in one line. Parts of it may come from an agent, so
// nothing in it reaches the terminal unfiltered.
func complain(w io.Writer, err error) {
	_, _ = fmt.Fprintf(w, "parley: %s\n", render.SanitizeLine(strings.Join(strings.Fields(err.Error()), " ")))
}

// printStack writes where the program panicked, if that is what the error is: whoever
// reports the mistake needs it.
func printStack(w io.Writer, err error) {
	var crash *session.PanicError
	if errors.As(err, &crash) {
		_, _ = fmt.Fprintf(w, "This is a mistake in Parley. Where it happened:\n%s\n", render.Sanitize(string(crash.Stack)))
	}
}

// failure is an error of a command that was understood. Every other error of
// the command line is one of usage.
type failure struct{ error }

// Unwrap returns the cause.
func (f failure) Unwrap() error { return f.error }

// fail marks an error as a failure.
func fail(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// signalled is the cause of a context that a signal ended.
type signalled struct {
	syscall.Signal
	trace string // what every goroutine did, where the signal asks for that
}

// Error implements error.
func (s signalled) Error() string { return "ended by signal: " + s.String() }

// code is the exit code that shells expect of a process ended by the signal.
func (s signalled) code() int { return 128 + int(s.Signal) }

// untilSignal returns a context that ends with the first signal that asks the
// process to leave; a second one has its default effect. stop releases it.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s, ok := s.(syscall.Signal); ok {
				cancel(signalled{s, traceFor(s)})
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// traceBytes bounds the trace of all goroutines.
const traceBytes = 1 << 20

// traceFor is what every goroutine does, for the signals that ask for it. The
// runtime writes it too, but does not give the terminal back before.
func traceFor(s syscall.Signal) string {
	if s != syscall.SIGQUIT && s != syscall.SIGABRT {
		return ""
	}
	buf := make([]byte, traceBytes)
	return fmt.Sprintf("parley: %v\n%s\n", s, buf[:runtime.Stack(buf, true)])
}

// unkept says why what the user writes cannot be kept, what that is, and what to
// do; "" if it can be.
func unkept(env []string, home string) string {
	dir := history.StateDir(env, home)
	if dir == "" {
		return "There is no home folder (HOME is not set): drafts, the history of prompts and changes of settings are not kept. " +
			"Set HOME to a folder of yours, or XDG_STATE_HOME and XDG_CONFIG_HOME."
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = unix.Access(dir, unix.W_OK|unix.X_OK)
	}
	if err == nil {
		return ""
	}
	var cause syscall.Errno
	why := "it cannot be written to"
	if errors.As(err, &cause) {
		why = cause.Error()
	}
	lost := "drafts and the history of prompts"
	if info, err := os.Stat(home); err != nil || !info.IsDir() || unix.Access(home, unix.W_OK|unix.X_OK) != nil {
		lost = "drafts, the history of prompts and changes of settings" // all that is below it
	}
	return fmt.Sprintf("Nothing can be written to %s (%s): %s are not kept. "+
		"Make it writable, or set HOME, or XDG_STATE_HOME, to a folder that is.", dir, why, lost)
}

// chat opens the window and stays in it until the user leaves.
func chat(c console, o options, h headlessFlags) error {
	if !term.IsTerminal(c.in.Fd()) || !term.IsTerminal(c.out.Fd()) {
		return errors.New("a chat needs a terminal for its input and output; run parley in one, without pipes or redirection")
	}
	if lookup(c.env, "TERM") == "dumb" {
		return errors.New("this terminal (TERM=dumb) cannot show a full screen; set TERM to what it is, such as xterm-256color")
	}
	home, _ := os.UserHomeDir() // without one, paths are shown whole
	changes := changed(c)
	prefer, err := preferences(c)
	if err != nil {
		return err
	}
	backend, err := agentFor(o, c.env, prefer.Settings)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	ids, err := tui.Run(ctx, tui.Config{
		Agent:      h.observed(h.exported(backend)),
		AgentName:  backend.name,
		AgentFlags: backend.flags,
		Keeper:     backend.keeper,
		Note:       backend.note,
		Unkept:     unkept(c.env, home),
		Permit:     func(p session.PermissionRequested) bool { ok, _ := h.policy.permits(p); return ok },
		AllowAll:   h.allowAll,
		Options:    session.Options{Model: o.model, Mode: session.Mode(o.mode), Dir: o.dir},
		Resume:     session.ID(o.resume),
		Continue:   o.continued,
		Prompt:     o.prompt,
		Browse:     o.browse,
		Settings:   prefer.Settings,
		Keys:       prefer.Keys,
		Themes:     theme.Dir(settingsPath(c)),
		Changed:    changes,
		Prefer: func(ctx context.Context, name string, value any) (settings.Settings, error) {
			return prefers(ctx, c, name, value)
		},
		Doctor:   examine(o),
		Report:   accounting(h.logFile),
		Sessions: pastSessions(c, backend),
		Reading: func(_ context.Context, lib tui.Library) (session.Agent, error) {
			return replay.NewReader(lib.Read), nil
		},
		StateDir: history.StateDir(c.env, home),
		Version:  version(),
		Home:     home,
		In:       c.in, Out: c.out, Err: c.err, Env: c.env, Now: time.Now,

		SettingsFile: settingsPath(c),
	})
	for _, id := range ids {
		_, _ = fmt.Fprintln(c.err, render.SanitizeLine(sessions.GoOn(id, backend.flags...)))
	}
	if err != nil {
		return err
	}
	return context.Cause(ctx)
}
