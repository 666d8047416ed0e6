package render

import (
	"path"
	"strconv"
	"strings"

	"parley/timeline"
)

// family is how the calls of a kind of tool are shown.
type family struct {
	verb    string
	subject func(a arguments, o Options) string // raw text; nil is all arguments inline
	facts   func(c *timeline.ToolCall, a arguments, lines int) string
	fold    fold
	path    bool // the subject is a path
	detail  bool // people want the fuller result, not what the model saw
	person  bool // it waits for the person: how long says nothing
}

// fold is what is shown of a finished call's result until it is expanded.
type fold uint8

const (
	foldHead fold = iota // its first lines
	foldTail             // its last lines, as of a shell
	foldAway             // nothing: the first line says it all
	foldDiff             // the changed lines
)

// families are the tools of the Copilot CLI and their usual relatives
// (Copilot CLI protocol; the names of MCP tools are free and not here).
var families = map[string]family{
	"bash":             {verb: "shell", subject: value("command"), facts: shellFacts, fold: foldTail},
	"powershell":       {verb: "shell", subject: value("command"), facts: shellFacts, fold: foldTail},
	"local_shell":      {verb: "shell", subject: value("command"), facts: shellFacts, fold: foldTail},
	"shell":            {verb: "shell", subject: value("command"), facts: shellFacts, fold: foldTail},
	"read_bash":        {verb: "shell", subject: after("output of ", "shellId"), fold: foldTail},
	"read_powershell":  {verb: "shell", subject: after("output of ", "shellId"), fold: foldTail},
	"write_bash":       {verb: "shell", subject: after("input to ", "shellId"), fold: foldTail},
	"write_powershell": {verb: "shell", subject: after("input to ", "shellId"), fold: foldTail},
	"stop_bash":        {verb: "shell", subject: after("stop ", "shellId"), fold: foldAway},
	"stop_powershell":  {verb: "shell", subject: after("stop ", "shellId"), fold: foldAway},
	"list_bash":        {verb: "shell", subject: fixed("running shells"), fold: foldHead},
	"list_powershell":  {verb: "shell", subject: fixed("running shells"), fold: foldHead},

	"view":   {verb: "read", subject: paths("path", "file_path"), facts: readFacts, fold: foldAway, path: true},
	"read":   {verb: "read", subject: paths("path", "file_path"), facts: readFacts, fold: foldAway, path: true},
	"edit":   {verb: "edit", subject: paths("path", "file_path"), fold: foldDiff, path: true},
	"create": {verb: "create", subject: paths("path", "file_path"), fold: foldDiff, path: true},
	"write":  {verb: "write", subject: paths("path", "file_path"), fold: foldDiff, path: true},
	"delete": {verb: "delete", subject: paths("path", "file_path"), fold: foldDiff, path: true},

	"str_replace_editor": {verb: "edit", subject: paths("path"), fold: foldDiff, path: true},
	"apply_patch":        {verb: "edit", subject: patched, fold: foldDiff, path: true},

	"grep": {verb: "search", subject: searched, facts: grepFacts, fold: foldAway},
	"rg":   {verb: "search", subject: searched, facts: grepFacts, fold: foldAway},
	"glob": {verb: "find", subject: searched, facts: globFacts, fold: foldAway},

	"semantic_code_search":            {verb: "search", subject: value("query"), fold: foldAway},
	"fetch_copilot_cli_documentation": {verb: "read", subject: fixed("the Copilot CLI documentation"), fold: foldAway},

	"web_fetch":  {verb: "fetch", subject: value("url"), facts: sizeFacts, fold: foldAway},
	"web_search": {verb: "search", subject: value("query"), fold: foldHead},

	"task":        {verb: "agent", subject: delegated, facts: taskFacts, fold: foldHead},
	"read_agent":  {verb: "agent", subject: after("result of ", "agent_id"), fold: foldHead, detail: true},
	"write_agent": {verb: "agent", subject: after("message to ", "agent_id", "agent_ids", "scope"), fold: foldHead},
	"list_agents": {verb: "agent", subject: fixed("running agents"), fold: foldHead},

	"sql":               {verb: "sql", subject: value("description", "query"), facts: sqlFacts, fold: foldAway},
	"session_store_sql": {verb: "sql", subject: value("description", "query"), facts: sqlFacts, fold: foldAway},
	"update_todo":       {verb: "todo", subject: fixed("update the list"), fold: foldHead},
	"report_intent":     {verb: "intent", subject: value("intent"), fold: foldAway},
	"store_memory":      {verb: "memory", subject: value("fact", "subject"), fold: foldAway},

	"skill":          {verb: "skill", subject: value("skill"), fold: foldAway, detail: true},
	"ask_user":       {verb: "ask", subject: value("question", "message"), fold: foldHead, person: true},
	"exit_plan_mode": {verb: "plan", subject: summary, fold: foldAway, person: true},
	"task_complete":  {verb: "done", subject: summary, fold: foldAway},
}

// familyOf finds how a call is shown. Tools of MCP servers are never taken for
// built-in ones, whatever they call themselves.
func familyOf(c *timeline.ToolCall, a arguments) family {
	if c.Server != "" {
		name := c.Tool
		if name == "" {
			name = strings.TrimPrefix(c.Name, c.Server+"-")
		}
		return named("mcp", c.Server+" "+name)
	}
	f, ok := families[c.Name]
	if !ok {
		name := c.Name
		if name == "" {
			name = c.Title
		}
		return named("tool", name)
	}
	switch {
	case c.Title != "" && c.Name == "read_agent":
		f.subject = fixed("result of " + brief(c.Title))
	case c.Title != "" && c.Name == "write_agent":
		f.subject = fixed("message to " + brief(c.Title))
	case c.Name == "str_replace_editor":
		switch a.get("command") {
		case "view":
			return families["view"]
		case "create":
			return families["create"]
		}
	}
	return f
}

// named is the family of a tool that is only known by its name.
func named(verb, name string) family {
	return family{verb: verb, fold: foldHead, subject: func(a arguments, _ Options) string {
		return strings.TrimSpace(name + "  " + a.inline())
	}}
}

// value is the subject that one argument holds.
func value(keys ...string) func(arguments, Options) string {
	return func(a arguments, _ Options) string { return a.get(keys...) }
}

// summary is what the agent says of its work, without its markup.
func summary(a arguments, _ Options) string {
	return strongMark().ReplaceAllString(brief(a.get("summary")), "$1")
}

// after is a subject with words before it.
func after(words string, keys ...string) func(arguments, Options) string {
	return func(a arguments, _ Options) string { return words + shortID(a.get(keys...)) }
}

// shortID is enough of a UUID to tell it from its neighbours.
func shortID(id string) string {
	if len(id) == 36 && strings.Count(id, "-") == 4 {
		return id[:8]
	}
	return id
}

// fixed is a subject that is always the same.
func fixed(s string) func(arguments, Options) string {
	return func(arguments, Options) string { return s }
}

// paths is the subject of a tool that works on a file.
func paths(keys ...string) func(arguments, Options) string {
	return func(a arguments, o Options) string { return shortPath(brief(a.get(keys...)), o) }
}

// patched is the first file that a patch names.
func patched(a arguments, o Options) string {
	patch := brief(a.get("input", "patch", ""))
	for line := range strings.Lines(patch) {
		for _, lead := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), lead); ok {
				return shortPath(name, o)
			}
		}
	}
	return ""
}

// searched is a pattern and where it is looked for.
func searched(a arguments, o Options) string {
	s := strconv.Quote(brief(a.get("pattern", "query")))
	var where []string
	for p := range strings.SplitSeq(brief(a.get("paths", "path")), ", ") {
		if p != "" {
			where = append(where, shortPath(p, o))
		}
	}
	if len(where) > 0 {
		s += " in " + strings.Join(where, ", ")
	}
	if g := a.get("glob", "type"); g != "" {
		s += " (" + brief(g) + ")"
	}
	return s
}

// delegated is what a sub-agent is asked for, and which kind it is.
func delegated(a arguments, _ Options) string {
	s := a.get("description", "name", "prompt")
	if kind := a.get("agent_type"); kind != "" {
		s += " (" + kind + ")"
	}
	return s
}

// shortPath shows a path relative to the working directory, or from the home
// directory.
func shortPath(p string, o Options) string {
	for _, base := range []struct{ dir, as string }{{o.Dir, ""}, {o.Home, "~"}} {
		dir := strings.TrimRight(base.dir, `/\`)
		if dir == "" {
			continue
		}
		rest, ok := strings.CutPrefix(p, dir)
		switch {
		case !ok:
		case rest == "" && base.as == "":
			return "."
		case rest == "":
			return base.as
		case strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`):
			if base.as == "" {
				return rest[1:]
			}
			return base.as + rest
		}
	}
	if strings.Contains(p, "/../") || strings.Contains(p, "/./") {
		return path.Clean(p)
	}
	return p
}
