package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/session"
)

// showQueue shows the prompts that wait, to change them.
func (m *Model) showQueue(string) tea.Cmd {
	switch {
	case len(m.pending) == 0 && len(m.held) > 0:
		m.tell("The session is starting; up takes the last prompt back.")
		return nil
	case len(m.pending) == 0:
		m.tell("No prompt waits.")
		return nil
	}
	p := &picker{list: list{rows: m.pendingRows()}, title: "Waiting prompts", queue: true}
	p.keys = []pickerKey{
		{key: "e", title: "reword", run: m.withPending(func(m *Model, q session.QueueEditor, w session.Pending) tea.Cmd {
			return m.withdraw(q, w)
		})},
		{key: "x", title: "take back", run: m.withPending(func(m *Model, q session.QueueEditor, w session.Pending) tea.Cmd {
			return m.changeQueue("take the prompt out of the queue", w, q.Withdraw, func(m *Model) {
				m.keepAside(m.draftsOf([]string{w.Text})[0], "taken back")
			})
		})},
		{key: "s", title: "send now", run: m.withPending(func(m *Model, q session.QueueEditor, w session.Pending) tea.Cmd {
			return m.changeQueue("send the prompt now", w, q.SendNow, nil)
		})},
		{key: "shift+up", title: "sooner (down: later)", run: m.movePending(-1)},
		{key: "shift+down", run: m.movePending(1)},
	}
	m.pick(p, "")
	p.chosen = 0
	return nil
}

// pendingRows are the prompts that wait, in the order in which they are sent.
func (m *Model) pendingRows() []row {
	rows := make([]row, len(m.pending))
	for i, p := range m.pending {
		kind := "queued"
		if p.Steering {
			kind = "steering"
		}
		rows[i] = row{value: cmp.Or(p.ID, fmt.Sprintf("%s %d", kind, i)), label: line(p.Text), right: kind}
	}
	return rows
}

// refreshQueue follows the queue while it is shown. When the chosen prompt is
// gone, none is chosen: the next key is not for its neighbour.
func (m *Model) refreshQueue() {
	p := m.picker
	if p == nil || !p.queue {
		return
	}
	chosen, _ := p.row()
	p.all = m.pendingRows()
	p.rows = p.all
	if p.query != nil {
		p.rows = match(p.all, p.query.Text())
	}
	p.chosen = slices.IndexFunc(p.rows, func(r row) bool { return r.value == chosen.value })
	if len(p.all) == 0 {
		m.closeOverlays()
	}
}

// withPending is a key for the prompt of the chosen row.
func (m *Model) withPending(do func(m *Model, q session.QueueEditor, p session.Pending) tea.Cmd) func(*Model, row) tea.Cmd {
	return func(m *Model, r row) tea.Cmd {
		q, ok := session.As[session.QueueEditor](m.session)
		i := slices.IndexFunc(m.pending, func(p session.Pending) bool { return p.ID == r.value && p.ID != "" })
		if !ok || i < 0 {
			m.picker.note = "This prompt cannot be changed any more."
			return nil
		}
		return do(m, q, m.pending[i])
	}
}

// movePending moves the chosen prompt n places.
func (m *Model) movePending(n int) func(*Model, row) tea.Cmd {
	return m.withPending(func(m *Model, q session.QueueEditor, p session.Pending) tea.Cmd {
		at := 0
		for _, other := range m.pending {
			if other.ID == p.ID {
				break
			}
			if !other.Steering {
				at++
			}
		}
		return m.changeQueue("move the prompt", p, func(ctx context.Context, id string) (bool, error) {
			return q.Move(ctx, id, max(0, at+n))
		}, nil)
	})
}

// changeQueue changes a prompt that waits.
func (m *Model) changeQueue(what string, p session.Pending, do func(context.Context, string) (bool, error), done func(m *Model)) tea.Cmd {
	return ask(m, what, func(ctx context.Context) (bool, error) { return do(ctx, p.ID) }, func(m *Model, was bool) tea.Cmd {
		switch {
		case !was:
			m.tell("That prompt does not wait any more.")
		case done != nil:
			done(m)
		}
		return readPending(m.ctx, m.session)
	})
}

// withdraw takes a prompt that waits back into the draft.
func (m *Model) withdraw(q session.QueueEditor, p session.Pending) tea.Cmd {
	m.pending = slices.DeleteFunc(m.pending, func(o session.Pending) bool { return o.ID == p.ID }) // it is on its way
	return m.changeQueue("take the prompt back", p, q.Withdraw, func(m *Model) {
		if m.picker != nil {
			m.closeOverlays()
		}
		m.giveBack(m.draftsOf([]string{p.Text})...)
		m.completed = m.token()
		m.tell("%s", fmt.Sprintf("Taken back from the queue: %s", line(p.Text)))
	})
}

// giveBackHeld returns the prompts that wait for a session to the draft.
func (m *Model) giveBackHeld() {
	var drafts []history.Draft
	for _, out := range m.held {
		drafts = append(drafts, out.draft)
	}
	m.held = nil
	m.giveBack(drafts...)
}
