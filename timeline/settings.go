package timeline

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// settings are what a session works with and how: its mode, its model, its
// permissions, its folder.
type settings struct {
	*turns
	changes map[string]change
	at      int    // the news when the last of changes was shown: they are void once there are others
	limit   string // what the session may spend, as reported last
	remote  bool   // it can be steered from elsewhere
}

func (s *settings) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionModeChanged:
		return s.modeChanged(ev, b)
	case session.SessionModelChange:
		return s.modelChange(ev, b)
	case session.SessionModelDeselected:
		s.status.Model, s.status.Effort = "", ""
		return s.notice(ev, &Notice{
			Level:    Warning,
			Category: "model",
			Text:     b.PreviousModel + " is no longer offered",
			Next:     "Choose another model with /model.",
		})
	case session.SessionAutoModeResolved:
		s.status.Model = cmp.Or(b.ChosenModel, s.status.Model)
		return Applied
	case session.SessionPermissionsChanged:
		return s.permissionsChanged(ev, b)
	case session.SessionContextChanged:
		return s.contextChanged(ev, b)
	case session.SessionTitleChanged:
		s.status.Title = b.Title
		return Applied
	case session.SessionPlanChanged:
		return s.planChanged(ev, b.Operation)
	case session.SessionScheduleCreated:
		return s.scheduleCreated(ev, b)
	case session.SessionScheduleCancelled:
		return s.notice(ev, &Notice{Category: "schedule", Text: fmt.Sprintf("Schedule %d has ended", b.ID)})
	case session.SessionScheduleRearmed:
		return s.verboseNotice(ev, &Notice{
			Category: "schedule",
			Text:     fmt.Sprintf("Schedule %d runs next at %s", b.ID, moment(b.NextRunAt)),
		})
	case session.SessionWorkspaceFileChanged:
		done := "changed"
		if b.Operation == "create" {
			done = "written"
		}
		return s.verboseNotice(ev, &Notice{Category: "workspace", Text: "The session's own file " + quoted(b.Path) + " was " + done})
	case session.SessionAutoTierSwitchFailed:
		return s.tierSwitchFailed(ev, b)
	case session.SessionRemoteSteerableChanged:
		return s.remoteSteering(ev, b.RemoteSteerable)
	case session.SessionSessionLimitsChanged:
		return s.limitsChanged(ev, b)
	case session.SubagentSelected:
		name := cmp.Or(b.AgentDisplayName, b.AgentName, "unnamed")
		return s.personaChanged(ev, Persona{name, b.AgentName, b.Tools}, personaDetail(b))
	case session.SubagentDeselected:
		return s.personaChanged(ev, Persona{}, "")
	}
	return Unhandled
}

// change is a line about a setting that may change again before anything else
// is said: stepping through three modes is one line, and stepping back none.
type change struct {
	entry *Entry
	from  string
}

// changed shows that a setting went from one value to another. At the start
// of a conversation it is no news: the status line shows what is set.
func (s *settings) changed(ev session.Event, category, from, to string, text func(from, to string) string) ApplyResult {
	if s.at != s.news {
		clear(s.changes)
		s.at = s.news
	}
	c, again := s.changes[category]
	if again {
		from = c.from
	}
	switch {
	case s.lastStored() == nil:
		return Applied
	case from == to && again:
		s.remove(c.entry)
		delete(s.changes, category)
		return Applied
	case from == to:
		return Applied
	case again:
		noticeOf(c.entry).Text = text(from, to)
		s.addOrigin(c.entry, ev)
		s.touch(c.entry)
		return Applied
	}
	e := s.add(ev, entryID("notice", string(ev.ID)), &Notice{Category: category, Text: text(from, to)}, Done)
	s.at = s.news // a line about another setting does not end this one's
	s.changes[category] = change{entry: e, from: from}
	return Applied
}

func (s *settings) modeChanged(ev session.Event, b session.SessionModeChanged) ApplyResult {
	from := cmp.Or(b.PreviousMode, s.status.Mode, session.Interactive)
	s.status.Mode = b.NewMode
	return s.changed(ev, "mode", string(from), string(b.NewMode), func(from, to string) string {
		return "Mode changed from " + from + " to " + to
	})
}

func (s *settings) modelChange(ev session.Event, b session.SessionModelChange) ApplyResult {
	from := cmp.Or(s.status.Model, b.PreviousModel) + "\n" + cmp.Or(s.status.Effort, b.PreviousReasoningEffort)
	s.status.Model, s.status.Effort = b.NewModel, b.ReasoningEffort
	return s.changed(ev, "model", from, b.NewModel+"\n"+b.ReasoningEffort, modelChangeText)
}

// modelChangeText describes a change between two models, each with its effort on
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

// permissionsChanged is loud when the user is not asked any more: it undoes what
// every question stands for, and it survives a resume.
func (s *settings) permissionsChanged(ev session.Event, b session.SessionPermissionsChanged) ApplyResult {
	previous, mode := b.Modes()
	s.status.AllowAll = mode == session.AllowAll
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
	return s.notice(ev, n)
}

// contextChanged moves the session to another folder. The runtime reports it
// twice, first without what it has yet to ask Git.
func (s *settings) contextChanged(ev session.Event, b session.SessionContextChanged) ApplyResult {
	from := s.status.Dir
	to := cmp.Or(b.Cwd, from)
	s.status.Dir = to
	if !b.PendingGitContext || from != to {
		s.status.GitRoot, s.status.Repository, s.status.Branch = b.GitRoot, b.Repository, b.Branch
	}
	if from == "" {
		return Applied
	}
	return s.changed(ev, "folder", from, to, func(_, to string) string { return "Working folder changed to " + to })
}

func (s *settings) planChanged(ev session.Event, operation string) ApplyResult {
	texts := map[string]string{
		"create": "A plan was written",
		"update": "The plan was changed",
		"delete": "The plan was removed",
	}
	return s.notice(ev, &Notice{Category: "plan", Text: cmp.Or(texts[operation], "The plan was changed")})
}

func (s *settings) scheduleCreated(ev session.Event, b session.SessionScheduleCreated) ApplyResult {
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
	return s.notice(ev, &Notice{Category: "schedule", Text: strings.TrimSuffix(text, ", ")})
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

// moment writes a time that an event has in milliseconds.
func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC") }

// tierSwitchFailed shows that the automatic choice of a model stays as it was.
func (s *settings) tierSwitchFailed(ev session.Event, b session.SessionAutoTierSwitchFailed) ApplyResult {
	text := "The automatic choice of models could not be changed"
	if b.RequestedAutoTier != "" {
		text += " to " + humanize(b.RequestedAutoTier)
	}
	n := &Notice{Level: Warning, Category: "model", Text: withReason(text, humanize(b.Reason))}
	if b.EffectiveAutoTier != "" {
		n.Next = "It stays " + humanize(b.EffectiveAutoTier) + ". Choose a model with /model."
	}
	return s.notice(ev, n)
}

// remoteSteering shows whether somebody elsewhere can write to this session.
func (s *settings) remoteSteering(ev session.Event, on bool) ApplyResult {
	if on == s.remote {
		return Ignored
	}
	s.remote = on
	text := "This session can no longer be steered from elsewhere"
	if on {
		text = "This session can be steered from elsewhere now"
	}
	return s.notice(ev, &Notice{Category: "remote", Text: text})
}

func (s *settings) limitsChanged(ev session.Event, b session.SessionSessionLimitsChanged) ApplyResult {
	var limits struct {
		Most float64 `json:"maxAiCredits"`
	}
	_ = json.Unmarshal(b.SessionLimits, &limits) // null is no limit
	limit := ""
	if limits.Most > 0 {
		limit = number(limits.Most)
	}
	if limit == s.limit {
		return Ignored
	}
	s.limit = limit
	text := "This session may use as many AI credits as it takes"
	if limit != "" {
		text = "This session may use " + limit + " AI credits"
	}
	return s.notice(ev, &Notice{Category: "limits", Text: text})
}

// personaChanged shows which custom agent handles the conversation.
func (s *settings) personaChanged(ev session.Event, to Persona, detail string) ApplyResult {
	from := s.status.Persona.Title
	s.status.Persona = to
	out := s.changed(ev, "agent", from, to.Title, func(_, to string) string {
		if to == "" {
			return "The default agent handles this conversation"
		}
		return "Agent " + quoted(to) + " handles this conversation"
	})
	if c, ok := s.changes["agent"]; ok {
		noticeOf(c.entry).Detail = detail
		s.touch(c.entry)
	}
	return out
}

// personaDetail is what else is known of a custom agent.
func personaDetail(b session.SubagentSelected) string {
	detail := "Tools: " + cmp.Or(strings.Join(b.Tools, ", "), "none")
	if b.Tools == nil {
		detail = "Tools: all"
	}
	if b.AgentDisplayName != "" && b.AgentName != "" && b.AgentName != b.AgentDisplayName {
		return "Name: " + b.AgentName + "\n" + detail
	}
	return detail
}
