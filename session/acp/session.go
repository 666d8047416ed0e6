package acp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// Session is a conversation with an agent. One goroutine sends one prompt after the other and waits
// for its end; what the agent says meanwhile comes on the goroutine that reads.
type Session struct {
	*local.Session
	agent  *Agent
	record session.Record

	// Of the goroutine that runs the session; link is set under Mu.
	link    *link
	wire    string // the agent's own id of the session
	forkOf  string // that of the session of which this is a copy that the agent does not have yet
	resumed bool   // there are events of earlier lives
	kept    bool   // by the agent; the log has nothing of it
	model   string // that is wanted at the start; "" leaves the choice to the agent
	failure error  // why the session cannot continue

	talking sync.Mutex // of talk, and of the order in which its events are put
	stored  int        // events of earlier lives
	talk    *talk
	past    past

	// Under Mu of local.Session.
	said     bool // something was said
	asks     []question
	refused  []session.CallID
	steered  int                            // of Steering: they were sent, and are not answered yet
	trust    chan session.FolderTrustAnswer // of the question that is open; nil: none is
	trusting session.FolderTrustRequested
	todos    []session.Todo
	commands []session.SlashCommand
	mode     string
	settings settings
}

var (
	_ session.Session            = (*Session)(nil)
	_ session.Renamer            = (*Session)(nil)
	_ session.QueueEditor        = (*Session)(nil)
	_ session.TodoLister         = (*Session)(nil)
	_ session.SlashCommandRunner = (*Session)(nil)
	_ session.OptionSetter       = (*Session)(nil)
	_ session.ModelSetter        = (*Session)(nil)
)

func newSession(ctx context.Context, a *Agent, info session.Info, record session.Record) *Session {
	return &Session{
		Session: local.NewSession(ctx, a.cfg.Now, info, record, ephemeral),
		agent:   a, record: record,
		talk: newTalk(uuid.NewString, fileIn(info.Dir)),
	}
}

// mostRead is how large a file may be in which a fragment is looked for.
const mostRead = 4 << 20

// fileIn reads files by paths that are relative to a folder, if they are not absolute.
func fileIn(dir string) func(string) (string, bool) {
	return func(path string) (string, bool) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		at, err := os.Stat(path)
		if err != nil || !at.Mode().IsRegular() || at.Size() > mostRead {
			return "", false
		}
		text, err := os.ReadFile(path)
		return string(text), err == nil
	}
}

// ephemeral reports whether an event is not stored.
func ephemeral(b session.Body) bool {
	switch b.(type) {
	case session.SessionWarning, session.AssistantReasoning, session.Unknown:
		return false
	}
	return !local.Stored(b)
}

// recall begins with what is stored of the session; that it begins, or is resumed, is known when the
// agent has opened it.
func (s *Session) recall(k session.StoredSession) {
	s.Title, s.Named, s.stored, s.resumed = k.Title, k.Named, len(k.Events), len(k.Events) > 0
	if !s.resumed {
		s.wire, s.kept, s.past.at = k.AgentSessionID, k.AgentSessionID != "", k.Used
	}
	open := map[session.RequestID]session.PermissionRequested{}
	for _, ev := range k.Events {
		switch b := ev.Body.(type) {
		case session.UserMessage:
			s.said = true
		case session.SessionStart:
			s.wire, s.forkOf = b.AgentSessionID, b.AgentForkOf
		case session.SessionResume:
			s.wire = cmp.Or(b.AgentSessionID, s.wire)
		case session.PermissionRequested:
			open[b.RequestID] = b
		case session.PermissionCompleted:
			delete(open, b.RequestID)
		}
	}
	s.Log.Replay(k.Events)
	for _, q := range open { // the process that asked is gone
		s.Log.Put(q.Withdrawn("The agent no longer waits for an answer"))
	}
}

// opened reports that the agent has opened the session.
func (s *Session) opened(o opened) {
	model := cmp.Or(optionValue(o.Options, session.OptionModel), o.Models.Current)
	s.talking.Lock()
	s.talk.model = model
	s.talking.Unlock()
	s.Mu.Lock()
	s.settings = settingsOf(o)
	s.Mu.Unlock()
	now, where := s.Now().Format(time.RFC3339Nano), &session.WorkingContext{Cwd: s.About.Dir}
	effort := optionValue(o.Options, session.OptionEffort)
	start := session.SessionStart{
		SessionID: s.About.ID, Version: 1, Producer: producer, StartTime: now, ProviderID: s.link.name(), SelectedModel: model,
		ReasoningEffort: effort, Context: where, AgentSessionID: s.wire,
	}
	again, stored := s.kept || s.resumed, s.stored
	switch {
	case s.kept: // what was said in it stands before the word that it is resumed
		start.StartTime = s.past.at.Format(time.RFC3339Nano)
		s.stored = s.Log.PutPast(s.past.at, start)
		stored = s.release()
	case !again:
		s.Log.Put(start)
	}
	if again {
		s.Log.Put(session.SessionResume{
			ResumeTime: now, EventCount: stored, SelectedModel: model, ReasoningEffort: effort, Context: where, AgentSessionID: s.wire,
		}, session.SessionTitleChanged{Title: s.Title})
	}
	if !s.kept {
		s.release()
	}
	s.Log.Put(session.SessionContextChanged{Cwd: s.About.Dir})
}

// live runs the session until it is closed, or the agent is gone.
func (s *Session) live() {
	if s.failure = s.open(); s.failure == nil {
		s.failure = s.work()
		s.leave()
	}
	s.Log.Put(session.SessionShutdown{ShutdownType: "routine"})
	s.Life.Stop()
}

// end ends what the session had, with the panic that has ended it, if one has.
func (s *Session) end(crash error) error {
	err := s.record.Close()
	switch {
	case crash != nil:
		return fmt.Errorf("the session has ended: %w; resume it to continue", crash)
	case s.failure != nil && !errors.Is(s.failure, context.Canceled):
		return s.failure
	case err != nil:
		return fmt.Errorf("let go of the session: %w", err)
	}
	return nil
}

// open connects the session with the agent: the folder must be trusted before, since an agent starts
// what is in it without a question.
func (s *Session) open() error {
	if err := s.askTrust(); err != nil {
		return err
	}
	l, err := s.agent.connected(s.Life)
	if err != nil {
		return err
	}
	s.Mu.Lock()
	s.link, s.Steers = l, l.info.Meta.Steering.Supported
	s.Mu.Unlock()
	l.make(1)
	defer l.make(-1)
	o, err := s.enter()
	if err != nil {
		return s.signIn(err)
	}
	s.opened(o)
	l.attach(s.wire, s)
	if err := s.chooseMode(cmp.Or(o.Modes.Current, optionValue(o.Options, session.OptionMode)), o.askingMode()); err != nil {
		return err
	}
	s.chooseModel()
	return nil
}

// chooseModel sets the model that is wanted. An agent that does not have it answers with its own.
func (s *Session) chooseModel() {
	if s.model == "" || s.resumed {
		return
	}
	if err := s.SetModel(s.Life, s.model, ""); err != nil && s.Life.Err() == nil {
		s.Log.Put(session.SessionWarning{WarningType: "model", Message: "The model " + s.model + " is not used: " + err.Error()})
	}
}

// signIn says how to sign in where that is what is missing.
func (s *Session) signIn(err error) error {
	var e *callError
	if !errors.As(err, &e) || e.code != codeAuthRequired {
		return fmt.Errorf("open a session of %s: %w", s.link.name(), err)
	}
	ways := ""
	for _, m := range s.link.info.AuthMethods {
		ways += "\n- " + m.Name
		if m.Description != "" {
			ways += ": " + m.Description
		}
	}
	if ways != "" {
		ways = "\nWays to sign in, in the agent's own program:" + ways
	}
	return fmt.Errorf("%s wants you to sign in: %w%s", s.link.name(), err, ways)
}

// chooseMode sets the mode that is wanted: an agent may begin in one in which no user is asked.
func (s *Session) chooseMode(current, asking string) error {
	want := cmp.Or(s.agent.cfg.Mode, asking)
	s.Mu.Lock()
	said := s.mode
	s.Mu.Unlock()
	if want == "" || want == cmp.Or(said, current) {
		if said == "" {
			s.inMode(current)
		}
		return nil
	}
	if err := s.setMode(s.Life, want); err != nil {
		return fmt.Errorf("set the mode %s of %s: %w", want, s.link.name(), err)
	}
	return nil
}

// inMode notes the mode. One in which no user is asked is reported.
func (s *Session) inMode(mode string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if mode == "" || mode == s.mode {
		return
	}
	before := s.mode
	s.mode, s.settings.modes.current = mode, mode
	s.Log.Put(session.SessionModeChanged{PreviousMode: s.settings.modeName(before), NewMode: s.settings.modeName(mode)})
	free := neverAsks(s.link.info.Agent, mode)
	if free != neverAsks(s.link.info.Agent, before) {
		now := session.Manual
		if free {
			now = session.AllowAll
			s.Log.Put(session.SessionWarning{
				WarningType: "mode", Message: "In the mode " + mode + " the agent does not ask before it acts.",
			})
		}
		s.Log.Put(session.SessionPermissionsChanged{Mode: now})
	}
}

// leave lets the agent go: what is open is answered, and never approved.
func (s *Session) leave() {
	for _, q := range s.takeQuestions() {
		s.settle(q, "The session was closed")
	}
	s.link.detach(s.wire)
	if s.link.alive() && !null(s.link.info.Capabilities.Session.Close) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Life), endTime)
		defer cancel()
		_ = s.link.call(ctx, "session/close", sessionParams{s.wire}, &struct{}{})
	}
}

type sessionParams struct {
	SessionID string `json:"sessionId"`
}

// takeQuestions takes all questions that are open.
func (s *Session) takeQuestions() []question {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	asks := s.asks
	s.asks = nil
	return asks
}

// settle answers a question that the user is not to answer any more.
func (s *Session) settle(q question, why string) {
	s.Log.Put(q.Withdrawn(why)) // before what follows from it
	_ = s.link.answer(q.rpc, nothing(q.method()))
}

// Close implements session.Session. One that has ended before needs nothing more.
func (s *Session) Close(ctx context.Context) error {
	if s.Ended() {
		return nil
	}
	return s.Session.Close(ctx)
}

// Todos implements session.TodoLister.
func (s *Session) Todos(context.Context) ([]session.Todo, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(s.todos), nil
}

// SlashCommands implements session.SlashCommandRunner.
func (s *Session) SlashCommands(context.Context) ([]session.SlashCommand, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(s.commands), nil
}

// Invoke implements session.SlashCommandRunner: to the agent a command is a prompt.
func (s *Session) Invoke(_ context.Context, name, input string) (session.SlashResult, error) {
	s.Mu.Lock()
	known := slices.ContainsFunc(s.commands, func(c session.SlashCommand) bool { return c.Name == name })
	s.Mu.Unlock()
	if !known {
		return session.SlashResult{}, fmt.Errorf("the agent has no command /%s", name)
	}
	text := "/" + name
	if input != "" {
		text += " " + input
	}
	return session.SlashResult{Prompt: &session.Input{Prompt: text}}, nil
}
