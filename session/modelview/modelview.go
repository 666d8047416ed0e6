// Package modelview is the projection of a session's log to what the model
// sees: the messages of its next request. It is the counterpart of timeline,
// which projects the same log to what the user sees; neither knows the other.
//
// The rules: system and developer messages replace one another by role and name, notifications become context
// in the user's name but for discovered instructions, notices never do, a
// compaction replaces what it summarised, and a rewind takes back. The forms in
// which context is written are those of the Copilot CLI 1.0.102, against whose
// requests the projection is tested.
package modelview

import (
	"cmp"
	"slices"

	"parley/session"
)

// ApplyResult is what Apply did with an event.
type ApplyResult uint8

// The results. Unhandled is the zero value, so that a kind without a decision
// shows as the defect it is.
const (
	Unhandled ApplyResult = iota // no decision was written down for this kind: a bug
	Ignored                      // the model does not see it, by decision
	Applied                      // what the model sees has changed
)

// View is what the models of a session see: that of the session itself, and
// those of its sub-agents. It is not safe for concurrent use.
type View struct {
	agents  map[session.AgentID]*conversation
	order   []session.AgentID // sub-agents, in the order in which they came
	stored  storedContent
	removed removedEvents
	partial bool
	events  uint64 // that were applied
	version uint64
}

// removedEvents is what the models do not see any more, by the events that said it.
type removedEvents struct {
	cut      map[session.EventID]bool // what made items that are out of context
	replaced map[session.EventID]bool // what made system messages that were replaced
}

// New returns the view of a session in which nothing was said.
func New() *View {
	stored := storedContent{
		assets: map[string]string{}, texts: map[string]string{}, requested: map[session.CallID]session.ToolUserRequested{},
	}
	g := removedEvents{cut: map[session.EventID]bool{}, replaced: map[session.EventID]bool{}}
	return &View{agents: map[session.AgentID]*conversation{"": newConversation(g)}, stored: stored, removed: g}
}

// Apply folds one event into the view. It is total: any event in any order with
// any content is taken, and it costs what the event adds; what changes the
// conversation as a whole, such as a compaction, costs what it goes through.
func (v *View) Apply(ev session.Event) ApplyResult {
	if ev.Body == nil {
		return Ignored
	}
	v.events++
	v.partial = v.partial || session.AgentSessionIDOf(ev.Body) != ""
	for _, apply := range [...]func(session.Event) ApplyResult{v.applyMessage, v.applyChat, v.applyTool, v.applyInjected, v.applyHistory} {
		if out := apply(ev); out != Unhandled {
			if out == Applied {
				v.version++
			}
			return out
		}
	}
	if isUnseen(ev.Body) {
		return Ignored
	}
	return Unhandled
}

// conversationOf is the agent whose conversation an event belongs to. Some agents name
// no agent in their events, but the call that runs it.
func conversationOf(agent session.AgentID, parent session.CallID) session.AgentID {
	return cmp.Or(agent, session.AgentID(parent))
}

// conversation is an agent's conversation, begun if it was not.
func (v *View) conversation(agent session.AgentID) *conversation {
	c := v.agents[agent]
	if c == nil {
		c = newConversation(v.removed)
		v.agents[agent] = c
		v.order = append(v.order, agent)
	}
	return c
}

// Messages returns what the model of the session sees now, the system messages
// first: what its next request holds. It costs what it returns.
func (v *View) Messages() []Message { return v.agents[""].messages() }

// Of returns what the model of a sub-agent sees, or saw last.
func (v *View) Of(agent session.AgentID) []Message {
	if c := v.agents[agent]; c != nil {
		return c.messages()
	}
	return nil
}

// Agents returns the sub-agents with a conversation, in the order in which
// that began.
func (v *View) Agents() []session.AgentID { return slices.Clone(v.order) }

// Removed reports whether the model has seen what this event put into the
// conversation, and does so no more: it was compacted, truncated or replaced.
func (v *View) Removed(id session.EventID) bool { return v.removed.cut[id] || v.removed.replaced[id] }

// HasRemoved reports whether anything that was said to or by an agent's model is out
// of its context: compacted, truncated or cleared.
func (v *View) HasRemoved(agent session.AgentID) bool {
	c := v.agents[agent]
	return c != nil && c.hasRemoved
}

// Partial reports whether the agent does not say all that its model sees: one that keeps the session itself
// says what was said in it, and not its instructions and tools (Agent Client Protocol).
func (v *View) Partial() bool { return v.partial }

// Version grows with every change of the view.
func (v *View) Version() uint64 { return v.version }
