package policy

import (
	"cmp"
	"slices"
	"strings"

	"parley/render/text"
	"parley/session"
)

// request is what the agent asks to be permitted: the two forms of a
// permission request as one (docs/decisions.md 8), as far as a rule can be
// about it.
type request struct {
	kind      string
	text      string // of a command line, whole
	commands  []command
	files     []string // that are changed
	addresses []string // that are reached, one after the other
	server    string
	tool      string
	unparsed  bool   // of a command line only the text is known, as with every agent that has its own options
	managed   bool   // a setting of the organisation asks for a user
	danger    string // why no rule may permit it, in words; "" for no reason
}

// readRequest brings the two forms together. Where they differ, that is a
// danger: a rule would be matched with one of them and the other be done.
func readRequest(r session.PermissionRequested) request {
	a, p := r.PermissionRequest, session.PromptRequest{}
	if r.PromptRequest != nil {
		p = *r.PromptRequest
	}
	w := request{
		managed:  a.ManagedApprovalRequired || p.ManagedApprovalRequired,
		unparsed: len(r.Options) > 0 && len(a.Commands)+len(a.CommandSegments) == 0,
	}
	differ := w.readKind(p.Kind, a.Kind)
	one := func(shown, asked string) string {
		if shown == "" {
			return asked
		}
		differ = differ || asked != "" && asked != shown
		return shown
	}
	w.text = one(p.FullCommandText, a.FullCommandText)
	for _, address := range []string{one(p.RedirectedFrom, a.RedirectedFrom), one(p.URL, a.URL)} {
		if address != "" {
			w.addresses = append(w.addresses, address)
		}
	}
	w.server = one(p.ServerName, a.ServerName)
	w.tool = one(p.ToolName, strings.TrimPrefix(a.ToolName, w.server+"-"))
	file := one(p.FileName, a.FileName)
	paths := append(slices.Clone(p.Paths), one(p.Path, a.Path))
	differ = differ || len(p.Paths) > 0 && a.Path != "" && !slices.Contains(p.Paths, a.Path)
	w.readCommands(p, a)
	w.readFiles(file, p, a)
	shown := slices.Concat(w.files, w.addresses, paths, []string{w.text, w.server, w.tool})
	switch {
	case differ:
		w.danger = "the agent describes it in two ways"
	case a.RequestSandboxBypass || p.RequestSandboxBypass:
		w.danger = "it would leave the sandbox"
	case a.Warning != "" || p.Warning != "":
		w.danger = "the agent warns of it"
	case slices.ContainsFunc(shown, text.HasHiddenChars):
		w.danger = "it holds hidden or control characters"
	default:
		w.danger = w.dangerOfShell(a)
	}
	return w
}

// dangerOfShell is why no rule may permit a command line; "" for no reason.
func (w *request) dangerOfShell(a session.PermissionRequest) string {
	unseen := func(s session.CommandSegment) bool { return s.HasUnboundExecutableContent }
	switch {
	case a.HasWriteFileRedirection, w.unparsed && w.kind == KindShell && strings.Contains(w.text, ">"):
		return "it redirects output into a file"
	case slices.ContainsFunc(a.CommandSegments, unseen):
		return "it runs what cannot be seen in the command"
	case w.kind != KindShell:
		return ""
	case a.Kind == "" || w.text == "" || len(a.Commands)+len(a.CommandSegments) == 0 && !w.unparsed:
		return "not all of it is known"
	case changesEnvironment(w.text):
		return "it changes the environment of a command"
	}
	return ""
}

// readKind settles the kind, and says whether the two forms differ. A question
// about paths comes before the one about what is done with them, and is of its
// own kind.
func (w *request) readKind(shown, asked string) (differ bool) {
	switch w.kind = shown; shown {
	case "commands":
		w.kind = KindShell
	case "":
		w.kind = asked
	case kindPath:
		return false
	}
	return asked != "" && asked != w.kind
}

// readCommands collects the commands that either form names, each once.
func (w *request) readCommands(p session.PromptRequest, a session.PermissionRequest) {
	add := func(identifier, match string) *command {
		name := cmp.Or(match, identifier)
		i := slices.IndexFunc(w.commands, func(c command) bool { return c.name == name })
		if i < 0 {
			i = len(w.commands)
			w.commands = append(w.commands, command{name: name})
		}
		w.commands[i].exact = w.commands[i].exact || match != "" && match != identifier
		return &w.commands[i]
	}
	var identifiers []string
	for _, c := range a.Commands {
		identifiers = append(identifiers, c.Identifier)
		add(c.Identifier, c.AllowMatchIdentifier)
	}
	for _, s := range a.CommandSegments {
		identifiers = append(identifiers, s.Identifier)
		c := add(s.Identifier, s.AllowMatchIdentifier)
		c.texts = append(c.texts, s.FullCommandText)
	}
	for _, identifier := range p.CommandIdentifiers {
		if !slices.Contains(identifiers, identifier) {
			add(identifier, "")
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
