package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// opened takes the session that was opened.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if msg.agent != nil {
		m.agent = msg.agent
	}
	if msg.err != nil {
		m.fail("start the agent", msg.err, "Enter tries again, /quit leaves. The draft stays.")
		m.lost = true
		for _, in := range m.held {
			m.composer.giveBack(in.Prompt)
		}
		m.held = nil
		return m.edited()
	}
	m.session, m.info = msg.session, msg.session.Info()
	if m.config.Note != "" {
		m.say(session.SessionInfo{InfoType: "parley", Message: m.config.Note})
		m.config.Note = ""
	}
	if m.info.InUse {
		m.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	cmds := []tea.Cmd{m.pump(m.session), readPending(m.ctx, m.session)}
	held := m.held
	m.held = nil
	if m.config.Prompt != "" {
		held = append([]session.Input{{Prompt: m.config.Prompt, Delivery: session.Enqueue}}, held...)
		m.config.Prompt = ""
	}
	for _, in := range held {
		cmds = append(cmds, send(m.ctx, m.session, in))
	}
	return tea.Sequence(tea.Batch(cmds[:2]...), tea.Sequence(cmds[2:]...))
}

// lose says that the session ended without being asked to, and how to go on.
func (m *Model) lose(err error) {
	m.lost = true
	text := "The session has ended."
	if err != nil {
		text = err.Error()
	}
	m.say(session.SessionError{
		ErrorType: "session ended", Message: text,
		Remediation: words("Enter reconnects and goes on from here, /new starts another session. The draft stays."),
	})
}

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (m *Model) reconnect() tea.Cmd {
	m.lost, m.opening, m.agent = false, true, nil
	m.config.Resume, m.config.Continue = m.resumable(), false
	return open(m.ctx, m.config, nil)
}

// responded takes the end of an answer.
func (m *Model) responded(msg respondedMsg) {
	switch {
	case msg.err == nil:
	case errors.Is(msg.err, session.ErrSettled):
		m.tell("That question was already settled elsewhere.")
	default:
		m.fail("deliver the answer", msg.err, "Nothing was approved by it. Esc twice interrupts the turn that waits for it.")
	}
}

// cancel is ctrl+c: it undoes the nearest thing that can be undone, and never
// answers a question.
func (m *Model) cancel(string) tea.Cmd {
	switch {
	case m.help != nil:
		m.help = nil
	case m.list != nil && m.list.picking:
		m.list = nil
	case m.queue.Len() > 0 && m.queue.Focused():
		m.queue.Blur(m.now)
	case !m.composer.editor.Empty():
		m.composer.editor.SetText("")
		m.tell("Draft cleared; ctrl+_ brings it back.")
		return m.edited()
	case m.busy():
		return m.interrupt()
	case m.again("quit"):
		return tea.Quit
	default:
		m.tell("ctrl+c again to quit")
	}
	return nil
}

// escape closes what lies on top, or interrupts when pressed twice.
func (m *Model) escape(string) tea.Cmd {
	switch {
	case m.list != nil:
		m.list = nil
	case m.busy() && m.again("interrupt"):
		return m.interrupt()
	case m.busy():
		m.tell("esc again to interrupt")
	case !m.composer.editor.Empty() && m.again("clear"):
		m.composer.editor.SetText("")
		m.tell("Draft cleared; ctrl+_ brings it back.")
		return m.edited()
	case !m.composer.editor.Empty():
		m.tell("esc again to clear the draft")
	}
	return nil
}

// interrupt asks the agent to stop the turn. The request leaves at once.
func (m *Model) interrupt() tea.Cmd {
	if m.session == nil || !m.aborting.IsZero() {
		return nil
	}
	m.aborting, m.hint = m.now, hint{}
	return job(m.ctx, "interrupt the agent", m.session.Abort)
}

// deleteOrQuit is ctrl+d: it never quits over a draft.
func (m *Model) deleteOrQuit(string) tea.Cmd {
	if !m.composer.editor.Empty() {
		m.composer.editor.Update(tea.KeyPressMsg{Code: tea.KeyDelete})
		return m.edited()
	}
	if m.again("quit") {
		return tea.Quit
	}
	m.tell("ctrl+d again to quit")
	return nil
}

// tab goes to the waiting question when there is no draft to complete.
func (m *Model) tab(string) tea.Cmd {
	switch {
	case m.composer.editor.Empty() && m.queue.Len() > 0:
		m.queue.Focus(m.now)
	case !m.composer.editor.Empty() && m.busy():
		m.tell("ctrl+q queues the prompt for after this turn")
	}
	return nil
}

func (m *Model) focusQuestion(string) tea.Cmd {
	if !m.queue.Focus(m.now) {
		m.tell("No question is waiting.")
	}
	return nil
}

func (m *Model) page() int { return max(1, m.pane.height-2) }

func (m *Model) scroll(n int) tea.Cmd {
	m.pane.scroll(n)
	return nil
}

func (m *Model) goHome(string) tea.Cmd {
	m.pane.home()
	return nil
}

func (m *Model) goEnd(string) tea.Cmd {
	m.pane.end()
	return nil
}

func (m *Model) toggleExpanded(string) tea.Cmd {
	m.pane.expanded = !m.pane.expanded
	return nil
}

func (m *Model) toggleReasoning(string) tea.Cmd {
	m.pane.thinking = !m.pane.thinking
	return nil
}

func (m *Model) redraw(string) tea.Cmd {
	m.pane.end()
	return tea.ClearScreen
}

func (m *Model) clearScreen(string) tea.Cmd {
	m.pane.clear()
	return nil
}

func (m *Model) suspend(string) tea.Cmd { return tea.Suspend }

func (m *Model) quit(string) tea.Cmd { return tea.Quit }

// modes in the order in which shift+tab goes through them.
func modes() []session.Mode {
	return []session.Mode{session.Interactive, session.Plan, session.Autopilot}
}

func (m *Model) cycleMode(string) tea.Cmd {
	all := modes()
	next := all[(slices.Index(all, m.mode())+1)%len(all)]
	return m.changeMode(next)
}

// mode is the session's as its events tell it.
func (m *Model) mode() session.Mode {
	if mode := m.timeline.Status().Mode; mode != "" {
		return mode
	}
	if m.info.Mode != "" {
		return m.info.Mode
	}
	return session.Interactive
}

func (m *Model) changeMode(mode session.Mode) tea.Cmd {
	s, ok := m.session.(session.ModeSetter)
	if !ok {
		m.tell("This agent has no modes.")
		return nil
	}
	return job(m.ctx, "switch to "+string(mode)+" mode", func(ctx context.Context) error { return s.SetMode(ctx, mode) })
}

func (m *Model) setMode(args string) tea.Cmd {
	if args != "" {
		if mode := session.Mode(args); slices.Contains(modes(), mode) {
			return m.changeMode(mode)
		}
		m.tell("No mode %q: interactive, plan or autopilot.", args)
		return nil
	}
	rows := []row{
		{string(session.Interactive), "interactive", "asks before it changes anything"},
		{string(session.Plan), "plan", "writes a plan and changes nothing until you approve it"},
		{string(session.Autopilot), "autopilot", "goes on by itself until the task is done"},
	}
	m.picker("Mode", rows, string(m.mode()), func(m *Model, r row) tea.Cmd { return m.changeMode(session.Mode(r.value)) })
	return nil
}

func (m *Model) setModel(args string) tea.Cmd {
	s, ok := m.session.(session.ModelSetter)
	if !ok {
		m.tell("This agent has one model only.")
		return nil
	}
	if args != "" {
		return m.changeModel(args)
	}
	return listModels(m.ctx, s)
}

func (m *Model) changeModel(id string) tea.Cmd {
	s, ok := m.session.(session.ModelSetter)
	if !ok {
		return nil
	}
	return job(m.ctx, "switch to model "+id, func(ctx context.Context) error { return s.SetModel(ctx, id) })
}

// pickModel shows the models the agent offers.
func (m *Model) pickModel(msg modelsMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.fail("list the models", msg.err, "/model NAME takes any name the agent knows.")
	case len(msg.models) == 0:
		m.tell("The agent lists no models; /model NAME takes any name it knows.")
	default:
		rows := make([]row, len(msg.models))
		for i, model := range msg.models {
			rows[i] = row{model.ID, model.ID, strings.TrimPrefix(model.Name, model.ID)}
		}
		m.picker("Model", rows, m.timeline.Status().Model, func(m *Model, r row) tea.Cmd { return m.changeModel(r.value) })
	}
	return nil
}

func (m *Model) compact(args string) tea.Cmd {
	s, ok := m.session.(session.Compacter)
	if !ok {
		m.tell("This agent does not summarise on request.")
		return nil
	}
	return job(m.ctx, "summarise the conversation", func(ctx context.Context) error { return s.Compact(ctx, args) })
}

// newSession leaves the session, which can be resumed, and starts another.
func (m *Model) newSession(string) tea.Cmd {
	if m.opening {
		return nil
	}
	var cmd tea.Cmd
	if m.session != nil {
		cmd = leave(m.ctx, m.session)
	}
	old := m.resumable()
	m.session, m.opening = nil, true
	m.config.Resume, m.config.Continue = "", false
	m.reset()
	if old != "" {
		m.say(session.SessionInfo{InfoType: "parley", Message: fmt.Sprintf("New session. The one before: parley --resume %s", old)})
	}
	return tea.Sequence(cmd, open(m.ctx, m.config, m.agent))
}

// stopAgent ends an agent that does not answer.
func (m *Model) stopAgent(string) tea.Cmd {
	agent := m.agent
	if agent == nil {
		return nil
	}
	m.agent = nil
	return job(m.ctx, "stop the agent", func(ctx context.Context) error {
		ctx, done := context.WithTimeout(ctx, time.Second)
		defer done()
		return agent.Close(ctx)
	})
}
