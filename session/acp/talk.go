package acp

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// talk turns what an agent says in one session into events. It has no effects: whoever has it
// puts the events into the log, in their order.
type talk struct {
	newID func() string
	// file returns the text of a file that a change names, to find where in it a fragment
	// stands; not ok where it cannot be read.
	file func(path string) (text string, ok bool)

	model    string
	asked    session.MessageID // the prompt that is answered
	unheard  bool              // it came into a running turn, and nothing has come of it yet
	message  speech
	thought  speech
	replayed replayedPast
	calls    map[session.CallID]*call           // nil of those that have ended
	order    []session.CallID                   // of the calls that have not ended
	runners  map[session.AgentID]session.CallID // of sub-agents
	stopped  map[string]bool                    // the compactions that were reported to be complete
}

func newTalk(newID func() string, file func(string) (string, bool)) *talk {
	return &talk{
		newID: newID, file: file, calls: map[session.CallID]*call{}, runners: map[session.AgentID]session.CallID{},
		stopped: map[string]bool{},
	}
}

// speech is a text that streams; its id is "" while none does.
type speech struct {
	id, wire string // wire is the agent's own id; "" if it gives none
	text     strings.Builder
	attached []session.Attachment
}

// update is what an update says. One that is not known is kept as it came.
func (t *talk) update(raw jsontext.Value) []session.Body {
	var u update
	if err := session.Unmarshal(raw, &u); err != nil {
		return []session.Body{unknown(raw, err)}
	}
	switch u.Kind {
	case "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update":
		t.unheard = false
	}
	switch u.Kind {
	case "agent_message_chunk":
		return t.say(u)
	case "agent_thought_chunk":
		return t.think(u)
	case "tool_call", "tool_call_update":
		return t.toolCall(u)
	case "session_info_update":
		if u.Title == nil || *u.Title == "" {
			return nil
		}
		return []session.Body{session.SessionTitleChanged{Title: *u.Title}}
	case "usage_update":
		if u.Size <= 0 {
			return nil
		}
		return []session.Body{session.SessionUsageInfo{CurrentTokens: u.Used, TokenLimit: u.Size, Cost: u.Cost}}
	case "compaction_update":
		return t.compaction(u)
	case "config_option_update":
		return t.options(u.Options)
	case "plan", "available_commands_update", "current_mode_update", "user_message_chunk":
		return nil // of the session, not of what is said
	}
	return []session.Body{unknown(raw, nil)}
}

// unknown keeps an update that this version does not know.
func unknown(raw jsontext.Value, err error) session.Body {
	var kind struct {
		Kind string `json:"sessionUpdate"`
	}
	_ = session.Unmarshal(raw, &kind)
	return session.Unknown{Type: session.Kind("acp." + cmp.Or(kind.Kind, "update")), Raw: raw, Reason: err}
}

// say adds a chunk to the answer. What has an id of its own is a message of its own, as is what is no text.
func (t *talk) say(u update) []session.Body {
	b, text := readChunk(u.Content)
	if text == "" {
		return nil
	}
	apart := b.Type != "text" && b.Type != "resource_link"
	out := t.endThought()
	if m := &t.message; m.id != "" && (u.MessageID != m.wire || apart) {
		out = append(out, t.endMessage()...)
	}
	if t.message.id == "" {
		if strings.TrimSpace(text) == "" {
			return out
		}
		t.message.id, t.message.wire = t.newID(), u.MessageID
		out = append(out, session.AssistantMessageStart{MessageID: session.MessageID(t.message.id)})
	}
	t.message.text.WriteString(text)
	out = append(out, session.AssistantMessageDelta{MessageID: session.MessageID(t.message.id), DeltaContent: text})
	if apart {
		t.message.attached = b.attachments()
		out = append(out, t.endMessage()...)
	}
	return out
}

// emptyHeading begins each piece of a thought of Gemini CLI that has no heading.
const emptyHeading = "****\n"

// think adds a chunk to the thought. Some begin with empty lines.
func (t *talk) think(u update) []session.Body {
	_, text := readChunk(u.Content)
	if text == "" {
		return nil
	}
	out := t.endMessage()
	text = strings.TrimPrefix(text, emptyHeading)
	if t.thought.id == "" {
		if text = strings.TrimLeft(text, "\n"); text == "" {
			return out
		}
		t.thought.id = t.newID()
	}
	t.thought.text.WriteString(text)
	return append(out, session.AssistantReasoningDelta{ReasoningID: session.ReasoningID(t.thought.id), DeltaContent: text})
}

// endMessage ends the message that streams, if one does.
func (t *talk) endMessage() []session.Body { return t.endMessageWith(nil, "") }

// endMessageWith ends the message with the calls that it makes, which may have no text.
func (t *talk) endMessageWith(requests []session.ToolRequest, phase string) []session.Body {
	m := &t.message
	if m.id == "" && len(requests) == 0 {
		return nil
	}
	b := session.AssistantMessage{
		MessageID: session.MessageID(cmp.Or(m.id, t.newID())), OriginatingMessageID: t.asked, Model: t.model,
		Content: m.text.String(), ToolRequests: requests, Phase: phase, Attachments: m.attached,
	}
	t.message = speech{}
	return []session.Body{b}
}

// endThought ends the thought that streams, if one does.
func (t *talk) endThought() []session.Body {
	if t.thought.id == "" {
		return nil
	}
	b := session.AssistantReasoning{ReasoningID: session.ReasoningID(t.thought.id), Content: t.thought.text.String()}
	t.thought = speech{}
	return []session.Body{b}
}

// compaction is that the history is summarised. That it is complete may be said twice.
func (t *talk) compaction(u update) []session.Body {
	switch {
	case u.Status == "in_progress":
		return []session.Body{session.SessionCompactionStart{CompactionAttemptID: u.CompactionID}}
	case t.stopped[u.CompactionID]:
		return nil
	case u.Status == "completed" || u.Status == "failed" || u.Status == "cancelled":
		t.stopped[u.CompactionID] = true
		return []session.Body{session.SessionCompactionComplete{
			CompactionAttemptID: u.CompactionID, Success: u.Status == "completed", SummaryContent: blockTexts(u.Content),
		}}
	}
	return nil
}

// blockTexts joins the texts of a list of blocks; "" if it is none.
func blockTexts(raw jsontext.Value) string {
	var blocks []contentBlock
	if session.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	texts := make([]string, len(blocks))
	for i, b := range blocks {
		texts[i] = b.markdown()
	}
	return strings.Join(texts, "\n")
}

// options takes the settings of the session: the model is one of them.
func (t *talk) options(options []configOption) []session.Body {
	now, before := optionValue(options, session.OptionModel), t.model
	if now == "" || now == before {
		return nil
	}
	t.model = now
	if before == "" {
		return nil
	}
	return []session.Body{session.SessionModelChange{
		NewModel: now, PreviousModel: before, ReasoningEffort: optionValue(options, session.OptionEffort),
	}}
}

// end is what is to be said when the turn has ended: what streamed is all there is, and a call
// of which nothing more was said is cut off, unless it still runs. Broken says that the agent
// is gone.
func (t *talk) end(cutOff, broken bool) []session.Body {
	phase := ""
	if cutOff {
		phase = session.PhaseCutOff
	}
	out := append(t.endThought(), t.endMessageWith(nil, phase)...)
	for _, id := range t.order {
		c := t.calls[id]
		switch {
		case c.refused:
			out = append(out, t.complete(c, session.ToolExecutionComplete{
				Error: &session.ToolError{Code: "rejected", Message: refusedText},
			})...)
		case broken, !c.started, cutOff && c.Status != "in_progress":
			out = append(out, t.complete(c, session.ToolExecutionComplete{
				Error: &session.ToolError{Code: "no_result", Message: "The agent did not say what came of it."},
			})...)
		}
	}
	t.sweep()
	return out
}

// sweep lets go of the calls that have ended.
func (t *talk) sweep() {
	open := t.order[:0]
	for _, id := range t.order {
		if t.calls[id].ended {
			t.calls[id] = nil
		} else {
			open = append(open, id)
		}
	}
	t.order = open
}

// usage is what a turn used.
func (t *talk) usage(u promptUsage) session.AssistantUsage {
	return session.AssistantUsage{Model: t.model, InputTokens: u.Input, OutputTokens: u.Output, CacheReadTokens: u.CacheRead}
}
