package telemetry

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"parley/session"
)

// chat is a call of the model that has ended and whose answer is to come.
type chat struct {
	span   *span
	ended  time.Time
	finish string
}

// compaction is a summary that is being made.
type compaction struct {
	span  *span
	model string
}

// milliseconds is a duration as the wire has it; one that cannot be is none.
func milliseconds(ms float64) time.Duration {
	if ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	return 0
}

// beginChat begins a call of the model, in the turn of an agent if it has one.
func (p *projection) beginChat(a *agent, model string, at time.Time, more attrs) *span {
	more = append(attrs{}.id(semconv.GenAIAgentIDKey, string(a.id)), more...)
	return p.beginCallOf(model, a.currentSpan(), at, more)
}

func (p *projection) beginCallOf(named string, parent *span, at time.Time, more attrs) *span {
	name := strings.TrimSpace("chat " + safeModelName(named))
	return p.beginSpan(parent, name, trace.SpanKindClient, at, append(p.modelAttributes(named), more...))
}

// modelAttributes are the attributes of a model call that its measurements have too.
func (p *projection) modelAttributes(model string) attrs {
	return attrs{semconv.GenAIOperationNameChat, semconv.GenAIProviderNameKey.String(p.provider)}.
		model(semconv.GenAIRequestModelKey, model)
}

// endFailedChat ends a call of the model that did not succeed.
func (p *projection) endFailedChat(a *agent, s *span, model string, at time.Time, failed, detail, outcome string) {
	seconds := p.endSpan(s, at, failed, detail, outcome)
	p.measure(s, operationDuration, seconds, p.modelAttributes(model).failed(failed))
	if a.turn != nil {
		a.turn.calledAt = at
	}
}

// usage is a call of the model that succeeded: it ends now, and began as long
// ago as it says.
func (p *projection) usage(ev session.Event, u session.AssistantUsage) {
	p.provider = provider(u.IsBYOK, u.Extra, p.provider)
	a := p.ensureRunning(ev.Agent, u.ParentToolCallID)
	p.closeChat(a)
	s := p.beginChat(a, u.Model, p.now.Add(-milliseconds(u.Duration)), nil)
	as := attrs{}.model(semconv.GenAIResponseModelKey, u.Model).id(semconv.GenAIResponseIDKey, u.APICallID).
		count(semconv.GenAIUsageInputTokensKey, u.InputTokens).count(semconv.GenAIUsageOutputTokensKey, u.OutputTokens).
		count(semconv.GenAIUsageCacheReadInputTokensKey, u.CacheReadTokens).
		count(semconv.GenAIUsageCacheCreationInputTokensKey, u.CacheWriteTokens).
		count(semconv.GenAIUsageReasoningOutputTokensKey, u.ReasoningTokens).
		amount(semconv.GenAIResponseTimeToFirstChunkKey, u.TimeToFirstTokenMs/1000).
		amount(keyCost, u.Cost).id(keyInitiator, u.Initiator)
	if u.FinishReason != "" {
		as = append(as, semconv.GenAIResponseFinishReasons(safeIdentifier(u.FinishReason)))
	}
	nano := 0.0
	if u.CopilotUsage != nil {
		nano = u.CopilotUsage.TotalNanoAIU
	}
	s.describe(as.amount(keyNanoAIU, nano).text(p.content, semconv.GenAIInputMessagesKey, encode(a.newInput)))
	a.newInput = nil
	a.input, a.output, a.cost, a.nanoAIU, a.model = a.input+u.InputTokens, a.output+u.OutputTokens, a.cost+u.Cost, a.nanoAIU+nano, u.Model
	a.span.describe(attrs{semconv.GenAIProviderNameKey.String(p.provider)})
	p.measureUsage(s, u, nano)
	c := &chat{span: s, ended: p.now, finish: u.FinishReason}
	if a.turn == nil {
		p.endSpan(s, c.ended, "", "", "")
		return
	}
	a.turn.chat, a.turn.calledAt, a.turn.failureReported = c, p.now, false
}

// measureUsage records what a call took.
func (p *projection) measureUsage(s *span, u session.AssistantUsage, nano float64) {
	as := p.modelAttributes(u.Model).model(semconv.GenAIResponseModelKey, u.Model)
	p.measureTokens(s, as, u.InputTokens, u.OutputTokens)
	p.measure(s, operationDuration, milliseconds(u.Duration).Seconds(), as)
	p.measureIfAny(s, timeToFirstChunk, u.TimeToFirstTokenMs/1000, as)
	p.measureIfAny(s, cost, u.Cost, as)
	p.measureIfAny(s, nanoAIU, nano, as)
}

func (p *projection) measureTokens(s *span, as attrs, input, output int) {
	p.measureIfAny(s, tokenUsage, float64(input), append(slices.Clone(as), semconv.GenAITokenTypeInput))
	p.measureIfAny(s, tokenUsage, float64(output), append(slices.Clone(as), semconv.GenAITokenTypeOutput))
}

// provider is who runs the model: a key of one's own names its provider.
func provider(own bool, more jsontext.Value, before string) string {
	if !own {
		return before
	}
	var named struct {
		Type string `json:"providerType"`
	}
	if json.Unmarshal(more, &named) != nil {
		return before
	}
	switch named.Type {
	case "openai", "anthropic":
		return named.Type
	case "azure":
		return semconv.GenAIProviderNameAzureAIOpenAI.Value.AsString()
	}
	return before
}

// modelOutput is what the model said in its last call.
func (p *projection) modelOutput(ev session.Event, m session.AssistantMessage) {
	if m.TurnID == "" && len(m.ToolRequests) > 0 && m.Model == "" {
		p.ensureRunning(ev.Agent, m.ParentToolCallID) // the runtime continues in the name of the model
		return
	}
	a := p.agents[ev.Agent]
	if !a.running() {
		return
	}
	if p.content {
		a.lastOutput = m.Content
	}
	if a.turn != nil && a.turn.chat != nil {
		a.turn.chat.span.describe(attrs{}.text(p.content, semconv.GenAIOutputMessagesKey, p.encodeOutput(m, a.turn.chat.finish)))
		p.closeChat(a)
	}
}

// closeChat ends the call of the model that an agent made last. It ended when
// its usage was reported, not when its answer came.
func (p *projection) closeChat(a *agent) {
	if a.turn == nil || a.turn.chat == nil {
		return
	}
	p.endSpan(a.turn.chat.span, a.turn.chat.ended, "", "", "")
	a.turn.chat = nil
}

// callFailure is an attempt to call the model that failed.
func (p *projection) callFailure(ev session.Event, f session.ModelCallFailure) {
	p.provider = provider(f.IsBYOK, f.Extra, p.provider)
	a := p.ensureRunning(ev.Agent, f.ParentToolCallID)
	class := cmp.Or(httpClass(f.StatusCode), f.ErrorCode, f.FailureKind, otherError)
	from := p.now.Add(-milliseconds(f.DurationMs))
	if f.DurationMs == 0 && a.turn != nil {
		from = a.turn.calledAt
	}
	p.failedChat(a, f.Model, from, class, f.ErrorMessage, attrs{}.count(keyAttempt, f.RetryAttempt))
	if a.turn != nil {
		a.turn.failureReported = true
	}
}

// failedChat is a call of the model that failed.
func (p *projection) failedChat(a *agent, model string, from time.Time, class, detail string, more attrs) {
	p.closeChat(a)
	p.endFailedChat(a, p.beginChat(a, model, from, more), model, p.now, class, detail, "")
}

// retry says that the model is called again. If the attempt that failed was
// not reported, this is its trace.
func (p *projection) retry(ev session.Event, r session.AssistantTurnRetry) {
	a := p.agents[ev.Agent]
	if a == nil || a.turn == nil {
		return
	}
	if !a.turn.failureReported {
		p.failedChat(a, r.Model, a.turn.calledAt, cmp.Or(r.Reason, otherError), "", nil)
	}
	a.turn.failureReported, a.turn.calledAt = false, p.now
	p.addEvent(ev.Agent, "parley.retry", attrs{}.id(keyRetry, r.Reason))
}

// compactionStart begins a call of the model that summarises the history.
func (p *projection) compactionStart(c session.SessionCompactionStart) {
	if old := p.compactions[c.CompactionAttemptID]; old != nil {
		p.endSpan(old.span, p.now, "", "", unfinished)
	}
	a := attrs{}.id(keyInitiator, "compaction").id(keyTrigger, c.Trigger).count(keyTokenLimit, c.TokenLimit)
	p.compactions[c.CompactionAttemptID] = &compaction{p.beginCallOf(c.Model, p.parentSpan(callID{}), p.now, a), c.Model}
}

// compactionEnd ends it.
func (p *projection) compactionEnd(c session.SessionCompactionComplete) {
	made := p.compactions[c.CompactionAttemptID]
	if made == nil {
		return
	}
	delete(p.compactions, c.CompactionAttemptID)
	as := attrs{keySuccess.Bool(c.Success), semconv.GenAIProviderNameKey.String(p.provider)}.
		count(keyPreTokens, c.PreCompactionTokens).count(keyPostTokens, c.PostCompactionTokens).
		count(keyTokensRemoved, c.TokensRemoved).count(keyMessagesRemoved, c.MessagesRemoved).model(semconv.GenAIResponseModelKey, c.Model).
		text(p.content, semconv.GenAIOutputMessagesKey, p.encodeMessage("assistant", "stop", textPart(c.SummaryContent)))
	measured := p.modelAttributes(made.model)
	if c.CompactionTokensUsed != nil {
		used := c.CompactionTokensUsed.Usage()
		as = as.count(semconv.GenAIUsageInputTokensKey, used.InputTokens).count(semconv.GenAIUsageOutputTokensKey, used.OutputTokens).
			count(semconv.GenAIUsageCacheReadInputTokensKey, used.CacheReadTokens)
		p.measureTokens(made.span, measured, used.InputTokens, used.OutputTokens)
	}
	made.span.describe(as)
	failed, outcome := "", ""
	switch {
	case c.Outcome == cancelled:
		outcome = cancelled
	case !c.Success:
		failed = cmp.Or(httpClass(c.StatusCode), otherError)
	}
	seconds := p.endSpan(made.span, p.now, failed, c.Error, outcome)
	p.measure(made.span, operationDuration, seconds, measured.failed(failed))
}
