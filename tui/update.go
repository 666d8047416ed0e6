package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/prompts"
	"parley/tui/browser"
	"parley/tui/composer"
	"parley/tui/transcript"
)

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		return m, tea.Batch(m.showPictures(), m.wake(), m.win.frameEnd(m.frame.next()))
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
		m.timers.wake = time.Time{}
	}
	for _, c := range m.all {
		c.tellDraft()
		m.win.journal.changed = c.composer.Changed() || m.win.journal.changed
	}
	m.dress()
	return m, tea.Batch(cmd, asked, m.front.followCard(), m.wake(), m.tick(), m.age(), m.front.recovery.keep(), m.feedScript(),
		m.win.frameEnd(m.frame.touch(input)))
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
		m.timers.tick = false
		m.win.pass(time.Time(msg))
		m.win.spin.turn()
		if m.front.tasks.watching() {
			m.front.refreshList()
			return m.front.tasks.readTasks()
		}
	case whichMsg:
		m.win.pass(time.Time(msg))
	case ageMsg:
		m.timers.age = false
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
		m.timers.wake = time.Time{}
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
	case transcript.PictureMsg, transcript.PictureSentMsg, tea.TerminalVersionMsg:
		return m.win.pictured(msg)
	case savedMsg:
		m.front.recovery.saved(msg)
	}
	return tea.Batch(m.win.consulted(msg), m.statusTold(msg))
}

// pass lets the time go on. It never goes back.
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
		return m.key(in, msg.At)
	case tea.KeyReleaseMsg:
		return m.front.outcome(m.front.questions.Key(in, msg.At))
	case tea.PasteMsg:
		return m.paste(in, msg.At)
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

// tickTime is how often a running turn is looked at: often enough for a calm
// sign of life, and once a second while nobody looks.
const tickTime = 250 * time.Millisecond

// tick keeps a timer going while something on the screen depends on the time,
// and only then.
func (m *Model) tick() tea.Cmd {
	s := m.front.timeline.Status()
	moving := m.front.session != nil && (m.front.readOnly.growing() || s.Busy || s.Compacting || s.Agents > 0) || m.front.opening ||
		len(m.front.shells) > 0 || !m.front.aborting.IsZero() || m.win.now.Before(m.front.hint.until) || m.win.now.Before(m.front.armed.until) ||
		m.front.tasks.watching() ||
		len(m.front.queue.sending) > 0
	if m.win.still() {
		moving = !m.front.aborting.IsZero() || len(m.front.queue.sending) > 0 // for the way out, and to show what is not taken
	}
	if m.timers.tick || !moving {
		return nil
	}
	m.timers.tick = true
	wait := tickTime
	switch {
	case m.win.still() && len(m.front.queue.sending) == 0:
		wait = abortPatience
	case !m.win.focused || m.front.questions.Len() > 0:
		wait = time.Second // nothing spins
	}
	return m.win.after(wait, func(t time.Time) tea.Msg { return tickMsg(t) })
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
		c.answers.hold(o.Answer)
		cmds = append(cmds, c.own(respond(c.win.ctx, c.session, o.Answer)))
	}
	c.draft.reclaimFrom(c.questions, "What you wrote and did not send is in the composer.")
	if o.Effect != nil {
		cmds = append(cmds, c.effect(o.Effect))
	}
	return tea.Batch(cmds...)
}

// wake arranges for the next call of Tick.
func (m *Model) wake() tea.Cmd {
	next := m.front.questions.Wake()
	if next.IsZero() || !m.timers.wake.IsZero() && !next.Before(m.timers.wake) {
		return nil
	}
	m.timers.wake = next
	return m.win.after(next.Sub(m.win.now), func(t time.Time) tea.Msg { return wakeMsg(t) })
}
