package transcript

import "parley/timeline"

// Enter shows the timeline of a sub-agent over the one that is shown, and gives it the
// keys.
func (p *Pane) Enter(a *timeline.Subagent) {
	outer := *p
	*p = New(a.Timeline, outer.Opts)
	p.Agent, p.Over, p.Images, p.Outside, p.Height = a, &outer, outer.Images, outer.Outside, outer.Height
	p.as(&outer)
	p.Browsing = true
}

// LeaveAgent goes back to what was shown before the sub-agent.
func (p *Pane) LeaveAgent() {
	inner := *p
	*p = *inner.Over
	p.Opts, p.Height = inner.Opts, inner.Height
	p.as(&inner)
}

// LeaveAgents goes back to the conversation.
func (p *Pane) LeaveAgents() {
	for p.Over != nil {
		p.LeaveAgent()
	}
}

// ToEnd shows the end of the conversation, where something was said or is about to be.
func (p *Pane) ToEnd() {
	p.LeaveAgents()
	p.End()
}

// Conversation is the timeline of the conversation, also where that of a sub-agent is
// shown over it.
func (p *Pane) Conversation() *timeline.Timeline {
	for p.Over != nil {
		p = p.Over
	}
	return p.Timeline
}

// as shows as much as another pane does, and has the keys if that has them.
func (p *Pane) as(other *Pane) {
	p.Density, p.Expanded, p.Thinking, p.Browsing = other.Density, other.Expanded, other.Thinking, other.Browsing
}
