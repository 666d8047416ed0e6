package conversation

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/render/text"
	"parley/session"
	"parley/tui/widget"
)

// attention is what the user is notified of while they look elsewhere.
type attention struct {
	*core
	queue   *promptQueue
	Needed  bool      // they were notified of one that waits, and have not looked since
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
func (c *attention) forget() { c.Needed, c.trouble, c.began = false, "", time.Time{} }

// needsYou notifies of an approval or a question whose card has opened. While one that was
// notified of waits, the others are no news.
func (c *attention) needsYou(ask session.Ask) tea.Cmd {
	if c.win.Focused || c.Needed {
		return nil
	}
	channel := c.win.Config.Settings.Notify.Question
	if prompts.IsApproval(ask) {
		channel = c.win.Config.Settings.Notify.Approval
	}
	c.Needed = channel != "off"
	return c.request(Notification{channel, prompts.Wish(ask)})
}

// turnOver follows the end of a turn: was and since are whether one ran before
// the events that came just now, and from when on; these may be all of one. A short
// one is no news, unless something in the background began it. Nor is one that the
// user stopped, and none is over while sub-agents run or prompts wait.
func (c *attention) turnOver(was bool, since time.Time, stopped bool) tea.Cmd {
	s := c.Timeline.Status()
	if c.Questions.Len() == 0 {
		c.Needed = false
	}
	began := c.began
	if s.Busy || !was && began.IsZero() {
		return nil
	}
	if c.began = (time.Time{}); !was {
		since = began
	}
	if len(c.queue.Pending) > 0 {
		return nil // the next turn begins
	}
	trouble, sent := c.trouble, c.queue.Prompted
	c.trouble, c.queue.Prompted = "", false
	took := c.win.Now.Sub(since)
	c.News = c.News || !c.inFront()
	switch {
	case stopped || c.Questions.Len() > 0 || s.Agents > 0:
		return nil
	case trouble != "":
		return c.request(Notification{c.win.Config.Settings.Notify.Error, "stopped: " + trouble})
	case sent && took < time.Duration(c.win.Config.Settings.Notify.After)*time.Second:
		return nil
	}
	return c.request(Notification{c.win.Config.Settings.Notify.Done, "is done after " + text.Duration(took)})
}
