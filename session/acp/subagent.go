package acp

import (
	"maps"
	"slices"

	"parley/session"
)

// place finds the call that runs the sub-agent whose call this is, where the agent names only the
// sub-agent (Copilot CLI): the one that can be meant. That one has begun by then.
func (t *talk) place(c *call, agent session.AgentID) []session.Body {
	if agent == "" || c.parent != "" {
		return nil
	}
	if t.runners[agent] == "" {
		taken := slices.Collect(maps.Values(t.runners))
		able := slices.DeleteFunc(slices.Clone(t.order), func(id session.CallID) bool {
			return !t.calls[id].delegates() || slices.Contains(taken, id)
		})
		if len(able) != 1 {
			return nil
		}
		t.runners[agent] = able[0]
	}
	c.parent = t.runners[agent]
	if runner := t.calls[c.parent]; runner != nil {
		return t.start(runner)
	}
	return nil
}

// delegates reports whether a call runs a sub-agent.
func (c *call) delegates() bool {
	in := c.input()
	return in.Prompt != "" && (in.AgentType != "" || in.SubagentType != "")
}
