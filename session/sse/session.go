package sse

import (
	"context"
	"fmt"
	"time"

	"parley/session"
	"parley/session/local"
)

// Session is a conversation with a chat agent. It implements session.Session and
// the optional interfaces, each in the file of its subject. Requests are sent and
// answers read one at a time.
type Session struct {
	*local.Session
	cfg    Config
	client *client
	record session.Record

	// Under Mu of local.Session.
	model     string // that requests name
	effort    string
	said      bool                            // something was said
	aborted   bool                            // the user wants no more of what was asked for
	answering string                          // the model that the agent chose last
	working   bool                            // from the first request until the agent is reported to be idle
	asks      []session.ConfirmationRequested // that are unanswered
	decided   []session.ConfirmationCompleted
}

var (
	_ session.Session     = (*Session)(nil)
	_ session.ModelSetter = (*Session)(nil)
	_ session.Renamer     = (*Session)(nil)
	_ session.QueueEditor = (*Session)(nil)
)

// begin says what the session starts with: a new one, or what is stored of it.
func (s *Session) begin(k session.StoredSession) {
	now := s.Now()
	where := &session.WorkingContext{Cwd: s.About.Dir}
	if len(k.Events) == 0 {
		s.Log.Put(session.SessionStart{
			SessionID: s.About.ID, Version: 1, Producer: producer, StartTime: now.Format(time.RFC3339Nano),
			SelectedModel: s.model, ProviderID: s.client.id, Context: where,
		}, session.SessionContextChanged{Cwd: s.About.Dir})
		return
	}
	s.Log.Replay(k.Events)
	s.recall(k)
	s.Log.Put(session.SessionResume{
		ResumeTime: now.Format(time.RFC3339Nano), EventCount: len(k.Events), SelectedModel: s.model, Context: where,
	}, session.SessionContextChanged{Cwd: s.About.Dir}, session.SessionTitleChanged{Title: s.Title})
	if k.Agent != s.cfg.Name {
		s.takeOver(k.Agent)
	}
	for _, q := range s.asks { // an earlier run left it open
		s.Log.PutUnstored(q)
	}
	s.working = len(s.asks) > 0
}

// takeOver continues a session in which another agent answered. What that one
// asked does not concern this one.
func (s *Session) takeOver(from string) {
	for _, q := range s.asks {
		s.Log.Put(session.ConfirmationCompleted{RequestID: q.RequestID, State: session.Withdrawn, Confirmation: q.Confirmation})
	}
	s.asks = nil
	if from != "" {
		s.Log.PutUnstored(session.SessionInfo{
			Message: "Until now " + from + " answered. With the next prompt all of the conversation goes to " + s.cfg.Name + ".",
		})
	}
}

// producer names this program in the log.
const producer = "parley"

// recall sets what the stored events report.
func (s *Session) recall(k session.StoredSession) {
	s.Title, s.Named = k.Title, k.Named
	for _, ev := range k.Events {
		switch b := ev.Body.(type) {
		case session.UserMessage:
			s.said = true
		case session.SessionStart:
			s.restoreModel(b.SelectedModel)
		case session.SessionModelChange:
			s.restoreModel(b.NewModel)
		case session.SessionAutoModeResolved:
			s.answering = b.ChosenModel
		case session.ConfirmationRequested:
			s.asks = append(s.asks, b)
		case session.ConfirmationCompleted:
			s.takeQuestion(b.RequestID)
		}
	}
	s.About.Model = s.model
}

// restoreModel takes the model of an earlier life.
func (s *Session) restoreModel(model string) {
	if s.cfg.Protocol == OpenAI && model != "" {
		s.model = model
	}
}

// Send implements session.Session. There is no way into a running answer, so
// what is to steer it is the next prompt.
func (s *Session) Send(ctx context.Context, in session.Input) error {
	in, err := s.attach(in)
	if err != nil {
		return fmt.Errorf("send a prompt: %w", err)
	}
	return s.Session.Send(ctx, in)
}

// Abort implements session.Session. It closes the request that runs, empties the
// queue and withdraws the questions, without a word to the agent. Close leaves a
// question open: it is asked again when the session is resumed.
func (s *Session) Abort(context.Context) error {
	return s.Change("abort the answer", func() error {
		if len(s.Waiting) > 0 {
			s.Waiting = nil
			s.Log.Put(session.PendingMessagesModified{})
		}
		s.aborted = s.working
		if s.Stop != nil {
			s.Stop()
		}
		return nil
	})
}

// Respond implements session.Session. What was decided goes out with the next
// request, which is made at once, or right after the one that runs.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	return s.Change("answer", func() error {
		q, open := s.takeQuestion(a.Request())
		if !open {
			return session.ErrResolved
		}
		done := session.ConfirmationCompleted{RequestID: q.RequestID, State: session.Dismissed, Confirmation: q.Confirmation}
		switch a := a.(type) {
		case session.ConfirmationAnswer:
			if a.Accepted {
				done.State = session.Accepted
			}
		case session.Refusal:
		default:
			s.asks = append(s.asks, q)
			return fmt.Errorf("%T is no answer to a confirmation", a)
		}
		s.decided = append(s.decided, done)
		return nil
	})
}

// takeQuestion takes a question out of those that are open. The caller holds mu.
func (s *Session) takeQuestion(id session.RequestID) (session.ConfirmationRequested, bool) {
	for i, q := range s.asks {
		if q.RequestID == id {
			s.asks = append(s.asks[:i:i], s.asks[i+1:]...)
			return q, true
		}
	}
	return session.ConfirmationRequested{}, false
}

// live runs the session until it is closed.
func (s *Session) live() {
	s.run()
	s.Log.Put(session.SessionShutdown{ShutdownType: "routine", CurrentModel: s.currentModel()})
}

// end ends what the session had, with the panic that has ended it, if one has.
func (s *Session) end(crash error) error {
	err := s.record.Close()
	switch {
	case crash != nil:
		return fmt.Errorf("the session has ended: %w; resume it to continue", crash)
	case err != nil:
		return fmt.Errorf("let go of the session: %w", err)
	}
	return nil
}

// ephemeral reports whether an event is not stored. A wait for another attempt is
// over when it is read again.
func ephemeral(b session.Body) bool {
	switch b := b.(type) {
	case session.SessionInfo:
		return b.InfoType == infoRetry
	case session.SessionWarning:
		return false
	}
	return !local.Stored(b)
}
