package conversation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/picker"
	"parley/tui/widget"
)

// promptQueue are the prompts of a conversation that were sent and not dealt with yet:
// those that wait for the session, those on their way, those that the agent has in its
// queue, the notes that wait for a call, and those that the user holds back.
type promptQueue struct {
	*core
	draft      *promptDraft
	Early      []composer.Outgoing // sent before the session was open
	Sending    []*Sending          // handed over and not taken yet
	Pending    agentQueue
	readings   int       // of the agent's queue so far
	Notes      HeldNotes // of approvals, to send when their calls have completed
	held       []heldPrompt
	unanswered []composer.Outgoing // sent, and not answered yet, in their order
	Prompted   bool                // a prompt was sent since the last turn ended
	inDir      bool                // the folder that the session works in was there, and no prompt found it deleted
}

// agentQueue are the prompts that the agent has in its queue, as far as is known.
type agentQueue []session.Pending

// after returns the queue without the prompt that the agent has begun with, if ev says so.
func (q agentQueue) after(ev session.Event) agentQueue {
	m, ok := ev.Body.(session.UserMessage)
	if !ok || ev.Agent != "" {
		return q
	}
	i := slices.IndexFunc(q, func(p session.Pending) bool {
		if p.Steering {
			return m.Delivery == session.DeliveredSteering && p.Text == m.Content
		}
		return p.MessageID != "" && p.MessageID == m.MessageID
	})
	if i < 0 {
		return q
	}
	return slices.Delete(q, i, i+1)
}

// showQueue shows the prompts that wait, to change them.
func (c *promptQueue) showQueue(string) tea.Cmd {
	switch {
	case len(c.Pending)+len(c.held) > 0:
	case len(c.Early) > 0:
		return c.ShowHint("The session is starting; up takes the last prompt back.")
	case len(c.Sending) > 0:
		return c.ShowHint("The agent has not taken it yet.")
	case len(c.Notes) > 0:
		return c.ShowHint("The note is sent when its call has ended; up takes it back.")
	default:
		return c.ShowHint("The queue is empty.")
	}
	p := &picker.Picker{List: widget.List{Rows: c.pendingRows()}, Title: "Queued prompts", Live: c.pendingRows}
	p.More = []picker.Key{
		{Action: "list-queue.reword", Title: "edit", Do: Doing(c.withHeld(func(i int) tea.Cmd {
			c.reword(session.Pending{ID: c.held[i].id, Text: c.held[i].draft.Prompt()}, c.held[i].draft)
			return nil
		}, func(_ session.QueueEditor, w session.Pending) tea.Cmd {
			c.Reword(w)
			return nil
		}))},
		{Action: "list-drop", Title: "remove", Do: Doing(c.withHeld(c.dropHeld, func(q session.QueueEditor, w session.Pending) tea.Cmd {
			return c.changeQueue("take the prompt out of the queue", w, q.Withdraw, func() {
				c.win.Stash(c.Composer.Drafts(w.Text)[0], "removed from the queue")
			})
		}))},
		{Action: "list-queue.hold", TitleOf: c.holdTitle, Do: Doing(c.withHeld(func(i int) tea.Cmd {
			return c.release(i, session.Enqueue)
		}, c.hold))},
		{Action: "list-queue.send", Title: "next step", Do: Doing(c.withHeld(func(i int) tea.Cmd {
			return c.release(i, session.Immediate)
		}, func(q session.QueueEditor, w session.Pending) tea.Cmd {
			return c.changeQueue("send the prompt for the next step", w, q.SendNow, nil)
		}))},
		{Action: "list-queue.sooner", Title: "move", Together: "list-queue.sooner list-queue.later", Do: Doing(c.move(-1))},
		{Action: "list-queue.later", Do: Doing(c.move(1))},
	}
	for i := range p.More {
		p.More[i].Refuse = c.fixed
	}
	c.Pick(p, p.Rows[0].Value)
	return nil
}

// pendingRows are the prompts that wait, in the order in which they are sent, and those
// that are held.
func (c *promptQueue) pendingRows() []widget.Row {
	var rows []widget.Row
	for i, p := range c.Pending {
		kind := pendingKind(p)
		rows = append(rows, widget.Row{Value: cmp.Or(p.ID, fmt.Sprintf("%s %d", kind, i)), Label: widget.FirstLine(p.Text), Right: kind})
	}
	for _, h := range c.held {
		rows = append(rows, widget.Row{Value: h.id, Label: widget.FirstLine(h.draft.Prompt()), Right: "held"})
	}
	return rows
}

// waitsNoMore is said of a prompt that was sent before it could be changed.
const waitsNoMore = "That prompt does not wait any more."

// hasIt is said of a prompt that was sent for the next step: it cannot be changed or taken back.
const hasIt = "The agent has the prompt for its next step: it cannot be taken back."

// fixed is why a row of the list cannot be changed; "" if it can.
func (c *promptQueue) fixed(r widget.Row) string {
	if r.Value == "" || c.heldAt(r.Value) >= 0 || slices.ContainsFunc(c.Pending, func(p session.Pending) bool { return p.ID == r.Value }) {
		return ""
	}
	return hasIt
}

// pendingKind returns whether a prompt goes into the running turn or waits for its end.
func pendingKind(p session.Pending) string {
	if p.Steering {
		return "next step"
	}
	return "queued"
}

// readPending reads the agent's queue as it is now. Readings are answered in any order:
// only the answer to the last counts.
func (c *promptQueue) readPending() tea.Cmd {
	q, ok := session.As[session.Queuer](c.Session)
	if !ok {
		return nil
	}
	c.readings++
	reading := c.readings
	return fetch(c.core, q.Pending, func(items []session.Pending, err error) tea.Cmd {
		if err != nil || reading != c.readings {
			return nil
		}
		c.Pending = slices.DeleteFunc(items, func(p session.Pending) bool {
			i := c.heldAt(p.ID)
			return i >= 0 && c.held[i].taking // it is about to leave the queue
		})
		c.win.Journal.Touch()
		c.RefreshList()
		w := c.draft.Rewording
		if w.ID != "" && c.heldAt(w.ID) < 0 && !slices.ContainsFunc(c.Pending, func(p session.Pending) bool { return p.ID == w.ID }) {
			c.stopRewording()
			c.ShowHint("The prompt was sent as it was.")
		}
		return nil
	})
}

// rewording is a prompt that waits while the composer has its text to be
// changed.
type rewording struct {
	session.Pending      // ID "" is none
	away            bool // the draft that was there is on top of the stash
}

// Reword takes the text of a prompt that waits into the composer. It waits on,
// as it is, until enter changes it.
func (c *promptQueue) Reword(p session.Pending) {
	c.reword(p, drafts.Draft{Text: p.Text, Caret: len(p.Text)})
}

func (c *promptQueue) reword(p session.Pending, d drafts.Draft) {
	c.CloseOverlays()
	away := !c.Composer.Empty()
	if away {
		c.draft.putAway("stashed to edit a prompt")
	}
	c.draft.replace(d.AtEnd())
	c.draft.Rewording = rewording{p, away}
	c.ShowHint("{send} changes the prompt in its place, {interrupt} leaves it as it was.")
}

// stopRewording takes the composer back. What was changed and not kept is on the
// stash.
func (c *promptQueue) stopRewording() {
	w, d := c.draft.Rewording, c.Composer.Draft()
	c.draft.SetDraft(drafts.Draft{})
	if w.away {
		c.draft.stash("")
	}
	if d.Prompt() != w.Text {
		c.win.Stash(d, "not edited")
	}
}

// reworded gives the prompt that waits its new text.
func (c *promptQueue) reworded() tea.Cmd {
	w, d := c.draft.Rewording, c.Composer.Draft()
	q, ok := session.As[session.QueueEditor](c.Session)
	text, held := d.Prompt(), c.heldAt(w.ID)
	switch {
	case !ok && held < 0 || text == w.Text:
		c.stopRewording()
		return c.ShowHint("The prompt stays as it was.")
	case strings.TrimSpace(text) == "":
		return c.ShowHint("An empty prompt cannot be queued: {queued} removes it, {interrupt} leaves it as it was.")
	case held < 0 && attaches(d):
		return c.ShowHint("A queued prompt takes no more attachments: remove them, or send another prompt.")
	}
	keep := c.draft.take()
	if w.away {
		c.draft.stash("")
	}
	if held >= 0 {
		c.held[held].draft = d
		c.heldChanged()
		c.ShowHint("Changed; it is still held.")
		return keep
	}
	type outcome struct {
		waited bool
		err    error
	}
	return tea.Batch(keep, ask(c.core, "edit the prompt", func(ctx context.Context) (o outcome, err error) {
		o.waited, o.err = q.Reword(ctx, w.ID, text)
		return o, nil
	}, func(o outcome) tea.Cmd {
		switch {
		case o.err != nil:
			c.Fail("edit the prompt", o.err, "It is queued as it was; your text is in the composer.")
			c.draft.giveBack(d)
		case !o.waited:
			c.ShowHint("It was sent as it was, meanwhile; your words are in the composer.")
			c.draft.giveBack(d)
		default:
			c.ShowHint("Changed; it keeps its place in the queue.")
		}
		return c.readPending()
	}))
}

// withPending is a key for the prompt of the chosen row.
func (c *promptQueue) withPending(do func(q session.QueueEditor, p session.Pending) tea.Cmd) func(widget.Row) tea.Cmd {
	return func(r widget.Row) tea.Cmd {
		q, ok := session.As[session.QueueEditor](c.Session)
		i := slices.IndexFunc(c.Pending, func(p session.Pending) bool { return p.ID == r.Value && p.ID != "" })
		switch {
		case r.Value == "":
			Over[*picker.Picker](c.win).Note = picker.ChooseFirst
			return nil
		case !ok || i < 0:
			Over[*picker.Picker](c.win).Note = waitsNoMore
			return nil
		}
		return do(q, c.Pending[i])
	}
}

// move moves the chosen prompt n places.
func (c *promptQueue) move(n int) func(widget.Row) tea.Cmd {
	return c.withHeld(func(i int) tea.Cmd { return c.moveHeld(i, n) }, func(q session.QueueEditor, p session.Pending) tea.Cmd {
		at, last := 0, -1
		for _, other := range c.Pending {
			if !other.Steering {
				last++
			}
			if other.ID == p.ID {
				at = last
			}
		}
		switch to := at + n; {
		case to < 0:
			return c.ShowHint("It is the first in the queue.")
		case to > last:
			return c.ShowHint("It is the last in the queue.")
		}
		return c.changeQueue("move the prompt", p, func(ctx context.Context, id string) (bool, error) {
			return q.Move(ctx, id, at+n)
		}, nil)
	})
}

// changeQueue changes a prompt that waits.
func (c *promptQueue) changeQueue(what string, p session.Pending, do func(context.Context, string) (bool, error), done func()) tea.Cmd {
	return ask(c.core, what, func(ctx context.Context) (bool, error) { return do(ctx, p.ID) }, func(was bool) tea.Cmd {
		switch {
		case !was:
			c.ShowHint(waitsNoMore)
		case done != nil:
			done()
		}
		return c.readPending()
	})
}

// withdraw takes a prompt that waits back into the draft.
func (c *promptQueue) withdraw(q session.QueueEditor, p session.Pending) tea.Cmd {
	c.Pending = slices.DeleteFunc(c.Pending, func(o session.Pending) bool { return o.ID == p.ID }) // it is on its way
	return c.changeQueue("take the prompt back", p, q.Withdraw, func() {
		if Over[*picker.Picker](c.win) != nil {
			c.CloseOverlays()
		}
		c.draft.giveBack(c.Composer.Drafts(p.Text)...)
		c.Composer.SkipCompletion()
		c.ShowHint("Taken back from the queue: %s", widget.FirstLine(p.Text))
	})
}

// takePending empties what is known of the agent's queue. It returns the prompts that were
// sent into the running turn, and those that waited for its end.
func (c *promptQueue) takePending() (steering, queued []string) {
	for _, p := range c.Pending {
		if p.Steering {
			steering = append(steering, p.Text)
		} else {
			queued = append(queued, p.Text)
		}
	}
	c.Pending = nil
	return steering, queued
}

// giveBackEarly returns the prompts that wait for a session to the draft.
func (c *promptQueue) giveBackEarly() {
	var back []drafts.Draft
	for _, out := range c.Early {
		back = append(back, out.Draft)
	}
	c.Early = nil
	c.draft.giveBack(back...)
}

// giveBackInterrupted returns the prompts that an interrupt kept from being sent. Those for
// the interrupted turn go above what is written. Those queued behind it come back each by
// itself: the first to the composer, if nothing is there, and the others to the stash, which
// gives them back in their order.
func (c *promptDraft) giveBackInterrupted(steering, queued []drafts.Draft) {
	n, where := len(queued), "They are stashed"
	switch written := !c.Composer.Empty(); {
	case len(steering) > 0:
		c.giveBack(steering...)
		c.Composer.SkipCompletion()
		if written {
			c.ShowHint("Interrupted; your prompt is above the draft, {undo.undo} takes it out.")
		} else {
			c.ShowHint("Interrupted; your prompt is in the composer.")
		}
	case len(queued) > 0 && !written:
		c.replace(queued[0])
		queued, where = queued[1:], "The first is in the composer, the rest is stashed"
		if len(queued) == 0 {
			c.ShowHint("Interrupted; the queued prompt is in the composer.")
		}
	}
	if len(queued) == 0 {
		return
	}
	for _, d := range slices.Backward(queued) {
		c.win.addToStash(c.win.asStashed(d, "queued")) // each, also if another has the same text
	}
	c.AddNotice(session.SessionInfo{Message: fmt.Sprintf("Interrupted with %s queued. %s: %s in an empty composer restores the next.",
		text.Count(n, "prompt"), where, c.win.KeyFor("stash"))})
}
