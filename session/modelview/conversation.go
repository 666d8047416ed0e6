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
	began   map[string]int           // by compaction, the number of items when it began
	calls   map[session.CallID]*item // the item that asks for a call
	open    *item                    // the last one that asks for calls
	gone    map[session.EventID]bool // what made items that are out of context
	former  map[session.EventID]bool // what made system messages that were replaced
	skills  map[string]*item         // the text of a skill that was announced last
}

// item is one thing said in a conversation: a message and, for the calls it
// asks for, their results; or a cut, which replaces what came before it.
type item struct {
	message Message
	prompt  string // what a person wrote, word by word; "" for everything else
	results map[session.CallID]Message
	starts  []session.EventID // of the calls
	closed  bool              // calls without a result will get none
	cut     *cut
}

// cut takes items out of the context.
type cut struct {
	upTo    int   // those before
	summary *item // what stands in their place; nil for nothing
}

func newConversation() *conversation {
	return &conversation{
		began: map[string]int{}, calls: map[session.CallID]*item{}, gone: map[session.EventID]bool{},
		former: map[session.EventID]bool{}, skills: map[string]*item{},
	}
}

// say appends a message.
func (c *conversation) say(m Message) *item {
	i := &item{message: m}
	for _, call := range m.Calls {
		c.calls[call.ID] = i
	}
	c.items = append(c.items, i)
	return i
}

// goesOn notes that what was called for before has its results, or gets none.
func (c *conversation) goesOn() {
	if c.open != nil {
		c.open.closed, c.open = true, nil
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
	for _, id := range c.system[at].Origin {
		c.former[id] = true
	}
	c.system[at] = m
}

// answer notes the result of a call. The result of a call that nobody asked for
// is not in the conversation.
func (c *conversation) answer(m Message) bool {
	i := c.calls[m.CallID]
	if i == nil {
		return false
	}
	at := slices.IndexFunc(i.message.Calls, func(call Call) bool { return call.ID == m.CallID })
	m.ToolName = i.message.Calls[at].Name
	if i.results == nil {
		i.results = map[session.CallID]Message{}
	}
	i.results[m.CallID] = m
	return true
}

// messages is the conversation as the next request holds it.
func (c *conversation) messages() []Message {
	out := slices.Clone(c.system)
	if c.summary != nil {
		out = append(out, c.summary.message)
	}
	for _, i := range c.items[c.first:] {
		if i.cut == nil {
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
		r, ok := i.results[call.ID]
		switch {
		case ok && len(r.Content) > 1:
			p := r
			p.Role, p.Source, p.CallID, p.ToolName = User, Source{FromTool, r.ToolName}, "", ""
			p.Content, r.Content = r.Content[1:], r.Content[:1]
			pictures = append(pictures, p)
		case !ok && !i.closed:
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
	for _, r := range i.results {
		f(r.Origin)
	}
}
