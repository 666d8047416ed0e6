package conversation

import (
	"cmp"

	"parley/history/secrets"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/status"
	"parley/tui/widget"
)

// sessionSummary is what is shown of a conversation outside of it: in the line of the tabs, the
// status line, and the terminal's title and progress.
type sessionSummary struct {
	*core
	draft *promptDraft
	queue *promptQueue
	tasks *tasks
	todos *todos
	shown secrets.Shown // of its titles
}

// AtWork reports whether something runs or waits that would end with the window.
func (c *sessionSummary) AtWork() bool {
	s := c.Timeline.Status()
	works := c.Session != nil && c.ReadOnly == nil && (s.Busy || s.Compacting || s.Agents > 0)
	return works || c.Questions.Len() > 0 || len(c.shells) > 0
}

// shownTitle is the title of the session, without the secrets of a prompt.
func (c *sessionSummary) shownTitle() string { return c.shown.Hide(c.Timeline.Status().Title) }

// Name is what a conversation is called: its title, else the folder it works in.
func (c *sessionSummary) Name() string {
	if c.ReadOnly != nil && c.ReadOnly.Title != "" {
		return widget.FirstLine(c.shown.Hide(c.ReadOnly.Title))
	}
	return cmp.Or(widget.FirstLine(c.shownTitle()), widget.Base(c.Info.Dir), c.Info.Agent)
}

// Renames reports whether the session can be given a name.
func (c *sessionSummary) Renames() bool {
	_, ok := session.As[session.Renamer](c.Session)
	return ok && c.Session != nil || c.ReadOnly != nil
}

// State is the state of a conversation, in a few words and as a mark.
func (c *sessionSummary) State() (words string, mark theme.Mark) {
	s := c.Timeline.Status()
	switch {
	case c.Questions.Len() > 0:
		return "waits for you", theme.MarkQuestion
	case c.Opening:
		return "starting", theme.MarkRunning
	case c.Disconnected || c.Session == nil:
		return "ended", theme.MarkFailed
	case c.ReadOnly != nil:
		return "read only", theme.MarkBullet
	case s.Busy || s.Compacting || s.Agents > 0:
		return cmp.Or(widget.FirstLine(s.Activity), "working"), theme.MarkRunning
	case c.News:
		return "done", theme.MarkDone
	}
	return "idle", theme.MarkBullet
}

// statusFacts is what the status line shows of the conversation, whose open question may be
// hidden.
func (c *sessionSummary) statusFacts(hidden bool) status.Facts {
	s := c.Timeline.Status()
	s.Title, s.Branch = c.shown.Hide(s.Title), cmp.Or(c.checkout.Branch, s.Branch)
	f := status.Facts{
		Session: s, Theme: c.win.Theme, Width: c.win.Width, Now: c.win.Now.In(c.win.Zone), Still: c.win.still(),
		Agent: c.Info.Agent, Dir: c.Info.Dir, ModelAsked: c.Info.Model, Mode: c.Mode(), Demo: c.Info.Demo,
		ReadOnly: c.ReadOnly != nil, AllowAllHere: c.win.Config.AllowAll, Vim: c.Composer.VimMode(),
		State: c.state(hidden), CancelledAt: c.Aborting, Spinner: c.win.spinner(), Key: c.nextKey(hidden),
		Queued: c.queue.queued(), Todos: len(c.todos.Items), TodosDone: finished(c.todos.Items),
		Dirty: c.checkout.Dirty, ContextKnown: c.Metered, ContextStale: c.outdated,
	}
	if c.draft.Rewording.ID != "" {
		f.Rewording = c.win.says("{send} keeps it, {interrupt} does not")
	}
	if f.Background = c.tasks.runningText(); s.Busy {
		f.Background = c.tasks.BackgroundText()
	}
	if c.Timeline.Len() > 0 {
		f.Begun = c.Timeline.At(0).At
	}
	return f
}

// state is what the session is doing.
func (c *sessionSummary) state(hidden bool) status.State {
	s := c.Timeline.Status()
	switch {
	case c.Opening && c.ReadOnly == nil:
		return status.Starting
	case c.Disconnected:
		return status.Disconnected
	case c.ReadOnly.growing() && (c.Opening || c.Session != nil):
		return status.Reading
	case c.ReadOnly != nil && c.Session != nil:
		return status.Read
	case c.Session == nil:
		return status.Ended
	case c.Questions.Len() > 0 && hidden:
		return status.AskingHidden
	case c.Questions.Len() > 0:
		return status.Asking
	case !c.Aborting.IsZero():
		return status.Cancelling
	case len(c.shells) > 0 && !s.Busy && !s.Compacting:
		return status.RunningCommand
	}
	return status.Ready
}

// nextKey is which key goes to the question that waits and has not the keys, or stops what
// runs; "" if none does.
func (c *sessionSummary) nextKey(hidden bool) string {
	if c.Questions.Len() == 0 || c.Questions.Focused() || hidden {
		return c.howToStop()
	}
	key := c.win.Keymap.Show("complete")
	if key == "" || !c.Composer.Empty() {
		key = c.win.KeyFor("answer")
	}
	if key == "" {
		return ""
	}
	return key + " answers"
}

// howToStop is which key stops what runs now; "" if nothing runs that it would
// stop at once.
func (c *sessionSummary) howToStop() string {
	key := c.win.KeyFor("interrupt")
	switch {
	case key == "" || c.Questions.Len() > 0 || !c.Aborting.IsZero() || c.Disconnected || c.Opening:
		return ""
	case c.Busy() && !c.win.interruptsAtOnce():
		return key + " " + key + " stops"
	case c.Busy() || len(c.shells) > 0:
		return key + " stops"
	}
	return ""
}

// ScriptInput is what the program gets now.
func (c *sessionSummary) ScriptInput() status.ScriptInput {
	s := c.Timeline.Status()
	in := status.ScriptInput{
		Version: c.win.Config.Version, Width: c.win.Width,
		SessionID: c.Info.ID, Title: c.shown.Hide(s.Title), Agent: c.Info.Agent,
		Cwd: c.Info.Dir, Branch: cmp.Or(c.checkout.Branch, s.Branch),
		Mode: c.Mode(), Model: cmp.Or(s.Model, c.Info.Model), Effort: s.Effort, AllowAll: c.win.Config.AllowAll || s.AllowAll,
		Busy: s.Busy, Waiting: c.Questions.Len(), Queued: c.queue.queued(), Turns: s.Turns,
		Tokens: status.ScriptTokens{In: s.Usage.Input, Cached: s.Usage.CacheRead, Out: s.Usage.Output},
		Cost:   status.ScriptCost{Credits: s.Usage.NanoAIU / timeline.NanoAIUPerCredit, Premium: s.Usage.Cost},
	}
	if s.ContextLimit > 0 && c.Metered {
		in.Context = status.ScriptContext{
			Used: s.ContextTokens, Limit: s.ContextLimit, Percent: s.ContextTokens * 100 / s.ContextLimit, Stale: c.outdated,
		}
	}
	return in
}
