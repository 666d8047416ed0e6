package telemetry

import (
	"cmp"
	"maps"
	"time"

	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// agent is the root or a sub-agent. It has a span while it works: the root one
// for each interaction, a sub-agent one from its start to its end.
type agent struct {
	id         session.AgentID
	name       string
	kind       string // of a sub-agent
	call       callID // that it works for
	span       *span
	turn       *turn
	newInput   []message // what came for the model since its last call
	lastOutput string    // its last words
	model      string
	failed     string // the class of the error that it met
	detail     string // what that error says
	turns      int
	input      int // tokens
	output     int
	cost       float64
	nanoAIU    float64

	abortedAt time.Time // when a user stopped it; zero if none did
}

// turn is one model call of an agent and what follows from it.
type turn struct {
	span            *span
	calledAt        time.Time // when the model was called, if that is known
	failureReported bool      // the failure of the last attempt to call the model was reported
	chat            *chat     // the call that was made last, until its answer is known
}

// running reports whether the agent works.
func (a *agent) running() bool { return a != nil && a.span.isOpen() }

// currentSpan is the span of what the agent does now; nil for nothing.
func (a *agent) currentSpan() *span {
	switch {
	case a == nil:
		return nil
	case a.turn != nil && a.turn.span.isOpen():
		return a.turn.span
	case a.span.isOpen():
		return a.span
	}
	return nil
}

// ends returns when and how what an agent does now ends: when its user stopped it, or
// at a time and with an outcome.
func (a *agent) ends(at time.Time, outcome string) (time.Time, string) {
	if a.abortedAt.IsZero() {
		return at, outcome
	}
	return a.abortedAt, aborted
}

// beginAgent begins the work of an agent below a span.
func (p *projection) beginAgent(a *agent, parent *span, at time.Time, more attrs, options ...trace.SpanStartOption) {
	*a = agent{id: a.id, name: a.name, kind: a.kind, call: a.call, newInput: a.newInput}
	name := "invoke_agent"
	as := attrs{semconv.GenAIOperationNameInvokeAgent, semconv.GenAIProviderNameKey.String(p.provider)}
	if a.name != "" {
		name += " " + a.name
		as = append(as, semconv.GenAIAgentName(a.name))
	}
	as = append(as.id(semconv.GenAIAgentIDKey, string(a.id)).id(keyAgentType, a.kind), more...)
	a.span = p.beginSpan(parent, name, trace.SpanKindInternal, at, as, options...)
}

// endAgent ends the work of an agent and everything of it that is open, and
// that of the sub-agents it waited for. An outcome says that it did not end by
// itself.
func (p *projection) endAgent(a *agent, outcome, failed, detail string) {
	if !a.running() {
		return
	}
	at, outcome := a.ends(p.now, outcome)
	if failed == "" {
		failed, detail = a.failed, a.detail
	}
	p.closeTurn(a, at, outcome)
	for _, id := range p.openCalls(func(id callID, c *call) bool { return id.agent == a.id && !c.user }) {
		p.endUnfinishedCall(id, cmp.Or(outcome, unfinished))
	}
	if !a.running() {
		return // it worked for a call of its own
	}
	a.span.describe(attrs{}.count(keyTurnCount, a.turns).count(semconv.GenAIUsageInputTokensKey, a.input).
		count(semconv.GenAIUsageOutputTokensKey, a.output).amount(keyCost, a.cost).amount(keyNanoAIU, a.nanoAIU).
		model(semconv.GenAIResponseModelKey, a.model).
		text(a.lastOutput != "", semconv.GenAIOutputMessagesKey, p.encodeMessage("assistant", "stop", textPart(a.lastOutput))))
	named := a.agentName()
	p.measure(a.span, turnCount, float64(a.turns), named)
	seconds := p.endSpan(a.span, at, failed, detail, outcome)
	p.measure(a.span, agentDuration, seconds, named.failed(failed))
}

// agentName is the attribute that distinguishes agents in metrics.
func (a *agent) agentName() attrs {
	return attrs{}.text(a.name != "", semconv.GenAIAgentNameKey, a.name)
}

// ensureRunning returns an agent that works: one whose start was not reported begins
// now.
func (p *projection) ensureRunning(id session.AgentID, parentCall session.CallID) *agent {
	a := p.agents[id]
	switch {
	case a.running():
		return a
	case id == "":
		return p.beginInteraction(true, nil)
	case a == nil:
		a = p.addAgent(&agent{id: id, call: p.findCall("", parentCall)})
	}
	p.beginAgent(a, p.parentSpan(a.call), p.now, nil)
	return a
}

// maxAgents is how many sub-agents are remembered that do not work any more: one
// may continue.
const maxAgents = 64

// addAgent remembers a sub-agent.
func (p *projection) addAgent(a *agent) *agent {
	if len(p.agents) > maxAgents {
		maps.DeleteFunc(p.agents, func(id session.AgentID, a *agent) bool { return id != "" && !a.running() })
	}
	p.agents[a.id] = a
	return a
}

// parentSpan is the span that an agent works below: the call that runs it, else what
// the agent does that began it.
func (p *projection) parentSpan(by callID) *span {
	if c := p.calls[by]; c != nil && by.id != "" {
		return c.span
	}
	for _, id := range []session.AgentID{by.agent, ""} {
		if doing := p.agents[id].currentSpan(); doing != nil {
			return doing
		}
	}
	return nil
}

// subagent begins and ends the work of a sub-agent.
func (p *projection) subagent(ev session.Event) {
	switch b := ev.Body.(type) {
	case session.SubagentStarted:
		if a := p.agents[ev.Agent]; ev.Agent == "" || a.running() && a.call.id == b.ToolCallID {
			return
		}
		p.endSubagent(ev.Agent, unfinished, "", "")
		a := p.addAgent(&agent{
			id: ev.Agent, name: safeIdentifier(b.AgentName), kind: cmp.Or(b.AgentType, b.AgentName),
			call: p.findCall(b.ParentID, b.ToolCallID),
		})
		p.beginAgent(a, p.parentSpan(a.call), p.now, attrs{}.model(semconv.GenAIRequestModelKey, b.Model))
	case session.SubagentCompleted:
		outcome := ""
		if b.Cancelled {
			outcome = cancelled
		}
		p.endSubagent(ev.Agent, outcome, "", "")
	case session.SubagentFailed:
		p.endSubagent(ev.Agent, "", otherError, b.Error)
	}
}

// endSubagent ends the work of a sub-agent.
func (p *projection) endSubagent(id session.AgentID, outcome, failed, detail string) {
	a := p.agents[id]
	if id == "" || a == nil {
		return
	}
	if a.failed != "" {
		failed, detail = a.failed, a.detail
	}
	p.endAgent(a, outcome, failed, detail)
}

// turnStart begins a turn, which ends the one before, and what was stopped.
func (p *projection) turnStart(ev session.Event, b session.AssistantTurnStart) {
	if a := p.agents[ev.Agent]; a != nil && !a.abortedAt.IsZero() {
		p.endAgent(a, aborted, "", "")
	}
	a := p.ensureRunning(ev.Agent, b.ParentToolCallID)
	p.closeTurn(a, p.now, unfinished)
	a.turns++
	s := p.beginSpan(a.span, "turn", trace.SpanKindInternal, p.now,
		attrs{}.id(keyTurnID, b.TurnID).id(keyInteractionID, b.InteractionID).id(semconv.GenAIAgentIDKey, string(a.id)))
	a.turn = &turn{span: s, calledAt: p.now}
}

func (p *projection) turnEnd(ev session.Event) {
	if a := p.agents[ev.Agent]; a != nil {
		at, outcome := a.ends(p.now, "")
		p.closeTurn(a, at, outcome)
	}
}

// closeTurn ends the turn of an agent, if it has one.
func (p *projection) closeTurn(a *agent, at time.Time, outcome string) {
	if a.turn == nil {
		return
	}
	p.closeChat(a)
	p.endSpan(a.turn.span, at, "", "", outcome)
	a.turn = nil
}
