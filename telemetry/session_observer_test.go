package telemetry

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"parley/session"
	"parley/session/observe"
	"parley/session/sessiontest"
)

// program is an agent whose sessions a test plays; it can be asked for the last
// one, and no more.
type program struct {
	session.Agent
	events chan session.Event
	closed chan struct{}
}

func newProgram(events ...session.Event) *program {
	p := &program{events: make(chan session.Event), closed: make(chan struct{})}
	go func() {
		defer close(p.events)
		for _, ev := range events {
			select {
			case p.events <- ev:
			case <-p.closed:
			}
		}
		<-p.closed
	}()
	return p
}

func (p *program) Open(context.Context, session.Options) (session.Session, error) {
	return played{program: p}, nil
}

func (p *program) Resume(context.Context, session.ID, session.Options) (session.Session, error) {
	return nil, errors.New("no such session")
}

func (p *program) Close(context.Context) error { close(p.closed); return nil }

func (p *program) LatestID(context.Context, string, ...session.ID) (session.ID, error) {
	return "last", nil
}

type played struct {
	session.Session
	program *program
}

func (p played) Info() session.Info           { return session.Info{ID: "s", Agent: "demo", Demo: true} }
func (p played) Events() <-chan session.Event { return p.program.events }
func (played) Close(context.Context) error    { return nil }
func (played) SetMode(context.Context, session.Mode) error {
	return nil
}

// TestObserved passes every event on as it was, in order, and exports the live ones
// alone.
func TestObserved(t *testing.T) {
	t.Parallel()
	var events []session.Event
	for _, ev := range sessiontest.Log(t, "tool_parallel_three") {
		ev.Replayed = true
		events = append(events, ev)
	}
	events = append(events, sessiontest.Log(t, "perm_shell_approve_once")...)
	l := newLab(t, false)
	agent := observe.Agent(newProgram(events...), l)
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range events {
		if got := <-s.Events(); !reflect.DeepEqual(got, want) {
			t.Fatalf("event %d is %v, want %v", i, got, want)
		}
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, more := <-s.Events(); more {
		t.Error("there are more events than were sent")
	}
	live := newLab(t, false)
	live.play(s.Info(), sessiontest.Log(t, "perm_shell_approve_once")...)
	if got, want := l.tree(), live.tree(); got != want || !strings.Contains(got, "gen_ai.provider.name=") {
		t.Errorf("exported was\n%s\nwant\n%s", got, want)
	}
}

// TestObservedHasNoOtherCapabilities looks through the decorators.
func TestObservedHasNoOtherCapabilities(t *testing.T) {
	t.Parallel()
	agent := observe.Agent(newProgram(), newLab(t, false))
	if _, err := agent.Resume(t.Context(), "x", session.Options{}); err == nil || err.Error() != "no such session" {
		t.Errorf("the error is %v", err)
	}
	latest, ok := session.As[session.Latest](agent)
	if !ok {
		t.Fatal("the agent lost a capability")
	}
	if id, err := latest.LatestID(t.Context(), ""); id != "last" || err != nil {
		t.Errorf("%s, %v", id, err)
	}
	if _, ok := session.As[session.Library](agent); ok {
		t.Error("the agent has a capability that it had not")
	}
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := session.As[session.ModeSetter](s); !ok {
		t.Error("the session lost a capability")
	}
	if _, ok := session.As[session.Compacter](s); ok {
		t.Error("the session has a capability that it had not")
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestUnread leaves sessions that are not read: nothing stays behind.
func TestUnread(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	agent := observe.Agent(newProgram(event(0, session.UserMessage{}), event(1, session.AssistantTurnStart{}), event(2, start("c", "bash"))), l)
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range s.Events() {
	}
	l.mu.Lock()
	kept := len(l.sessions)
	l.mu.Unlock()
	if kept != 0 {
		t.Errorf("%d sessions are kept", kept)
	}
}

// TestUnreadAfterClose does not read a closed session: its agent is not held up.
func TestUnreadAfterClose(t *testing.T) {
	t.Parallel()
	p := &program{events: make(chan session.Event)}
	s, err := observe.Agent(p, newLab(t, false)).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, ev := range one() {
		p.events <- ev
	}
	close(p.events)
}

// TestUnreadAfterAgentClose ends an agent whose session is neither closed nor read.
func TestUnreadAfterAgentClose(t *testing.T) {
	t.Parallel()
	agent := observe.Agent(newProgram(one()...), newLab(t, false))
	if _, err := agent.Open(t.Context(), session.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestCloseEndsWhatIsOpen closes the exporter while a session continues, which its
// agent did not end in time.
func TestCloseEndsWhatIsOpen(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.now = func() time.Time { return event(9, nil).Time }
	p := newProgram(event(0, session.UserMessage{}), event(1, session.AssistantTurnStart{}), event(2, start("c", "bash")))
	s, err := observe.Agent(p, l).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		<-s.Events()
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := "invoke_agent demo  +0s 9ms\n    parley.outcome=unfinished\n  turn  +1ms 8ms\n      parley.outcome=unfinished\n    execute_tool bash  +2ms 7ms\n        parley.outcome=unfinished\n"
	if got := l.shape(); got != want {
		t.Errorf("exported was\n%s", got)
	}
	close(p.closed)
}

// TestAnEventWithoutATime happens when it is seen.
func TestAnEventWithoutATime(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	now := 1
	l.now = func() time.Time { now++; return event(now, nil).Time }
	p := newProgram(session.Event{Body: session.UserMessage{}}, event(4, session.AssistantIdle{}))
	s, err := observe.Agent(p, l).Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		<-s.Events()
	}
	close(p.closed)
	for range s.Events() {
	}
	got := l.spans.GetSpans()
	if len(got) != 1 || !got[0].StartTime.Equal(event(2, nil).Time) || !got[0].EndTime.Equal(event(4, nil).Time) {
		t.Errorf("exported was %v", got)
	}
}

// mine is a tracer with a mistake in it.
type mine struct{ noop.Tracer }

func (mine) Start(context.Context, string, ...trace.SpanStartOption) (context.Context, trace.Span) {
	panic("a mistake")
}

// TestAMistakeEndsTelemetryAlone has the SDK panic: the session continues.
func TestAMistakeEndsTelemetryAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.tracer = mine{}
	agent := observe.Agent(newProgram(one()...), l)
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range one() {
		if ev := <-s.Events(); ev.Body == nil {
			t.Fatal("the session has ended")
		}
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Error(err)
	}
	var crash *session.PanicError
	if err := l.Close(t.Context()); !errors.As(err, &crash) {
		t.Errorf("the mistake was not reported, but %v", err)
	}
}
