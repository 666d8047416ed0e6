package modelview

import (
	"slices"
	"strings"

	"parley/session"
)

// applyHistory folds in what changes the conversation as a whole.
func (v *View) applyHistory(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SessionCompactionStart:
		c := v.of(ev.Agent)
		c.began[b.CompactionAttemptID] = len(c.items)
		return Ignored
	case session.SessionCompactionComplete:
		return v.of(ev.Agent).compacted(ev, b)
	case session.SessionTruncation:
		return v.of(ev.Agent).truncated(b.MessagesRemovedDuringTruncation)
	case session.SessionContextCleared:
		return v.of(ev.Agent).cleared(ev, b.InitialMessage)
	case session.SessionSnapshotRewind:
		return v.rewind(b)
	case session.Abort:
		v.of(ev.Agent).goesOn()
		return Applied
	}
	return Unhandled
}

// cleared begins the conversation anew.
func (c *conversation) cleared(ev session.Event, initial string) Outcome {
	c.cutOff(len(c.items), nil)
	if initial != "" {
		c.say(injected(ev, Source{Kind: FromNewStart}, initial))
	}
	return Applied
}

// compacted puts a summary in the place of what was said before it was begun.
// What was said while it was made is kept.
func (c *conversation) compacted(ev session.Event, b session.SessionCompactionComplete) Outcome {
	upTo, ok := c.began[b.CompactionAttemptID]
	if !ok {
		upTo = len(c.items) // the log does not say when it was begun
	}
	delete(c.began, b.CompactionAttemptID)
	if !b.Success || b.SummaryContent == "" {
		return Ignored
	}
	c.cutOff(upTo, &item{message: injected(ev, Source{Kind: FromSummary}, c.summarised(upTo, b.SummaryContent))})
	return Applied
}

// summarised is a summary as the model gets it, with the prompts of the person
// that it stands for, word by word.
func (c *conversation) summarised(upTo int, summary string) string {
	var b strings.Builder
	b.WriteString("Some of the conversation history has been summarized to free up context.\n\n" +
		"You were originally given instructions from a user over one or more turns. Here were the user messages:\n")
	for _, i := range c.items[:upTo] {
		if i.prompt != "" {
			b.WriteString("<user_message>\n" + i.prompt + "\n</user_message>\n")
		}
	}
	b.WriteString("\nHere is a summary of the prior context:\n<summary>\n" + summary + "\n</summary>\n")
	return b.String()
}

// cutOff takes the items before one out of the context.
func (c *conversation) cutOff(upTo int, summary *item) {
	upTo = min(max(upTo, c.first), len(c.items))
	c.items = append(c.items, &item{cut: &cut{upTo, summary}})
	c.apply(upTo, summary)
}

func (c *conversation) apply(upTo int, summary *item) {
	if c.summary != nil {
		c.summary.origins(c.lose)
	}
	for _, i := range c.items[c.first:upTo] {
		i.origins(c.lose)
	}
	c.first, c.summary = upTo, summary
}

// truncated drops the oldest messages.
func (c *conversation) truncated(messages int) Outcome {
	if messages <= 0 {
		return Ignored
	}
	upTo := c.first
	summary := c.summary
	if summary != nil {
		summary = nil
		messages--
	}
	for ; messages > 0 && upTo < len(c.items); upTo++ {
		if i := c.items[upTo]; i.cut == nil {
			messages -= len(i.appendTo(nil))
		}
	}
	c.cutOff(upTo, summary)
	return Applied
}

// rewind takes back what the removed events put into a conversation, and with
// it any summary that was made since.
func (v *View) rewind(b session.SessionSnapshotRewind) Outcome {
	out := Ignored
	for _, c := range v.agents {
		if c.rewind(b) {
			out = Applied
		}
	}
	return out
}

func (c *conversation) rewind(b session.SessionSnapshotRewind) bool {
	removed := func(id session.EventID) bool { return id == b.UpToEventID || slices.Contains(b.EventIDs, id) }
	at := slices.IndexFunc(c.items, func(i *item) bool { return slices.ContainsFunc(i.message.Origin, removed) })
	if at < 0 {
		return false
	}
	for _, i := range c.items[at:] {
		for _, call := range i.message.Calls {
			delete(c.calls, call.ID)
		}
	}
	c.items = c.items[:at:at]
	c.first, c.summary, c.open = 0, nil, nil
	clear(c.skills)
	clear(c.gone)
	clear(c.began)
	for _, i := range c.items {
		if i.cut != nil {
			c.apply(i.cut.upTo, i.cut.summary)
		}
	}
	return true
}
