package timeline

import (
	"bytes"
	"cmp"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// toolCalls is the calls of tools, the sub-agents that some of them run, and the
// questions that they wait for.
type toolCalls struct {
	*turns
	pending  pendingQuestions
	external map[session.RequestID]*Entry // calls of a client's tools that it has not answered
	created  map[string]*Entry            // the notices that files were made, by path
	assets   assets

	agents map[session.AgentID]*agent
	owners map[session.CallID]*agent // by the call that runs it, and by its own calls
	made   []*agent                  // every sub-agent, in the order in which they were heard of
	failed string                    // the name of the sub-agent whose failure was shown last
}

func (t *toolCalls) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.ToolShellOutput:
		return t.shellOutput(ev, b)
	case session.ToolExecutionPartialResult:
		return t.partialResult(ev, b)
	case session.AssistantToolCallDelta:
		return t.toolCallDelta(ev, b)
	case session.ToolExecutionProgress:
		// Progress after the end is late news, and a spinner must never restart under a
		// final result.
		return t.change(ev, b.ToolCallID, func(_ *Entry, c *ToolCall) { c.Status = b.ProgressMessage })
	case session.ToolUserRequested:
		return t.toolUserRequested(ev, b)
	case session.ToolExecutionStart:
		return t.toolStart(ev, b)
	case session.ToolExecutionComplete:
		return t.toolComplete(ev, b)
	case session.ExternalToolRequested:
		return t.externalTool(ev, b)
	case session.ExternalToolCompleted:
		return t.externalToolDone(ev, b)
	case session.SessionBinaryAsset:
		return t.assets.add(b)
	}
	return Unhandled
}

// call returns the entry of a tool call. Agents name a call first in streamed
// arguments, in a message, by its start, its output or a permission question;
// whichever comes first makes the entry, and there is only one.
func (t *toolCalls) call(ev session.Event, id session.CallID) (*Entry, *ToolCall) {
	if id == "" {
		return nil, nil
	}
	key := entryID("call", string(id))
	e, ok := t.index[key]
	if !ok {
		c := &ToolCall{CallID: id, unrequested: true}
		e = t.add(ev, key, c, Live)
		t.turn.unrequested = append(t.turn.unrequested, c)
	}
	c, _ := e.Body.(*ToolCall)
	return e, c
}

// change lets an event change a call that has not ended. Later it is late news.
func (t *toolCalls) change(ev session.Event, id session.CallID, do func(e *Entry, c *ToolCall)) ApplyResult {
	e, c := t.call(ev, id)
	if e == nil || e.State.Final() {
		return Ignored
	}
	e.confirmed = true
	do(e, c)
	t.touch(e)
	return Applied
}

// toolCallDelta streams the arguments of a call that the model still writes. It
// is void until a message, or the start of the tool, confirms it.
func (t *toolCalls) toolCallDelta(ev session.Event, b session.AssistantToolCallDelta) ApplyResult {
	_, known := t.index[entryID("call", string(b.ToolCallID))]
	e, c := t.call(ev, b.ToolCallID)
	if e == nil || e.confirmed || e.State.Final() {
		return Ignored
	}
	t.runtime = true
	t.endRetries(ev)
	t.endThinking(ev)
	t.phase = calling
	if !known {
		t.turn.attempt = append(t.turn.attempt, e)
	}
	c.Name = cmp.Or(c.Name, b.ToolName)
	c.ArgumentText.Append(b.InputDelta)
	t.touch(e)
	return Applied
}

// toolRequest notes a call that a complete message asks for.
func (t *toolCalls) toolRequest(ev session.Event, r session.ToolRequest) {
	e, c := t.call(ev, r.ToolCallID)
	if e == nil || c.started && e.confirmed {
		return
	}
	e.confirmed = true
	t.addOrigin(e, ev)
	c.Name = cmp.Or(r.Name, c.Name)
	c.Title = cmp.Or(r.ToolTitle, c.Title)
	c.Intention = cmp.Or(r.IntentionSummary, c.Intention)
	c.Server = cmp.Or(r.McpServerName, c.Server)
	c.Tool = cmp.Or(r.McpToolName, c.Tool)
	c.setArguments(r.Arguments)
	t.touch(e)
}

// toolStart begins a call. After a resume that continues pending work it comes
// a second time for the same call, so it may reopen one that was cut off by the
// end of the process, but never one that has ended by itself.
func (t *toolCalls) toolStart(ev session.Event, b session.ToolExecutionStart) ApplyResult {
	e, c := t.call(ev, b.ToolCallID)
	if e == nil || c.ended || c.Answered || e.State == Refused {
		return Ignored
	}
	t.endRetries(ev)
	if !t.status.Busy { // the runtime makes calls of its own, and continues old ones
		t.becomeBusy(ev)
	}
	t.reopen(e)
	e.confirmed, c.started, e.At = true, true, ev.Time
	c.unanswered, _ = t.pending.about(e)
	t.addOrigin(e, ev)
	c.Name = cmp.Or(b.ToolName, c.Name)
	c.Title = cmp.Or(b.ToolTitle, c.Title)
	c.Server = cmp.Or(b.McpServerName, c.Server)
	c.Tool = cmp.Or(b.McpToolName, c.Tool)
	c.setArguments(b.Arguments)
	switch c.Family() {
	case session.FinishTask:
		t.turn.finish = e
	case session.LoadSkill:
		t.turn.skills = append(t.turn.skills, e)
	case session.ReadAgent, session.WriteAgent:
		nameAgent(t.agents, c)
	default:
	}
	t.touch(e)
	return Applied
}

// toolUserRequested begins a call that the user made, such as a shell command
// typed after "!". It gets no start of its own.
func (t *toolCalls) toolUserRequested(ev session.Event, b session.ToolUserRequested) ApplyResult {
	e, c := t.call(ev, b.ToolCallID)
	if e == nil || c.ended {
		return Ignored
	}
	e.confirmed, c.started, c.UserRequested = true, true, true
	e.At = ev.Time
	t.addOrigin(e, ev)
	c.Name = cmp.Or(b.ToolName, c.Name)
	c.setArguments(b.Arguments)
	t.touch(e)
	return Applied
}

// externalTool notes what a client's tool is asked to do.
func (t *toolCalls) externalTool(ev session.Event, b session.ExternalToolRequested) ApplyResult {
	return t.change(ev, b.ToolCallID, func(e *Entry, c *ToolCall) {
		t.addOrigin(e, ev)
		c.Name = cmp.Or(c.Name, b.ToolName)
		if len(c.Arguments) == 0 {
			c.setArguments(b.Arguments)
		}
		t.external[b.RequestID] = e
	})
}

// externalToolDone ends the call of a client's tool, which may get no other end.
// How it ended is not said; an end of its own may still say it.
func (t *toolCalls) externalToolDone(ev session.Event, b session.ExternalToolCompleted) ApplyResult {
	e := present(t.external[b.RequestID])
	delete(t.external, b.RequestID)
	if e == nil || e.State.Final() {
		return Ignored
	}
	if c, ok := e.Body.(*ToolCall); ok {
		c.Status, c.Answered = "", true
	}
	t.addOrigin(e, ev)
	t.seal(ev, e, Done)
	return Applied
}

// toolComplete ends a call. A call that was cut off before stays so when all
// that comes later is the runtime's remark that no result was recorded.
func (t *toolCalls) toolComplete(ev session.Event, b session.ToolExecutionComplete) ApplyResult {
	e, c := t.call(ev, b.ToolCallID)
	if e == nil || c.ended {
		return Ignored
	}
	t.endRetries(ev)
	if t.turn.key == "" || t.turn.ended { // without the start of a turn, the next call of the model begins here
		t.turn.began, t.turn.thought = nil, nil
	}
	t.addOrigin(e, ev)
	e.confirmed = true
	if c.Answered {
		e.End = time.Time{} // that was when it was answered
	}
	withTexts(&b, ev)
	if b.Result != nil {
		c.Images, c.Blocks = t.assets.blocks(b.Result)
	}
	t.endCall(ev, e, c, c.Complete(b, e.State))
	t.wrote(c)
	if c.ErrorCode == "rejected" && (c.RefusedBy == RefusedByUser || c.RefusedBy == UnknownRefuser) {
		t.turn.rejected = true
	}
	return Applied
}

// withTexts takes a plain text in place of a result, or of the error of a call that
// failed, for what that would say: some agents send one.
func withTexts(b *session.ToolExecutionComplete, ev session.Event) {
	if text := ev.TextAt("/data/result"); text != "" && b.Result == nil {
		b.Result = &session.ToolResult{Content: text}
	}
	if text := ev.TextAt("/data/error"); text != "" && b.Error == nil && !b.Success {
		b.Error = &session.ToolError{Message: text}
	}
}

// setArguments takes the complete arguments in place of the streamed ones.
func (c *ToolCall) setArguments(args jsontext.Value) {
	if len(args) > 0 && !bytes.Equal(args, jsontext.Value("null")) {
		c.Arguments = args
		c.ArgumentText.Set("")
	}
	c.describe()
}

// cancelCall ends a call that will not get an end of its own.
func (t *toolCalls) cancelCall(ev session.Event, e *Entry, c *ToolCall) {
	c.Status, c.Waiting = "", false
	t.seal(ev, e, Cancelled)
}

// cancelOpen ends everything that is open. An abort leaves what the loop does
// not wait for; the end of the process leaves nothing.
func (t *toolCalls) cancelOpen(ev session.Event, process bool) {
	for _, e := range t.open.sweep() {
		switch b := e.Body.(type) {
		case *ToolCall:
			if process || !b.outlivesTurn() {
				t.cancelCall(ev, e, b)
			}
		case *Notice:
			if e == t.retry.entry {
				b.Text, b.RetryAt = t.retry.reason, time.Time{} // it does not try again
			}
			if process || e == t.retry.entry {
				t.seal(ev, e, Cancelled)
			}
		default:
			t.seal(ev, e, Cancelled)
		}
	}
	t.turn.attempt, t.turn.thinking, t.turn.writing = nil, nil, nil
}

// seal ends an entry in a final state. A sub-agent that its call runs ends with it.
func (t *toolCalls) seal(ev session.Event, e *Entry, s State) {
	if c, ok := e.Body.(*ToolCall); ok && e.pos >= 0 {
		t.agentEnded(ev, e, c, s)
	}
	t.entryList.seal(ev, e, s)
}
