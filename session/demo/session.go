package demo

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"parley/session"
)

// Session is one session of the demo. It implements session.Session and the
// optional interfaces, each in the file of its subject.
//
// One goroutine, run, does all that takes time, and another hands its events to
// the reader. The methods change what waits for run, or answer or stop what it
// does, and wait for neither.
type Session struct {
	cfg    Config
	info   session.Info
	origin session.Stored // what it was stored as when it was opened
	keep   func(*record)  // stores what is left of the session
	wake   chan struct{}  // something waits

	*shared
	*equipment
	delivering sync.WaitGroup
	jobs       sync.WaitGroup // what goes on in the background

	// Under mu of shared.
	title    string
	named    bool // by the user
	mode     session.Mode
	effort   string
	dir      string // as it is shown; commands run in scratch
	dirs     []string
	waiting  []work // in order
	steering []work
	stop     context.CancelFunc // stops what runs; nil: nothing does
	asks     map[session.RequestID]*ask
	granted  map[grant]bool // for the session
	allowAll bool           // nobody is asked
	edits    []edit
	undone   *record // what the last rewind has removed, as a session; nil: none
	tasks    []*job
	attached *attached // the command that the turn waits for; nil: none
	todos    []session.Todo
	plan     string
	spent    spending
}

// work is something for run to do: a prompt, a compaction, or to take in that
// something in the background has ended.
type work struct {
	id      session.MessageID
	in      session.Input
	compact *compaction
	over    *session.SystemNotification
}

// prompt reports whether it is a prompt, of the user.
func (w work) prompt() bool { return w.compact == nil && w.over == nil }

var (
	_ session.Session            = (*Session)(nil)
	_ session.ModeSetter         = (*Session)(nil)
	_ session.ModelSetter        = (*Session)(nil)
	_ session.Compacter          = (*Session)(nil)
	_ session.QueueEditor        = (*Session)(nil)
	_ session.GrantManager       = (*Session)(nil)
	_ session.AllowAllSetter     = (*Session)(nil)
	_ session.Renamer            = (*Session)(nil)
	_ session.WorkdirChanger     = (*Session)(nil)
	_ session.Directories        = (*Session)(nil)
	_ session.Rewinder           = (*Session)(nil)
	_ session.SlashCommandRunner = (*Session)(nil)
	_ session.Completer          = (*Session)(nil)
	_ session.ShellRunner        = (*Session)(nil)
	_ session.SideQuestionAsker  = (*Session)(nil)
	_ session.TaskManager        = (*Session)(nil)
	_ session.TodoLister         = (*Session)(nil)
	_ session.PlanManager        = (*Session)(nil)
	_ session.ContextReporter    = (*Session)(nil)
	_ session.UsageReporter      = (*Session)(nil)
	_ session.AgentPicker        = (*Session)(nil)
	_ session.SkillManager       = (*Session)(nil)
	_ session.McpManager         = (*Session)(nil)
)

func newSession(ctx context.Context, cfg Config, scratch string, info session.Info, keep func(*record)) *Session {
	parts := &shared{life: session.NewLifetime(ctx), out: newOutbox(cfg.Now)}
	s := &Session{
		cfg: cfg, info: info, keep: keep, shared: parts, equipment: newEquipment(parts, scratch, info.Model),
		origin: session.Stored{ID: info.ID, Started: cfg.Now(), Dir: scratch, Client: client},
		title:  "Demo", mode: info.Mode, effort: modelOr(info.Model).DefaultEffort, dir: scratch,
		wake: make(chan struct{}, 1),
		asks: map[session.RequestID]*ask{}, granted: map[grant]bool{},
	}
	return s
}

// Info implements session.Session.
func (s *Session) Info() session.Info { return s.info }

// Events implements session.Session. What a reader that has stopped reading
// has not taken when the session is closed is lost.
func (s *Session) Events() <-chan session.Event { return s.out.Events() }

// Wait implements session.Session.
func (s *Session) Wait() error { return s.life.Wait() }

// Close implements session.Session. Its scratch folder is removed; the agent
// keeps the rest, so that it can be resumed.
func (s *Session) Close(ctx context.Context) error { return s.life.Close(ctx) }

// Send implements session.Session.
func (s *Session) Send(_ context.Context, in session.Input) error {
	w := work{id: session.MessageID(uuid.NewString()), in: in}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return fmt.Errorf("send a prompt: %w", ErrClosed)
	}
	if in.Delivery == session.Immediate && s.stop != nil {
		s.steering = append(s.steering, w)
	} else {
		s.waiting = append(s.waiting, w)
	}
	s.undone = nil
	s.out.put(session.PendingMessagesModified{})
	session.TrySignal(s.wake)
	return nil
}

// Abort implements session.Session. As in the runtime it also empties the
// queue, and reports nothing when nothing runs.
func (s *Session) Abort(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return fmt.Errorf("abort the turn: %w", ErrClosed)
	}
	if s.stop != nil {
		s.stop()
	} else if len(s.waiting) > 0 {
		s.out.put(session.PendingMessagesModified{})
	}
	s.clear()
	return nil
}

// clear empties the queue. The caller holds mu.
func (s *Session) clear() {
	for _, w := range s.waiting {
		if w.compact != nil {
			w.compact.done <- errCompactionCancelled
		}
	}
	s.waiting, s.steering = nil, nil
}

// content is what is shown of a prompt.
func (w work) content() string {
	if w.in.Display != "" {
		return w.in.Display
	}
	return w.in.Prompt
}

// live runs the session and leaves nothing behind.
func (s *Session) live() {
	s.life.Guard(func() {
		s.run()
		s.out.put(session.SessionShutdown{ShutdownType: "routine"})
	})
	s.endJobs()
	s.delivering.Wait()
	s.out.Finish()
	s.life.Guard(func() { s.keep(s.record()) })
	var errs []error
	if crash := s.life.Crash(); crash != nil {
		errs = append(errs, fmt.Errorf("the demo has ended: %w; start a new session", crash))
	}
	if err := removeScratch(s.scratch); err != nil {
		errs = append(errs, fmt.Errorf("remove the demo's scratch folder: %w", err))
	}
	s.life.End(errors.Join(errs...))
}
