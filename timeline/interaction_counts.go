package timeline

import "parley/session"

// contribution is what a call adds to a summary: 0 or 1 of each.
type contribution struct {
	calls, commands, agents, failures, refused uint8

	by Refuser // who refused
}

// contributionOf is what a call adds now. The user's own calls add nothing.
func contributionOf(e *Entry, c *ToolCall) contribution {
	if c.UserRequested {
		return contribution{}
	}
	s := contribution{calls: 1}
	if c.ranShell(e.State) {
		s.commands = 1
	}
	if c.Agent != nil {
		s.agents = 1
	}
	switch e.State {
	case Failed:
		s.failures = 1
	case Refused:
		s.refused, s.by = 1, c.RefusedBy
	case Live, Done, Cancelled:
	}
	return s
}

// ranShell reports whether a call in state s runs a command in a shell, or did:
// it was not refused, and its question, if there was one, was answered.
func (c *ToolCall) ranShell(s State) bool {
	return c.Family() == session.RunCommand && (s == Done || s == Failed || s != Refused && !c.unanswered)
}

// countCall counts a call for its interaction: what it adds now against what it
// added before. It runs whenever the call changes.
func (l *entryList) countCall(e *Entry, c *ToolCall) {
	i := l.interactionOf(e, c)
	if i == nil {
		return
	}
	if c.Agent != nil && c.Agent.Timeline.interaction == nil {
		c.Agent.Timeline.countFor(i)
	}
	now, was := contributionOf(e, c), c.counted
	changed := now != was
	c.counted = now
	i.sum.Calls += int(now.calls) - int(was.calls)
	i.sum.Commands += int(now.commands) - int(was.commands)
	i.sum.Agents += int(now.agents) - int(was.agents)
	i.sum.Failures += int(now.failures) - int(was.failures)
	i.sum.Refused[was.by] -= int(was.refused)
	i.sum.Refused[now.by] += int(now.refused)
	if c.ended && !c.UserRequested {
		if !c.filesCounted {
			c.filesCounted = true
			for _, f := range c.Changes() {
				i.changeFile(f)
				changed = true
			}
		}
		if e.State == Done || e.State == Failed || e.State == Refused { // its end is in the log
			changed = i.extendTo(e.End) || changed
		}
	}
	if changed {
		i.refresh()
	}
}

// interactionOf returns the interaction that a call counts for: the one it was
// made in. A call that the model still writes, and may drop, counts for none.
func (l *entryList) interactionOf(e *Entry, c *ToolCall) *interaction {
	if c.interaction == nil && e.confirmed {
		if l.interaction == nil && l.depth == 0 {
			l.interaction = newInteraction(l, nil)
		}
		c.interaction = l.interaction
	}
	return c.interaction
}

// countFor makes t the timeline of a sub-agent whose call belongs to i: what it
// does counts there.
func (l *entryList) countFor(i *interaction) {
	l.interaction = i
	for _, e := range l.entries {
		if c, ok := e.Body.(*ToolCall); ok {
			l.countCall(e, c)
		}
	}
}

// changeFile adds what a call did to a file.
func (i *interaction) changeFile(f FileChange) {
	s := i.sum
	s.Added += f.Added
	s.Removed += f.Removed
	at, known := i.files[f.Path]
	if !known {
		i.files[f.Path] = len(s.Files)
		s.Files = append(s.Files, f)
		return
	}
	was := &s.Files[at]
	was.Added += f.Added
	was.Removed += f.Removed
	if was.Kind != "create" || f.Kind == "delete" {
		was.Kind = f.Kind
	}
}

// recount counts every call again for the interactions that are left.
func (l *entryList) recount() {
	for _, i := range l.interactions {
		i.reset()
	}
	if l.interaction != nil {
		l.interaction.reset()
	}
	l.recountCalls()
	for _, i := range l.interactions {
		i.refresh()
	}
}

func (i *interaction) reset() {
	*i.sum = Summary{Usage: i.sum.Usage}
	clear(i.files)
}

func (l *entryList) recountCalls() {
	for _, e := range l.entries {
		c, ok := e.Body.(*ToolCall)
		if !ok || c.interaction == nil {
			continue
		}
		c.counted, c.filesCounted = contribution{}, false
		l.countCall(e, c)
		if c.Agent != nil {
			c.Agent.Timeline.recountCalls()
		}
	}
}
