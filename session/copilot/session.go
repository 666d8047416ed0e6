package copilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// Session is one session of the runtime. It implements session.Session and
// optional interfaces: some by itself, and some by its parts.
type Session struct {
	*link
	session.QueueEditor
	session.TaskManager
	session.AgentPicker
	session.SkillManager
	session.McpConfigurer
	session.GrantManager
	session.AllowAllSetter
	session.ModelSetter
	session.ModeSetter
	session.TodoLister
	session.PlanManager
	session.ContextReporter
	session.UsageReporter

	info   session.Info
	system prompts
	grants *grants // what is allowed for longer than once
	models models

	over sync.Once // the session has ended
	err  error     // why it ended; set before done is closed

	asked      permissions
	signIns    signIns
	starter    promptStarter
	mu         sync.Mutex
	left       bool // Close was called
	trustAsked trustQuestion

	commands atomic.Bool // the user ran some, after a rewind too
	redone   atomic.Bool // a copy has all that is in it
}

// newSession makes a session of the runtime with its parts.
func newSession(l *link, info session.Info) *Session {
	gs := &grants{link: l}
	return &Session{
		link: l, info: info, grants: gs, models: models{l}, QueueEditor: promptQueue{l}, TaskManager: backgroundTasks{l},
		AgentPicker: equipment{l}, SkillManager: equipment{l}, McpConfigurer: equipment{l}, GrantManager: gs, AllowAllSetter: gs,
		ModelSetter: models{l}, ModeSetter: models{l}, TodoLister: reports{l}, PlanManager: reports{l},
		ContextReporter: reports{l}, UsageReporter: reports{l}, starter: promptStarter{promptQueue: promptQueue{l}},
	}
}

// link is what the parts of a session have in common: the calls about it, its
// events, and the folder that it works in.
type link struct {
	agent  *Agent
	id     session.ID
	queue  *queue
	done   chan struct{} // closed when the session has ended
	moving gate          // for changes of the folder

	folderMu sync.Mutex
	folder   folder // read it through where, once the session is open
}

var (
	_ session.Session            = (*Session)(nil)
	_ session.CommandHost        = (*Session)(nil)
	_ session.Compacter          = (*Session)(nil)
	_ session.Directories        = (*Session)(nil)
	_ session.Renamer            = (*Session)(nil)
	_ session.Rewinder           = (*Session)(nil)
	_ session.ShellRunner        = (*Session)(nil)
	_ session.SideQuestionAsker  = (*Session)(nil)
	_ session.SlashCommandRunner = (*Session)(nil)
	_ session.WorkdirChanger     = (*Session)(nil)
)

// Open implements session.Agent.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	id := session.ID(uuid.NewString())
	s, err := a.admit(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	if err := s.create(ctx, o); err != nil {
		s.abandon()
		if !a.remote() {
			err = inFolder(s.folder.dir, err)
		}
		return nil, fmt.Errorf("open a session: %w", err)
	}
	return s, nil
}

// Resume implements session.Agent. Permissions that were allowed all at once in
// an earlier run are asked again (docs/protocol.md, section 4.2: the runtime would
// keep that mode).
func (a *Agent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	s, err := a.admit(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	if err := s.resume(ctx, o); err != nil {
		s.abandon()
		if !a.remote() {
			err = inFolder(s.folder.dir, err)
		}
		return nil, fmt.Errorf("resume session %s: %w", id, explained(err))
	}
	return s, nil
}

// admit makes a session known, so that its events have a place to go before
// the runtime answers, and this process the one that writes it.
func (a *Agent) admit(ctx context.Context, id session.ID) (*Session, error) {
	a.mu.Lock()
	err := a.admits(id)
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	claimed, err := a.claim(ctx, id)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	if err := a.admits(id); err != nil { // it was closed, or somebody was faster
		a.mu.Unlock()
		if claimed {
			a.unclaim(id)
		}
		return nil, err
	}
	defer a.mu.Unlock()
	s := newSession(
		&link{agent: a, id: id, queue: newQueue(a.valve, a.guard), done: make(chan struct{}), moving: newGate()},
		session.Info{ID: id, Agent: "Copilot CLI " + a.version, Remote: a.remote()},
	)
	a.sessions[id] = s
	return s, nil
}

// admits says why a session cannot be opened; a.mu is held.
func (a *Agent) admits(id session.ID) error {
	if a.closing {
		return ErrClosed
	}
	if _, open := a.sessions[id]; open {
		return errors.New("it is open already")
	}
	return nil
}

// abandon forgets a session that did not come about.
func (s *Session) abandon() {
	ctx, cancel := context.WithTimeout(context.Background(), detachGrace)
	defer cancel()
	_ = s.Close(ctx)
}

// params are what every create and resume passes (docs/decisions.md 11).
func (a *Agent) params(id session.ID, o session.Options, f folder) object {
	p := f.options()
	p["sessionId"] = id
	p["clientName"] = "parley"
	p["workingDirectory"] = f.dir
	p["streaming"] = true
	p["observePromptEvents"] = true
	p["requestPermission"] = true
	p["enableScriptSafety"] = true
	p["enableFileChangeTracking"] = true
	p["includeSubAgentStreamingEvents"] = true
	p["envValueMode"] = "direct"
	optional(p, "model", o.Model)
	if f.briefly {
		// Trust for one session can be given to the runtime only when it
		// creates the session; its servers can be named later too.
		p["mcpServers"] = f.servers
	}
	if a.cfg.Provider != nil {
		p["provider"] = a.cfg.Provider
	}
	return p
}

// opened is the result of session.create and session.resume.
type opened struct {
	Mode       session.Mode `json:"mode"`
	ModelState struct {
		ModelID string `json:"modelId"`
	} `json:"modelState"`
}

func (s *Session) create(ctx context.Context, o session.Options) error {
	a := s.agent
	o.Dir, o.Model = cmp.Or(o.Dir, a.cfg.Dir), cmp.Or(o.Model, a.cfg.Model)
	if o.Model == "" && a.cfg.Provider != nil {
		o.Model = a.cfg.Provider.ModelID
	}
	s.folder.dir = o.Dir
	if o.Model == "" && a.cfg.Provider != nil {
		return errors.New("COPILOT_PROVIDER_BASE_URL names a model provider but no model: set COPILOT_MODEL or use --model")
	}
	s.folder = a.inspect(ctx, o.Dir)
	var r opened
	if err := a.call(ctx, "session.create", a.params(s.info.ID, o, s.folder), &r); err != nil {
		return err
	}
	s.learn(r)
	if err := s.listen(ctx); err != nil {
		return err
	}
	if s.folder.trusted {
		if err := s.grants.letRead(ctx, s.folder); err != nil {
			return err
		}
	}
	s.grants.allowAddresses(ctx, true)
	s.askTrust()
	return s.adopt(ctx, o.Mode)
}

// learn keeps what the runtime says a session is like.
func (s *Session) learn(r opened) {
	s.info.Dir = s.folder.dir
	s.info.Mode = r.Mode
	s.info.Model = r.ModelState.ModelID
}

// listen registers the interests. It must be done before the first send.
func (s *Session) listen(ctx context.Context) error {
	for _, kind := range interests {
		if err := s.call(ctx, "session.eventLog.registerInterest", object{"eventType": kind}, nil); err != nil {
			return fmt.Errorf("listen for %s: %w", kind, err)
		}
	}
	return nil
}

// adopt sets the mode that was asked for.
func (s *Session) adopt(ctx context.Context, m session.Mode) error {
	if m == "" || m == s.info.Mode {
		return nil
	}
	s.info.Mode = m
	return s.SetMode(ctx, m)
}

// closed returns ErrClosed if the session has ended.
func (l *link) closed() error {
	select {
	case <-l.done:
		return ErrClosed
	default:
		return nil
	}
}

// call makes a request about this session.
func (l *link) call(ctx context.Context, method string, params object, result any) error {
	if err := l.closed(); err != nil {
		return attempt(err, "%s", method)
	}
	if begins(method) {
		if err := l.settled(ctx); err != nil {
			return err
		}
	}
	if params == nil {
		params = object{}
	}
	params["sessionId"] = l.id
	return l.agent.call(ctx, method, params, result)
}

// receive takes in an event as it came from the runtime.
func (s *Session) receive(raw jsontext.Value) {
	ev, ok := s.decode(raw)
	if !ok {
		return
	}
	due := s.asked.note(ev) // first: what is settled must not be settled again
	waits := s.starter.note(ev)
	s.grants.ledger.note(ev)
	s.forget(ev)
	if b, ok := ev.Body.(session.SessionContextChanged); ok && b.Cwd != "" {
		go s.agent.guard(func() { s.moved(b.Cwd) })
	}
	done := s.signIns.note(ev)
	s.queue.put(ev)
	for _, id := range done {
		s.queue.add(own(session.ElicitationCompleted{RequestID: id, Action: session.Accept}))
	}
	if due {
		go s.agent.guard(s.compare)
	}
	if waits {
		go s.agent.guard(s.starter.start)
	}
}

// decode reads an event, unless it is noise.
func (s *Session) decode(raw jsontext.Value) (session.Event, bool) {
	if kind, err := session.Peek(raw); err == nil && kind.Noise() {
		return session.Event{}, false
	}
	ev := session.Decode(raw)
	return ev, !s.system.repeats(ev)
}

// own makes an event of our own, which the runtime does not store.
func own(b session.Body) session.Event {
	return session.Event{ID: session.EventID(uuid.NewString()), Time: time.Now().UTC(), Ephemeral: true, Body: b}
}

// finish ends the session: nil on purpose, otherwise why.
func (s *Session) finish(err error) {
	s.over.Do(func() {
		s.err = err
		close(s.done)
		s.queue.end()
	})
}

// Info implements session.Session.
func (s *Session) Info() session.Info { return s.info }

// Events implements session.Session.
func (s *Session) Events() <-chan session.Event { return s.queue.out }

// Wait implements session.Session.
func (s *Session) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session. Events that were not read are dropped. The
// session is left at the end of ctx too, whether the runtime has taken notice
// or not. Closing once more waits for the first time to be through.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	again := s.left
	s.left = true
	s.mu.Unlock()
	var err error
	if again {
		select {
		case <-s.done:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	} else {
		if err = s.call(ctx, "session.detach", nil, nil); errors.Is(err, ErrClosed) {
			err = nil // it had ended already
		}
		s.agent.discard(ctx, s.agent.undo.drop(s.info.ID)...)
		if s.redone.Load() {
			s.agent.discard(ctx, undone{copy: s.info.ID}) // all that is in it is in the copy
		}
		s.agent.mu.Lock()
		delete(s.agent.sessions, s.info.ID)
		s.agent.mu.Unlock()
		s.finish(nil)
		close(s.queue.unread)
		if err == nil { // else the runtime may write it until its end
			s.agent.unclaim(s.info.ID)
		}
	}
	return attempt(err, "leave session %s", s.info.ID)
}
