package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// run does one thing after the other until the session is closed.
func (s *Session) run() {
	for {
		select {
		case <-s.life.Done():
			return
		case <-s.wake:
		}
		for s.loop() {
		}
	}
}

// begin says what the session starts with.
func (s *Session) begin() {
	s.out.put(session.SessionStart{
		SessionID: s.info.ID, Version: 1, Producer: client, StartTime: s.cfg.Now().Format(time.RFC3339Nano),
		SelectedModel: s.info.Model, ReasoningEffort: s.effort, Context: &session.WorkingContext{Cwd: s.info.Dir},
	})
	s.out.put(session.SessionContextChanged{Cwd: s.info.Dir})
	s.out.put(session.SessionTitleChanged{Title: s.title})
	s.out.put(s.usage(true))
}

// loop takes up what waits, if anything does, and goes on until the agent is
// idle again. It reports whether something may be waiting still.
func (s *Session) loop() bool {
	ctx, cancel := context.WithCancel(s.life)
	defer cancel()
	w, ok := s.next(ctx, cancel, false)
	if !ok {
		return false
	}
	if w.compact != nil {
		w.compact.done <- s.summarise(ctx, w.compact)
		s.rest()
		return true
	}
	idle := session.AssistantIdle{}
	for delivery := session.DeliveredIdle; ok; delivery = session.DeliveredQueued {
		err := s.answer(ctx, w, delivery)
		if s.life.Err() != nil {
			return false
		}
		idle.Aborted = err != nil && ctx.Err() != nil
		if err != nil {
			s.rest()
			break
		}
		w, ok = s.next(ctx, cancel, true)
	}
	s.out.put(idle)
	s.out.put(session.SessionIdle{Aborted: idle.Aborted, Mode: s.currentMode(), BackgroundTasks: s.inBackground()})
	return true
}

// next takes the next thing to do, which stop will stop. Within a run of
// prompts a compaction ends the run, and so does an abort, which is not for what
// was sent after it. When there is nothing, the agent is idle.
func (s *Session) next(ctx context.Context, stop context.CancelFunc, within bool) (work, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// What was to steer a turn that has ended is the next prompt.
	s.waiting, s.steering = append(s.steering, s.waiting...), nil
	if len(s.waiting) == 0 || within && (s.waiting[0].compact != nil || ctx.Err() != nil) {
		s.stop = nil
		return work{}, false
	}
	w := s.waiting[0]
	s.waiting = s.waiting[1:]
	s.stop = stop
	return w, true
}

// answer runs the turns of one prompt. An error means that the agent stops: by
// an abort, by a plain refusal, or because the session was closed.
func (s *Session) answer(ctx context.Context, w work, delivery session.MessageDelivery) error {
	t := &turn{s: s, ctx: ctx, prompt: w, interaction: uuid.NewString(), began: s.cfg.Now()}
	err := t.run(func() {
		if w.over != nil {
			t.emit(*w.over)
		} else {
			t.emit(t.opening(delivery)...)
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

// opening is what a prompt is told with when its turn has come.
func (t *turn) opening(delivery session.MessageDelivery) []session.Body {
	s, w := t.s, t.prompt
	bodies := []session.Body{session.PendingMessagesModified{}}
	s.mu.Lock()
	if len(prompts(s.out.stored())) == 0 && !s.named {
		s.title = firstLine(w.content())
		bodies = append(bodies, session.SessionTitleChanged{Title: s.title})
	}
	s.spent.prompts++
	s.spent.cost += modelOr(s.model).Cost
	s.mu.Unlock()
	prompt := t.userMessage(w, delivery)
	bodies = append(bodies, prompt)
	if m := prompt.AgentMode; m != listen(s.out.messages("")).mode {
		bodies = append(bodies, session.SessionModeNoticeDelivered{Mode: m, Content: fmt.Sprintf(
			"<mode_changed_notice>\nThe session is in %s mode now. The demo does the same in every mode.\n</mode_changed_notice>", m)})
	}
	return bodies
}

// rest makes the agent idle, whatever waits.
func (s *Session) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = nil
}

func (s *Session) currentMode() session.Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

func (s *Session) currentModel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model
}

// usage is how full the context is.
func (s *Session) usage(initial bool) session.SessionUsageInfo {
	w := weigh(s.out.messages(""))
	return session.SessionUsageInfo{
		TokenLimit: modelOr(s.currentModel()).ContextTokens, CurrentTokens: w.total(), MessagesLength: w.messages,
		SystemTokens: w.system(), ConversationTokens: w.conversation, IsInitial: initial,
	}
}

// firstLine is the first line of a text, cut to what a title bar holds.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return line
}
