package timeline

import (
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
		if !ok || c.Agent == nil || c.Agent.State != Live || !c.beside() {
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
	args := arguments(c.Arguments)
	for _, s := range []string{args["description"], c.Agent.Title, c.Agent.Description} {
		if s != "" {
			return s
		}
	}
	return ""
}

// mostBackground is how many tasks of a session.idle are kept.
const mostBackground = 500

// idleWith takes what still runs when the session is idle.
func (t *Timeline) idleWith(tasks *session.BackgroundTasks) {
	t.status.Background = nil
	if tasks == nil {
		return
	}
	var list []BackgroundTask
	for _, a := range tasks.Agents {
		list = append(list, BackgroundTask{ID: string(a.AgentID), Agent: true, Kind: a.AgentType, Description: a.Description})
	}
	for _, s := range tasks.Shells {
		list = append(list, BackgroundTask{ID: s.ShellID, Description: s.Description})
	}
	t.status.Background = list[:min(len(list), mostBackground)]
}

// backgroundEnded takes a task off the list: its end was reported.
func (t *Timeline) backgroundEnded(agent bool, id string) {
	ended := func(b BackgroundTask) bool { return b.Agent == agent && b.ID == id }
	if id == "" || !slices.ContainsFunc(t.status.Background, ended) {
		return
	}
	t.status.Background = slices.DeleteFunc(slices.Clone(t.status.Background), ended)
	t.status.BackgroundWork = t.status.BackgroundWork && len(t.status.Background) > 0
}
