package main

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

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest/llm"
	"parley/tui"
)

// panicEnv makes the test binary a window that panics, in the place it names.
const panicEnv = "PARLEY_TEST_PANIC"

// textPanic is what the panics say. A terminal must not take it for more.
const textPanic = "the frobnicator\x1b]0;pwned\x07 is jammed"

// panicWindow is a window whose agent panics: while it starts, in a call of the
// window's loop, in a command of its own, or in a goroutine of the agent's, which
// ends the process where nothing guards it. So does a lock that is misused. A child
// of the agent runs on.
func panicWindow(where string) int {
	child := exec.CommandContext(context.Background(), "sleep", "1000")
	if where == "lock" || where == "unguarded" {
		child = exec.CommandContext(context.Background(), "true") // nobody ends it
	}
	_, err := tui.Run(context.Background(), tui.Config{
		Agent: func(ctx context.Context) (session.Agent, error) {
			switch where {
			case "start":
				panic(textPanic)
			case "goroutine":
				return opened(demo.Open(ctx, demo.Config{Now: jammedClock}))
			}
			return panicAgent{where, child}, child.Start()
		},
		AgentName: "a broken agent", Version: release, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Now: time.Now,
	})
	if err != nil {
		complain(os.Stderr, err)
		printStack(os.Stderr, err)
		return exitFailure
	}
	return exitOK
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
		panic(textPanic)
	}
	return session.Info{ID: "s", Agent: "a broken agent"}
}

func (a panicAgent) Events() <-chan session.Event { return make(chan session.Event) }

func (a panicAgent) Send(context.Context, session.Input) error {
	switch a.where {
	case "lock":
		new(sync.Mutex).Unlock()
	case "unguarded":
		go panic(textPanic)
		select {}
	}
	panic(textPanic)
}

func (a panicAgent) Respond(context.Context, session.Answer) error { return nil }

func (a panicAgent) Abort(context.Context) error { return nil }

func (a panicAgent) Wait() error { return nil }

// A panic, wherever it is, leaves the terminal as it was, no child, an exit
// code, and a message that can be read where the shell goes on.
func TestPanic(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{"start", "update", "command"} {
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
// says so and stays: the draft is there, and it can be left. The end tells where
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
	s.wait("the demo has ended: the program panicked: the frobnicator is jammed", "lost, enter reconnects")
	s.typed("a draft that stays")
	s.wait("a draft that stays")
	s.press("ctrl+c")
	s.waitGone("a draft that stays")
	s.press("ctrl+c")
	s.press("ctrl+c")
	s.checkPanicked("headless_panic_test.go")
}

// checkPanicked holds that the program ended and said where it panicked, and
// left the terminal as it was.
func (x *terminal) checkPanicked(where string) {
	x.t.Helper()
	if code := x.exit(); code != exitFailure {
		x.t.Errorf("exit code %d", code)
	}
	x.wait("the program panicked: the frobnicator is jammed", where)
	x.checkRestored()
	x.checkAlone()
	if strings.Contains(x.raw(), "pwned\x07") {
		x.t.Error("the message reached the terminal as it was")
	}
}

// A signal to stop, sent from elsewhere, gives the terminal back, and going on
// takes it again, as often as it comes.
func TestStopSignal(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{program: "/bin/sh", args: []string{"-i"}, env: []string{"PS1=shell> "}})}
	s.wait("shell>")
	s.send(parley(t) + " --agent demo\r")
	s.started(textReady)
	s.typed("half a thought")
	stopped := func(times int) { // the earlier ones stand on the same screen
		s.waitFor("the shell to say it", func(screen string) bool { return strings.Count(screen, "Stopped") == times })
		s.checkModes()
		s.send("fg\r")
		s.wait("half a thought", textPromise)
	}
	for i := range 2 {
		s.signal("--agent demo", syscall.SIGTSTP)
		stopped(2*i + 1)
		s.press("ctrl+z") // and the key still does it
		stopped(2*i + 2)
	}
	s.signal("--agent demo", syscall.SIGTERM)
	s.waitFor("the shell's prompt", func(screen string) bool { return strings.HasSuffix(strings.TrimRight(screen, "\n"), "shell>") })
	s.checkModes()
	s.send("exit\r")
	s.exit()
	s.checkRestored()
	s.checkAlone()
}

// TestTraceOfASignal: the signals that ask for a trace give the terminal back
// first, so that it can be read.
func TestTraceOfASignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT} {
		s := demoWindow(t, launch{kitty: true, height: 60, width: 140})
		s.signal("--agent demo", sig)
		if code := s.exit(); code != 128+int(sig) {
			t.Errorf("%v: exit code %d", sig, code)
		}
		s.checkRestored()
		s.checkAlone()
		if said := s.raw()[max(0, strings.LastIndex(s.raw(), ansi.ResetModeAltScreenSaveCursor)):]; !strings.Contains(said, "goroutine 1 [") {
			t.Errorf("%v: no trace on the screen of the shell: %q", sig, said)
		}
	}
}

// TestFatalError: a fatal error of Go's runtime, which runs no code of Parley's,
// gives the terminal back before its trace, so that it can be read there.
func TestFatalError(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("signal", func(t *testing.T) {
		t.Parallel()
		s := demoWindow(t, launch{kitty: true, height: 60, width: 140})
		s.guarded()
		s.signal("--agent demo", syscall.SIGSEGV)
		s.checkFatal("SIGSEGV: segmentation violation\r\n", "\ngoroutine 1 gp=")
	})
	for where, says := range map[string]string{"lock": "fatal error: sync: unlock of unlocked mutex\r\n", "unguarded": "panic: the frobnicator]0;pwned is jammed"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			s := &stage{terminal: start(t, launch{program: self, env: []string{panicEnv + "=" + where}, kitty: true, height: 60, width: 140})}
			s.started(textReady)
			s.guarded()
			s.typed("hello")
			s.press("enter")
			s.checkFatal(says, "fault_test.go")
		})
	}
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

// guarded waits until the window is guarded against a fatal error.
func (x *terminal) guarded() {
	x.t.Helper()
	x.until("something to guard the window", func() bool {
		return slices.ContainsFunc(x.descendants(), func(p process) bool { return strings.Contains(p.command, "parley-rescue") })
	})
}

// checkFatal holds that the program ended with a fatal error, left the terminal
// as it was and nothing behind, and that the trace stands after that, whole.
func (x *terminal) checkFatal(first, then string) {
	x.t.Helper()
	x.checkEnd()
	if said := x.afterWindow(); !strings.HasPrefix(said, first) || !strings.Contains(said, then) {
		x.t.Errorf("no trace on the screen of the shell: %q", said)
	}
}

func (x *terminal) checkEnd() {
	x.t.Helper()
	if code := x.exit(); code != 2 {
		x.t.Errorf("exit code %d", code)
	}
	x.checkRestored()
	x.checkAlone()
}

// afterWindow is what was written since the terminal was given back.
func (x *terminal) afterWindow() string {
	_, said, _ := strings.Cut(x.raw()[max(0, strings.LastIndex(x.raw(), ansi.ResetModeAltScreenSaveCursor)):], ansi.ResetStyle)
	return said
}

// TestResetAfterAKill: what a killed window leaves on in the terminal is taken
// back by the doctor, and nothing is changed where nothing was left.
func TestResetAfterAKill(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{program: "/bin/sh", args: []string{"-i"}, env: []string{"PS1=shell> "}, kitty: true})}
	s.wait("shell>")
	s.send(parley(t) + " --agent demo\r")
	s.started(textReady)
	// What the terminal answers to a dead window is typed into the shell.
	if _, err := io.WriteString(s.emu.InputPipe(), "behind the answers"); err != nil {
		t.Fatal(err)
	}
	s.wait("behind the answers")
	s.signal("--agent demo", syscall.SIGKILL)
	s.wait("Killed")
	reset := func(times int) {
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
			if err := syscall.Kill(p.pid, signal); err != nil {
				x.t.Fatal(err)
			}
		}
	}
	if !found {
		x.t.Fatalf("no process is %q: %v", text, x.descendants())
	}
}

// A terminal that is closed ends the window and everything under it.
func TestClosedTerminal(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{})
	s.say("show me what you do")
	s.card(textOnce)
	s.hangUp()
	s.checkAlone()
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

// With the real CLI and a command that runs: whatever ends the window, the
// runtime and the command end with it.
func TestRuntimeEndsWithTheWindow(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *stage){
		"SIGTERM":           func(s *stage) { s.signal("parley-test-", syscall.SIGTERM); s.exit(); s.checkRestored() },
		"a closed terminal": func(s *stage) { s.hangUp() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := play(t, llm.Script{"slow": {shell("echo begun; sleep 600")}}, launch{})
			s.say("@@slow")
			s.card(textOnce)
			s.press("y")
			s.wait("begun")
			end(s)
			s.checkAlone()
		})
	}
}

// When the runtime is killed under the window, the window says so and stays: the
// draft is there, and one key goes on and sends it.
func TestRuntimeIsKilled(t *testing.T) {
	t.Parallel()
	s := play(t, llm.Script{"a": {{Text: "Answer A."}}, "b": {{Text: "Answer B."}}}, launch{own: true})
	s.say("@@a")
	s.idle("Answer A.")
	s.typed("then @@b")
	s.signal("copilot", syscall.SIGKILL)
	s.wait("lost, enter reconnects", "then @@b")
	s.press("enter")
	s.idle("Answer A.", "Answer B.")
	s.leave()
}

// Where no shell could let it go on, as in a terminal of its own, ctrl+z stops
// nothing.
func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{})
	s.press("ctrl+z")
	s.typed("still here")
	s.press("ctrl+c")
	s.wait(textReady)
	s.leave()
}
