package timeline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
)

// Family is what the call's tool does. A tool of an MCP server is never taken
// for a built-in one, whatever it is called.
func (c *ToolCall) Family() session.ToolFamily {
	if c.Server != "" {
		return session.OtherTool
	}
	return session.FamilyOf(c.Name)
}

// activities say what a call does: a verb, and what it works on where the
// arguments do not say it. A family that is not here uses its tool.
var activities = map[session.ToolFamily]struct{ verb, object string }{
	session.RunCommand: {"running", "a command"},
	session.ReadShell:  {"waiting for", "a background command"},
	session.WriteShell: {"waiting for", "a background command"},
	session.ReadFile:   {"reading", "a file"},
	session.EditFile:   {"editing", "files"},
	session.CreateFile: {"editing", "files"},
	session.WriteFile:  {"editing", "files"},
	session.DeleteFile: {"deleting", "a file"},
	session.PatchFiles: {"editing", "files"},
	session.FileEditor: {"editing", "files"},
	session.SearchText: {"searching", "files"},
	session.SearchCode: {"searching", "files"},
	session.FindFiles:  {"searching", "files"},
	session.ListFolder: {"listing", "a folder"},
	session.FetchPage:  {"fetching", "a page"},
	session.SearchWeb:  {"searching", "the web"},
	session.RunAgent:   {"delegating", "a task"},
	session.ReadAgent:  {"waiting for", "a sub-agent"},
	session.LoadSkill:  {"loading", "a skill"},
	session.AskUser:    {"asking", "you"},
	session.ExitPlan:   {"asking", "you"},
	session.FinishTask: {"completing", "the task"},
}

// describe puts into words what a call does. It runs when the call or its
// arguments change, not when the words are read.
func (c *ToolCall) describe() {
	args, f := arguments(c.Arguments), c.Family()
	c.blockingShell = f == session.RunCommand && args["mode"] != "async" && args["detach"] != "true" && args["run_in_background"] != "true"
	does, known := activities[f]
	if !known {
		object := cmp.Or(c.Name, "a tool")
		if c.Server != "" {
			object = c.Server + " " + cmp.Or(c.Tool, c.Name)
		}
		c.activity = "using " + oneLine(object)
		return
	}
	object := args.first(f.Subject())
	switch f {
	case session.RunCommand:
		object = firstLine(cmp.Or(object, args["description"]))
	case session.LoadSkill:
		if object != "" {
			object = "skill " + object
		}
	case session.ReadShell, session.WriteShell, session.ReadAgent, session.AskUser, session.ExitPlan, session.FinishTask:
		object = "" // its id, or its words, say less
	case session.SearchText, session.SearchCode, session.FindFiles:
		object = cmp.Or(object, args["path"])
	default:
	}
	c.activity = does.verb + " " + oneLine(cmp.Or(object, does.object))
}

// callArguments are those of a call's arguments that are strings or booleans.
type callArguments map[string]string

// first returns the first argument of some names that is not empty. Agents name
// the same argument in different ways.
func (a callArguments) first(names []string) string {
	for _, name := range names {
		if a[name] != "" {
			return a[name]
		}
	}
	return ""
}

func (a callArguments) has(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := a[name]; return ok })
}

// arguments reads the members of a call's arguments that are strings or
// booleans. One that is neither does not hide the others.
func arguments(raw jsontext.Value) callArguments {
	var members map[string]jsontext.Value
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	args := make(callArguments, len(members))
	for name, v := range members {
		var text string
		if json.Unmarshal(v, &text) == nil {
			args[name] = text
		} else if k := v.Kind(); k == jsontext.KindTrue || k == jsontext.KindFalse {
			args[name] = string(v)
		}
	}
	return args
}

// firstLine returns the first line of a command, with a mark if there are more.
func firstLine(s string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

// running is what runs now, of all that is open.
type running struct {
	calls int
	call  *ToolCall // the one that began last
	shell bool      // one of them is a command that the turn waits for
	asked bool      // there is such a command that waits for the user
	timed bool      // there is a call that does not wait for the user, begun or not
	hook  *Entry
	agent *Subagent // that works in the background
}

func (t *turns) running() running {
	var r running
	for _, e := range t.open.list {
		if e.State.Final() || e.pos < 0 {
			continue
		}
		switch b := e.Body.(type) {
		case *Notice:
			if b.Category == "hook" && r.hook == nil {
				r.hook = e
			}
		case *ToolCall:
			r.timed = r.timed || !b.Waiting
			r.asked = r.asked || b.Waiting && b.blockingShell
			switch {
			case b.Agent != nil && b.outlivesTurn():
				if r.agent == nil {
					r.agent = b.Agent
				}
			case b.started && !b.Waiting:
				r.shell = r.shell || b.blockingShell && !b.UserRequested
				r.call = b
				r.calls++
			}
		}
	}
	return r
}

// currentActivity says in words what the agent does, the most urgent thing first.
func (t *Timeline) currentActivity(r running) string {
	s, attempt := &t.status, t.turns.retry.current()
	switch {
	case t.calls.pending.waiting() > 0:
		return "waiting for you"
	case s.Stopping:
		return "stopping"
	case attempt > 0 && t.turns.retry.waits():
		return "waiting to try again (attempt " + strconv.Itoa(attempt) + ")"
	case attempt > 0:
		return "trying again (attempt " + strconv.Itoa(attempt) + ")"
	case r.calls > 1:
		return r.call.currentActivity() + " and " + strconv.Itoa(r.calls-1) + " more"
	case r.calls == 1:
		return r.call.currentActivity()
	case r.hook != nil:
		return "running " + strings.Replace(cmp.Or(t.hooks.names[r.hook.ID], "a hook"), "Hook", "hook", 1)
	case s.Compacting && (!s.Busy || t.turns.phase == thinking):
		return "summarising"
	case !s.Busy:
		return backgroundActivity(s, r.agent)
	case t.turns.phase == hosted:
		return t.turns.provider
	case t.turns.phase == answering:
		return "answering"
	case t.turns.phase == calling:
		return "preparing a tool call"
	case s.Intent != "":
		return oneLine(s.Intent)
	}
	return "thinking"
}

// backgroundActivity says what runs in the background of an agent that takes
// input: it must not look idle while its sub-agents and commands work.
func backgroundActivity(s *Status, a *Subagent) string {
	switch {
	case s.Agents == 1 && a != nil && cmp.Or(a.Title, a.Name) != "":
		return oneLine(cmp.Or(a.Title, a.Name)) + " in the background"
	case s.Agents > 0:
		return text.Count(s.Agents, "sub-agent") + " in the background"
	case s.BackgroundWork:
		return "working in the background"
	}
	return ""
}

// currentActivity says what a running call does. One that runs a sub-agent does what that
// does.
func (c *ToolCall) currentActivity() string {
	if a := c.Agent; a != nil && a.Activity != "" && cmp.Or(a.Title, a.Name) != "" {
		return oneLine(cmp.Or(a.Title, a.Name)) + ": " + a.Activity
	}
	return c.activity
}
