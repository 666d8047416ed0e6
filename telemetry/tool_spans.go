package telemetry

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// callID names a call: some models count theirs from one in each conversation.
type callID struct {
	agent session.AgentID // that asked for it
	id    session.CallID
}

// call is a tool that runs.
type call struct {
	span   *span
	tool   string
	user   bool    // a user asked for it, and no turn waits for it
	waited float64 // seconds that a user was waited for
}

// question is a question that is open.
type question struct {
	at    time.Time
	agent session.AgentID
	call  session.CallID // that it is about; "" for none
	kind  session.Kind
	what  string // of a permission: what it would allow
}

// startCall begins a call of a tool, in the turn that asked for it.
func (p *projection) startCall(ev session.Event, b session.ToolExecutionStart, user bool) {
	key := callID{ev.Agent, b.ToolCallID}
	if c := p.calls[key]; c != nil {
		if c.user {
			return // it was requested before it began
		}
		p.endUnfinishedCall(key, unfinished)
	}
	var parent *span
	requested := "user"
	if !user {
		parent, requested = p.ensureRunning(ev.Agent, b.ParentToolCallID).currentSpan(), ""
	}
	tool, kind, server := safeIdentifier(b.ToolName), "function", ""
	if b.McpServerName != "" {
		kind, server = "extension", fmt.Sprintf("%x", sha256.Sum256([]byte(b.McpServerName)))
	}
	s := p.beginSpan(parent, "execute_tool "+tool, trace.SpanKindInternal, p.now,
		append(attrs{semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(tool), semconv.GenAIToolType(kind)}.
			id(semconv.GenAIToolCallIDKey, string(b.ToolCallID)).id(semconv.GenAIAgentIDKey, string(ev.Agent)).
			id(keyMCPServerHash, server).text(p.content, keyMCPServer, b.McpServerName).id(keyMCPTool, b.McpToolName).
			id(keyUser, requested),
			attrs{}.text(p.content, semconv.GenAIToolCallArgumentsKey, string(b.Arguments))...))
	p.calls[key] = &call{span: s, tool: tool, user: user}
}

// findCall returns the key of an open call with an id: the agent's own, else the
// first of any agent.
func (p *projection) findCall(agent session.AgentID, id session.CallID) callID {
	key := callID{agent, id}
	if p.calls[key] != nil || id == "" {
		return key
	}
	for _, other := range p.openCalls(func(other callID, _ *call) bool { return other.id == id }) {
		return other
	}
	return key
}

// endCall ends a call.
func (p *projection) endCall(ev session.Event, b session.ToolExecutionComplete) {
	key := callID{ev.Agent, b.ToolCallID}
	c := p.calls[key]
	if c == nil {
		return
	}
	as := attrs{}
	if b.ShellExecution != nil && b.ShellExecution.ExitCode != nil {
		as = append(as, semconv.ProcessExitCode(*b.ShellExecution.ExitCode))
	}
	result, failed, detail := "", "", ""
	if b.Result != nil {
		result = b.Result.Content
	}
	if !b.Success {
		failed = otherError
		if b.Error != nil {
			failed, detail = cmp.Or(b.Error.Code, otherError), b.Error.Message
		}
	}
	c.span.describe(as.text(p.content, semconv.GenAIToolCallResultKey, result))
	if a := p.agents[ev.Agent]; a != nil {
		p.addInput(a, "tool", part{Type: "tool_call_response", ID: string(b.ToolCallID), Response: result})
	}
	p.finishCall(key, p.now, failed, detail, "")
}

// endUnfinishedCall ends a call whose end was not reported.
func (p *projection) endUnfinishedCall(id callID, outcome string) {
	at := p.now
	if c := p.calls[id]; c != nil {
		if a := p.agents[id.agent]; a != nil && !c.user {
			at, outcome = a.ends(at, outcome)
		}
	}
	p.finishCall(id, at, "", "", outcome)
}

// finishCall ends a call, and if it did not end by itself the sub-agents that it
// ran and waited for.
func (p *projection) finishCall(id callID, at time.Time, failed, detail, outcome string) {
	c := p.calls[id]
	if c == nil {
		return
	}
	delete(p.calls, id)
	if outcome != "" && id.id != "" {
		for _, name := range slices.Sorted(maps.Keys(p.agents)) {
			if a := p.agents[name]; name != "" && a.call == id {
				if a.abortedAt.IsZero() && outcome == aborted {
					a.abortedAt = at
				}
				p.endAgent(a, outcome, "", "")
			}
		}
	}
	c.span.describe(attrs{}.amount(keyWaited, c.waited))
	tool := attrs{semconv.GenAIToolName(c.tool)}
	seconds := p.endSpan(c.span, at, failed, detail, outcome)
	p.measure(c.span, toolCount, 1, append(slices.Clone(tool), keySuccess.Bool(failed == "" && outcome == "")))
	p.measure(c.span, toolDuration, seconds, tool.failed(failed))
}

// openCalls are the calls that are meant, in the order they began.
func (p *projection) openCalls(meant func(callID, *call) bool) []callID {
	var ids []callID
	for id, c := range p.calls {
		if meant(id, c) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(x, y callID) int { return p.calls[x].span.number - p.calls[y].span.number })
	return ids
}

// maxQuestions is how many questions are open before it is clear that their answers are
// not reported.
const maxQuestions = 256

// questionAsked notes that a question is open. What is answered by a rule is closed at
// once.
func (p *projection) questionAsked(ev session.Event, ask session.Ask) {
	q := &question{at: p.now, agent: ev.Agent, kind: session.KindOf(ask)}
	switch b := ask.(type) {
	case session.PermissionRequested:
		q.call, q.what = b.Call(), b.PermissionRequest.Kind
	case session.UserInputRequested:
		q.call = b.ToolCallID
	case session.ElicitationRequested:
		q.call = b.ToolCallID
	case session.ExitPlanModeRequested:
		q.call = b.ToolCallID
	}
	if len(p.questions) >= maxQuestions {
		clear(p.questions)
	}
	p.questions[ask.Request()] = q
}

// questionAnswered records what came of a question and how long it was open, on the call
// that it is about.
func (p *projection) questionAnswered(answer session.Resolved) {
	q := p.questions[answer.Resolves()]
	if q == nil {
		return
	}
	delete(p.questions, answer.Resolves())
	waited := max(p.now.Sub(q.at), 0).Seconds()
	name, asked, completed := "parley.question", attrs{}.id(keyQuestion, string(q.kind)), attrs{}.id(keyQuestion, string(q.kind))
	if done, ok := answer.(session.PermissionCompleted); ok {
		q.call = cmp.Or(q.call, done.ToolCallID)
		name, asked = "github.copilot.permission", attrs{}.id(keyPermission, q.what)
		completed = slices.Clone(asked).id(keyResult, done.Result.Kind)
	}
	completed = append(completed, keyWaited.Float64(waited))
	var about *span
	if c := p.calls[p.findCall(q.agent, q.call)]; c != nil && q.call != "" {
		about = c.span
		c.waited += waited
		completed = append(completed, semconv.GenAIToolCallID(safeIdentifier(string(q.call))))
	} else {
		about = p.agents[q.agent].currentSpan()
	}
	p.measure(about, waitDuration, waited, asked)
	if about != nil {
		about.add(notice{name + ".requested", q.at, asked})
		about.add(notice{name + ".completed", p.now, completed})
	}
}
