package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// lifecycle is where turns, the agent's process and the session begin and end,
// and where what was said is taken back.
type lifecycle struct {
	*toolCalls
	summaries *summaries
	closed    []span // when no process had the session
}

// span is a stretch of time.
type span struct{ from, to time.Time }

func (lc *lifecycle) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.AssistantTurnStart:
		return lc.turnStart(ev)
	case session.AssistantTurnEnd:
		return lc.turnEnd(ev)
	case session.AssistantTurnRetry:
		lc.dropAttempt()
		return lc.retrying(ev, retryReason(b.Reason), fromRetry)
	case session.AssistantIntent:
		lc.status.Intent = b.Intent
		return Applied
	case session.AssistantIdle:
		lc.runtime = true
		lc.idle(ev, b.Aborted)
		lc.status.BackgroundWork = true
		return Applied
	case session.SessionIdle:
		lc.idle(ev, b.Aborted)
		lc.status.idleWith(b.BackgroundTasks)
		lc.status.BackgroundWork = len(lc.status.Background) > 0
		if !lc.status.BackgroundWork {
			lc.endAgents(ev)
		}
		if b.Mode != "" {
			lc.status.Mode = b.Mode
		}
		return Applied
	case session.ModelCallFailure:
		return lc.callFailed(ev, b)
	case session.Abort:
		return lc.abort(ev, b)
	case session.SessionStart:
		return lc.sessionStart(b)
	case session.SessionResume:
		return lc.sessionResume(ev, b)
	case session.SessionShutdown:
		return lc.sessionShutdown(ev, b)
	case session.SessionTaskComplete:
		return lc.taskComplete(ev, b)
	case session.SessionAutopilotObjectiveChanged:
		lc.status.Objective = humanize(cmp.Or(b.Status, lc.status.Objective, "active"))
		if b.Operation == "delete" {
			lc.status.Objective = ""
		}
		return Applied
	case session.SessionSnapshotRewind:
		return lc.rewind(ev, b)
	}
	return Unhandled
}

// idle ends what the loop left open when it stopped. What the loop does not wait
// for stays: a command the user started, a compaction.
func (lc *lifecycle) idle(ev session.Event, aborted bool) {
	lc.dropEnded()
	lc.becomeIdle()
	if e := lc.retry.entry; e != nil && e.State == Live {
		lc.seal(ev, e, Failed) // nothing came after the retries
	}
	maps.DeleteFunc(lc.pending, func(_ session.RequestID, a *ask) bool { return !a.permission && a.agent == "" })
	for _, e := range lc.open.sweep() {
		switch b := e.Body.(type) {
		case *Message, *Reasoning:
			if aborted {
				lc.seal(ev, e, Cancelled)
			} else {
				lc.seal(ev, e, Done)
			}
		case *ToolCall:
			if !b.outlivesTurn() && !b.Waiting {
				lc.cancelCall(ev, e, b)
			}
		}
	}
}

// abort keeps what was streamed and marks it, for the user has read it; the
// model will not see it again. Each reason is shown once, and takes the place of
// the runtime's remark that something was cancelled.
func (lc *lifecycle) abort(ev session.Event, b session.Abort) ApplyResult {
	lc.turn.ended, lc.turn.open = false, false
	lc.cancelOpen(ev, false)
	maps.DeleteFunc(lc.pending, func(_ session.RequestID, a *ask) bool { return !a.permission || a.agent == "" })
	lc.status.Stopping = lc.status.Busy && lc.stream && !ev.Replayed
	if !lc.status.Stopping {
		lc.becomeIdle()
	}
	if e := present(lc.turn.cancelled); e != nil {
		lc.remove(e)
	}
	lc.turn.aborted, lc.turn.cancelled = true, nil
	text := lc.abortText(b.Reason)
	if last := lc.lastStored(); last != nil {
		if b, ok := last.Body.(*Divider); ok && b.abort && b.Text == text {
			return Applied
		}
	}
	lc.add(ev, entryID("abort", string(ev.ID)), &Divider{Text: text, abort: true}, Done)
	return Applied
}

func (lc *lifecycle) sessionStart(b session.SessionStart) ApplyResult {
	lc.status.Model, lc.status.Effort = b.SelectedModel, b.ReasoningEffort
	lc.where(b.Context)
	if b.Context != nil {
		lc.status.Commit = b.Context.HeadCommit
	}
	return Applied
}

// sessionResume separates what was before from what comes. Whatever was open in
// the old process has ended with it, unless this process had the session all
// the time. Work that is resumed is reported again: its question, its start.
func (lc *lifecycle) sessionResume(ev session.Event, b session.SessionResume) ApplyResult {
	text := lc.resumeText(b)
	if b.SelectedModel != "" {
		lc.status.Model = b.SelectedModel
	}
	if b.ReasoningEffort != "" {
		lc.status.Effort = b.ReasoningEffort
	}
	lc.where(b.Context)
	if b.SessionWasActive {
		lc.add(ev, entryID("resume", string(ev.ID)), &Divider{Text: "Joined the running session"}, Done)
		return Applied
	}
	end := ev
	end.Time = lc.before // the old process may have ended without an event
	lc.endProcess(end)
	lc.status.Ended = false
	lc.closed = append(lc.closed, span{lc.before, ev.Time})
	lc.add(ev, entryID("resume", string(ev.ID)), &Divider{Text: text}, Done)
	if b.AlreadyInUse {
		lc.notice(ev, &Notice{
			Level:    Warning,
			Category: "already_in_use",
			Text:     "Another process has this session open. Both write to the same log, and neither sees the other's turns.",
			Next:     "Close it in the other place, or start a new session here.",
		})
	}
	return Applied
}

// endProcess ends everything that lived in the agent's process.
func (lc *lifecycle) endProcess(ev session.Event) {
	lc.cancelOpen(ev, true)
	lc.endAgents(ev)
	clear(lc.pending)
	clear(lc.external)
	lc.becomeIdle()
	lc.status.BackgroundWork, lc.status.Background, lc.status.Compacting = false, nil, false
	lc.retry = retry{}
	lc.startTurn(turn{key: lc.turn.key, thoughts: lc.turn.thoughts})
}

// taskComplete shows that the agent considers its task done. The summary is the
// agent's answer, so it is shown as one, unless the agent has just said it.
func (lc *lifecycle) taskComplete(ev session.Event, b session.SessionTaskComplete) ApplyResult {
	lc.turn.completed = true
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
	if e := lc.turn.finish; e != nil && e.pos >= 0 && e.State == Done { // it says no more
		e.VerboseOnly = true
		lc.touch(e)
	}
	lc.notice(ev, n)
	summary, said := strings.Fields(b.Summary), lc.turn.lastAnswer
	if len(summary) > 0 && (said == nil || said.pos < 0 || !slices.Equal(strings.Fields(messageOf(said).Text.String()), summary)) {
		m := &Message{}
		m.Text.Set(b.Summary)
		lc.add(ev, entryID("summary", string(ev.ID)), m, Done).confirmed = true
	}
	return Applied
}

func (lc *lifecycle) abortText(reason string) string {
	switch reason {
	case "user_initiated", "user_abort", "user initiated", "":
		if lc.turn.rejected {
			return "Stopped, because you refused a call"
		}
		return "Interrupted"
	case "remote_command":
		return "Interrupted by a remote command"
	case "autopilot_credit_limit":
		return "Stopped, because autopilot reached its limit of credits"
	}
	return "Interrupted: " + humanize(reason)
}

func (lc *lifecycle) where(c *session.WorkingContext) {
	if c == nil {
		return
	}
	lc.status.Dir, lc.status.GitRoot, lc.status.Repository, lc.status.Branch = c.Cwd, c.GitRoot, c.Repository, c.Branch
}

// resumeText says that a session continues, and with what.
func (lc *lifecycle) resumeText(b session.SessionResume) string {
	text := "Resumed"
	if was := lc.status.Model; b.SelectedModel != "" && was != "" && was != b.SelectedModel {
		text += ", with " + oneLine(b.SelectedModel) + " in place of " + oneLine(was)
	}
	if lc.turn.open {
		text += ", after the agent ended in the middle of a turn"
	}
	return text
}
