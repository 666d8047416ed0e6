package timeline

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
		if c.Server != "" {
			object = c.Server + " " + cmp.Or(c.Tool, c.Name)
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
