package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
)

// queuedCommand returns the command of the window's own that an event of the
// agent's queue asks for, and the question that it answers (Streaming Session Events, command.queued). It fails
// closed: what an agent could gain by is not marked in the table, words after the
// name are not taken, and nothing opens over a question, a draft, or what else
// the user has turned to.
func (m *conversation) queuedCommand(ev session.Event) (keymap.Command, session.RequestID, bool) {
	b, ok := ev.Body.(session.CommandQueued)
	if !ok || ev.Replayed || m.readOnly != nil {
		return keymap.Command{}, "", false
	}
	if _, asks := session.As[session.CommandHost](m.session); !asks {
		return keymap.Command{}, "", false
	}
	name, args, ok := keymap.ParseSlash(b.Command)
	c, known := keymap.Find(keymap.Commands(), name)
	if !ok || !known || args != "" || !c.Queued {
		return keymap.Command{}, "", false
	}
	f := m.focus()
	return c, b.RequestID, m.inFront() && (f == composing || f == browsing) && m.questions.Len() == 0 && m.composer.Empty()
}

// carryOut runs a command of the agent's queue, says so, and tells the agent.
func (m *conversation) carryOut(c keymap.Command, id session.RequestID) tea.Cmd {
	s, ok := session.As[session.CommandHost](m.session)
	if !ok {
		return nil
	}
	cmd := m.run(c, "")
	m.say(session.SessionInfo{InfoType: "command", Message: "Carried out: the command `/" + c.Slash + "` of the agent's queue."})
	return tea.Batch(cmd, ask(m, "tell the agent that /"+c.Slash+" is done", func(ctx context.Context) (struct{}, error) {
		err := s.CommandHandled(ctx, id)
		if errors.Is(err, session.ErrResolved) {
			err = nil // it goes on anyway
		}
		return struct{}{}, err
	}, func(struct{}) tea.Cmd { return nil }))
}
