package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
)

// request is what a conversation asks the window for: what concerns other
// conversations, or the terminal. The set is closed. The window carries requests out
// in their order, when the conversation has dealt with what it was given.
type request interface{ request() }

type (
	// runInWindow runs a command that is the window's.
	runInWindow struct {
		command keymap.Command
		args    string
	}
	// editText opens a text in the user's editor.
	editText struct{ edition *edition }
	// runProgram gives the terminal to a program; then takes its end.
	runProgram struct {
		argv []string
		then func(err error) tea.Cmd
	}
	// notification is news for a user who looks elsewhere, by one of the channels that
	// the settings name.
	notification struct{ channel, text string }
	// sessionOpened says that the session is there.
	sessionOpened struct{}
	// openFailed says why no session could be opened.
	openFailed struct {
		id  session.ID
		err error
	}
	// agentEnded says that the agent of the conversation is not to be used again.
	agentEnded struct{ agent session.Agent }
	// draftsRecovered says that drafts of windows that have ended are there.
	draftsRecovered struct{}
	// reconnectAndSend resumes the session that was lost, and sends the draft.
	reconnectAndSend struct{}
	// restartAgent starts the agent again, with the same session.
	restartAgent struct{}
	// switchSession leaves the session for another in a folder, and says so there.
	switchSession struct {
		id            session.ID
		dir           string
		hint, warning string // warning is "" if there is none
	}
	// forkSession continues in a copy of the session that ends before an event; "" copies
	// all of it. The prompt is in the draft then.
	forkSession struct {
		before session.EventID
		prompt string
	}
)

func (runInWindow) request()      {}
func (editText) request()         {}
func (runProgram) request()       {}
func (notification) request()     {}
func (sessionOpened) request()    {}
func (openFailed) request()       {}
func (agentEnded) request()       {}
func (draftsRecovered) request()  {}
func (reconnectAndSend) request() {}
func (restartAgent) request()     {}
func (switchSession) request()    {}
func (forkSession) request()      {}

// request asks the window for something. It returns nil, for callers that return a
// command.
func (c *core) request(r request) tea.Cmd {
	c.requests = append(c.requests, r)
	return nil
}
