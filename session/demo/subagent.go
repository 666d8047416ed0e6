package demo

import (
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// subagent is a sub-agent at work for a tool call.
type subagent struct {
	id      session.AgentID
	task    session.CallID
	name    string
	model   string
	began   time.Time
	tools   int // calls so far
	outcome string
	started bool // its start was reported, and its end must be
}

// call is the tool call that a sub-agent works for; "" for the root agent.
func (w *subagent) call() session.CallID {
	if w == nil {
		return ""
	}
	return w.task
}

// ended is how a sub-agent that did not fail ends.
func (w *subagent) ended(now time.Time, cancelled bool) session.SubagentCompleted {
	return session.SubagentCompleted{
		ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, Model: w.model, Cancelled: cancelled,
		TotalToolCalls: w.tools, TotalTokens: tokens(len(w.outcome)) + 200*w.tools, DurationMs: float64(now.Sub(w.began).Milliseconds()),
	}
}

// delegate is the work of a sub-agent for a call, in the name of the sub-agent.
func (t *turn) delegate(c *tool) session.ToolExecutionComplete {
	spec := c.Agent
	w := &subagent{
		id: session.AgentID(
			uuid.NewString(),
		), task: c.id, name: spec.Name, model: t.s.currentModel(), began: t.s.cfg.Now(), outcome: spec.Answer,
	}
	interaction := uuid.NewString()
	t.subagent = w // it stays when the turn is stopped, so that interrupted can end it
	t.emit(session.SubagentStarted{
		ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, AgentDescription: c.Intention,
		Model: w.model, AgentType: "explore", ExecutionMode: "sync",
	})
	w.started = true
	t.emit(
		session.SubagentConfigured{Model: w.model},
		session.UserMessage{
			Content: spec.Prompt, MessageID: session.MessageID(uuid.NewString()), Source: "agent-" + string(t.s.About.ID),
			Delivery: session.DeliveredIdle, TurnID: "0", InteractionID: interaction,
		},
		session.AssistantTurnStart{TurnID: "0", Model: w.model, InteractionID: interaction, ParentToolCallID: w.task},
		instruct("You are a sub-agent of Parley's demo. No model reads this: a script looks around and answers.\n"),
	)
	t.wait(30)
	for _, c := range t.toolsNamed(spec.Tools) {
		w.tools++
		t.subagentSays(w, interaction, reply{tools: []*tool{c}})
		t.use([]*tool{c})
		t.wait(30)
	}
	end := success(w.outcome)
	if w.outcome == "" {
		end = t.subagentFails(w)
	} else {
		t.subagentSays(w, interaction, reply{text: w.outcome})
		t.emit(session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.task}, w.ended(t.s.cfg.Now(), false))
	}
	t.subagent = nil
	return end
}

// subagentSays is a model call of a sub-agent.
func (t *turn) subagentSays(w *subagent, interaction string, line reply) {
	r := t.s.infer(w.id, line)
	message := session.MessageID(uuid.NewString())
	if r.text != "" {
		t.emit(session.AssistantMessageStart{MessageID: message})
	}
	for _, p := range pieces(r.text) {
		t.piece(session.AssistantMessageDelta{MessageID: message, DeltaContent: p, ParentToolCallID: w.task})
	}
	t.emit(session.AssistantMessage{
		MessageID: message, Model: w.model, Content: r.text, ToolRequests: requests(r.tools), InteractionID: interaction,
		TurnID: "0", ParentToolCallID: w.task,
	})
}

// subagentFails is the end of a sub-agent whose model cannot be reached.
func (t *turn) subagentFails(w *subagent) session.ToolExecutionComplete {
	const message = "Failed to get a response from the demo's model; retried once. It failed on purpose."
	t.emit(session.AssistantTurnRetry{TurnID: "0", Model: w.model, Reason: "api_error"})
	t.wait(40)
	t.emit(
		session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.task},
		session.SessionError{ErrorType: "query", StatusCode: 500, Message: message},
		session.SubagentFailed{
			ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, Error: message, Model: w.model,
			TotalToolCalls: w.tools, DurationMs: float64(t.s.cfg.Now().Sub(w.began).Milliseconds()),
		},
	)
	return failure("failure", message)
}
