package conversation

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
)

// Request is what a conversation asks the window for: what concerns other
// conversations, or the terminal. The set is closed. The window carries requests out
// in their order, when the conversation has dealt with what it was given.
type Request interface{ request() }

type (
	// RunInWindow runs a command that is the window's.
	RunInWindow struct {
		Command keymap.Command
		Args    string
	}
	// EditText opens a text in the user's editor.
	EditText struct{ Edition *Edition }
	// RunProgram gives the terminal to a program; then takes its end.
	RunProgram struct {
		Argv []string
		Then func(err error) tea.Cmd
	}
	// Notification is news for a user who looks elsewhere, by one of the channels that
	// the settings name.
	Notification struct{ Channel, Text string }
	// OpenRecent opens one of the recent sessions that the first screen shows, counted from
	// 0.
	OpenRecent struct{ Index int }
	// ClickTab shows the conversation of which the tab is at a column of the screen.
	ClickTab struct{ X int }
	// SessionOpened says that the session is there.
	SessionOpened struct{}
	// OpenFailed says why no session could be opened.
	OpenFailed struct {
		ID  session.ID
		Err error
	}
	// AgentEnded says that the agent of the conversation is not to be used again.
	AgentEnded struct{ Agent session.Agent }
	// DraftsRecovered says that drafts of windows that have ended are there.
	DraftsRecovered struct{}
	// ReconnectAndSend resumes the session that was lost, and sends the draft.
	ReconnectAndSend struct{}
	// SendDraft sends what is in the composer.
	SendDraft struct{}
	// RestartAgent starts the agent again, with the same session.
	RestartAgent struct{}
	// SwitchSession leaves the session for another in a folder, and says so there.
	SwitchSession struct {
		ID            session.ID
		Dir           string
		Hint, Warning string // "" without one
	}
	// ForkSession continues in a copy of the session that ends before an event; "" copies
	// all of it. The prompt is in the draft then.
	ForkSession struct {
		Before session.EventID
		Prompt string
	}
	// OpenWith starts a session with another agent, beside this one.
	OpenWith struct{ Backend *Backend }
)

func (RunInWindow) request()      {}
func (EditText) request()         {}
func (RunProgram) request()       {}
func (Notification) request()     {}
func (OpenRecent) request()       {}
func (ClickTab) request()         {}
func (SessionOpened) request()    {}
func (OpenFailed) request()       {}
func (AgentEnded) request()       {}
func (DraftsRecovered) request()  {}
func (ReconnectAndSend) request() {}
func (SendDraft) request()        {}
func (RestartAgent) request()     {}
func (SwitchSession) request()    {}
func (ForkSession) request()      {}
func (OpenWith) request()         {}

// request asks the window for something. It returns nil, for callers that return a
// command.
func (c *core) request(r Request) tea.Cmd {
	c.Requests = append(c.Requests, r)
	return nil
}
