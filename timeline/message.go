package timeline

import (
	"cmp"
	"slices"
	"strconv"
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
	rejected bool     // the person refused a call plainly, which stops the turn
	thoughts int      // how many entries of thinking it has
	fresh    []*Entry // text, thinking and calls of the running attempt, in order
	thinking []*Entry // thoughts since the last complete message: its reasoning
	thought  *Entry   // the thought that reasoningText of the last message made
	writing  *Entry   // the message that streamed last
	said     *Entry   // the message that was complete last since the prompt
	finish   *Entry   // the call that says that the task is complete
	skills   []*Entry // the calls that load skills
	// loose are the calls that no message has asked for yet: a question about
	// one, or its start, may come before the message (protocol note, section 6.2).
	loose map[*Entry]bool
}

func (t *Timeline) applyMessage(ev session.Event) Outcome {
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

// userMessage shows what the person, or something in their name, wrote. The
// runtime continues autopilot with empty messages: they begin a turn and make
// no bubble.
func (t *Timeline) userMessage(ev session.Event, b session.UserMessage) Outcome {
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
		t.turn.said = nil
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

// messageStart announces a new message. Text of the same turn that is still
// unfinished then was abandoned by a retry, and so was the thinking before it;
// thinking after it belongs to the new attempt.
func (t *Timeline) messageStart(ev session.Event, b session.AssistantMessageStart) Outcome {
	t.runtime = true
	t.goOn(ev)
	t.phase = answering
	old := t.turn.writing
	if old == nil || old.settled || messageOf(old).MessageID == b.MessageID {
		return Applied
	}
	i := slices.Index(t.turn.fresh, old) + 1
	t.drop(t.turn.fresh[:i])
	t.turn.fresh, t.turn.writing = slices.Clone(t.turn.fresh[i:]), nil
	return Applied
}

func (t *Timeline) messageDelta(ev session.Event, b session.AssistantMessageDelta) Outcome {
	if b.DeltaContent == "" {
		return Ignored
	}
	e, m := t.message(b.MessageID)
	if e != nil && e.State.Final() {
		return Ignored // late news about a text that is complete
	}
	t.goOn(ev)
	t.phase = answering
	if e == nil {
		t.endThinking(ev)
		m = &Message{MessageID: b.MessageID}
		e = t.add(ev, t.messageID(b.MessageID), m, Live)
		t.turn.fresh, t.turn.writing = append(t.turn.fresh, e), e
	}
	m.Text.Append(b.DeltaContent)
	t.touch(e)
	return Applied
}

// assistantMessage completes a message. What it says is the truth, whatever was
// streamed before. A message that only calls tools leaves no bubble.
func (t *Timeline) assistantMessage(ev session.Event, b session.AssistantMessage) Outcome {
	if ofOurs(ev) { // beside any turn
		m := &Message{}
		m.Text.Set(b.Content)
		t.add(ev, entryID("said", string(ev.ID)), m, Done)
		return Applied
	}
	t.goOn(ev)
	t.phase = thinking
	e, m := t.message(b.MessageID)
	blank := strings.TrimSpace(b.Content) == ""
	after := t.lastOf(e, blank)
	t.reasoningText(ev, b, t.firstOf(e, b.ToolRequests))
	if e == nil && !blank {
		m = &Message{MessageID: b.MessageID}
		e = t.insertAt(t.firstOf(nil, b.ToolRequests), ev, t.messageID(b.MessageID), m, Live)
	}
	switch {
	case e == nil:
	case e.settled && b.ChunkIndex > 0: // a long message may come in parts
		m.Text.Append(b.Content)
		t.from(e, ev)
		t.touch(e)
	case blank:
		t.remove(e)
	default:
		e.settled = true
		m.Text.Set(b.Content)
		t.from(e, ev)
		t.seal(ev, e, saidAs(b))
		t.turn.said = e
	}
	for _, r := range b.ToolRequests {
		t.toolRequest(ev, r)
	}
	t.arrange(after, b.ToolRequests)
	return Applied
}

// saidAs is the state of a message that is complete, or broke off.
func saidAs(b session.AssistantMessage) State {
	if b.Phase == session.PhaseCutOff {
		return Cancelled
	}
	return Done
}

func (t *Timeline) reasoningDelta(ev session.Event, b session.AssistantReasoningDelta) Outcome {
	if b.DeltaContent == "" {
		return Ignored
	}
	e := t.reasonings[b.ReasoningID]
	if n := len(t.turn.thinking); b.ReasoningID == "" && n > 0 && !t.turn.thinking[n-1].settled {
		e = t.turn.thinking[n-1]
	}
	if e != nil && (e.settled || e.State == Cancelled) {
		return Ignored // late news about a thought that is complete
	}
	t.goOn(ev)
	t.phase = thinking
	if e == nil || e.pos < 0 {
		e = t.addThought(nil, ev, b.ReasoningID)
		t.turn.fresh = append(t.turn.fresh, e)
	}
	t.reopen(e)
	reasoningOf(e).Text.Append(b.DeltaContent)
	t.touch(e)
	return Applied
}

// assistantReasoning completes a thought. The runtime sends it after the
// message it led to, other agents before; the thought stands before the message
// either way, and only once.
func (t *Timeline) assistantReasoning(ev session.Event, b session.AssistantReasoning) Outcome {
	e := t.reasonings[b.ReasoningID]
	if e == nil && t.turn.thought != nil && t.turn.thought.pos >= 0 {
		// The message has told its reasoning already, without the id.
		e, t.turn.thought = t.turn.thought, nil
		reasoningOf(e).ReasoningID = b.ReasoningID
		t.reasonings[b.ReasoningID] = e
	}
	if e == nil && strings.TrimSpace(b.Content) == "" {
		return Ignored
	}
	if e == nil {
		e = t.addThought(nil, ev, b.ReasoningID)
	}
	t.settleThought(ev, e, b.Content)
	return Applied
}

// reasoningText takes the reasoning that a complete message tells. It has no id
// there: it belongs to the thinking since the last message, and if there was
// none, which is so in stored logs, it makes the entry.
func (t *Timeline) reasoningText(ev session.Event, b session.AssistantMessage, before *Entry) {
	list := slices.DeleteFunc(t.turn.thinking, func(e *Entry) bool { return e.pos < 0 })
	t.turn.thinking, t.turn.thought = nil, nil
	text := b.ReasoningText
	switch {
	case len(list) == 1:
		t.settleThought(ev, list[0], text)
	case len(list) > 1:
		// Several blocks were streamed and are told here as one text: the
		// blocks are the better form.
		for _, e := range list {
			t.settleThought(ev, e, "")
		}
	case strings.TrimSpace(text) != "":
		e := t.addThought(before, ev, "")
		t.settleThought(ev, e, text)
		t.turn.thinking, t.turn.thought = nil, e
	}
}

// settleThought completes a thought. An empty text keeps what was streamed.
func (t *Timeline) settleThought(ev session.Event, e *Entry, text string) {
	if strings.TrimSpace(text) != "" {
		reasoningOf(e).Text.Set(text)
	}
	e.settled = true
	t.from(e, ev)
	t.seal(ev, e, Done)
}

func (t *Timeline) addThought(before *Entry, ev session.Event, id session.ReasoningID) *Entry {
	key := entryID("reasoning", string(t.turn.key)+":"+strconv.Itoa(t.turn.thoughts))
	e := t.insertAt(before, ev, key, &Reasoning{ReasoningID: id}, Live)
	t.turn.thoughts++
	t.turn.thinking = append(t.turn.thinking, e)
	if id != "" {
		t.reasonings[id] = e
	}
	return e
}

// endThinking stops the clock of the thinking when the answer begins, so that
// it tells how long the model thought and not how long it wrote.
func (t *Timeline) endThinking(ev session.Event) {
	for _, e := range t.turn.thinking {
		if e.State == Live {
			t.seal(ev, e, Done)
		}
	}
}

// message finds the entry of a message. Text without an id belongs to the
// message that streamed last, if that is unfinished and has none either.
func (t *Timeline) message(id session.MessageID) (*Entry, *Message) {
	e := t.index[t.messageID(id)]
	if id == "" {
		e = t.turn.writing
	}
	if e == nil || e.pos < 0 || id == "" && e.settled {
		return nil, nil
	}
	m, ok := e.Body.(*Message)
	if !ok || m.MessageID != id {
		return nil, nil
	}
	return e, m
}

func (t *Timeline) messageID(id session.MessageID) EntryID {
	return entryID("message", cmp.Or(string(id), "of "+string(t.turn.key)))
}

// drop removes what was streamed and then abandoned. What a complete event
// confirmed stays.
func (t *Timeline) drop(list []*Entry) {
	for _, e := range slices.Backward(list) {
		if e.settled || e.pos < 0 {
			continue
		}
		if _, ok := e.Body.(*Reasoning); ok {
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

// blank reports whether an entry has nothing to show.
func blank(e *Entry) bool {
	switch b := e.Body.(type) {
	case *Message:
		return strings.TrimSpace(b.Text.String()) == ""
	case *Reasoning:
		return strings.TrimSpace(b.Text.String()) == ""
	}
	return false
}

func entryID(kind, id string) EntryID { return EntryID(kind + ":" + id) }
