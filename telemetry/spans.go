// Package telemetry projects the log of a session to OpenTelemetry: spans of
// what an agent does and measurements of what it takes, by the semantic
// conventions for generative AI (version 1.41.0, and what their own repository
// adds), and the names that the Copilot CLI uses itself.
//
// The projection takes events and draws on nothing else, not even on the clock.
// Around it are an observer of an agent, which shows it every live event, and the
// OpenTelemetry SDK, which is set up from the standard variables alone.
//
// Nothing that a user, a model or a tool wrote is exported, and no name of a
// file, unless OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT asks for it.
package telemetry

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// projection is a session as telemetry sees it. It takes events in any order
// and of any content, and what it exports always makes sense: a span is opened
// once, below one that is open, and closed once.
type projection struct {
	tracer trace.Tracer
	meters instruments

	conversation string
	provider     string // gen_ai.provider.name of the calls to come
	root         string // the name of the agent that talks to the user
	version      string // of it
	content      bool   // content is exported

	begun       int       // spans that were opened
	open        int       // those that were not closed
	lastRoot    *span     // the root that was opened last
	now         time.Time // of the last event; never goes back while a span is open
	agents      map[session.AgentID]*agent
	calls       map[callID]*call
	questions   map[session.RequestID]*question
	compactions map[string]*compaction
	pending     []notice // what was reported while nothing ran
}

// span is a span of the SDK. The nil span is none.
type span struct {
	trace.Span
	number int // counts the spans of a session
	began  time.Time
	ended  bool
}

func (s *span) isOpen() bool { return s != nil && !s.ended }

// notice is an event of a span.
type notice struct {
	name  string
	at    time.Time
	attrs attrs
}

func (s *span) add(n notice) {
	s.AddEvent(n.name, trace.WithTimestamp(n.at), trace.WithAttributes(n.attrs...))
}

// newProjection begins with what is known of a session when it is opened.
func newProjection(info session.Info, e *Exporter) *projection {
	p := &projection{
		tracer: e.tracer, meters: e.meters, conversation: string(info.ID), provider: "github", content: e.content,
		agents: map[session.AgentID]*agent{}, calls: map[callID]*call{},
		questions: map[session.RequestID]*question{}, compactions: map[string]*compaction{},
	}
	if info.Demo {
		p.provider = "demo"
	}
	p.root, p.version = nameAndVersion(info.Agent)
	return p
}

// apply takes one event.
func (p *projection) apply(ev session.Event) {
	if ev.Time.After(p.now) || p.open == 0 && !ev.Time.IsZero() {
		p.now = ev.Time
	}
	switch b := ev.Body.(type) {
	case session.UserMessage:
		p.message(ev, b)
	case session.AssistantTurnStart:
		p.turnStart(ev, b)
	case session.AssistantTurnEnd:
		p.turnEnd(ev)
	case session.AssistantTurnRetry:
		p.retry(ev, b)
	case session.AssistantUsage:
		p.usage(ev, b)
	case session.ModelCallFailure:
		p.callFailure(ev, b)
	case session.AssistantMessage:
		p.modelOutput(ev, b)
	case session.ToolUserRequested:
		p.startCall(ev, session.ToolExecutionStart{ToolCallID: b.ToolCallID, ToolName: b.ToolName, Arguments: b.Arguments}, true)
	case session.ToolExecutionStart:
		p.startCall(ev, b, false)
	case session.ToolExecutionComplete:
		p.endCall(ev, b)
	case session.SubagentStarted, session.SubagentCompleted, session.SubagentFailed:
		p.subagent(ev)
	case session.SessionCompactionStart:
		p.compactionStart(b)
	case session.SessionCompactionComplete:
		p.compactionEnd(b)
	default:
		p.applyNotice(ev)
	}
}

// applyNotice takes what is no work of its own: notices, questions, and the ends.
func (p *projection) applyNotice(ev session.Event) {
	switch b := ev.Body.(type) {
	case session.SystemNotification:
		p.notification(ev, b)
	case session.SessionError:
		p.sessionError(ev, b)
	case session.SessionTruncation:
		p.addEvent(ev.Agent, "github.copilot.session.truncation", attrs{}.count(keyTokenLimit, b.TokenLimit).
			count(keyPreTokens, b.PreTruncationTokensInMessages).count(keyPostTokens, b.PostTruncationTokensInMessages).
			count(keyTokensRemoved, b.TokensRemovedDuringTruncation).count(keyMessagesRemoved, b.MessagesRemovedDuringTruncation))
	case session.SessionSnapshotRewind:
		p.addEvent(ev.Agent, "github.copilot.session.snapshot_rewind", attrs{}.count(keyEventsRemoved, b.EventsRemoved))
	case session.Abort:
		p.abort(ev, b)
	case session.AgentInterrupted:
		p.interrupted(ev, b)
	case session.AssistantIdle:
		if ev.Agent == "" {
			p.endInteraction()
		}
	case session.SessionIdle:
		p.endInteraction()
	case session.SessionShutdown:
		p.finish(p.now)
	case session.Ask:
		p.questionAsked(ev, b)
	case session.Resolved:
		p.questionAnswered(b)
	}
}

// finish ends everything that is still open at a time.
func (p *projection) finish(at time.Time) {
	if at.After(p.now) {
		p.now = at
	}
	for _, id := range slices.Sorted(maps.Keys(p.agents)) {
		p.endAgent(p.agents[id], unfinished, "", "")
	}
	for _, id := range p.openCalls(func(callID, *call) bool { return true }) {
		p.endUnfinishedCall(id, unfinished)
	}
	for _, id := range slices.Sorted(maps.Keys(p.compactions)) {
		p.endSpan(p.compactions[id].span, p.now, "", "", unfinished)
		delete(p.compactions, id)
	}
	clear(p.questions)
	p.flushPending()
}

// flushPending puts what was reported while nothing ran, and led to nothing, on a span
// of its own.
func (p *projection) flushPending() {
	if len(p.pending) == 0 {
		return
	}
	s := p.beginSpan(nil, "session", trace.SpanKindInternal, p.pending[0].at, nil)
	p.attachPending(s)
	p.endSpan(s, p.now, "", "", "")
}

// attachPending puts what waited for work on the span of it.
func (p *projection) attachPending(s *span) {
	for _, n := range p.pending {
		s.add(n)
	}
	p.pending = nil
}

// beginSpan opens a span below an open one, or as a root, not before its parent.
func (p *projection) beginSpan(
	parent *span, name string, kind trace.SpanKind, at time.Time, a attrs, more ...trace.SpanStartOption,
) *span {
	ctx := context.Background()
	if parent.isOpen() {
		ctx = trace.ContextWithSpan(ctx, parent)
		if at.Before(parent.began) {
			at = parent.began
		}
	}
	all := append(attrs{semconv.GenAIConversationID(safeIdentifier(p.conversation))}, a...)
	more = append(more, trace.WithTimestamp(at), trace.WithSpanKind(kind), trace.WithAttributes(all...))
	_, started := p.tracer.Start(ctx, name, more...)
	p.begun++
	p.open++
	s := &span{Span: started, number: p.begun, began: at}
	if !parent.isOpen() {
		p.lastRoot = s
	}
	return s
}

// endSpan closes a span, if it is open, with the class of an error or the way
// in which it did not end by itself, and returns how long it took.
func (p *projection) endSpan(s *span, at time.Time, failed, detail, outcome string) (seconds float64) {
	if !s.isOpen() {
		return 0
	}
	if at.Before(s.began) {
		at = s.began
	}
	s.SetAttributes(attrs{}.failed(failed).id(keyOutcome, outcome)...)
	if failed != "" {
		if !p.content {
			detail = ""
		}
		s.SetStatus(codes.Error, validUTF8(detail))
	}
	s.End(trace.WithTimestamp(at))
	s.ended = true
	p.open--
	return at.Sub(s.began).Seconds()
}

// describe adds attributes to a span, if it is open.
func (s *span) describe(a attrs) {
	if s.isOpen() {
		s.SetAttributes(a...)
	}
}

// measure records a value in the context of a span; one that nothing can have is
// not a measurement.
func (p *projection) measure(s *span, with instrument, value float64, a attrs) {
	if value < 0 || math.IsInf(value, 1) || math.IsNaN(value) {
		return
	}
	ctx := context.Background()
	if s != nil {
		ctx = trace.ContextWithSpan(ctx, s)
	}
	p.meters[with](ctx, value, metric.WithAttributes(a...))
}

// measureIfAny records a value unless it is 0, which may mean that it is not known.
func (p *projection) measureIfAny(s *span, with instrument, value float64, a attrs) {
	if value > 0 {
		p.measure(s, with, value, a)
	}
}

// maxPending is how much is kept of what was reported while nothing ran.
const maxPending = 32

// addEvent notes an event on what an agent is doing. If the root does nothing, the
// event waits for what it does next.
func (p *projection) addEvent(id session.AgentID, name string, a attrs) {
	n := notice{name, p.now, a}
	doing := p.agents[id].currentSpan()
	if doing == nil && id != "" {
		doing = p.agents[""].currentSpan()
	}
	switch {
	case doing != nil:
		doing.add(n)
	case len(p.pending) < maxPending:
		p.pending = append(p.pending, n)
	}
}
