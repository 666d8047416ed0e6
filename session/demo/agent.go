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

// task is a tool that runs a sub-agent. With an answer that is empty the agent
// fails.
func task(name, description, prompt, answer string, tools ...*tool) *tool {
	c := newTool("task", "", description, map[string]string{
		"name": name, "description": description, "prompt": prompt, "agent_type": "explore", "mode": "sync",
	})
	c.run = func(t *turn, c *tool) (session.ToolExecutionComplete, error) {
		w := &worker{
			id: session.AgentID(uuid.NewString()), task: c.id, name: name, model: t.s.currentModel(), began: t.s.cfg.Now(), outcome: answer,
		}
		t.worker = w
		complete, err := t.delegate(w, description, prompt, tools)
		if err != nil {
			return complete, err // the worker stays, so that interrupted can tell its end
		}
		t.worker = nil
		return complete, nil
	}
	return c
}

// delegate is the work of a sub-agent, told in its name.
func (t *turn) delegate(w *worker, description, prompt string, tools []*tool) (session.ToolExecutionComplete, error) {
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
			Content: prompt, MessageID: session.MessageID(uuid.NewString()), Source: "agent-" + string(t.s.info.ID),
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
	for _, c := range tools {
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

// scout is a sub-agent that succeeds.
func scout() *tool {
	return task("scout", "look around in the scratch folder", "Look at the files of the scratch folder and say what they are.",
		"There are four files:\n\n- `README.txt` says what the folder is\n- `notes.md` holds notes\n"+
			"- `hello.go` is a program\n- `count.sh` counts slowly\n",
		shellReading("ls", "list the scratch folder"), view("notes.md"))
}

// playAgent delegates to two sub-agents, of which one fails.
func (t *turn) playAgent() error {
	if err := t.call(reply{
		text: "I delegate to two **sub-agents**. What they do shows in the line of the call that runs them; the second will fail.",
		tools: []*tool{
			scout(),
			task("pessimist", "fail on purpose", "Fail, please.", "", view("README.txt")),
		},
	}); err != nil {
		return err
	}
	return t.call(reply{text: "The first found four files, the second did not reach its model. A sub-agent that fails does not stop " +
		"me: I read why and go on."})
}
