package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/theme"
)

// taskOf finds the task of a row.
func taskOf(all []session.Task, r row) session.Task {
	i := slices.IndexFunc(all, func(t session.Task) bool { return t.ID == r.value })
	if i < 0 {
		return session.Task{}
	}
	return all[i]
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
		if !m.opens(len(all) > 0, "Nothing runs in the background.", "The tasks are here: /tasks shows them.") {
			return nil
		}
		m.openTasks(s, all)
		return nil
	})
}

func (m *Model) openTasks(s session.TaskKeeper, all []session.Task) {
	rows := make([]row, len(all))
	for i, t := range all {
		kind := "shell"
		if t.Agent {
			kind = "agent"
		}
		right := t.Status
		if runs(t) && !t.Since.IsZero() && m.now.After(t.Since) {
			right += " " + seconds(m.now.Sub(t.Since))
		}
		rows[i] = row{value: t.ID, label: kind + "  " + line(t.Title), detail: line(t.Detail), right: right}
	}
	p := &picker{list: list{rows: rows}, title: "Tasks"}
	p.previewRows = 6
	p.preview = func(m *Model, r row, width, height int) []string {
		if t := taskOf(all, r); t.Output != "" {
			return m.previewText(strings.TrimRight(t.Output, "\n"), width, height)
		}
		return []string{blank(margin) + m.theme.Render(theme.Dim, "No output yet.")}
	}
	p.keys = m.taskKeys(s, p, all)
	m.pick(p, "")
	p.chosen = 0
}

// taskKeys are the keys for a task of the list. Each shows the list anew.
func (m *Model) taskKeys(s session.TaskKeeper, p *picker, all []session.Task) []pickerKey {
	change := func(what string, do func(context.Context, session.Task) error) func(m *Model, r row) tea.Cmd {
		return func(m *Model, r row) tea.Cmd {
			t := taskOf(all, r)
			if t.ID == "" {
				return nil
			}
			return ask(m, what, func(ctx context.Context) ([]session.Task, error) {
				if err := do(ctx, t); err != nil {
					return nil, err
				}
				return s.Tasks(ctx)
			}, func(m *Model, left []session.Task) tea.Cmd {
				if m.picker != p {
					return nil // the person has turned to something else
				}
				m.closeOverlays()
				if len(left) > 0 {
					m.openTasks(s, left)
				}
				return nil
			})
		}
	}
	return []pickerKey{
		{key: "x", title: "cancel, or take off the list", sure: func(r row) string {
			if t := taskOf(all, r); runs(t) {
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

// showTodos shows what the agent still has to do.
func (m *Model) showTodos(string) tea.Cmd {
	s, ok := session.As[session.TodoKeeper](m.session)
	if !ok {
		m.tell("This agent keeps no list of what is to be done.")
		return nil
	}
	return ask(m, "read what is to be done", s.Todos, func(m *Model, all []session.Todo) tea.Cmd {
		if !m.opens(len(all) > 0, "The agent has noted nothing to be done.", "The list is here: /todos shows it.") {
			return nil
		}
		m.openPanel(&panel{title: todoTitle(all), lines: func(m *Model, width int) []string { return m.todoLines(all, width) }})
		return nil
	})
}

func todoTitle(all []session.Todo) string {
	done := 0
	for _, t := range all {
		if t.Status == "done" {
			done++
		}
	}
	return fmt.Sprintf("To do, %d of %d done", done, len(all))
}

func (m *Model) todoLines(all []session.Todo, width int) []string {
	var lines []string
	for _, t := range all {
		mark, tok := theme.MarkBullet, theme.Text
		switch t.Status {
		case "done":
			mark, tok = theme.MarkDone, theme.Dim
		case "in_progress":
			mark, tok = theme.MarkRunning, theme.Strong
		case "blocked":
			mark, tok = theme.MarkWarning, theme.Warning
		}
		text := m.cut(t.Title, max(0, width-2*margin))
		lines = append(lines, blank(margin)+m.theme.Render(tok, m.theme.Glyph(mark))+" "+m.theme.Render(tok, text))
		if t.Description != "" && t.Status != "done" {
			lines = append(lines, blank(2*margin)+m.theme.Render(theme.Dim, m.cut(t.Description, max(0, width-2*margin))))
		}
	}
	return lines
}
