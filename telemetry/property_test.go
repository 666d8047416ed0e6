package telemetry

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// checked is an SDK that holds spans to what it and a reader need: each is begun
// below one that is open and not before it, and ends once and not before it began,
// and nothing is said of one that has ended.
type checked struct {
	tracenoop.Tracer
	t    rapid.TB
	open map[*checkedSpan]bool
}

type checkedSpan struct {
	tracenoop.Span
	of   *checked
	name string
	from time.Time
}

func (c *checked) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	config := trace.NewSpanStartConfig(options...)
	s := &checkedSpan{of: c, name: name, from: config.Timestamp()}
	if within, ok := trace.SpanFromContext(ctx).(*span); ok {
		if parent := within.Span.(*checkedSpan); !c.open[parent] || s.from.Before(parent.from) {
			c.t.Fatalf("%s begins below %s, which is open: %t, at %v and not before %v", name, parent.name, c.open[parent], s.from, parent.from)
		}
	}
	if name == "" {
		c.t.Fatal("a span has no name")
	}
	c.open[s] = true
	return trace.ContextWithSpan(ctx, s), s
}

func (s *checkedSpan) say(what string) {
	if !s.of.open[s] {
		s.of.t.Fatalf("%s has ended, and then: %s", s.name, what)
	}
}

func (s *checkedSpan) SetAttributes(...attribute.KeyValue)          { s.say("attributes") }
func (s *checkedSpan) AddEvent(name string, _ ...trace.EventOption) { s.say(name) }
func (s *checkedSpan) SetStatus(codes.Code, string)                 { s.say("a status") }
func (s *checkedSpan) End(options ...trace.SpanEndOption) {
	s.say("an end")
	config := trace.NewSpanEndConfig(options...)
	if at := config.Timestamp(); at.Before(s.from) {
		s.of.t.Fatalf("%s ends at %v and began at %v", s.name, at, s.from)
	}
	delete(s.of.open, s)
}

// newChecked is a projection of which everything that it exports is checked.
func newChecked(t rapid.TB, info session.Info, content bool) (*projection, *checked) {
	c := &checked{t: t, open: map[*checkedSpan]bool{}}
	e := &Exporter{tracer: c, meters: instruments{}, content: content}
	for _, name := range []instrument{
		tokenUsage, operationDuration, timeToFirstChunk, agentDuration, toolDuration, toolCount, turnCount, cost, nanoAIU, waitDuration,
	} {
		e.meters[name] = func(_ context.Context, value float64, _ metric.MeasurementOption) {
			if value < 0 {
				t.Fatalf("%s is %g", name, value)
			}
		}
	}
	return newProjection(info, e), c
}

// corpus is every event of every log.
func corpus(t testing.TB) []session.Event {
	t.Helper()
	var all []session.Event
	for _, name := range sessiontest.LogNames(t) {
		all = append(all, sessiontest.Log(t, name)...)
	}
	return all
}

// TestTotal gives a projection events of all logs, mixed, with few ids of
// agents, calls and requests, and times that jump.
func TestTotal(t *testing.T) {
	t.Parallel()
	var all []session.Event
	for _, ev := range corpus(t) {
		switch ev.Body.(type) {
		case session.AssistantMessageDelta, session.AssistantStreamingDelta, session.SessionBackgroundTasksChanged, session.Unknown:
		default:
			all = append(all, ev)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p, c := newChecked(t, session.Info{ID: "s", Agent: "a"}, rapid.Bool().Draw(t, "content"))
		for i := range rapid.IntRange(0, 120).Draw(t, "events") {
			p.apply(mixed(t, i, all))
		}
		p.finish(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "end"), 0))
		if len(c.open) != 0 || p.open != 0 || len(p.calls) != 0 || len(p.questions) != 0 || len(p.compactions) != 0 {
			t.Fatalf("%d spans are open at the end: %v", len(c.open), c.open)
		}
	})
}

// mixed is an event from anywhere, or one that hits what others began.
func mixed(t *rapid.T, i int, all []session.Event) session.Event {
	label := func(what string) string { return fmt.Sprint(what, i) }
	ev := rapid.SampledFrom(all).Draw(t, label("event"))
	ev.Agent = rapid.SampledFrom([]session.AgentID{"", "", "a", "b"}).Draw(t, label("agent"))
	ev.Time = time.Unix(rapid.Int64Range(1e9, 1e9+50).Draw(t, label("time")), 0)
	call := rapid.SampledFrom([]session.CallID{"", "1", "2", "3"}).Draw(t, label("call"))
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		b.ToolCallID = call
		ev.Body = b
	case session.ToolUserRequested:
		b.ToolCallID = call
		ev.Body = b
	case session.ToolExecutionComplete:
		b.ToolCallID = call
		ev.Body = b
	case session.SubagentStarted:
		b.ToolCallID = call
		ev.Body = b
	case session.PermissionRequested:
		b.PermissionRequest.ToolCallID, b.RequestID = call, session.RequestID(call)
		ev.Body = b
	case session.PermissionCompleted:
		b.RequestID = session.RequestID(call)
		ev.Body = b
	case session.SessionCompactionStart:
		b.CompactionAttemptID = string(call)
		ev.Body = b
	case session.SessionCompactionComplete:
		b.CompactionAttemptID = string(call)
		ev.Body = b
	}
	return ev
}

// TestEveryCaptureMakesSense holds each log, in its own order and cut short
// anywhere, to the same rules.
func TestEveryCaptureMakesSense(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		events := sessiontest.Log(t, name)
		for _, n := range []int{len(events), len(events) / 2, len(events) / 3} {
			p, c := newChecked(t, session.Info{}, true)
			for _, ev := range events[:n] {
				p.apply(ev)
			}
			p.finish(time.Time{})
			if len(c.open) != 0 {
				t.Errorf("%s: %v are open at the end", name, c.open)
			}
		}
	}
}

// TestEveryKind gives a projection one event of each kind that there is, in the
// middle of work, and finds it in order.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	var kinds []string
	samples := sessiontest.Events(t)
	for kind := range samples {
		kinds = append(kinds, string(kind))
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		p, _ := newChecked(t, session.Info{}, true)
		for _, k := range []session.Kind{session.KindUserMessage, session.KindAssistantTurnStart, session.Kind(kind)} {
			p.apply(session.Decode(samples[k]))
		}
		p.finish(time.Time{})
	}
}
