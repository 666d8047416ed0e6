// Package status has the status line: it takes facts, and draws the items that the
// user has chosen of them. It knows nothing of the window.
package status

import (
	"time"

	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// Facts are what the status line is made of. Their texts may hold anything, and be
// long: they are made safe and cut before they are shown.
type Facts struct {
	Session timeline.Status
	Theme   *theme.Theme
	Width   int       // of the window, in cells
	Now     time.Time // in the zone in which times are shown
	Still   bool      // nothing changes as time passes

	Agent         string // which one answers
	Dir           string // where it works
	Dirty         bool   // files there are changed, as git reports it
	ModelAsked    string // at the start
	Mode          session.Mode
	Demo          bool // the embedded demo answers
	ReadOnly      bool // the session is only read
	AllowAllHere  bool // in the whole window
	Vim           string
	State         State
	CancelledAt   time.Time // when the user interrupted the turn
	Spinner       string
	ActivityShown bool      // what the session does now stands under the conversation
	Key           string    // which key stops what runs, or goes to the question that waits; "" if none does
	Rewording     string    // which keys end rewording a queued prompt; "" if none is reworded
	OtherSessions string    // what those of the window need
	Background    string    // the agents and shells that run in the background: beside a turn, or instead of one
	Queued        int       // prompts that wait to be sent
	Begun         time.Time // when the session began; zero if it is empty

	Todos, TodosDone int
	TodosShown       bool // elsewhere in the window

	ContextKnown bool // the agent has reported how full the context is
	ContextStale bool // by another model
	Script       string
	ScriptStale  bool // the program has failed since
}

// State is what the session is doing, as far as it is no turn.
type State uint8

// The states of a session. In the first, Facts.Status has what it does.
const (
	Ready State = iota
	Starting
	Disconnected
	Reading // a session that another program writes
	Read    // only read, whole
	Ended
	Asking
	AskingHidden // the window is too small for the question
	Cancelling
	RunningCommand // of the user's
)

// elapsed is how long ago a time is.
func (f *Facts) elapsed(since time.Time) string { return widget.Elapsed(since, f.Now, f.Still) }
