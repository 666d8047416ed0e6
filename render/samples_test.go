package render_test

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/session"
	"parley/timeline"
)

// sample is one entry in one state.
type sample struct {
	name  string
	entry *timeline.Entry
	fold  render.Fold
}

var began = time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)

// entry makes an entry that took a time.
func entry(s timeline.State, took time.Duration, b timeline.Body) *timeline.Entry {
	e := &timeline.Entry{ID: "e", Version: 1, State: s, At: began, Body: b}
	if s.Final() {
		e.End = began.Add(took)
	}
	return e
}

func message(text string) *timeline.Message {
	m := &timeline.Message{}
	m.Text.Set(text)
	return m
}

func reasoning(text string) *timeline.Reasoning {
	r := &timeline.Reasoning{}
	r.Text.Set(text)
	return r
}

// call makes a tool call; output is what it printed while it ran.
func call(name, arguments, output string, edit func(*timeline.ToolCall)) *timeline.ToolCall {
	c := &timeline.ToolCall{CallID: "c", Name: name, Arguments: jsontext.Value(arguments)}
	c.Output.Set(output)
	if edit != nil {
		edit(c)
	}
	return c
}

func result(text, detail string) func(*timeline.ToolCall) {
	return func(c *timeline.ToolCall) { c.Result, c.Detail = text, detail }
}

func exit(code int, text string) func(*timeline.ToolCall) {
	return func(c *timeline.ToolCall) { c.ExitCode, c.Result = &code, text }
}

// numbered is n lines of output.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("ok    parley/queue   " + strings.Repeat("=", i%7) + " run " + string(rune('a'+i%26)) + "\n")
	}
	return b.String()
}

const editDiff = `
diff --git a/home/ada/src/parley/queue/worker_test.go b/home/ada/src/parley/queue/worker_test.go
index 0000000..0000000 100644
--- a/home/ada/src/parley/queue/worker_test.go
+++ b/home/ada/src/parley/queue/worker_test.go
@@ -38,7 +38,8 @@
 func TestDrain(t *testing.T) {
 	w := newWorker(t)
 	w.Start()
-	time.Sleep(50 * time.Millisecond)
+	<-w.Drained()
+	w.Stop()
 	if n := w.Len(); n != 0 {
 		t.Fatalf("%d left", n)
 	}
@@ -70,4 +71,4 @@
 	for range 50 {
-		w.Push(1)
+		w.Push(1, "日本語 and a comment that is long enough to be cut at eighty columns or wrapped when it is expanded")
 	}
 }
`

const answer = `The test sleeps instead of waiting for the worker. I will look at **both** files first.

1. Read ` + "`queue/worker.go`" + `
2. Replace the sleep

` + "```go\nfunc (w *Worker) Drained() <-chan struct{} {\n\treturn w.drained\n}\n```\n"

func samples() map[string][]sample {
	return map[string][]sample{
		"prompt":    promptSamples(),
		"message":   messageSamples(),
		"reasoning": reasoningSamples(),
		"shell":     shellSamples(),
		"file":      fileSamples(),
		"tool":      toolSamples(),
		"result":    resultSamples(),
		"notice":    noticeSamples(),
		"line":      lineSamples(),
		"agent":     agentSamples(),
		"summary":   summarySamples(),
		"closing":   closingSamples(),
		"fold":      foldSamples(),
	}
}

func promptSamples() []sample {
	long := "Please look at this log:\n" + strings.TrimSpace(numbered(40))
	return []sample{
		{"short", entry(timeline.Done, 0, &timeline.Prompt{Text: "Fix the flaky test in the queue package and run it fifty times."}), render.Folded},
		{"attachments", entry(timeline.Done, 0, &timeline.Prompt{
			Text: "What is wrong here?\n\nLook at 端末の幅 too.",
			Attachments: []session.Attachment{
				{Type: "file", Path: "/home/ada/src/parley/queue/worker.go", LineRange: &session.LineRange{Start: 10, End: 20}},
				{Type: "blob", DisplayName: "pasted.png", MIMEType: "image/png"},
			},
			Mode: session.Plan,
		}), render.Folded},
		{"references", entry(timeline.Done, 0, referring("")), render.Folded},
		{"references, expanded", entry(timeline.Done, 0, referring("")), render.Whole},
		{"queued", entry(timeline.Done, 0, &timeline.Prompt{Text: "And then update the changelog", Delivery: "queued"}), render.Folded},
		{"steering", entry(timeline.Done, 0, &timeline.Prompt{Text: "Use the other branch", Delivery: "steering"}), render.Folded},
		{"long", entry(timeline.Done, 0, &timeline.Prompt{Text: long}), render.Folded},
		{"command", entry(timeline.Done, 0, &timeline.Prompt{Text: "/commit", Sent: "Commit the changes.\n\n1. Look at them."}), render.Folded},
		{"command, whole", entry(timeline.Done, 0, &timeline.Prompt{Text: "/commit", Sent: "Commit the changes.\n\n1. Look at them."}), render.Whole},
		{"long, expanded", entry(timeline.Done, 0, &timeline.Prompt{Text: long, Delivery: "steering"}), render.Whole},
		{"one long line", entry(timeline.Done, 0, &timeline.Prompt{Text: strings.Repeat("word ", 400)}), render.Folded},
		{"hostile", entry(timeline.Done, 0, &timeline.Prompt{Text: "red \x1b[31m\x1b]0;title\x07 \u202egnp.exe"}), render.Folded},
		{"autopilot", entry(timeline.Done, 0, &timeline.Prompt{Source: "autopilot", Text: ""}), render.Folded},
		{"from an agent", entry(timeline.Done, 0, &timeline.Prompt{Source: "agent-1db2d311", Text: "Look at the tests and report what fails."}), render.Folded},
		{"from a schedule", entry(timeline.Done, 0, referring("schedule-1")), render.Folded},
		{"from a schedule, expanded", entry(timeline.Done, 0, referring("schedule-1")), render.Whole},
	}
}

// referring is a prompt with what else can come along with one.
func referring(source string) *timeline.Prompt {
	return &timeline.Prompt{
		Text: "Fix this.", Source: source, Mode: session.Autopilot, Delivery: "queued",
		Attachments: []session.Attachment{
			{
				Type: "github_reference", Number: 123, Title: "Fix the queue", ReferenceType: "issue", State: "open",
				URL: "https://github.com/acme/queue/issues/123",
			},
			{
				Type: "selection", FilePath: "/src/x.ts", DisplayName: "x.ts", Text: "if (full) {\n  wait();\n}\n",
				Selection: jsontext.Value(`{"start":{"line":9,"character":0},"end":{"line":19,"character":1}}`),
			},
			{Type: "github_url", URL: "https://github.com/acme/queue/wiki"},
		},
	}
}

func messageSamples() []sample {
	sub := entry(timeline.Done, 0, message("Sub-agent says **hello**."))
	sub.Agent = "6522b43e"
	return []sample{
		{"done", entry(timeline.Done, 0, message(answer)), render.Folded},
		{"live", entry(timeline.Live, 0, message("The test sleeps instead of wai")), render.Folded},
		{"hostile", entry(timeline.Done, 0, message("a \x1b[2J\x1b]8;;http://x\x07b\x1b]8;;\x07 &#27;[31m `\x1b[5m`")), render.Folded},
		{"of a sub-agent", sub, render.Folded},
	}
}

func reasoningSamples() []sample {
	text := "**Finding the cause**\n\nThe test sleeps for fifty milliseconds, and on a loaded machine the worker may need more. " +
		"A channel that is closed when the queue is empty would be exact. Then the test can wait for it instead."
	return []sample{
		{"live", entry(timeline.Live, 0, reasoning(text)), render.Folded},
		{"live, nothing yet", entry(timeline.Live, 0, reasoning("")), render.Folded},
		{"done", entry(timeline.Done, 4200*time.Millisecond, reasoning(text)), render.Folded},
		{"replayed", entry(timeline.Done, 0, reasoning(text)), render.Folded},
		{"expanded", entry(timeline.Done, 4200*time.Millisecond, reasoning(text)), render.Whole},
	}
}

func shellSamples() []sample {
	const arguments = `{"command":"go test -run TestDrain -count=50 ./queue","description":"Run the test"}`
	const script = `{"command":"cd queue\nfor i in 1 2 3; do\n\tgo test ./... || exit 1\ndone","description":"Run three times"}`
	waiting := call("bash", `{"command":"git push origin fix-drain"}`, "", func(c *timeline.ToolCall) { c.Waiting = true })
	refused := call("bash", `{"command":"rm -rf build"}`, "", func(c *timeline.ToolCall) {
		c.Error, c.ErrorCode, c.Feedback = "The user rejected this tool call. User feedback: no", "denied", "Use make clean instead."
		c.RefusedBy = timeline.RefusedByUser
	})
	plainly := call("bash", `{"command":"rm -rf build"}`, "", func(c *timeline.ToolCall) { c.Error = "The user rejected this tool call." })
	denied := call("bash", `{"command":"rm -rf build"}`, "", func(c *timeline.ToolCall) { c.Error = "Denied by preToolUse hook: hook says no" })
	return []sample{
		{"running", entry(timeline.Live, 0, call("bash", arguments, "ok    parley/queue   31/50 …\n", nil)), render.Folded},
		{"running, much output", entry(timeline.Live, 0, call("bash", arguments, numbered(31), nil)), render.Folded},
		{"running, expanded", entry(timeline.Live, 0, call("bash", arguments, numbered(7), nil)), render.Whole},
		{"done", entry(timeline.Done, 12*time.Second, call("bash", arguments, "", exit(0, "ok    parley/queue   50/50\n<shellId: 3 completed with exit code 0>"))), render.Folded},
		{"done, no output", entry(timeline.Done, 100*time.Millisecond, call("bash", `{"command":"touch zz"}`, "", exit(0, "\n<shellId: 3 completed with exit code 0>"))), render.Folded},
		{"done, much output", entry(timeline.Done, 185*time.Second, call("bash", arguments, numbered(31), exit(0, "too large"))), render.Folded},
		{"failed", entry(timeline.Done, 3*time.Second, call("bash", arguments, "", exit(3, numbered(14)+"FAIL\n<shellId: 15 completed with exit code 3>"))), render.Folded},
		{"script", entry(timeline.Done, 3*time.Second, call("bash", script, "", exit(0, "\x1b[32mok\x1b[0m\tqueue\n"))), render.Folded},
		{"script, expanded", entry(timeline.Done, 3*time.Second, call("bash", script, "", exit(0, "\x1b[32mok\x1b[0m\tqueue\n"))), render.Whole},
		{"waiting", entry(timeline.Live, 0, waiting), render.Folded},
		{"refused", entry(timeline.Refused, 9*time.Second, refused), render.Folded},
		{"refused plainly", entry(timeline.Refused, 9*time.Second, plainly), render.Folded},
		{"refused by a hook", entry(timeline.Refused, 9*time.Second, denied), render.Folded},
		{"cancelled", entry(timeline.Cancelled, 9*time.Second, call("bash", arguments, "ok    1/50\n", nil)), render.Folded},
		{"background", entry(timeline.Done, 200*time.Millisecond, call("bash", `{"command":"sleep 30","mode":"async","shellId":"lg"}`, "", result("<command started in background with shellId: lg>", ""))), render.Folded},
		{"output of", entry(timeline.Done, time.Second, call("read_bash", `{"shellId":"lg","delay":1}`, "", result("<command with shellId: lg is still running after 1 seconds.>", ""))), render.Folded},
		{"progress", entry(timeline.Live, 0, call("bash", arguments, "", func(c *timeline.ToolCall) { c.Status = "Compiling 12 of 31 packages" })), render.Folded},
	}
}

func fileSamples() []sample {
	const worker = `{"path":"/home/ada/src/parley/queue/worker.go"}`
	const deep = `{"path":"/home/ada/src/parley/internal/very/deeply/nested/folder/with/a/name/that/goes/on/worker_integration_test.go","view_range":[1,120]}`
	const edit = `{"path":"/home/ada/src/parley/queue/worker_test.go","old_str":"a","new_str":"b"}`
	streamed := call("create", "", "", nil)
	streamed.ArgumentText.Set(`{"path":"/home/ada/src/parley/notes.md","file_text":"` + strings.Repeat("text ", 700))
	view := "\ndiff --git a/x b/x\nindex 0..0 100644\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n one\n TWO\n three\n \n"
	return []sample{
		{"read", entry(timeline.Done, 100*time.Millisecond, call("view", worker, "", result("one\nTWO\nthree\n", view))), render.Folded},
		{"read a range", entry(timeline.Done, 100*time.Millisecond, call("view", deep, "", result("one\n", ""))), render.Folded},
		{"read, expanded", entry(timeline.Done, 100*time.Millisecond, call("view", worker, "", result("one\nTWO\nthree\n", view))), render.Whole},
		{"search", entry(timeline.Done, 200*time.Millisecond, call("grep", `{"pattern":"time.Sleep","paths":["queue/","timeline/"],"output_mode":"content"}`, "", result("queue/a.go:1:x\nqueue/b.go:2:y\nqueue/c.go:3:z\n", ""))), render.Folded},
		{"search, nothing", entry(timeline.Done, 200*time.Millisecond, call("grep", `{"pattern":"no such"}`, "", result("No matches found.", ""))), render.Folded},
		{"find", entry(timeline.Done, 200*time.Millisecond, call("glob", `{"pattern":"**/*.go"}`, "", result("a.go\nb.go", ""))), render.Folded},
		{"edit", entry(timeline.Done, 100*time.Millisecond, call("edit", edit, "", result("updated", editDiff))), render.Folded},
		{"edit, expanded", entry(timeline.Done, 100*time.Millisecond, call("edit", edit, "", result("updated", editDiff))), render.Whole},
		{"edit, planned", entry(timeline.Live, 0, call("edit", edit, "", func(c *timeline.ToolCall) { c.Waiting = true })), render.Folded},
		{"edit, failed", entry(timeline.Failed, 100*time.Millisecond, call("edit", edit, "", func(c *timeline.ToolCall) { c.Error, c.ErrorCode = "No match found for old_str", "failure" })), render.Folded},
		{"create", entry(timeline.Done, 100*time.Millisecond, call("create", `{"path":"/tmp/n.txt","file_text":"x"}`, "", result("Created", "\ndiff --git a/tmp/n.txt b/tmp/n.txt\ncreate file mode 100644\nindex 0..0\n--- a/dev/null\n+++ b/tmp/n.txt\n@@ -1,0 +1,"+"20 @@\n"+strings.Repeat("+line\n", 20)))), render.Folded},
		{"create, streamed", entry(timeline.Live, 0, streamed), render.Folded},
		{"broken diff", entry(timeline.Done, 100*time.Millisecond, call("edit", edit, "", result("", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n same\n-old\n+new\n"))), render.Folded},
	}
}

func toolSamples() []sample {
	mcp := func(server, tool string, edit func(*timeline.ToolCall)) func(*timeline.ToolCall) {
		return func(c *timeline.ToolCall) {
			c.Server, c.Tool = server, tool
			edit(c)
		}
	}
	bg := `{"description":"Find all uses of the queue","prompt":"Look for it","agent_type":"explore","name":"f1","mode":"sync"}`
	sub := entry(timeline.Done, 300*time.Millisecond, call("grep", `{"pattern":"x"}`, "", result("a\nb", "")))
	sub.Agent = "6522b43e"
	return []sample{
		{"mcp", entry(timeline.Done, 300*time.Millisecond, call("tst-echo", `{"text":"hi there","times":2}`, "", mcp("tst", "echo", result("echo: hi", "")))), render.Folded},
		{"mcp, running", entry(timeline.Live, 0, call("tst-progress", `{}`, "", mcp("tst", "progress", func(c *timeline.ToolCall) { c.Status = "step 2 of 5" }))), render.Folded},
		{"mcp, failed", entry(timeline.Failed, time.Second, call("tst-crash", `{}`, "", mcp("tst", "crash", func(c *timeline.ToolCall) {
			c.Error = "MCP server 'tst': MCP request failed: MCP transport closed before the tool responded"
		}))), render.Folded},
		{"json result", entry(timeline.Done, 300*time.Millisecond, call("get_weather", `{"city":"Oslo","days":[1,2],"opts":{"units":"C","deep":[{"a":1}]}}`, "", result(`{"temp": 3, "sky": {"cloud": true}}`, ""))), render.Folded},
		{"json result, expanded", entry(timeline.Done, 300*time.Millisecond, call("get_weather", `{"city":"Oslo","days":[1,2],"opts":{"units":"C","deep":[{"a":1}]}}`, "", result("elicited: {\"action\": \"cancel\"}", ""))), render.Whole},
		{"many lines", entry(timeline.Done, 300*time.Millisecond, call("list", `{}`, "", result(numbered(12), ""))), render.Folded},
		{"unknown", entry(timeline.Failed, 0, call("frobnicate", `{"x":1}`, "", func(c *timeline.ToolCall) { c.Error = "Tool 'frobnicate' does not exist." })), render.Folded},
		{"agent, running", entry(timeline.Live, 0, call("task", bg, "", nil)), render.Folded},
		{"agent", entry(timeline.Done, 62*time.Second, call("task", bg, "", result("It is used in three places:\n\n- a.go\n- b.go", ""))), render.Folded},
		{"of an agent", sub, render.Folded},
		{"sql", entry(timeline.Done, 100*time.Millisecond, call("sql", `{"description":"Insert todos","query":"INSERT INTO todos VALUES (1)"}`, "", result("2 row(s) inserted. Last inserted row ID: 2.", ""))), render.Folded},
		{"skill", entry(timeline.Done, 100*time.Millisecond, call("skill", `{"skill":"hello"}`, "", result("Skill loaded", ""))), render.Folded},
		{"ask", entry(timeline.Done, 5*time.Second, call("ask_user", `{"question":"Which colour?","choices":["red","green"]}`, "", result("User responded: red", ""))), render.Folded},
		{"fetch", entry(timeline.Done, 900*time.Millisecond, call("web_fetch", `{"url":"https://example.com/page"}`, "", result(strings.Repeat("x", 4200), ""))), render.Folded},
		{"done", entry(timeline.Done, 0, call("task_complete", `{"summary":"All **done**"}`, "", result("All **done**", ""))), render.Folded},
		{"by the user", entry(timeline.Done, time.Second, call("bash", `{"command":"ls"}`, "", func(c *timeline.ToolCall) { c.UserRequested, c.Result = true, "a\nb" })), render.Folded},
	}
}

func noticeSamples() []sample {
	return []sample{
		{"info", entry(timeline.Done, 0, &timeline.Notice{Text: "Shell command \"d\" has completed.", Category: "notification"}), render.Folded},
		{"retry", entry(timeline.Done, 0, &timeline.Notice{Text: "Request failed due to a transient API error. Retrying...", Category: "model_retry", Retry: 2}), render.Folded},
		{"warning", entry(timeline.Done, 0, &timeline.Notice{Level: timeline.Warning, Text: "Rate limit: 3 requests left; 日本語も。", Category: "rate_limit"}), render.Folded},
		{"error", entry(timeline.Done, 0, &timeline.Notice{
			Level: timeline.Error, Category: "authentication", StatusCode: 403, URL: "https://example.com/docs/authentication",
			Text: "Authentication failed with provider at http://127.0.0.1:8101/v1 (HTTP 403).\n  Check your key.",
			Next: "Set COPILOT_PROVIDER_API_KEY and start again.",
		}), render.Folded},
		{"error with a status", entry(timeline.Failed, 0, &timeline.Notice{Level: timeline.Error, Category: "query", StatusCode: 500, Text: "The request failed."}), render.Folded},
		{"error that says its type", entry(timeline.Failed, 0, &timeline.Notice{Level: timeline.Error, Category: "rate_limit", StatusCode: 429, Text: "The rate limit is reached."}), render.Folded},
		{"error that says its type, expanded", entry(timeline.Failed, 0, &timeline.Notice{Level: timeline.Error, Category: "rate_limit", StatusCode: 429, Text: "The rate limit is reached."}), render.Whole},
		{"info, expanded", entry(timeline.Done, 0, &timeline.Notice{Text: "Shell command \"d\" has completed.", Category: "notification"}), render.Whole},
		{"a word in another", entry(timeline.Failed, 0, &timeline.Notice{Level: timeline.Error, Category: "ide", Text: "No provider."}), render.Folded},
		{"success", entry(timeline.Done, 0, &timeline.Notice{Level: timeline.Success, Category: "task_complete", Text: "Task complete"}), render.Folded},
		{"detail", entry(timeline.Done, 12*time.Second, &timeline.Notice{
			Category: "compaction", Text: "The conversation so far was summarised: 98 000 tokens became 12 000", Detail: "# Overview\n\nThe user asked for **a fix** of the queue.",
		}), render.Folded},
		{"detail, whole", entry(timeline.Done, 12*time.Second, &timeline.Notice{
			Category: "compaction", Text: "The conversation so far was summarised: 98 000 tokens became 12 000", Detail: "# Overview\n\nThe user asked for **a fix** of the queue.\n",
		}), render.Whole},
		{"trying again", entry(timeline.Live, 0, &timeline.Notice{
			Level: timeline.Warning, Category: "retry", StatusCode: 429, Retry: 3, RetryAt: began.Add(24 * time.Second), Text: "The model's rate limit is reached. Trying again.",
		}), render.Folded},
		{"hook", entry(timeline.Done, 340*time.Millisecond, &timeline.Notice{Category: "hook", Text: "Hook “preToolUse” ran"}), render.Folded},
		{"hostile", entry(timeline.Done, 0, &timeline.Notice{Level: timeline.Warning, Text: "\x1b]52;c;AAAA\x07safe \u200b text", URL: "http://x/\x1b[31m"}), render.Folded},
	}
}

func lineSamples() []sample {
	return []sample{
		{"receipt", entry(timeline.Done, 0, &timeline.AnsweredQuestion{Question: "Which colour?", Answer: "red"}), render.Folded},
		{"receipt, long", entry(timeline.Done, 0, &timeline.AnsweredQuestion{Question: "Which of the two ways do you prefer for the tests of the queue?", Answer: "Wait for the channel, and remove the sleep everywhere"}), render.Folded},
		{"receipt, none", entry(timeline.Done, 0, &timeline.AnsweredQuestion{Question: "Which colour?"}), render.Folded},
		{"boundary", entry(timeline.Done, 0, &timeline.Divider{Text: "Resumed"}), render.Folded},
		{"unrecognised", entry(timeline.Done, 0, &timeline.Unrecognised{Kind: "foo.bar", Raw: jsontext.Value(`{"a":{"b":1}}`), Count: 3}), render.Folded},
		{"unrecognised, expanded", entry(timeline.Done, 0, &timeline.Unrecognised{Kind: "foo.bar", Raw: jsontext.Value(`{"a":{"b":1}}`), Reason: "a is no number"}), render.Whole},
	}
}
