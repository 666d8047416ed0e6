package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
	"parley/session/modelview"
)

var errCompactionCancelled = errors.New("compaction was cancelled")

// compaction is a request to summarise the history.
type compaction struct {
	ctx          context.Context // of the caller
	instructions string
	done         chan error // holds one
}

// Compact implements session.Compacter. It waits for a running turn to end.
func (s *Session) Compact(ctx context.Context, instructions string) error {
	c := &compaction{ctx: ctx, instructions: instructions, done: make(chan error, 1)}
	if weigh(s.Log.Messages("")).messages == 0 {
		return errors.New("compact the history: there is nothing to compact")
	}
	s.Mu.Lock()
	s.Waiting = append(s.Waiting, local.Prompt{Work: c})
	s.Mu.Unlock()
	local.TrySignal(s.Wake)
	err := local.ErrClosed
	select {
	case err = <-c.done:
	case <-ctx.Done():
		err = ctx.Err()
	case <-s.Life.Over():
	}
	if err != nil {
		return fmt.Errorf("compact the history: %w", err)
	}
	return nil
}

// summarise is what run does for Compact.
func (s *Session) summarise(ctx context.Context, c *compaction) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	usage := s.usage(false)
	attempt := uuid.NewString()
	s.Log.Put(session.SessionCompactionStart{
		CompactionAttemptID: attempt, Model: s.currentModel(), Trigger: "manual", TokenLimit: usage.TokenLimit,
		CurrentTokens: usage.CurrentTokens, SystemTokens: usage.SystemTokens, ConversationTokens: usage.ConversationTokens,
	})
	complete := session.SessionCompactionComplete{
		CompactionAttemptID: attempt, Trigger: "manual", CustomInstructions: c.instructions, Model: s.currentModel(),
		PreCompactionTokens: usage.CurrentTokens, PreCompactionMessagesLength: usage.MessagesLength,
	}
	if s.wait(ctx, 20) != nil {
		complete.Outcome, complete.Error = "cancelled", "Compaction Cancelled"
		s.Log.Put(complete)
		return errCompactionCancelled
	}
	r := s.infer("", reply{opens: true, say: scenes().Texts["summary"]}, sideMessage("Summarise the conversation. "+c.instructions))
	complete.Success, complete.Outcome, complete.SummaryContent = true, "applied", r.text
	complete.MessagesRemoved = usage.MessagesLength
	complete.PostCompactionTokens = weigh(s.record.now().after(complete)).total()
	complete.TokensRemoved = max(0, complete.PreCompactionTokens-complete.PostCompactionTokens)
	s.Log.Put(complete)
	s.Log.Put(s.usage(false))
	return nil
}

// after is what the model would see after something else.
func (k sessionData) after(b session.Body) []modelview.Message {
	view := modelview.New()
	for _, ev := range append(k.events, session.Event{Body: b}) {
		view.Apply(ev)
	}
	return view.Messages()
}
