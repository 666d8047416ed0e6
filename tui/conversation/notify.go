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
	Needed  bool        // they were notified of one that waits, and have not looked since
	seen    shownNotice // the last that they need not be notified of, as they looked
	trouble string      // the last error of the running turn
	began   time.Time   // when the running turn began; zero: none runs
}

// shownNotice is a notification of what came while the user looked.
type shownNotice struct {
	of      Notification
	request session.RequestID // of the card; "" for an error
	came    time.Time
}

// lateTime is how soon the user can have looked away from what came without having
// seen it.
const lateTime = 2 * time.Second

// notify notifies of what came just now, or notes it for LookAway while the user looks.
func (c *attention) notify(n Notification, request session.RequestID) tea.Cmd {
	if c.win.Focused {
		c.seen = shownNotice{n, request, c.win.Now}
		return nil
	}
	c.Needed = c.Needed || request != "" && n.Channel != "off"
	return c.request(n)
}

// LookAway notifies of what came so shortly before the user looked away that they may not
// have seen it, if it still waits for them.
func (c *attention) LookAway(at time.Time) {
	last := c.seen
	c.seen = shownNotice{}
	waits := c.Questions.Waits(last.request)
	if last.request == "" {
		waits = !c.Timeline.Status().Busy
	}
	if waits && at.Sub(last.came) < lateTime {
		c.notify(last.of, last.request)
	}
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
func (c *attention) forget() {
	c.Needed, c.seen, c.trouble, c.began = false, shownNotice{}, "", time.Time{}
}

// needsYou notifies of an approval or a question whose card has opened. While one that was
// notified of waits, the others are no news.
func (c *attention) needsYou(ask session.Ask) tea.Cmd {
	if c.Needed {
		return nil
	}
	channel := c.win.Config.Settings.Notify.Question
	if prompts.IsApproval(ask) {
		channel = c.win.Config.Settings.Notify.Approval
	}
	return c.notify(Notification{channel, prompts.Wish(ask)}, ask.Request())
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
		return c.notify(Notification{c.win.Config.Settings.Notify.Error, "stopped: " + trouble}, "")
	case sent && took < time.Duration(c.win.Config.Settings.Notify.After)*time.Second:
		return nil
	}
	return c.request(Notification{c.win.Config.Settings.Notify.Done, "is done after " + text.Duration(took)})
}
