package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// run does one thing after the other until the session is closed.
func (s *Session) run() {
	for {
		select {
		case <-s.Life.Done():
			return
		case <-s.Wake:
		}
		for s.loop() {
		}
	}
}

// begin says what the session starts with.
func (s *Session) begin() {
	s.Log.Put(session.SessionStart{
		SessionID: s.About.ID, Version: 1, Producer: client, StartTime: s.cfg.Now().Format(time.RFC3339Nano),
		SelectedModel: s.About.Model, ReasoningEffort: s.effort, Context: &session.WorkingContext{Cwd: s.About.Dir},
	})
	s.Log.Put(session.SessionContextChanged{Cwd: s.About.Dir})
	s.Log.Put(session.SessionTitleChanged{Title: s.Title})
	s.Log.Put(s.usage(true))
}

// loop takes up what waits, if anything does, and continues until the agent is
// idle again. It reports whether something may be waiting still.
func (s *Session) loop() bool {
	ctx, cancel := context.WithCancel(s.Life)
	defer cancel()
	w, ok := s.next(ctx, cancel, false)
	if !ok {
		return false
	}
	if c, ok := w.Work.(*compaction); ok {
		c.done <- s.summarise(ctx, c)
		s.rest()
		return true
	}
	idle := session.AssistantIdle{}
	for delivery := session.DeliveredIdle; ok; delivery = session.DeliveredQueued {
		err := s.answer(ctx, w, delivery)
		if s.Life.Err() != nil {
			return false
		}
		idle.Aborted = err != nil && ctx.Err() != nil
		if err != nil {
			s.rest()
			break
		}
		w, ok = s.next(ctx, cancel, true)
	}
	s.Log.Put(idle)
	s.Log.Put(session.SessionIdle{Aborted: idle.Aborted, Mode: s.currentMode(), BackgroundTasks: s.inBackground()})
	return true
}

// next takes the next thing to do, which stop will stop. Within a run of
// prompts a compaction ends the run, and so does an abort, which is not for what
// was sent after it. When there is nothing, the agent is idle.
func (s *Session) next(ctx context.Context, stop context.CancelFunc, within bool) (local.Prompt, bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	// What was to steer a turn that has ended is the next prompt.
	s.Waiting, s.Steering = append(s.Steering, s.Waiting...), nil
	if len(s.Waiting) > 0 && within {
		_, ends := s.Waiting[0].Work.(*compaction)
		within = ends || ctx.Err() != nil
	}
	if len(s.Waiting) == 0 || within {
		s.Stop = nil
		return local.Prompt{}, false
	}
	w := s.Waiting[0]
	s.Waiting = s.Waiting[1:]
	s.Stop = stop
	return w, true
}

// answer runs the turns of one prompt. An error means that the agent stops: by
// an abort, by a plain refusal, or because the session was closed.
func (s *Session) answer(ctx context.Context, w local.Prompt, delivery session.MessageDelivery) error {
	t := &turn{s: s, ctx: ctx, prompt: w, interaction: uuid.NewString(), began: s.cfg.Now()}
	err := t.run(func() {
		if over, ok := w.Work.(session.SystemNotification); ok {
			t.emit(over)
		} else {
			t.begin(delivery)
		}
		t.play()
	})
	switch {
	case ctx.Err() != nil:
		t.interrupted()
	case errors.Is(err, errRefused):
		t.refused()
	case errors.Is(err, errFailed):
		err = nil
	}
	return err
}

// begin reports a prompt whose turn has come.
func (t *turn) begin(delivery session.MessageDelivery) {
	s, w := t.s, t.prompt
	t.emit(session.PendingMessagesModified{})
	s.Mu.Lock()
	if len(prompts(s.record.now().events)) == 0 {
		s.Entitle(w.Content())
	}
	s.spent.prompts++
	s.spent.cost += modelOr(s.model).Cost
	s.Mu.Unlock()
	prompt := t.userMessage(w, delivery)
	before := readInput(s.Log.Messages("")).mode
	t.emit(prompt)
	if m := prompt.AgentMode; m != before {
		t.emit(session.SessionModeNoticeDelivered{Mode: m, Content: fmt.Sprintf(
			"<mode_changed_notice>\nThe session is in %s mode now. The demo does the same in every mode.\n</mode_changed_notice>", m)})
	}
}

// rest makes the agent idle, whatever waits.
func (s *Session) rest() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Stop = nil
}

func (s *Session) currentMode() session.Mode {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.mode
}

func (s *Session) currentModel() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.model
}

// usage is how full the context is.
func (s *Session) usage(initial bool) session.SessionUsageInfo {
	w := weigh(s.Log.Messages(""))
	return session.SessionUsageInfo{
		TokenLimit: modelOr(s.currentModel()).ContextTokens, CurrentTokens: w.total(), MessagesLength: w.messages,
		SystemTokens: w.system(), ConversationTokens: w.conversation, IsInitial: initial,
	}
}
