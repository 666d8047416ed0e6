package timeline

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/render/text"
	"parley/session"
)

// workflows are runs of workflows, and the installation of plugins.
type workflows struct {
	*entryList
	names   map[EntryID]string // of the runs
	plugins *Entry             // the line about required plugins
}

func (w *workflows) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.WorkflowRunStarted:
		return w.workflowStarted(ev, b)
	case session.WorkflowRunUpdated:
		return Ignored // it names what to read again, and says nothing by itself
	case session.WorkflowRunSettled:
		return w.workflowSettled(ev, b)
	case session.SessionManagedPluginProgress:
		return w.pluginProgress(ev, b)
	}
	return Unhandled
}

// run returns the line about a run, which begins now if the run has no line.
func (w *workflows) run(ev session.Event, run string) *Entry {
	id := entryID("workflow", cmp.Or(run, string(ev.ID)))
	if e := w.index[id]; e != nil {
		return e
	}
	return w.add(ev, id, &Notice{Category: "workflow"}, Live)
}

// workflowStarted begins the one line about a run, or continues it in
// another attempt.
func (w *workflows) workflowStarted(ev session.Event, b session.WorkflowRunStarted) ApplyResult {
	e := w.run(ev, b.RunID)
	w.reopen(e)
	n := noticeOf(e)
	n.Level, n.Text = Info, "Workflow "+quoted(b.WorkflowName)+" runs"
	if b.Attempt > 1 {
		n.Text += ", attempt " + strconv.Itoa(b.Attempt)
	}
	w.names[e.ID] = b.WorkflowName
	w.touch(e)
	return Applied
}

func (w *workflows) workflowSettled(ev session.Event, b session.WorkflowRunSettled) ApplyResult {
	e := w.run(ev, b.RunID)
	if e.State.Final() && e.State != Cancelled {
		return Ignored // reported twice
	}
	n := noticeOf(e)
	var s State
	n.Level, s, n.Text = workflowEnd(w.names[e.ID], b.Status, b.FailureType)
	var used []string
	if b.ConsumedSubagents > 0 {
		used = append(used, text.Count(b.ConsumedSubagents, "agent"))
	}
	if d := milliseconds(b.ElapsedMs); d > 0 {
		used = append(used, period(d.Round(time.Second/10)))
	}
	if len(used) > 0 {
		n.Text += " (" + strings.Join(used, ", ") + ")"
	}
	w.seal(ev, e, s)
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
		return Warning, Failed, withReason(text+" was stopped", humanize(failure))
	}
	return Warning, Failed, withReason(text+" has failed", humanize(failure))
}

// workflowNotification fills in the line that stored logs have of a run. The
// line that was there while it ran says no more then.
func (ns *notices) workflowNotification(note *Notice, n session.Notification) {
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
	note.Detail = paragraphs(run.ResultPreview, readableValue(run.Failure))
	if e := ns.index[entryID("workflow", run.RunID)]; e != nil && e.State.Final() && !e.VerboseOnly {
		e.VerboseOnly = true
		ns.touch(e)
	}
}

// pluginProgress is the one line about the plugins that an organisation
// requires, from the first step to the last.
func (w *workflows) pluginProgress(ev session.Event, b session.SessionManagedPluginProgress) ApplyResult {
	e := w.plugins
	running := e != nil && e.pos >= 0 && !e.State.Final()
	if b.Phase == "complete" {
		if !running {
			return Ignored
		}
		noticeOf(e).Text = "The plugins that your organisation requires are ready"
		w.seal(ev, e, Done)
		return Applied
	}
	if !running {
		e = w.addVerboseOnly(ev, entryID("plugins", string(ev.ID)), &Notice{Category: "plugins"}, Live)
		w.plugins = e
	}
	doing := "Finding"
	switch b.Phase {
	case "installing":
		doing = "Installing"
	case "updating":
		doing = "Updating"
	}
	noticeOf(e).Text = withReason(doing+" the plugins that your organisation requires", strings.Join(b.PluginSpecs, ", "))
	e.VerboseOnly = e.VerboseOnly && doing == "Finding"
	w.touch(e)
	return Applied
}
