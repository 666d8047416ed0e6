package tui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/theme"
)

// tasks are what the agent runs beside its turn: sub-agents and shells.
type tasks struct {
	mirror[session.Task]
	picker *picker // lists them, if it is the one that is open
	panel  *panel  // shows what one of them said, if it is the one that is open
}

// readTasks reads anew what runs.
func (m *Model) readTasks() tea.Cmd {
	s, ok := session.As[session.TaskKeeper](m.session)
	if !ok {
		return nil
	}
	return m.tasks.read(m, s.Tasks)
}

// watching reports whether something that runs is on the screen, so that it is
// read again as time passes.
func (m *Model) watching() bool {
	shown := m.picker != nil && m.picker == m.tasks.picker || m.panel != nil && m.panel == m.tasks.panel
	return shown && slices.ContainsFunc(m.tasks.items, runs)
}

// atWork counts the sub-agents and the shells that run beside the turn. What the
// turn itself waits for is told as what the agent does.
func (m *Model) atWork() (agents, shells int) {
	for _, t := range m.tasks.items {
		switch {
		case t.Status != "running":
		case t.Agent:
			agents++
		case !t.Attached:
			shells++
		}
	}
	return max(agents, m.timeline.Status().Agents), shells
}

// besides says what runs beside the turn, as in "2 agents, 1 shell".
func (m *Model) besides() string {
	agents, shells := m.atWork()
	var parts []string
	if agents > 0 {
		parts = append(parts, render.Count(agents, "agent"))
	}
	if shells > 0 {
		parts = append(parts, render.Count(shells, "shell"))
	}
	return strings.Join(parts, ", ")
}

// task finds the task of a row.
func (m *Model) task(id string) session.Task {
	i := slices.IndexFunc(m.tasks.items, func(t session.Task) bool { return t.ID == id })
	if i < 0 {
		return session.Task{}
	}
	return m.tasks.items[i]
}

// runs reports whether a task can still be cancelled.
func runs(t session.Task) bool { return t.Status == "running" || t.Status == "idle" }

// showTasks shows what the agent runs in the background.
func (m *Model) showTasks(string) tea.Cmd {
	s, ok := session.As[session.TaskKeeper](m.session)
	if !ok {
		m.tell("This agent runs nothing in the background.")
		return nil
	}
	return ask(m, "list what runs", s.Tasks, func(m *Model, all []session.Task) tea.Cmd {
		m.tasks.items = all
		if !m.opens(len(all) > 0, "Nothing runs in the background.", "The tasks are here: /tasks shows them.") {
			return nil
		}
		m.openTasks(s)
		return nil
	})
}

// openTasks opens the list of tasks, which follows them.
func (m *Model) openTasks(s session.TaskKeeper) {
	p := &picker{list: list{rows: m.taskRows()}, title: "Tasks", live: (*Model).taskRows}
	p.previewRows = 6
	p.preview = func(m *Model, r row, width, height int) []string {
		if t := m.task(r.value); t.Output != "" {
			return m.previewText(strings.TrimRight(t.Output, "\n"), width, height)
		}
		return []string{blank(margin) + m.theme.Render(theme.Dim, "No output yet.")}
	}
	p.keys = m.taskKeys(s)
	m.tasks.picker = p
	m.pick(p, "")
	p.chosen = 0
}

// taskRows are the tasks as they are now.
func (m *Model) taskRows() []row {
	rows := make([]row, len(m.tasks.items))
	for i, t := range m.tasks.items {
		kind := "shell"
		if t.Agent {
			kind = "agent"
		}
		right := t.Status
		if runs(t) && !t.Since.IsZero() && m.now.After(t.Since) && !m.still() {
			right += " " + seconds(m.now.Sub(t.Since))
		}
		rows[i] = row{value: t.ID, label: kind + "  " + line(t.Title), detail: line(t.Detail), right: right}
	}
	return rows
}

// taskKeys are the keys for a task of the list, which follows what they do.
func (m *Model) taskKeys(s session.TaskKeeper) []pickerKey {
	change := func(what string, do func(context.Context, session.Task) error) func(m *Model, r row) tea.Cmd {
		return func(m *Model, r row) tea.Cmd {
			t := m.task(r.value)
			if t.ID == "" {
				return nil
			}
			return ask(m, what, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx, t) },
				func(m *Model, _ struct{}) tea.Cmd { return m.readTasks() })
		}
	}
	return []pickerKey{
		{key: "enter", title: "open", run: (*Model).openTask},
		{key: "x", title: "cancel, or take off the list", sure: func(r row) string {
			if t := m.task(r.value); runs(t) {
				return "Cancel " + m.cut(t.Title, m.width/3) + "?"
			}
			return ""
		}, run: change("end the task", func(ctx context.Context, t session.Task) error {
			if runs(t) {
				return s.CancelTask(ctx, t.ID)
			}
			return s.RemoveTask(ctx, t.ID)
		})},
		{key: "b", title: "to the background", run: change("send it to the background", func(ctx context.Context, t session.Task) error {
			if !t.Attached {
				return errors.New("it is there already")
			}
			return s.Background(ctx, t.ID)
		})},
	}
}

// openTask shows what a task does: of a sub-agent its timeline, of a shell what
// it said last.
func (m *Model) openTask(r row) tea.Cmd {
	t := m.task(r.value)
	switch {
	case t.ID == "":
		return nil
	case t.Agent:
		return m.openAgent(session.AgentID(t.ID))
	}
	p := &panel{title: "Shell: " + line(t.Title), lines: func(m *Model, width int) []string {
		now := m.task(t.ID)
		if now.ID == "" {
			now = t // taken off the list
			now.Status = "gone"
		}
		lines := m.facts(known(fact{"command", line(now.Detail)}, fact{"state", now.Status}), width)
		output := strings.TrimRight(now.Output, "\n")
		if output == "" {
			return append(lines, "", blank(margin)+m.theme.Render(theme.Dim, "No output yet."))
		}
		return append(append(lines, ""), m.previewText(output, width, strings.Count(output, "\n")+1)...)
	}}
	m.openPanel(p)
	m.tasks.panel = p
	return nil
}

// background lets what the agent waits for go on in the background.
func (m *Model) background(string) tea.Cmd {
	s, ok := session.As[session.TaskKeeper](m.session)
	switch {
	case !ok:
		m.tell("This agent runs nothing in the background.")
		return nil
	case !m.busy():
		m.tell("Nothing runs.")
		return nil
	}
	return ask(m, "send what runs to the background", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.Background(ctx, "")
	}, func(m *Model, _ struct{}) tea.Cmd {
		m.tell("It goes on in the background; /tasks shows it.")
		return nil
	})
}

// runsBesides says what goes on while the agent takes input; "" for nothing.
func (m *Model) runsBesides() string {
	s := m.timeline.Status()
	_, tells := session.As[session.TaskKeeper](m.session)
	switch what := m.besides(); {
	case s.Agents > 0:
		return m.spinner() + " " + what + " in the background"
	case m.tasks.busy: // what was known is out of date
	case what != "":
		return what + " in the background"
	case s.BackgroundWork && !tells:
		return "in the background"
	}
	return ""
}
