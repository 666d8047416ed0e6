package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"parley/session"
	"parley/session/local"
)

// Session is one session of the demo. It implements session.Session and the
// optional interfaces, each in the file of its subject.
type Session struct {
	*local.Session
	*equipment
	cfg    Config
	record *record
	store  *memoryStore
	jobs   sync.WaitGroup // what runs in the background

	// Under Mu of local.Session.
	mode     session.Mode
	effort   string
	dir      string // as it is shown; commands run in scratch
	dirs     []string
	asks     map[session.RequestID]*ask
	granted  map[grant]bool // for the session
	allowAll bool           // the user is not asked
	undone   *sessionData   // what the last rewind has removed, as a session; nil: none
	tasks    []*job
	attached *job // the command that the turn waits for; nil: none
	todos    []session.Todo
	spent    spending
}

func newSession(ctx context.Context, cfg Config, info session.Info, stored *record, in *memoryStore) *Session {
	core := local.NewSession(ctx, cfg.Now, info, stored, func(b session.Body) bool { return !local.Stored(b) })
	core.Title, core.Steers = "Demo", true
	with := &equipment{
		core: core, scratch: info.Dir, model: info.Model,
		skills: slices.Clone(pretended().Skills), servers: slices.Clone(pretended().Servers),
	}
	return &Session{
		Session: core, cfg: cfg, record: stored, store: in, equipment: with,
		mode: info.Mode, effort: modelOr(info.Model).DefaultEffort, dir: info.Dir,
		asks: map[session.RequestID]*ask{}, granted: map[grant]bool{},
	}
}

// Send implements session.Session. What was rewound cannot be taken back any more.
func (s *Session) Send(ctx context.Context, in session.Input) error {
	s.Mu.Lock()
	s.undone = nil
	s.Mu.Unlock()
	return s.Session.Send(ctx, in)
}

// Abort implements session.Session. As in the runtime it also empties the
// queue, and reports nothing when nothing runs.
func (s *Session) Abort(context.Context) error {
	return s.Change("abort the turn", func() error {
		if s.Stop != nil {
			s.Stop()
		} else if len(s.Waiting) > 0 {
			s.Log.Put(session.PendingMessagesModified{})
		}
		s.clear()
		return nil
	})
}

// clear empties the queue. The caller holds mu.
func (s *Session) clear() {
	for _, w := range s.Waiting {
		if c, ok := w.Work.(*compaction); ok {
			c.done <- errCompactionCancelled
		}
	}
	s.Waiting, s.Steering = nil, nil
}

// live runs the session until it is closed.
func (s *Session) live() {
	defer s.endJobs()
	s.run()
	s.Log.Put(session.SessionShutdown{ShutdownType: "routine"})
}

// leave leaves nothing behind but the record, so that the session can be resumed. A
// panic may have ended it.
func (s *Session) leave(crash error) error {
	errs := []error{s.record.Close()}
	if crash != nil {
		errs = append(errs, fmt.Errorf("the demo has ended: %w; start a new session", crash))
	}
	if err := removeScratch(s.scratch); err != nil {
		errs = append(errs, fmt.Errorf("remove the demo's scratch folder: %w", err))
	}
	return errors.Join(errs...)
}
