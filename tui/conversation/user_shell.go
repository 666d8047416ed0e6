package conversation

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
)

// userShells are the commands that the user runs beside the agent.
type userShells struct {
	*core
	draft *promptDraft
	ran   int // how many commands ran so far
}

// shellMsg ends a command of the user's.
type shellMsg struct {
	session session.Session
	id      int
	err     error
}

// runDraft runs the draft as a command, if all of it can be read.
func (c *userShells) runDraft(d drafts.Draft) tea.Cmd {
	if len(d.Chips) > 0 {
		if attaches(d) {
			return c.ShowHint("A command has no attachments: write the path.")
		}
		c.draft.SetDraft(drafts.Draft{Text: d.Prompt(), Caret: len(d.Prompt())})
		return c.ShowHint("Read what was pasted, then press {send} again.")
	}
	return c.runShell(strings.TrimSpace(d.Text[1:]))
}

// runShell runs a command for the user, and for the agent to see. The events
// of the session show it.
func (c *userShells) runShell(command string) tea.Cmd {
	s, ok := session.As[session.ShellRunner](c.Session)
	switch {
	case c.Session == nil:
		return c.ShowHint("There is no session yet. The draft stays.")
	case !ok:
		return c.ShowHint("This agent runs no commands of yours; {suspend} goes to the shell. The draft stays.")
	case command == "":
		return c.ShowHint("Type the command after the !")
	}
	keep := c.draft.take()
	c.Pane.ToEnd()
	c.Wrote = true
	if c.Busy() {
		c.ShowHint("The agent does not see this command: its turn has begun.")
	}
	ctx, stop := context.WithCancel(c.win.Ctx)
	c.ran++
	id, on := c.ran, c.Session
	c.shells[id] = stop
	return tea.Batch(keep, c.own(func() tea.Msg {
		defer stop()
		return shellMsg{on, id, s.RunShell(ctx, command)}
	}))
}

// stopShells stops the commands of the user's that run, and reports whether
// there were any.
func (c *userShells) stopShells() bool {
	if len(c.shells) == 0 {
		return false
	}
	for _, stop := range c.shells {
		stop()
	}
	c.ShowHint("Stopping your command")
	return true
}

// shellEnded takes the end of a command.
func (c *userShells) shellEnded(msg shellMsg) tea.Cmd {
	delete(c.shells, msg.id)
	if msg.err != nil && msg.session == c.Session && !errors.Is(msg.err, context.Canceled) {
		c.Fail("run the command", msg.err, "")
	}
	return c.readCheckout()
}

// ask asks the agent on the side.
func (c *userShells) ask(question string) tea.Cmd {
	s, ok := session.As[session.SideQuestionAsker](c.Session)
	switch {
	case !ok:
		return c.ShowHint("This agent answers nothing on the side.")
	case question == "":
		return c.ShowHint("Say the question: /ask QUESTION")
	}
	c.ShowHint("Asking on the side")
	return ask(c.core, "ask on the side", func(ctx context.Context) (string, error) { return s.AskAside(ctx, question) },
		func(answer string) tea.Cmd {
			if c.Elsewhere() {
				c.AddNotice(session.SessionInfo{InfoType: "aside", Message: question + "\n\n" + answer})
				c.Pane.ToEnd()
				return nil
			}
			return c.openText("On the side", "> "+strings.ReplaceAll(question, "\n", "\n> ")+"\n\n"+answer)
		})
}
