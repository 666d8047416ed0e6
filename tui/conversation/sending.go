package conversation

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/widget"
)

// Sending is a prompt that was handed over and that the agent has not taken yet.
type Sending struct {
	composer.Outgoing
	Session session.Session
	since   time.Time
	line    *atomic.Bool // of the turnstile
	back    bool         // it is a draft again: the session ended
}

// sendingShown is how long a prompt is on its way before it is shown as that: one
// that is taken at once would only flicker.
const sendingShown = 500 * time.Millisecond

// SentMsg ends send.
type SentMsg struct {
	Prompt *Sending
	lost   string // the folder that the session works in, if it was deleted since
	Err    error
}

// send hands a prompt over, after those before it.
func (c *promptQueue) send(out composer.Outgoing) tea.Cmd {
	c.Prompted = true
	c.unanswered = append(c.unanswered, out)
	p := &Sending{Outgoing: out, Session: c.Session, since: c.win.Now, line: c.turnstile.line()}
	c.Sending = append(c.Sending, p)
	c.win.Journal.Touch()
	ctx, dir, home, inDir := c.win.Ctx, c.Info.Dir, c.win.Config.Home, c.inDir
	return c.own(c.turnstile.pass(ctx, func() (tea.Msg, error) {
		err := errBehind
		if !p.line.Load() {
			err = p.Session.Send(ctx, p.Attached(dir, home))
		}
		msg := SentMsg{Prompt: p, Err: err}
		if inDir && isMissing(dir) {
			msg.lost = dir
		}
		return msg, err
	}))
}

// SendText hands over a text that is not a draft.
func (c *promptQueue) SendText(text string, d session.Delivery) tea.Cmd {
	return c.send(composer.Outgoing{Input: session.Input{Prompt: text, Delivery: d}, Draft: composer.Plain(text)[0]})
}

// sent takes the end of a send. What could not be sent is a draft again, with the
// prompts behind it, which are not sent without it.
func (c *promptQueue) sent(msg SentMsg) tea.Cmd {
	i := slices.Index(c.Sending, msg.Prompt)
	if i < 0 {
		return nil // it came back with the one before it
	}
	c.win.Journal.Touch()
	if msg.lost != "" && c.inDir {
		c.inDir = false
		c.Warn("folder", "The folder "+msg.lost+" does not exist any more: the agent can read, change and run nothing there. "+
			"Make it again, or work in another one with /cwd.")
	}
	if msg.Err == nil {
		c.Sending = slices.Delete(c.Sending, i, i+1)
		if msg.Prompt.back {
			c.Warn("sent", "This prompt had arrived when the session ended, and is in the composer: "+widget.FirstLine(msg.Prompt.Prompt))
		}
		return nil
	}
	c.turnstile.reopen()
	var back []drafts.Draft
	c.Sending = slices.DeleteFunc(c.Sending, func(p *Sending) bool {
		behind := p.line == msg.Prompt.line && slices.Index(c.Sending, p) >= i
		if behind {
			if !p.back {
				back = append(back, p.Draft)
			}
			c.unanswered = slices.DeleteFunc(c.unanswered, func(out composer.Outgoing) bool { return out.Prompt == p.Prompt })
		}
		return behind
	})
	c.draft.giveBack(back...)
	if msg.Prompt.Session == c.Session || c.Session == nil && !c.Opening {
		c.News = c.News || !c.inFront()
		next := "It is in the composer again."
		if errors.Is(msg.Err, session.ErrUnanswered) {
			next = c.win.says("It is not known whether it arrived. It is in the composer again: {send} sends it again.")
			if silent(msg.Err) {
				next += " " + endsSilent
			}
		}
		c.Fail("send the prompt", msg.Err, next)
	}
	return nil
}

// recallSending puts the prompts on their way to a session that has ended behind
// those that waited in it, to come back with them.
func (c *promptQueue) recallSending() {
	for _, p := range c.Sending {
		if p.Session == c.Session {
			p.back = true
			c.Composer.Sent(p.Outgoing)
			c.Pending = append(c.Pending, session.Pending{Text: p.Prompt})
		}
	}
}

// inFlight are the prompts of the session that are on their way for so long that
// they are shown.
func (c *promptQueue) inFlight() []*Sending {
	return slices.DeleteFunc(slices.Clone(c.Sending), func(p *Sending) bool {
		return p.Session != c.Session || c.win.Now.Sub(p.since) < sendingShown
	})
}

// waitingPrompts is how many prompts and notes wait to be sent, or to be dealt with, or are held.
func (c *promptQueue) waitingPrompts() int {
	return len(c.Early) + len(c.Pending) + len(c.inFlight()) + len(c.Notes) + len(c.held)
}

// queued is how many of those wait for the end of the turn: not those for the next step,
// or held.
func (c *promptQueue) queued() int {
	n := len(c.Early)
	for _, p := range c.Pending {
		if !p.Steering {
			n++
		}
	}
	return n
}

// turnstile lets jobs through one after another, in the order in which they came,
// as Bubble Tea runs commands all at once. It is for what must not overtake: prompts,
// and the mode and model that they are meant for.
type turnstile struct {
	last    chan struct{} // closed when the last job is through; nil: none came
	stopped *atomic.Bool  // a job failed: the prompts behind it stay where they are
}

// errBehind is the error of a prompt that is not sent because of what was before it.
var errBehind = errors.New("what was to be done before it failed")

// line is shared by the jobs that come now: whether one before them failed.
func (t *turnstile) line() *atomic.Bool {
	if t.stopped == nil {
		t.stopped = new(atomic.Bool)
	}
	return t.stopped
}

// pass runs a job when those before it are through.
func (t *turnstile) pass(ctx context.Context, job func() (tea.Msg, error)) tea.Cmd {
	before, own, line := t.last, make(chan struct{}), t.line()
	t.last = own
	return func() tea.Msg {
		defer close(own)
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
			}
		}
		msg, err := job()
		if err != nil {
			line.Store(true)
		}
		return msg
	}
}

// reopen lets those through that come from now on, whatever failed before.
func (t *turnstile) reopen() {
	if t.line().Load() {
		t.stopped = nil
	}
}

// HeldNotes are the notes of approvals that wait for the approved call to
// complete, in the order in which they were written.
type HeldNotes []HeldNote

// HeldNote is a note; call is "" where the question named none.
type HeldNote struct {
	Call  session.CallID
	Text  string
	ended bool // the call, or there is none to wait for
}

// texts are all notes.
func (n *HeldNotes) texts() []string {
	var texts []string
	for _, note := range *n {
		texts = append(texts, note.Text)
	}
	return texts
}

// end marks the notes of a call that has ended.
func (n *HeldNotes) end(call session.CallID) {
	for i := range *n {
		(*n)[i].ended = (*n)[i].ended || (*n)[i].Call == call
	}
}

// takeEnded removes the notes whose calls have ended and returns them.
func (n *HeldNotes) takeEnded() []string {
	var texts []string
	*n = slices.DeleteFunc(*n, func(note HeldNote) bool {
		if note.ended {
			texts = append(texts, note.Text)
		}
		return note.ended
	})
	return texts
}

// withdraw removes a note by its text; not ok means that it does not wait any more.
func (n *HeldNotes) withdraw(text string) (ok bool) {
	i := slices.IndexFunc(*n, func(note HeldNote) bool { return note.Text == text })
	if i >= 0 {
		*n = slices.Delete(*n, i, i+1)
	}
	return i >= 0
}

// sendNotes sends the notes whose calls have ended, once no shell command runs, or waits to
// be allowed, that they would move to the background: others may run beside the call.
func (c *promptQueue) sendNotes() tea.Cmd {
	if s := c.Timeline.Status(); s.RunningShell || s.AskedShell {
		return nil
	}
	var cmds []tea.Cmd
	for _, note := range c.Notes.takeEnded() {
		cmds = append(cmds, c.SendText(note, session.Immediate))
	}
	return tea.Batch(cmds...)
}
