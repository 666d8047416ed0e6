package modelview

import (
	"slices"

	"parley/session"
)

// conversation is what one agent's model sees. Everything that was ever said
// in it is kept, because a rewind can go back to before a compaction.
type conversation struct {
	system []Message // one for each role and name
	items  []*item
	first  int // the items before are out of context
	// summary stands for them; nil when they were dropped without one.
	summary *item
	start   int                      // what stands before has no place in a summary
	began   map[string][]beginning   // by compaction; the last one counts
	calls   map[session.CallID]*item // the item that asks for a call
	open    *item                    // the last one that asks for calls
	gone    map[session.EventID]bool // what made items that are out of context
	former  map[session.EventID]bool // what made system messages that were replaced
	skills  map[string]*item         // the text of a skill that was announced last
}

// item is one thing said in a conversation: a message and, for the calls it
// asks for, their results; or a cut, which takes away some of what came before
// it.
type item struct {
	at      uint64 // the event that said it, counted
	message Message
	prompt  string                      // what a person wrote, word by word; "" for everything else
	results map[session.CallID][]result // the last one counts
	starts  []session.EventID           // of the calls
	closed  uint64                      // the event since which calls without a result get none, counted
	skill   *announcement               // nil for everything but a skill that was announced
	out     bool                        // of the context
	cut     *cut
}

// result is what a call gave back.
type result struct {
	at      uint64 // the event that said it, counted
	message Message
}

// announcement is the text of a skill before it was delivered.
type announcement struct {
	message   Message
	delivered uint64 // the event that did it, counted; 0 for none yet
}

// beginning is that of a compaction.
type beginning struct {
	at, end uint64 // the events that said it and that ended it, counted; 0 for none yet
	items   int    // that there were
}

// cut takes items out of the context.
type cut struct {
	upTo    int     // those before
	summary *item   // what stands in their place; nil for nothing
	dropped []*item // those of the rest that make room
	anew    bool    // what was said before is over, for summaries too
}

func newConversation() *conversation {
	return &conversation{
		began: map[string][]beginning{}, calls: map[session.CallID]*item{}, gone: map[session.EventID]bool{},
		former: map[session.EventID]bool{}, skills: map[string]*item{},
	}
}

// say appends a message.
func (c *conversation) say(at uint64, m Message) *item {
	i := &item{at: at, message: m}
	c.items = append(c.items, i)
	c.asks(i)
	return i
}

// asks notes the calls that an item asks for.
func (c *conversation) asks(i *item) {
	for _, call := range i.message.Calls {
		c.calls[call.ID] = i
	}
}

// goesOn notes that what was called for before has its results, or gets none.
func (c *conversation) goesOn(at uint64) {
	if c.open != nil {
		c.open.closed, c.open = at, nil
	}
}

// replace puts a system message in the place of the one of the same role and
// name.
func (c *conversation) replace(m Message) {
	at := slices.IndexFunc(c.system, func(s Message) bool { return s.Role == m.Role && s.Name == m.Name })
	if at < 0 {
		c.system = append(c.system, m)
		return
	}
	old := c.system[at]
	if old.Text() == m.Text() {
		m.Origin = slices.Concat(old.Origin, m.Origin)
	} else {
		for _, id := range old.Origin {
			c.former[id] = true
		}
	}
	c.system[at] = m
}

// answer notes the result of a call. The result of a call that nobody asked for
// is not in the conversation.
func (c *conversation) answer(at uint64, m Message) bool {
	i := c.calls[m.CallID]
	if i == nil {
		return false
	}
	n := slices.IndexFunc(i.message.Calls, func(call Call) bool { return call.ID == m.CallID })
	m.ToolName = i.message.Calls[n].Name
	if i.results == nil {
		i.results = map[session.CallID][]result{}
	}
	i.results[m.CallID] = append(i.results[m.CallID], result{at, m})
	if i.out {
		c.lose(m.Origin)
	}
	return true
}

// messages is the conversation as the next request holds it.
func (c *conversation) messages() []Message {
	out := slices.Clone(c.system)
	if c.summary != nil {
		out = append(out, c.summary.message)
	}
	for _, i := range c.items[c.first:] {
		if i.cut == nil && !i.out {
			out = i.appendTo(out)
		}
	}
	return out
}

// interrupted is what the runtime tells the model about a call that got no
// result.
const interrupted = "The execution of this tool, or a previous tool was interrupted."

// appendTo appends an item's message, the results of its calls in the order in
// which they were asked for, and what only a message in the user's name can
// hold of them.
func (i *item) appendTo(out []Message) []Message {
	out = append(out, i.message)
	var pictures []Message
	for _, call := range i.message.Calls {
		var r Message
		given := i.results[call.ID]
		ok := len(given) > 0
		if ok {
			r = given[len(given)-1].message
		}
		switch {
		case ok && len(r.Content) > 1:
			for n := range r.Content[1:] {
				pictures = append(pictures, Message{
					Role: User, Source: Source{FromTool, r.ToolName}, Content: r.Content[n+1 : n+2 : n+2], At: r.At, Origin: r.Origin,
				})
			}
			r.Content = r.Content[:1]
		case !ok && i.closed == 0:
			continue // it still runs
		case !ok:
			r = Message{
				Role: Tool, CallID: call.ID, ToolName: call.Name, Content: text(interrupted), Interrupted: true,
				At: i.message.At, Origin: i.message.Origin,
			}
		}
		out = append(out, r)
	}
	return append(out, pictures...)
}

// lose notes that the model does not see any more what came from these events.
func (c *conversation) lose(origins []session.EventID) {
	for _, id := range origins {
		c.gone[id] = true
	}
}

// origins calls f with the events that the item was made from.
func (i *item) origins(f func([]session.EventID)) {
	f(i.message.Origin)
	f(i.starts)
	for _, given := range i.results {
		for _, r := range given {
			f(r.message.Origin)
		}
	}
}
