package main

import (
	"cmp"
	"slices"
	"strings"

	"parley/render"
	"parley/session"
)

// request is what the agent asks to be permitted: the two forms of a
// permission request as one (decisions, number 8), as far as a rule can be
// about it.
type request struct {
	kind     string
	commands []command
	files    []string
	url      string
	server   string
	tool     string
	managed  bool   // a setting of the organisation asks for a person
	danger   string // why no rule may permit it, in words; "" for no reason
}

// command is one program of a command line.
type command struct {
	// name is what a rule names: the runtime's identifier, or what it has a
	// rule match in its place, such as "git -C" for git in another folder.
	name  string
	texts []string // each time it is called, with its arguments
}

// whole reports whether a rule is exactly what is called, every time.
func (c command) whole(r rule) bool {
	return !r.prefix && len(c.texts) > 0 && !slices.ContainsFunc(c.texts, func(text string) bool { return text != r.arg })
}

// readRequest brings the two forms together. Where they differ, that is a
// danger: a rule would be matched with one of them and the other be done.
func readRequest(r session.PermissionRequested) request {
	a, p := r.PermissionRequest, session.PromptRequest{}
	if r.PromptRequest != nil {
		p = *r.PromptRequest
	}
	w := request{managed: a.ManagedApprovalRequired || p.ManagedApprovalRequired}
	differ := w.readKind(p.Kind, a.Kind)
	one := func(shown, asked string) string {
		if shown == "" {
			return asked
		}
		differ = differ || asked != "" && asked != shown
		return shown
	}
	text := one(p.FullCommandText, a.FullCommandText)
	w.url = one(p.URL, a.URL)
	w.server = one(p.ServerName, a.ServerName)
	w.tool = one(p.ToolName, strings.TrimPrefix(a.ToolName, w.server+"-"))
	file := one(p.FileName, a.FileName)
	w.readCommands(p, a)
	w.readFiles(file, p, a)
	outside := slices.ContainsFunc(a.CommandSegments, func(s session.CommandSegment) bool { return s.HasUnboundExecutableContent })
	hidden := slices.ContainsFunc(slices.Concat(w.files, []string{text, w.url, w.server, w.tool}), render.Deceptive)
	switch {
	case differ:
		w.danger = "the agent describes it in two ways"
	case a.RequestSandboxBypass || p.RequestSandboxBypass:
		w.danger = "it would leave the sandbox"
	case a.HasWriteFileRedirection:
		w.danger = "it redirects output into a file"
	case a.Warning != "" || p.Warning != "":
		w.danger = "the agent warns of it"
	case hidden:
		w.danger = "it holds hidden or control characters"
	case outside:
		w.danger = "it runs what cannot be seen in the command"
	}
	return w
}

// readKind settles the kind, and says whether the two forms differ. A question
// about paths comes before the one about what is done with them, and is of its
// own kind.
func (w *request) readKind(shown, asked string) (differ bool) {
	switch w.kind = shown; shown {
	case "commands":
		w.kind = kindShell
	case "":
		w.kind = asked
	case kindPath:
		return false
	}
	return asked != "" && asked != w.kind
}

// readCommands collects the commands that either form names, each once.
func (w *request) readCommands(p session.PromptRequest, a session.PermissionRequest) {
	add := func(name string) *command {
		i := slices.IndexFunc(w.commands, func(c command) bool { return c.name == name })
		if i < 0 {
			i = len(w.commands)
			w.commands = append(w.commands, command{name: name})
		}
		return &w.commands[i]
	}
	var identifiers []string
	for _, c := range a.Commands {
		identifiers = append(identifiers, c.Identifier)
		add(cmp.Or(c.AllowMatchIdentifier, c.Identifier))
	}
	for _, s := range a.CommandSegments {
		identifiers = append(identifiers, s.Identifier)
		c := add(cmp.Or(s.AllowMatchIdentifier, s.Identifier))
		c.texts = append(c.texts, s.FullCommandText)
	}
	for _, identifier := range p.CommandIdentifiers {
		if !slices.Contains(identifiers, identifier) {
			add(identifier)
		}
	}
}

// readFiles collects every file that a change touches.
func (w *request) readFiles(file string, p session.PromptRequest, a session.PermissionRequest) {
	add := func(name string) {
		if name != "" && !slices.Contains(w.files, name) {
			w.files = append(w.files, name)
		}
	}
	add(file)
	for _, e := range slices.Concat(p.FileEdits, a.FileEdits) {
		for _, v := range []*session.FileVersion{e.Before, e.After} {
			if v != nil {
				add(v.Path)
			}
		}
	}
}
