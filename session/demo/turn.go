package demo

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

var (
	errRefused = errors.New("refused without a word: the turn ends") // as the runtime does
	errFailed  = errors.New("the model failed: the turn has ended")
)

// turn is the work on one prompt: a run of model calls, each a turn in the
// runtime's sense.
type turn struct {
	s           *Session
	ctx         context.Context // cancelled by an abort and at the end
	prompt      local.Prompt
	interaction string
	calls       int // model calls so far
	began       time.Time
	named       [][]step // the scenes that steering has named, which come next

	open      bool                         // a model call has begun and not ended
	streaming bool                         // and some of it was shown
	tools     []*tool                      // what runs
	question  *session.PermissionRequested // that is open
	subagent  *subagent                    // the sub-agent that works
}

// stopped is what a turn panics with, from wherever it is, when there is no more
// to do for the prompt: run returns its error. So nothing is done any more once the
// user has stopped it.
type stopped struct{ err error }

// run does the work on a prompt. An error says what stopped it.
func (t *turn) run(work func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = r.err
		default:
			panic(r) // a mistake
		}
	}()
	work()
	return nil
}

// must stops the turn with an error.
func (t *turn) must(err error) {
	if err != nil {
		panic(stopped{err})
	}
}

// emit sends events of the turn, or of the sub-agent that works in it.
func (t *turn) emit(bodies ...session.Body) { t.must(t.send(bodies...)) }

// send is emit for a goroutine of its own, which must not stop the turn.
func (t *turn) send(bodies ...session.Body) error {
	agent := session.AgentID("")
	if t.subagent != nil {
		agent = t.subagent.agent
	}
	for _, b := range bodies {
		if err := t.s.Log.Stream(t.ctx, agent, b); err != nil {
			return err
		}
	}
	return nil
}

// wait pauses for some paces.
func (t *turn) wait(paces int) { t.must(t.s.wait(t.ctx, paces)) }

// wait pauses for some paces of the current model.
func (s *Session) wait(ctx context.Context, paces int) error {
	d := s.cfg.Pace * time.Duration(paces)
	if s.currentModel() == Slow {
		d *= slowness
	}
	return local.Pause(ctx, d)
}

// id is the runtime's name of the current model call: it counts from 0.
func (t *turn) id() string { return strconv.Itoa(t.calls) }

func (t *turn) userMessage(w local.Prompt, delivery session.MessageDelivery) session.UserMessage {
	m := w.Message(delivery, cmp.Or(w.Input.Mode, t.s.currentMode()))
	m.TurnID, m.InteractionID = t.id(), t.interaction
	return m
}

// start begins a model call: what was said meanwhile goes in first, but not
// beside the prompt that is to be answered.
func (t *turn) start() {
	t.emit(session.AssistantTurnStart{TurnID: t.id(), Model: t.s.currentModel(), InteractionID: t.interaction})
	t.open, t.streaming = true, false
	t.instruct()
	t.emit(t.s.usage(t.calls == 0))
	if t.calls == 0 {
		return
	}
	t.s.Mu.Lock()
	steering := t.s.Steering
	t.s.Steering = nil
	t.s.Mu.Unlock()
	for _, w := range steering {
		t.emit(session.PendingMessagesModified{}, t.userMessage(w, session.DeliveredSteering))
		if steps, ok := scenes().asked(local.FirstLine(w.Input.Prompt)); ok {
			t.named = append(t.named, steps)
		}
	}
}

// instruct gives the model its instructions, if they are others than before.
func (t *turn) instruct() {
	if text := t.s.instructions(); text != t.s.record.now().instructions() {
		t.emit(instruct(text))
	}
}

// finish ends a model call.
func (t *turn) finish() {
	t.emit(session.AssistantTurnEnd{TurnID: t.id(), Model: t.s.currentModel()})
	t.open = false
	t.calls++
}

// call is one model call: it streams the reply and runs its tools.
func (t *turn) call(line reply) {
	t.start()
	t.respond(line)
}

// infer is what the model answers.
func (t *turn) infer(line reply) reply {
	line.opens = t.calls == 0
	return t.s.infer("", line)
}

// respond is what follows when the model, called, replies.
func (t *turn) respond(line reply) {
	r := t.infer(line)
	reasoning := session.ReasoningID(uuid.NewString())
	message := session.MessageID(uuid.NewString())
	began := t.s.cfg.Now()
	t.stream(reasoning, message, r)
	model := t.s.currentModel()
	usage := t.s.usage(false)
	used := session.AssistantUsage{
		Model: model, ModelDisplayName: model, InputTokens: usage.CurrentTokens, OutputTokens: tokens(len(r.text)),
		CacheReadTokens: usage.SystemTokens, ReasoningTokens: tokens(len(r.reasoning)),
		Duration: float64(t.s.cfg.Now().Sub(began).Milliseconds()),
	}
	t.s.account(used)
	t.emit(used)
	t.s.Log.Store(session.SessionUsageRecord{Usage: encoded(used)}) // in another form than it is sent (docs/protocol.md, section 9)
	t.emit(session.AssistantMessage{
		MessageID: message, OriginatingMessageID: t.prompt.ID, Model: model, Content: r.text,
		ToolRequests: requests(r.tools), ReasoningText: r.reasoning, OutputTokens: tokens(len(r.text)),
		InteractionID: t.interaction, TurnID: t.id(),
	})
	if r.reasoning != "" {
		t.emit(session.AssistantReasoning{ReasoningID: reasoning, Content: r.reasoning})
	}
	t.streaming = false
	t.use(r.tools)
	t.finish()
}

// stream shows a reply piece by piece.
func (t *turn) stream(reasoning session.ReasoningID, message session.MessageID, r reply) {
	t.wait(10)
	t.streaming = true
	for _, p := range pieces(r.reasoning) {
		t.piece(session.AssistantReasoningDelta{ReasoningID: reasoning, DeltaContent: p})
	}
	if r.text != "" {
		t.emit(session.AssistantMessageStart{MessageID: message})
	}
	for _, p := range pieces(r.text) {
		t.piece(session.AssistantMessageDelta{MessageID: message, DeltaContent: p})
	}
	for _, c := range r.tools {
		t.piece(session.AssistantToolCallDelta{
			ToolCallID: c.id, ToolName: c.Name, ToolType: "function", InputDelta: string(c.Arguments),
		})
	}
}

func (t *turn) piece(b session.Body) {
	t.wait(1)
	t.emit(b)
}

// mostPieces bounds how long even a huge text takes to say.
const mostPieces = 800

// pieces cuts a text between words, as a model would say it.
func pieces(text string) []string {
	var cut []string
	size := len(text)/mostPieces + 1
	for text != "" {
		n := min(size, len(text))
		if next := strings.IndexAny(text[n:], " \n"); next >= 0 {
			n += next + 1
		} else {
			n = len(text)
		}
		cut = append(cut, text[:n])
		text = text[n:]
	}
	return cut
}

// interrupted says that the user stopped the turn (docs/protocol.md, section
// 4.5). The text that was being streamed is void, a running tool gets no end.
func (t *turn) interrupted() {
	what := session.AgentInterrupted{
		Activity: "model_call", Turn: t.calls, ElapsedMs: float64(t.s.cfg.Now().Sub(t.began).Milliseconds()),
		Model: t.s.currentModel(), CancelPhase: "pre_first_token",
	}
	if t.streaming {
		what.CancelPhase = "mid_stream"
	}
	if len(t.tools) > 0 {
		what.Activity, what.Model, what.CancelPhase = "tool_call", "", ""
	}
	for _, c := range t.tools {
		what.ToolNames = append(what.ToolNames, c.Name)
		what.ToolCallIDs = append(what.ToolCallIDs, c.id)
	}
	log := t.s.Log
	log.Put(session.Abort{Reason: "user_initiated"})
	log.Put(session.PendingMessagesModified{})
	if q := t.question; q != nil {
		log.Put(session.PermissionCompleted{
			RequestID: q.RequestID, ToolCallID: q.Call(),
			Result: session.PermissionResult{Kind: "cancelled", Reason: "Session aborted"},
		})
	}
	if w := t.subagent; w != nil && w.started {
		what.InterruptedAgentCount = 1
		log.PutAs(w.agent, w.ended(t.s.cfg.Now(), true))
	}
	log.Put(what)
	if t.open {
		log.Put(session.AssistantTurnEnd{TurnID: t.id()})
	}
}

// refused says that a plain refusal stopped the turn (docs/protocol.md, section
// 7.1).
func (t *turn) refused() {
	t.s.Mu.Lock()
	t.s.clear()
	t.s.Mu.Unlock()
	log := t.s.Log
	log.Put(session.AssistantTurnEnd{TurnID: t.id()})
	log.Put(session.Abort{Reason: "user_initiated"})
	log.Put(session.SessionInfo{InfoType: "cancellation", Message: "Operation cancelled by user"})
	log.Put(session.PendingMessagesModified{})
}
