package prompts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/render/text"
	"parley/session"
)

// places are the folders a card speaks of.
type places struct {
	home string // shown as ~
	dir  string // the session's working folder
}

// short returns a path as a user writes it.
func (p places) short(path string) string { return text.PathFromHome(p.home, path) }

// permissionKind is the question whether a tool may be used.
func permissionKind(a session.PermissionRequested) askKind {
	r, p := a.PermissionRequest, session.PromptRequest{}
	if a.PromptRequest != nil {
		p = *a.PromptRequest
	}
	topic := cmp.Or(
		firstLine(cmp.Or(r.FullCommandText, p.FullCommandText)),
		cmp.Or(r.FileName, p.FileName), cmp.Or(r.URL, p.URL), cmp.Or(r.Path, p.Path),
		cmp.Or(r.ToolTitle, p.ToolTitle), cmp.Or(r.ToolName, p.ToolName),
		firstLine(r.Intention), "a permission",
	)
	verbs := map[string]string{kindShell: "run", kindWrite: "change", kindRead: "read", kindURL: "open"}
	return askKind{
		of: about{request: a.RequestID, call: a.Call(), ends: withAbort}, topic: topic,
		wish: "wants to " + cmp.Or(verbs[r.Kind], "use") + " " + topic,
		open: func(q *Queue, _ about, ev session.Event) dialog {
			a.OwnerAgentID = cmp.Or(a.OwnerAgentID, ev.Agent)
			return newPermission(a, q.asker(a.OwnerAgentID), q.places)
		},
	}
}

// newPermission puts a question for a permission on a card (docs/decisions.md 4, 7
// and 8; docs/protocol.md, section 7.1). Kinds it does not know are shown as they
// came, with no more offered than once and no.
func newPermission(r session.PermissionRequested, asker string, p places) *choiceDialog {
	w := merge(r)
	c := newCard(about{request: r.RequestID, call: w.call, agent: r.OwnerAgentID}, w.title())
	c.payload, c.facts, c.details, c.alerts = w.payload(p), w.facts(asker, p), w.details(r), w.alerts(p.home)
	if len(r.Options) > 0 && w.saysNothing() {
		c.alerts = append(c.alerts, noPayload)
	}
	c.note = &textAnswer{label: "A note for the agent, a prompt after this call:", hint: "save the note"}
	c.danger, c.brief = len(c.alerts) > 0, true
	if len(r.Options) > 0 {
		c.choices.rows = w.optionRows(r.Options)
	} else {
		c.choices.rows = w.rows(c.danger)
	}
	c.unseen = w.unseen(c.choices.rows)
	return c
}

// title is what will happen, as one plain question.
func (w *permissionRequest) title() string {
	switch {
	case w.kind == kindShell && len(w.allCommands) > 1:
		return "Run these commands?"
	case w.kind == kindWrite && w.creates:
		return "Create this file?"
	case w.kind == kindMemory && w.action != "" && w.action != "store":
		return "Change what is remembered?"
	case w.kind == kindPath:
		verb, what := map[string]string{"read": "Read", "write": "Write to"}[w.access], "these paths"
		if len(w.paths) == 1 {
			what = "this path"
		}
		return cmp.Or(verb, "Let a command use") + " " + what + "?"
	}
	return cmp.Or(permissionTitles[w.kind], "Allow this?")
}

// permissionTitles are the titles by the kind of what is asked for.
var permissionTitles = map[string]string{
	kindShell:                     "Run this command?",
	kindWrite:                     "Change this file?",
	kindRead:                      "Read this path?",
	kindURL:                       "Fetch this address?",
	kindMCP:                       "Call this tool?",
	kindCustomTool:                "Call this tool?",
	kindMemory:                    "Remember this?",
	kindHook:                      "A hook asks: continue with this tool?",
	"extension-management":        "Change the extensions?",
	"extension-permission-access": "Give an extension these permissions?",
	"extension-env-access":        "Show an extension these variables?",
	"workflow":                    "Run this workflow?",
}

// facts are what must be known in addition to the payload. What the runtime does not
// say is not made up.
func (w *permissionRequest) facts(asker string, p places) []fact {
	var f factList
	for _, dir := range w.where(p) {
		f.add("in", p.short(dir))
	}
	paths, others := w.named()
	f.add("paths", strings.Join(w.resolved(paths, p), ", "))
	if len(others) > 0 {
		f.add("named", "by the agent: "+strings.Join(others, ", "))
	}
	f.add("reaches", strings.Join(w.addresses, ", "))
	f.add("from", w.from)
	f.add("effect", w.effect())
	f.add("also", strings.Join(w.otherFields, "\n"))
	f.add("asked by", asker)
	f.add("purpose", w.purpose())
	for _, c := range w.conflicts {
		f = append(f, fact{"but also", text.SanitizeShowHidden(c.label + ": " + c.text), true})
	}
	f.add("why", w.why())
	return f
}

// effect is whether a tool of a server changes anything. That it does not is a
// claim of the server's, which nothing checks.
func (w *permissionRequest) effect() string {
	switch {
	case w.kind != kindMCP:
		return ""
	case w.readsOnly:
		return "only reads, as the server says"
	}
	return "may change things: the server does not say that it only reads"
}

// where are the folders that what is asked for depends on: an address and a
// whole path are the same in every folder.
func (w *permissionRequest) where(p places) []string {
	whole := func(paths ...string) bool {
		return !slices.ContainsFunc(paths, func(name string) bool { return !text.WholePath(name) })
	}
	switch {
	case len(w.dirs) > 0 || w.command != "":
	case w.kind == kindURL || w.kind == kindMemory,
		w.kind == kindWrite && whole(w.file), w.kind == kindRead && whole(w.path), w.kind == kindPath && whole(w.paths...):
		return nil
	}
	return w.folders(p)
}

// purpose is what the agent says it does this for; nothing where the runtime
// says there only what the title does.
func (w *permissionRequest) purpose() string {
	switch w.kind {
	case kindWrite:
		if w.intention == "Edit file" || w.intention == "Create file" {
			return ""
		}
	case kindRead:
		if w.intention == "Read file" || w.intention == "Read file: "+w.path {
			return ""
		}
	}
	return w.intention
}

// why returns what the runtime reports about why it asks, and else that nothing
// allows it (docs/decisions.md 8).
func (w *permissionRequest) why() string {
	var said []string
	if w.managed {
		said = append(said, "your organisation requires a user to approve this")
	}
	if w.hookMessage != "" {
		said = append(said, "a hook says: "+w.hookMessage)
	}
	if w.kind == kindPath {
		said = append(said, "outside the folders the agent may use")
	}
	if w.reason != "" {
		said = append(said, w.reason)
	}
	switch {
	case len(said) == 0 && w.options:
		return "the agent asks before this"
	case len(said) == 0:
		return "not allowed yet: " + w.name()
	}
	return strings.Join(said, "; ")
}

// name is what a rule would have to name.
func (w *permissionRequest) name() string {
	switch {
	case w.kind == kindShell && len(w.commands) > 0:
		return list(w.commands)
	case w.kind == kindURL && w.domain != "":
		return quote(w.domain)
	case w.kind == kindMCP, w.kind == kindCustomTool, w.kind == kindHook:
		return quote(w.tool)
	}
	return cmp.Or(map[string]string{
		kindShell: "this command", kindWrite: "file changes", kindRead: "reading files", kindURL: "this address", kindMemory: "memories",
	}[w.kind], quote(w.kind))
}

// quote shows a name inside a sentence: on one line, with nothing left out.
func quote(s string) string {
	return "`" + strings.ReplaceAll(text.SanitizeShowHidden(s), "\n", "⟦LF⟧") + "`"
}

// list joins names as a sentence does.
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + " and " + quoted[n-1]
	}
	return strings.Join(quoted, "")
}

// rows are the answers that are offered.
func (w *permissionRequest) rows(danger bool) []row {
	rows := []row{{key: "y", label: "Yes, once", answer: w.answer(session.ApproveOnce), approves: true}}
	if !danger && !w.managed {
		rows = append(rows, w.scopes()...)
	}
	empty := "leave it empty and press enter to refuse and stop the turn"
	if w.kind == kindHook { // the runtime takes it for the hook's own no
		empty = "leave it empty and press enter to refuse; the turn continues"
	}
	no := &textAnswer{
		label: "What should it do instead?", hint: "refuse", empty: empty,
		blank: w.answer(session.Reject),
		answer: func(text string) (session.Answer, string) {
			a := w.answer(session.Reject)
			a.Feedback = text
			return a, ""
		},
	}
	return append(rows, row{key: "n", label: "No, and say what to do instead", opens: no})
}

func (w *permissionRequest) answer(d session.Decision) session.PermissionAnswer {
	return session.PermissionAnswer{RequestID: w.request, Decision: d}
}

// unseen approves once what was not read to its end: only with a word that
// is not typed by accident.
func (w *permissionRequest) unseen(rows []row) *row {
	i := slices.IndexFunc(rows, func(r row) bool { return r.key == "y" })
	if i < 0 {
		return nil
	}
	return &row{
		key: "u", label: "Yes, rest unread (type yes)", unseen: true,
		opens: sure("Type yes to allow it without having read all of it:", "allow it unread", rows[i].answer),
	}
}

// scopes are the approvals that are remembered, each named after the exact
// thing that is remembered.
func (w *permissionRequest) scopes() []row {
	if w.kind == kindURL {
		return w.addressScopes()
	}
	if w.kind == kindPath {
		if w.access != "read" || len(w.readOnly) == 0 {
			return nil
		}
		// The runtime takes this decision and asks about the same file again
		// (seen with 1.0.102); other decisions would allow writing, too.
		return []row{{
			key: "s", label: fmt.Sprintf("Yes, reading in %s for this session (it may ask again)", list(w.readOnly)),
			approves: true, lasts: true,
			answer: session.PermissionAnswer{
				RequestID: w.request, Decision: session.ApproveReadOnlyForSession, Directories: w.readOnly,
			},
		}}
	}
	approval, what := w.approval()
	if approval == nil {
		return nil
	}
	scoped := func(key, where string, d session.Decision) row {
		a := w.answer(d)
		a.Approval = approval
		return row{key: key, label: "Yes, " + what + where, approves: true, answer: a}
	}
	here := scoped("s", " for this session", session.ApproveForSession)
	always := scoped("l", ", always in this project", session.ApproveForLocation)
	here.lasts, always.careful = true, true
	return []row{here, always}
}

// approval is what a session or location approval would cover, and its name;
// nil when the runtime offers none.
func (w *permissionRequest) approval() (*session.Approval, string) {
	switch w.kind {
	case kindShell:
		if w.canScope && len(w.commands) > 0 && !w.commandsDiffer {
			return &session.Approval{Kind: "commands", CommandIdentifiers: w.commands}, list(w.commands)
		}
	case kindWrite:
		if w.canScope {
			return &session.Approval{Kind: "write"}, "every file change"
		}
	case kindRead:
		return &session.Approval{Kind: "read"}, "reading any file in allowed folders"
	case kindMCP:
		if w.server != "" && w.tool != "" {
			return &session.Approval{Kind: "mcp", ServerName: w.server, ToolName: new(w.tool)}, quote(w.tool) + " of " + quote(w.server)
		}
	case kindCustomTool:
		if w.tool != "" {
			return &session.Approval{Kind: "custom-tool", ToolName: new(w.tool)}, quote(w.tool)
		}
	case kindMemory:
		return &session.Approval{Kind: "memory"}, "every memory"
	}
	return nil, ""
}

// addressScopes are the approvals of an address: for the session, and for
// good, which has to be typed (docs/decisions.md 4).
func (w *permissionRequest) addressScopes() []row {
	if w.domain == "" {
		return nil
	}
	answer := func(d session.Decision) session.Answer {
		a := w.answer(d)
		a.Domain = w.domain
		return a
	}
	name := quote(w.domain)
	forGood := sure("Type yes to allow "+name+" in every session from now on:", "allow for good", answer(session.ApprovePermanently))
	return []row{
		{key: "s", label: "Yes, " + name + " for this session", answer: answer(session.ApproveForSession), approves: true, lasts: true},
		{key: "P", label: "Yes, " + name + " in every session (asks to type yes)", opens: forGood, approves: true},
	}
}
