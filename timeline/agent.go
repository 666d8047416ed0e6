package timeline

import (
	"cmp"
	"strings"

	"parley/session"
)

// agent is a sub-agent: a tool call of this conversation, or of another
// sub-agent, that runs an agent of its own.
type agent struct {
	call    session.CallID // the call of the root agent it works for
	name    string
	running bool
	retries int
}

func (t *Timeline) applyAgent(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SubagentStarted:
		return t.subagentStarted(ev, b)
	case session.SubagentCompleted:
		t.subagentEnded(ev, b.ToolCallID)
		return Applied
	case session.SubagentFailed:
		return t.subagentFailed(ev, b)
	case session.SubagentSelected:
		if ev.Agent != "" {
			return Ignored // a sub-agent tells what it is
		}
		return t.personaChanged(ev, cmp.Or(b.AgentDisplayName, b.AgentName))
	case session.SubagentDeselected:
		if ev.Agent != "" {
			return Ignored
		}
		return t.personaChanged(ev, "")
	case session.SkillInvoked:
		return t.skillInvoked(ev, b.Name, b.Trigger)
	case session.SkillInvokedRef:
		return t.skillInvoked(ev, b.Name, b.Trigger)
	}
	return Unhandled
}

// skillInvoked tells of a skill that was loaded. One that the agent loads by
// itself has a tool call that says so.
func (t *Timeline) skillInvoked(ev session.Event, name, trigger string) Outcome {
	if trigger == "agent-invoked" {
		return Ignored
	}
	return t.notice(ev, &Notice{Category: "skill", Text: "Skill " + quoted(name) + " loaded"})
}

// personaChanged tells which custom agent handles the conversation; "" is the
// default one.
func (t *Timeline) personaChanged(ev session.Event, to string) Outcome {
	from := t.status.Persona
	t.status.Persona = to
	return t.changed(ev, "agent", from, to, func(_, to string) string {
		if to == "" {
			return "The default agent handles this conversation"
		}
		return "Agent " + quoted(to) + " handles this conversation"
	})
}

// subagentOf returns the sub-agent an event comes from. The runtime says it in
// the envelope; the reference document names the parent's tool call in some
// bodies, and the calls of a sub-agent are then known by their ids. What tells
// of the sub-agent itself, in its own name, belongs to the conversation.
func (t *Timeline) subagentOf(ev session.Event) (*agent, bool) {
	switch ev.Body.(type) {
	case session.SubagentStarted, session.SubagentCompleted, session.SubagentFailed,
		session.SubagentSelected, session.SubagentDeselected:
		return nil, false
	}
	call, parent := callOf(ev.Body)
	if ev.Agent == "" && parent == "" {
		if call == "" {
			return nil, false
		}
		a := t.owners[call]
		return a, a != nil && a.call != call
	}
	a := t.agents[ev.Agent]
	if ev.Agent == "" || a == nil {
		a = t.owners[parent]
	}
	if a == nil {
		// Its start was not seen. The parent's call is all that is known.
		a = &agent{call: parent, running: true}
		if parent != "" {
			t.owners[parent] = a
		}
	}
	if ev.Agent != "" && t.agents[ev.Agent] == nil && a.call != "" {
		t.agents[ev.Agent] = a
	}
	if call != "" && call != a.call {
		t.owners[call] = a
	}
	return a, true
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
	case session.ModelCallFailure:
		return "", b.ParentToolCallID
	case session.HookStart:
		return "", b.ParentToolCallID
	case session.HookEnd:
		return "", b.ParentToolCallID
	}
	return "", ""
}

// applySubagent shows what a sub-agent does in the status line of the call that
// runs it. Its own messages and calls are no part of this conversation.
func (t *Timeline) applySubagent(ev session.Event, a *agent) Outcome {
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		c := &ToolCall{Name: b.ToolName, Title: b.ToolTitle, Server: b.McpServerName, Tool: b.McpToolName}
		c.setArguments(b.Arguments)
		return t.agentStatus(a, c.doing)
	case session.ToolExecutionProgress:
		return t.agentStatus(a, oneLine(b.ProgressMessage))
	case session.ToolExecutionComplete, session.AssistantTurnStart, session.AssistantReasoningDelta:
		return t.agentStatus(a, "thinking")
	case session.AssistantMessageDelta:
		a.retries = 0
		return t.agentStatus(a, "answering")
	case session.AssistantTurnRetry:
		a.retries++
		return t.agentStatus(a, retryingStatus(a.retries+1))
	case session.SessionError:
		return t.agentStatus(a, "error: "+oneLine(b.Message))
	case session.AssistantMessage:
		for _, r := range b.ToolRequests {
			if r.ToolCallID != "" && r.ToolCallID != a.call {
				t.owners[r.ToolCallID] = a
			}
		}
		return Applied
	case session.PermissionRequested:
		return t.agentAsks(ev, a, b)
	case session.PermissionCompleted:
		return t.agentAnswered(a, b)
	case session.UserInputRequested, session.UserInputCompleted,
		session.ElicitationRequested, session.ElicitationCompleted:
		return t.applyAsk(ev)
	}
	return Ignored // its place is a view of the sub-agent
}

// parentCall returns the running call that a sub-agent works for.
func (t *Timeline) parentCall(a *agent) (*Entry, *ToolCall) {
	e := t.index[entryID("call", string(a.call))]
	if e == nil || e.State.Final() {
		return nil, nil // it works in the background
	}
	c, ok := e.Body.(*ToolCall)
	if !ok {
		return nil, nil
	}
	return e, c
}

func (t *Timeline) agentStatus(a *agent, status string) Outcome {
	e, c := t.parentCall(a)
	if e == nil || status == "" || c.Status == status {
		return Ignored
	}
	c.Status = status
	t.touch(e)
	return Applied
}

func (t *Timeline) agentAsks(ev session.Event, a *agent, b session.PermissionRequested) Outcome {
	if b.ResolvedByHook {
		return Ignored
	}
	e, c := t.parentCall(a)
	if e != nil && !ev.Replayed {
		c.Waiting = true
		t.touch(e)
	}
	return t.asked(ev, b.RequestID, &ask{question: permissionQuestion(b), call: e, permission: true})
}

func (t *Timeline) agentAnswered(a *agent, b session.PermissionCompleted) Outcome {
	delete(t.asks, b.RequestID)
	e, c := t.parentCall(a)
	if e == nil || !c.Waiting {
		return Ignored
	}
	c.Waiting = t.waits(e)
	t.touch(e)
	return Applied
}

func (t *Timeline) subagentStarted(ev session.Event, b session.SubagentStarted) Outcome {
	call := b.ToolCallID
	if outer := t.owners[call]; outer != nil && outer.call != "" {
		call = outer.call // a sub-agent of a sub-agent works for the same call
	}
	a := &agent{call: call, name: cmp.Or(b.AgentDisplayName, b.AgentName), running: true}
	if b.ToolCallID != "" {
		t.owners[b.ToolCallID] = a
	}
	if ev.Agent != "" {
		t.agents[ev.Agent] = a
	}
	t.status.Agents++
	t.agentStatus(a, "starting")
	return Applied
}

// subagentEnded counts a sub-agent out.
func (t *Timeline) subagentEnded(ev session.Event, call session.CallID) *agent {
	a := t.agents[ev.Agent]
	if ev.Agent == "" || a == nil {
		a = t.owners[call]
	}
	if a != nil && a.running && a.name != "" {
		a.running = false
		t.status.Agents = max(0, t.status.Agents-1)
	}
	return a
}

// subagentFailed shows the failure on the call that runs the sub-agent. A call
// that has returned, because the agent worked in the background, is out of
// sight: there the failure gets a line of its own too.
func (t *Timeline) subagentFailed(ev session.Event, b session.SubagentFailed) Outcome {
	a := t.subagentEnded(ev, b.ToolCallID)
	call := b.ToolCallID
	if a != nil {
		call = a.call
	}
	message := cmp.Or(strings.TrimSpace(b.Error), "The sub-agent failed and did not say why.")
	if e := t.index[entryID("call", string(call))]; e != nil && call == b.ToolCallID {
		if c, ok := e.Body.(*ToolCall); ok {
			c.Error = message
			t.from(e, ev)
			if !e.State.Final() {
				t.touch(e)
				return Applied
			}
			t.seal(ev, e, Failed)
		}
	}
	ev.Agent = "" // the line is the conversation's
	name := cmp.Or(b.AgentDisplayName, b.AgentName, "a sub-agent")
	return t.notice(ev, &Notice{
		Level:    Error,
		Category: "subagent",
		Text:     "Agent " + quoted(name) + " failed: " + oneLine(message),
	})
}
