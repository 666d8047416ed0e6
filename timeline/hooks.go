package timeline

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// hooks shows each run of a hook as one entry: a minor one, for what a hook does
// shows elsewhere, unless it fails.
type hooks struct {
	*entryList
	last  *Entry             // the hook that began last
	names map[EntryID]string // what the running hooks are called
}

func (h *hooks) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.HookStart:
		return h.hookStart(ev, b)
	case session.HookProgress:
		return h.hookProgress(b)
	case session.HookEnd:
		return h.hookEnd(ev, b)
	}
	return Unhandled
}

func hookID(ev session.Event, invocation string) EntryID {
	return entryID("hook", cmp.Or(invocation, string(ev.ID)))
}

func (h *hooks) hookStart(ev session.Event, b session.HookStart) ApplyResult {
	id := hookID(ev, b.HookInvocationID)
	if _, known := h.index[id]; known {
		return Ignored
	}
	name := "Hook " + quoted(b.HookType)
	if tool := hookedTool(b.Input); tool != "" {
		name += " for " + tool
	}
	h.names[id] = name
	h.last = h.addVerboseOnly(ev, id, &Notice{Category: "hook", Text: name + " runs"}, Live)
	return Applied
}

// hookProgress says what the hook that began last does: the event names none.
func (h *hooks) hookProgress(b session.HookProgress) ApplyResult {
	e, message := h.last, oneLine(b.Message)
	if e == nil || e.pos < 0 || e.State.Final() || message == "" {
		return Ignored
	}
	noticeOf(e).Text = h.names[e.ID] + ": " + message
	h.touch(e)
	return Applied
}

func (h *hooks) hookEnd(ev session.Event, b session.HookEnd) ApplyResult {
	id := hookID(ev, b.HookInvocationID)
	e := h.index[id]
	if e == nil {
		e = h.addVerboseOnly(ev, id, &Notice{Category: "hook"}, Live)
	} else if e.State == Done || e.State == Failed {
		return Ignored
	}
	name := cmp.Or(h.names[id], "Hook "+quoted(b.HookType))
	delete(h.names, id)
	n, s := noticeOf(e), Done
	n.Text, n.Detail = name+" ran", readableValue(b.Output)
	if !b.Success {
		s, e.VerboseOnly, n.Level = Failed, false, Warning
		n.Text = name + " failed"
		if b.Error != nil {
			n.Text = withReason(n.Text, b.Error.Message)
			n.Detail = paragraphs(labelled("From", b.Error.Source), unlessRepeated(b.Error.Message, n.Text), b.Error.Stack, n.Detail)
		}
	}
	h.addOrigin(e, ev)
	h.seal(ev, e, s)
	return Applied
}

// hookedTool returns the tool that a hook is about; "" if it is about none.
func hookedTool(input jsontext.Value) string {
	var in struct {
		ToolName  string `json:"toolName"`
		ToolCalls []struct {
			Name string `json:"name"`
		} `json:"toolCalls"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	if in.ToolName == "" && len(in.ToolCalls) > 0 {
		in.ToolName = in.ToolCalls[0].Name
	}
	return oneLine(in.ToolName)
}
