package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/prompts"
	"parley/tui/appearance"
	"parley/tui/browser"
	"parley/tui/composer"
	"parley/tui/overlay"
	"parley/tui/settingslist"
	"parley/tui/transcript"
)

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		var images tea.Cmd
		if !m.away {
			images = m.win.images.Show(&m.front.pane)
		}
		return m, tea.Batch(images, m.timers.wakeQuestions(), m.win.frameEnd(m.frame.next()))
	case paintMsg:
		return m, m.front.painted(msg)
	}
	_, input := msg.(inputMsg)
	front := m.front
	var cmd tea.Cmd
	if in, ok := msg.(inMsg); !ok {
		cmd = m.route(msg)
	} else if cmd, ok = m.tabs.deliver(in); !ok {
		cmd = m.switcher.undelivered(in.msg)
	}
	asked := m.carryOut()
	if m.front != front { // what was begun with the other ends
		m.mouse.forget()
		m.timers.waking = time.Time{}
	}
	for _, c := range m.all {
		c.updateDraftState()
		m.win.journal.changed = c.composer.Changed() || m.win.journal.changed
	}
	m.dress()
	return m, tea.Batch(cmd, asked, m.front.followCard(), m.timers.start(m.status.Shows("clock")), m.front.recovery.keep(),
		m.status.runScript(m.front), m.win.frameEnd(m.frame.touch(input)))
}

// route gives a message that is for no conversation to the part it is for.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	m.win.listen(msg)
	switch msg := msg.(type) {
	case inputMsg:
		return m.input(msg)
	case returnedMsg:
		return m.returned(msg)
	case tickMsg:
		m.timers.animating = false
		m.win.pass(time.Time(msg))
		m.win.spin.turn()
		if m.front.tasks.watching() {
			m.front.refreshList()
			return m.front.tasks.readTasks()
		}
	case whichMsg:
		m.win.pass(time.Time(msg))
	case ageMsg:
		m.timers.ageing = false
		m.win.pass(time.Time(msg))
	case rollMsg:
		return m.mouse.rolled(time.Time(msg))
	case preferMsg:
		return m.preferred(msg)
	case browser.Msg:
		m.win.pass(msg.At)
		msg.Of.SetFacts(m.tabs.overlayFacts())
		cmd := msg.Of.Update(msg)
		return tea.Batch(cmd, m.answer(msg.Of.Requests())) // it may be closed by now
	case saveMsg:
		m.win.pass(time.Time(msg))
		return m.drafts.save()
	case wakeMsg:
		m.win.pass(time.Time(msg))
		m.timers.waking = time.Time{}
		return m.front.outcome(m.front.questions.Tick(m.win.now))
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized {
			m.front.composer.SetWidthMethod(ansi.GraphemeWidth) // as Bubble Tea counts from now on
		}
		return m.forAppearance(m.appearance.Update(msg))
	default:
		m.recents.found(msg)
		return tea.Batch(m.finished(msg), m.forAppearance(m.appearance.Update(msg)))
	}
	return nil
}

// finished takes the end of a job of the window.
func (m *Model) finished(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case promptsMsg:
		return m.front.recall.promptsFound(msg)
	case composer.PromptsMsg:
		m.front.recall.promptsSaved(msg)
	case transcript.ImageMsg, transcript.ImageSentMsg, tea.TerminalVersionMsg:
		return m.win.images.Receive(msg, m.win.config.Environment().MayShowImages())
	case savedMsg:
		m.front.recovery.saved(msg)
	}
	return tea.Batch(m.win.consulted(msg), m.status.update(msg, m.front.core))
}

// pass sets the time forward, never back.
func (w *windowState) pass(t time.Time) {
	if t.After(w.now) {
		w.now = t
	}
}

// input routes what the user did.
func (m *Model) input(msg inputMsg) tea.Cmd {
	m.win.pass(msg.At)
	if m.away || msg.At.Before(m.since) {
		switch msg.Msg.(type) {
		case tea.KeyMsg, tea.PasteMsg, tea.MouseMsg:
			return nil // meant for the program that had the terminal
		}
	}
	if msg.Late {
		m.front.questions.Elsewhere(m.win.now)
	}
	switch in := msg.Msg.(type) {
	case tea.KeyPressMsg:
		return m.keyboard.press(in, msg.At)
	case tea.KeyReleaseMsg:
		return m.front.outcome(m.front.questions.Key(in, msg.At))
	case tea.PasteMsg:
		return m.keyboard.paste(in, msg.At)
	case tea.MouseMsg:
		return m.mouse.take(in, msg.At)
	case tea.FocusMsg:
		m.lookBack(msg.At)
	case tea.BlurMsg:
		m.front.lookAway(msg.At)
	case tea.ResumeMsg:
		m.win.focused = true
		m.front.questions.WindowFocus(true, msg.At)
		return m.retaken(msg.At)
	case tea.CursorPositionMsg:
		m.front.answered(msg.At)
	}
	return nil
}

// lookAway notes that the user looks at something else than the window.
func (c *conversation) lookAway(at time.Time) {
	c.win.focused = false
	c.nav.LookAway()
	c.questions.WindowFocus(false, at)
}

// lookBack notes that the user looks at the window again.
func (m *Model) lookBack(at time.Time) {
	m.win.focused = true
	for _, c := range m.all {
		c.attention.needed = false
	}
	m.front.blocks.do(m.front.nav.LookBack())
	m.front.questions.WindowFocus(true, at)
}

// outcome does what the questions made of a message.
func (c *conversation) outcome(o prompts.Outcome) tea.Cmd {
	var cmds []tea.Cmd
	for _, msg := range o.Draft {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			if msg.Text != "" && len(o.Draft) > 1 { // typed with the others: ? is no command there
				cmds = append(cmds, c.input.editorKey(msg))
			} else {
				cmds = append(cmds, c.input.composerKey(msg))
			}
		case tea.PasteMsg:
			cmds = append(cmds, c.draft.pasted(msg.Content))
		}
	}
	if o.Answer != nil && c.session != nil {
		c.answers.keepNote(o.Answer)
		cmds = append(cmds, c.own(respond(c.win.ctx, c.session, o.Answer)))
	}
	c.draft.reclaimFrom(c.questions, "What you wrote and did not send is in the composer.")
	if o.Effect != nil {
		cmds = append(cmds, c.effect(o.Effect))
	}
	return tea.Batch(cmds...)
}

// carryOut does what lies over the window and the conversations have asked for, and
// what they ask for then.
func (m *Model) carryOut() tea.Cmd {
	var cmds []tea.Cmd
	for {
		if m.win.overlay != nil {
			if asked := m.win.overlay.Requests(); len(asked) > 0 {
				cmds = append(cmds, m.answer(asked))
				continue
			}
		}
		i := slices.IndexFunc(m.all, func(c *conversation) bool { return len(c.requests) > 0 })
		if i < 0 {
			return tea.Batch(cmds...)
		}
		c := m.all[i] // a request may open or close others
		asked := c.requests
		c.requests = nil
		for _, r := range asked {
			cmds = append(cmds, m.forConversation(c, r))
		}
	}
}

// forConversation does what a conversation asks for.
func (m *Model) forConversation(c *conversation, r request) tea.Cmd {
	switch r := r.(type) {
	case runInWindow:
		if c == m.front {
			return m.handlers[r.command.ID](r.args)
		}
	case editText:
		return m.handOver(func() tea.Cmd { return m.win.edit(r.edition) })
	case runProgram:
		return m.handOver(func() tea.Cmd {
			return m.win.handOver(m.win.ctx, r.argv, func(err error) tea.Msg { return returnedMsg{err: err, then: r.then} })
		})
	case notification:
		return m.notify(c, r)
	case sessionOpened:
		return tea.Batch(m.recents.find(), m.library.refresh())
	case openFailed:
		return m.switcher.openFailed(c, r.id, r.err)
	case agentEnded:
		m.agents.forget(r.agent, c)
	case draftsRecovered:
		for _, c := range m.all {
			if c.session != nil {
				c.draft.returnTo(c.info.ID)
			}
		}
	case reconnectAndSend:
		return m.switcher.reconnectAndSend(c)
	case restartAgent:
		return m.switcher.restartAgent(c)
	case switchSession:
		cmd, _ := m.switcher.switchTo(c, r.id, r.dir)
		if c.showHint("%s", r.hint); r.warning != "" {
			c.warn("redo", r.warning)
		}
		return cmd
	case forkSession:
		return m.forks.forkBefore(c, c.info.ID, r.before, r.prompt)
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
	case overlay.Close:
		m.front.closeOverlays()
	case overlay.Copy:
		return m.front.copyText(r.Text)
	case overlay.OpenAddress:
		return m.front.openAddress(r.URL)
	case overlay.Batch:
		return m.answer(r)
	case overlay.OpenInEditor:
		return m.front.request(editText{&edition{text: r.Text, name: r.Name, readOnly: true}})
	case overlay.Comment:
		m.front.draft.comment(r.Text)
	case settingslist.Open:
		m.front.pick(r.List, r.Chosen)
	case settingslist.Set:
		return m.win.prefer(r.Setting, r.Value)
	case appearance.Chosen:
		return m.forAppearance(m.appearance.Keep(r), nil)
	case doThis:
		return r.do()
	case browser.Marked:
		return m.recents.find()
	default:
		return m.library.answer(r)
	}
	return nil
}
