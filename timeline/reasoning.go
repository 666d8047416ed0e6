package timeline

import (
	"slices"
	"strconv"
	"strings"

	"parley/session"
)

func (t *Timeline) reasoningDelta(ev session.Event, b session.AssistantReasoningDelta) ApplyResult {
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

// assistantReasoning completes a thought. The runtime sends it after the message
// it led to, other agents before; the thought stands before the message either
// way, and only once. A turn is one call of a model (The agent loop), so a
// thought that comes after the message of its turn led to that message.
func (t *Timeline) assistantReasoning(ev session.Event, b session.AssistantReasoning) ApplyResult {
	e, text := there(t.reasonings[b.ReasoningID]), b.Content
	began, told := there(t.turn.began), there(t.turn.thought)
	late := e == nil || slices.Contains(t.turn.thinking, e)
	switch {
	case late && told != nil && sameThought(told, text):
		// The message has told it already, without the id.
		if e != nil {
			t.turn.thoughts--
			t.remove(e)
		}
		if e = told; len(text) < reasoningOf(e).Text.Len() {
			text = ""
		}
		t.nameThought(e, b.ReasoningID)
	case e == nil && strings.TrimSpace(text) == "":
		return Ignored
	case e == nil:
		e = t.addThought(began, ev, b.ReasoningID)
	case late && began != nil && e.pos > began.pos:
		t.moveBefore(e, began)
	}
	if began != nil {
		t.turn.thinking = slices.DeleteFunc(t.turn.thinking, func(thought *Entry) bool { return thought == e })
	}
	t.settleThought(ev, e, text)
	return Applied
}

// there is an entry that is still in the timeline; nil if it is not.
func there(e *Entry) *Entry {
	if e == nil || e.pos < 0 {
		return nil
	}
	return e
}

// sameThought reports whether a text says what a thought says, or a part of it.
func sameThought(e *Entry, text string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	told, text := plain(reasoningOf(e).Text.String()), plain(text)
	return strings.Contains(told, text) || strings.Contains(text, told)
}

// reasoningText takes the reasoning that a complete message tells. It has no id
// there: it belongs to the thinking since the last message, and if there was
// none, which is so in stored logs, it makes the entry. The thoughts stand before
// the message then.
func (t *Timeline) reasoningText(ev session.Event, b session.AssistantMessage, before *Entry) {
	list := slices.DeleteFunc(t.turn.thinking, func(e *Entry) bool { return e.pos < 0 })
	t.turn.thinking, t.turn.thought = nil, nil
	text := b.ReasoningText
	told := strings.TrimSpace(text) != ""
	switch {
	case !told:
		ev.Ephemeral = true // the message does not hold what was thought
	case len(list) == 0:
		list = []*Entry{t.addThought(before, ev, "")}
		t.turn.thinking = nil
	case len(list) > 1:
		// Several blocks were streamed and are told here as one text: the
		// blocks are the better form.
		text = ""
	}
	if len(list) == 1 && (told || reasoningOf(list[0]).ReasoningID == "") {
		t.turn.thought = list[0]
	}
	for _, e := range list {
		if before != nil && e.pos > before.pos {
			t.moveBefore(e, before)
		}
		t.settleThought(ev, e, text)
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
	e := t.insertAt(before, ev, key, &Reasoning{}, Live)
	t.turn.thoughts++
	t.turn.thinking = append(t.turn.thinking, e)
	t.nameThought(e, id)
	return e
}

// nameThought joins a thought with the events that have its id.
func (t *Timeline) nameThought(e *Entry, id session.ReasoningID) {
	if id != "" {
		reasoningOf(e).ReasoningID = id
		t.reasonings[id] = e
	}
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
