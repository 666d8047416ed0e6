package demo

import (
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// worker is a sub-agent at work for a tool call.
type worker struct {
	id      session.AgentID
	task    session.CallID
	name    string
	model   string
	began   time.Time
	tools   int // calls so far
	outcome string
	started bool // its start was told, and its end must be
}

// call is the tool call that a worker works for; "" for the root agent.
func (w *worker) call() session.CallID {
	if w == nil {
		return ""
	}
	return w.task
}

// ended is how a worker that did not fail ends.
func (w *worker) ended(now time.Time, cancelled bool) session.SubagentCompleted {
	return session.SubagentCompleted{
		ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, Model: w.model, Cancelled: cancelled,
		TotalToolCalls: w.tools, TotalTokens: tokens(len(w.outcome)) + 200*w.tools, DurationMs: float64(now.Sub(w.began).Milliseconds()),
	}
}

// delegate is the work of a sub-agent for a call.
func (t *turn) delegate(c *tool, spec agentSpec) (session.ToolExecutionComplete, error) {
	w := &worker{
		id: session.AgentID(uuid.NewString()), task: c.id, name: spec.Name, model: t.s.currentModel(), began: t.s.cfg.Now(), outcome: spec.Answer,
	}
	t.worker = w
	complete, err := t.work(w, c.intention, spec)
	if err != nil {
		return complete, err // the worker stays, so that interrupted can tell its end
	}
	t.worker = nil
	return complete, nil
}

// work is delegate, told in the name of the sub-agent.
func (t *turn) work(w *worker, description string, spec agentSpec) (session.ToolExecutionComplete, error) {
	interaction := uuid.NewString()
	err := t.emit(session.SubagentStarted{
		ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, AgentDescription: description,
		Model: w.model, AgentType: "explore", ExecutionMode: "sync",
	})
	if err != nil {
		return session.ToolExecutionComplete{}, err
	}
	w.started = true
	err = t.emit(
		session.SubagentConfigured{Model: w.model},
		session.UserMessage{
			Content: spec.Prompt, MessageID: session.MessageID(uuid.NewString()), Source: "agent-" + string(t.s.info.ID),
			Delivery: session.DeliveredIdle, TurnID: "0", InteractionID: interaction,
		},
		session.AssistantTurnStart{TurnID: "0", Model: w.model, InteractionID: interaction, ParentToolCallID: w.task},
		instruct("You are a sub-agent of Parley's demo. No model reads this: a script looks around and answers.\n"),
	)
	if err != nil {
		return session.ToolExecutionComplete{}, err
	}
	if err := t.s.wait(t.ctx, 30); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	for _, c := range t.toolsNamed(spec.Tools) {
		w.tools++
		if err := t.workerSays(w, interaction, reply{tools: []*tool{c}}); err != nil {
			return session.ToolExecutionComplete{}, err
		}
		if err := t.use([]*tool{c}); err != nil {
			return session.ToolExecutionComplete{}, err
		}
		if err := t.s.wait(t.ctx, 30); err != nil {
			return session.ToolExecutionComplete{}, err
		}
	}
	if w.outcome == "" {
		return t.workerFails(w)
	}
	return t.workerAnswers(w, interaction)
}

// workerAnswers is the end of a sub-agent that succeeds.
func (t *turn) workerAnswers(w *worker, interaction string) (session.ToolExecutionComplete, error) {
	if err := t.workerSays(w, interaction, reply{text: w.outcome}); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	return success(w.outcome), t.emit(
		session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.task},
		w.ended(t.s.cfg.Now(), false),
	)
}

// workerSays is a model call of a sub-agent.
func (t *turn) workerSays(w *worker, interaction string, line reply) error {
	r := t.s.infer(w.id, line)
	message := session.MessageID(uuid.NewString())
	if r.text != "" {
		if err := t.emit(session.AssistantMessageStart{MessageID: message}); err != nil {
			return err
		}
	}
	for _, p := range pieces(r.text) {
		delta := session.AssistantMessageDelta{MessageID: message, DeltaContent: p, ParentToolCallID: w.task}
		if err := t.piece(delta); err != nil {
			return err
		}
	}
	return t.emit(session.AssistantMessage{
		MessageID: message, Model: w.model, Content: r.text, ToolRequests: requests(r.tools), InteractionID: interaction,
		TurnID: "0", ParentToolCallID: w.task,
	})
}

// workerFails is the end of a sub-agent whose model cannot be reached.
func (t *turn) workerFails(w *worker) (session.ToolExecutionComplete, error) {
	const message = "Failed to get a response from the demo's model; retried once. It failed on purpose."
	if err := t.emit(session.AssistantTurnRetry{TurnID: "0", Model: w.model, Reason: "api_error"}); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	if err := t.s.wait(t.ctx, 40); err != nil {
		return session.ToolExecutionComplete{}, err
	}
	return failure("failure", message), t.emit(
		session.AssistantTurnEnd{TurnID: "0", Model: w.model, ParentToolCallID: w.task},
		session.SessionError{ErrorType: "query", StatusCode: 500, Message: message},
		session.SubagentFailed{
			ToolCallID: w.task, AgentName: "explore", AgentDisplayName: w.name, Error: message, Model: w.model,
			TotalToolCalls: w.tools, DurationMs: float64(t.s.cfg.Now().Sub(w.began).Milliseconds()),
		},
	)
}
