package demo

import (
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// subagent is a sub-agent at work for a tool call.
type subagent struct {
	*tool
	agent   session.AgentID
	model   string
	began   time.Time
	calls   int  // of tools so far
	started bool // its start was reported, and its end must be
}

// call is the tool call that a sub-agent works for; "" for the root agent.
func (w *subagent) call() session.CallID {
	if w == nil {
		return ""
	}
	return w.id
}

// startsAgent is the start of the sub-agent that a tool runs.
func (c *tool) startsAgent(model, mode string) session.SubagentStarted {
	return session.SubagentStarted{
		ToolCallID: c.id, AgentName: "explore", AgentDisplayName: c.Agent.Name, AgentDescription: c.Intention,
		Model: model, AgentType: "explore", ExecutionMode: mode,
	}
}

// ended is how a sub-agent that did not fail ends.
func (w *subagent) ended(now time.Time, cancelled bool) session.SubagentCompleted {
	return session.SubagentCompleted{
		ToolCallID: w.id, AgentName: "explore", AgentDisplayName: w.Agent.Name, Model: w.model, Cancelled: cancelled,
		TotalToolCalls: w.calls, TotalTokens: tokens(len(w.Agent.Answer)) + 200*w.calls,
		DurationMs: float64(now.Sub(w.began).Milliseconds()),
	}
}

// delegate is the work of a sub-agent for a call, in the name of the sub-agent.
func (t *turn) delegate(c *tool) session.ToolExecutionComplete {
	w := &subagent{tool: c, agent: session.AgentID(uuid.NewString()), model: t.s.currentModel(), began: t.s.cfg.Now()}
	interaction := uuid.NewString()
	t.subagent = w // it stays when the turn is stopped, so that interrupted can end it
	t.emit(c.startsAgent(w.model, "sync"))
	w.started = true
	t.emit(
		session.SubagentConfigured{Model: w.model},
		session.UserMessage{
			Content: c.Agent.Prompt, MessageID: session.MessageID(uuid.NewString()), Source: "agent-" + string(t.s.About.ID),
			Delivery: session.DeliveredIdle, TurnID: "0", InteractionID: interaction,
		},
		session.AssistantTurnStart{TurnID: "0", Model: w.model, InteractionID: interaction, ParentToolCallID: w.id},
		instruct("You are a sub-agent of Parley's demo. No model reads this: a script looks around and answers.\n"),
	)
	t.wait(30)
	for _, tools := range c.Agent.Tools {
		w.calls++
		line := reply{tools: t.toolsNamed([]string{tools})}
		t.subagentSays(w, interaction, line)
		t.use(line.tools)
		t.wait(30)
	}
	end := success(c.Agent.Answer)
	if c.Agent.Answer == "" {
		end = t.subagentFails(w)
	} else {
		t.subagentSays(w, interaction, reply{text: c.Agent.Answer})
		t.emit(session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.id}, w.ended(t.s.cfg.Now(), false))
	}
	t.subagent = nil
	return end
}

// subagentSays is a model call of a sub-agent.
func (t *turn) subagentSays(w *subagent, interaction string, line reply) {
	r := t.s.infer(w.agent, line)
	message := session.MessageID(uuid.NewString())
	if r.text != "" {
		t.emit(session.AssistantMessageStart{MessageID: message})
	}
	for _, p := range pieces(r.text) {
		t.piece(session.AssistantMessageDelta{MessageID: message, DeltaContent: p, ParentToolCallID: w.id})
	}
	t.emit(session.AssistantMessage{
		MessageID: message, Model: w.model, Content: r.text, ToolRequests: requests(r.tools), InteractionID: interaction,
		TurnID: "0", ParentToolCallID: w.id,
	})
}

// subagentFails is the end of a sub-agent whose model cannot be reached.
func (t *turn) subagentFails(w *subagent) session.ToolExecutionComplete {
	const message = "Failed to get a response from the demo's model; retried once. It failed on purpose."
	t.emit(session.AssistantTurnRetry{TurnID: "0", Model: w.model, Reason: "api_error"})
	t.wait(40)
	t.emit(
		session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.id},
		session.SessionError{ErrorType: "query", StatusCode: 500, Message: message},
		session.SubagentFailed{
			ToolCallID: w.id, AgentName: "explore", AgentDisplayName: w.Agent.Name, Error: message, Model: w.model,
			TotalToolCalls: w.calls, DurationMs: float64(t.s.cfg.Now().Sub(w.began).Milliseconds()),
		},
	)
	return failure("failure", message)
}
