package headless

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parley/render/text"
	"parley/session"
)

// background is what runs beside the root agent, as far as the events report.
// The runtime does not say what keeps it from being idle.
type background struct {
	agents map[session.AgentID]struct{}
	shells map[session.CallID]backgroundShell // by the call that started it
	named  []string                           // the shells of the last session.idle
}

// backgroundShell is a command that may run on after its call has ended.
type backgroundShell struct {
	id       string // "" until it is known
	command  string
	complete bool // the call has ended
}

func newBackground() background {
	return background{agents: map[session.AgentID]struct{}{}, shells: map[session.CallID]backgroundShell{}}
}

// startedShell finds the shell that the result of a call says it leaves
// running.
var startedShell = text.Regexp(`(?m)^<command (?:started in background )?with shellId: ([^\s>]+)(?:>| is still running| moved)`)

// apply takes in an event.
func (g *background) apply(ev session.Event) {
	switch b := ev.Body.(type) {
	case session.SubagentStarted:
		g.agents[ev.Agent] = struct{}{}
	case session.SubagentCompleted, session.SubagentFailed:
		delete(g.agents, ev.Agent)
	case session.AssistantTurnStart:
		if ev.Agent != "" {
			g.agents[ev.Agent] = struct{}{} // an agent that was idle got a message
		}
	case session.SystemNotification:
		switch b.Notification.Type {
		case "agent_idle", "agent_completed":
			delete(g.agents, b.Notification.AgentID)
		case "shell_completed":
			g.forget(b.Notification.ShellID)
		}
	case session.ToolExecutionStart:
		g.call(b)
	case session.ToolExecutionComplete:
		g.called(b)
	}
}

// call notes a command that may run on in the background, and one that ends
// another. A detached one outlives the session, and holds up nothing.
func (g *background) call(b session.ToolExecutionStart) {
	var args struct {
		Command string `json:"command"`
		ShellID string `json:"shellId"`
		Detach  bool   `json:"detach"`
	}
	if json.Unmarshal(b.Arguments, &args) != nil { // of a tool whose arguments are others
		return
	}
	switch session.FamilyOf(b.ToolName) {
	case session.RunCommand:
		if !args.Detach {
			g.shells[b.ToolCallID] = backgroundShell{id: args.ShellID, command: args.Command}
		}
	case session.StopShell:
		g.forget(args.ShellID)
	default:
	}
}

// called notes that a call has ended. What its command leaves running is known
// by the text of the result alone.
func (g *background) called(b session.ToolExecutionComplete) {
	shell, known := g.shells[b.ToolCallID]
	if !known {
		return
	}
	var left []string
	if b.Result != nil {
		left = startedShell().FindStringSubmatch(b.Result.Content)
	}
	if left == nil {
		delete(g.shells, b.ToolCallID)
		return
	}
	shell.id, shell.complete = left[1], true
	g.shells[b.ToolCallID] = shell
}

func (g *background) forget(shell string) {
	maps.DeleteFunc(g.shells, func(_ session.CallID, s backgroundShell) bool { return shell != "" && s.id == shell })
}

// idle takes in what an idle agent says runs in the background, and reports how many agents
// and commands that are.
func (g *background) idle(tasks *session.BackgroundTasks) (agents, shells int) {
	g.named = nil
	if tasks == nil {
		return 0, 0
	}
	clear(g.agents)
	for _, a := range tasks.Agents {
		g.agents[a.AgentID] = struct{}{}
	}
	for _, s := range tasks.Shells {
		g.named = append(g.named, cmp.Or(s.Description, s.ShellID))
	}
	return len(tasks.Agents), len(tasks.Shells)
}

// commands are the commands that still run, in words; "" if none is known.
func (g *background) commands() string {
	names := slices.Clone(g.named)
	if len(names) == 0 {
		for _, id := range slices.Sorted(maps.Keys(g.shells)) {
			if s := g.shells[id]; s.complete {
				names = append(names, s.command)
			}
		}
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%q", strings.Join(strings.Fields(name), " "))
	}
	return strings.Join(names, ", ")
}
