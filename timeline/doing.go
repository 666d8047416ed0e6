package timeline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// toolFamily groups the tools that do the same thing under different names.
type toolFamily uint8

const (
	otherTool toolFamily = iota
	shellTool
	shellReader
	readTool
	writeTool
	searchTool
	fetchTool
	agentTool
	askTool
)

// family tells what a built-in tool of the agents we know does.
func family(name string) toolFamily {
	switch name {
	case "bash", "shell", "powershell", "local_shell", "run_in_terminal":
		return shellTool
	case "read_bash", "read_powershell", "write_bash", "write_powershell":
		return shellReader
	case "view", "read", "read_file", "show_file", "open_file":
		return readTool
	case "edit", "create", "write", "write_file", "apply_patch", "str_replace", "str_replace_editor":
		return writeTool
	case "grep", "rg", "glob", "search", "find", "ls", "list_dir":
		return searchTool
	case "web_fetch", "fetch", "web_search", "fetch_url":
		return fetchTool
	case "task":
		return agentTool
	case "ask_user", "exit_plan_mode":
		return askTool
	}
	return otherTool
}

// Shell reports whether a tool runs commands in a shell.
func Shell(tool string) bool { return family(tool) == shellTool }

// describe puts into words what a call does. It runs when the call or its
// arguments change, not when the words are read. Agents name the same argument
// in different ways.
func (c *ToolCall) describe() {
	args := arguments(c.Arguments)
	c.shell = false
	verb, object := "using", cmp.Or(c.Name, "a tool")
	switch family(c.Name) {
	case shellTool:
		c.shell = args["mode"] != "async" && args["detach"] != "true" && args["run_in_background"] != "true"
		verb, object = "running", firstLine(cmp.Or(args["command"], args["cmd"], args["description"], "a command"))
	case shellReader:
		verb, object = "waiting for", "a background command"
	case readTool:
		verb, object = "reading", cmp.Or(args["path"], args["file_path"], args["filename"], "a file")
	case writeTool:
		verb, object = "editing", cmp.Or(args["path"], args["file_path"], args["filename"], "files")
	case searchTool:
		verb, object = "searching", cmp.Or(args["pattern"], args["query"], args["path"], "files")
	case fetchTool:
		verb, object = "fetching", cmp.Or(args["url"], args["query"], "a page")
	case agentTool:
		verb, object = "delegating", cmp.Or(args["description"], "a task")
	case askTool:
		verb, object = "asking", "you"
	case otherTool:
		switch {
		case c.Server != "":
			object = c.Server + " " + cmp.Or(c.Tool, c.Name)
		case c.Name == "skill":
			verb, object = "loading", "skill "+args["skill"]
		case c.Name == "task_complete":
			verb, object = "completing", "the task"
		case c.Name == "read_agent":
			verb, object = "waiting for", "a sub-agent"
		}
	}
	c.doing = verb + " " + oneLine(object)
}

// arguments reads the members of a call's arguments that are strings or
// booleans. One that is neither does not hide the others.
func arguments(raw jsontext.Value) map[string]string {
	var members map[string]jsontext.Value
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	args := make(map[string]string, len(members))
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
	hook  *Entry
	agent *Subagent // that works in the background
	since time.Time // when the first of the most important of them began
}

func (t *Timeline) running() running {
	var r running
	var hook, agent time.Time
	for _, e := range t.open.list {
		if e.State.Final() || e.pos < 0 {
			continue
		}
		switch b := e.Body.(type) {
		case *Notice:
			if b.Category == "hook" && r.hook == nil {
				r.hook, hook = e, e.At
			}
		case *ToolCall:
			switch {
			case b.Agent != nil && b.beside():
				if r.agent == nil {
					r.agent, agent = b.Agent, b.Agent.At
				}
			case b.started && !b.Waiting:
				r.shell = r.shell || b.shell && !b.Requested
				if r.calls == 0 {
					r.since = e.At
				}
				r.call = b
				r.calls++
			}
		}
	}
	switch {
	case r.calls > 0:
	case r.hook != nil:
		r.since = hook
	case !t.status.Busy:
		r.since = agent
	}
	return r
}

// doing says in words what goes on, the most urgent thing first.
func (t *Timeline) doing(s Status, r running) string {
	switch {
	case s.Waiting > 0:
		return "waiting for you"
	case s.Stopping:
		return "stopping"
	case s.Retry > 0:
		return retryingStatus(s.Retry)
	case r.calls > 1:
		return r.call.now() + " and " + strconv.Itoa(r.calls-1) + " more"
	case r.calls == 1:
		return r.call.now()
	case r.hook != nil:
		return "running " + strings.Replace(cmp.Or(t.noted.hooks[r.hook.ID], "a hook"), "Hook", "hook", 1)
	case s.Compacting && (!s.Busy || t.phase == thinking):
		return "summarising"
	case !s.Busy:
		return beside(s, r.agent)
	case t.phase == hosted:
		return t.provider
	case t.phase == answering:
		return "answering"
	case t.phase == calling:
		return "preparing a tool call"
	case s.Intent != "":
		return oneLine(s.Intent)
	}
	return "thinking"
}

// providerTool notes that a tool of the model's provider runs: it has no call,
// and what comes next of the model ends it.
func (t *Timeline) providerTool(ev session.Event, b session.AssistantServerToolProgress) Outcome {
	t.goOn(ev)
	t.phase, t.provider = hosted, "using "+cmp.Or(words(b.ToolKind), "a tool of the provider")
	switch {
	case b.Status == "completed":
		t.phase = thinking
	case strings.HasPrefix(b.ToolKind, "web_search"):
		t.provider = "searching the web"
	}
	return Applied
}

// beside says what goes on beside an agent that takes input: it must not look
// idle while its sub-agents and commands work.
func beside(s Status, a *Subagent) string {
	switch {
	case s.Agents == 1 && a != nil && cmp.Or(a.Title, a.Name) != "":
		return oneLine(cmp.Or(a.Title, a.Name)) + " in the background"
	case s.Agents > 0:
		return several(s.Agents, "sub-agent") + " in the background"
	case s.BackgroundWork:
		return "working in the background"
	}
	return ""
}

// now says what a running call does. One that runs a sub-agent does what that
// does.
func (c *ToolCall) now() string {
	if a := c.Agent; a != nil && a.Doing != "" && cmp.Or(a.Title, a.Name) != "" {
		return oneLine(cmp.Or(a.Title, a.Name)) + ": " + a.Doing
	}
	return c.doing
}
