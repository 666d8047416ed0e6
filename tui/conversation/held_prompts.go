package conversation

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/widget"
)

// heldPrompt is a prompt that was taken out of the agent's queue. It waits until the user
// releases it, whatever else is sent meanwhile.
type heldPrompt struct {
	id     string // that it had in the queue
	draft  drafts.Draft
	taking bool // it is not known yet whether it still waited in the queue
}

// heldAt is which of the held prompts has an id; -1 is none.
func (c *promptQueue) heldAt(id string) int {
	return slices.IndexFunc(c.held, func(h heldPrompt) bool { return h.id == id })
}

// withHeld is a key of the list of prompts: for a held one, and for one in the agent's queue.
func (c *promptQueue) withHeld(
	held func(i int) tea.Cmd, queued func(session.QueueEditor, session.Pending) tea.Cmd,
) func(widget.Row) tea.Cmd {
	pending := c.withPending(queued)
	return func(r widget.Row) tea.Cmd {
		if i := c.heldAt(r.Value); i >= 0 {
			return held(i)
		}
		return pending(r)
	}
}

// holdTitle is what the key that holds a prompt does for a row.
func (c *promptQueue) holdTitle(r widget.Row) string {
	if c.heldAt(r.Value) >= 0 {
		return "release"
	}
	return "hold"
}

// heldChanged follows a change of the held prompts.
func (c *promptQueue) heldChanged() {
	c.win.Journal.Touch()
	c.RefreshList()
}

// hold takes a prompt out of the agent's queue. It is among those that are held at once:
// at no moment is it in neither.
func (c *promptQueue) hold(q session.QueueEditor, p session.Pending) tea.Cmd {
	c.held = append(c.held, heldPrompt{id: p.ID, draft: c.Composer.Drafts(p.Text)[0], taking: true})
	c.Pending = slices.DeleteFunc(c.Pending, func(o session.Pending) bool { return o.ID == p.ID })
	c.heldChanged()
	type outcome struct {
		waited bool
		err    error
	}
	return ask(c.core, "hold the prompt", func(ctx context.Context) (o outcome, err error) {
		o.waited, o.err = q.Withdraw(ctx, p.ID)
		return o, nil
	}, func(o outcome) tea.Cmd {
		i := c.heldAt(p.ID)
		switch {
		case i < 0: // it went to the stash meanwhile
		case o.waited && o.err == nil:
			c.held[i].taking = false
		default:
			c.held = slices.Delete(c.held, i, i+1)
			c.heldChanged()
		}
		if o.err != nil {
			c.Fail("hold the prompt", o.err, "It is queued as it was.")
		} else if !o.waited {
			c.ShowHint(waitsNoMore)
		}
		return c.readPending()
	})
}

// release sends a held prompt: to the end of the queue, or with Immediate into the turn
// that runs.
func (c *promptQueue) release(i int, how session.Delivery) tea.Cmd {
	h := c.held[i]
	if h.taking {
		return c.ShowHint("The agent has not given it back yet.")
	}
	c.held = slices.Delete(c.held, i, i+1)
	out := composer.Outgoing{Input: session.Input{Prompt: h.draft.Prompt(), Delivery: session.Enqueue}, Draft: h.draft}
	if c.Timeline.Status().Busy {
		out.Delivery = how
	}
	c.Composer.Sent(out)
	send := c.send(out)
	c.heldChanged()
	return send
}

// dropHeld puts a held prompt on the stash.
func (c *promptQueue) dropHeld(i int) tea.Cmd {
	c.win.Stash(c.held[i].draft, "removed from the queue")
	c.held = slices.Delete(c.held, i, i+1)
	c.heldChanged()
	return nil
}

// moveHeld moves a held prompt n places among those that are held.
func (c *promptQueue) moveHeld(i, n int) tea.Cmd {
	to := i + n
	switch last := len(c.held) - 1; {
	case last == 0:
		return c.ShowHint("No other prompt is held; {list-queue.hold} releases this one.")
	case to < 0:
		return c.ShowHint("It is the first that is held.")
	case to > last:
		return c.ShowHint("It is the last that is held.")
	}
	c.held[i], c.held[to] = c.held[to], c.held[i]
	c.heldChanged()
	return nil
}

// HeldDrafts are the held prompts as they are stored: on the stash, the first of them on
// top, and not with those that wait, which the next window would offer as one prompt.
func (c *promptQueue) HeldDrafts() []drafts.Stashed {
	var all []drafts.Stashed
	for _, h := range slices.Backward(c.held) {
		all = append(all, drafts.Stashed{Draft: h.draft, Time: c.win.Now, Why: "held", Session: c.Info.ID})
	}
	return all
}

// stashHeld puts the prompts that are held for a session that goes on the stash.
func (c *promptQueue) stashHeld() {
	if len(c.held) == 0 {
		return
	}
	for _, put := range c.HeldDrafts() {
		c.win.putOnStash(put)
	}
	c.held = nil
	c.ShowHint("What was held is stashed; {history} shows it.")
}
