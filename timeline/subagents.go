package timeline

import (
	"cmp"
	"maps"
	"strings"
	"time"

	"parley/session"
)

// maxAgentDepth is how far sub-agents nest. What is started below shows next to its
// parent, so that no log can make an event expensive.
const maxAgentDepth = 8

// agent is a sub-agent that this one started, and what leads to it.
type agent struct {
	*Subagent
	call  session.CallID // that runs it; "" while that is not known
	entry *Entry         // of that call; nil until it is on the timeline
}

func (sub *subagents) newAgent(id session.AgentID, call session.CallID) *agent {
	a := &agent{Subagent: &Subagent{ID: id, Timeline: newTimeline(sub.assets)}, call: call}
	a.Timeline.depth = sub.depth + 1
	sub.made = append(sub.made, a)
	return a
}

// removed reports whether the call of a sub-agent was taken back.
func (a *agent) removed() bool { return a.entry != nil && a.entry.pos < 0 }

// subagents are the agents that work for this one.
type subagents struct {
	*toolCalls
	questions *questions
}

func (sub *subagents) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SubagentStarted:
		return sub.subagentStarted(ev, b)
	case session.SubagentCompleted:
		return sub.subagentCompleted(ev, b)
	case session.SubagentFailed:
		return sub.subagentFailed(ev, b)
	case session.SubagentConfigured:
		return Ignored // the line of the sub-agent shows it
	}
	return Unhandled
}

// subagentStarted shows a sub-agent on the call that runs it. It may come
// before its call is known, and again for work that is resumed.
func (sub *subagents) subagentStarted(ev session.Event, b session.SubagentStarted) ApplyResult {
	a := sub.starting(ev.Agent, cmp.Or(b.ToolCallID, session.CallID(ev.Agent)))
	if a == nil {
		return Ignored
	}
	a.Name, a.Title = cmp.Or(b.AgentName, a.Name), cmp.Or(b.AgentDisplayName, a.Title)
	a.Description, a.Model = cmp.Or(b.AgentDescription, a.Description), cmp.Or(b.Model, a.Model)
	a.Background = a.Background || b.ExecutionMode == "background"
	if a.At.IsZero() {
		a.At = ev.Time
	}
	ev.Agent = "" // the line is the parent's
	sub.showAgent(ev, a, b.ExecutionMode == "sync")
	return Applied
}

// starting returns the sub-agent that a start is about. A call that runs
// several, as a workflow does, gets a line for each.
func (sub *subagents) starting(id session.AgentID, call session.CallID) *agent {
	if call == "" {
		return nil
	}
	a := sub.owners[call]
	if a != nil && (a.call != call || a.removed()) {
		a = nil
	}
	if a != nil && id != "" && a.ID != "" && a.ID != id {
		a, call = nil, session.CallID(id)
	}
	known := sub.agents[id] // by what it did before its start
	if id != "" && known != nil && known.ID == id && !known.removed() && (a == nil || a.entry == nil || known.entry != nil) {
		a = known
	}
	if a == nil {
		a = sub.newAgent(id, call)
	}
	a.ID = cmp.Or(a.ID, id)
	if a.entry == nil {
		a.call = call
	}
	sub.owners[a.call] = a
	if id != "" {
		sub.agents[id] = a
	}
	return a
}

// showAgent puts a sub-agent that begins on the entry of its call. The start of
// one whose call has returned, and did not leave it to the background, is late
// news.
func (sub *subagents) showAgent(ev session.Event, a *agent, sync bool) {
	e, c := sub.call(ev, a.call)
	e.confirmed, c.sync = true, sync
	if c.Name == "" {
		c.Name = "task"
		c.setArguments(nil)
	}
	if !c.ended {
		sub.addOrigin(e, ev)
	}
	late := a.entry == nil && c.ended && !a.Background
	sub.attach(a, e, c)
	if !late {
		sub.restart(a)
	}
	a.updateDoing()
	sub.touch(e)
}

// attach joins a sub-agent with the entry of its call.
func (t *toolCalls) attach(a *agent, e *Entry, c *ToolCall) {
	if a.entry != nil || c.Agent != nil {
		return
	}
	a.entry, c.Agent = e, a.Subagent
	t.owners[a.call] = a
	if a.State == Live && e.State.Final() {
		a.State, a.End = e.State, e.End
	}
	t.status.Agents += a.running()
}

// running counts the sub-agent, if it works, and those below it that do.
func (a *Subagent) running() int {
	n := a.Timeline.status.Agents
	if a.State == Live {
		n++
	}
	return n
}

// restart makes a sub-agent that has ended work again: it gets a follow-up, or its
// end was a guess. When its call has returned, it works in the background.
func (t *toolCalls) restart(a *agent) {
	if a.State == Live {
		return
	}
	a.State, a.End, a.Error = Live, time.Time{}, ""
	if a.entry == nil {
		return
	}
	t.status.Agents++
	if c, ok := a.entry.Body.(*ToolCall); ok {
		a.Background = a.Background || c.ended
		c.Error = ""
	}
	t.reopen(a.entry)
}

func (sub *subagents) subagentCompleted(ev session.Event, b session.SubagentCompleted) ApplyResult {
	sub.status.backgroundEnded(true, string(ev.Agent))
	a := sub.agentOf(ev.Agent, b.ToolCallID)
	if a == nil || a.removed() {
		return Ignored
	}
	a.total(b.TotalToolCalls, b.TotalTokens, b.Model)
	a.named(b.AgentName, b.AgentDisplayName)
	s := Done
	if b.Cancelled {
		s = Cancelled
	}
	sub.endAgent(ev, a, s)
	return Applied
}

// subagentFailed shows the failure on the call that runs the sub-agent. A call
// that has returned, because the agent worked in the background, is out of
// sight: there the failure gets a line of its own too.
func (sub *subagents) subagentFailed(ev session.Event, b session.SubagentFailed) ApplyResult {
	sub.status.backgroundEnded(true, string(ev.Agent))
	a := sub.agentOf(ev.Agent, b.ToolCallID)
	message := cmp.Or(strings.TrimSpace(b.Error), "The sub-agent failed and did not say why.")
	loud := true
	switch {
	case a == nil:
	case a.removed():
		return Ignored
	default:
		a.total(b.TotalToolCalls, b.TotalTokens, b.Model)
		a.named(b.AgentName, b.AgentDisplayName)
		a.Error = message
		if a.entry != nil {
			c, _ := a.entry.Body.(*ToolCall)
			c.Error, loud = message, c.ended
		}
		sub.endAgent(ev, a, Failed)
	}
	if !loud {
		return Applied
	}
	ev.Agent = "" // the line is the parent's
	name := cmp.Or(b.AgentDisplayName, b.AgentName, "a sub-agent")
	sub.failed = name
	return sub.notice(ev, &Notice{
		Level:    Error,
		Category: "subagent",
		Text:     "Agent " + quoted(name) + " failed: " + oneLine(message),
	})
}

// agentOf finds a sub-agent by what its end names.
func (sub *subagents) agentOf(id session.AgentID, call session.CallID) *agent {
	a := sub.agents[id]
	if id == "" || a == nil || a.ID != id {
		a = sub.owners[call]
	}
	if a != nil && a.entry == nil {
		a.call = cmp.Or(a.call, call)
		sub.find(a)
	}
	return a
}

// find looks for the entry of a sub-agent whose start was not seen.
func (t *toolCalls) find(a *agent) {
	if e := t.index[entryID("call", string(a.call))]; e != nil && a.call != "" {
		if c, ok := e.Body.(*ToolCall); ok {
			t.attach(a, e, c)
		}
	}
}

// total takes the sums that the end of a sub-agent reports.
func (a *agent) total(calls, tokens int, model string) {
	a.Calls = max(a.Calls, calls)
	a.Tokens = cmp.Or(tokens, a.Tokens)
	a.Model = cmp.Or(a.Model, model)
}

// named takes the names of a sub-agent whose start was not seen.
func (a *agent) named(name, title string) {
	a.Name, a.Title = cmp.Or(a.Name, name), cmp.Or(a.Title, title)
}

// endAgent ends a sub-agent by its own word, and with it the entry of its call.
// A call that has failed stays so.
func (sub *subagents) endAgent(ev session.Event, a *agent, s State) {
	sub.status.backgroundEnded(true, string(a.ID))
	e := a.entry
	if e == nil {
		a.finish(ev, s)
		return
	}
	c, _ := e.Body.(*ToolCall)
	if a.State == Live {
		sub.agentEnded(ev, e, c, s)
	}
	a.State = s
	if s == Done && c.ended && (e.State == Failed || e.State == Refused) {
		s = e.State
	}
	if !c.ended {
		sub.addOrigin(e, ev)
	}
	sub.seal(ev, e, s)
}

// agentEnded ends the sub-agent of a call whose entry ends in state s.
func (t *toolCalls) agentEnded(ev session.Event, e *Entry, c *ToolCall, s State) {
	if c.Agent == nil || c.Agent.State.Final() {
		return
	}
	before := c.Agent.running()
	c.Agent.finish(ev, s)
	t.status.Agents += c.Agent.running() - before
	c.Waiting = false
	maps.DeleteFunc(t.pending, func(_ session.RequestID, q *ask) bool { return q.by != nil && q.call == e })
}

// finish ends a sub-agent and what is open in its timeline. When it is done,
// agents that it left in the background work on.
func (a *Subagent) finish(ev session.Event, s State) {
	if a.State.Final() {
		return
	}
	ev.Agent = ""
	a.Timeline.lifecycle.idle(ev, s != Done)
	if s == Done && a.Timeline.status.Agents > 0 {
		a.Timeline.calls.cancelOpen(ev, false)
	} else {
		a.Timeline.lifecycle.endProcess(ev)
	}
	a.State, a.End, a.Activity = s, ev.Time, ""
}

// endAgents ends the sub-agents whose end was not reported: session.idle says
// that nothing runs any more (docs/protocol.md, section 6.3).
func (t *toolCalls) endAgents(ev session.Event) {
	for _, e := range t.open.sweep() {
		if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil && c.Agent.State == Live {
			t.cancelCall(ev, e, c)
		}
	}
	if t.status.Agents == 0 {
		return
	}
	for _, a := range t.owners { // those below an agent that is done
		a.Timeline.calls.endAgents(ev)
	}
	t.status.Agents = 0
}

// rewindAgents takes back what sub-agents did since: their calls may stay when
// they worked in the background.
func (lc *lifecycle) rewindAgents(ev session.Event, b session.SessionSnapshotRewind) (changed bool) {
	for _, e := range lc.entries {
		c, ok := e.Body.(*ToolCall)
		if !ok || c.Agent == nil {
			continue
		}
		before := c.Agent.running()
		if c.Agent.Timeline.lifecycle.rewind(ev, b) == Applied {
			changed = true
		}
		lc.status.Agents += c.Agent.running() - before
	}
	return changed
}

// endCall ends the entry of a call, in state s. One whose sub-agent still
// works lives on: it works in the background, from its start or by now. Of a
// call that waits for it that is not known yet: the end of the agent may be
// reported late. One whose sub-agent did not do its work shows that, whatever the
// call says.
func (t *toolCalls) endCall(ev session.Event, e *Entry, c *ToolCall, s State) {
	if a := c.Agent; a != nil && s == Done {
		if a.State == Live {
			a.Background, c.returnedAt = a.Background || !c.sync, ev.Time
			t.touch(e)
			return
		}
		s = a.State
	}
	t.seal(ev, e, s)
}

// outlivesTurn reports whether the loop does not wait for a call: the user made it, or
// its sub-agent works in the background. The end of the loop is not its end.
func (c *ToolCall) outlivesTurn() bool {
	return c.UserRequested || c.Agent != nil && c.Agent.State == Live && (c.Agent.Background || c.ended)
}
