package acp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"parley/session"
	"parley/session/local"
)

// work sends the prompts one after the other until the session is closed or the agent is gone:
// agents merge, stop or lose a prompt that comes while they work on another.
func (s *Session) work() error {
	for {
		if p, ctx, ok := s.next(); ok {
			if err := s.turn(ctx, p); err != nil {
				return err
			}
			continue
		}
		select {
		case <-s.Life.Done():
			return nil
		case <-s.link.gone:
			return s.lost()
		case <-s.Wake:
		}
	}
}

// next takes up the prompt that waits.
func (s *Session) next() (local.Prompt, context.Context, bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if len(s.Waiting) == 0 || s.Life.Err() != nil {
		return local.Prompt{}, nil, false
	}
	p := s.Waiting[0]
	s.Waiting = s.Waiting[1:]
	ctx, stop := context.WithCancel(s.Life)
	s.Stop = stop
	return p, ctx, true
}

// turn sends a prompt and waits until the agent has answered it, however long that takes. ctx ends
// when the user stops it: then the agent is asked to, and still says when it has.
func (s *Session) turn(ctx context.Context, p local.Prompt) error {
	s.begin(p)
	done, asking := make(chan struct{}), sync.WaitGroup{}
	asking.Go(func() { s.askToStop(ctx, done) })
	var r promptResult
	err := s.link.call(s.Life, "session/prompt", promptParams{s.wire, s.blocks(p.Input)}, &r)
	stopped := ctx.Err() != nil
	close(done)
	asking.Wait()
	s.Mu.Lock()
	s.Stop()
	s.Stop = nil
	s.Mu.Unlock()
	return s.finish(r, err, stopped)
}

// stopAgain is how long after a request to stop the next one is made: the first may have come before
// the prompt.
const stopAgain = time.Second

// askToStop asks the agent to stop when ctx ends, until it is done. What it has asked is settled at once,
// since some agents wait for that.
func (s *Session) askToStop(ctx context.Context, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	for {
		_ = s.link.notify("session/cancel", sessionParams{s.wire})
		for _, q := range s.takeQuestions() {
			s.settle(q, "The turn was stopped")
		}
		select {
		case <-done:
			return
		case <-time.After(stopAgain):
		}
	}
}

// begin reports the prompt.
func (s *Session) begin(p local.Prompt) {
	s.Mu.Lock()
	said := p.Message(session.DeliveredIdle, s.shownMode())
	if !s.said {
		s.Entitle(said.Content)
	}
	s.said = true
	s.Mu.Unlock()
	s.talking.Lock()
	defer s.talking.Unlock()
	s.endPast()
	s.talk.asked, s.talk.unheard = p.ID, false
	s.Log.Put(session.PendingMessagesModified{}, said, session.AssistantTurnStart{TurnID: "0", Model: s.talk.model})
}

// finish reports the end of a turn. An error of the agent's ends the turn, and not the session; that
// the agent is gone ends both.
func (s *Session) finish(r promptResult, err error, stopped bool) error {
	if s.Life.Err() != nil { // the session is closed: what streamed is kept
		s.talking.Lock()
		defer s.talking.Unlock()
		s.Log.Put(s.talk.end(true, true)...)
		return nil
	}
	var failed *callError
	gone := err != nil && !errors.As(err, &failed)
	cancelled := stopped || r.StopReason == "cancelled"
	for _, q := range s.takeQuestions() { // most agents do not wait for these any more
		s.settle(q, "The turn has ended")
	}
	s.unsteer(stopped)
	s.talking.Lock()
	defer s.talking.Unlock()
	s.talk.refuse(s.takeRefused()...)
	s.Log.Put(s.talk.end(cancelled || err != nil, gone)...)
	switch {
	case failed != nil:
		s.Log.Put(session.SessionError{ErrorType: failed.kind(), Message: failed.message, OriginatingMessageID: s.talk.asked})
	case gone:
		s.idle(true)
		return err
	case r.StopReason == "max_tokens", r.StopReason == "max_turn_requests", r.StopReason == "refusal":
		s.Log.Put(session.SessionWarning{WarningType: r.StopReason, Message: stopReasons[r.StopReason], OriginatingMessageID: s.talk.asked})
	case s.talk.unheard && !cancelled: // Codex takes it as its turn ends
		s.Log.Put(session.SessionWarning{WarningType: "steering", Message: unanswered, OriginatingMessageID: s.talk.asked})
	}
	if u := r.Usage; u != nil && u.Input+u.Output > 0 {
		s.Log.Put(s.talk.usage(*u))
	}
	if cancelled {
		reason := "" // the agent's own, such as that a call was refused
		if stopped {
			reason = "user_initiated"
		}
		s.Log.Put(session.Abort{Reason: reason})
	}
	s.idle(cancelled)
	return nil
}

// stopReasons say why an agent stopped where it could not complete the turn.
var stopReasons = map[string]string{
	"max_tokens":        "The answer was cut off: it has reached the most tokens that it may have.",
	"max_turn_requests": "The agent stopped: it has called the model as often as it may in one turn. Send a prompt to continue.",
	"refusal":           "The agent refuses to continue. What was said since the last prompt does not count for it any more.",
}

// unanswered is said of a prompt that the agent took as its turn ended.
const unanswered = "The turn ended as your prompt came, and nothing has come of that. Send it again if it is to be answered."

// idle reports that nothing runs any more.
func (s *Session) idle(aborted bool) {
	s.Mu.Lock()
	mode := s.shownMode()
	s.Mu.Unlock()
	s.Log.Put(session.AssistantTurnEnd{TurnID: "0", Model: s.talk.model},
		session.AssistantIdle{Aborted: aborted}, session.SessionIdle{Aborted: aborted, Mode: mode})
}

// lost reports that the agent has ended while it had nothing to do.
func (s *Session) lost() error {
	for _, q := range s.takeQuestions() {
		s.Log.Put(q.Withdrawn("The agent has ended"))
	}
	return s.link.fate()
}

// Send implements session.Session. Of an agent that has no way into a running turn, what is to steer
// it is the next prompt.
func (s *Session) Send(ctx context.Context, in session.Input) error {
	if err := s.sendable(in); err != nil {
		return fmt.Errorf("send a prompt: %w", err)
	}
	if err := s.Session.Send(ctx, in); err != nil {
		return err
	}
	return s.steer()
}

// Abort implements session.Session. It empties the queue and asks the agent to stop.
func (s *Session) Abort(context.Context) error {
	return s.Change("abort the turn", func() error {
		if len(s.Waiting)+len(s.Steering) > s.steered {
			s.Waiting, s.Steering = nil, s.Steering[:s.steered]
			s.Log.Put(session.PendingMessagesModified{})
		}
		if s.Stop != nil {
			s.Stop()
		}
		return nil
	})
}

// receive handles an update or a question, on the goroutine that reads.
func (s *Session) receive(m message) {
	s.talking.Lock()
	defer s.talking.Unlock()
	s.hear(m)
}

// hear handles an update or a question. talking is held.
func (s *Session) hear(m message) {
	s.talk.refuse(s.takeRefused()...)
	switch {
	case m.Method == "session/request_permission":
		s.ask(m)
		return
	case m.Method == "elicitation/create":
		s.askForm(m)
		return
	case s.past.holding && s.past.is == logged && s.repeated(m):
		return
	case s.past.holding:
		s.past.held = append(s.past.held, m)
		return
	}
	var p updateParams
	if session.Unmarshal(m.Params, &p) != nil {
		return
	}
	if s.past.is != none && s.repeats(p) {
		return
	}
	s.learn(p)
	for _, b := range s.talk.update(p.Update) {
		if s.Log.Stream(s.Life, "", b) != nil {
			return
		}
	}
}

// learn takes what an update says of the session, and not of the conversation.
func (s *Session) learn(p updateParams) {
	var u struct {
		update   `json:",embed"`
		Mode     string `json:"currentModeId"`
		Commands []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Input       struct {
				Hint string `json:"hint"`
			} `json:"input"`
		} `json:"availableCommands"`
	}
	session.ReadWhatFits(p.Update, &u)
	switch u.Kind {
	case "current_mode_update":
		s.inMode(u.Mode)
	case "config_option_update":
		s.configure(u.Options)
	case "plan":
		s.Mu.Lock()
		s.todos = todosOf(u.Entries)
		s.Mu.Unlock()
		s.Log.Put(session.SessionTodosChanged{})
	case "available_commands_update":
		s.Mu.Lock()
		s.commands = nil
		for _, c := range u.Commands {
			s.commands = append(s.commands, session.SlashCommand{
				Name: c.Name, Description: c.Description, Kind: "builtin", Hint: c.Input.Hint,
			})
		}
		s.Mu.Unlock()
		s.Log.Put(session.CommandsChanged{})
	}
}

// todosOf are the entries of a plan as todos.
func todosOf(entries []planEntry) []session.Todo {
	todos := make([]session.Todo, len(entries))
	for i, e := range entries {
		status := e.Status
		if status == "completed" {
			status = "done"
		}
		todos[i] = session.Todo{ID: fmt.Sprint(i + 1), Title: e.Content, Status: status}
	}
	return todos
}
