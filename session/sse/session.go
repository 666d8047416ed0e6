package sse

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// Session is a conversation with a chat agent. It implements session.Session and
// the optional interfaces, each in the file of its subject.
//
// One goroutine, run, sends requests and reads answers, one at a time, and
// another hands the events to the reader. The methods change what waits for run,
// or stop what it does, and wait for neither.
type Session struct {
	cfg    Config
	client *client
	info   session.Info
	record session.Record
	out    *outbox
	wake   chan struct{} // something waits

	life       *session.Lifetime // stops everything when it is to end
	delivering sync.WaitGroup

	mu        sync.Mutex
	model     string // that requests name
	effort    string
	title     string
	named     bool               // by the user
	said      bool               // something was said
	waiting   []prompt           // in order
	stop      context.CancelFunc // stops the request that runs; nil: none does
	aborted   bool               // the user wants no more of what they were told
	answering string             // the model that the agent chose last
	working   bool               // from the first request until the agent is told to be idle
	asks      []confirmation     // that nobody has answered
	decided   []session.ConfirmationCompleted
}

// prompt is a prompt that waits for its turn.
type prompt struct {
	id session.MessageID
	in session.Input
}

// confirmation is a question that is open.
type confirmation struct {
	session.ConfirmationRequested
}

var (
	_ session.Session     = (*Session)(nil)
	_ session.ModelSetter = (*Session)(nil)
	_ session.Renamer     = (*Session)(nil)
	_ session.QueueEditor = (*Session)(nil)
)

func newSession(ctx context.Context, cfg Config, c *client, info session.Info, record session.Record) *Session {
	return &Session{
		cfg: cfg, client: c, info: info, record: record, model: info.Model,
		life: session.NewLifetime(ctx), out: newOutbox(cfg.Now, record), wake: make(chan struct{}, 1),
	}
}

// begin says what the session starts with: a new one, or what is kept of it.
func (s *Session) begin(k session.StoredSession) {
	now := s.cfg.Now()
	where := &session.WorkingContext{Cwd: s.info.Dir}
	if len(k.Events) == 0 {
		s.out.put(session.SessionStart{
			SessionID: s.info.ID, Version: 1, Producer: producer, StartTime: now.Format(time.RFC3339Nano),
			SelectedModel: s.model, ProviderID: s.client.id, Context: where,
		}, session.SessionContextChanged{Cwd: s.info.Dir})
		return
	}
	s.out.replay(k.Events)
	s.recall(k)
	s.out.put(session.SessionResume{
		ResumeTime: now.Format(time.RFC3339Nano), EventCount: len(k.Events), SelectedModel: s.model, Context: where,
	}, session.SessionContextChanged{Cwd: s.info.Dir}, session.SessionTitleChanged{Title: s.title})
	if k.Agent != s.cfg.Name {
		s.inherit(k.Agent)
	}
	for _, q := range s.asks { // an earlier run left it open
		s.out.again(q.ConfirmationRequested)
	}
	s.working = len(s.asks) > 0
}

// inherit continues a session in which another agent answered. What that one
// asked is not this one's to hear of.
func (s *Session) inherit(from string) {
	for _, q := range s.asks {
		s.out.put(session.ConfirmationCompleted{RequestID: q.RequestID, State: session.Withdrawn, Confirmation: q.Confirmation})
	}
	s.asks = nil
	if from != "" {
		s.out.again(session.SessionInfo{
			Message: "Until now " + from + " answered. With the next prompt all of the conversation goes to " + s.cfg.Name + ".",
		})
	}
}

// producer names this program in the log.
const producer = "parley"

// recall sets what the stored events report.
func (s *Session) recall(k session.StoredSession) {
	s.title, s.named = k.Title, k.Named
	for _, ev := range k.Events {
		switch b := ev.Body.(type) {
		case session.UserMessage:
			s.said = true
		case session.SessionStart:
			s.remember(b.SelectedModel)
		case session.SessionModelChange:
			s.remember(b.NewModel)
		case session.SessionAutoModeResolved:
			s.answering = b.ChosenModel
		case session.ConfirmationRequested:
			s.asks = append(s.asks, confirmation{b})
		case session.ConfirmationCompleted:
			s.settle(b.RequestID)
		}
	}
	s.info.Model = s.model
}

// remember takes the model of an earlier life.
func (s *Session) remember(model string) {
	if s.cfg.Protocol == OpenAI && model != "" {
		s.model = model
	}
}

// goOn lets the session live.
func (s *Session) goOn() {
	s.delivering.Go(func() { s.life.Guard(func() { s.out.Run(s.life) }) })
	go s.live()
}

// Info implements session.Session.
func (s *Session) Info() session.Info { return s.info }

// Events implements session.Session. What a reader that has stopped reading has
// not taken when the session is closed is lost to it.
func (s *Session) Events() <-chan session.Event { return s.out.Events() }

// Wait implements session.Session.
func (s *Session) Wait() error { return s.life.Wait() }

// Close implements session.Session. A question that is open stays so, and is
// asked again when the session is resumed.
func (s *Session) Close(ctx context.Context) error { return s.life.Close(ctx) }

// Send implements session.Session. There is no way into a running answer, so
// what is to steer it is the next prompt.
func (s *Session) Send(_ context.Context, in session.Input) error {
	in, err := s.attach(in)
	if err != nil {
		return fmt.Errorf("send a prompt: %w", err)
	}
	return s.change("send a prompt", func() error {
		s.waiting = append(s.waiting, prompt{session.MessageID(uuid.NewString()), in})
		s.out.put(session.PendingMessagesModified{})
		return nil
	})
}

// change does something under the lock and wakes the session, unless it is
// over.
func (s *Session) change(what string, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	session.TrySignal(s.wake)
	return nil
}

// Abort implements session.Session. It closes the request that runs, empties the
// queue and withdraws the questions, without a word to the agent.
func (s *Session) Abort(context.Context) error {
	return s.change("abort the answer", func() error {
		if len(s.waiting) > 0 {
			s.waiting = nil
			s.out.put(session.PendingMessagesModified{})
		}
		s.aborted = s.working
		if s.stop != nil {
			s.stop()
		}
		return nil
	})
}

// Respond implements session.Session. What was decided goes out with the next
// request, which is made at once, or right after the one that runs.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	return s.change("answer", func() error {
		q, open := s.settle(a.Request())
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

// settle takes a question out of those that are open. The caller holds mu.
func (s *Session) settle(id session.RequestID) (confirmation, bool) {
	for i, q := range s.asks {
		if q.RequestID == id {
			s.asks = append(s.asks[:i:i], s.asks[i+1:]...)
			return q, true
		}
	}
	return confirmation{}, false
}

// Rename implements session.Renamer.
func (s *Session) Rename(_ context.Context, name string) error {
	return s.change("rename the session", func() error {
		s.title, s.named = name, true
		s.out.describe(name, true)
		s.out.put(session.SessionTitleChanged{Title: name})
		return nil
	})
}

// live runs the session and leaves nothing behind.
func (s *Session) live() {
	s.life.Guard(func() {
		s.run()
		s.out.put(session.SessionShutdown{ShutdownType: "routine", CurrentModel: s.currentModel()})
	})
	s.delivering.Wait()
	s.out.Finish()
	err := s.record.Close()
	if err != nil {
		err = fmt.Errorf("let go of the session: %w", err)
	}
	if crash := s.life.Crash(); crash != nil {
		err = fmt.Errorf("the session has ended: %w; resume it to go on", crash)
	}
	s.life.End(err)
}

// firstLine is the first line of a text, cut to what a title bar holds.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return line
}
