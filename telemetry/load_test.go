package telemetry

import (
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"parley/session"
	"parley/session/observe"
	"parley/session/sessiontest/otlp"
)

// TestLongSession plays many interactions, each with a sub-agent and with a
// question that is not answered: what is kept does not grow with them.
func TestLongSession(t *testing.T) {
	t.Parallel()
	p := newProjection(session.Info{}, newLab(t, true).Exporter)
	for i := range 3000 {
		at, id := i*10, fmt.Sprint(i)
		sub := session.AgentID("a" + id)
		for _, ev := range []session.Event{
			event(at, session.UserMessage{}), event(at+1, session.AssistantTurnStart{}), event(at+2, start(session.CallID(id), "task")),
			by(sub, at+3, session.SubagentStarted{ToolCallID: session.CallID(id), AgentName: "x"}), by(sub, at+4, session.UserMessage{Content: "x"}),
			by(sub, at+5, session.SubagentCompleted{}), event(at+6, session.UserInputRequested{RequestID: session.RequestID(id)}),
			event(at+7, session.SystemNotification{}), event(at+8, session.AssistantIdle{}), event(at+9, session.SystemNotification{}),
		} {
			p.apply(ev)
		}
	}
	for range 1000 {
		p.apply(event(30_000, session.SystemNotification{}))
	}
	if kept := len(p.agents) + len(p.calls) + len(p.questions) + p.open + len(p.pending); kept > maxAgents+2+maxQuestions+maxPending {
		t.Errorf("%d agents, %d calls, %d questions, %d spans and %d notes are kept", len(p.agents), len(p.calls), len(p.questions), p.open, len(p.pending))
	}
}

// TestASubagentStays lets many sub-agents come and go while the first one works.
func TestASubagentStays(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	events := []session.Event{event(0, session.UserMessage{}), by("first", 1, session.SubagentStarted{AgentName: "first"})}
	for i := range 2 * maxAgents {
		sub := session.AgentID(fmt.Sprint(i))
		events = append(events, by(sub, 2, session.SubagentStarted{AgentName: "other"}), by(sub, 3, session.SubagentCompleted{}))
	}
	l.play(session.Info{}, append(events, by("first", 4, session.SubagentCompleted{}), event(5, session.AssistantIdle{}))...)
	if got := l.shape(); !strings.Contains(got, "\n  invoke_agent first  +1ms 3ms\n") || strings.Contains(got, unfinished) {
		t.Errorf("exported was\n%s", got)
	}
}

// TestDeltasAreFree holds the events that come by the thousand to no allocation.
func TestDeltasAreFree(t *testing.T) {
	l := newLab(t, true)
	w := &observedSession{exporter: l.Exporter, projection: newProjection(session.Info{}, l.Exporter)}
	_ = w.Event(event(0, session.UserMessage{}))
	delta := event(1, session.AssistantMessageDelta{DeltaContent: "x"})
	if n := testing.AllocsPerRun(100, func() { _ = w.Event(delta) }); n != 0 {
		t.Errorf("a delta allocates %g times", n)
	}
}

// TestAReceiverThatHangs has exports under way that never end: the events pass,
// leaving is not held up, and nothing of telemetry continues.
func TestAReceiverThatHangs(t *testing.T) {
	e, err := started(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": silence(t), "OTEL_BSP_SCHEDULE_DELAY": "1", "OTEL_METRIC_EXPORT_INTERVAL": "1", "OTEL_BSP_MAX_QUEUE_SIZE": "8",
	})
	if err != nil {
		t.Fatal(err)
	}
	var events []session.Event
	for range 2000 {
		events = append(events, one()...)
	}
	agent := observe.Agent(newProgram(events...), e)
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for i := range events {
		select {
		case <-s.Events():
		case <-late.Done():
			t.Fatalf("the event %d is held up", i)
		}
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := make(chan error, 1)
	go func() { left <- closed(t, e, 200*time.Millisecond) }()
	select {
	case err := <-left:
		if err == nil {
			t.Error("no error is reported")
		}
	case <-late.Done():
		t.Fatal("leaving is held up")
	}
	var stacks strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 2); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(stacks.String(), "(*watched).pump") {
		t.Errorf("a session is still watched:\n%s", stacks.String())
	}
}

// TestOddVariables exports with batches that cannot be: negative ones stop the
// SDK's own start.
func TestOddVariables(t *testing.T) {
	for _, odd := range []string{"-1", "0", "99999999999999", "many"} {
		r := otlp.Serve(t)
		e, err := started(t, map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_BSP_MAX_QUEUE_SIZE": odd, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": odd, "OTEL_METRIC_EXPORT_TIMEOUT": odd,
		})
		if err != nil {
			t.Fatal(err)
		}
		(&lab{Exporter: e}).play(session.Info{}, one()...)
		_ = closed(t, e, time.Minute) // the SDK reports what it does not take
		if got := r.Tree(); got != oneTree {
			t.Errorf("%s: the receiver has\n%s", odd, got)
		}
	}
}

// TestSound keeps what can be, and nothing that turns for ever.
func TestSound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ queue, batch, wantQueue, wantBatch int }{
		{-1, -1, 2048, 512},
		{0, 0, 2048, 512},
		{maxQueue + 1, 7, 2048, 7},
		{100, 512, 100, 100},
		{1, 1, 1, 1},
		{maxQueue, maxQueue, maxQueue, maxQueue},
	} {
		o := sdktrace.BatchSpanProcessorOptions{MaxQueueSize: c.queue, MaxExportBatchSize: c.batch, BatchTimeout: -1}
		validateBatching(&o)
		if o.MaxQueueSize != c.wantQueue || o.MaxExportBatchSize != c.wantBatch || o.BatchTimeout != 5*time.Second {
			t.Errorf("%v becomes %+v", c, o)
		}
	}
	o := sdktrace.BatchSpanProcessorOptions{BatchTimeout: time.Millisecond}
	if validateBatching(&o); o.BatchTimeout != time.Millisecond {
		t.Errorf("a delay becomes %v", o.BatchTimeout)
	}
}
