package timeline

import (
	"cmp"
	"slices"
	"time"

	"parley/session"
)

// BackgroundTask is a sub-agent or a shell that runs while the agent takes input.
type BackgroundTask struct {
	ID          string // of the sub-agent or the shell
	Agent       bool   // a sub-agent, else a shell
	Kind        string // of a sub-agent, such as "explore"
	Description string
	Since       time.Time // zero if it is not known
}

// Background returns what runs in the background, as far as the events report it:
// the list of the last session.idle, and sub-agents at work that it does not have.
// It costs what is open.
func (t *Timeline) Background() []BackgroundTask {
	all := slices.Clone(t.status.Background)
	for _, e := range t.open.sweep() {
		c, ok := e.Body.(*ToolCall)
		if !ok || c.Agent == nil || c.Agent.State != Live || !c.outlivesTurn() {
			continue
		}
		a := c.Agent
		known := func(b BackgroundTask) bool { return b.Agent && b.ID == string(a.ID) }
		if i := slices.IndexFunc(all, known); i >= 0 {
			all[i].Since = a.At
			continue
		}
		all = append(all, BackgroundTask{
			ID: string(a.ID), Agent: true, Kind: a.Name, Since: a.At, Description: c.agentTask(),
		})
	}
	return all
}

// agentTask is what a sub-agent was asked for, in a few words.
func (c *ToolCall) agentTask() string {
	return cmp.Or(arguments(c.Arguments)["description"], c.Agent.Title, c.Agent.Description)
}

// maxBackgroundTasks is how many tasks of a session.idle are kept.
const maxBackgroundTasks = 500

// idleWith takes what still runs when the session is idle.
func (s *Status) idleWith(tasks *session.BackgroundTasks) {
	s.Background = nil
	if tasks == nil {
		return
	}
	var list []BackgroundTask
	for _, a := range tasks.Agents {
		list = append(list, BackgroundTask{ID: string(a.AgentID), Agent: true, Kind: a.AgentType, Description: a.Description})
	}
	for _, sh := range tasks.Shells {
		list = append(list, BackgroundTask{ID: sh.ShellID, Description: sh.Description})
	}
	s.Background = list[:min(len(list), maxBackgroundTasks)]
}

// backgroundEnded takes a task off the list: its end was reported.
func (s *Status) backgroundEnded(agent bool, id string) {
	ended := func(b BackgroundTask) bool { return b.Agent == agent && b.ID == id }
	if id == "" || !slices.ContainsFunc(s.Background, ended) {
		return
	}
	s.Background = slices.DeleteFunc(slices.Clone(s.Background), ended)
	s.BackgroundWork = s.BackgroundWork && len(s.Background) > 0
}
