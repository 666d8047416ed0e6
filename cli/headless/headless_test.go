package headless

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/cli/agents"
	"parley/cli/policy"
	"parley/cli/process"
	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// trial is a turn without a window on a scripted session.
type trial struct {
	t       *testing.T
	agent   *scriptedAgent
	flags   agents.Options
	rules   []string
	all     bool
	form    string
	signals chan os.Signal
	quiet   chan time.Time // an agent at rest is silent
	leave   chan time.Time // only commands have run for long
	late    chan time.Time // the agent does not stop
	hurry   chan time.Time // what is still to be written takes long
}

// after has each time come when the test says so.
func (x *trial) after(d time.Duration) <-chan time.Time {
	times := map[time.Duration]chan time.Time{quietAfter: x.quiet, leaveAfter: x.leave, abortGrace: x.late, outputGrace: x.hurry}
	if times[d] == nil {
		x.t.Errorf("nothing waits %v", d)
	}
	return times[d]
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	return &trial{
		t: t, agent: newScripted(), form: outputText, flags: agents.Options{Dir: "/work/here"},
		signals: make(chan os.Signal, 4), quiet: make(chan time.Time),
		leave: make(chan time.Time), late: make(chan time.Time), hurry: make(chan time.Time),
	}
}

// run has a prompt answered by what play makes of the session.
func (x *trial) run(play func(s *scriptedSession)) (out, errs string, err error) {
	x.t.Helper()
	x.agent.OnOpen = func(s *scriptedSession) {
		s.OnSend = func(session.Input) { play(s) }
	}
	return x.start(x.scripted)
}

func (x *trial) start(open func(context.Context) (session.Agent, session.Session, error)) (out, errs string, err error) {
	x.t.Helper()
	var stdout, stderr bytes.Buffer
	err = x.into(&stdout, &stderr).run(open)
	return stdout.String(), stderr.String(), err
}

// into is the turn with its output.
func (x *trial) into(out, errs io.Writer) *turn {
	x.t.Helper()
	p, err := policy.New(x.rules, x.all, x.flags.Dir)
	if err != nil {
		x.t.Fatal(err)
	}
	turn := &turn{
		prompt: "do it", policy: p, signals: x.signals, after: x.after, activity: newActivity(errs, 80, "/home/me", "/work/here"),
	}
	turn.show(out, x.form, false, false)
	return turn
}

// scripted opens the session of the trial.
func (x *trial) scripted(ctx context.Context) (session.Agent, session.Session, error) {
	s, err := openSession(ctx, process.Console{}, x.agent, x.flags)
	return x.agent, s, err
}

// prompted are the events that a turn begins with.
func prompted() []session.Body {
	return []session.Body{session.UserMessage{Content: "do it", Delivery: session.DeliveredIdle}, session.AssistantTurnStart{TurnID: "0"}}
}

func rest(s *scriptedSession) {
	s.Stream(session.AssistantIdle{}, session.SessionIdle{Mode: session.Interactive})
}

func code(err error) int {
	var ended process.SignalError
	switch {
	case err == nil:
		return process.ExitOK
	case errors.As(err, &ended):
		return ended.Code()
	}
	return process.ExitFailure
}

// shellCall is a call of the shell and the question about it.
func shellCall(id, command, identifier string) (session.ToolExecutionStart, session.PermissionRequested) {
	q := session.PermissionRequested{
		RequestID: session.RequestID("ask-" + id),
		PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: session.CallID(id), FullCommandText: command},
			Commands:          []session.ShellCommand{{Identifier: identifier}},
		},
		PromptRequest: &session.PromptRequest{
			PermissionDetails:  session.PermissionDetails{Kind: "commands", FullCommandText: command},
			CommandIdentifiers: []string{identifier},
		},
	}
	quoted, _ := jsontext.AppendQuote(nil, command) // it is valid UTF-8
	return session.ToolExecutionStart{
		ToolCallID: session.CallID(id), ToolName: "bash", Arguments: jsontext.Value(`{"command":` + string(quoted) + `}`),
	}, q
}

// TestHeadlessTurn plays a turn with everything in it, and holds what is
// written to a golden file.
func TestHeadlessTurn(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.rules = []string{"shell(touch)"}
	out, errs, err := x.run(func(s *scriptedSession) {
		s.Push(prompted()...)
		touch, mayTouch := shellCall("a", "touch \x1b[31mx", "touch")
		remove, mayRemove := shellCall("b", "rm -rf /work/here/x", "rm")
		mayTouch.PermissionRequest.FullCommandText, mayTouch.PromptRequest.FullCommandText = "touch x", "touch x"
		s.OnAnswer = func(a session.Answer) {
			code := 0
			switch a.Request() {
			case "ask-a":
				s.Push(session.ToolExecutionComplete{ToolCallID: "a", Success: true, ShellExecution: &session.ShellExecution{ExitCode: &code}}, remove, mayRemove)
			case "ask-b":
				s.Push(session.ToolExecutionComplete{ToolCallID: "b", Error: &session.ToolError{Code: "denied", Message: "no"}})
				s.Stream(session.UserInputRequested{RequestID: "ask-c", Question: "Which?"})
			case "ask-c":
				s.Stream(session.ExitPlanModeRequested{RequestID: "ask-d", Summary: "A plan"})
			case "ask-d":
				s.Stream(session.ElicitationRequested{RequestID: "ask-e", Message: "A form"})
			case "ask-e":
				s.Stream(session.FolderTrustRequested{RequestID: "ask-f", Folder: "/work/here"})
			case "ask-f":
				s.Stream(session.AssistantTurnRetry{TurnID: "0", Reason: "rate_limit"})
				s.Push(session.SessionWarning{WarningType: "policy", Message: "Beware\nof \x1b]0;title\x07this.", URL: "https://example.org"})
				s.PushEvent(session.Event{Agent: "sub", Body: session.AssistantMessage{MessageID: "s", Content: "a sub-agent's"}})
				s.Stream(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "It is "})
				s.Push(session.AssistantMessage{MessageID: "m", Content: "It is **done**."})
				rest(s)
			}
		}
		s.Push(session.AssistantMessage{MessageID: "l", Content: "Let me see."}, touch, mayTouch)
	})
	if err != nil {
		t.Error(err)
	}
	sessiontest.Golden(t, "headless/turn", "exit code "+fmt.Sprint(code(err))+"\n--- standard output\n"+out+"--- standard error\n"+errs)
	if strings.Contains(out+errs, "\x1b") {
		t.Errorf("a control sequence came through: %q", out+errs)
	}
	s := x.agent.Sessions()[0]
	answers := s.Answers()
	if len(answers) != 6 || len(s.Inputs()) != 1 || s.Inputs()[0].Prompt != "do it" {
		t.Fatalf("sent %v, answered %v", s.Inputs(), answers)
	}
	if a, ok := answers[0].(session.PermissionAnswer); !ok || a.Decision != session.ApproveOnce {
		t.Errorf("what is permitted was answered %+v", answers[0])
	}
	for _, a := range answers[1:] {
		if r, ok := a.(session.Refusal); !ok || r.Feedback == "" {
			t.Errorf("answered %+v, want a refusal with words", a)
		}
	}
}

// TestHeadlessEnds are the ways a turn can end.
func TestHeadlessEnds(t *testing.T) {
	t.Parallel()
	failure := session.SessionError{ErrorType: "query", StatusCode: 503, Message: "It is overloaded."}
	for _, c := range []struct {
		name string
		play func(s *scriptedSession)
		code int
		err  string // in the error
		errs string // on the standard error
	}{
		{"an error", func(s *scriptedSession) { s.Push(prompted()...); s.Push(failure); rest(s) }, process.ExitFailure, "the turn ended with an error", "■ It is overloaded. (query, status 503)"},
		{"an error before the turn", func(s *scriptedSession) { s.Push(failure); rest(s) }, process.ExitFailure, "with an error", "overloaded"},
		{"an error of a sub-agent", func(s *scriptedSession) {
			s.Push(prompted()...)
			s.PushEvent(session.Event{Agent: "sub", Body: failure})
			rest(s)
		}, process.ExitOK, "", ""},
		{"idle of something before", func(s *scriptedSession) { rest(s); s.Push(prompted()...); rest(s) }, process.ExitOK, "", ""},
		{"idle of a sub-agent", func(s *scriptedSession) {
			s.Push(prompted()...)
			s.PushEvent(session.Event{Agent: "sub", Ephemeral: true, Body: session.SessionIdle{}})
			s.Push(failure)
			rest(s)
		}, process.ExitFailure, "", ""},
		{"the session ends", func(s *scriptedSession) { s.Push(prompted()...); s.End(errors.New("the agent died")) }, process.ExitFailure, "the agent died", ""},
		{"the session ends well", func(s *scriptedSession) { s.End(nil) }, process.ExitFailure, "ended before the turn did", ""},
		{"stopped by something else", func(s *scriptedSession) {
			s.Push(prompted()...)
			s.Push(session.Abort{Reason: "remote_command"})
			rest(s)
		}, process.ExitFailure, "was interrupted", "Interrupted by a remote command"},
		{"autopilot", func(s *scriptedSession) {
			s.Push(prompted()...)
			s.Stream(session.AssistantIdle{})
			s.Push(session.UserMessage{Source: "autopilot", IsAutopilotContinuation: true}, failure)
			rest(s)
		}, process.ExitFailure, "with an error", ""},
		{"background", func(s *scriptedSession) {
			s.Push(prompted()...)
			s.Stream(session.AssistantIdle{}, session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{Shells: []session.BackgroundShell{{ShellID: "1"}}}})
			s.Push(failure)
			s.Stream(session.SessionIdle{})
		}, process.ExitFailure, "with an error", "background tasks still run (0 agents, 1 commands)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs, err := newTrial(t).run(c.play)
			if code(err) != c.code || err != nil && !strings.Contains(err.Error(), c.err) || !strings.Contains(errs, c.errs) {
				t.Errorf("exit code %d (%v), want %d (%s); it said:\n%s", code(err), err, c.code, c.err, errs)
			}
		})
	}
}

// TestHeadlessWaitsForBackground says that it waits when an agent that takes
// input is silent, and ends with what runs beside it.
func TestHeadlessWaitsForBackground(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	go func() {
		x.quiet <- time.Time{}
		s := x.agent.Sessions()[0]
		s.Push(session.AssistantTurnStart{TurnID: "1"}, session.AssistantMessage{MessageID: "m", Content: "At last."})
		rest(s)
	}()
	out, errs, err := x.run(func(s *scriptedSession) {
		s.Push(prompted()...)
		s.Stream(session.AssistantIdle{})
	})
	if err != nil || out != "At last.\n" || strings.Count(errs, "background tasks still run;") != 1 {
		t.Errorf("%v, %q, %q", err, out, errs)
	}
}

// TestHeadlessSignals are the signals at each stage of a turn.
func TestHeadlessSignals(t *testing.T) {
	t.Parallel()
	begun := func(s *scriptedSession) {
		s.Push(prompted()...)
		s.Stream(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "One\ntwo"})
		s.Stream(session.UserInputRequested{RequestID: "now"})
	}
	for _, c := range []struct {
		name   string
		play   func(x *trial, s *scriptedSession)
		out    string
		code   int
		aborts int
	}{
		{"interrupted", func(x *trial, s *scriptedSession) {
			s.OnAnswer = func(session.Answer) { x.signals <- syscall.SIGINT }
			begun(s)
		}, "One\ntwo\n", 130, 1},
		{"before the turn", func(x *trial, _ *scriptedSession) { x.signals <- syscall.SIGINT }, "", 130, 0},
		{"in the background", func(x *trial, s *scriptedSession) {
			go func() { x.quiet <- time.Time{}; x.signals <- syscall.SIGINT }()
			s.Push(prompted()...)
			s.Stream(session.AssistantIdle{})
		}, "", 130, 0},
		{"terminated", func(x *trial, s *scriptedSession) {
			s.OnAnswer = func(session.Answer) { x.signals <- syscall.SIGTERM }
			begun(s)
		}, "One\n", 143, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t)
			out, errs, err := x.run(func(s *scriptedSession) { c.play(x, s) })
			s := x.agent.Sessions()[0]
			if code(err) != c.code || out != c.out || s.Aborts() != c.aborts {
				t.Errorf("exit code %d, %q, %d aborts; want %d, %q, %d; it said:\n%s", code(err), out, s.Aborts(), c.code, c.out, c.aborts, errs)
			}
			if s.Wait() != nil {
				t.Error("the session was not closed")
			}
		})
	}
}

// deaf is a session that does not end a turn when it is asked to.
type deaf struct {
	*scriptedSession
	aborted func()
}

func (d deaf) Abort(context.Context) error { d.aborted(); return nil }

// TestHeadlessSecondInterrupt leaves an agent that does not stop.
func TestHeadlessSecondInterrupt(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.agent.OnOpen = func(s *scriptedSession) {
		s.OnAnswer = func(session.Answer) { x.signals <- syscall.SIGINT }
		s.OnSend = func(session.Input) { s.Push(prompted()...); s.Stream(session.UserInputRequested{RequestID: "now"}) }
	}
	_, errs, err := x.start(func(ctx context.Context) (session.Agent, session.Session, error) {
		s, err := x.agent.Open(ctx, session.Options{})
		scripted, _ := s.(*scriptedSession)
		return x.agent, deaf{scripted, func() { x.signals <- syscall.SIGINT }}, err
	})
	if code(err) != 130 || !strings.Contains(errs, "ctrl+c again leaves at once") {
		t.Errorf("%v: %s", err, errs)
	}
}

// TestHeadlessOpening fails to open, and is interrupted while it opens.
func TestHeadlessOpening(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.flags.Resume = "none"
	if _, _, err := x.run(func(*scriptedSession) {}); err == nil || !strings.Contains(err.Error(), "no such session") {
		t.Errorf("got %v", err)
	}
	if _, err := x.agent.Open(t.Context(), session.Options{}); !errors.Is(err, errScriptedEnded) {
		t.Errorf("the agent was not closed: %v", err)
	}
	x = newTrial(t)
	x.signals <- syscall.SIGINT
	_, _, err := x.start(func(ctx context.Context) (session.Agent, session.Session, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	if code(err) != 130 {
		t.Errorf("got %v", err)
	}
}

// TestHeadlessResumes prints nothing of the history again, in either form.
func TestHeadlessResumes(t *testing.T) {
	t.Parallel()
	for _, form := range Outputs {
		x := newTrial(t)
		old, err := x.agent.Open(t.Context(), session.Options{Dir: "/work/here"})
		if err != nil {
			t.Fatal(err)
		}
		start, ask := shellCall("a", "touch x", "touch")
		scripted, _ := old.(*scriptedSession)
		scripted.Push(session.UserMessage{Content: "old"}, session.AssistantMessage{MessageID: "o", Content: "Old."}, start, ask,
			session.SessionError{Message: "old trouble"})
		scripted.End(nil)
		x.flags.Continued, x.form = true, form
		out, errs, err := x.run(func(s *scriptedSession) {
			s.Push(prompted()...)
			s.Push(session.AssistantMessage{MessageID: "n", Content: "New."})
			rest(s)
		})
		if err != nil || strings.Contains(strings.ToLower(out+errs), "old") || !strings.Contains(out, "New.") {
			t.Errorf("%s: %v, %q, %q", form, err, out, errs)
		}
		if n := len(x.agent.Sessions()[1].Answers()); n != 0 {
			t.Errorf("%s: a question of the history was answered", form)
		}
	}
}

// TestHeadlessBroken ends the agent when its output is closed.
func TestHeadlessBroken(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.agent.OnOpen = func(s *scriptedSession) {
		s.OnSend = func(session.Input) {
			s.Push(prompted()...)
			s.Push(session.AssistantMessage{MessageID: "m", Content: "Hello."})
		}
	}
	turn := &turn{prompt: "x", signals: x.signals, after: x.after, activity: newActivity(&bytes.Buffer{}, 80, "", "")}
	turn.show(broken{syscall.EPIPE}, outputText, false, false)
	err := turn.run(func(ctx context.Context) (session.Agent, session.Session, error) {
		s, err := openSession(ctx, process.Console{}, x.agent, x.flags)
		return x.agent, s, err
	})
	if code(err) != 128+int(syscall.SIGPIPE) || x.agent.Sessions()[0].Wait() != nil {
		t.Errorf("got %v", err)
	}
}

// TestHeadlessBrokenLate closes the output before the rest of an answer that was
// stopped, or before a line on standard error: a closed pipe is no failure to report.
func TestHeadlessBrokenLate(t *testing.T) {
	t.Parallel()
	plays := map[string]func(s *scriptedSession){
		"stopped": func(s *scriptedSession) {
			s.Stream(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "no end of line"})
			s.Push(session.Abort{Reason: "remote_command"})
			rest(s)
		},
		"failed": func(s *scriptedSession) {
			s.Push(session.AssistantMessage{MessageID: "m", Content: "x"}, session.SessionError{ErrorType: "query"})
			rest(s)
		},
	}
	for _, form := range Outputs {
		for name, play := range plays {
			x := newTrial(t)
			x.form = form
			x.agent.OnOpen = func(s *scriptedSession) {
				s.OnSend = func(session.Input) { s.Push(prompted()...); play(s) }
			}
			err := x.into(broken{syscall.EPIPE}, io.Discard).run(x.scripted)
			if code(err) != 128+int(syscall.SIGPIPE) {
				t.Errorf("%s, %s: %v", form, name, err)
			}
			err = x.settle(t, outputError{fmt.Errorf("write: %w", syscall.ENOSPC)})
			if code(err) != process.ExitFailure || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s, %s: %v", form, name, err)
			}
		}
	}
}

// settle ends a turn that has nothing more to write.
func (x *trial) settle(t *testing.T, err error) error {
	t.Helper()
	turn := x.into(io.Discard, io.Discard)
	turn.output = newWriter()
	return turn.settle(err)
}

// stuck is an output that is not read until it is released.
// writing has room for the news of the first write, which its reader may not wait for yet.
type stuck struct{ writing, released chan struct{} }

func (s stuck) Write(b []byte) (int, error) {
	select {
	case s.writing <- struct{}{}:
	default:
	}
	<-s.released
	return len(b), nil
}

// TestHeadlessStuckOutput ends a turn whose output is not read, while it runs
// and when it is over.
func TestHeadlessStuckOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		lines   int
		over    bool
		signals []os.Signal
		code    int
	}{
		{"terminated", 1, false, []os.Signal{syscall.SIGTERM}, 143},
		{"hung up", 1, false, []os.Signal{syscall.SIGHUP}, 129},
		{"interrupted twice", 1, false, []os.Signal{syscall.SIGINT, syscall.SIGINT}, 130},
		{"interrupted, then terminated", 1, false, []os.Signal{syscall.SIGINT, syscall.SIGTERM}, 143},
		{"behind a full queue", 3 * outputQueue, false, []os.Signal{syscall.SIGTERM}, 143},
		{"over", 1, true, []os.Signal{syscall.SIGINT, syscall.SIGINT}, 130},
		{"over, behind a full queue", 3 * outputQueue, true, []os.Signal{syscall.SIGTERM}, 143},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t)
			out := stuck{make(chan struct{}, 1), make(chan struct{})}
			t.Cleanup(func() { close(out.released) })
			x.agent.OnOpen = func(s *scriptedSession) {
				s.OnSend = func(session.Input) {
					s.Push(prompted()...)
					for i := range c.lines {
						s.Push(session.AssistantMessage{MessageID: session.MessageID(fmt.Sprint(i)), Content: "A line."})
					}
					if c.over {
						rest(s)
					}
				}
			}
			go func() {
				<-out.writing
				for _, s := range c.signals {
					x.signals <- s
				}
			}()
			go func() {
				select {
				case x.hurry <- time.Time{}:
				case <-t.Context().Done():
				}
			}()
			err := x.into(out, io.Discard).run(func(ctx context.Context) (session.Agent, session.Session, error) {
				_, s, err := x.scripted(ctx)
				scripted, _ := s.(*scriptedSession)
				return x.agent, deaf{scripted, func() {}}, err
			})
			if code(err) != c.code {
				t.Errorf("%v, want %d", err, c.code)
			}
		})
	}
}

// TestHeadlessDoesNotStop exits after a while although the agent keeps running
// when it was asked to stop.
func TestHeadlessDoesNotStop(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.agent.OnOpen = func(s *scriptedSession) {
		s.OnAnswer = func(session.Answer) { x.signals <- syscall.SIGINT }
		s.OnSend = func(session.Input) { s.Push(prompted()...); s.Stream(session.UserInputRequested{RequestID: "now"}) }
	}
	_, errs, err := x.start(func(ctx context.Context) (session.Agent, session.Session, error) {
		_, s, err := x.scripted(ctx)
		scripted, _ := s.(*scriptedSession)
		return x.agent, deaf{scripted, func() { x.late <- time.Time{} }}, err
	})
	if code(err) != 130 || !strings.Contains(errs, "does not stop") {
		t.Errorf("%v: %s", err, errs)
	}
}

// slow is an agent that ends itself when its context does.
type slow struct {
	session.Agent
	closing func()
	forever <-chan struct{} // it does not even then, until this is closed
}

func (s slow) Close(ctx context.Context) error {
	s.closing()
	<-ctx.Done()
	if s.forever != nil {
		<-s.forever
	}
	return errors.Join(ctx.Err(), s.Agent.Close(context.WithoutCancel(ctx)))
}

// TestHeadlessSignalWhileClosing ends the patience with an agent that takes
// long to end.
func TestHeadlessSignalWhileClosing(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, c := range map[string]struct {
		signals []os.Signal
		forever <-chan struct{}
		code    int
	}{
		"once":  {[]os.Signal{syscall.SIGTERM}, nil, 143},
		"twice": {[]os.Signal{syscall.SIGINT, syscall.SIGHUP}, release, 129},
	} {
		x := newTrial(t)
		x.agent.OnOpen = func(s *scriptedSession) {
			s.OnSend = func(session.Input) { s.Push(prompted()...); rest(s) }
		}
		_, _, err := x.start(func(ctx context.Context) (session.Agent, session.Session, error) {
			a, s, err := x.scripted(ctx)
			return slow{a, func() {
				for _, s := range c.signals {
					x.signals <- s
				}
			}, c.forever}, s, err
		})
		if code(err) != c.code {
			t.Errorf("%s: %v, want %d", name, err, c.code)
		}
	}
}

// TestHeadlessUnread refuses what could not be read whole, whatever is permitted.
func TestHeadlessUnread(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		x := newTrial(t)
		x.rules, x.all = []string{"shell"}, all
		start, asks := shellCall("a", "touch a", "touch")
		x.agent.OnOpen = func(s *scriptedSession) {
			s.OnSend = func(session.Input) {
				s.Push(prompted()...)
				s.Push(start)
				s.PushEvent(session.Event{Body: asks, Unreadable: []session.Unreadable{{Path: "/data/permissionRequest/warning"}}})
			}
			s.OnAnswer = func(session.Answer) { rest(s) }
		}
		_, errs, err := x.start(x.scripted)
		answers := x.agent.Sessions()[0].Answers()
		if err != nil || len(answers) != 1 {
			t.Fatalf("%v, %v: %s", err, answers, errs)
		}
		if _, refused := answers[0].(session.Refusal); !refused || !strings.Contains(errs, "could not be read") {
			t.Errorf("answered %+v: %s", answers, errs)
		}
	}
}

// TestHeadlessAskedBefore refuses what an earlier run of the session asked,
// whatever is permitted now, and approves what this one asks.
func TestHeadlessAskedBefore(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		x := newTrial(t)
		x.rules, x.all = []string{"shell"}, all
		_, before := shellCall("old", "touch old", "touch")
		_, now := shellCall("new", "touch new", "touch")
		x.agent.OnOpen = func(s *scriptedSession) {
			s.Push(before)
			s.OnAnswer = func(a session.Answer) {
				if a.Request() == "ask-new" {
					rest(s)
					return
				}
				s.Push(session.AssistantTurnStart{TurnID: "of before"})
				s.Stream(session.AssistantIdle{}, session.SessionIdle{})
				s.Push(prompted()...)
				s.Push(now)
			}
		}
		_, errs, err := x.start(x.scripted)
		answers := x.agent.Sessions()[0].Answers()
		if err != nil || len(answers) != 2 {
			t.Fatalf("%v, %v: %s", err, answers, errs)
		}
		refused, isRefusal := answers[0].(session.Refusal)
		approved, isAnswer := answers[1].(session.PermissionAnswer)
		if !isRefusal || refused.Feedback == "" || !isAnswer || approved.Decision != session.ApproveOnce || !strings.Contains(errs, "asked before this prompt") {
			t.Errorf("answered %+v: %s", answers, errs)
		}
	}
}

// TestHeadlessLeavesCommands leaves commands that run on in the background, but
// waits for agents.
func TestHeadlessLeavesCommands(t *testing.T) {
	t.Parallel()
	started := func(s *scriptedSession, id, command, result string) {
		quoted, _ := jsontext.AppendQuote(nil, command) // it is valid UTF-8
		s.Push(session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: "bash", Arguments: jsontext.Value(`{"command":` + string(quoted) + `}`)},
			session.ToolExecutionComplete{ToolCallID: session.CallID(id), Success: true, Result: &session.ToolResult{Content: result}})
	}
	for name, c := range map[string]struct {
		play func(s *scriptedSession)
		errs string
		code int
	}{
		"commands that the agent reports": {func(s *scriptedSession) {
			s.Stream(session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{
				Shells: []session.BackgroundShell{{ShellID: "3", Description: "the watcher"}, {ShellID: "4"}},
			}})
		}, `these are ended: "the watcher", "4"`, process.ExitOK},
		"commands of calls": {func(s *scriptedSession) {
			started(s, "a", "npm start", "<command started in background with shellId: 1>")
			started(s, "b", "sleep 9", "<command started in background with shellId: 2>")
			started(s, "c", "make \x1b[31m all", "so far\n<command with shellId: 3 moved to background by the user. Wait.>")
			started(s, "d", "ls", "x\n<shellId: 4 completed with exit code 0>")
			s.Push(session.SystemNotification{Notification: session.Notification{Type: "shell_completed", ShellID: "2"}})
			s.Stream(session.AssistantIdle{})
		}, `these are ended: "npm start", "make \x1b[31m all"`, process.ExitOK},
		"commands that nothing is known of": {func(s *scriptedSession) { s.Stream(session.AssistantIdle{}) }, "they are ended", process.ExitOK},
		"an agent that has ended": {func(s *scriptedSession) {
			s.PushEvent(session.Event{Agent: "sub", Body: session.SubagentStarted{ToolCallID: "t", ExecutionMode: "background"}})
			s.Stream(session.AssistantIdle{})
			s.PushEvent(session.Event{Agent: "sub", Body: session.SubagentCompleted{ToolCallID: "t"}})
		}, "they are ended", process.ExitOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t)
			go func() { x.leave <- time.Time{} }()
			_, errs, err := x.run(func(s *scriptedSession) { s.Push(prompted()...); c.play(s) })
			if code(err) != c.code || !strings.Contains(errs, c.errs) || strings.Contains(errs, "\x1b") {
				t.Errorf("%v, want %q:\n%s", err, c.errs, errs)
			}
		})
	}
}

// TestHeadlessWaitsForAgents does not leave while an agent works beside the one
// at rest.
func TestHeadlessWaitsForAgents(t *testing.T) {
	t.Parallel()
	agents := &session.BackgroundTasks{Agents: []session.BackgroundAgent{{AgentID: "sub"}}, Shells: []session.BackgroundShell{{ShellID: "1"}}}
	for name, idle := range map[string][]session.Body{
		"started":  {session.AssistantIdle{}},
		"reported": {session.AssistantIdle{}, session.SessionIdle{BackgroundTasks: agents}},
	} {
		x := newTrial(t)
		turn := x.into(io.Discard, io.Discard)
		turn.output, turn.background, turn.begun = newWriter(), newBackground(), true
		events := []session.Event{{Agent: "sub", Body: session.SubagentStarted{ExecutionMode: "background"}}}
		for _, b := range idle {
			events = append(events, session.Event{Body: b})
		}
		for _, ev := range events {
			if over, err := turn.take(t.Context(), ev); over || err != nil {
				t.Fatal(over, err)
			}
		}
		if turn.leave != nil {
			t.Errorf("%s: it would leave", name)
		}
		idleNow := session.SystemNotification{Notification: session.Notification{Type: "agent_idle", AgentID: "sub"}}
		turn.background.apply(session.Event{Body: idleNow})
		if turn.mayLeave(); turn.leave == nil {
			t.Errorf("%s: it would wait for an agent that is idle", name)
		}
		if _, err := turn.take(t.Context(), session.Event{Body: session.AssistantTurnStart{}}); err != nil || turn.leave != nil {
			t.Errorf("%s: it would leave an agent that works again: %v", name, err)
		}
	}
}

// TestHeadlessOnOneTerminal keeps what is printed beside the answer on lines of
// its own, when both go to a terminal.
func TestHeadlessOnOneTerminal(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.agent.OnOpen = func(s *scriptedSession) {
		s.OnSend = func(session.Input) {
			s.Push(prompted()...)
			s.Stream(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "One two"})
			s.Push(session.SessionInfo{InfoType: "notification", Message: "By the way."})
			s.Push(session.AssistantMessage{MessageID: "m", Content: "One two three."})
			rest(s)
		}
	}
	var screen bytes.Buffer
	turn := &turn{prompt: "x", signals: x.signals, activity: newActivity(&screen, 80, "", "")}
	turn.after = x.after
	turn.show(&screen, outputText, true, true)
	err := turn.run(func(ctx context.Context) (session.Agent, session.Session, error) {
		s, err := openSession(ctx, process.Console{}, x.agent, x.flags)
		return x.agent, s, err
	})
	if got := screen.String(); err != nil || got != "One \ni By the way.\ntwo three.\n" {
		t.Errorf("%v: %q", err, got)
	}
}

// TestHeadlessDemo plays scenes of the demo to their end, and holds the output
// to a golden file.
func TestHeadlessDemo(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]int{"question": process.ExitOK, "parallel": process.ExitOK, "error": process.ExitFailure} {
		a, err := demo.Open(t.Context(), demo.Config{TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		x := newTrial(t)
		var stdout, stderr bytes.Buffer
		turn := &turn{prompt: prompt, signals: x.signals, activity: newActivity(&stderr, 80, "", "")}
		turn.after = x.after
		turn.show(&stdout, outputText, false, false)
		err = turn.run(func(ctx context.Context) (session.Agent, session.Session, error) {
			s, err := a.Open(ctx, session.Options{Dir: t.TempDir()})
			return a, s, err
		})
		if code(err) != want {
			t.Errorf("%s: exit code %d (%v), want %d", prompt, code(err), err, want)
		}
		if (stdout.Len() == 0) != (want != process.ExitOK) || stderr.Len() == 0 {
			t.Errorf("%s: wrote %q and %q", prompt, stdout.String(), stderr.String())
		}
	}
}

// TestAwaitPrompt waits for a standard input that stays open, says so, and is
// ended by a signal, or reads what comes.
func TestAwaitPrompt(t *testing.T) {
	t.Parallel()
	for _, interrupted := range []bool{true, false} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		said, err := os.Create(filepath.Join(t.TempDir(), "err"))
		if err != nil {
			t.Fatal(err)
		}
		defer said.Close()
		signals, late := make(chan os.Signal, 1), make(chan time.Time)
		go func() {
			late <- time.Time{}
			if interrupted {
				signals <- syscall.SIGTERM
				return
			}
			_, _ = io.WriteString(out, "more") // the test fails if it cannot be written
			out.Close()
		}()
		prompt, err := awaitPrompt(process.Console{In: in, Err: said}, "ask", signals, func(d time.Duration) <-chan time.Time {
			if d != promptGrace {
				t.Errorf("it waits %v", d)
			}
			return late
		})
		text, rerr := os.ReadFile(said.Name())
		if rerr != nil || interrupted && !strings.Contains(string(text), "</dev/null") {
			t.Errorf("said %q, %v", text, rerr)
		}
		if interrupted && code(err) != 143 || !interrupted && (err != nil || prompt != "ask\n\nmore") {
			t.Errorf("%q, %v", prompt, err)
		}
		out.Close()
	}
}

// TestReadPrompt puts a prompt together from the flag and what is piped in.
func TestReadPrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flag, input, want string }{
		{"ask", "", "ask"},
		{"ask", "\n\n", "ask"},
		{"ask", "a\r\nb\n", "ask\n\na\r\nb"},
		{"-", "  a\n\nb\n\n", "  a\n\nb"},
		{"-", "a\xffb", "a\uFFFDb"},
	} {
		name := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(name, []byte(c.input), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readPrompt(in, c.flag); err != nil || got != c.want {
			t.Errorf("%q and %q: %q, %v; want %q", c.flag, c.input, got, err, c.want)
		}
		in.Close()
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if got, err := readPrompt(null, "ask"); err != nil || got != "ask" {
		t.Errorf("%q, %v", got, err)
	}
	big, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer big.Close()
	if err := big.Truncate(promptLimit + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrompt(big, "-"); err == nil || !strings.Contains(err.Error(), "name a file") {
		t.Errorf("got %v", err)
	}
}
