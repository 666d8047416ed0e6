package sessions

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// maxCalls is how many calls are known at a time: those that have not ended, and
// some that have, for their end can be reported twice.
const maxCalls = 256

// call is a tool call, as far as its end needs it.
type call struct {
	ID        session.CallID `json:"id"`
	Name      string         `json:"name,omitzero"`
	Arguments jsontext.Value `json:"arguments,omitzero"`
	Requested bool           `json:"requested,omitzero"` // by the user
	Cut       bool           `json:"cut,omitzero"`       // it was interrupted
	Ended     bool           `json:"ended,omitzero"`
	Failed    bool           `json:"failed,omitzero"`
}

// callOf returns a call. One that is not known yet is added, and its texts are passed on.
func (d *Digest) callOf(id session.CallID, name string, args jsontext.Value, requested bool, text func(Text)) *call {
	at := slices.IndexFunc(d.Calls, func(c call) bool { return c.ID == id })
	if at >= 0 {
		return &d.Calls[at]
	}
	d.addCallTexts(name, args, text)
	if len(d.Calls) >= maxCalls {
		d.forgetEnded()
		if len(d.Calls) >= maxCalls {
			d.Calls = slices.Delete(d.Calls, 0, 1)
		}
	}
	if !args.IsValid() {
		args = nil // it could not be stored
	}
	d.Calls = append(d.Calls, call{ID: id, Name: name, Arguments: slices.Clone(args), Requested: requested})
	if name != "" && !requested {
		if d.Tools == nil {
			d.Tools = map[string]int{}
		}
		d.Tools[name]++
	}
	d.Plan = d.Plan || session.FamilyOf(name) == session.ExitPlan
	return &d.Calls[len(d.Calls)-1]
}

// addCallTexts gives the texts of a call's arguments.
func (d *Digest) addCallTexts(name string, args jsontext.Value, text func(Text)) {
	var members map[string]jsontext.Value
	if decode(args, &members) != nil {
		var whole string
		if decode(args, &whole) == nil {
			addShortened(text, Input, whole)
		}
		return
	}
	names := slices.AppendSeq(make([]string, 0, len(members)), maps.Keys(members))
	slices.Sort(names)
	for _, member := range names {
		var value string
		if members[member].Kind() != '"' || decode(members[member], &value) != nil {
			continue
		}
		family := session.FamilyOf(name)
		switch {
		case slices.Contains(session.EditFile.Subject(), member):
			d.addFile(text, value, false)
		case family == session.RunCommand && slices.Contains(family.Subject(), member):
			addShortened(text, Command, value)
		case member == "question":
			addShortened(text, Question, value)
		default:
			addShortened(text, Input, value)
		}
	}
}

// addFile notes a path that was read or changed.
func (d *Digest) addFile(text func(Text), path string, changed bool) {
	if path = strings.TrimSpace(path); path == "" || len(path) > maxOutput {
		return
	}
	was, known := d.Files[path]
	if !known {
		if len(d.Files) >= maxFiles {
			return
		}
		if d.Files == nil {
			d.Files = map[string]bool{}
		}
		text(Text{File, path})
	}
	d.Files[path] = was || changed
	if changed && !was {
		d.Edits++
	}
}

// forgetEnded forgets the calls that have ended.
func (d *Digest) forgetEnded() {
	d.Calls = slices.DeleteFunc(d.Calls, func(c call) bool { return c.Ended })
}

// interruptCalls marks the calls that have not ended as interrupted.
func (d *Digest) interruptCalls() {
	for i := range d.Calls {
		d.Calls[i].Cut = d.Calls[i].Cut || !d.Calls[i].Ended && !d.Calls[i].Requested
	}
}

func takeCall(d *Digest, ev *event[session.ToolExecutionStart], text func(Text)) {
	b := &ev.Data
	d.Talk.Waited.Started(b, ev.at)
	c := d.callOf(b.ToolCallID, b.ToolName, b.Arguments, false, text)
	if !c.Ended && !c.Requested && ev.Agent == "" {
		d.Talk.resume(ev.at)
	}
	c.Cut = false
	if b.ShellToolInfo != nil {
		for _, path := range b.ShellToolInfo.PossiblePaths {
			d.addFile(text, path, false)
		}
	}
	d.updateState()
}

func takeRequested(d *Digest, ev *event[session.ToolUserRequested], text func(Text)) {
	d.callOf(ev.Data.ToolCallID, ev.Data.ToolName, ev.Data.Arguments, true, text)
}

// toolResult is what is read of a session.ToolExecutionComplete.
type toolResult struct {
	session.ToolExecutionComplete
	Model         skipped `json:"model"`
	InteractionID skipped `json:"interactionId"`
	TurnID        skipped `json:"turnId"`
	RTE           skipped `json:"rte"`
	ToolTelemetry skipped `json:"toolTelemetry"`
}

// takeResult ends a call. How it ended and what it did to files is judged by the
// timeline's rules.
func takeResult(d *Digest, ev *event[toolResult], text func(Text)) {
	b := &ev.Data
	d.Talk.Waited.Ended(b.ToolCallID, ev.at)
	c := d.callOf(b.ToolCallID, "", nil, b.IsUserRequested, text)
	if c.Ended {
		return
	}
	judged := timeline.ToolCall{Name: c.Name, Arguments: c.Arguments, UserRequested: c.Requested}
	if b.Result != nil {
		for _, x := range b.Result.BinaryResultsForLLM {
			d.Images = d.Images || x.Type == "image" || strings.HasPrefix(x.MIMEType, "image/")
		}
	}
	before := timeline.Live
	if c.Cut {
		before = timeline.Cancelled
	}
	state := judged.Complete(b.ToolExecutionComplete, before)
	c.Ended, c.Arguments = true, nil
	if !judged.UserRequested {
		if state == timeline.Failed {
			d.callFailed(c)
		}
		d.countResult(ev, state, &judged, text)
	}
	addShortened(text, Failure, judged.ErrorText())
	held := strings.Contains(judged.Result, judged.Detail) // one of them may hold the other
	if held || !strings.Contains(judged.Detail, judged.Result) {
		addShortened(text, Output, judged.Result)
	}
	if !held {
		addShortened(text, Output, judged.Detail)
	}
	d.updateState()
}

// callFailed counts a failed call, once.
func (d *Digest) callFailed(c *call) {
	if !c.Failed {
		d.Failures++
	}
	c.Failed = true
}

// countResult counts what a call of an agent's led to.
func (d *Digest) countResult(ev *event[toolResult], state timeline.State, c *timeline.ToolCall, text func(Text)) {
	if state != timeline.Cancelled {
		d.Talk.extendTo(ev.at)
	}
	for _, f := range c.Changes() {
		d.Added += f.Added
		d.Removed += f.Removed
		d.addFile(text, f.Path, true)
	}
}

func takeAgent(d *Digest, ev *event[session.SubagentStarted], text func(Text)) {
	d.Agents = true
	addSaid(text, Notice, ev.Data.AgentDisplayName)
}

// takeAgentFailed notes that the sub-agent of a call has failed: that call has
// failed, also one that had returned because the sub-agent works in the background.
func takeAgentFailed(d *Digest, ev *event[session.SubagentFailed], text func(Text)) {
	addSaid(text, Failure, ev.Data.Error)
	d.callFailed(d.callOf(ev.Data.ToolCallID, "", nil, false, text))
}
