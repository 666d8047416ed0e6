package sse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// turn is one request and its answer.
type turn struct {
	s       *Session
	ctx     context.Context // cancelled by an abort, with errAborted as its cause
	asked   session.MessageID
	message session.MessageID
	began   time.Time

	reasoningID session.ReasoningID
	started     bool // text was streamed
	first       time.Duration
	text        strings.Builder
	reasoning   strings.Builder
	calls       []*call
	references  session.References
	usage       *usage
	model       string
	finish      string // why the model stopped; "" if it is not known
	ended       bool   // the agent said that this is all
	malformed   int    // pieces that could not be read
	size        int64  // bytes of the texts
	extras      int    // references, errors and questions
	pieces      bool   // of a message came, whatever was in them

	// remarks are the errors and warnings that came with the answer. They are put
	// after it, so that the log has them where the user saw them.
	remarks []session.Body
}

// call is a tool call of the agent as it comes in pieces.
type call struct {
	id        session.CallID
	name      string
	arguments strings.Builder
}

// answer makes the request, again where the agent says when, and reports what came
// of it. What came before a failure is shown and marked.
func (t *turn) answer() {
	err := t.attempts()
	if err == nil {
		err = t.complete()
	}
	t.report(err)
	var f *fault
	switch {
	case err == nil || errors.Is(err, errAborted) || t.s.Life.Err() != nil:
	case errors.As(err, &f):
		f.OriginatingMessageID = t.asked
		t.s.Log.Put(f.SessionError)
	default:
		t.s.Log.Put(t.s.client.unreachable(err, t.asked))
	}
}

// complete says what is wrong with an answer that ended by itself.
func (t *turn) complete() error {
	over := t.ended || t.finish != ""
	switch {
	case t.finish == "length":
		t.warn("length", "The answer was cut off: it has reached the most tokens that it may have.")
	case !over && t.s.cfg.Protocol == OpenAI && (t.said() || t.pieces):
		return brokenOff("The connection ended before the answer did.")
	case !over && !t.pieces && t.extras == 0:
		return failure("The agent sent no answer.")
	case strings.TrimSpace(t.text.String()) == "" && len(t.calls) == 0 && t.extras == 0:
		t.warn("empty_answer", "The agent's answer is empty.")
	}
	return nil
}

// warn notes a warning about the answer.
func (t *turn) warn(kind, message string) {
	t.remarks = append(t.remarks, session.SessionWarning{WarningType: kind, Message: message, OriginatingMessageID: t.asked})
}

// remark puts what is to be said after the answer.
func (t *turn) remark() {
	if t.malformed > 1 {
		t.warn("stream", fmt.Sprintf("%d pieces of the answer could not be read and were left out.", t.malformed))
	}
	for _, b := range t.remarks {
		if e, ok := b.(session.AgentError); ok {
			e.About = t.named(e.Identifier)
			b = e
		}
		t.s.Log.Put(b)
	}
}

// said reports whether anything of the answer came.
func (t *turn) said() bool {
	return t.text.Len() > 0 || t.reasoning.Len() > 0 || len(t.calls) > 0
}

// report reports the answer as far as it came, and what was remarked on it.
func (t *turn) report(err error) {
	defer t.remark()
	if err != nil && !t.said() {
		return
	}
	took := t.s.Now().Sub(t.began)
	model := cmp.Or(t.model, t.s.currentModel())
	used := session.AssistantUsage{
		Model: model, Duration: milliseconds(took), TimeToFirstTokenMs: milliseconds(t.first), FinishReason: t.finish,
		APIEndpoint: t.s.client.id, Transport: "http",
	}
	m := session.AssistantMessage{
		MessageID: t.message, OriginatingMessageID: t.asked, Model: model, Content: t.text.String(),
		ReasoningText: t.reasoning.String(), ToolRequests: t.requests(), TurnID: "0",
	}
	if u := t.usage; u != nil {
		used.InputTokens, used.OutputTokens = u.Prompt, u.Completion
		used.CacheReadTokens, used.ReasoningTokens = u.PromptDetails.Cached, u.CompletionDetails.Reasoning
		m.OutputTokens = u.Completion
	}
	if err != nil || t.finish == "length" {
		m.Phase = session.PhaseCutOff
	}
	t.s.Log.Put(used)
	if t.said() || len(t.references.Items) > 0 {
		t.s.Log.Put(m)
	}
	for _, r := range m.ToolRequests {
		t.s.Log.Put(session.ToolExecutionComplete{
			ToolCallID: r.ToolCallID, Success: true, Result: &session.ToolResult{Content: noResult}, TurnID: "0",
		})
	}
	if len(t.references.Items) > 0 {
		t.references.MessageID = t.message
		t.s.Log.Put(t.references)
	}
}

// noResult is what there is of a call that the agent made: what came of it, the
// agent alone knows. It also is the result that an endpoint wants for each call.
const noResult = "The agent made this call. Parley runs no tools for it, so it has no result here."

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// mostAttempts is how often a request is made that the agent cannot take now.
const mostAttempts = 5

// infoRetry is the remark about the next attempt, which the timeline counts down.
const infoRetry = "model_retry"

// attempts makes the request until the agent takes it. One that it did not take,
// and of which it says when it will, is made again then.
func (t *turn) attempts() error {
	for n := 1; ; n++ {
		err := t.attempt()
		var b *busy
		switch {
		case !errors.As(err, &b):
			return err
		case n == mostAttempts || b.after > t.s.cfg.Limits.Wait:
			return b.fault()
		}
		t.s.Log.Put(
			session.ModelCallFailure{
				Model: t.s.currentModel(), StatusCode: b.status, RetryAttempt: n - 1, FailureKind: "api", APIEndpoint: t.s.client.id,
				ErrorMessage: b.message,
			},
			session.SessionInfo{InfoType: infoRetry, Message: fmt.Sprintf("%s Retrying in %d s", b, int(math.Ceil(b.after.Seconds())))},
		)
		if err := local.Pause(t.ctx, b.after); err != nil {
			return err
		}
	}
}

// attempt makes the request once and reads the answer.
func (t *turn) attempt() error {
	content, err := t.s.request()
	if err != nil {
		return err
	}
	resp, err := t.s.client.send(t.ctx, http.MethodPost, "/chat/completions", content)
	if err != nil {
		return err
	}
	defer resp.close()
	if resp.StatusCode != http.StatusOK {
		return t.s.client.refused(resp)
	}
	return t.read(resp)
}

// wrote notes that something of the answer came, and ends one that has no end.
func (t *turn) wrote(text string) error {
	if t.first == 0 {
		t.first = max(t.s.Now().Sub(t.began), 1)
	}
	if t.size += int64(len(text)); t.size > t.s.cfg.Limits.Body {
		return brokenOff(fmt.Sprintf("The answer is longer than %d bytes.", t.s.cfg.Limits.Body))
	}
	return nil
}

// countExtra counts what comes with the text, which is limited.
func (t *turn) countExtra() error {
	if t.extras++; t.extras > mostItems {
		return errors.New("there are too many")
	}
	return nil
}

// say streams text.
func (t *turn) say(text string) error {
	if text == "" {
		return nil
	}
	if err := t.wrote(text); err != nil {
		return err
	}
	if !t.started {
		t.started = true
		if err := t.s.Log.Stream(t.ctx, "", session.AssistantMessageStart{MessageID: t.message}); err != nil {
			return err
		}
	}
	if err := t.s.Log.Stream(t.ctx, "", session.AssistantMessageDelta{MessageID: t.message, DeltaContent: text}); err != nil {
		return err
	}
	t.text.WriteString(text)
	return nil
}

// think streams reasoning.
func (t *turn) think(text string) error {
	if text == "" {
		return nil
	}
	if err := t.wrote(text); err != nil {
		return err
	}
	if t.reasoningID == "" {
		t.reasoningID = session.ReasoningID(uuid.NewString())
	}
	if err := t.s.Log.Stream(t.ctx, "", session.AssistantReasoningDelta{ReasoningID: t.reasoningID, DeltaContent: text}); err != nil {
		return err
	}
	t.reasoning.WriteString(text)
	return nil
}
