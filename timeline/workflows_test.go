package timeline_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

func TestWorkflows(t *testing.T) {
	t.Parallel()
	start := session.WorkflowRunStarted{RunID: "r", WorkflowName: "review", Attempt: 1}
	end := func(status, failure string) session.WorkflowRunSettled {
		return session.WorkflowRunSettled{RunID: "r", Status: status, FailureType: failure, ConsumedSubagents: 3, ElapsedMs: 4100}
	}
	checkNotices(t, map[string]noticeCase{
		"one that runs":    {[]session.Body{start, session.WorkflowRunUpdated{}}, "info workflow: Workflow “review” runs (live)"},
		"one that ended":   {[]session.Body{start, end("completed", "")}, "info workflow: Workflow “review” has finished (3 agents, 4.1s)"},
		"the end, twice":   {[]session.Body{start, end("completed", ""), end("error", "")}, "info workflow: Workflow “review” has finished (3 agents, 4.1s)"},
		"one that failed":  {[]session.Body{start, end("error", "limit_reached")}, "warning workflow: Workflow “review” has failed: limit reached (3 agents, 4.1s) (failed)"},
		"one that stopped": {[]session.Body{start, end("halted", "")}, "warning workflow: Workflow “review” was stopped (3 agents, 4.1s) (failed)"},
		"one that waits":   {[]session.Body{start, end("paused", "")}, "info workflow: Workflow “review” was paused (3 agents, 4.1s)"},
		"one cancelled":    {[]session.Body{start, end("cancelled", "")}, "info workflow: Workflow “review” was cancelled (3 agents, 4.1s) (cancelled)"},
		"again": {
			[]session.Body{start, end("paused", ""), session.WorkflowRunStarted{RunID: "r", WorkflowName: "review", Attempt: 2}},
			"info workflow: Workflow “review” runs, attempt 2 (live)",
		},
		"again, though it did not end": {
			[]session.Body{start, session.WorkflowRunStarted{RunID: "r", WorkflowName: "review", Attempt: 2}},
			"info workflow: Workflow “review” runs, attempt 2 (live)",
		},
		"an end without a start": {[]session.Body{session.WorkflowRunSettled{RunID: "r", Status: "completed"}}, "info workflow: A workflow has finished"},
		"what stored logs have of it": {
			[]session.Body{start, end("completed", ""), session.SystemNotification{Notification: session.Notification{
				Type: "workflow_completed", Status: "completed", Extra: jsontext.Value(`{"runId":"r","workflowName":"review"}`),
			}}},
			"minor info workflow: Workflow “review” has finished (3 agents, 4.1s)\ninfo workflow_completed: Workflow “review” has finished",
		},
	})
}

func TestRequiredPlugins(t *testing.T) {
	t.Parallel()
	phase := func(name string, specs ...string) session.Body {
		return session.SessionManagedPluginProgress{Phase: name, PluginSpecs: specs}
	}
	checkNotices(t, map[string]noticeCase{
		"looked for":  {[]session.Body{phase("initializing")}, "minor info plugins: Finding the plugins that your organisation requires (live)"},
		"none needed": {[]session.Body{phase("initializing"), phase("complete")}, "minor info plugins: The plugins that your organisation requires are ready"},
		"installed": {
			[]session.Body{phase("initializing"), phase("installing", "acme/a@1", "acme/b@2")},
			"info plugins: Installing the plugins that your organisation requires: acme/a@1, acme/b@2 (live)",
		},
		"brought up to date": {
			[]session.Body{phase("installing", "a"), phase("updating", "b"), phase("complete")},
			"info plugins: The plugins that your organisation requires are ready",
		},
		"an end without a start": {[]session.Body{phase("complete")}, ""},
		"twice": {
			[]session.Body{phase("installing", "a"), phase("complete"), phase("updating", "a")},
			"info plugins: The plugins that your organisation requires are ready\n" +
				"info plugins: Updating the plugins that your organisation requires: a (live)",
		},
	})
}

func TestCustomNotifications(t *testing.T) {
	t.Parallel()
	note := func(name, subject, payload string) session.Body {
		return session.SessionCustomNotification{Source: "mcp", Name: name, Subject: jsontext.Value(subject), Payload: jsontext.Value(payload)}
	}
	checkNotices(t, map[string]noticeCase{
		"without words of its own": {
			[]session.Body{note("task.progress", `{"taskId":"t1"}`, `{"percent":50}`)},
			"info notification: mcp task.progress (taskId: t1) {{/  \"percent\": 50/}}",
		},
		"of one subject": {
			[]session.Body{note("task.progress", `{"taskId":"t1"}`, `1`), note("task.progress", `{"taskId":"t2"}`, `2`), note("task.progress", `{"taskId":"t1"}`, `3`)},
			"info notification: mcp task.progress (taskId: t1) {3}\ninfo notification: mcp task.progress (taskId: t2) {2}",
		},
		"for a person": {
			[]session.Body{note("build", ``, `{"message":"Build\nruns."}`), note("build", ``, `{"message":"Green.","level":"success"}`)},
			"success notification: mcp build: Green. {{/  \"message\": \"Green.\",/  \"level\": \"success\"/}}",
		},
		"of one subject, for a person": {
			[]session.Body{
				note("task.progress", `{"taskId":"t1"}`, `{"message":"half"}`), note("task.progress", `{"taskId":"t2"}`, `{"message":"begun"}`),
				note("task.done", `{"taskId":"t1"}`, `null`),
			},
			"info notification: mcp task.done (taskId: t1)\n" +
				"info notification: mcp task.progress (taskId: t2): begun {{/  \"message\": \"begun\"/}}",
		},
		"that gets worse": {
			[]session.Body{
				note("task", `{"id":"1"}`, `{"message":"half"}`), note("task", `{"id":"2"}`, `2`),
				note("task", `{"id":"1"}`, `{"text":"broken","level":"error"}`), note("task", `{"id":"1"}`, `{"text":"better"}`),
			},
			"info notification: mcp task (id: 2) {2}\ninfo notification: mcp task (id: 1): better {{/  \"text\": \"better\"/}}",
		},
		"a warning": {
			[]session.Body{note("disk", ``, `{"level":"Warning"}`)}, "warning notification: mcp disk {{/  \"level\": \"Warning\"/}}",
		},
		"an error": {
			[]session.Body{note("disk", ``, `{"level":"error","text":"full"}`)},
			"error notification: mcp disk: full {{/  \"level\": \"error\",/  \"text\": \"full\"/}} (failed)",
		},
		"of another form": {
			[]session.Body{note("x", `"t1"`, `"text"`), note("x", `[1]`, `2`), note("x", `null`, `3`), note("x", `{}`, `4`)},
			"info notification: mcp x (t1) {text}\ninfo notification: mcp x ([ 1 ]) {2}\ninfo notification: mcp x {4}",
		},
		"of a version": {
			[]session.Body{session.SessionCustomNotification{Source: "mcp", Name: "x", Version: 2, Payload: jsontext.Value(`true`)}},
			"info notification: mcp x {Version: 2//true}",
		},
		"of a source alone": {[]session.Body{session.SessionCustomNotification{Source: "mcp"}}, "info notification: mcp"},
		"of a name alone":   {[]session.Body{session.SessionCustomNotification{Name: "task"}}, "info notification: task"},
		"of no source and name": {
			[]session.Body{
				session.SessionCustomNotification{Payload: jsontext.Value(`{"a":1}`)},
				session.SessionCustomNotification{},
				session.SessionCustomNotification{Subject: jsontext.Value(`"s"`)},
				session.SessionCustomNotification{Subject: jsontext.Value(`"s"`), Payload: jsontext.Value(`5`)},
			},
			"info notification: A notification {{/  \"a\": 1/}}\ninfo notification: A notification\ninfo notification: A notification (s) {5}",
		},
	})
}

func TestCallsOfInterfaces(t *testing.T) {
	t.Parallel()
	call := session.McpAppToolCallComplete{ServerName: "tst", ToolName: "echo", Arguments: jsontext.Value(`{"text":"hi"}`)}
	worked := call
	worked.Success = true
	failed := call
	failed.Arguments, failed.Error = nil, &session.ToolError{Message: "server is gone"}
	checkNotices(t, map[string]noticeCase{
		"one that worked": {[]session.Body{worked}, "minor info mcp: An interface of MCP server “tst” used its tool “echo” {{/  \"text\": \"hi\"/}}"},
		"one that failed": {[]session.Body{failed}, "warning mcp: An interface of MCP server “tst” used its tool “echo”, which failed: server is gone"},
	})
}

// TestWorkflowsLeaveNothingBehind: what was not ended ends with the process.
func TestWorkflowsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	f := newFeed().live(session.WorkflowRunStarted{RunID: "r", WorkflowName: "review"}).stored(session.SessionResume{})
	if e := f.At(0); e.State != timeline.Cancelled || len(e.Origin) != 0 {
		t.Errorf("got %+v", e)
	}
}
