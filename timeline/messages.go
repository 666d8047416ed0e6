package timeline

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// messages are what the user and the model say: prompts, answers and thinking.
type messages struct {
	*turns
	calls      *toolCalls
	summaries  *summaries
	reasonings map[session.ReasoningID]*Entry
}

func (m *messages) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.AssistantMessageDelta:
		return m.messageDelta(ev, b)
	case session.AssistantReasoningDelta:
		return m.reasoningDelta(ev, b)
	case session.UserMessage:
		return m.userMessage(ev, b)
	case session.AssistantMessageStart:
		return m.messageStart(ev, b)
	case session.AssistantMessage:
		return m.assistantMessage(ev, b)
	case session.AssistantReasoning:
		return m.assistantReasoning(ev, b)
	case session.AssistantServerToolProgress:
		return m.providerTool(ev, b)
	}
	return Unhandled
}

// userMessage shows what the user, or something in their name, wrote. The
// runtime continues autopilot with empty messages: they begin a turn and make
// no bubble. A message of autopilot without a source is shown as one with it.
func (m *messages) userMessage(ev session.Event, b session.UserMessage) ApplyResult {
	if m.isAutopilotPrompt(b) {
		b.Source = autopilot
	}
	m.dropEnded()
	if b.Delivery != session.DeliveredSteering {
		m.becomeBusy(ev)
	}
	if strings.TrimSpace(b.Content) == "" && len(b.Attachments) == 0 {
		return Applied
	}
	begins := !m.summaries.continues(b)
	if begins {
		m.summaries.conclude()
		m.turn.lastAnswer, m.turn.began, m.turn.thought, m.turn.thinking = nil, nil, nil, nil
		m.turn.aborted, m.turn.cancelled = false, nil
	}
	prompt := m.add(ev, entryID("prompt", string(ev.ID)), &Prompt{
		Text:        b.Content,
		Sent:        sentFor(b),
		Attachments: m.calls.assets.attached(b.Attachments),
		Mode:        b.AgentMode,
		Delivery:    string(b.Delivery),
		Source:      b.Source,
	}, Done)
	if begins {
		m.summaries.prompted(prompt)
	}
	return Applied
}

// sentFor is what the model was sent where the text of a prompt is a command that stands for
// it; "" of any other.
func sentFor(b session.UserMessage) string {
	if !strings.HasPrefix(b.Content, "/") || strings.Contains(b.TransformedContent, strings.TrimSpace(b.Content)) {
		return ""
	}
	return b.TransformedContent
}

// autopilot is the source of the messages by which autopilot makes the agent
// continue.
const autopilot = "autopilot"

// isAutopilotPrompt reports whether a message without a source is autopilot's: it says so,
// or it has autopilot's words, and the agent has stopped in autopilot mode
// without completing its task.
func (m *messages) isAutopilotPrompt(b session.UserMessage) bool {
	if b.Source != "" {
		return false
	}
	mode := cmp.Or(b.AgentMode, m.status.Mode)
	if i := m.interaction; mode == "" && i != nil && i.prompt != nil {
		if p, ok := i.prompt.Body.(*Prompt); ok {
			mode = p.Mode
		}
	}
	return b.IsAutopilotContinuation || b.Nudges() && mode == session.Autopilot && m.turn.ended && !m.turn.completed
}

// messageStart announces a new message. Text of the same turn that is still
// unfinished then was abandoned by a retry, and so was the thinking before it;
// thinking after it belongs to the new attempt.
func (m *messages) messageStart(ev session.Event, b session.AssistantMessageStart) ApplyResult {
	m.runtime = true
	m.endRetries(ev)
	m.turn.phase = phased{b.MessageID, b.Phase}
	m.phase = m.turn.phase.of(b.MessageID)
	old := m.turn.writing
	if old == nil || old.confirmed || messageID(old) == b.MessageID {
		return Applied
	}
	i := slices.Index(m.turn.attempt, old) + 1
	m.drop(m.turn.attempt[:i])
	m.turn.attempt, m.turn.writing = slices.Clone(m.turn.attempt[i:]), nil
	return Applied
}

// of is what the model does while it streams a message.
func (p phased) of(id session.MessageID) phase {
	if p.id == id && p.phase == session.PhaseThinking {
		return thinking
	}
	return answering
}

func (m *messages) messageDelta(ev session.Event, b session.AssistantMessageDelta) ApplyResult {
	if b.DeltaContent == "" {
		return Ignored
	}
	e := m.message(b.MessageID)
	if e != nil && e.State.Final() {
		return Ignored // late news about a text that is complete
	}
	m.endRetries(ev)
	m.phase = m.turn.phase.of(b.MessageID)
	if e == nil {
		m.endThinking(ev)
		e = m.addMessage(nil, ev, b.MessageID, m.phase == thinking)
		m.turn.attempt, m.turn.writing = append(m.turn.attempt, e), e
	}
	textOf(e).Append(b.DeltaContent)
	m.touch(e)
	return Applied
}

// assistantMessage completes a message. What it says is the truth, whatever was
// streamed before. A message that only calls tools leaves no bubble, and one of
// the phase "thinking" is thinking.
func (m *messages) assistantMessage(ev session.Event, b session.AssistantMessage) ApplyResult {
	if isParleyText(ev) { // outside of any turn
		m.add(ev, entryID("said", string(ev.ID)), &Message{Text: Text{set: b.Content}}, Done)
		return Applied
	}
	m.endRetries(ev)
	m.phase = thinking
	e := m.message(b.MessageID)
	if b.ChunkIndex == 0 {
		e = m.rephase(ev, e, b.Phase == session.PhaseThinking)
	}
	blank := strings.TrimSpace(b.Content) == ""
	m.reasoningText(ev, b, m.firstOf(e, b.ToolRequests))
	if e == nil && !blank {
		e = m.addMessage(m.firstOf(nil, b.ToolRequests), ev, b.MessageID, b.Phase == session.PhaseThinking)
	}
	switch {
	case e == nil:
	case e.confirmed && b.ChunkIndex > 0: // a long message may come in parts
		textOf(e).Append(b.Content)
		m.addOrigin(e, ev)
		m.touch(e)
	case blank:
		m.remove(e)
		e = nil
	default:
		e.confirmed = true
		textOf(e).Set(b.Content)
		m.addOrigin(e, ev)
		if b.Phase == session.PhaseCutOff {
			m.seal(ev, e, Cancelled)
		} else {
			m.seal(ev, e, Done)
		}
		if answer := messageOf(e); answer != nil {
			m.turn.lastAnswer, answer.Attachments = e, b.Attachments
		}
	}
	for _, r := range b.ToolRequests {
		m.calls.toolRequest(ev, r)
	}
	m.arrange(e, b.ToolRequests)
	m.turn.began = m.firstOf(e, b.ToolRequests)
	return Applied
}

// addMessage makes the entry of a message: an answer, or thinking.
func (m *messages) addMessage(before *Entry, ev session.Event, id session.MessageID, thinks bool) *Entry {
	if thinks {
		return m.insertAt(before, ev, m.messageEntryID(id, true), &Reasoning{MessageID: id, isMessage: true}, Live)
	}
	return m.insertAt(before, ev, m.messageEntryID(id, false), &Message{MessageID: id}, Live)
}

// rephase makes thinking of what was streamed as an answer, or the reverse. The
// complete message knows; deltas do not say what they are.
func (m *messages) rephase(ev session.Event, e *Entry, thinks bool) *Entry {
	if e == nil || thinks == (reasoningOf(e) != nil) {
		return e
	}
	at, origin := e.At, e.Origin
	ev.Ephemeral = true // it becomes an origin when the message is sealed
	is := m.addMessage(e, ev, messageID(e), thinks)
	m.remove(e)
	is.At, is.Origin = at, origin
	if m.turn.writing == e {
		m.turn.writing = is
	}
	for i := range m.turn.attempt {
		if m.turn.attempt[i] == e {
			m.turn.attempt[i] = is
		}
	}
	return is
}

// message finds the entry of a message. Text without an id belongs to the
// message that streamed last, if that is unfinished and has none either.
func (m *messages) message(id session.MessageID) *Entry {
	e := m.turn.writing
	if id != "" && (e == nil || e.pos < 0 || messageID(e) != id) {
		if e = m.index[m.messageEntryID(id, false)]; e == nil {
			e = m.index[m.messageEntryID(id, true)]
		}
	}
	if e == nil || e.pos < 0 || id == "" && e.confirmed || textOf(e) == nil || messageID(e) != id {
		return nil
	}
	return e
}

func (m *messages) messageEntryID(id session.MessageID, thinks bool) EntryID {
	kind := "message"
	if thinks {
		kind = "thinking"
	}
	return entryID(kind, cmp.Or(string(id), "of "+string(m.turn.key)))
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

func messageID(e *Entry) session.MessageID {
	switch b := e.Body.(type) {
	case *Message:
		return b.MessageID
	case *Reasoning:
		return b.MessageID
	}
	return ""
}

func blank(e *Entry) bool {
	text := textOf(e)
	return text != nil && strings.TrimSpace(text.String()) == ""
}

func entryID(kind, id string) EntryID { return EntryID(kind + ":" + id) }
