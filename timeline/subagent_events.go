package timeline

import (
	"cmp"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// route finds the sub-agent whose timeline an event belongs to; nil for an
// event of this agent. The runtime says it in the envelope; as it is
// documented, some bodies name the parent's tool call, and the calls of a
// sub-agent are then known by their ids. Own is whether the event is of that
// sub-agent itself and not of one below it.
func (sub *subagents) route(ev session.Event) (a *agent, own bool) {
	switch b := ev.Body.(type) {
	case session.SubagentStarted:
		return sub.below(ev.Agent, b.ToolCallID, b.ParentID), false
	case session.SubagentCompleted:
		return sub.below(ev.Agent, b.ToolCallID, ""), false
	case session.SubagentFailed:
		return sub.below(ev.Agent, b.ToolCallID, ""), false
	}
	call, parent := callOf(ev.Body)
	switch {
	case ev.Agent != "":
		a = sub.agents[ev.Agent]
		if made := sub.owners[parent]; a == nil && made != nil && (made.call != parent || made.ID == "") {
			a = made
		}
	case parent != "":
		a = sub.owners[parent]
	default:
		return sub.nameless(ev.Body, call), false
	}
	if a == nil {
		a = sub.newAgent(ev.Agent, parent) // its start was not seen
	}
	sub.learn(ev, a, parent, call)
	if ev.Agent != "" {
		return a, a.ID == ev.Agent
	}
	return a, a.call == parent
}

// below finds the sub-agent that started the one an event is about; nil if that
// is the agent of this timeline.
func (sub *subagents) below(id session.AgentID, call session.CallID, parent session.AgentID) *agent {
	if a := sub.agents[id]; id != "" && a != nil {
		if a.ID == id {
			return nil
		}
		return a
	}
	a := sub.owners[call]
	switch {
	case a != nil && a.call == call:
		return nil
	case a == nil && parent != "":
		a = sub.agents[parent]
	}
	if a != nil && id != "" {
		sub.agents[id] = a
	}
	return a
}

// nameless finds the sub-agent of an event that does not say whose it is.
func (sub *subagents) nameless(b session.Body, call session.CallID) *agent {
	if a := sub.owners[call]; call != "" && a != nil && a.call != call {
		return a
	}
	if s, ok := b.(session.Resolved); ok {
		return sub.asker(s.Resolves())
	}
	return nil
}

// asker is the sub-agent that asked a question, or for a tool of the client's.
func (sub *subagents) asker(id session.RequestID) *agent {
	if q := sub.pending[id]; q != nil {
		return q.by
	}
	for _, a := range sub.made {
		if a.Timeline.calls.external[id] != nil || a.Timeline.subagents.asker(id) != nil {
			return a
		}
	}
	return nil
}

// learn notes what leads to a sub-agent: its id, and the calls that it makes. A
// call of this timeline is never taken for one of a sub-agent.
func (sub *subagents) learn(ev session.Event, a *agent, parent, call session.CallID) {
	if ev.Agent != "" && sub.agents[ev.Agent] == nil {
		sub.agents[ev.Agent] = a
		if a.call == parent {
			a.ID = cmp.Or(a.ID, ev.Agent)
		}
	}
	if parent != "" && sub.owners[parent] == nil {
		sub.owners[parent] = a
	}
	sub.ownCall(a, call)
	if b, ok := ev.Body.(session.AssistantMessage); ok {
		for _, r := range b.ToolRequests {
			sub.ownCall(a, r.ToolCallID)
		}
	}
}

func (sub *subagents) ownCall(a *agent, call session.CallID) {
	if call != "" && call != a.call && sub.index[entryID("call", string(call))] == nil {
		sub.owners[call] = a
	}
}

// callOf returns the tool call an event is about, and the call of the parent
// that its sub-agent works for.
func callOf(b session.Body) (call, parent session.CallID) {
	switch b := b.(type) {
	case session.ToolExecutionStart:
		return b.ToolCallID, b.ParentToolCallID
	case session.ToolExecutionComplete:
		return b.ToolCallID, b.ParentToolCallID
	case session.ToolExecutionPartialResult:
		return b.ToolCallID, ""
	case session.ToolExecutionProgress:
		return b.ToolCallID, ""
	case session.ToolShellOutput:
		return b.ToolCallID, ""
	case session.AssistantToolCallDelta:
		return b.ToolCallID, ""
	case session.PermissionRequested:
		return b.PermissionRequest.ToolCallID, ""
	case session.PermissionCompleted:
		return b.ToolCallID, ""
	case session.ExternalToolRequested:
		return b.ToolCallID, ""
	case session.UserInputRequested:
		return b.ToolCallID, ""
	case session.ElicitationRequested:
		return b.ToolCallID, ""
	case session.AssistantMessage:
		return "", b.ParentToolCallID
	case session.AssistantMessageDelta:
		return "", b.ParentToolCallID
	case session.AssistantTurnStart:
		return "", b.ParentToolCallID
	case session.AssistantTurnEnd:
		return "", b.ParentToolCallID
	case session.AssistantUsage:
		return "", b.ParentToolCallID
	case session.ModelCallFailure:
		return "", b.ParentToolCallID
	case session.HookStart:
		return "", b.ParentToolCallID
	case session.HookEnd:
		return "", b.ParentToolCallID
	}
	return "", ""
}

// applySubagent folds an event into the timeline of a sub-agent and keeps the
// line about it, and the questions it asks, current here.
func (sub *subagents) applySubagent(ev session.Event, a *agent, own bool) ApplyResult {
	if a.removed() {
		return Ignored
	}
	if a.entry == nil {
		sub.find(a)
	}
	before, version := *a.Subagent, sub.version
	inner := ev
	if own {
		a.observe(ev.Body)
		if resumes(ev.Body) && !ev.Time.Before(a.End) {
			a.markBackground(ev.Time)
			sub.restart(a)
		}
		inner.Agent = ""
	}
	out := sub.delegate(inner, &ev, a, own)
	a.updateDoing()
	asked := sub.agentAsks(ev, a)
	if a.entry != nil && (asked || *a.Subagent != before) {
		sub.touch(a.entry)
	}
	if out == Ignored && sub.version != version {
		return Applied
	}
	return out
}

// delegate lets a sub-agent's timeline take an event, and counts the agents
// that it starts and ends.
func (sub *subagents) delegate(ev session.Event, came *session.Event, a *agent, own bool) ApplyResult {
	n := a.Timeline
	running := n.status.Agents
	var out ApplyResult
	if own {
		n.usage.spent(ev.Body)
		out = n.fold(ev, came)
	} else {
		out = n.Apply(ev)
	}
	if a.State.Final() && n.status.Agents == 0 {
		n.calls.cancelOpen(ev, true) // late news keeps nothing alive
	}
	if a.entry != nil {
		sub.status.Agents += n.status.Agents - running
	}
	return out
}

// observe takes from an event of a sub-agent what its line shows.
func (a *agent) observe(b session.Body) {
	if u, ok := usageOf(b); ok {
		a.Tokens += u.InputTokens + u.OutputTokens
	}
	switch b := b.(type) {
	case session.SubagentConfigured:
		a.Model = cmp.Or(b.Model, a.Model)
	case session.SessionModelChange:
		a.Model = cmp.Or(b.NewModel, a.Model)
	case session.ToolExecutionStart:
		e := a.Timeline.index[entryID("call", string(b.ToolCallID))]
		if e == nil {
			a.Calls++
		} else if c, ok := e.Body.(*ToolCall); ok && !c.started {
			a.Calls++
		}
	}
}

// markBackground notes that a sub-agent works at a time: if its call had returned by then,
// it was moved to the background.
func (a *agent) markBackground(at time.Time) {
	if a.entry == nil {
		return
	}
	if c, ok := a.entry.Body.(*ToolCall); ok && !c.returnedAt.IsZero() && at.After(c.returnedAt) {
		a.Background = true
	}
}

// nameAgent gives a call that deals with a sub-agent the name of that, in place
// of an id that says nothing.
func nameAgent(agents map[session.AgentID]*agent, c *ToolCall) {
	id := session.AgentID(arguments(c.Arguments)["agent_id"])
	if a := agents[id]; a != nil && a.ID == id {
		if c.Title = cmp.Or(a.Title, a.Name, c.Title); c.Family() == session.ReadAgent && c.Title != "" {
			c.activity = "waiting for " + oneLine(c.Title)
		}
	}
}

// framing is what the runtime puts around the answers of a sub-agent.
var framing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\[Turn \d+\]\n`) })

// agentsAnswer takes the answers of a sub-agent out of what read_agent gives the
// model: a line about the state of the agent, and each answer under the number
// of its turn. Without any it is what the state is; "" for another text.
func agentsAnswer(result string) string {
	state, answers, _ := strings.Cut(result, "\n")
	state, _, ok := strings.Cut(state, " agent_id: ")
	if !ok || !strings.HasPrefix(state, "Agent ") {
		return ""
	}
	return cmp.Or(strings.TrimSpace(framing().ReplaceAllString(answers, "")), state)
}

// resumes reports whether an event says that its agent works.
func resumes(b session.Body) bool {
	switch b.(type) {
	case session.UserMessage, session.AssistantTurnStart, session.ToolExecutionStart:
		return true
	}
	return false
}

// updateDoing says what a sub-agent does now.
func (a *agent) updateDoing() {
	a.Activity = ""
	if a.State == Live {
		a.Activity = cmp.Or(a.Timeline.currentActivity(a.Timeline.turns.running()), "thinking")
	}
}

// agentAsks keeps the questions of a sub-agent here too: the user answers
// them wherever they look. It reports whether the line about it changed.
func (sub *subagents) agentAsks(ev session.Event, a *agent) bool {
	n := a.Timeline
	switch b := ev.Body.(type) {
	case session.Ask:
		if q := n.calls.pending[b.Request()]; q != nil && !a.State.Final() {
			sub.pending[b.Request()] = &ask{
				question: q.question, permission: q.permission, replayed: q.replayed,
				agent: ev.Agent, call: a.entry, by: a, asked: q.asked,
			}
		}
	case session.Resolved:
		if q := sub.pending[b.Resolves()]; q != nil && q.by == a && !q.permission {
			q.call = nil // the line is no place for the answer
			sub.questions.apply(ev)
		}
	}
	maps.DeleteFunc(sub.pending, func(id session.RequestID, q *ask) bool { return q.by == a && n.calls.pending[id] == nil })
	if a.entry == nil {
		return false
	}
	c, _ := a.entry.Body.(*ToolCall)
	waiting := c.Waiting
	_, c.Waiting = sub.pending.about(a.entry)
	return c.Waiting != waiting
}
