package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/session"
)

// shellMsg ends a command of the user's.
type shellMsg struct {
	session session.Session
	id      int
	err     error
}

// runDraft runs the draft as a command, if all of it can be read.
func (m *Model) runDraft(d history.Draft) tea.Cmd {
	if len(d.Chips) > 0 {
		for _, c := range d.Chips {
			if c.Attachment != nil {
				m.tell("A command has no attachments: write the path.")
				return nil
			}
		}
		m.setDraft(history.Draft{Text: d.Prompt(), Caret: len(d.Prompt())})
		m.tell("Read what was pasted, then press {send} again.")
		return nil
	}
	return m.runShell(strings.TrimSpace(d.Text[1:]))
}

// runShell runs a command for the user, and for the agent to see. The events
// of the session show it.
func (m *Model) runShell(command string) tea.Cmd {
	s, ok := session.As[session.ShellRunner](m.session)
	switch {
	case m.session == nil:
		m.tell("There is no session yet. The draft stays.")
		return nil
	case !ok:
		m.tell("This agent runs no commands of yours; {suspend} goes to the shell. The draft stays.")
		return nil
	case command == "":
		m.tell("Type the command after the !")
		return nil
	}
	keep := m.take()
	m.toEnd()
	m.wrote = true
	if m.busy() {
		m.tell("The agent is not told of this one: its turn has begun.")
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.ran++
	id, on := m.ran, m.session
	m.shells[id] = stop
	return tea.Batch(keep, func() tea.Msg {
		defer stop()
		return shellMsg{on, id, s.RunShell(ctx, command)}
	})
}

// stopShells stops the commands of the user's that run, and reports whether
// there were any.
func (c *conversation) stopShells() bool {
	if len(c.shells) == 0 {
		return false
	}
	for _, stop := range c.shells {
		stop()
	}
	c.tell("Stopping your command")
	return true
}

// shellEnded takes the end of a command.
func (c *conversation) shellEnded(msg shellMsg) {
	delete(c.shells, msg.id)
	if msg.err != nil && msg.session == c.session && !errors.Is(msg.err, context.Canceled) {
		c.fail("run the command", msg.err, "")
	}
}

// ask asks the agent on the side.
func (m *Model) ask(question string) tea.Cmd {
	s, ok := session.As[session.SideAsker](m.session)
	switch {
	case !ok:
		m.tell("This agent answers nothing on the side.")
		return nil
	case question == "":
		m.tell("Say the question: /ask QUESTION")
		return nil
	}
	m.tell("Asking on the side")
	return ask(m.conversation, "ask on the side", func(ctx context.Context) (string, error) { return s.AskAside(ctx, question) },
		func(answer string) tea.Cmd {
			if m.elsewhere() {
				m.say(session.SessionInfo{InfoType: "aside", Message: question + "\n\n" + answer})
				m.toEnd()
				return nil
			}
			m.openText("On the side", "> "+strings.ReplaceAll(question, "\n", "\n> ")+"\n\n"+answer)
			return nil
		})
}
