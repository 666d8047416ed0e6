package timeline

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
)

func (m *messages) reasoningDelta(ev session.Event, b session.AssistantReasoningDelta) ApplyResult {
	if b.DeltaContent == "" {
		return Ignored
	}
	e := present(m.reasonings[b.ReasoningID])
	if n := len(m.turn.thinking); b.ReasoningID == "" && n > 0 && !m.turn.thinking[n-1].confirmed {
		e = m.turn.thinking[n-1]
	}
	if e != nil && (e.confirmed || e.State == Cancelled) {
		return Ignored // late news about a thought that is complete
	}
	m.endRetries(ev)
	m.phase = thinking
	if e == nil {
		e = m.addThought(nil, ev, b.ReasoningID)
		m.turn.attempt = append(m.turn.attempt, e)
	}
	m.reopen(e)
	reasoningOf(e).Text.Append(b.DeltaContent)
	m.touch(e)
	return Applied
}

// assistantReasoning completes a thought. The runtime sends it after the message
// it led to, other agents before; the thought stands before the message either
// way, and only once. A turn is one call of a model, so a
// thought that comes after the message of its turn led to that message.
func (m *messages) assistantReasoning(ev session.Event, b session.AssistantReasoning) ApplyResult {
	e, text := present(m.reasonings[b.ReasoningID]), b.Content
	began, known := present(m.turn.began), present(m.turn.thought)
	late := e == nil || slices.Contains(m.turn.thinking, e)
	switch {
	case late && known != nil && sameThought(known, text):
		// The message had it already, without the id.
		if e != nil {
			m.turn.thoughts--
			m.remove(e)
		}
		if e = known; len(text) < reasoningOf(e).Text.Len() {
			text = ""
		}
		m.linkThought(e, b.ReasoningID)
	case e == nil && strings.TrimSpace(text) == "":
		return Ignored
	case e == nil:
		e = m.addThought(began, ev, b.ReasoningID)
	case late && began != nil && e.pos > began.pos:
		m.moveBefore(e, began)
	}
	if began != nil {
		m.turn.thinking = slices.DeleteFunc(m.turn.thinking, func(thought *Entry) bool { return thought == e })
	}
	m.completeThought(ev, e, text)
	return Applied
}

// sameThought reports whether a text says what a thought says, or a part of it.
func sameThought(e *Entry, text string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	known, text := plain(reasoningOf(e).Text.String()), plain(text)
	return strings.Contains(known, text) || strings.Contains(text, known)
}

// reasoningText takes the reasoning that a complete message holds. It has no id
// there: it belongs to the thinking since the last message, and if there was no
// thinking, which is so in stored logs, it makes the entry. The thoughts stand before
// the message then.
func (m *messages) reasoningText(ev session.Event, b session.AssistantMessage, before *Entry) {
	list := slices.DeleteFunc(m.turn.thinking, func(e *Entry) bool { return e.pos < 0 })
	m.turn.thinking, m.turn.thought = nil, nil
	text := b.ReasoningText
	known := strings.TrimSpace(text) != ""
	switch {
	case !known:
		ev.Ephemeral = true // the message does not hold what was thought
	case len(list) == 0:
		list = []*Entry{m.addThought(before, ev, "")}
		m.turn.thinking = nil
	case len(list) > 1:
		// Several blocks were streamed and come here as one text: the
		// blocks are the better form.
		text = ""
	}
	if len(list) == 1 && (known || reasoningOf(list[0]).ReasoningID == "") {
		m.turn.thought = list[0]
	}
	for _, e := range list {
		if before != nil && e.pos > before.pos {
			m.moveBefore(e, before)
		}
		m.completeThought(ev, e, text)
	}
}

// completeThought completes a thought. An empty text keeps what was streamed.
func (m *messages) completeThought(ev session.Event, e *Entry, text string) {
	if strings.TrimSpace(text) != "" {
		reasoningOf(e).Text.Set(text)
	}
	e.confirmed = true
	m.addOrigin(e, ev)
	m.seal(ev, e, Done)
}

func (m *messages) addThought(before *Entry, ev session.Event, id session.ReasoningID) *Entry {
	key := entryID("reasoning", string(m.turn.key)+":"+strconv.Itoa(m.turn.thoughts))
	e := m.insertAt(before, ev, key, &Reasoning{}, Live)
	m.turn.thoughts++
	m.turn.thinking = append(m.turn.thinking, e)
	m.linkThought(e, id)
	return e
}

func (m *messages) linkThought(e *Entry, id session.ReasoningID) {
	if id != "" {
		reasoningOf(e).ReasoningID = id
		m.reasonings[id] = e
	}
}
