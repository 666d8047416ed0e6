// Package telemetry projects the log of a session to OpenTelemetry: spans of
// what an agent does and measurements of what it takes, by the semantic
// conventions for generative AI (version 1.41.0, and what their own repository
// adds), and the names that the Copilot CLI uses itself.
//
// The projection is pure: events in, operations on spans and metrics out. Around
// it are a decorator of an agent, which shows the projection every live event and
// passes it on, and the OpenTelemetry SDK, which is set up from the standard
// variables alone.
//
// Nothing that a user, a model or a tool wrote is exported, and no name of a
// file, unless OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT asks for it.
package telemetry

import (
	"maps"
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// projection is a session as telemetry sees it. It takes events in any order
// and of any content, and returns operations that always make sense: a span is
// opened once, below one that is open, and closed once.
type projection struct {
	conversation string
	provider     string // gen_ai.provider.name of the calls to come
	root         string // the name of the agent that talks to the user
	version      string // of it
	content      bool   // content is exported

	last        spanID
	open        map[spanID]time.Time // when each open span began
	now         time.Time            // of the last event; never goes back while a span is open
	ops         []spanOp
	agents      map[session.AgentID]*agent
	calls       map[callID]*call
	questions   map[session.RequestID]*question
	compactions map[string]*compaction
	pending     []eventOp // what was reported while nothing ran
}

// newProjection begins with what is known of a session when it is opened.
func newProjection(info session.Info, content bool) *projection {
	p := &projection{
		conversation: string(info.ID), provider: "github", content: content,
		open: map[spanID]time.Time{}, agents: map[session.AgentID]*agent{}, calls: map[callID]*call{},
		questions: map[session.RequestID]*question{}, compactions: map[string]*compaction{},
	}
	if info.Demo {
		p.provider = "demo"
	}
	p.root, p.version = nameAndVersion(info.Agent)
	return p
}

// apply takes one event and returns what it means, in order.
func (p *projection) apply(ev session.Event) []spanOp {
	if ev.Time.After(p.now) || len(p.open) == 0 && !ev.Time.IsZero() {
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
	out := p.ops
	p.ops = nil
	return out
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

// close ends everything that is still open at a time, and returns what that
// means.
func (p *projection) close(at time.Time) []spanOp {
	p.finish(at)
	out := p.ops
	p.ops = nil
	return out
}

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
	id := p.beginSpan(0, "session", trace.SpanKindInternal, p.pending[0].at, nil)
	p.attachPending(id)
	p.endSpan(id, p.now, "", "", "")
}

// attachPending puts what waited for work on the span of it.
func (p *projection) attachPending(id spanID) {
	for _, n := range p.pending {
		n.id = id
		p.ops = append(p.ops, n)
	}
	p.pending = nil
}

// beginSpan opens a span below an open one, or as a root, not before its parent.
func (p *projection) beginSpan(parent spanID, name string, kind trace.SpanKind, at time.Time, a attrs) spanID {
	from, ok := p.open[parent]
	switch {
	case !ok:
		parent = 0
	case at.Before(from):
		at = from
	}
	p.last++
	p.open[p.last] = at
	all := append(attrs{semconv.GenAIConversationID(safeIdentifier(p.conversation))}, a...)
	p.ops = append(p.ops, startOp{id: p.last, parent: parent, name: name, kind: kind, at: at, attrs: all})
	return p.last
}

// endSpan closes a span, if it is open, with the class of an error or the way
// in which it did not end by itself, and returns how long it took.
func (p *projection) endSpan(id spanID, at time.Time, failed, detail, outcome string) (seconds float64) {
	from, ok := p.open[id]
	if !ok {
		return 0
	}
	delete(p.open, id)
	if at.Before(from) {
		at = from
	}
	if a := (attrs{}).failed(failed).id(keyOutcome, outcome); len(a) > 0 {
		p.ops = append(p.ops, attributesOp{id, a})
	}
	if !p.content {
		detail = ""
	}
	p.ops = append(p.ops, endOp{id, at, safeIdentifier(failed), validUTF8(detail)})
	return at.Sub(from).Seconds()
}

func (p *projection) describe(id spanID, a attrs) {
	if _, ok := p.open[id]; ok && len(a) > 0 {
		p.ops = append(p.ops, attributesOp{id, a})
	}
}

// measure records a value; one that nothing can have is not a measurement.
func (p *projection) measure(id spanID, with instrument, value float64, a []attribute.KeyValue) {
	if value >= 0 && !math.IsInf(value, 1) {
		p.ops = append(p.ops, metricOp{id, with, value, a})
	}
}

// measureIfAny records a value unless it is 0, which may mean that it is not known.
func (p *projection) measureIfAny(id spanID, with instrument, value float64, a []attribute.KeyValue) {
	if value > 0 {
		p.measure(id, with, value, a)
	}
}

// maxPending is how much is kept of what was reported while nothing ran.
const maxPending = 32

// addEvent notes an event on what an agent is doing. If the root does nothing, the
// event waits for what it does next.
func (p *projection) addEvent(id session.AgentID, name string, a attrs) {
	n := eventOp{name: name, at: p.now, attrs: a}
	if doer := p.agents[id]; doer != nil {
		n.id = doer.currentSpan(p.open)
	}
	if n.id == 0 {
		if root := p.agents[""]; root != nil && id != "" {
			n.id = root.currentSpan(p.open)
		}
	}
	switch {
	case n.id != 0:
		p.ops = append(p.ops, n)
	case len(p.pending) < maxPending:
		p.pending = append(p.pending, n)
	}
}
