package conversation

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
	Items   []T
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

// read begins a read, or notes that another one is due. What could not be read
// leaves what is known.
func (r *mirror[T]) read(c *core, list func(context.Context) ([]T, error)) tea.Cmd {
	if r.reading {
		r.again = true
		return nil
	}
	r.reading, r.again = true, false
	if c.win.Now.Sub(r.since) >= readTime {
		r.since, r.reads = c.win.Now, 0
	}
	if on := c.Session; r.reads == mostReads {
		return c.win.After(r.since.Add(readTime).Sub(c.win.Now), func(t time.Time) tea.Msg {
			return Message{c.ID, fetchedMsg{on, func() tea.Cmd {
				c.win.Pass(t)
				r.reading = false
				return r.read(c, list)
			}}}
		})
	}
	r.reads++
	return fetch(c, list, func(items []T, err error) tea.Cmd {
		r.reading = false
		if err == nil && !slices.Equal(r.Items, items) {
			r.Items = items
			c.RefreshList()
		}
		if r.again {
			return r.read(c, list)
		}
		return nil
	})
}

// ForgetSession drops what is known beside the timeline of a session that was left.
func (c *Conversation) ForgetSession() {
	c.Todos.mirror, c.Tasks.mirror = mirror[session.Todo]{}, mirror[session.Task]{}
	c.MCP = mcp{core: c.core}
	c.Attention.forget()
	c.Queue.Prompted = false
	c.Draft.Rewording, c.Metered, c.outdated = rewording{}, false, false
}

// followLists follows an event for what is kept beside the timeline; cards is how many
// questions were open before it.
func (c *Conversation) followLists(ev session.Event, cards int) tea.Cmd {
	if ask, ok := ev.Body.(session.Ask); ok && c.Questions.Len() > cards {
		return c.Attention.needsYou(ask)
	}
	if ev.Replayed {
		return nil
	}
	if ev.Agent == "" {
		c.Attention.follow(ev, c.win.Now)
	}
	switch b := ev.Body.(type) {
	case session.SessionUsageInfo:
		if ev.Agent == "" {
			c.Metered, c.outdated = true, false
		}
	case session.SessionModelChange:
		c.outdated = c.outdated || ev.Agent == "" && b.NewModel != b.PreviousModel
	case session.SessionTodosChanged:
		return c.Todos.ReadTodos()
	case session.SessionBackgroundTasksChanged, session.SubagentStarted, session.SubagentCompleted, session.SubagentFailed:
		return c.Tasks.readTasks()
	case session.SessionIdle, session.SystemNotification:
		c.Tasks.refreshTasks()
	case session.SessionMcpServersLoaded, session.SessionMcpServerStatusChanged, session.SessionMcpServerRemoved:
		return c.MCP.changed()
	case session.SessionToolsUpdated:
		if ev.Agent == "" {
			return c.MCP.toolsUpdated(b.Model)
		}
	}
	return nil
}
