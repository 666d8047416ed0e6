package timeline

import (
	"slices"
	"strings"
	"time"

	"parley/session"
)

// briefBelow is how long an interaction without calls must take to be worth a
// line of its own.
const briefBelow = 5 * time.Second

// interaction is what one prompt of a user leads to: every turn from it to
// their next prompt, also those that the agent begins by itself, and the calls
// of its sub-agents. Its summary is the last entry of it whenever the agent has
// stopped. Where it stopped is known from stored events alone, so that a
// replayed log has the summary in the same place.
type interaction struct {
	shows        *entryList // where its summary is shown
	prompt       *Entry     // nil for what came before any prompt: that has no summary
	turns        []time.Time
	last         time.Time     // of the last stored event that belongs to it
	away         time.Duration // between the processes it ran in
	waited       session.UserWait
	processEnded bool // the process it ran in has ended
	inTurn       bool
	stopped      bool
	after        *Entry // the last entry before it stopped
	entry        *Entry // its summary, while that is shown
	made         *Entry // its summary, once it was shown: a replayed log shows it after each turn
	sum          *Summary
	files        map[string]int // where sum.Files has a path
}

func newInteraction(l *entryList, prompt *Entry) *interaction {
	return &interaction{shows: l, prompt: prompt, sum: &Summary{}, files: map[string]int{}}
}

// summaries divide a session into interactions, and show what each led to.
type summaries struct{ *turns }

// prompted begins an interaction with the prompt that the user wrote.
func (s *summaries) prompted(prompt *Entry) {
	i := newInteraction(s.entryList, prompt)
	i.last = prompt.At
	s.interaction = i
	s.interactions = append(s.interactions, i)
}

// continues reports whether a message belongs to the interaction before it: the
// user steers, or it is none of theirs (docs/protocol.md, section 6.5).
func (s *summaries) continues(b session.UserMessage) bool {
	if s.depth > 0 {
		return true
	}
	if s.interaction == nil || s.interaction.prompt == nil {
		return false
	}
	return b.Delivery == session.DeliveredSteering || b.IsAutopilotContinuation || !fromUser(b)
}

// fromUser reports whether a message is a prompt of its own: one that the
// user wrote, or had written before by a command or a schedule. What else has
// a source was put in by the runtime, such as the text of a skill.
func fromUser(b session.UserMessage) bool {
	if strings.TrimSpace(b.Content) == "" && len(b.Attachments) == 0 {
		return false
	}
	return b.Source == "" || strings.HasPrefix(b.Source, "command-") || strings.HasPrefix(b.Source, "schedule-")
}

// beforeEvent removes the summary before an event by which the agent continues,
// and before what must not find it at the end of the list.
func (s *summaries) beforeEvent(ev session.Event) {
	i := s.interaction
	if i == nil || s.depth > 0 {
		return
	}
	switch b := ev.Body.(type) {
	case session.Abort:
		s.hideSummary()
		return
	case session.SessionShutdown:
		s.processEnds()
		return
	case session.SessionResume:
		if !b.SessionWasActive {
			s.processEnds()
		}
		return
	}
	if !s.continuedBy(ev.Body) || isParleyText(ev) {
		return
	}
	s.hideSummary()
	i.stopped = false
	if i.processEnded {
		i.processEnded = false
		i.away += max(0, ev.Time.Sub(i.last))
	}
}

// isParleyText reports whether an event is a text of Parley's own, such as what a slash
// command answered, and nothing that the agent said.
func isParleyText(ev session.Event) bool {
	m, ok := ev.Body.(session.AssistantMessage)
	return ok && ev.Ephemeral && m.MessageID == ""
}

// continuedBy reports whether an event is one by which the interaction continues.
func (s *summaries) continuedBy(b session.Body) bool {
	switch b := b.(type) {
	case session.AssistantTurnStart, session.AssistantMessage:
		return true
	case session.UserMessage:
		return s.continues(b)
	case session.ToolExecutionStart:
		e := s.index[entryID("call", string(b.ToolCallID))]
		if e == nil {
			return true
		}
		c, ok := e.Body.(*ToolCall)
		return ok && !c.ended && !c.UserRequested
	case session.ToolExecutionComplete: // its start was not seen
		return s.index[entryID("call", string(b.ToolCallID))] == nil && !b.IsUserRequested
	}
	return false
}

// afterEvent notes after an event whether the agent has stopped, if that event
// shows it.
func (s *summaries) afterEvent(ev session.Event) {
	i := s.interaction
	if i == nil || s.depth > 0 {
		return
	}
	switch b := ev.Body.(type) {
	case session.AssistantTurnStart:
		i.inTurn = true
		i.turns = append(i.turns, ev.Time)
		i.extendTo(ev.Time)
	case session.AssistantMessage:
		if !isParleyText(ev) {
			i.extendTo(ev.Time)
		}
	case session.AssistantTurnEnd, session.Abort:
		i.inTurn = false
		i.extendTo(ev.Time)
		s.stop(ev)
	case session.ToolExecutionComplete: // a call that the runtime made by itself
		if !i.inTurn && !i.stopped {
			s.stop(ev)
		}
	case session.SessionError: // it comes after the turn it ended
		if i.stopped && !ev.Ephemeral && b.ErrorType != "notification" {
			s.stop(ev)
		}
	case session.SessionTaskComplete:
		if i.stopped {
			s.stop(ev)
		}
	case session.AssistantIdle, session.SessionIdle:
		s.conclude()
	}
}

// stop marks the end of the list as the place of the summary. Whether the agent
// continues is known when it is idle; in a stored log it is not known at all, so
// the summary is shown, until the agent continues.
func (s *summaries) stop(ev session.Event) {
	i := s.interaction
	s.hideSummary()
	i.stopped, i.after = true, s.newest()
	if ev.Replayed || !s.stream || !s.status.Busy {
		s.conclude()
	}
}

// processEnds concludes the interaction, for the process it ran in has ended.
func (s *summaries) processEnds() {
	s.conclude()
	s.interaction.processEnded, s.interaction.inTurn = true, false
	s.interaction.waited.Forget()
}

// noteWaiting follows whether the interaction waits for the user.
func (i *interaction) noteWaiting(ev session.Event) {
	if i == nil || ev.Ephemeral {
		return
	}
	switch b := ev.Body.(type) {
	case session.PermissionRequested:
		i.waited.Requested(b.RequestID, ev.Time)
	case session.PermissionCompleted:
		i.waited.Completed(b.RequestID, ev.Time)
	case session.ToolExecutionStart:
		i.waited.Started(&b, ev.Time)
	case session.ToolExecutionComplete:
		i.waited.Ended(b.ToolCallID, ev.Time)
	case session.Abort:
		i.waited.Stop(ev.Time)
	}
}

// conclude shows the summary of the interaction: where it stopped, or at the
// end if it does not say that it did.
func (s *summaries) conclude() {
	i := s.interaction
	if i == nil || i.entry != nil || i.prompt == nil || len(i.turns) == 0 {
		return
	}
	if !i.stopped || i.after != nil && i.after.pos < 0 {
		i.stopped, i.after = true, s.newest()
	}
	pos := 0
	if i.after != nil {
		pos = i.after.pos + 1
	}
	if i.made == nil {
		ev := session.Event{Time: i.prompt.At}
		if len(i.prompt.Origin) > 0 {
			ev.ID = i.prompt.Origin[0]
		}
		i.made = s.newEntry(ev, entryID("interaction", string(ev.ID)), i.sum, Done)
	}
	i.updateTotals()
	i.entry = i.made
	news := s.news
	s.put(pos, i.entry)
	s.news = news // it says nothing that a change of a setting must not follow
	i.refresh()
}

// newest is the last entry; nil without entries.
func (l *entryList) newest() *Entry {
	if len(l.entries) == 0 {
		return nil
	}
	return l.entries[len(l.entries)-1]
}

func (s *summaries) hideSummary() {
	if i := s.interaction; i.entry != nil {
		s.remove(i.entry)
		i.entry = nil
	}
}

// keepSummaryPlace keeps the place of a summary that is not shown, when the entry
// before that place is taken out.
func (l *entryList) keepSummaryPlace(e *Entry) {
	if i := l.interaction; i != nil && i.after == e {
		i.after = nil
		if e.pos > 0 {
			i.after = l.entries[e.pos-1]
		}
	}
}

// extendTo extends the interaction to the time of an event that is part of it. It
// reports whether that is later than the last.
func (i *interaction) extendTo(at time.Time) bool {
	later := at.After(i.last)
	if later {
		i.last = at
	}
	return later
}

// updateTotals brings what is derived up to date.
func (i *interaction) updateTotals() {
	i.sum.Turns = len(i.turns)
	if i.prompt != nil {
		i.sum.Took = max(0, i.last.Sub(i.prompt.At)-i.away-i.waited.Total)
	}
}

// refresh makes the summary show what was counted since.
func (i *interaction) refresh() {
	i.updateTotals()
	if e := i.entry; e != nil {
		e.End = i.last
		e.VerboseOnly = i.sum.Calls == 0 && i.sum.Failures == 0 && i.sum.Took < briefBelow
		i.shows.touch(e)
	}
}

// rewound goes back to the last interaction whose prompt is still there. From
// is when the first event that was taken back came.
func (s *summaries) rewound(from time.Time) {
	i := s.interaction
	if s.depth > 0 {
		if i != nil {
			i.shows.recount()
		}
		return
	}
	s.interactions = slices.DeleteFunc(s.interactions, func(i *interaction) bool {
		if i.entry != nil && i.entry.pos < 0 {
			i.entry = nil
		}
		return i.prompt.pos < 0
	})
	if i != nil && i.prompt != nil {
		s.interaction = nil
		if n := len(s.interactions); n > 0 {
			s.interaction = s.interactions[n-1]
		}
	}
	if i != nil && i == s.interaction { // a part of it was removed
		s.hideSummary()
		i.turns = slices.DeleteFunc(i.turns, func(at time.Time) bool { return !at.Before(from) })
		i.stopped, i.inTurn = false, false
		if i.last.After(from) {
			i.last = from
		}
	}
	s.recount()
}
