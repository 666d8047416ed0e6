package telemetry

import (
	"cmp"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// nameAndVersion takes apart how an agent calls itself.
func nameAndVersion(agent string) (name, version string) {
	if i := strings.LastIndexByte(agent, ' '); i > 0 && i+1 < len(agent) && agent[i+1] >= '0' && agent[i+1] <= '9' {
		return agent[:i], agent[i+1:]
	}
	return agent, ""
}

// message begins an interaction, or steers the one that runs.
func (p *projection) message(ev session.Event, m session.UserMessage) {
	if ev.Agent != "" {
		p.addInput(p.ensureRunning(ev.Agent, ""), "user", textPart(m.Content))
		return
	}
	a := attrs{}.id(keyMessageSource, source(m.Source)).id(keyMessageMode, string(m.AgentMode)).
		id(keyInteractionID, m.InteractionID).id(keyDelivery, string(m.Delivery))
	root := p.agents[""]
	if root.running() && (m.Delivery == session.DeliveredSteering || m.Delivery == "" && root.turn != nil) {
		p.addEvent("", "github.copilot.user.message", a)
	} else {
		p.endInteraction()
		root = p.beginInteraction(m.Source != "" || m.IsAutopilotContinuation, a)
		root.span.describe(attrs{}.text(p.content, semconv.GenAIInputMessagesKey, p.encodeMessage("user", "", textPart(m.Content))))
	}
	p.addInput(root, "user", textPart(m.Content))
}

// source is where a message comes from, without what a name in it says.
func source(s string) string {
	kind, _, _ := strings.Cut(s, "-")
	return kind
}

// beginInteraction begins an interaction: what the root agent does for one message, or
// by itself: then it continues what the root did before, and is linked to that. What
// was reported since the last one belongs to it.
func (p *projection) beginInteraction(byItself bool, a attrs) *agent {
	root := p.agents[""]
	if root == nil {
		root = &agent{name: p.root}
		p.agents[""] = root
	}
	at := p.now
	if byItself && len(p.pending) > 0 {
		at = p.pending[0].at
	}
	var options []trace.SpanStartOption
	if byItself && p.lastRoot != nil {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: p.lastRoot.SpanContext()}))
	}
	p.beginAgent(root, nil, at, a.id(semconv.GenAIAgentVersionKey, p.version), options...)
	p.attachPending(root.span)
	return root
}

// endInteraction ends what the root does, if it does anything. What its user
// stopped ended when they did. Work in the background continues.
func (p *projection) endInteraction() {
	p.endAgent(p.agents[""], "", "", "")
}

// notification is a message from the runtime to itself. One that comes while
// nothing runs belongs to what it leads to.
func (p *projection) notification(ev session.Event, n session.SystemNotification) {
	const name = "github.copilot.system.notification"
	k := n.Notification
	a := attrs{}.id(name+".type", k.Type).id(name+".agent_id", string(k.AgentID)).id(name+".agent_type", k.AgentType).
		id(name+".status", k.Status).id(name+".shell_id", k.ShellID)
	if k.ExitCode != nil {
		a = append(a, attribute.Int(name+".exit_code", *k.ExitCode))
	}
	p.addEvent(ev.Agent, name, a)
	if k.Type == "instruction_discovered" {
		return // the model does not see it
	}
	if doer := p.agents[ev.Agent]; doer != nil {
		p.addInput(doer, "user", textPart(n.Content))
	}
}

// sessionError is a request that could not be processed: what its agent does
// has failed, even if it continues.
func (p *projection) sessionError(ev session.Event, e session.SessionError) {
	class := cmp.Or(e.ErrorType, otherError)
	p.addEvent(ev.Agent, "exception", attrs{}.id(semconv.ExceptionTypeKey, class).id(keyErrorCode, e.ErrorCode).
		count(keyErrorStatus, e.StatusCode).text(p.content, semconv.ExceptionMessageKey, e.Message))
	if doer := p.agents[ev.Agent]; doer.running() {
		doer.failed, doer.detail = class, e.Message
	}
}

// abort notes that a user stopped the turn. What it interrupts ends then, but
// may still report how.
func (p *projection) abort(ev session.Event, a session.Abort) {
	p.addEvent(ev.Agent, "github.copilot.session.abort", attrs{}.id(keyAbortReason, a.Reason))
	if doer := p.agents[ev.Agent]; doer.running() && doer.abortedAt.IsZero() {
		doer.abortedAt = p.now
	}
}

// interrupted records what an abort interrupted: a call of the model leaves no
// other trace.
func (p *projection) interrupted(ev session.Event, i session.AgentInterrupted) {
	doer := p.agents[ev.Agent]
	if i.Activity != "model_call" || !doer.running() {
		return
	}
	p.closeChat(doer)
	at, _ := doer.ends(p.now, "")
	s := p.beginChat(doer, i.Model, at.Add(-milliseconds(i.ElapsedMs)), nil)
	p.endFailedChat(doer, s, i.Model, at, "", "", aborted)
}

// httpClass is an HTTP status as the class of an error.
func httpClass(code int) string {
	if code == 0 {
		return ""
	}
	return strconv.Itoa(code)
}
