package timeline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// applyBesides tells of work that goes on beside the conversation.
func (t *Timeline) applyBesides(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.WorkflowRunStarted:
		return t.workflowStarted(ev, b)
	case session.WorkflowRunUpdated:
		return Ignored // it names what to read again, and says nothing by itself
	case session.WorkflowRunSettled:
		return t.workflowSettled(ev, b)
	case session.SessionManagedPluginProgress:
		return t.pluginProgress(ev, b)
	case session.SessionCustomNotification:
		return t.customNotification(ev, b)
	case session.McpAppToolCallComplete:
		return t.appCall(ev, b)
	}
	return Unhandled
}

// workflowStarted begins the one line about a run, or goes on with it in
// another attempt.
func (t *Timeline) workflowStarted(ev session.Event, b session.WorkflowRunStarted) ApplyResult {
	id := entryID("workflow", cmp.Or(b.RunID, string(ev.ID)))
	e := t.index[id]
	if e == nil {
		e = t.add(ev, id, &Notice{Category: "workflow"}, Live)
	}
	t.reopen(e)
	n := noticeOf(e)
	n.Level, n.Text = Info, "Workflow "+quoted(b.WorkflowName)+" runs"
	if b.Attempt > 1 {
		n.Text += ", attempt " + strconv.Itoa(b.Attempt)
	}
	if t.noted.workflows == nil {
		t.noted.workflows = map[EntryID]string{}
	}
	t.noted.workflows[id] = b.WorkflowName
	t.touch(e)
	return Applied
}

func (t *Timeline) workflowSettled(ev session.Event, b session.WorkflowRunSettled) ApplyResult {
	id := entryID("workflow", cmp.Or(b.RunID, string(ev.ID)))
	e := t.index[id]
	if e == nil {
		e = t.add(ev, id, &Notice{Category: "workflow"}, Live)
	} else if e.State.Final() && e.State != Cancelled {
		return Ignored // told twice
	}
	n := noticeOf(e)
	var s State
	n.Level, s, n.Text = workflowEnd(t.noted.workflows[id], b.Status, b.FailureType)
	var used []string
	if b.ConsumedSubagents > 0 {
		used = append(used, several(b.ConsumedSubagents, "agent"))
	}
	if d := milliseconds(b.ElapsedMs); d > 0 {
		used = append(used, period(d.Round(time.Second/10)))
	}
	if len(used) > 0 {
		n.Text += " (" + strings.Join(used, ", ") + ")"
	}
	t.seal(ev, e, s)
	return Applied
}

// workflowEnd says how a run ended.
func workflowEnd(name, status, failure string) (Level, State, string) {
	text := "Workflow " + quoted(name)
	if name == "" {
		text = "A workflow"
	}
	switch status {
	case "", "completed":
		return Info, Done, text + " has finished"
	case "paused":
		return Info, Done, text + " was paused"
	case "cancelled":
		return Info, Cancelled, text + " was cancelled"
	case "halted":
		return Warning, Failed, because(text+" was stopped", words(failure))
	}
	return Warning, Failed, because(text+" has failed", words(failure))
}

// workflowNotification fills in the line that stored logs have of a run. The
// line that was there while it ran says no more then.
func (t *Timeline) workflowNotification(note *Notice, n session.Notification) {
	var run struct {
		RunID         string         `json:"runId"`
		WorkflowName  string         `json:"workflowName"`
		Status        string         `json:"status"`
		ResultPreview string         `json:"resultPreview"`
		Failure       jsontext.Value `json:"failure"`
		RetryGuidance string         `json:"retryGuidance"`
	}
	_ = json.Unmarshal(n.Extra, &run) // a run of which nothing is said has ended all the same
	note.Level, _, note.Text = workflowEnd(run.WorkflowName, cmp.Or(n.Status, run.Status), "")
	note.Next = strings.TrimSpace(run.RetryGuidance)
	note.Detail = paragraphs(run.ResultPreview, readable(run.Failure))
	if e := t.index[entryID("workflow", run.RunID)]; e != nil && e.State.Final() && !e.VerboseOnly {
		e.VerboseOnly = true
		t.touch(e)
	}
}

// pluginProgress is the one line about the plugins that an organisation
// requires, from the first step to the last.
func (t *Timeline) pluginProgress(ev session.Event, b session.SessionManagedPluginProgress) ApplyResult {
	e := t.noted.plugins
	running := e != nil && e.pos >= 0 && !e.State.Final()
	if b.Phase == "complete" {
		if !running {
			return Ignored
		}
		noticeOf(e).Text = "The plugins that your organisation requires are ready"
		t.seal(ev, e, Done)
		return Applied
	}
	if !running {
		e = t.addMinor(ev, entryID("plugins", string(ev.ID)), &Notice{Category: "plugins"}, Live)
		t.noted.plugins = e
	}
	doing := "Finding"
	switch b.Phase {
	case "installing":
		doing = "Installing"
	case "updating":
		doing = "Updating"
	}
	noticeOf(e).Text = because(doing+" the plugins that your organisation requires", strings.Join(b.PluginSpecs, ", "))
	e.VerboseOnly = e.VerboseOnly && doing == "Finding"
	t.touch(e)
	return Applied
}

// customNotification is the one line about what a source of its own reports of a
// subject, such as a task of an MCP server; it shows the last of it, with the
// payload folded away. When it gets worse, the line comes anew, for the old one
// may be far back by then.
func (t *Timeline) customNotification(ev session.Event, b session.SessionCustomNotification) ApplyResult {
	var payload struct {
		Message string `json:"message"`
		Text    string `json:"text"`
		Level   string `json:"level"`
	}
	_ = json.Unmarshal(b.Payload, &payload) // its form is the source's own
	subject := oneLine(fields(b.Subject))
	if b.Subject.Kind() != '{' {
		subject = oneLine(readable(b.Subject))
	}
	n := &Notice{Category: "notification", Level: levelNamed(payload.Level)}
	n.Text = cmp.Or(strings.TrimSpace(oneLine(b.Source)+" "+words(b.Name)), "A notification")
	if subject != "" {
		n.Text += " (" + subject + ")"
	}
	n.Text = because(n.Text, cmp.Or(payload.Message, payload.Text))
	if b.Version != 0 {
		n.Detail = labelled("Version", strconv.Itoa(b.Version))
	}
	n.Detail = paragraphs(n.Detail, readable(b.Payload))
	about := b.Source + "\x00" + cmp.Or(subject, b.Name)
	if about == "\x00" {
		about = string(ev.ID) // nothing says that it is about what another is about
	}
	id := entryID("custom", about)
	e, s := t.index[id], Done
	if n.Level == Error {
		s = Failed
	}
	if e != nil && n.Level >= Warning && n.Level > noticeOf(e).Level {
		t.remove(e)
		e = nil
	}
	if e == nil {
		e = t.add(ev, id, &Notice{}, s)
	}
	*noticeOf(e), e.State = *n, s
	t.touch(e)
	return Applied
}

// levelNamed reads how grave a message of another program is.
func levelNamed(name string) Level {
	switch strings.ToLower(name) {
	case "success":
		return Success
	case "warning", "warn":
		return Warning
	case "error", "critical", "alert", "emergency":
		return Error
	}
	return Info
}

// appCall tells of a tool that an interface of an MCP server has called, which
// neither the user nor the model did.
func (t *Timeline) appCall(ev session.Event, b session.McpAppToolCallComplete) ApplyResult {
	n := &Notice{
		Category: "mcp",
		Text:     "An interface of MCP server " + quoted(b.ServerName) + " used its tool " + quoted(b.ToolName),
		Detail:   paragraphs(readable(b.Arguments), readable(b.Result)),
	}
	if b.Success {
		return t.minor(ev, n)
	}
	n.Level, n.Text = Warning, n.Text+", which failed"
	if b.Error != nil {
		n.Text = because(n.Text, withCode(b.Error.Message, b.Error.Code))
	}
	return t.notice(ev, n)
}
