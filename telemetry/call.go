package telemetry

import (
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
	span   spanID
	tool   string
	user   bool    // a user asked for it, and no turn waits for it
	waited float64 // seconds that a user was waited for
}

// ask is a question that is open.
type ask struct {
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
			return // it was told to be wanted before it was told to begin
		}
		p.dropCall(key, unfinished)
	}
	parent, requested := spanID(0), "user"
	if !user {
		parent, requested = p.working(ev.Agent, b.ParentToolCallID).doing(p.open), ""
	}
	tool, kind, server := plain(b.ToolName), "function", ""
	if b.McpServerName != "" {
		kind, server = "extension", fmt.Sprintf("%x", sha256.Sum256([]byte(b.McpServerName)))
	}
	id := p.beginSpan(parent, "execute_tool "+tool, trace.SpanKindInternal, p.now,
		append(attrs{semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(tool), semconv.GenAIToolType(kind)}.
			id(semconv.GenAIToolCallIDKey, string(b.ToolCallID)).id(semconv.GenAIAgentIDKey, string(ev.Agent)).
			id(keyMCPServerHash, server).text(p.content, keyMCPServer, b.McpServerName).id(keyMCPTool, b.McpToolName).
			id(keyUser, requested),
			attrs{}.text(p.content, semconv.GenAIToolCallArgumentsKey, string(b.Arguments))...))
	p.calls[key] = &call{span: id, tool: tool, user: user}
}

// find names an open call by its id: the agent's own, else the first of anybody.
func (p *projection) find(agent session.AgentID, id session.CallID) callID {
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
			detail = b.Error.Message
			if b.Error.Code != "" {
				failed = b.Error.Code
			}
		}
	}
	p.describe(c.span, as.text(p.content, semconv.GenAIToolCallResultKey, result))
	if a := p.agents[ev.Agent]; a != nil {
		p.remember(a, "tool", part{Type: "tool_call_response", ID: string(b.ToolCallID), Response: result})
	}
	p.leaveCall(key, p.now, failed, detail, "")
}

// dropCall ends a call of which nobody told the end.
func (p *projection) dropCall(id callID, outcome string) {
	at := p.now
	if c := p.calls[id]; c != nil {
		if a := p.agents[id.agent]; a != nil && !a.abortedAt.IsZero() && !c.user {
			at, outcome = a.abortedAt, aborted
		}
	}
	p.leaveCall(id, at, "", "", outcome)
}

// leaveCall ends a call, and if it did not end by itself the sub-agents that it
// ran and waited for.
func (p *projection) leaveCall(id callID, at time.Time, failed, detail, outcome string) {
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
	p.describe(c.span, attrs{}.amount(keyWaited, c.waited))
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
	slices.SortFunc(ids, func(x, y callID) int { return int(p.calls[x].span - p.calls[y].span) })
	return ids
}

// maxAsks is how many questions are open before it is clear that nobody tells
// what becomes of them.
const maxAsks = 256

// asked notes that a question is open. What is answered by a rule is closed at
// once.
func (p *projection) asked(ev session.Event, question session.Ask) {
	q := &ask{at: p.now, agent: ev.Agent, kind: question.Kind()}
	switch b := question.(type) {
	case session.PermissionRequested:
		q.call, q.what = b.Call(), b.PermissionRequest.Kind
	case session.UserInputRequested:
		q.call = b.ToolCallID
	case session.ElicitationRequested:
		q.call = b.ToolCallID
	case session.ExitPlanModeRequested:
		q.call = b.ToolCallID
	}
	if len(p.asks) >= maxAsks {
		clear(p.asks)
	}
	p.asks[question.Request()] = q
}

// settled tells what came of a question and how long it was open, on the call
// that it is about.
func (p *projection) settled(answer session.Resolved) {
	q := p.asks[answer.Resolves()]
	if q == nil {
		return
	}
	delete(p.asks, answer.Resolves())
	waited := max(p.now.Sub(q.at), 0).Seconds()
	name, asked, told := "parley.question", attrs{}.id(keyQuestion, string(q.kind)), attrs{}.id(keyQuestion, string(q.kind))
	if done, ok := answer.(session.PermissionCompleted); ok {
		if q.call == "" {
			q.call = done.ToolCallID
		}
		name, asked = "github.copilot.permission", attrs{}.id(keyPermission, q.what)
		told = slices.Clone(asked).id(keyResult, done.Result.Kind)
	}
	told = append(told, keyWaited.Float64(waited))
	var id spanID
	if c := p.calls[p.find(q.agent, q.call)]; c != nil && q.call != "" {
		id = c.span
		c.waited += waited
		told = append(told, semconv.GenAIToolCallID(plain(string(q.call))))
	} else if a := p.agents[q.agent]; a != nil {
		id = a.doing(p.open)
	}
	p.measure(id, waitDuration, waited, asked)
	if id == 0 {
		return
	}
	p.out = append(p.out, note{id, name + ".requested", q.at, asked}, note{id, name + ".completed", p.now, told})
}
