package timeline

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parley/session"
)

func (t *Timeline) applySetting(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionModeChanged:
		return t.modeChanged(ev, b)
	case session.SessionModelChange:
		return t.modelChange(ev, b)
	case session.SessionModelDeselected:
		t.status.Model, t.status.Effort = "", ""
		return t.notice(ev, &Notice{
			Level:    Warning,
			Category: "model",
			Text:     b.PreviousModel + " is no longer offered",
			Next:     "Choose another model with /model.",
		})
	case session.SessionAutoModeResolved:
		t.status.Model = cmp.Or(b.ChosenModel, t.status.Model)
		return Applied
	case session.SessionPermissionsChanged:
		return t.permissionsChanged(ev, b)
	case session.SessionContextChanged:
		return t.contextChanged(ev, b)
	case session.SessionTitleChanged:
		t.status.Title = b.Title
		return Applied
	case session.SessionPlanChanged:
		return t.planChanged(ev, b.Operation)
	case session.SessionScheduleCreated:
		return t.scheduleCreated(ev, b)
	case session.SessionScheduleCancelled:
		return t.notice(ev, &Notice{Category: "schedule", Text: fmt.Sprintf("Schedule %d has ended", b.ID)})
	case session.SessionScheduleRearmed:
		return t.minor(ev, &Notice{
			Category: "schedule",
			Text:     fmt.Sprintf("Schedule %d runs next at %s", b.ID, moment(b.NextRunAt)),
		})
	case session.SessionWorkspaceFileChanged:
		done := "changed"
		if b.Operation == "create" {
			done = "written"
		}
		return t.minor(ev, &Notice{Category: "workspace", Text: "The session's own file " + quoted(b.Path) + " was " + done})
	case session.SessionAutoTierSwitchFailed:
		return t.tierKept(ev, b)
	case session.SessionRemoteSteerableChanged:
		return t.steerable(ev, b.RemoteSteerable)
	}
	return Unhandled
}

// change is a line about a setting that may change again before anything else
// is said: stepping through three modes is one line, and stepping back none.
type change struct {
	entry *Entry
	from  string
}

// changed tells of a setting that went from one value to another. At the start
// of a conversation it is no news: the status line shows what is set.
func (t *Timeline) changed(ev session.Event, category, from, to string, text func(from, to string) string) ApplyResult {
	c, again := t.changes[category]
	if again {
		from = c.from
	}
	switch {
	case t.lastStored() == nil:
		return Applied
	case from == to && again:
		t.remove(c.entry)
		delete(t.changes, category)
		return Applied
	case from == to:
		return Applied
	case again:
		if n, ok := c.entry.Body.(*Notice); ok {
			n.Text = text(from, to)
		}
		t.from(c.entry, ev)
		t.touch(c.entry)
		return Applied
	}
	changes := t.changes
	t.changes = nil // a line about another setting does not end this one's
	e := t.add(ev, entryID("notice", string(ev.ID)), &Notice{Category: category, Text: text(from, to)}, Done)
	t.changes = changes
	t.changes[category] = change{entry: e, from: from}
	return Applied
}

func (t *Timeline) modeChanged(ev session.Event, b session.SessionModeChanged) ApplyResult {
	from := cmp.Or(b.PreviousMode, t.status.Mode, session.Interactive)
	t.status.Mode = b.NewMode
	return t.changed(ev, "mode", string(from), string(b.NewMode), func(from, to string) string {
		return "Mode changed from " + from + " to " + to
	})
}

func (t *Timeline) modelChange(ev session.Event, b session.SessionModelChange) ApplyResult {
	from := cmp.Or(t.status.Model, b.PreviousModel) + "\n" + cmp.Or(t.status.Effort, b.PreviousReasoningEffort)
	t.status.Model, t.status.Effort = b.NewModel, b.ReasoningEffort
	return t.changed(ev, "model", from, b.NewModel+"\n"+b.ReasoningEffort, modelChangeText)
}

// modelChangeText tells of a change between two models, each with its effort on
// a second line.
func modelChangeText(from, to string) string {
	old, _, _ := strings.Cut(from, "\n")
	model, effort, _ := strings.Cut(to, "\n")
	switch {
	case model == old && effort == "":
		return "Reasoning effort changed to the model's own"
	case model == old:
		return "Reasoning effort changed to " + effort
	}
	text := "Model changed to " + model
	if old != "" {
		text = "Model changed from " + old + " to " + model
	}
	if effort != "" {
		text += ", with " + effort + " effort"
	}
	return text
}

// permissionsChanged is loud when nobody is asked any more: it undoes what
// every question stands for, and it survives a resume.
func (t *Timeline) permissionsChanged(ev session.Event, b session.SessionPermissionsChanged) ApplyResult {
	previous, mode := b.Modes()
	t.status.AllowAll = mode == session.AllowAll
	n := &Notice{Category: "permissions"}
	switch mode {
	case session.AllowAll:
		n.Level, n.Text = Warning, "Allow all is on: the agent does everything without asking"
	case session.Assisted:
		n.Text = "A model decides about permissions now, and asks you when in doubt"
	default:
		if previous == mode {
			return Applied
		}
		n.Text = "The agent asks for permissions again"
	}
	return t.notice(ev, n)
}

// contextChanged moves the session to another folder. The runtime tells it
// twice, first without what it has yet to ask Git.
func (t *Timeline) contextChanged(ev session.Event, b session.SessionContextChanged) ApplyResult {
	from := t.status.Dir
	to := cmp.Or(b.Cwd, from)
	t.status.Dir = to
	if !b.PendingGitContext || from != to {
		t.status.GitRoot, t.status.Repository, t.status.Branch = b.GitRoot, b.Repository, b.Branch
	}
	if from == "" {
		return Applied
	}
	return t.changed(ev, "folder", from, to, func(_, to string) string { return "Working folder changed to " + to })
}

func (t *Timeline) planChanged(ev session.Event, operation string) ApplyResult {
	texts := map[string]string{
		"create": "A plan was written",
		"update": "The plan was changed",
		"delete": "The plan was removed",
	}
	return t.notice(ev, &Notice{Category: "plan", Text: cmp.Or(texts[operation], "The plan was changed")})
}

func (t *Timeline) scheduleCreated(ev session.Event, b session.SessionScheduleCreated) ApplyResult {
	when := "once"
	switch {
	case b.IntervalMs > 0:
		when = "every " + period(time.Duration(b.IntervalMs)*time.Millisecond)
	case b.Cron != "":
		when = "at " + b.Cron
	case b.SelfPaced:
		when = "when the agent finds it time"
	case b.At > 0:
		when = "at " + moment(b.At)
	}
	text := fmt.Sprintf("Schedule %d: %s, %s", b.ID, when, oneLine(cmp.Or(b.DisplayPrompt, b.Prompt)))
	return t.notice(ev, &Notice{Category: "schedule", Text: strings.TrimSuffix(text, ", ")})
}

// period writes a length of time without the parts that are zero: "1h", "90s".
func period(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// moment writes a time that an event tells in milliseconds.
func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC") }

// tierKept tells that the automatic choice of a model goes on as it did.
func (t *Timeline) tierKept(ev session.Event, b session.SessionAutoTierSwitchFailed) ApplyResult {
	text := "The automatic choice of models could not be changed"
	if b.RequestedAutoTier != "" {
		text += " to " + words(b.RequestedAutoTier)
	}
	n := &Notice{Level: Warning, Category: "model", Text: because(text, words(b.Reason))}
	if b.EffectiveAutoTier != "" {
		n.Next = "It stays " + words(b.EffectiveAutoTier) + ". Choose a model with /model."
	}
	return t.notice(ev, n)
}

// steerable tells whether somebody elsewhere can write to this session.
func (t *Timeline) steerable(ev session.Event, on bool) ApplyResult {
	if on == t.noted.remote {
		return Ignored
	}
	t.noted.remote = on
	text := "This session can no longer be steered from elsewhere"
	if on {
		text = "This session can be steered from elsewhere now"
	}
	return t.notice(ev, &Notice{Category: "remote", Text: text})
}
