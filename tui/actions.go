package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// opened takes the session that was opened, and sends what was written
// meanwhile.
func (m *Model) opened(msg openedMsg) tea.Cmd {
	m.opening = false
	if msg.err != nil {
		return m.unopened(msg.err)
	}
	m.agent, m.session, m.info = msg.agent, msg.session, msg.session.Info()
	m.heard = false
	m.work(m.info.Dir)
	if m.config.Note != "" {
		m.say(session.SessionInfo{Message: m.config.Note})
		m.config.Note = ""
	}
	if m.info.InUse {
		m.warn("in use", "Another program has this session open. What each of you does, the other will not see.")
	}
	cmds := []tea.Cmd{m.pump(m.session), readPending(m.ctx, m.session)}
	for _, in := range m.held {
		cmds = append(cmds, m.send(in))
	}
	m.held = nil
	return tea.Batch(cmds...)
}

// work takes the folder the agent works in: paths are shown from there.
func (m *Model) work(dir string) {
	if dir != "" {
		m.info.Dir, m.pane.opts.Dir = dir, dir
		m.questions.Folders(m.config.Home, dir)
	}
}

// unopened takes the failure to open a session. At the very start, when the
// person has written nothing yet, it is said on the command line instead.
func (m *Model) unopened(err error) tea.Cmd {
	if m.session == nil && !m.wrote && !m.talked && m.before == "" && m.composer.editor.Empty() {
		m.failed = err
		return m.settled(tea.Quit)
	}
	m.agent, m.lost = nil, true
	m.fail("start the agent", err, "Enter tries again, /quit leaves. The draft stays.")
	var texts []string
	for _, in := range m.held {
		texts = append(texts, in.Prompt)
	}
	m.held = nil
	m.reclaim("What was waiting is in the composer.", texts)
	return nil
}

// reconnect starts the agent again and resumes the session that was lost. The
// timeline and the draft stay.
func (m *Model) reconnect() tea.Cmd {
	m.lost, m.opening = false, true
	if id := m.current(); id != "" {
		m.config.Resume, m.config.Continue = id, false
	}
	return open(m.ctx, m.config, nil)
}

// done takes the end of a job.
func (m *Model) done(msg doneMsg) {
	if msg.session == m.session && msg.err != nil {
		m.wanted = ""
		m.fail(msg.what, msg.err, "")
	}
}

// cancel is ctrl+c: it undoes the nearest thing that can be undone, and never
// answers a question.
func (m *Model) cancel(string) tea.Cmd {
	switch f := m.focus(); {
	case f == reviewing || f == helping || f == picking:
		m.closeOverlays()
	case f == answering:
		m.questions.Blur(m.now)
	case !m.composer.editor.Empty():
		return m.clearDraft()
	case m.busy():
		return m.interrupt()
	case m.again("quit", "cancel"):
		return m.settled(tea.Quit)
	default:
		m.tell("ctrl+c again to quit")
	}
	return nil
}

func (m *Model) clearDraft() tea.Cmd {
	m.composer.editor.SetText("")
	m.tell("Draft cleared; ctrl+_ brings it back.")
	return m.edited()
}

// escape, pressed twice, interrupts the agent, or clears the draft of an idle
// one. What lies on top takes its first press before it comes here.
func (m *Model) escape(string) tea.Cmd {
	switch {
	case m.busy() && m.again("interrupt", "interrupt"):
		return m.interrupt()
	case m.busy():
		m.tell("esc again to interrupt")
	case !m.composer.editor.Empty() && m.again("clear", "interrupt"):
		return m.clearDraft()
	case !m.composer.editor.Empty():
		m.tell("esc again to clear the draft")
	}
	return nil
}

// interrupt asks the agent to stop the turn. The request leaves at once, and
// again each time the person asks.
func (m *Model) interrupt() tea.Cmd {
	if m.session == nil {
		return nil
	}
	if m.aborting.IsZero() {
		m.aborting = m.now
	}
	m.hint = hint{}
	return abort(m.ctx, m.session)
}

// aborted takes the end of the request to stop; that the turn has stopped is
// an event.
func (m *Model) aborted(msg abortedMsg) {
	if msg.session == m.session && msg.err != nil {
		m.aborting = time.Time{}
		m.fail("interrupt the agent", msg.err, "/stop ends it.")
	}
}

// quitTwice is ctrl+d on an empty draft; over a draft the editor has the key.
func (m *Model) quitTwice(string) tea.Cmd {
	if m.again("quit", "delete") {
		return m.settled(tea.Quit)
	}
	m.tell("ctrl+d again to quit")
	return nil
}

// tab goes to the waiting question when there is no draft to complete.
func (m *Model) tab(string) tea.Cmd {
	switch {
	case m.composer.editor.Empty() && m.questions.Len() > 0:
		m.questions.Focus(m.now)
	case !m.composer.editor.Empty() && m.busy():
		m.tell("ctrl+q queues the prompt for after this turn")
	}
	return nil
}

func (m *Model) focusQuestion(string) tea.Cmd {
	m.closeOverlays()
	if !m.questions.Focus(m.now) {
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

func (m *Model) suspend(string) tea.Cmd {
	return m.lend(pause{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}

func (m *Model) quit(string) tea.Cmd { return m.settled(tea.Quit) }

// modes in the order in which shift+tab goes through them.
func modes() []session.Mode {
	return []session.Mode{session.Interactive, session.Plan, session.Autopilot}
}

func (m *Model) cycleMode(string) tea.Cmd {
	all := modes()
	next := all[(slices.Index(all, m.mode())+1)%len(all)]
	return m.changeMode(next)
}

// mode is the session's as its events tell it, or the one that was asked for
// since.
func (m *Model) mode() session.Mode {
	if m.wanted != "" {
		return m.wanted
	}
	if mode := m.timeline.Status().Mode; mode != "" {
		return mode
	}
	if m.info.Mode != "" {
		return m.info.Mode
	}
	return session.Interactive
}

func (m *Model) changeMode(mode session.Mode) tea.Cmd {
	s, ok := session.As[session.ModeSetter](m.session)
	if !ok {
		m.tell("This agent has no modes.")
		return nil
	}
	m.wanted = mode
	what := "switch to " + string(mode) + " mode"
	return m.inOrder(m.job(what, func(ctx context.Context) error { return s.SetMode(ctx, mode) }))
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
	s, ok := session.As[session.ModelSetter](m.session)
	if !ok {
		m.tell("This agent has one model only.")
		return nil
	}
	if args != "" {
		return m.changeModel(args)
	}
	return listModels(m.ctx, m.session, s)
}

func (m *Model) changeModel(id string) tea.Cmd {
	s, ok := session.As[session.ModelSetter](m.session)
	if !ok {
		return nil
	}
	return m.inOrder(m.job("switch to model "+id, func(ctx context.Context) error { return s.SetModel(ctx, id, "") }))
}

// pickModel shows the models the agent offers, unless the person has turned to
// something else meanwhile.
func (m *Model) pickModel(msg modelsMsg) {
	switch {
	case msg.session != m.session:
	case msg.err != nil:
		m.fail("list the models", msg.err, "/model NAME takes any name the agent knows.")
	case len(msg.models) == 0:
		m.tell("The agent lists no models; /model NAME takes any name it knows.")
	case m.focus() != composing || !m.composer.editor.Empty():
		m.tell("The models are here: /model shows them.")
	default:
		rows := make([]row, len(msg.models))
		for i, model := range msg.models {
			rows[i] = row{model.ID, model.ID, strings.TrimPrefix(model.Name, model.ID)}
		}
		m.picker("Model", rows, m.timeline.Status().Model, func(m *Model, r row) tea.Cmd { return m.changeModel(r.value) })
	}
}

func (m *Model) compact(args string) tea.Cmd {
	s, ok := session.As[session.Compacter](m.session)
	if !ok {
		m.tell("This agent does not summarise on request.")
		return nil
	}
	return m.job("summarise the conversation", func(ctx context.Context) error { return s.Compact(ctx, args) })
}

// newSession leaves the session, which can be resumed, and starts another.
func (m *Model) newSession(string) tea.Cmd {
	if m.opening {
		m.tell("A session is starting already.")
		return nil
	}
	var cmd tea.Cmd
	if m.session != nil {
		cmd = leave(m.ctx, m.session)
	}
	left := m.current()
	m.before = m.resumable()
	m.abandon("The session was left; what you wrote is in the composer.")
	m.session, m.opening = nil, true
	m.config.Resume, m.config.Continue = "", false
	m.reset()
	if left != "" {
		m.say(session.SessionInfo{Message: fmt.Sprintf("New session. The one before: parley --resume %s", left)})
	}
	start := open(m.ctx, m.config, m.agent)
	return func() tea.Msg {
		if cmd != nil {
			cmd()
		}
		return start()
	}
}

// stopAgent ends an agent that does not answer, by force if need be. That it
// had to be killed is no failure: it is what was asked for.
func (m *Model) stopAgent(string) tea.Cmd {
	agent, ctx := m.agent, m.ctx
	if agent == nil {
		m.tell("No agent is running yet.")
		return nil
	}
	m.agent = nil
	m.tell("Stopping the agent")
	return func() tea.Msg {
		ctx, done := context.WithTimeout(ctx, time.Second)
		defer done()
		_ = agent.Close(ctx)
		return nil
	}
}
