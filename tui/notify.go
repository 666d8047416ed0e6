package tui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/render/text"
	"parley/session"
	"parley/terminal"
	"parley/tui/widget"
)

// attention is what the user is notified of while they look elsewhere.
type attention struct {
	*core
	queue   *promptQueue
	needed  bool      // they were notified that a question waits, and have not looked since
	trouble string    // the last error of the running turn
	began   time.Time // when the running turn began; zero: none runs
}

// follow takes an event of the root agent. An error that another call of the
// model comes after has not stopped it.
func (c *attention) follow(ev session.Event, now time.Time) {
	switch b := ev.Body.(type) {
	case session.SessionError:
		if b.ErrorType != "notification" {
			c.trouble = cmp.Or(widget.FirstLine(b.Message), "an error")
		}
	case session.AssistantTurnStart:
		c.trouble = ""
		if c.began.IsZero() {
			c.began = now
			if !ev.Time.IsZero() {
				c.began = ev.Time
			}
		}
	}
}

// forget drops what is known of a session that was left.
func (c *attention) forget() { c.needed, c.trouble, c.began = false, "", time.Time{} }

// notify shows a notification, if the user looks elsewhere as far as the terminal
// reports, or another program has the terminal. There the bell rings too: a
// terminal whose window has the focus may show no notification. It never answers
// anything.
func (m *Model) notify(c *conversation, n notification) tea.Cmd {
	if m.win.focused {
		return nil
	}
	title := "parley: " + cmp.Or(c.timeline.Status().Title, widget.Base(c.info.Dir), c.info.Agent)
	env := m.win.config.Environment()
	sequence := terminal.Notification(env.Channel(terminal.Channel(n.channel)), env.Multiplexer(), string(c.info.ID), title, n.text)
	if sequence == "" {
		return nil
	}
	if m.away {
		ring := m.win.ring
		return func() tea.Msg {
			ring(strings.TrimPrefix(sequence, terminal.BellCharacter) + terminal.BellCharacter)
			return nil
		}
	}
	return tea.Raw(sequence)
}

// needsYou notifies of a question whose card has opened. While one that was notified of
// waits, the others are no news.
func (c *attention) needsYou(ask session.Ask) tea.Cmd {
	if c.win.focused || c.needed {
		return nil
	}
	c.needed = true
	return c.request(notification{c.win.config.Settings.Notify.NeedsYou, prompts.Wish(ask)})
}

// turnOver follows the end of a turn: was and since are whether one ran before
// the events that came just now, and from when on; these may be all of one. A short
// one is no news, unless something in the background began it. Nor is one that the
// user stopped, and none is over while sub-agents run or prompts wait.
func (c *attention) turnOver(was bool, since time.Time, stopped bool) tea.Cmd {
	s := c.timeline.Status()
	if c.questions.Len() == 0 {
		c.needed = false
	}
	began := c.began
	if s.Busy || !was && began.IsZero() {
		return nil
	}
	if c.began = (time.Time{}); !was {
		since = began
	}
	if len(c.queue.pending) > 0 {
		return nil // the next turn begins
	}
	trouble, sent := c.trouble, c.queue.prompted
	c.trouble, c.queue.prompted = "", false
	took := c.win.now.Sub(since)
	c.news = c.news || !c.inFront()
	switch {
	case stopped || c.questions.Len() > 0 || s.Agents > 0:
		return nil
	case trouble != "":
		return c.request(notification{c.win.config.Settings.Notify.Error, "stopped: " + trouble})
	case sent && took < time.Duration(c.win.config.Settings.Notify.After)*time.Second:
		return nil
	}
	return c.request(notification{c.win.config.Settings.Notify.Done, "is done after " + text.Duration(took)})
}

// notifyDisconnected takes the end of a session, and notifies of one that was not asked for.
func (c *conversation) notifyDisconnected(msg endedMsg) tea.Cmd {
	before := c.disconnected
	c.addDisconnected(msg)
	if before || !c.disconnected {
		return nil
	}
	return c.request(notification{c.win.config.Settings.Notify.Error, "the session has ended"})
}

// progressTime is how many seconds the same progress stands before it is written
// again: a terminal may hide it after 15 (ghostty.org/docs/vt/osc/conemu).
const progressTime = 10

// progress is what the terminal shows in its tab or task bar: that a turn runs,
// or that it waits for the user. Bubble Tea takes it away when the window ends
// or is suspended.
func (c *conversation) progress() *tea.ProgressBar {
	if !c.win.config.Environment().ShowsProgress() {
		return nil
	}
	// A value that is another one is written again; where it runs it is not shown.
	again := int(c.win.now.Unix() / progressTime % 2)
	switch {
	case c.questions.Len() > 0:
		return tea.NewProgressBar(tea.ProgressBarWarning, 100-again)
	case c.opening || c.busy():
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, again)
	}
	return nil
}
