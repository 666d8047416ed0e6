package headless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"parley/cli/agents"
	"parley/cli/policy"
	"parley/cli/process"
	"parley/session"
)

// What the agent gets as an answer if a user would have been asked. With such words
// the turn continues (docs/decisions.md 6).
const (
	feedbackPermission = "No user is here to approve this: the prompt runs unattended, and only what the command line " +
		"permits may be done. Do without it, or finish and say what would have to be permitted."
	feedbackQuestion = "No user is here to answer: the prompt runs unattended. Decide by yourself what is most " +
		"likely wanted, or finish and say what you need to know."
	feedbackPlan = "No user is here to approve a plan: the prompt runs unattended. Finish with the plan as your answer."
)

const (
	// quietAfter is how long an agent that takes input again may be silent
	// until a line reports that it works on in the background.
	quietAfter = 2 * time.Second
	// leaveAfter is how long the root agent may be at rest while nothing but
	// commands runs beside it.
	leaveAfter = 5 * time.Second
	// abortGrace is how long the agent may take to stop a turn.
	abortGrace = 10 * time.Second
)

// errTurn is the failure of a turn that has reported why already.
var errTurn = errors.New("the turn ended with an error")

// turn is one turn without a window.
type turn struct {
	prompt   string
	policy   policy.Policy
	activity *activity                 // used by the output alone while the turn runs
	write    func(session.Event) error // to the standard output
	stop     func() error              // ends what was written of an interrupted turn
	signals  <-chan os.Signal
	after    func(time.Duration) <-chan time.Time

	session    session.Session
	output     *writer
	backlog    []func() error // what the output has no room for yet
	background background
	calls      chan error       // how calls that were made beside the loop ended
	quiet      <-chan time.Time // fires when an agent at rest is silent for long
	leave      <-chan time.Time // fires when only commands have kept it from being idle
	deadline   <-chan time.Time // fires when the agent does not stop

	sending   bool // the prompt is on its way, or there
	heard     bool // the agent has taken the prompt
	begun     bool // the turn has begun
	resting   bool // the agent takes input; something may run beside it
	patient   bool // that was reported
	stopping  bool // the user wants the turn to end
	hurried   bool // the user wants to leave at once
	failed    bool // with a session.error
	answered  bool // the agent has given a complete answer
	errors    int  // that the agent reported with its answer
	abandoned bool // something else has ended the turn
}

// show decides what is written to the standard output, and how.
func (t *turn) show(out io.Writer, form string, outTerminal, errTerminal bool) {
	if form == outputJSON {
		t.write, t.stop = jsonLines(out), func() error { return nil }
		return
	}
	a := &answer{w: out, live: outTerminal, withdrawn: func() {
		t.activity.say("the model was called again and said something else; the unfinished text above is void")
	}}
	if outTerminal && errTerminal {
		t.activity.apart = func() {
			if a.open() {
				_, _ = io.WriteString(t.activity.w, "\n")
			}
		}
	}
	t.write, t.stop = a.take, a.interrupt
}

// run opens a session, has the prompt answered, and ends the agent.
func (t *turn) run(open func(context.Context) (session.Agent, session.Session, error)) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var agent session.Agent
	var err error
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		err = session.Guard(func() (err error) { agent, t.session, err = open(ctx); return err })
	}()
	select {
	case <-opened:
	case s := <-t.signals:
		cancel(ended(s))
		select {
		case <-opened: // it gives up when its context does
		case s = <-t.signals:
			return ended(s)
		}
	}
	if err == nil && ctx.Err() == nil {
		err = session.Guard(func() error { return t.play(ctx) })
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	cancel(nil) // ends the calls that are under way
	if agent == nil {
		return err
	}
	return t.end(ctx, agent, err)
}

// end ends the agent of a turn that has ended with err. A signal ends the
// patience with it, and a second one leaves at once.
func (t *turn) end(ctx context.Context, agent session.Agent, err error) error {
	ctx, release := context.WithTimeout(context.WithoutCancel(ctx), agents.CloseGrace)
	defer release()
	closed := make(chan error, 1)
	go func() { closed <- session.Guard(func() error { return agent.Close(ctx) }) }()
	for hurried := false; ; hurried = true {
		select {
		case cerr := <-closed:
			if err == nil && cerr != nil {
				err = fmt.Errorf("end the agent: %w", cerr)
			}
			return err
		case s := <-t.signals:
			if err = ended(s); hurried {
				return err
			}
			release()
		}
	}
}

// play sends the prompt and deals with what comes until the turn has ended and
// everything is written.
func (t *turn) play(ctx context.Context) error {
	t.calls, t.output, t.background = make(chan error), newWriter(), newBackground()
	if t.session.Info().InUse {
		t.say("this session is open in another process too")
	}
	t.call(ctx, func() error {
		return t.session.Send(ctx, session.Input{Prompt: t.prompt})
	})
	t.sending = true
	return t.settle(t.loop(ctx))
}

// loop deals with what comes. While something waits to be written it reads no
// events, but signals.
func (t *turn) loop(ctx context.Context) error {
	for {
		events := t.session.Events()
		var queue chan<- func() error
		var next func() error
		if len(t.backlog) > 0 {
			events, queue, next = nil, t.output.queue, t.backlog[0]
		}
		var over bool
		var err error
		select {
		case queue <- next:
			t.backlog = t.backlog[1:]
		case err = <-t.output.failed:
		case s := <-t.signals:
			err = t.signal(ctx, s)
		case err = <-t.calls:
			err = t.called(err)
		case <-t.quiet:
			t.waits("")
		case <-t.leave:
			over, err = true, t.leaves()
		case <-t.deadline:
			t.hurried = true
			t.say("the agent does not stop; it is left")
			err = process.SignalError{Signal: syscall.SIGINT}
		case ev, open := <-events:
			if !open {
				return cmp.Or(t.session.Wait(), errors.New("the session ended before the turn did"))
			}
			over, err = t.take(ctx, ev)
		}
		if over || err != nil {
			return err
		}
	}
}

// signal deals with a signal: the first ctrl+c stops a turn that runs, anything
// else leaves at once.
func (t *turn) signal(ctx context.Context, s os.Signal) error {
	if s != syscall.SIGINT || t.stopping || !t.begun || t.resting {
		t.hurried = true
		return ended(s)
	}
	t.stopping, t.deadline = true, t.after(abortGrace)
	t.say("stopping; ctrl+c again leaves at once")
	t.call(ctx, func() error { return t.session.Abort(ctx) })
	return nil
}

// called deals with the end of a call.
func (t *turn) called(err error) error {
	switch {
	case err == nil || errors.Is(err, session.ErrResolved):
		return nil
	case t.stopping:
		t.say("%v", err)
		return process.SignalError{Signal: syscall.SIGINT}
	}
	return err
}

// call makes a call of the session beside the loop, which must continue to read.
func (t *turn) call(ctx context.Context, f func() error) {
	go func() {
		select {
		case t.calls <- session.Guard(f):
		case <-ctx.Done():
		}
	}()
}

// take deals with one event, and reports whether the turn is over and how it
// ended.
func (t *turn) take(ctx context.Context, ev session.Event) (over bool, err error) {
	t.put(func() error {
		if !ev.Replayed {
			if err := t.write(ev); err != nil {
				return err
			}
		}
		t.activity.apply(ev)
		return nil
	})
	if ev.Replayed {
		return false, nil
	}
	t.background.apply(ev)
	if ask, ok := ev.Body.(session.Ask); ok {
		t.answer(ctx, ev, ask)
		return false, nil
	}
	if ev.Agent != "" {
		t.mayLeave()
		return false, nil
	}
	return t.root(ev)
}

// root deals with an event of the root agent, and reports whether the turn is
// over and how it ended.
func (t *turn) root(ev session.Event) (over bool, err error) {
	switch b := ev.Body.(type) {
	case session.UserMessage:
		t.heard = t.heard || t.sending && b.Source == ""
		t.begin(t.begun || b.Source == "")
	case session.AssistantTurnStart:
		t.begin(t.begun || t.heard)
	case session.SessionError:
		t.failed, t.begun = true, t.begun || t.sending
	case session.AgentError:
		t.errors++
	case session.AssistantMessage:
		t.answered = t.answered || b.Phase != session.PhaseCutOff && strings.TrimSpace(b.Content) != ""
	case session.Abort:
		t.abandoned = true
		t.put(t.stop)
	case session.AssistantIdle:
		if !t.begun {
			return false, nil
		}
		t.resting, t.quiet = true, t.after(quietAfter)
		t.mayLeave()
		return t.stopping, t.outcome()
	case session.SessionIdle:
		if agents, shells := t.background.idle(b.BackgroundTasks); t.begun && !t.stopping && agents+shells > 0 {
			t.resting = true
			t.waits(fmt.Sprintf(" (%d agents, %d commands)", agents, shells))
			t.mayLeave()
			return false, nil
		}
		return t.begun, t.outcome()
	}
	return false, nil
}

// begin notes that the agent works, perhaps again.
func (t *turn) begin(begun bool) {
	t.begun, t.resting, t.quiet, t.leave = begun, false, nil, nil
}

// mayLeave has the turn left in a while if no other agent works beside the one
// that is at rest: then it waits for commands alone, and these need not end.
func (t *turn) mayLeave() {
	switch {
	case !t.resting || len(t.background.agents) > 0:
		t.leave = nil
	case t.leave == nil:
		t.leave = t.after(leaveAfter)
	}
}

// waits reports once that the turn has ended but for what runs beside it.
func (t *turn) waits(what string) {
	t.quiet = nil
	if !t.patient {
		t.patient = true
		t.say("background tasks still run%s; waiting for their end, ctrl+c leaves", what)
	}
}

// leaves ends a turn that waits for commands alone.
func (t *turn) leaves() error {
	if commands := t.background.commands(); commands != "" {
		t.say("only commands run in the background; these are ended: %s", commands)
	} else {
		t.say("only commands run in the background; they are ended")
	}
	return t.outcome()
}

// outcome is how the turn ended, if it has.
func (t *turn) outcome() error {
	switch {
	case t.stopping:
		return process.SignalError{Signal: syscall.SIGINT}
	case t.failed:
		return errTurn
	case t.abandoned:
		return errors.New("the turn was interrupted")
	case t.errors > 0 && !t.answered:
		return errTurn
	}
	return nil
}

// answer answers in a user's place: what the command line permits is
// approved once, everything else is refused with words.
func (t *turn) answer(ctx context.Context, ev session.Event, ask session.Ask) {
	var a session.Answer
	switch q := ask.(type) {
	case session.PermissionRequested:
		if q.ResolvedByHook {
			return
		}
		lack := "it was asked before this prompt"
		if t.heard { // else what it is about was not shown on this command line
			_, lack = t.policy.Permits(q)
		}
		if len(ev.Unreadable) > 0 { // a rule would be about a part of it
			lack = "a part of the question could not be read"
		}
		if lack == "" {
			a = session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce}
		} else {
			t.say("refused, because %s", lack)
			a = session.Refuse(ask, feedbackPermission)
		}
	case session.ExitPlanModeRequested:
		t.say("a plan was refused, because no user is here to approve it")
		a = session.Refuse(ask, feedbackPlan)
	case session.FolderTrustRequested:
		t.say("the folder is not trusted: what it brings along is not loaded, and no MCP server is started; " +
			"`parley` without -p asks about it")
		a = session.Refuse(ask, feedbackPermission)
	case session.ConfirmationRequested:
		t.say("dismissed, because no user is here to confirm it: %s", cmp.Or(q.Title, q.Message, "it does not say what it would do"))
		a = session.Refuse(ask, feedbackQuestion)
	default:
		t.say("a question (%s) was refused, because no user is here to answer it", session.KindOf(ask))
		a = session.Refuse(ask, feedbackQuestion)
	}
	t.call(ctx, func() error { return t.session.Respond(ctx, a) })
}
