package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"parley/session"
)

func (t *Timeline) applyTurn(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.AssistantTurnStart:
		return t.turnStart(ev)
	case session.AssistantTurnEnd:
		return t.turnEnd(ev)
	case session.AssistantTurnRetry:
		t.dropFresh()
		return t.retrying(ev, retryReason(b.Reason), toldByRetry)
	case session.AssistantIntent:
		t.status.Intent = b.Intent
		return Applied
	case session.AssistantIdle:
		t.runtime = true
		t.idle(ev, b.Aborted)
		t.status.BackgroundWork = true
		return Applied
	case session.SessionIdle:
		t.idle(ev, b.Aborted)
		t.idleWith(b.BackgroundTasks)
		t.status.BackgroundWork = len(t.status.Background) > 0
		if !t.status.BackgroundWork {
			t.endAgents(ev)
		}
		if b.Mode != "" {
			t.status.Mode = b.Mode
		}
		return Applied
	case session.Abort:
		return t.abort(ev, b)
	case session.SessionStart:
		return t.sessionStart(b)
	case session.SessionResume:
		return t.sessionResume(ev, b)
	case session.SessionShutdown:
		return t.sessionShutdown(ev, b)
	case session.SessionTaskComplete:
		return t.taskComplete(ev, b)
	case session.SessionAutopilotObjectiveChanged:
		t.status.Objective = words(cmp.Or(b.Status, t.status.Objective, "active"))
		if b.Operation == "delete" {
			t.status.Objective = ""
		}
		return Applied
	case session.SessionSnapshotRewind:
		return t.rewind(ev, b)
	}
	return Unhandled
}

// begin marks the agent as busy from now on.
func (t *Timeline) begin(ev session.Event) {
	t.status.Busy, t.status.Since = true, ev.Time
	t.status.Stopping, t.status.BackgroundWork, t.status.Ended = false, false, false
	t.status.Intent = ""
	t.phase = thinking
}

// quiet marks the agent as doing nothing.
func (t *Timeline) quiet() {
	t.status.Busy, t.status.Stopping = false, false
	t.status.Intent = ""
}

func (t *Timeline) turnStart(ev session.Event) ApplyResult {
	t.dropFresh()
	if !t.status.Busy {
		t.begin(ev)
	}
	t.status.Turns++
	t.phase = thinking
	t.startTurn(turn{key: ev.ID, said: t.turn.said})
	return Applied
}

// turnEnd ends one model call and what followed from it. Whether the agent goes
// on is known only from assistant.idle, which is not stored: in a stored log
// the end of a turn is taken for the end, until the next turn begins.
func (t *Timeline) turnEnd(ev session.Event) ApplyResult {
	t.turn.ended = true
	if ev.Replayed || !t.stream {
		t.quiet()
	}
	return Applied
}

// idle ends what the loop left open when it stopped. What runs beside the loop
// stays: a command the user started, a compaction.
func (t *Timeline) idle(ev session.Event, aborted bool) {
	t.dropEnded()
	t.quiet()
	t.endRetry(ev)
	maps.DeleteFunc(t.asks, func(_ session.RequestID, a *ask) bool { return !a.permission && a.agent == "" })
	for _, e := range t.open.sweep() {
		switch b := e.Body.(type) {
		case *Message, *Reasoning:
			if aborted {
				t.seal(ev, e, Cancelled)
			} else {
				t.seal(ev, e, Done)
			}
		case *ToolCall:
			if !b.beside() && !b.Waiting {
				t.cancelCall(ev, e, b)
			}
		}
	}
}

// cancelCall ends a call that will not get an end of its own.
func (t *Timeline) cancelCall(ev session.Event, e *Entry, c *ToolCall) {
	c.Status, c.Waiting = "", false
	t.seal(ev, e, Cancelled)
}

// abort keeps what was streamed and marks it, for the user has read it; the
// model will not see it again. Each reason is shown once, and takes the place of
// the runtime's remark that something was cancelled.
func (t *Timeline) abort(ev session.Event, b session.Abort) ApplyResult {
	t.turn.ended = false
	t.cancelOpen(ev, false)
	maps.DeleteFunc(t.asks, func(_ session.RequestID, a *ask) bool { return !a.permission || a.agent == "" })
	t.status.Stopping = t.status.Busy && t.stream && !ev.Replayed
	if !t.status.Stopping {
		t.quiet()
	}
	if e := there(t.turn.cancelled); e != nil {
		t.remove(e)
	}
	t.turn.aborted, t.turn.cancelled = true, nil
	text := t.abortText(b.Reason)
	if last := t.lastStored(); last != nil {
		if b, ok := last.Body.(*Divider); ok && b.abort && b.Text == text {
			return Applied
		}
	}
	t.add(ev, entryID("abort", string(ev.ID)), &Divider{Text: text, abort: true}, Done)
	return Applied
}

func (t *Timeline) abortText(reason string) string {
	switch reason {
	case "user_initiated", "user_abort", "user initiated", "":
		if t.turn.rejected {
			return "Stopped, because you refused a call"
		}
		return "Interrupted"
	case "remote_command":
		return "Interrupted by a remote command"
	case "autopilot_credit_limit":
		return "Stopped, because autopilot reached its limit of credits"
	}
	return "Interrupted: " + words(reason)
}

// cancelOpen ends everything that is open. An abort leaves what runs beside the
// loop; the end of the process leaves nothing.
func (t *Timeline) cancelOpen(ev session.Event, process bool) {
	for _, e := range t.open.sweep() {
		switch b := e.Body.(type) {
		case *ToolCall:
			if process || !b.beside() {
				t.cancelCall(ev, e, b)
			}
		case *Notice:
			if process || e == t.retry.entry {
				t.seal(ev, e, Cancelled)
			}
		default:
			t.seal(ev, e, Cancelled)
		}
	}
	t.turn.fresh, t.turn.thinking, t.turn.writing = nil, nil, nil
}

func (t *Timeline) sessionStart(b session.SessionStart) ApplyResult {
	t.status.Model, t.status.Effort = b.SelectedModel, b.ReasoningEffort
	t.where(b.Context)
	if b.Context != nil {
		t.status.Commit = b.Context.HeadCommit
	}
	return Applied
}

func (t *Timeline) where(c *session.WorkingContext) {
	if c == nil {
		return
	}
	t.status.Dir, t.status.GitRoot, t.status.Repository, t.status.Branch = c.Cwd, c.GitRoot, c.Repository, c.Branch
}

// sessionResume separates what was before from what comes. Whatever was open in
// the old process has ended with it, unless this process had the session all
// the time. Work that is taken up again is told anew: its question, its start.
func (t *Timeline) sessionResume(ev session.Event, b session.SessionResume) ApplyResult {
	text := t.resumeText(b)
	if b.SelectedModel != "" {
		t.status.Model = b.SelectedModel
	}
	if b.ReasoningEffort != "" {
		t.status.Effort = b.ReasoningEffort
	}
	t.where(b.Context)
	if b.SessionWasActive {
		t.add(ev, entryID("resume", string(ev.ID)), &Divider{Text: "Joined the running session"}, Done)
		return Applied
	}
	gone := ev
	gone.Time = t.before // the old process may have gone without a word
	t.endProcess(gone)
	t.status.Ended = false
	t.add(ev, entryID("resume", string(ev.ID)), &Divider{Text: text}, Done)
	if b.AlreadyInUse {
		t.notice(ev, &Notice{
			Level:    Warning,
			Category: "already_in_use",
			Text:     "Another process has this session open. Both write to the same log, and neither sees the other's turns.",
			Next:     "Close it in the other place, or start a new session here.",
		})
	}
	return Applied
}

// resumeText tells that a session goes on, and with what.
func (t *Timeline) resumeText(b session.SessionResume) string {
	text := "Resumed"
	if was := t.status.Model; b.SelectedModel != "" && was != "" && was != b.SelectedModel {
		text += ", with " + oneLine(b.SelectedModel) + " in place of " + oneLine(was)
	}
	return text
}

// endProcess ends everything that lived in the agent's process.
func (t *Timeline) endProcess(ev session.Event) {
	t.cancelOpen(ev, true)
	t.endAgents(ev)
	clear(t.asks)
	clear(t.external)
	t.quiet()
	t.status.BackgroundWork, t.status.Background, t.status.Compacting = false, nil, false
	t.retry = retry{}
	t.startTurn(turn{key: t.turn.key, thoughts: t.turn.thoughts})
}

// taskComplete tells that the agent holds its task for done. The summary is the
// agent's answer, so it is shown as one, unless the agent has just said it.
func (t *Timeline) taskComplete(ev session.Event, b session.SessionTaskComplete) ApplyResult {
	t.turn.completed = true
	n := &Notice{Level: Success, Category: "task_complete", Text: "Task complete"}
	if b.Success != nil && !*b.Success || b.Outcome == "blocked" {
		n.Level, n.Text = Warning, "Task not complete"
		if b.Outcome == "blocked" {
			n.Text = "Task blocked"
		}
		if reason := strings.TrimSpace(b.Reason); reason != "" {
			n.Text += ": " + reason
		}
	}
	if e := t.turn.finish; e != nil && e.pos >= 0 && e.State == Done { // it says no more
		e.VerboseOnly = true
		t.touch(e)
	}
	t.notice(ev, n)
	summary, said := strings.Fields(b.Summary), t.turn.said
	if len(summary) > 0 && (said == nil || said.pos < 0 || !slices.Equal(strings.Fields(messageOf(said).Text.String()), summary)) {
		m := &Message{}
		m.Text.Set(b.Summary)
		t.add(ev, entryID("summary", string(ev.ID)), m, Done).settled = true
	}
	return Applied
}
