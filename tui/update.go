package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/prompts"
	"parley/session"
	"parley/theme"
)

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		return m, m.nextFrame()
	case paintMsg:
		return m, m.painted(msg)
	}
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.followCard(), m.wake(), m.tick(), m.touch())
}

// route gives a message to the part it is for.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case inputMsg:
		return m.input(msg)
	case eventsMsg:
		return m.events(msg)
	case openedMsg:
		return m.opened(msg)
	case sentMsg:
		return m.sent(msg)
	case respondedMsg:
		m.responded(msg)
	case pendingMsg:
		if msg.session == m.session && msg.err == nil {
			m.pending = msg.items
		}
	case modelsMsg:
		return m.pickModel(msg)
	case doneMsg:
		if msg.err != nil {
			m.fail(msg.what, msg.err, "")
		}
	case endedMsg:
		if m.session == nil && !m.opening {
			m.lose(msg.err)
		}
	case leftMsg:
		if msg.err != nil {
			m.fail("close the session that was left", msg.err, "")
		}
	case tickMsg:
		m.ticking = false
		m.pass(time.Time(msg))
		m.spin++
	case wakeMsg:
		m.pass(time.Time(msg))
		m.waking = time.Time{}
		return m.outcome(m.queue.Tick(m.now))
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized {
			m.composer.editor.method = ansi.GraphemeWidth // as Bubble Tea counts from now on
		}
	case tea.BackgroundColorMsg:
		m.setTheme(msg.IsDark())
	}
	return nil
}

// pass lets the time go on. It never goes back.
func (m *Model) pass(t time.Time) {
	if t.After(m.now) {
		m.now = t
	}
}

// input routes what the person did.
func (m *Model) input(msg inputMsg) tea.Cmd {
	m.pass(msg.At)
	if msg.Late {
		m.queue.Elsewhere(m.now)
	}
	switch in := msg.Msg.(type) {
	case tea.KeyPressMsg:
		return m.key(in, msg.At)
	case tea.KeyReleaseMsg:
		return m.outcome(m.queue.Key(in, msg.At))
	case tea.PasteMsg:
		return m.paste(in, msg.At)
	case tea.MouseWheelMsg:
		return m.wheel(in)
	case tea.MouseClickMsg:
		m.click(in, msg.At)
	case tea.FocusMsg:
		m.focused = true
		m.queue.WindowFocus(true, msg.At)
	case tea.BlurMsg:
		m.focused = false
		m.queue.WindowFocus(false, msg.At)
	case tea.ResumeMsg:
		m.focused = true
		m.queue.WindowFocus(true, msg.At)
		m.queue.Resize(msg.At)
	case tea.CursorPositionMsg:
		m.answered(msg.At)
	}
	return nil
}

// setTheme follows the background of the terminal.
func (m *Model) setTheme(dark bool) {
	m.theme = theme.Light()
	if dark {
		m.theme = theme.Dark()
	}
	m.pane.opts.Theme = m.theme
}

// tickTime is how often a running turn is looked at: often enough for a calm
// sign of life, and once a second while nobody looks.
const tickTime = 250 * time.Millisecond

// tick keeps a timer going while something on the screen depends on the time,
// and only then.
func (m *Model) tick() tea.Cmd {
	moving := m.busy() || m.opening || !m.aborting.IsZero() ||
		m.now.Before(m.hint.until) || m.now.Before(m.armed.until)
	if m.ticking || !moving {
		return nil
	}
	m.ticking = true
	wait := tickTime
	if !m.focused {
		wait = time.Second
	}
	return m.after(wait, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// events folds a batch of events into the projections.
func (m *Model) events(msg eventsMsg) tea.Cmd {
	if msg.session != m.session {
		return nil // of a session that was left
	}
	m.pass(msg.at)
	cmds := []tea.Cmd{}
	reread := false
	for _, ev := range msg.events {
		if m.known(ev) {
			continue
		}
		m.timeline.Apply(ev)
		for _, refusal := range m.queue.Apply(ev, msg.at) {
			cmds = append(cmds, respond(m.ctx, m.session, refusal))
			m.warn("refused", "Refused for you: Parley cannot show this kind of question yet ("+string(ev.Kind())+").")
		}
		cmds = append(cmds, m.noted(ev))
		if _, ok := ev.Body.(session.PendingMessagesModified); ok {
			reread = true
		}
	}
	if reread {
		cmds = append(cmds, readPending(m.ctx, m.session))
	}
	if !m.busy() {
		m.aborting, m.steerTold = time.Time{}, false
	}
	if msg.ended {
		return tea.Batch(append(cmds, m.ended())...)
	}
	cmds = append(cmds, m.pump(m.session))
	return tea.Batch(cmds...)
}

// known reports whether an event of the history is on the timeline already,
// as after a reconnection, and remembers it.
func (m *Model) known(ev session.Event) bool {
	if ev.Ephemeral || ev.ID == "" {
		return false
	}
	known := ev.Replayed && m.stored[ev.ID]
	m.stored[ev.ID] = true
	return known
}

// noted remembers which call a permission question is about, and sends the
// note that was held back when that call has completed (decision 5).
func (m *Model) noted(ev session.Event) tea.Cmd {
	switch b := ev.Body.(type) {
	case session.PermissionRequested:
		if call := b.Call(); call != "" {
			m.asked[b.RequestID] = askedAbout{call}
		}
	case session.ToolExecutionComplete:
		note, ok := m.notes[b.ToolCallID]
		if ok {
			delete(m.notes, b.ToolCallID)
			return send(m.ctx, m.session, session.Input{Prompt: note, Delivery: session.Immediate})
		}
	}
	return nil
}

// ended takes the end of the session's events.
func (m *Model) ended() tea.Cmd {
	s := m.session
	m.session = nil
	m.pending, m.aborting = nil, time.Time{}
	m.newQueue()
	return func() tea.Msg { return endedMsg{s.Wait()} }
}

// outcome does what the questions made of a message.
func (m *Model) outcome(o prompts.Outcome) tea.Cmd {
	var cmds []tea.Cmd
	for _, msg := range o.Draft {
		switch msg := msg.(type) {
		case tea.KeyPressMsg:
			cmds = append(cmds, m.composerKey(msg))
		case tea.PasteMsg:
			m.insert(msg.Content)
		}
	}
	if o.Answer != nil && m.session != nil {
		if p, ok := o.Answer.(session.PermissionAnswer); ok && p.Note != "" && p.Decision.Approves() {
			m.notes[m.asked[p.RequestID].call] = p.Note
		}
		cmds = append(cmds, respond(m.ctx, m.session, o.Answer))
	}
	return tea.Batch(cmds...)
}

// wake arranges for the next call of Tick.
func (m *Model) wake() tea.Cmd {
	next := m.queue.Wake()
	if next.IsZero() || !m.waking.IsZero() && !next.Before(m.waking) {
		return nil
	}
	m.waking = next
	return m.after(next.Sub(m.now), func(t time.Time) tea.Msg { return wakeMsg(t) })
}
