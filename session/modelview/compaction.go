package modelview

import (
	"cmp"
	"slices"
	"strings"

	"parley/session"
)

// applyHistory folds in what changes the conversation as a whole.
func (v *View) applyHistory(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionSnapshotRewind:
		return v.rewind(b)
	case session.SessionResume:
		return v.resume(b)
	case session.SessionCompactionStart, session.SessionCompactionComplete, session.SessionTruncation, session.Abort,
		session.SessionContextCleared:
		if c := v.agents[ev.Agent]; c != nil {
			return c.applyHistory(v.events, ev)
		}
		return Ignored
	}
	return Unhandled
}

// applyHistory folds in what changes a conversation that was begun.
func (c *conversation) applyHistory(at uint64, ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SessionCompactionStart:
		c.compactions[b.CompactionAttemptID] = append(c.compactions[b.CompactionAttemptID], compactionStart{at: at, items: len(c.items)})
		return Ignored
	case session.SessionCompactionComplete:
		return c.compact(at, ev, b)
	case session.SessionTruncation:
		return c.truncate(at, b.MessagesRemovedDuringTruncation)
	case session.SessionContextCleared:
		c.addCut(at, cut{upTo: len(c.items), clear: true})
		if b.InitialMessage != "" {
			c.add(at, injected(ev, Source{Kind: FromClear}, b.InitialMessage))
		}
		return Applied
	case session.Abort:
		c.closeCalls(at)
		return Applied
	}
	return Unhandled
}

// compact puts a summary in the place of what was said before it was begun.
// What was said while it was made is kept.
func (c *conversation) compact(at uint64, ev session.Event, b session.SessionCompactionComplete) ApplyResult {
	upTo := len(c.items) // where the log does not say when it was begun
	if begun := c.compactions[b.CompactionAttemptID]; len(begun) > 0 && begun[len(begun)-1].end == 0 {
		upTo, begun[len(begun)-1].end = begun[len(begun)-1].items, at
	}
	if !b.Success || b.SummaryContent == "" {
		return Ignored
	}
	upTo = max(upTo, c.first)
	c.addCut(at, cut{upTo: upTo, summary: c.newSummary(at, upTo, ev, b)})
	return Applied
}

// summary stands for what was compacted away. It holds all prompts since the
// beginning, so its text is made when it is asked for, and not kept by each cut.
type summary struct {
	message  Message // without its text
	from, to int     // the items whose prompts it holds
	whole    bool    // it is said to be of all of the conversation
	content  string  // what the model wrote
}

// newSummary is a summary of what was said before an item. One that was asked
// for by hand, of a conversation without calls, is said to be of all of it.
func (c *conversation) newSummary(at uint64, upTo int, ev session.Event, b session.SessionCompactionComplete) *summary {
	called := func(i *item) bool { return !i.removed && len(i.message.Calls) > 0 }
	m := injected(ev, Source{Kind: FromSummary}, "")
	m.ID.Event = at
	return &summary{
		message: m, from: min(c.start, upTo), to: upTo, content: b.SummaryContent,
		whole: b.Trigger == "" && !slices.ContainsFunc(c.items[c.first:upTo], called),
	}
}

// text is a summary as the model gets it, with the prompts of the user that it
// stands for, word by word.
func (s *summary) text(items []*item) string {
	which := "Some of the"
	if s.whole {
		which = "The"
	}
	var b strings.Builder
	b.WriteString(which + " conversation history has been summarized to free up context.\n\n" +
		"You were originally given instructions from a user over one or more turns. Here were the user messages:\n")
	for _, i := range items[s.from:s.to] {
		if i.prompt != "" {
			b.WriteString("<user_message>\n" + i.prompt + "\n</user_message>\n")
		}
	}
	b.WriteString("\nHere is a summary of the prior context:\n<summary>\n" + s.content + "\n</summary>\n")
	return b.String()
}

// truncate drops messages to make room: the oldest answers of the model, each
// with the results of its calls. What stands there in the user's name stays.
func (c *conversation) truncate(at uint64, messages int) ApplyResult {
	var dropped []*item
	for ; c.truncated < len(c.items) && messages > 0; c.truncated++ {
		i := c.items[c.truncated]
		if !i.removed && i.message.Role == Assistant {
			dropped = append(dropped, i)
			messages -= len(i.appendTo(nil))
		}
	}
	if dropped == nil {
		return Ignored
	}
	c.addCut(at, cut{upTo: c.first, summary: c.summary, dropped: dropped})
	return Applied
}

// addCut makes a cut.
func (c *conversation) addCut(at uint64, k cut) {
	c.items = append(c.items, &item{at: at, cut: &k})
	c.applyCut(k)
}

// applyCut takes out what a cut takes out.
func (c *conversation) applyCut(k cut) {
	if c.summary != nil && c.summary != k.summary {
		c.markRemoved(c.summary.message.Origin)
	}
	for _, out := range [][]*item{c.items[c.first:k.upTo], k.dropped} {
		for _, i := range out {
			i.removed = true
			i.origins(c.markRemoved)
			c.hasRemoved = c.hasRemoved || i.message.Role != ""
		}
	}
	c.first, c.summary, c.summaryText = k.upTo, k.summary, nil
	if k.clear {
		c.start = k.upTo
	}
}

// rewind takes back what was said since the first of the removed events, and
// with it any summary that was made since. What instructs the model stays: it
// is repeated when it changes.
func (v *View) rewind(b session.SessionSnapshotRewind) ApplyResult {
	ids := map[session.EventID]bool{b.UpToEventID: true}
	for _, id := range b.EventIDs {
		ids[id] = true
	}
	removed := func(i *item) bool { return len(i.message.Origin) > 0 && ids[i.message.Origin[0]] }
	from := v.events
	for _, c := range v.agents {
		if n := slices.IndexFunc(c.items, removed); n >= 0 {
			from = min(from, c.items[n].at)
		}
	}
	out := Ignored
	clear(v.removed.cut) // each conversation repeats what it has cut
	for agent, c := range v.agents {
		if !c.rewind(from) {
			continue
		}
		out = Applied
		if agent != "" && len(c.items) == 0 {
			delete(v.agents, agent)
			v.order = slices.DeleteFunc(v.order, func(id session.AgentID) bool { return id == agent })
		}
	}
	return out
}

// rewind takes back what was said since an event.
func (c *conversation) rewind(from uint64) bool {
	n, _ := slices.BinarySearchFunc(c.items, from, func(i *item, from uint64) int { return cmp.Compare(i.at, from) })
	changed := n < len(c.items)
	c.items = c.items[:n:n]
	c.first, c.summary, c.start, c.truncated, c.hasRemoved, c.open = 0, nil, 0, 0, false, nil
	clear(c.calls)
	clear(c.skills)
	for id, begun := range c.compactions {
		begun = slices.DeleteFunc(begun, func(k compactionStart) bool { return k.at >= from })
		for k := range begun {
			if begun[k].end >= from {
				begun[k].end = 0
			}
		}
		c.compactions[id] = begun
	}
	for _, i := range c.items {
		changed = i.rewind(from) || changed
		c.indexCalls(i)
		if len(i.message.Calls) > 0 && i.closedAt == 0 {
			c.open = i
		}
		if i.skill != nil && i.skill.delivered == 0 {
			c.skills[i.message.Source.Name] = i
		} else if i.skill != nil {
			delete(c.skills, i.message.Source.Name)
		}
	}
	for _, i := range c.items {
		if i.cut != nil {
			c.applyCut(*i.cut)
		}
	}
	return changed
}

// rewind takes back what became of an item since an event.
func (i *item) rewind(from uint64) (changed bool) {
	i.removed = false
	if i.closedAt >= from {
		i.closedAt, changed = 0, true
	}
	if i.skill != nil && i.skill.delivered >= from {
		i.skill.delivered, changed = 0, true
		i.message = i.skill.message
	}
	for id, given := range i.results {
		n := slices.IndexFunc(given, func(r result) bool { return r.at >= from })
		if n >= 0 {
			i.results[id], changed = given[:n:n], true
		}
	}
	return changed
}

// withoutReasoning is what an answer without its thinking is of its event.
const withoutReasoning = -1

// resume removes the thinking from a conversation that the runtime rebuilds from
// what it has stored: it does not send it to the model again.
func (v *View) resume(b session.SessionResume) ApplyResult {
	if b.SessionWasActive {
		return Ignored
	}
	for _, c := range v.agents {
		for _, i := range c.items {
			if i.message.Reasoning != "" {
				i.message.Reasoning, i.message.ID.N = "", withoutReasoning
			}
		}
	}
	return Applied
}
