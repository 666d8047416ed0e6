package e2e

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
	"parley/tui"
)

// panicEnv makes the test binary a window that panics, in the place it names.
const panicEnv = "PARLEY_TEST_PANIC"

// panicWindow is a window whose agent panics: in a call of the window's loop, in a
// command of its own, or in a goroutine of the agent's. A lock that is misused ends
// the process. A child of the agent runs on.
func panicWindow(where string) int {
	child := exec.CommandContext(context.Background(), "sleep", "1000")
	if where == "lock" {
		child = exec.CommandContext(context.Background(), "true") // it ends by itself
	}
	_, err := tui.Run(context.Background(), tui.Config{
		Agent: func(ctx context.Context) (session.Agent, error) {
			if where == "goroutine" {
				agent, err := demo.Open(ctx, demo.Config{Now: sessiontest.JammedClock})
				if err != nil {
					return nil, err
				}
				return agent, nil
			}
			return panicAgent{where, child}, child.Start()
		},
		AgentName: "a broken agent", Version: process.Release, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Now: time.Now,
	})
	if err != nil {
		process.Complain(os.Stderr, err)
		process.PrintStack(os.Stderr, err)
		return process.ExitFailure
	}
	return process.ExitOK
}

// panicAgent is an agent with a child, and its own session.
type panicAgent struct {
	where string
	child *exec.Cmd
}

func (a panicAgent) Open(context.Context, session.Options) (session.Session, error) { return a, nil }

func (a panicAgent) Resume(context.Context, session.ID, session.Options) (session.Session, error) {
	return a, nil
}

func (a panicAgent) Close(context.Context) error {
	_ = a.child.Process.Kill()
	_ = a.child.Wait()
	return nil
}

func (a panicAgent) Info() session.Info {
	if a.where == "update" {
		panic(sessiontest.PanicText)
	}
	return session.Info{ID: "s", Agent: "a broken agent"}
}

func (a panicAgent) Events() <-chan session.Event { return make(chan session.Event) }

func (a panicAgent) Send(context.Context, session.Input) error {
	if a.where == "lock" {
		new(sync.Mutex).Unlock()
	}
	panic(sessiontest.PanicText)
}

func (a panicAgent) Respond(context.Context, session.Answer) error { return nil }

func (a panicAgent) Abort(context.Context) error { return nil }

func (a panicAgent) Wait() error { return nil }

// A panic, wherever it is, leaves the terminal as it was, no child, an exit
// code, and a message that can be read where the shell continues.
func TestPanic(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"update", "command"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			x := start(t, launch{program: self, env: []string{panicEnv + "=" + where}, kitty: true, height: 60, width: 140})
			if where == "command" {
				x.started(textReady)
				x.typed("hello")
				x.press("enter")
			}
			x.checkPanicked("fault_test.go")
		})
	}
}

// A panic in a goroutine of the agent ends the session and not the window, which
// says so and stays: the draft is there, and it can be left. The end shows where
// it was.
func TestPanicOfTheAgent(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{terminal: start(t, launch{program: self, env: []string{panicEnv + "=goroutine"}, kitty: true, height: 60, width: 140})}
	s.started(textReady)
	s.say("parallel")
	s.wait("the demo has ended: the program panicked: the frobnicator is jammed", "disconnected, enter reconnects")
	s.typed("a draft that stays")
	s.wait("a draft that stays")
	s.press("ctrl+c")
	s.waitGone("a draft that stays")
	s.press("ctrl+c")
	s.press("ctrl+c")
	s.checkPanicked("sessiontest/panic.go")
}

// checkPanicked holds that the program ended and said where it panicked, and
// left the terminal as it was.
func (x *terminal) checkPanicked(where string) {
	x.t.Helper()
	if code := x.exit(); code != process.ExitFailure {
		x.t.Errorf("exit code %d", code)
	}
	x.wait("the program panicked: the frobnicator is jammed", where)
	x.checkRestored()
	x.checkAlone()
	if strings.Contains(x.raw(), "pwned\x07") {
		x.t.Error("the message reached the terminal as it was")
	}
}

// guardName is on the command line of what guards a window.
const guardName = "parley-restore"

// TestKilledWindow: a window that SIGKILL ended gives the terminal back, and names how to
// continue.
func TestKilledWindow(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{
		program: "/bin/sh", args: []string{"-c", "$PROGRAM --agent demo; read line"}, env: []string{"PROGRAM=" + parley(t)},
		kitty: true, height: 60, width: 140,
	})}
	s.started(textReady)
	s.guarded()
	s.signal("parley --agent demo", syscall.SIGKILL)
	s.wait("Parley was killed. To continue its session: parley --continue")
	s.unguarded()
	s.send("\n")
	s.exit()
	s.vacated()
	s.checkRestored()
	s.checkAlone()
}

// TestFatalError: a fatal error of Go's runtime, which runs no code of Parley's,
// gives the terminal back before its trace, so that it can be read there.
func TestFatalError(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("lock", func(t *testing.T) {
		t.Parallel()
		s := &stage{terminal: start(t, launch{program: self, env: []string{panicEnv + "=lock"}, kitty: true, height: 60, width: 140})}
		s.started(textReady)
		s.guarded()
		s.typed("hello")
		s.press("enter")
		s.checkEnd()
		said := s.afterWindow()
		if !strings.HasPrefix(said, "fatal error: sync: unlock of unlocked mutex\r\n") || !strings.Contains(said, "fault_test.go") {
			t.Errorf("no trace on the screen of the shell: %q", said)
		}
	})
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		log := filepath.Join(t.TempDir(), "log")
		s := &stage{terminal: start(t, launch{program: "/bin/sh", args: []string{"-c", "exec " + parley(t) + " --agent demo 2>" + log}, kitty: true, height: 60, width: 140})}
		s.started(textReady)
		s.guarded()
		s.signal("--agent demo", syscall.SIGSEGV)
		s.checkEnd()
		if said, err := os.ReadFile(log); err != nil || !strings.HasPrefix(string(said), "SIGSEGV: segmentation violation\n") || !strings.Contains(string(said), "\ngoroutine 1 gp=") {
			t.Errorf("the trace is not in the file: %q, %v", said, err)
		}
		if said := s.afterWindow(); said != "" {
			t.Errorf("it is on the screen of the shell: %q", said)
		}
	})
}

// guarded waits until the window is guarded against a fatal error and SIGKILL.
func (x *terminal) guarded() {
	x.t.Helper()
	x.until("something to guard the window", x.hasGuard)
}

// unguarded waits until what guarded the window has ended.
func (x *terminal) unguarded() {
	x.t.Helper()
	x.until("what guards the window to end", func() bool { return !x.hasGuard() })
}

func (x *terminal) hasGuard() bool {
	return slices.ContainsFunc(x.descendants(), func(p descendant) bool { return strings.Contains(p.command, guardName) })
}

// checkEnd holds that the program ended with a fatal error, and left the terminal
// as it was and nothing behind.
func (x *terminal) checkEnd() {
	x.t.Helper()
	if code := x.exit(); code != 2 {
		x.t.Errorf("exit code %d", code)
	}
	x.vacated()
	x.checkRestored()
	x.checkAlone()
}

// vacated waits until no process has the terminal: what guards a window has its word
// after the window's end.
func (x *terminal) vacated() {
	x.t.Helper()
	select {
	case <-x.closed:
	case <-time.After(time.Until(x.end)):
		x.t.Fatalf("processes have the terminal still: %v", x.descendants())
	}
}

// afterWindow is what was written since the terminal was given back.
func (x *terminal) afterWindow() string {
	_, said, _ := strings.Cut(x.raw()[max(0, strings.LastIndex(x.raw(), ansi.ResetModeAltScreenSaveCursor)):], ansi.ResetStyle)
	return said
}

// inShell is a terminal with a shell at its prompt, which turns no mode on.
func inShell(t *testing.T, l launch) *stage {
	t.Helper()
	inputrc := filepath.Join(t.TempDir(), "inputrc")
	clitest.Put(t, inputrc, "set enable-bracketed-paste off\n")
	l.program, l.args = "/bin/bash", []string{"--norc", "--noprofile", "-i"}
	l.env = append(l.env, "PS1=shell> ", "INPUTRC="+inputrc)
	s := &stage{terminal: start(t, l), launch: l}
	s.wait("shell>")
	return s
}

// TestSuspend: the key and a signal from elsewhere stop the window, in the editor
// too, and give the terminal to the shell; continuing takes it again, as often as it
// comes. What a killed window leaves on is taken back by the doctor if nothing else does,
// and nothing is changed where nothing was left.
func TestSuspend(t *testing.T) { bothWindows(t, journeySuspend) }

// journeySuspend is it in one window.
func journeySuspend(t *testing.T, l launch) {
	t.Helper()
	l.kitty, l.height, l.env = true, 60, []string{scriptEditor(t)}
	s := inShell(t, l)
	command := parley(t) + " --agent demo"
	if l.inline {
		command += " --inline"
	}
	s.send(command + "\r")
	s.started(textReady)
	s.typed("half a thought")
	stops := 0
	stopped := func(texts ...string) { // the earlier ones stand on the same screen
		t.Helper()
		stops++
		s.waitFor("the shell to say it", func(screen string) bool { return strings.Count(screen, "Stopped") == stops })
		s.checkModes()
		s.send("fg\r")
		s.wait(texts...)
	}
	for range 2 {
		s.signal("--agent demo", sessiontest.Stop)
		stopped("half a thought", textPromise)
		s.press("ctrl+z")
		stopped("half a thought", textPromise)
	}
	s.typed(" and the rest")
	s.press("ctrl+g")
	s.wait("editing")
	s.press("ctrl+z")
	stopped("reading again") // what comes before that is lost
	s.send("words\r")
	s.wait("half a thought and the rest", "appended words", "interactive")

	// What the terminal answers to a dead window is typed into the shell.
	if _, err := io.WriteString(s.emu.InputPipe(), "behind the answers"); err != nil {
		t.Fatal(err)
	}
	s.wait("behind the answers")
	s.guarded()
	s.signal(guardName, syscall.SIGKILL)
	s.unguarded()
	s.signal("--agent demo", syscall.SIGKILL)
	s.wait("Killed")
	reset := func(times int) {
		t.Helper()
		s.send(parley(t) + " doctor --reset\n") // no key return: the line discipline is still raw
		s.waitFor("the word of the doctor", func(string) bool {
			return strings.Count(s.raw(), "The terminal is as a shell expects it.") == times
		})
		s.checkModes()
	}
	reset(1)
	s.send("echo now\\ a\\ line\r") // the key return ends lines again, and they are shown
	s.wait("now a line")
	reset(2)
	s.send("exit\r")
	s.exit()
	s.vacated()
	s.checkAlone()
}

// signal sends a signal to the processes under the terminal whose command line
// has a text.
func (x *terminal) signal(text string, signal syscall.Signal) {
	x.t.Helper()
	found := false
	for _, p := range x.descendants() {
		if strings.Contains(p.command, text) {
			found = true
			if err := sessiontest.Signal(p.pid, signal); err != nil {
				x.t.Fatal(err)
			}
		}
	}
	if !found {
		x.t.Fatalf("no process is %q: %v", text, x.descendants())
	}
}

// hangUp closes the terminal and waits for the program's end.
func (x *terminal) hangUp() {
	x.t.Helper()
	x.setSize(70, 20) // what this makes the program write ends the read that holds the terminal
	if err := x.master.Close(); err != nil {
		x.t.Fatal(err)
	}
	select {
	case <-x.ended:
	case <-time.After(time.Until(x.end)):
		x.t.Fatal("the program did not end when its terminal was closed")
	}
}
