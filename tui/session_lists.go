package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// mirror is a list of the session's that is read again when the session says
// that it changed. The runtime says so many times for one change (docs/protocol.md,
// section 5.2): one read is under way at a time, one more follows it if there was
// a reason meanwhile, and there are few in a short time.
type mirror[T comparable] struct {
	items   []T
	reading bool // a read is under way, or waits
	again   bool
	since   time.Time // when the reads were counted from
	reads   int
}

const (
	// readTime is the time in which there are at most mostReads.
	readTime  = 250 * time.Millisecond
	mostReads = 2
)

// readMsg ends a read, or its wait.
type readMsg struct {
	session session.Session
	at      time.Time // zero if it brings no time
	// take takes it, and reports whether anything is other than before.
	take func() (changed bool, cmd tea.Cmd)
}

// read begins a read, or notes that another one is due. What could not be read
// leaves what is known.
func (r *mirror[T]) read(c *core, list func(context.Context) ([]T, error)) tea.Cmd {
	if r.reading {
		r.again = true
		return nil
	}
	r.reading, r.again = true, false
	if c.win.now.Sub(r.since) >= readTime {
		r.since, r.reads = c.win.now, 0
	}
	ctx, on := c.win.ctx, c.session
	if r.reads == mostReads {
		return c.win.after(r.since.Add(readTime).Sub(c.win.now), func(t time.Time) tea.Msg {
			return inMsg{c.id, readMsg{on, t, func() (bool, tea.Cmd) {
				r.reading = false
				return false, r.read(c, list)
			}}}
		})
	}
	r.reads++
	return c.own(func() tea.Msg {
		items, err := list(ctx)
		return readMsg{on, time.Time{}, func() (changed bool, cmd tea.Cmd) {
			r.reading = false
			if changed = err == nil && !slices.Equal(r.items, items); changed {
				r.items = items
			}
			if r.again {
				cmd = r.read(c, list)
			}
			return changed, cmd
		}}
	})
}

// taken takes the end of a read, or of its wait.
func (c *conversation) taken(msg readMsg) tea.Cmd {
	c.win.pass(msg.at)
	if msg.session != c.session || c.session == nil {
		return nil // of a session that was left
	}
	changed, cmd := msg.take()
	if changed {
		c.refreshList()
	}
	return cmd
}

// forgetSession drops what is known beside the timeline of a session that was left.
func (c *conversation) forgetSession() {
	c.todos.mirror, c.tasks.mirror = mirror[session.Todo]{}, mirror[session.Task]{}
	c.mcp = mcp{core: c.core}
	c.attention.forget()
	c.queue.prompted = false
	c.draft.rewording, c.metered, c.outdated = rewording{}, false, false
}

// followLists follows an event for what is kept beside the timeline; cards is how many
// questions were open before it.
func (c *conversation) followLists(ev session.Event, cards int) tea.Cmd {
	if ask, ok := ev.Body.(session.Ask); ok && c.questions.Len() > cards {
		return c.attention.needsYou(ask)
	}
	if ev.Replayed {
		return nil
	}
	if ev.Agent == "" {
		c.attention.follow(ev, c.win.now)
	}
	switch b := ev.Body.(type) {
	case session.SessionUsageInfo:
		if ev.Agent == "" {
			c.metered, c.outdated = true, false
		}
	case session.SessionModelChange:
		c.outdated = c.outdated || ev.Agent == "" && b.NewModel != b.PreviousModel
	case session.SessionTodosChanged:
		return c.todos.readTodos()
	case session.SessionBackgroundTasksChanged, session.SubagentStarted, session.SubagentCompleted, session.SubagentFailed:
		return c.tasks.readTasks()
	case session.SessionIdle, session.SystemNotification:
		c.tasks.refreshTasks()
	case session.SessionToolsUpdated:
		if ev.Agent == "" {
			return c.mcp.toolsUpdated(b.Model)
		}
	}
	return nil
}
