package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"parley/session"
)

// What the agent is told where a person would have been asked. With such words
// the turn goes on (decisions, number 6).
const (
	feedbackPermission = "Nobody is here to approve this: the prompt runs without a person, and only what the command line " +
		"permits may be done. Do without it, or finish and say what would have to be permitted."
	feedbackQuestion = "Nobody is here to answer: the prompt runs without a person. Decide by yourself what is most " +
		"likely wanted, or finish and say what you need to know."
	feedbackPlan = "Nobody is here to approve a plan: the prompt runs without a person. Finish with the plan as your answer."
)

// quietAfter is how long an agent that takes input again may be silent until
// the person is told that it works on in the background.
const quietAfter = 2 * time.Second

// errTurn is the failure of a turn that has told why already.
var errTurn = errors.New("the turn ended with an error")

// headlessTurn is one turn without a window.
type headlessTurn struct {
	prompt   string
	policy   policy
	activity *activity
	write    func(session.Event) error // to the standard output
	stop     func() error              // ends what was written of an interrupted turn
	signals  <-chan os.Signal
	after    func(time.Duration) <-chan time.Time

	session session.Session
	calls   chan error       // how calls that were made beside the loop ended
	quiet   <-chan time.Time // fires when an agent at rest is silent for long

	sending   bool // the prompt is on its way, or there
	begun     bool // the turn has begun
	resting   bool // the agent takes input; something may run beside it
	patient   bool // that was told
	stopping  bool // the person wants the turn to end
	failed    bool // with a session.error
	abandoned bool // something else has ended the turn
}

// show decides what is written to the standard output, and how.
func (t *headlessTurn) show(out io.Writer, form string, outTerminal, errTerminal bool) {
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
func (t *headlessTurn) run(open func(context.Context) (session.Agent, session.Session, error)) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var agent session.Agent
	var err error
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		agent, t.session, err = open(ctx)
	}()
	select {
	case <-opened:
	case s := <-t.signals:
		cancel(ended(s))
		<-opened // it gives up when its context does
	}
	if err == nil && ctx.Err() == nil {
		err = t.play(ctx)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	cancel(nil) // ends the calls that are under way
	if agent == nil {
		return err
	}
	closing, release := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer release()
	if cerr := agent.Close(closing); err == nil && cerr != nil {
		err = fmt.Errorf("end the agent: %w", cerr)
	}
	return err
}

// ended is the error of a process that a signal ends.
func ended(s os.Signal) error {
	if number, ok := s.(syscall.Signal); ok {
		return signalled{number}
	}
	return errors.New("ended by " + s.String())
}

// play sends the prompt and deals with what comes until the turn has ended.
func (t *headlessTurn) play(ctx context.Context) error {
	t.calls = make(chan error)
	info := t.session.Info()
	if info.InUse {
		t.activity.say("this session is open in another process too")
	}
	t.call(ctx, func() error {
		return t.session.Send(ctx, session.Input{Prompt: t.prompt})
	})
	t.sending = true
	for {
		select {
		case s := <-t.signals:
			if s != syscall.SIGINT || t.stopping || !t.begun || t.resting {
				return ended(s)
			}
			t.stopping = true
			t.activity.say("stopping; ctrl+c again leaves at once")
			t.call(ctx, func() error { return t.session.Abort(ctx) })
		case err := <-t.calls:
			switch {
			case err == nil || errors.Is(err, session.ErrSettled):
			case t.stopping:
				t.activity.say("%v", err)
				return signalled{syscall.SIGINT}
			default:
				return err
			}
		case <-t.quiet:
			t.waits("")
		case ev, open := <-t.session.Events():
			if !open {
				return t.lost()
			}
			over, err := t.take(ctx, ev)
			if over || err != nil {
				return err
			}
		}
	}
}

// call makes a call of the session beside the loop, which must go on reading.
func (t *headlessTurn) call(ctx context.Context, f func() error) {
	go func() {
		select {
		case t.calls <- f():
		case <-ctx.Done():
		}
	}()
}

// lost is the error of a session that has ended before the turn.
func (t *headlessTurn) lost() error {
	if err := t.session.Wait(); err != nil {
		return err
	}
	return errors.New("the session ended before the turn did")
}

// take deals with one event, and reports whether the turn is over and how it
// ended.
func (t *headlessTurn) take(ctx context.Context, ev session.Event) (over bool, err error) {
	if !ev.Replayed {
		if err := t.write(ev); errors.Is(err, syscall.EPIPE) {
			return true, signalled{syscall.SIGPIPE} // who read it has had enough, as of any program
		} else if err != nil {
			return true, err
		}
	}
	t.activity.apply(ev)
	if ev.Replayed {
		return false, nil
	}
	if ask, ok := ev.Body.(session.Ask); ok {
		t.answer(ctx, ask)
		return false, nil
	}
	if ev.Agent != "" {
		return false, nil
	}
	switch b := ev.Body.(type) {
	case session.UserMessage:
		t.begin(t.begun || b.Source == "")
	case session.AssistantTurnStart:
		t.begin(true)
	case session.SessionError:
		t.failed, t.begun = true, t.begun || t.sending
	case session.Abort:
		t.abandoned = true
		return false, t.stop()
	case session.AssistantIdle:
		if !t.begun {
			return false, nil
		}
		t.resting, t.quiet = true, t.after(quietAfter)
		return t.stopping, t.outcome()
	case session.SessionIdle:
		if tasks := b.BackgroundTasks; t.begun && !t.stopping && tasks != nil && len(tasks.Agents)+len(tasks.Shells) > 0 {
			t.resting = true
			t.waits(fmt.Sprintf(" (%d agents, %d commands)", len(tasks.Agents), len(tasks.Shells)))
			return false, nil
		}
		return t.begun, t.outcome()
	}
	return false, nil
}

// begin notes that the agent works, perhaps again.
func (t *headlessTurn) begin(begun bool) {
	t.begun, t.resting, t.quiet = begun, false, nil
}

// waits tells once that the turn has ended but for what runs beside it.
func (t *headlessTurn) waits(what string) {
	t.quiet = nil
	if !t.patient {
		t.patient = true
		t.activity.say("work goes on in the background%s; waiting for its end, ctrl+c leaves", what)
	}
}

// outcome is how the turn ended, if it has.
func (t *headlessTurn) outcome() error {
	switch {
	case t.stopping:
		return signalled{syscall.SIGINT}
	case t.failed:
		return errTurn
	case t.abandoned:
		return errors.New("the turn was interrupted")
	}
	return nil
}

// answer answers in a person's place: what the command line permits is
// approved once, everything else is refused with words.
func (t *headlessTurn) answer(ctx context.Context, ask session.Ask) {
	var a session.Answer
	switch q := ask.(type) {
	case session.PermissionRequested:
		if q.ResolvedByHook {
			return
		}
		if ok, lack := t.policy.permits(q); ok {
			a = session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce}
		} else {
			t.activity.say("refused, because %s", lack)
			a = refuse(ask, feedbackPermission)
		}
	case session.ExitPlanModeRequested:
		t.activity.say("a plan was refused, because nobody is here to approve it")
		a = refuse(ask, feedbackPlan)
	case session.FolderTrustRequested:
		t.activity.say("what this folder brings along is not loaded, because it is not trusted; `parley` without -p asks about it")
		a = refuse(ask, feedbackPermission)
	default:
		t.activity.say("a question (%s) was refused, because nobody is here to answer it", ask.Kind())
		a = refuse(ask, feedbackQuestion)
	}
	t.call(ctx, func() error { return t.session.Respond(ctx, a) })
}

func refuse(ask session.Ask, feedback string) session.Answer {
	return session.Refusal{RequestID: ask.Request(), Kind: ask.Kind(), Feedback: feedback}
}
