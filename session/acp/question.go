package acp

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// permission is the question whether a call may run: what was said of the call before counts with
// what the question says of it.
func (t *talk) permission(p permissionParams, id session.RequestID, agent session.Mode) ([]session.Body, session.PermissionRequested) {
	c := t.call(p.ToolCall.ID)
	said := p.ToolCall.toolCall
	said.RawInput, said.Status = united(c.RawInput, said.RawInput), "" // it waits for the answer, whatever it says
	if own := c.input(); !null(own.Command) || cmp.Or(own.Path, own.File, own.Name) != "" {
		said.RawInput = nil // what the call is about was said: some agents name it otherwise in the question
	}
	c.merge(said, p.ToolCall.Title, p.ToolCall.Content)
	out := t.start(c)
	c = &call{toolCall: c.toolCall, title: c.title, content: c.content}
	c.RawInput = united(c.RawInput, p.ToolCall.RawInput)
	in := c.input()
	d := session.PermissionDetails{ToolCallID: c.ID, Intention: in.Why, Kind: "custom-tool"}
	r := session.PermissionRequest{}
	switch c.Kind {
	case "execute":
		d.Kind, d.FullCommandText = "shell", c.command()
	case "edit", "delete", "move":
		d.Kind, d.FileName = "write", c.path()
		d.Diff = cmp.Or(t.unified(c.diffs()), in.Diff)
		if len(c.diffs()) == 1 && c.diffs()[0].creates() {
			d.NewFileContents = c.diffs()[0].New
		}
	case "read", "search":
		d.Kind, d.Path = "read", c.path()
	case "fetch":
		d.Kind, d.URL = "url", cmp.Or(in.URL, c.title)
	}
	if d.Kind == "custom-tool" || d.Kind == "write" && d.Diff == "" || d.Kind == "read" && d.Path == "" {
		d.Kind, d.ToolName, d.ToolTitle, d.Args = "custom-tool", cmp.Or(c.Name, c.tool()), c.title, c.arguments()
		d.ToolDescription = cmp.Or(in.Plan, c.text())
	}
	r.PermissionDetails = d
	ask := session.PermissionRequested{RequestID: id, PermissionRequest: r, AgentMode: agent}
	for _, o := range p.Options {
		kind := session.OptionKind(o.Kind)
		if c.Kind == "switch_mode" && !kind.Refuses() {
			kind = allowMode
		}
		ask.Options = append(ask.Options, session.PermissionOption{ID: o.ID, Name: o.Name, Kind: kind})
	}
	return out, ask
}

// united are the members of two objects; of those that both have, the later ones.
func united(before, later jsontext.Value) jsontext.Value {
	switch {
	case empty(later):
		return before
	case empty(before):
		return later
	}
	members := map[string]jsontext.Value{}
	if session.Unmarshal(before, &members) != nil || session.Unmarshal(later, &members) != nil {
		return later
	}
	raw, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return later
	}
	return raw
}

// allowMode is the kind of an option that approves a plan: whatever the agent says of it, it also chooses
// how much the agent does by itself from then on.
const allowMode session.OptionKind = "allow_mode"

// refuse notes that the user refused calls: some agents say nothing of them any more.
func (t *talk) refuse(calls ...session.CallID) {
	for _, id := range calls {
		if c := t.calls[id]; c != nil {
			c.refused = true
		}
	}
}
