package render

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"parley/render/text"
	"parley/session"
	"parley/timeline"
)

// family is how the calls of a kind of tool are shown.
type family struct {
	verb    string
	subject func(a arguments, o Options) string // raw text; nil is all arguments inline
	facts   func(c *timeline.ToolCall, a arguments, lines int) string
	fold    fold
	path    bool // the subject is a path
	waits   bool // for the user: how long says nothing
}

// fold is what is shown of a finished call's result until it is expanded.
type fold uint8

const (
	foldHead fold = iota // its first lines
	foldTail             // its last lines, as of a shell
	foldAway             // nothing: the first line says it all
	foldDiff             // the changed lines
)

// families say how the calls of each family of tools are drawn; those of
// session.OtherTool are drawn by their names.
var families = map[session.ToolFamily]family{
	session.RunCommand: {verb: "shell", subject: value(session.RunCommand), facts: backgroundFacts, fold: foldTail},
	session.ReadShell:  {verb: "shell", subject: after("output of ", session.ReadShell), fold: foldTail},
	session.WriteShell: {verb: "shell", subject: after("input to ", session.WriteShell), fold: foldTail},
	session.StopShell:  {verb: "shell", subject: after("stop ", session.StopShell), fold: foldAway},
	session.ListShells: {verb: "shell", subject: fixed("running shells"), fold: foldHead},

	session.ReadFile:   {verb: "read", subject: paths(session.ReadFile), facts: readFacts, fold: foldAway, path: true},
	session.EditFile:   {verb: "edit", subject: paths(session.EditFile), fold: foldDiff, path: true},
	session.CreateFile: {verb: "create", subject: paths(session.CreateFile), fold: foldDiff, path: true},
	session.WriteFile:  {verb: "write", subject: paths(session.WriteFile), fold: foldDiff, path: true},
	session.DeleteFile: {verb: "delete", subject: paths(session.DeleteFile), fold: foldDiff, path: true},
	session.PatchFiles: {verb: "edit", subject: patched, fold: foldDiff, path: true},
	session.FileEditor: {verb: "edit", subject: paths(session.FileEditor), fold: foldDiff, path: true},

	session.SearchText: {verb: "search", subject: searched(session.SearchText), facts: grepFacts, fold: foldAway},
	session.SearchCode: {verb: "search", subject: value(session.SearchCode), fold: foldAway},
	session.FindFiles:  {verb: "find", subject: searched(session.FindFiles), facts: globFacts, fold: foldAway},
	session.ListFolder: {verb: "list", subject: paths(session.ListFolder), facts: listFacts, fold: foldAway, path: true},
	session.ReadManual: {verb: "read", subject: fixed("the Copilot CLI documentation"), fold: foldAway},
	session.FetchPage:  {verb: "fetch", subject: value(session.FetchPage), facts: sizeFacts, fold: foldAway},
	session.SearchWeb:  {verb: "search", subject: value(session.SearchWeb), fold: foldHead},

	session.RunAgent:   {verb: "agent", subject: delegated, facts: backgroundFacts, fold: foldHead},
	session.ReadAgent:  {verb: "agent", subject: after("result of ", session.ReadAgent), fold: foldHead},
	session.WriteAgent: {verb: "agent", subject: after("message to ", session.WriteAgent), fold: foldHead},
	session.ListAgents: {verb: "agent", subject: fixed("running agents"), fold: foldHead},

	session.QueryDatabase: {verb: "sql", subject: value(session.QueryDatabase), facts: sqlFacts, fold: foldAway},
	session.UpdateTodos:   {verb: "todo", subject: fixed("update the list"), fold: foldHead},
	session.ReportIntent:  {verb: "intent", subject: value(session.ReportIntent), fold: foldAway},
	session.StoreMemory:   {verb: "memory", subject: value(session.StoreMemory), fold: foldAway},
	session.LoadSkill:     {verb: "skill", subject: value(session.LoadSkill), fold: foldAway},
	session.AskUser:       {verb: "ask", subject: value(session.AskUser), fold: foldHead, waits: true},
	session.ExitPlan:      {verb: "plan", subject: summary, fold: foldAway, waits: true},
	session.FinishTask:    {verb: "done", subject: summary, fold: foldAway},
}

func familyOf(c *timeline.ToolCall, a arguments) family {
	if c.Server != "" {
		return named("mcp", c.Server+" "+cmp.Or(c.Tool, strings.TrimPrefix(c.Name, c.Server+"-")))
	}
	f, ok := families[c.Family()]
	if !ok {
		return named("tool", cmp.Or(c.Name, c.Title))
	}
	switch kind := c.Family(); {
	case c.Title != "" && kind == session.ReadAgent:
		f.subject = fixed("result of " + brief(c.Title))
	case c.Title != "" && kind == session.WriteAgent:
		f.subject = fixed("message to " + brief(c.Title))
	case kind == session.FileEditor && a.get("command") == "view":
		return families[session.ReadFile]
	case kind == session.FileEditor && a.get("command") == "create":
		return families[session.CreateFile]
	}
	return f
}

// named is the family of a tool that is only known by its name.
func named(verb, name string) family {
	return family{verb: verb, fold: foldHead, subject: func(a arguments, _ Options) string {
		return strings.TrimSpace(name + "  " + a.inline())
	}}
}

func value(of session.ToolFamily) func(arguments, Options) string {
	return func(a arguments, _ Options) string { return a.get(of.Subject()...) }
}

// summary is what the agent says of its work, without its markup.
func summary(a arguments, _ Options) string {
	return strongMark().ReplaceAllString(brief(a.get("summary")), "$1")
}

func after(words string, of session.ToolFamily) func(arguments, Options) string {
	return func(a arguments, _ Options) string { return words + shortID(a.get(of.Subject()...)) }
}

// shortID is enough of a UUID to distinguish it from its neighbours.
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

// paths is the subject of a tool that works on a file or a folder.
func paths(of session.ToolFamily) func(arguments, Options) string {
	return func(a arguments, o Options) string { return shortPath(brief(a.get(of.Subject()...)), o) }
}

// patched is the first file that a patch names.
func patched(a arguments, o Options) string {
	patch := brief(a.get(patchArguments...))
	for line := range strings.Lines(patch) {
		for _, lead := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/", "+++ "} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), lead); ok {
				return shortPath(name, o)
			}
		}
	}
	return shortPath(brief(a.get(session.PatchFiles.Subject()...)), o)
}

// searched is a pattern and where it is looked for.
func searched(of session.ToolFamily) func(arguments, Options) string {
	return func(a arguments, o Options) string {
		s := strconv.Quote(brief(a.get(of.Subject()...)))
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
	if rest, ok := text.Below(o.Dir, p); ok && rest == "" {
		return "."
	} else if ok {
		return rest[1:]
	}
	if short := text.PathFromHome(o.Home, p); short != p {
		return short
	}
	if strings.Contains(p, "/../") || strings.Contains(p, "/./") {
		return path.Clean(p)
	}
	return p
}
