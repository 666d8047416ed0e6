package timeline

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// turn is what is known of the root agent's running turn.
type turn struct {
	// key is the id of the stored event that began it. It is part of the ids
	// of its thoughts: their own ids are not stored, so a replayed log could
	// not give the same ones.
	key      session.EventID
	ended    bool     // its end came; what is unfinished is void unless an abort follows
	rejected bool     // the user refused a call plainly, which stops the turn
	thoughts int      // how many entries of thinking it has
	fresh    []*Entry // text, thinking and calls of the running attempt, in order
	thinking []*Entry // thoughts since the last complete message: its reasoning
	thought  *Entry   // the thought that the last message told, or that streamed before it without an id
	began    *Entry   // where the last complete message begins: its text, or its first call
	writing  *Entry   // the message that streamed last
	said     *Entry   // the answer that was complete last since the prompt
	phase    phased   // of the message that was announced last
	finish   *Entry   // the call that says that the task is complete
	skills   []*Entry // the calls that load skills
	// loose are the calls that no message has asked for yet: a question about
	// one, or its start, may come before the message (docs/protocol.md, section 6.2).
	loose []*ToolCall

	aborted   bool   // an abort was told
	cancelled *Entry // the remark that told it before the abort
	completed bool   // the agent said that its task is complete
}

// phased is the phase that a message was announced with.
type phased struct {
	id    session.MessageID
	phase string
}

// startTurn leaves a turn for another one.
func (t *Timeline) startTurn(next turn) {
	for _, c := range t.turn.loose {
		c.loose = false
	}
	t.turn = next
}

func (t *Timeline) applyMessage(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.AssistantMessageDelta:
		return t.messageDelta(ev, b)
	case session.AssistantReasoningDelta:
		return t.reasoningDelta(ev, b)
	case session.UserMessage:
		return t.userMessage(ev, b)
	case session.AssistantMessageStart:
		return t.messageStart(ev, b)
	case session.AssistantMessage:
		return t.assistantMessage(ev, b)
	case session.AssistantReasoning:
		return t.assistantReasoning(ev, b)
	case session.AssistantServerToolProgress:
		return t.providerTool(ev, b)
	}
	return Unhandled
}

// userMessage shows what the user, or something in their name, wrote. The
// runtime continues autopilot with empty messages: they begin a turn and make
// no bubble. A message of autopilot without a source is shown as one with it.
func (t *Timeline) userMessage(ev session.Event, b session.UserMessage) ApplyResult {
	if t.nudged(b) {
		b.Source = autopilot
	}
	t.dropEnded()
	if b.Delivery != session.DeliveredSteering {
		t.begin(ev)
	}
	if strings.TrimSpace(b.Content) == "" && len(b.Attachments) == 0 {
		return Applied
	}
	begins := !t.continues(b)
	if begins {
		t.conclude()
		t.turn.said, t.turn.began, t.turn.thought, t.turn.thinking = nil, nil, nil, nil
		t.turn.aborted, t.turn.cancelled = false, nil
	}
	prompt := t.add(ev, entryID("prompt", string(ev.ID)), &Prompt{
		Text:        b.Content,
		Attachments: t.attached(b.Attachments),
		Mode:        b.AgentMode,
		Delivery:    string(b.Delivery),
		Source:      b.Source,
	}, Done)
	if begins {
		t.prompted(prompt)
	}
	return Applied
}

// autopilot is the source of the messages by which autopilot makes the agent
// continue.
const autopilot = "autopilot"

// nudged reports whether a message without a source is autopilot's: it says so,
// or it has autopilot's words, and the agent has stopped in autopilot mode
// without completing its task (The agent loop, autopilot mode).
func (t *Timeline) nudged(b session.UserMessage) bool {
	if b.Source != "" {
		return false
	}
	mode := cmp.Or(b.AgentMode, t.status.Mode)
	if i := t.interaction; mode == "" && i != nil && i.prompt != nil {
		if p, ok := i.prompt.Body.(*Prompt); ok {
			mode = p.Mode
		}
	}
	return b.IsAutopilotContinuation || b.Nudges() && mode == session.Autopilot && t.turn.ended && !t.turn.completed
}

// messageStart announces a new message. Text of the same turn that is still
// unfinished then was abandoned by a retry, and so was the thinking before it;
// thinking after it belongs to the new attempt.
func (t *Timeline) messageStart(ev session.Event, b session.AssistantMessageStart) ApplyResult {
	t.runtime = true
	t.goOn(ev)
	t.turn.phase = phased{b.MessageID, b.Phase}
	t.phase = t.turn.phase.of(b.MessageID)
	old := t.turn.writing
	if old == nil || old.settled || spokenID(old) == b.MessageID {
		return Applied
	}
	i := slices.Index(t.turn.fresh, old) + 1
	t.drop(t.turn.fresh[:i])
	t.turn.fresh, t.turn.writing = slices.Clone(t.turn.fresh[i:]), nil
	return Applied
}

// of is what the model does while it streams a message.
func (p phased) of(id session.MessageID) phase {
	if p.id == id && p.phase == session.PhaseThinking {
		return thinking
	}
	return answering
}

func (t *Timeline) messageDelta(ev session.Event, b session.AssistantMessageDelta) ApplyResult {
	if b.DeltaContent == "" {
		return Ignored
	}
	e := t.message(b.MessageID)
	if e != nil && e.State.Final() {
		return Ignored // late news about a text that is complete
	}
	t.goOn(ev)
	t.phase = t.turn.phase.of(b.MessageID)
	if e == nil {
		t.endThinking(ev)
		e = t.speak(nil, ev, b.MessageID, t.phase == thinking)
		t.turn.fresh, t.turn.writing = append(t.turn.fresh, e), e
	}
	textOf(e).Append(b.DeltaContent)
	t.touch(e)
	return Applied
}

// assistantMessage completes a message. What it says is the truth, whatever was
// streamed before. A message that only calls tools leaves no bubble, and one of
// the phase "thinking" is thinking.
func (t *Timeline) assistantMessage(ev session.Event, b session.AssistantMessage) ApplyResult {
	if ofOurs(ev) { // beside any turn
		m := &Message{}
		m.Text.Set(b.Content)
		t.add(ev, entryID("said", string(ev.ID)), m, Done)
		return Applied
	}
	t.goOn(ev)
	t.phase = thinking
	e := t.message(b.MessageID)
	if b.ChunkIndex == 0 {
		e = t.rephase(ev, e, b.Phase == session.PhaseThinking)
	}
	blank := strings.TrimSpace(b.Content) == ""
	t.reasoningText(ev, b, t.firstOf(e, b.ToolRequests))
	if e == nil && !blank {
		e = t.speak(t.firstOf(nil, b.ToolRequests), ev, b.MessageID, b.Phase == session.PhaseThinking)
	}
	switch {
	case e == nil:
	case e.settled && b.ChunkIndex > 0: // a long message may come in parts
		textOf(e).Append(b.Content)
		t.from(e, ev)
		t.touch(e)
	case blank:
		t.remove(e)
		e = nil
	default:
		e.settled = true
		textOf(e).Set(b.Content)
		t.from(e, ev)
		t.seal(ev, e, saidAs(b))
		if messageOf(e) != nil {
			t.turn.said = e
		}
	}
	for _, r := range b.ToolRequests {
		t.toolRequest(ev, r)
	}
	t.arrange(e, b.ToolRequests)
	t.turn.began = t.firstOf(e, b.ToolRequests)
	return Applied
}

// speak makes the entry of a message: an answer, or thinking.
func (t *Timeline) speak(before *Entry, ev session.Event, id session.MessageID, thinks bool) *Entry {
	if thinks {
		return t.insertAt(before, ev, t.spokenKey(id, true), &Reasoning{MessageID: id, said: true}, Live)
	}
	return t.insertAt(before, ev, t.spokenKey(id, false), &Message{MessageID: id}, Live)
}

// rephase makes thinking of what was streamed as an answer, or the reverse. The
// complete message knows; deltas do not say what they are.
func (t *Timeline) rephase(ev session.Event, e *Entry, thinks bool) *Entry {
	if e == nil || thinks == (reasoningOf(e) != nil) {
		return e
	}
	at, origin := e.At, e.Origin
	ev.Ephemeral = true // it becomes an origin when the message is sealed
	is := t.speak(e, ev, spokenID(e), thinks)
	t.remove(e)
	is.At, is.Origin = at, origin
	if t.turn.writing == e {
		t.turn.writing = is
	}
	for i := range t.turn.fresh {
		if t.turn.fresh[i] == e {
			t.turn.fresh[i] = is
		}
	}
	return is
}

// saidAs is the state of a message that is complete, or broke off.
func saidAs(b session.AssistantMessage) State {
	if b.Phase == session.PhaseCutOff {
		return Cancelled
	}
	return Done
}

// message finds the entry of a message. Text without an id belongs to the
// message that streamed last, if that is unfinished and has none either.
func (t *Timeline) message(id session.MessageID) *Entry {
	e := t.turn.writing
	if id != "" && (e == nil || e.pos < 0 || spokenID(e) != id) {
		if e = t.index[t.spokenKey(id, false)]; e == nil {
			e = t.index[t.spokenKey(id, true)]
		}
	}
	if e == nil || e.pos < 0 || id == "" && e.settled || textOf(e) == nil || spokenID(e) != id {
		return nil
	}
	return e
}

// spokenKey names the entry of a message.
func (t *Timeline) spokenKey(id session.MessageID, thinks bool) EntryID {
	kind := "message"
	if thinks {
		kind = "thinking"
	}
	return entryID(kind, cmp.Or(string(id), "of "+string(t.turn.key)))
}

// drop removes what was streamed and then abandoned. What a complete event
// confirmed stays.
func (t *Timeline) drop(list []*Entry) {
	for _, e := range slices.Backward(list) {
		if e.settled || e.pos < 0 {
			continue
		}
		if r := reasoningOf(e); r != nil && !r.said {
			t.turn.thoughts--
		}
		t.remove(e)
	}
}

// dropFresh voids the running attempt.
func (t *Timeline) dropFresh() {
	t.drop(t.turn.fresh)
	t.turn.fresh, t.turn.thinking, t.turn.writing = nil, nil, nil
}

// dropEnded voids what a turn left unfinished at its end. It waits for the next
// event of the loop, because an interruption is told after the end of the turn,
// and interrupted text stays.
func (t *Timeline) dropEnded() {
	if t.turn.ended {
		t.dropFresh()
	}
}

// messageOf returns the body of an entry that is a message.
func messageOf(e *Entry) *Message {
	m, _ := e.Body.(*Message)
	return m
}

// reasoningOf returns the body of an entry that is a thought.
func reasoningOf(e *Entry) *Reasoning {
	r, _ := e.Body.(*Reasoning)
	return r
}

// textOf returns the text of a message or a thought; nil for any other entry.
func textOf(e *Entry) *Text {
	switch b := e.Body.(type) {
	case *Message:
		return &b.Text
	case *Reasoning:
		return &b.Text
	}
	return nil
}

// spokenID returns the id of the message that an entry is.
func spokenID(e *Entry) session.MessageID {
	switch b := e.Body.(type) {
	case *Message:
		return b.MessageID
	case *Reasoning:
		return b.MessageID
	}
	return ""
}

// blank reports whether an entry has nothing to show.
func blank(e *Entry) bool {
	text := textOf(e)
	return text != nil && strings.TrimSpace(text.String()) == ""
}

func entryID(kind, id string) EntryID { return EntryID(kind + ":" + id) }
