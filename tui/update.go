package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/tui/appearance"
	"parley/tui/browser"
	"parley/tui/conversation"
	"parley/tui/overlay"
	"parley/tui/settingslist"
	"parley/tui/transcript"
)

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, input := msg.(conversation.InputMsg); input && m.display.View.Inline {
		m.display.Whole()
	}
	cmd := m.update(msg)
	if m.win.Config.Inline {
		m.writeFinished()
	}
	m.draw()
	return m, cmd
}

// writeFinished writes what is finished into the terminal, and gives the window its place for what is not.
func (m *Model) writeFinished() {
	front, was := m.win.Front, m.display.View.Inline
	m.display.View.Inline = m.display.Inline()
	m.display.Fit()
	switch {
	case m.display.View.Inline:
		m.inline.take(front)
		m.inline.of(front).Hide(&front.Pane)
	case was: // all of it is on the other screen
		front.Pane.Floor = transcript.Spot{}
	}
}

// update takes a message.
func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case frameMsg:
		var images tea.Cmd
		if !m.away {
			images = m.win.Images.Show(&m.win.Front.Pane)
		}
		return tea.Batch(images, m.display.Timers.WakeQuestions(), m.frameEnd(m.frame.next(m.written())))
	case conversation.PaintMsg:
		return m.display.Receive(msg)
	case hiddenMsg:
		return msg.then()
	case stopMsg:
		return m.suspend("")
	}
	_, input := msg.(conversation.InputMsg)
	front := m.win.Front
	var cmd tea.Cmd
	if in, ok := msg.(conversation.Message); !ok {
		cmd = m.route(msg)
	} else if cmd, ok = m.tabs.deliver(in); !ok {
		cmd = m.switcher.undelivered(in.Msg)
	}
	asked := tea.Batch(m.carryOut(), m.library.left())
	if m.win.Front != front { // what was begun with the other ends
		m.display.Switched()
	}
	for _, c := range m.all {
		c.UpdateDraftState()
		m.win.Journal.Changed = c.Composer.Changed() || m.win.Journal.Changed
	}
	m.dress()
	return tea.Batch(cmd, asked, m.display.FollowCard(), m.display.Timers.Start(m.status.Shows("clock")), m.win.Front.Recovery.Keep(),
		m.status.runScript(m.win.Front), m.frameEnd(m.frame.touch(input)))
}

// route gives a message that is for no conversation to the part it is for.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	m.win.Listen(msg)
	switch msg := msg.(type) {
	case conversation.InputMsg:
		return m.input(msg)
	case conversation.ReturnedMsg:
		return m.returned(msg)
	case preferMsg:
		return m.preferred(msg)
	case browser.Msg:
		m.win.Pass(msg.At)
		msg.Of.SetFacts(m.tabs.overlayFacts())
		cmd := msg.Of.Update(msg)
		return tea.Batch(cmd, m.answer(msg.Of.Requests())) // it may be closed by now
	case conversation.SaveMsg:
		m.win.Pass(time.Time(msg))
		return m.drafts.save()
	case conversation.RoundTripMsg:
		return m.measured(time.Duration(msg))
	case tea.WindowSizeMsg:
		m.display.Resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized {
			m.win.Front.Composer.SetWidthMethod(ansi.GraphemeWidth) // as Bubble Tea counts from now on
		}
		return m.forAppearance(m.appearance.Update(msg))
	case consultedMsg:
		return msg.show()
	default:
		return tea.Batch(m.finished(msg), m.forAppearance(m.appearance.Update(msg)))
	}
	return nil
}

// finished takes the end of a job of the window, or of the conversation on the screen.
func (m *Model) finished(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case transcript.ImageMsg, transcript.ImageSentMsg, tea.TerminalVersionMsg:
		return m.win.Images.Receive(msg, m.win.Environment().MayShowImages())
	}
	m.status.update(msg)
	return tea.Batch(m.display.Receive(msg), m.win.Front.Receive(msg))
}

// input routes what the user did.
func (m *Model) input(msg conversation.InputMsg) tea.Cmd {
	m.win.Pass(msg.At)
	if m.away || msg.At.Before(m.since) {
		switch msg.Msg.(type) {
		case tea.KeyMsg, tea.PasteMsg, tea.MouseMsg:
			return nil // meant for the program that had the terminal
		}
	}
	if m.win.Overlay != nil {
		m.win.Overlay.SetFacts(m.tabs.overlayFacts())
	}
	switch msg.Msg.(type) {
	case tea.FocusMsg:
		m.lookBack(msg.At)
		return nil
	case tea.BlurMsg:
		cmd := m.display.Input(msg)
		for _, c := range m.all {
			c.Attention.LookAway(msg.At)
		}
		return cmd
	case tea.ResumeMsg:
		m.win.Focused = true
		m.win.Front.Questions.WindowFocus(true, msg.At)
		return m.retaken(msg.At)
	}
	return m.display.Input(msg)
}

// lookBack notes that the user looks at the window again.
func (m *Model) lookBack(at time.Time) {
	m.win.Focused = true
	for _, c := range m.all {
		c.Attention.Needed = false
	}
	m.win.Front.Blocks.Do(m.win.Front.Nav.LookBack())
	m.win.Front.Questions.WindowFocus(true, at)
}

// carryOut does what lies over the window and the conversations have asked for, and
// what they ask for then.
func (m *Model) carryOut() tea.Cmd {
	var cmds []tea.Cmd
	for {
		if m.win.Overlay != nil {
			if asked := m.win.Overlay.Requests(); len(asked) > 0 {
				cmds = append(cmds, m.answer(asked))
				continue
			}
		}
		i := slices.IndexFunc(m.all, func(c *conversation.Conversation) bool { return len(c.Requests) > 0 })
		if i < 0 {
			return tea.Batch(cmds...)
		}
		c := m.all[i] // a request may open or close others
		asked := c.Requests
		c.Requests = nil
		for _, r := range asked {
			cmds = append(cmds, m.forConversation(c, r))
		}
	}
}

// forConversation does what a conversation asks for.
func (m *Model) forConversation(c *conversation.Conversation, r conversation.Request) tea.Cmd {
	switch r := r.(type) {
	case conversation.RunInWindow:
		if c == m.win.Front {
			return m.handlers[r.Command.ID](r.Args)
		}
	case conversation.EditText:
		return m.handOver(func() tea.Cmd { return m.win.Edit(r.Edition) })
	case conversation.RunProgram:
		return m.handOver(func() tea.Cmd {
			return m.win.HandOver(m.win.Ctx, r.Argv, func(err error) tea.Msg { return conversation.ReturnedMsg{Err: err, Then: r.Then} })
		})
	case conversation.Notification:
		return m.notify(c, r)
	case conversation.ClickTab:
		return m.tabs.click(r.X)
	case conversation.OpenRecent:
		if r.Index < len(m.recents.shown) {
			return m.library.open(m.recents.shown[r.Index])
		}
	case conversation.SessionOpened:
		return tea.Batch(m.recents.find(), m.library.refresh())
	case conversation.OpenFailed:
		return m.switcher.openFailed(c, r.ID, r.Err)
	case conversation.AgentEnded:
		m.agents.forget(r.Agent, c)
	case conversation.DraftsRecovered:
		m.drafts.recovered()
	case conversation.ReconnectAndSend:
		return m.switcher.reconnectAndSend(c)
	case conversation.SendDraft:
		return c.Input.SendDraft(session.Enqueue)
	case conversation.RestartAgent:
		return m.switcher.restartAgent(c)
	case conversation.SwitchSession:
		cmd, _ := m.switcher.switchTo(c, r.ID, r.Dir)
		if c.ShowHint("%s", r.Hint); r.Warning != "" {
			c.Warn("redo", r.Warning)
		}
		return cmd
	case conversation.OpenWith:
		return m.switcher.openWith(r.Backend, "")
	case conversation.ForkSession:
		return m.forks.forkBefore(c, c.Info.ID, r.Before, r.Prompt)
	}
	return nil
}

// answer does what an overlay has asked for.
func (m *Model) answer(asked []overlay.Request) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range asked {
		cmds = append(cmds, m.forOverlay(r))
	}
	return tea.Batch(cmds...)
}

// forOverlay does what an overlay asks for.
func (m *Model) forOverlay(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case settingslist.Set:
		return m.prefer(r.Setting, r.Value)
	case settingslist.Themes:
		m.win.Front.CloseOverlays()
		return m.forAppearance(m.appearance.Choose("", m.win.Pressed))
	case settingslist.StatusItems:
		return m.openStatusItems("")
	case appearance.Chosen:
		return m.forAppearance(m.appearance.Keep(r), nil)
	case browser.Marked:
		return m.recents.find()
	}
	if cmd, ok := m.win.Front.ForOverlay(r); ok {
		return cmd
	}
	return m.library.answer(r)
}
