package modelview

import (
	"slices"

	"parley/session"
)

// conversation is what one agent's model sees. Everything that was ever said
// in it is kept, because a rewind can go back to before a compaction.
type conversation struct {
	system   []Message // one for each role and name
	systemAt map[systemKey]int
	items    []*item
	first    int // the items before are out of context
	// summary stands for them; nil when they were dropped without one.
	summary     *summary
	summaryText []Part                       // the text of the summary, once it was asked for
	start       int                          // what stands before has no place in a summary
	truncated   int                          // the items before hold no answer that could make room
	hasRemoved  bool                         // something is out of context
	compactions map[string][]compactionStart // by compaction; the last one counts
	calls       map[session.CallID]callPlace // where a call was asked for
	open        *item                        // the last one that asks for calls
	removed     removedEvents                // of the View
	skills      map[string]*item             // the text of a skill that was announced last
	// confirmed are answers that the next prompt carries.
	confirmations pendingConfirmations
}

// systemKey is what distinguishes system messages.
type systemKey struct {
	role Role
	name string
}

// callPlace is the item that asks for a call, and which of its calls it is.
type callPlace struct {
	item *item
	n    int
}

// item is one thing said in a conversation: a message and, for the calls it
// asks for, their results; or a cut, which takes away some of what came before
// it. An item without a role is no message.
type item struct {
	at          uint64 // the event that said it, counted
	message     Message
	prompt      string                      // what a user wrote, word by word; "" for everything else
	duplicates  map[int]bool                // the calls, by index, whose id one before them has
	results     map[session.CallID][]result // the last one counts
	startEvents []session.EventID           // of the calls
	closedAt    uint64                      // the event since which calls without a result get none, counted
	skill       *announcement               // nil for everything but a skill that was announced
	removed     bool                        // of the context
	cut         *cut
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

// compactionStart is that of a compaction.
type compactionStart struct {
	at, end uint64 // the events that said it and that ended it, counted; 0 for none yet
	items   int    // that there were
}

// cut takes items out of the context.
type cut struct {
	upTo    int      // those before
	summary *summary // what stands in their place; nil for nothing
	dropped []*item  // those of the rest that make room
	clear   bool     // what was said before is over, for summaries too
}

func newConversation(g removedEvents) *conversation {
	return &conversation{
		systemAt: map[systemKey]int{}, compactions: map[string][]compactionStart{}, calls: map[session.CallID]callPlace{},
		removed: g, skills: map[string]*item{},
	}
}

// add appends a message.
func (c *conversation) add(at uint64, m Message) *item {
	m.ID.Event = at
	i := &item{at: at, message: m}
	c.items = append(c.items, i)
	c.indexCalls(i)
	return i
}

// indexCalls notes the calls that an item asks for.
func (c *conversation) indexCalls(i *item) {
	for n, call := range i.message.Calls {
		if c.calls[call.ID].item != i {
			c.calls[call.ID] = callPlace{i, n}
			continue
		}
		if i.duplicates == nil {
			i.duplicates = map[int]bool{}
		}
		i.duplicates[n] = true
	}
}

// closeCalls notes that what was called for before has its results, or gets none.
func (c *conversation) closeCalls(at uint64) {
	if c.open != nil {
		c.open.closedAt, c.open = at, nil
	}
}

// setSystem puts a system message in the place of the one of the same role and
// name.
func (c *conversation) setSystem(m Message) {
	key := systemKey{m.Role, m.Name}
	at, ok := c.systemAt[key]
	if !ok {
		c.systemAt[key] = len(c.system)
		c.system = append(c.system, m)
		return
	}
	old := c.system[at]
	if old.Text() == m.Text() {
		// Callers that hold the origins do not see what comes behind them.
		m.ID, m.Origin = old.ID, append(old.Origin, m.Origin...)
	} else {
		for _, id := range old.Origin {
			c.removed.replaced[id] = true
		}
	}
	c.system[at] = m
}

// addResult notes the result of a call. The result of a call that was not asked for
// is not in the conversation.
func (c *conversation) addResult(at uint64, m Message) bool {
	place, ok := c.calls[m.CallID]
	if !ok {
		return false
	}
	i := place.item
	m.ID, m.ToolName = ID{Event: at}, i.message.Calls[place.n].Name
	if i.results == nil {
		i.results = map[session.CallID][]result{}
	}
	given := i.results[m.CallID]
	if n := len(given); n > 0 && slices.EqualFunc(given[n-1].message.Content, m.Content, Part.equal) {
		m.ID = given[n-1].message.ID
	}
	i.results[m.CallID] = append(given, result{at, m})
	if i.removed {
		c.markRemoved(m.Origin)
	}
	return true
}

// messages is the conversation as the next request holds it.
func (c *conversation) messages() []Message {
	out := slices.Clone(c.system)
	if c.summary != nil {
		if c.summaryText == nil {
			c.summaryText = text(c.summary.text(c.items))
		}
		m := c.summary.message
		m.Content = c.summaryText
		out = append(out, m)
	}
	for _, i := range c.items[c.first:] {
		if i.message.Role != "" && !i.removed {
			out = i.appendTo(out)
		}
	}
	return out
}

// interruptedResult is what the runtime sends the model for a call that got no
// result.
const interruptedResult = "The execution of this tool, or a previous tool was interrupted."

// appendTo appends an item's message, the results of its calls in the order in
// which they were asked for, and what only a message in the user's name can
// hold of them.
func (i *item) appendTo(out []Message) []Message {
	out = append(out, i.message)
	var images []Message
	for n, call := range i.message.Calls {
		if i.duplicates[n] {
			continue
		}
		given := i.results[call.ID]
		switch {
		case len(given) > 0:
			r := given[len(given)-1].message
			for n := 1; n < len(r.Content); n++ {
				images = append(images, Message{
					ID: ID{r.ID.Event, n}, Role: User, Source: Source{FromTool, r.ToolName}, Content: r.Content[n : n+1 : n+1],
					At: r.At, Origin: r.Origin,
				})
			}
			r.Content = r.Content[:min(1, len(r.Content))]
			out = append(out, r)
		case i.closedAt > 0: // else it still runs
			out = append(out, Message{
				ID: ID{i.at, n + 1}, Role: Tool, CallID: call.ID, ToolName: call.Name, Content: text(interruptedResult),
				Interrupted: true, At: i.message.At, Origin: i.message.Origin,
			})
		}
	}
	return append(out, images...)
}

// markRemoved notes that the model does not see any more what came from these events.
func (c *conversation) markRemoved(origins []session.EventID) {
	for _, id := range origins {
		c.removed.cut[id] = true
	}
}

// origins calls f with the events that the item was made from.
func (i *item) origins(f func([]session.EventID)) {
	f(i.message.Origin)
	f(i.startEvents)
	for _, given := range i.results {
		for _, r := range given {
			f(r.message.Origin)
		}
	}
}
