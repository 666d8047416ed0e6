package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// turns is what the agent's loop does: its running turn, what it streams there,
// and how often it calls the model again.
type turns struct {
	*entryList
	status *Status

	turn     turn
	retry    retry
	phase    phase
	provider string    // what the provider's tool does, in words; read in the phase hosted
	stream   bool      // an ephemeral event came: the log is live, not read from a store
	runtime  bool      // something came that only the Copilot CLI runtime sends
	before   time.Time // of the last event before the one being applied
}

// turn is what is known of the root agent's running turn.
type turn struct {
	// key is the id of the stored event that began it. It is part of the ids
	// of its thoughts: their own ids are not stored, so a replayed log could
	// not give the same ones.
	key        session.EventID
	open       bool     // it began, and neither its end nor an abort came
	ended      bool     // its end came; what is unfinished is void unless an abort follows
	rejected   bool     // the user refused a call plainly, which stops the turn
	thoughts   int      // how many entries of thinking it has
	attempt    []*Entry // text, thinking and calls of the running attempt, in order
	thinking   []*Entry // thoughts since the last complete message: its reasoning
	thought    *Entry   // the thought that the last message held, or that streamed before it without an id
	began      *Entry   // where the last complete message begins: its text, or its first call
	writing    *Entry   // the message that streamed last
	lastAnswer *Entry   // the answer that was complete last since the prompt
	phase      phased   // of the message that was announced last
	finish     *Entry   // the call that says that the task is complete
	skills     []*Entry // the calls that load skills
	// loose are the calls that no message has asked for yet: a question about
	// one, or its start, may come before the message (docs/protocol.md, section 6.2).
	unrequested []*ToolCall

	aborted   bool   // an abort was reported
	cancelled *Entry // the remark that reported it before the abort
	completed bool   // the agent said that its task is complete
}

// phased is the phase that a message was announced with.
type phased struct {
	id    session.MessageID
	phase string
}

// startTurn leaves a turn for another one.
func (t *turns) startTurn(next turn) {
	for _, c := range t.turn.unrequested {
		c.unrequested = false
	}
	t.turn = next
}

func (t *turns) noteActivity(ev session.Event) {
	if ev.Ephemeral {
		t.stream = true
	}
	t.before = t.status.LastActivity
	if ev.Time.After(t.status.LastActivity) {
		t.status.LastActivity = ev.Time
	}
}

// becomeBusy marks the agent as busy from now on.
func (t *turns) becomeBusy(ev session.Event) {
	t.status.Busy, t.status.Since, t.status.Waited = true, ev.Time, 0
	if !t.status.WaitingSince.IsZero() {
		t.status.WaitingSince = ev.Time
	}
	t.status.Stopping, t.status.BackgroundWork, t.status.Ended = false, false, false
	t.status.Intent = ""
	t.phase = thinking
}

// becomeIdle marks the agent as doing nothing.
func (t *turns) becomeIdle() {
	t.status.Busy, t.status.Stopping = false, false
	t.status.Intent = ""
}

func (t *turns) turnStart(ev session.Event) ApplyResult {
	t.dropAttempt()
	if !t.status.Busy {
		t.becomeBusy(ev)
	}
	t.status.Turns++
	t.phase = thinking
	t.startTurn(turn{key: ev.ID, open: true, lastAnswer: t.turn.lastAnswer})
	return Applied
}

// turnEnd ends one model call and what followed from it. Whether the agent continues
// is known only from assistant.idle, which is not stored: in a stored log
// the end of a turn is taken for the end, until the next turn begins.
func (t *turns) turnEnd(ev session.Event) ApplyResult {
	t.turn.ended, t.turn.open = true, false
	if ev.Replayed || !t.stream {
		t.becomeIdle()
	}
	return Applied
}

// drop removes what was streamed and then abandoned. What a complete event
// confirmed stays.
func (t *turns) drop(list []*Entry) {
	for _, e := range slices.Backward(list) {
		if e.confirmed || e.pos < 0 {
			continue
		}
		if r := reasoningOf(e); r != nil && !r.isMessage {
			t.turn.thoughts--
		}
		t.forgetAgent(e)
		t.remove(e)
	}
}

func (t *turns) dropAttempt() {
	t.drop(t.turn.attempt)
	t.turn.attempt, t.turn.thinking, t.turn.writing = nil, nil, nil
}

// dropEnded voids what a turn left unfinished at its end. It waits for the next
// event of the loop, because an interruption is reported after the end of the turn,
// and interrupted text stays.
func (t *turns) dropEnded() {
	if t.turn.ended {
		t.dropAttempt()
	}
}

// endThinking stops the clock of the thinking when the answer begins, so that
// it shows how long the model thought and not how long it wrote.
func (t *turns) endThinking(ev session.Event) {
	for _, e := range t.turn.thinking {
		if e.State == Live {
			t.seal(ev, e, Done)
		}
	}
}

// present is an entry that is still in the timeline; nil if it is not.
func present(e *Entry) *Entry {
	if e == nil || e.pos < 0 {
		return nil
	}
	return e
}

// providerTool notes that a tool of the model's provider runs: it has no call,
// and what comes next of the model ends it.
func (t *turns) providerTool(ev session.Event, b session.AssistantServerToolProgress) ApplyResult {
	t.endRetries(ev)
	t.phase, t.provider = hosted, "using "+cmp.Or(humanize(b.ToolKind), "a tool of the provider")
	switch {
	case b.Status == "completed":
		t.phase = thinking
	case strings.HasPrefix(b.ToolKind, "web_search"):
		t.provider = "searching the web"
	}
	return Applied
}

// forgetAgent counts out the sub-agent of a call that is taken back. Its later
// events find that its entry was removed.
func (t *turns) forgetAgent(e *Entry) {
	if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil {
		t.status.Agents -= c.Agent.running()
	}
}
