package acp

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// call is what is known of a tool call: it is said in pieces, in updates and in the question
// about it, and what one of them lacks stays as another said.
type call struct {
	toolCall
	parent   session.CallID // that runs the sub-agent whose call this is; "" if none is known
	title    string
	content  []toolContent
	output   []byte // as far as it was reported
	exit     *int
	sequence int
	started  bool // its start was reported
	ended    bool
	refused  bool // the user refused it
}

// call returns the state of a call, which is made when it is named first.
func (t *talk) call(id session.CallID) *call {
	c := t.calls[id]
	if c == nil {
		c = &call{toolCall: toolCall{ID: id}}
		t.calls[id] = c
		t.order = append(t.order, id)
	}
	return c
}

// merge takes what is new. It reports whether the arguments are.
func (c *call) merge(n toolCall, title *string, content jsontext.Value) (grown bool) {
	c.Name = cmp.Or(n.Name, n.Meta.Claude.ToolName, c.Name)
	c.Kind, c.Status = cmp.Or(n.Kind, c.Kind), cmp.Or(n.Status, c.Status)
	c.parent = cmp.Or(n.Meta.Claude.Parent, c.parent)
	if title != nil {
		c.title = cmp.Or(*title, c.title)
	}
	if !empty(n.RawInput) && !bytes.Equal(n.RawInput, c.RawInput) {
		c.RawInput, grown = n.RawInput, true
	}
	if !empty(n.RawOutput) {
		c.RawOutput = n.RawOutput
	}
	if len(n.Locations) > 0 {
		c.Locations = n.Locations
	}
	var pieces []toolContent
	switch {
	case !empty(content) && session.Unmarshal(content, &pieces) == nil:
		c.content = pieces
	case string(content) == "[]" && (n.Status == "completed" || n.Status == "failed"):
		c.content = c.diffs() // what the question said is not what came of it
	}
	if n.Meta.Exit != nil {
		c.exit = n.Meta.Exit.Code
	}
	return grown
}

// empty reports whether a member says nothing: it is absent, null, {} or [].
func empty(v jsontext.Value) bool {
	return null(v) || string(v) == "{}" || string(v) == "[]"
}

// toolCall is what an update of a call says.
func (t *talk) toolCall(u update) []session.Body {
	if u.ID == "" {
		return nil
	}
	if c, known := t.calls[u.ID]; known && c == nil { // late news: what came of it was said
		return nil
	}
	c := t.call(u.ID)
	first := c.Kind == "" && c.title == ""
	grown := c.merge(u.toolCall, u.Title, u.Content)
	var out []session.Body
	if first {
		out = t.place(c, u.Meta.Copilot.Agent)
		out = append(out, t.endThought()...)
		out = append(out, session.AssistantToolCallDelta{ToolCallID: c.ID, ToolName: c.tool()})
	}
	// The arguments grow while the model writes them. They are complete when it works with them, or
	// says something about the call that is not about them.
	if c.Status != "pending" && c.Status != "" || !first && !grown && !empty(c.RawInput) {
		out = append(out, t.start(c)...)
	}
	if !c.started {
		return out
	}
	out = append(out, c.progress(u.Meta)...)
	switch c.Status {
	case "completed", "failed":
		if t.replayed.on {
			t.replayed.call = c
			return out
		}
		out = append(out, t.complete(c, c.result())...)
		t.sweep()
	}
	return out
}

// start reports the start of a call, once: the message that makes it, and that it begins.
func (t *talk) start(c *call) []session.Body {
	if c.started {
		return nil
	}
	c.started = true
	args := c.arguments()
	out := append(t.endThought(), t.endMessageWith([]session.ToolRequest{{
		ToolCallID: c.ID, Name: c.tool(), ToolTitle: c.title, Arguments: args,
	}}, "")...)
	return append(out, session.ToolExecutionStart{
		ToolCallID: c.ID, ToolName: c.tool(), ToolTitle: c.title, Arguments: args, Model: t.model, ParentToolCallID: c.parent,
	})
}

// tool is the name of the call's tool: the agent's, where it is known what such a tool does, else
// one that says what the call is for.
func (c *call) tool() string {
	if name := strings.ToLower(c.Name); session.FamilyOf(name) != session.OtherTool {
		return name
	}
	switch c.Kind {
	case "execute":
		return "shell"
	case "edit":
		if diffs := c.diffs(); len(diffs) == 1 && diffs[0].creates() {
			return "create"
		}
		return "edit"
	case "read", "search", "fetch", "delete":
		return c.Kind
	}
	if c.delegates() {
		return "task"
	}
	return cmp.Or(c.Name, c.title, c.Kind, "tool")
}

// creates reports whether a change makes a file.
func (d toolContent) creates() bool { return d.Old == nil || *d.Old == "" }

// diffs are the changes that a call makes.
func (c *call) diffs() []toolContent {
	return slices.DeleteFunc(slices.Clone(c.content), func(p toolContent) bool { return p.Type != "diff" })
}

// text is the text that a call shows.
func (c *call) text() string {
	var b strings.Builder
	for _, p := range c.content {
		if p.Type == "content" && p.Content.attachments() == nil {
			b.WriteString(p.Content.markdown())
		}
	}
	return b.String()
}

// parts are what a call shows in addition to its text: images, sounds and documents, and the places
// in files that it is about.
func (c *call) parts() (parts []session.ContentBlock) {
	for _, p := range c.content {
		if p.Type != "content" || p.Content.attachments() == nil {
			continue
		}
		part := session.ContentBlock{Type: p.Content.Type, MIMEType: p.Content.MIMEType, Data: p.Content.Data, Name: p.Content.Name}
		if r := p.Content.Resource; r != nil {
			part.Resource = &session.EmbeddedResource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob}
		}
		parts = append(parts, part)
	}
	return append(parts, c.places()...)
}

// places are the places in files that a call is about, but the file that stands in its title. Those of
// a command are only the folder that it runs in.
func (c *call) places() (links []session.ContentBlock) {
	if c.Kind == "execute" {
		return nil
	}
	shown := map[string]bool{c.path(): true, "": true}
	for _, d := range c.diffs() {
		shown[d.Path] = true
	}
	for _, l := range c.Locations {
		name := l.Path
		if l.Line > 1 && l.Path != "" {
			name += ":" + strconv.Itoa(l.Line)
		}
		if !shown[name] && (c.Kind != "edit" || !shown[l.Path]) {
			links = append(links, session.ContentBlock{Type: "resource_link", Name: name})
			shown[name] = true
		}
	}
	return links
}

// input are the arguments of a call that are read, as agents name them.
type input struct {
	Command jsontext.Value `json:"command"` // a text, or a list of words
	Why     string         `json:"description"`
	Diff    string         `json:"diff"`
	Plan    string         `json:"plan"`
	URL     string         `json:"url"`
	Path    string         `json:"path"`
	File    string         `json:"file_path"`
	Name    string         `json:"fileName"`

	Prompt       string `json:"prompt"` // of a sub-agent
	AgentType    string `json:"agent_type"`
	SubagentType string `json:"subagent_type"`
}

func (c *call) input() (in input) {
	session.ReadWhatFits(c.RawInput, &in)
	return in
}

// command is the command line of a call that runs one. What the title says is only the agent's
// word for it, but of an agent that sends no arguments it is all there is.
func (c *call) command() string {
	in := c.input()
	var line string
	var words []string
	switch {
	case null(in.Command):
		return c.title
	case session.Unmarshal(in.Command, &line) == nil:
		return line
	case session.Unmarshal(in.Command, &words) == nil:
		return strings.Join(words, " ")
	}
	return string(in.Command)
}

// path is the file or folder that a call is about; "" if it does not say.
func (c *call) path() string {
	in := c.input()
	p := cmp.Or(in.Path, in.File, in.Name)
	if diffs := c.diffs(); p == "" && len(diffs) > 0 {
		p = diffs[0].Path
	}
	if p == "" && len(c.Locations) > 0 {
		p = c.Locations[0].Path
	}
	return p
}

// arguments are those of the call. Of an agent that sends none, they are what else it says.
func (c *call) arguments() jsontext.Value {
	if !empty(c.RawInput) {
		return c.RawInput
	}
	args := map[string]string{}
	if c.Kind == "execute" && c.title != "" {
		args["command"] = c.title
	} else if p := c.path(); p != "" {
		args["path"] = p
	}
	raw, err := json.Marshal(args, json.Deterministic(true))
	if err != nil || len(args) == 0 {
		return nil
	}
	return raw
}

// progress is what an update reports of a call that runs: its output, which some send whole each
// time and some in pieces, in a member of their own.
func (c *call) progress(meta callMeta) (out []session.Body) {
	for _, piece := range []*terminalOutput{meta.Output, meta.OutputDelta} {
		if piece != nil && piece.Data != "" {
			out = append(out, c.append(piece.Data))
		}
	}
	switch whole := c.text(); {
	case c.Kind != "execute" || c.Status != "in_progress" || whole == string(c.output) || whole == "":
	case len(c.output) > 0 && len(whole) > len(c.output) && whole[:len(c.output)] == string(c.output):
		out = append(out, c.append(whole[len(c.output):]))
	default:
		c.output = []byte(whole)
		out = append(out, session.ToolExecutionPartialResult{ToolCallID: c.ID, PartialOutput: whole})
	}
	return out
}

func (c *call) append(output string) session.Body {
	c.output = append(c.output, output...)
	c.sequence++
	return session.ToolShellOutput{ToolCallID: c.ID, Stream: "terminal", Text: output, Sequence: c.sequence - 1}
}

// result is what came of a call that has ended. A command that has an exit code ran.
func (c *call) result() session.ToolExecutionComplete {
	var out struct {
		Output   string `json:"output"`
		Content  string `json:"content"`
		Metadata struct {
			Exit *int `json:"exit"`
		} `json:"metadata"`
	}
	var plain string
	session.ReadWhatFits(c.RawOutput, &out)
	_ = session.Unmarshal(c.RawOutput, &plain)
	if c.exit == nil {
		c.exit = out.Metadata.Exit
	}
	b := session.ToolExecutionComplete{Success: c.Status == "completed" || c.exit != nil}
	b.Result = &session.ToolResult{
		Content: cmp.Or(c.unfenced(), string(c.output), plain, out.Output, out.Content), Contents: c.parts(),
	}
	if b.Success && b.Result.Content == "" && len(b.Result.Contents) == 0 && empty(c.RawOutput) && c.Kind != "execute" {
		b.Result = nil // the agent does not say what it has found, which may be something
	}
	if c.exit != nil {
		b.ShellExecution = &session.ShellExecution{ExitCode: c.exit}
	}
	if !b.Success {
		b.Error = &session.ToolError{Message: cmp.Or(b.Result.Content, "It failed, and the agent does not say why.")}
		if c.refused {
			b.Error = &session.ToolError{Code: "rejected", Message: cmp.Or(b.Result.Content, refusedText)}
		}
	}
	return b
}

// refusedText is the error of a call that the user refused, where the agent has no other: the
// Copilot CLI's.
const refusedText = "The user rejected this tool call."

// unfenced is the text of a call without the code fence that some agents put around output.
func (c *call) unfenced() string {
	s := c.text()
	if first, rest, found := strings.Cut(s, "\n"); found && strings.HasPrefix(first, "```") {
		if inner, ok := strings.CutSuffix(strings.TrimRight(rest, "\n"), "```"); ok {
			return inner
		}
	}
	return s
}

// complete ends a call: the changes that it made are part of the event.
func (t *talk) complete(c *call, b session.ToolExecutionComplete) []session.Body {
	out := t.start(c)
	if c.delegates() { // what was said until now is the sub-agent's, which is not marked
		out = append(out, t.endMessage()...)
	}
	c.ended = true
	b.ToolCallID, b.Model, b.ParentToolCallID = c.ID, t.model, c.parent
	if diffs := c.diffs(); len(diffs) > 0 && b.Success {
		if b.Result == nil {
			b.Result = &session.ToolResult{}
		}
		b.Result.DetailedContent = t.unified(diffs)
		for _, d := range diffs {
			kind := "edit"
			if d.creates() {
				kind = "create"
			}
			b.FileEdits = append(b.FileEdits, session.FileEdit{Path: d.Path, Kind: kind})
		}
	}
	return append(out, b)
}
