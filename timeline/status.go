package timeline

import (
	"time"

	"parley/session"
)

// Status is what a session is doing and with what. It is a value: it does not
// change after it was read. Its texts hold words of the agent, of tools and of
// file names: they are to be made safe before they are shown.
type Status struct {
	Busy     bool      // a turn is running
	Since    time.Time // when it began; of the last turn when not busy
	Stopping bool      // an abort was reported, and the agent has not stopped yet
	Ended    bool      // the session was shut down
	// Activity is what the agent does now, in plain words: "thinking",
	// "running go test ./…", "waiting for you". Empty when nothing runs.
	Activity string
	Intent   string // what the agent says it is doing; "" if it does not
	// Waited is how long the running turn, or the last one, has waited for the user
	// before WaitingSince. That is when it began to wait; zero if it does not.
	Waited       time.Duration
	WaitingSince time.Time

	Waiting      int       // questions that wait for the user
	Timed        bool      // something runs that is timed, and does not wait for the user
	RunningShell bool      // the turn waits for a shell command, which steering would move to the background
	AskedShell   bool      // the user is asked about such a command, which steering moves there once it runs
	Retry        int       // the attempt being made to call the model, counted from 1; 0 when it is the first
	RetryAt      time.Time // when it is made, if the agent said so and Activity is about it
	Compacting   bool
	// BackgroundWork is true while the agent takes input and something still runs
	// in the background.
	BackgroundWork bool
	Background     []BackgroundTask // that ran when the session was idle last, as far as that was reported
	Agents         int              // sub-agents at work

	Model, Effort string
	Persona       Persona // the custom agent that handles the conversation; zero is the default
	Mode          session.Mode
	AllowAll      bool // the user is not asked for permissions
	Title         string
	Dir           string
	GitRoot       string
	Repository    string // "owner/name"
	Branch        string
	Commit        string     // checked out when the session began, if the agent said which
	Checkpoint    Checkpoint // of the last compaction that made one

	ContextTokens, ContextLimit int
	Cost                        session.Money // of the session, if the agent reports money; else the zero value
	ContextMessages             int           // in the context; 0 if that is not known
	// The parts of ContextTokens, if the agent reports them.
	SystemTokens, ToolTokens, ConversationTokens int
	Turns                                        int   // calls of the model by the root agent (docs/decisions.md 14)
	Calls                                        int   // calls of a model by all agents: their turns
	PromptTokens                                 int   // read and written since the last prompt, as far as that was reported
	Usage                                        Usage // of the root agent and all sub-agents: what the log knows, and what came since
	MessageOutput                                int   // tokens that all messages say they took; for a log without Usage
	// Quotas are what the user's plan still gives, by name.
	Quotas       []session.Quota
	Catalog      Catalog
	Objective    string // what autopilot works towards: its state; "" without one
	LastActivity time.Time
}

// Persona is a custom agent that handles the conversation (subagent.selected).
type Persona struct {
	Title string   // its name for people
	Name  string   // its internal name
	Tools []string // that it may use; nil is all
}

// Checkpoint is where the conversation before a compaction is kept.
type Checkpoint struct {
	Number int // counted from 1; 0 if it is not known
	Path   string
}

// Catalog is what the session has to work with. The lists are nil until they
// were reported.
type Catalog struct {
	Skills     []string      // those that are on
	Agents     []string      // custom agents
	Servers    []CatalogItem // MCP servers
	Extensions []CatalogItem
	ToolsModel string    // the model that the tools were updated for last
	ToolsAt    time.Time // when they were; zero for never
}

// CatalogItem is one server or extension and how it does.
type CatalogItem struct {
	Name, Status, Error string
	Tools               int // that it offers, as far as it is known
}

// phase is what the model does while no tool runs.
type phase uint8

const (
	thinking phase = iota
	answering
	calling
	hosted // a tool of the model's provider runs
)

// Status returns the state of the session now. It costs what is open, not what
// the timeline holds.
func (t *Timeline) Status() Status {
	s := t.status
	r := t.turns.running()
	s.Waiting, s.Retry = t.calls.pending.waiting(), t.turns.retry.current()
	s.RunningShell, s.AskedShell, s.Timed = r.shell, r.asked, r.timed || s.Retry > 0
	if i := t.interaction; i != nil {
		s.PromptTokens = plus(i.sum.Usage.Input, i.sum.Usage.Output)
	}
	if s.Retry > 0 && s.Waiting == 0 && !s.Stopping {
		s.RetryAt = t.turns.retry.at
	}
	s.Activity = t.currentActivity(r)
	return s
}

// WorkingSince is when the running turn would have begun, had it never waited for the
// user; zero if none runs.
func (s *Status) WorkingSince(now time.Time) time.Time {
	if !s.Busy || s.Since.IsZero() {
		return time.Time{}
	}
	waited := s.Waited
	if !s.WaitingSince.IsZero() {
		waited += max(0, now.Sub(s.WaitingSince))
	}
	return s.Since.Add(waited)
}

// noteWaiting follows whether the turn waits for the user.
func (t *Timeline) noteWaiting(at time.Time) {
	s := &t.status
	if len(t.calls.pending) == 0 && s.WaitingSince.IsZero() { // as at nearly each event
		return
	}
	switch waiting := t.calls.pending.waiting() > 0; {
	case waiting && s.WaitingSince.IsZero():
		s.WaitingSince = at
	case !waiting && !s.WaitingSince.IsZero():
		s.Waited += max(0, at.Sub(s.WaitingSince))
		s.WaitingSince = time.Time{}
	}
}

func (q pendingQuestions) waiting() (n int) {
	for _, a := range q {
		if !a.replayed {
			n++
		}
	}
	return n
}

// Busy is Status().Busy, at less cost: a frame asks for it several times.
func (t *Timeline) Busy() bool { return t.status.Busy }
