package prompts

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"parley/render/diff"
	"parley/render/text"
	"parley/session"
)

// The kinds of what is asked for that have cards of their own, after the two forms of
// the protocol were brought together (docs/protocol.md, section 7.1).
const (
	kindShell      = "shell"
	kindWrite      = "write"
	kindRead       = "read"
	kindPath       = "path"
	kindURL        = "url"
	kindMCP        = "mcp"
	kindCustomTool = "custom-tool"
	kindMemory     = "memory"
	kindHook       = "hook"
)

// permissionRequest is what the agent asks for: PermissionRequest and PromptRequest as
// one. Where the two differ, the field holds what the prompt says, and
// conflicts what the request says (docs/decisions.md 8).
type permissionRequest struct {
	request session.RequestID
	call    session.CallID
	kind    string

	command        string
	commands       []string // identifiers, each once
	allCommands    []string // with those that it does not ask for
	commandsDiffer bool
	dirs           []string // working folders of its parts, each once
	paths          []string // of a path question; else those the runtime found
	access         string
	readOnly       []string
	addresses      []string
	domain         string // scheme://host:port of url
	redirects      bool
	readsOnly      bool // a tool, as its server says
	options        bool // the answers are the agent's own
	canScope       bool

	file, diff, contents    string
	creates                 bool
	path, url               string
	server, tool, toolTitle string
	description, args       string
	hookMessage             string
	action, subject, fact   string
	citations, reason       string
	intention               string
	warnings                []string
	bypass                  bool
	bypassReason            string
	managed                 bool
	from                    string   // the address that led to url
	rest                    string   // fields without a name here, as JSON
	otherFields             []string // what else is asked, that has no place on a card of this kind
	conflicts               []fact
	change                  *diff.Diff // diff, or contents as a new file; nil: neither reads as one
}

// merge brings the two forms of a question together.
func merge(r session.PermissionRequested) *permissionRequest {
	a := r.PermissionRequest
	var p session.PromptRequest
	if r.PromptRequest != nil {
		p = *r.PromptRequest
	}
	w := &permissionRequest{request: r.RequestID, call: a.ToolCallID, kind: p.Kind, options: len(r.Options) > 0}
	if w.call == "" {
		w.call = p.ToolCallID
	}
	w.mergeKind(p.Kind, a.Kind)
	w.command = w.pick("command", p.FullCommandText, a.FullCommandText)
	w.file = w.pick("file", p.FileName, a.FileName)
	w.diff = w.pick("change", p.Diff, a.Diff)
	w.contents = w.pick("contents", p.NewFileContents, a.NewFileContents)
	w.mergeChange(slices.Concat(p.FileEdits, a.FileEdits))
	w.path = w.pick("path", p.Path, a.Path)
	w.url = w.pick("address", p.URL, a.URL)
	w.server = w.pick("server", p.ServerName, a.ServerName)
	w.tool = w.pick("tool", p.ToolName, strings.TrimPrefix(a.ToolName, w.server+"-"))
	w.toolTitle = w.pick("title", p.ToolTitle, a.ToolTitle)
	w.description = w.pick("description", p.ToolDescription, a.ToolDescription)
	w.from = w.pick("from", p.RedirectedFrom, a.RedirectedFrom)
	w.args = w.pick("arguments", pretty(p.Args), pretty(a.Args))
	w.args = w.pick("arguments", w.args, w.pick("arguments", pretty(p.ToolArgs), pretty(a.ToolArgs)))
	w.hookMessage = w.pick("hook", p.HookMessage, a.HookMessage)
	w.action = w.pick("action", p.Action, a.Action)
	w.subject = w.pick("subject", p.Subject, a.Subject)
	w.fact = w.pick("fact", p.Fact, a.Fact)
	w.citations = w.pick("citations", plain(p.Citations), plain(a.Citations))
	w.reason = w.pick("reason", p.Reason, a.Reason)
	w.intention = w.pick("purpose", p.Intention, a.Intention)
	w.warnings = unique(text.NonEmpty([]string{p.Warning, a.Warning}))
	w.bypass = p.RequestSandboxBypass || a.RequestSandboxBypass
	w.bypassReason = w.pick("sandbox", p.RequestSandboxBypassReason, a.RequestSandboxBypassReason)
	w.managed = p.ManagedApprovalRequired || a.ManagedApprovalRequired
	w.redirects = a.HasWriteFileRedirection
	w.readsOnly = a.ReadOnly || a.Kind == "" && p.ReadOnly
	w.canScope = a.CanOfferSessionApproval || p.CanOfferSessionApproval
	w.mergeCommands(p, a)
	w.mergePaths(p, a)
	w.mergeAddresses(a)
	w.creates = len(a.FileEdits) > 0 && a.FileEdits[0].Before == nil || strings.Contains(w.diff, "\n--- a/dev/null\n") ||
		strings.Contains(w.diff, "\n--- /dev/null\n")
	w.mergeRest(p, a)
	return w
}

// pick returns what the prompt shows, or what the request asks for where the
// prompt is silent. Two different texts are a conflict.
func (w *permissionRequest) pick(label, shown, asked string) string {
	if shown == "" {
		return asked
	}
	if asked != "" && asked != shown {
		w.differ(label, asked)
	}
	return shown
}

// differ notes that the two forms say different things.
func (w *permissionRequest) differ(label, text string) {
	w.conflicts = append(w.conflicts, fact{label: label, text: text})
}

// mergeChange reads the change. One that names other files than the question
// does is a conflict, and so is one that makes another text.
func (w *permissionRequest) mergeChange(edits []session.FileEditChange) {
	var names []string
	if w.diff != "" {
		if d, ok := diff.Parse(w.diff); ok {
			w.change, names = d, d.Names()
		}
	} else if w.contents != "" {
		w.change, names = diff.NewFile(w.file, w.contents), []string{w.file}
	}
	named := func(file string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			file, name = filepath.ToSlash(file), filepath.ToSlash(name) // a diff of Git has slashes on every system
			return strings.HasSuffix("/"+strings.TrimPrefix(file, "/"), "/"+strings.TrimPrefix(name, "/"))
		})
	}
	switch {
	case w.change == nil:
	case w.file != "" && !named(w.file):
		w.differ("file", strings.Join(names, ", "))
	default:
		w.change.Name(w.file)
	}
	w.mergeContents(edits, names, named)
}

// mergeContents holds the texts that the question brings along to its change.
func (w *permissionRequest) mergeContents(edits []session.FileEditChange, names []string, named func(string) bool) {
	var before *string
	for _, e := range edits {
		if e.Before != nil && e.Before.Path == w.file {
			before = &e.Before.Content
		}
		switch {
		case e.After == nil:
		case e.After.Path != w.file && !named(e.After.Path):
			w.differ(e.After.Path, e.After.Content)
		case e.After.Path == w.file && w.contents != "" && e.After.Content != w.contents:
			w.differ("contents", e.After.Content)
		}
	}
	if w.diff != "" && w.contents != "" && (w.change == nil || len(names) == 1 && !w.change.Produces(before, w.contents)) {
		w.differ("contents", w.contents)
	}
}

// mergeKind settles what kind of question this is. A path question may be
// asked about any request.
func (w *permissionRequest) mergeKind(shown, asked string) {
	switch shown {
	case "commands":
		w.kind = kindShell
	case "":
		w.kind = asked
	}
	if shown != "" && w.kind != kindPath && asked != "" && w.kind != asked {
		w.differ("kind", asked)
	}
	if w.kind == "" {
		w.kind = "unknown"
	}
}

func (w *permissionRequest) mergeCommands(p session.PromptRequest, a session.PermissionRequest) {
	var all []string
	for _, c := range a.Commands {
		all = append(all, c.Identifier)
	}
	all = unique(text.NonEmpty(all))
	w.commands = all
	if len(p.CommandIdentifiers) > 0 { // without those that only read, and those that are allowed already
		w.commands = p.CommandIdentifiers
		w.commandsDiffer = len(all) > 0 && !within(p.CommandIdentifiers, all)
	}
	w.allCommands = unique(slices.Concat(w.commands, all))
	for _, s := range a.CommandSegments {
		if !strings.Contains(unspaced(w.command), unspaced(s.FullCommandText)) {
			w.differ("part", s.FullCommandText)
		}
		w.dirs = append(w.dirs, s.WorkingDirectory)
	}
	w.dirs = unique(text.NonEmpty(w.dirs))
}

// unspaced is a command without blanks, which parsers do not keep.
func unspaced(command string) string { return strings.Join(strings.Fields(command), "") }

// unique are the texts of a list, each once, in order.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// within reports whether all of one list are in another.
func within(list, all []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(all, s) })
}

func (w *permissionRequest) mergePaths(p session.PromptRequest, a session.PermissionRequest) {
	w.paths, w.access, w.readOnly = slices.Clone(a.PossiblePaths), p.AccessKind, p.ReadOnlyDirectories
	if w.kind == kindPath {
		if len(p.Paths) > 0 {
			w.paths = p.Paths
		}
		if !slices.Contains([]string{"", "read", "write", "shell"}, w.access) { // the title says the others
			w.otherFields = append(w.otherFields, "access: "+w.access)
		}
		for _, other := range []string{a.Path, a.FileName, p.Path, p.FileName} {
			if other != "" && !slices.Contains(w.paths, other) {
				w.differ("path", other)
			}
		}
		return
	}
	for _, e := range slices.Concat(p.FileEdits, a.FileEdits) {
		for _, v := range []*session.FileVersion{e.Before, e.After} {
			if v != nil && v.Path != w.file && !slices.Contains(w.paths, v.Path) {
				w.paths = append(w.paths, v.Path)
			}
		}
	}
}

func (w *permissionRequest) mergeAddresses(a session.PermissionRequest) {
	for _, u := range a.PossibleURLs {
		if !slices.Contains(w.addresses, u.URL) && u.URL != w.url {
			w.addresses = append(w.addresses, u.URL)
		}
	}
	if u, err := url.Parse(w.url); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		w.domain = u.Scheme + "://" + u.Host
	}
}

// folders are the working folders of what is asked for; that of the session
// where the runtime names none.
func (w *permissionRequest) folders(p places) []string {
	if len(w.dirs) == 0 {
		return []string{p.dir}
	}
	return w.dirs
}

// resolved returns paths as they are after the working folder was put in front of
// the relative ones. A path question shows its paths itself.
func (w *permissionRequest) resolved(paths []string, p places) []string {
	if w.kind == kindPath {
		return nil
	}
	dir := w.folders(p)[0]
	var out []string
	for _, f := range paths {
		if text.WholePath(dir) && !strings.HasPrefix(f, "~") && f != "" {
			f = text.JoinPath(dir, f)
		}
		out = append(out, p.short(f))
	}
	return out
}

// details are what ? shows: all that the runtime reported.
func (w *permissionRequest) details(r session.PermissionRequested) []fact {
	var f factList
	f.add("kind", w.kind)
	for _, c := range r.PermissionRequest.Commands {
		text := c.Identifier
		switch {
		case c.ReadOnly && w.redirects:
			text += ", reads only, but for the file that its output goes to"
		case c.ReadOnly:
			text += ", reads only"
		}
		if c.AllowMatchIdentifier != "" {
			text += ", a rule would name " + c.AllowMatchIdentifier
		}
		f.add("command", text)
	}
	for _, s := range r.PermissionRequest.CommandSegments {
		text := s.FullCommandText
		if text == w.command && !s.HasUnboundExecutableContent {
			continue
		}
		if s.HasUnboundExecutableContent {
			text += " (runs something the runtime cannot see)"
		}
		f.add("part", text)
	}
	f.add("access", w.access)
	f.add("read only", strings.Join(w.readOnly, ", "))
	if w.kind == kindMCP {
		f.add("read only", map[bool]string{true: "yes, as the server says", false: "no"}[w.readsOnly])
	}
	f.add("approvals", string(r.PermissionMode))
	f.add("mode", string(r.AgentMode))
	f.add("risk", plain(r.RiskAssessment))
	f.add("assessed", plain(r.PermissionRequest.AssistedApproval))
	f.add("also", w.rest)
	return f
}

// pretty returns JSON with line ends and indentation, or the bytes as they are.
func pretty(raw []byte) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// plain returns a JSON string without its quotes, and other JSON as it is.
func plain(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return pretty(raw)
}

// joinJSON joins objects that say something, each once.
func joinJSON(objects ...string) string {
	return strings.Join(unique(slices.DeleteFunc(objects, func(o string) bool { return o == "" || o == "{}" })), "\n")
}
