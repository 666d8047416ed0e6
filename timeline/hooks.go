package timeline

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// applyHook shows each run of a hook as one entry: a minor one, for what a hook
// does shows elsewhere, unless it fails.
func (t *Timeline) applyHook(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.HookStart:
		return t.hookStart(ev, b)
	case session.HookProgress:
		return t.hookProgress(b)
	case session.HookEnd:
		return t.hookEnd(ev, b)
	}
	return Unhandled
}

func hookID(ev session.Event, invocation string) EntryID {
	return entryID("hook", cmp.Or(invocation, string(ev.ID)))
}

func (t *Timeline) hookStart(ev session.Event, b session.HookStart) ApplyResult {
	id := hookID(ev, b.HookInvocationID)
	if _, known := t.index[id]; known {
		return Ignored
	}
	name := "Hook " + quoted(b.HookType)
	if tool := hookedTool(b.Input); tool != "" {
		name += " for " + tool
	}
	if t.noted.hooks == nil {
		t.noted.hooks = map[EntryID]string{}
	}
	t.noted.hooks[id] = name
	t.noted.hook = t.addMinor(ev, id, &Notice{Category: "hook", Text: name + " runs"}, Live)
	return Applied
}

// hookProgress says what the hook that began last does: the event names none.
func (t *Timeline) hookProgress(b session.HookProgress) ApplyResult {
	e, message := t.noted.hook, oneLine(b.Message)
	if e == nil || e.pos < 0 || e.State.Final() || message == "" {
		return Ignored
	}
	noticeOf(e).Text = t.noted.hooks[e.ID] + ": " + message
	t.touch(e)
	return Applied
}

func (t *Timeline) hookEnd(ev session.Event, b session.HookEnd) ApplyResult {
	id := hookID(ev, b.HookInvocationID)
	e := t.index[id]
	if e == nil {
		e = t.addMinor(ev, id, &Notice{Category: "hook"}, Live)
	} else if e.State == Done || e.State == Failed {
		return Ignored
	}
	name := cmp.Or(t.noted.hooks[id], "Hook "+quoted(b.HookType))
	delete(t.noted.hooks, id)
	n, s := noticeOf(e), Done
	n.Text, n.Detail = name+" ran", readable(b.Output)
	if !b.Success {
		s, e.VerboseOnly, n.Level = Failed, false, Warning
		n.Text = name + " failed"
		if b.Error != nil {
			n.Text = because(n.Text, b.Error.Message)
			n.Detail = paragraphs(labelled("From", b.Error.Source), more(b.Error.Message, n.Text), b.Error.Stack, n.Detail)
		}
	}
	t.from(e, ev)
	t.seal(ev, e, s)
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
