package sessions_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
)

// lines is a log of events, a second after the other; each is a kind and a
// payload, with the agent after a blank if there is one.
func lines(events ...string) []byte {
	var log strings.Builder
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	for i := 0; i < len(events); i += 2 {
		kind, agent, _ := strings.Cut(events[i], " ")
		if agent != "" {
			agent = fmt.Sprintf(`"agentId":%q,`, agent)
		}
		fmt.Fprintf(&log, `{"type":%q,"data":%s,%s"id":"%d","timestamp":%q}`+"\n", kind, events[i+1], agent, i, at.Format(time.RFC3339))
		at = at.Add(time.Second)
	}
	return []byte(log.String())
}

// turn is a turn of the root agent with something in it.
func turn(events ...string) []string {
	return slices.Concat([]string{"assistant.turn_start", `{"turnId":"0"}`}, events, []string{"assistant.turn_end", `{"turnId":"0"}`})
}

// say is a prompt.
func say(text string) []string { return []string{"user.message", fmt.Sprintf(`{"content":%q}`, text)} }

// TestKinds reads what each kind of event says.
func TestKinds(t *testing.T) {
	t.Parallel()
	type facts = sessions.Facts
	for _, c := range []struct {
		name   string
		events []string
		want   sessions.Facts // but for the times
		texts  []sessions.Text
	}{
		{
			"a prompt", say("  \n Hello,\tyou  \nand more "),
			facts{Title: "Hello, you", Prompts: 1},
			[]sessions.Text{{"prompt", "Hello,\tyou  \nand more"}},
		},
		{"prompts of others", []string{
			"user.message", `{"content":"skill text","source":"skill"}`, "user.message a1", `{"content":"do"}`,
			"user.message", `{"content":"go on","isAutopilotContinuation":true}`, "user.message", `{"content":"scheduled","source":"schedule-1"}`,
		}, facts{Title: "scheduled", Prompts: 1}, []sessions.Text{{"prompt", "scheduled"}}},
		{
			"attachments",
			[]string{"user.message", `{"content":"see","attachments":[{"type":"file","path":"/a/b.png","mimeType":"image/png"},{"type":"blob","displayName":"note"}]}`},
			facts{Title: "see", Prompts: 1, Images: true},
			[]sessions.Text{{"prompt", "see"}, {"file", "/a/b.png"}, {"input", "note"}},
		},
		{
			"an answer", turn("assistant.message", `{"content":"Yes","reasoningText":"Hm","model":"m1"}`),
			facts{Turns: 1, Model: "m1", State: sessions.Done},
			[]sessions.Text{{"reasoning", "Hm"}, {"answer", "Yes"}},
		},
		{"a model's choice", []string{"session.start", `{"selectedModel":"m1"}`, "session.model_change", `{"newModel":"m2"}`}, facts{Model: "m2"}, nil},
		{"a shell call", turn(
			"assistant.message", `{"content":"","toolRequests":[{"toolCallId":"c","name":"bash","arguments":{"command":"ls","description":"List"}}]}`,
			"tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"},"shellToolInfo":{"possiblePaths":["out.txt"]}}`,
			"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"a b\n<shellId: 0 completed with exit code 0>"}}`,
		), facts{Turns: 1, Tools: map[string]int{"bash": 1}, State: sessions.Done}, []sessions.Text{
			{"command", "ls"}, {"input", "List"}, {"file", "out.txt"}, {"output", "a b\n<shellId: 0 completed with exit code 0>"},
		}},
		{
			"a command that fails", turn(
				"tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"false"}}`,
				"tool.execution_complete", `{"toolCallId":"c","success":true,"shellExecution":{"exitCode":3},"result":{"content":"oh"}}`,
				"tool.execution_complete", `{"toolCallId":"c","success":false,"result":{"content":"twice"}}`,
			),
			facts{Turns: 1, Tools: map[string]int{"bash": 1}, Failures: 1, State: sessions.Done},
			[]sessions.Text{{"command", "false"}, {"output", "oh"}},
		},
		{"a refused call", turn(
			"tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{"command":"rm x"}}`,
			"tool.execution_complete", `{"toolCallId":"c","success":false,"error":{"message":"no thanks","code":"denied"}}`,
		), facts{Turns: 1, Tools: map[string]int{"bash": 1}, State: sessions.Done}, []sessions.Text{{"command", "rm x"}, {"error", "no thanks"}}},
		{"an edit", turn(
			"tool.execution_start", `{"toolCallId":"c","toolName":"edit","arguments":{"path":"/a/x.go","old_str":"one\ntwo","new_str":"one\n2\n3"}}`,
			"tool.execution_complete", `{"toolCallId":"c","success":true,"fileEdits":[{"path":"/a/x.go","kind":"edit"}],"result":{"content":"ok"}}`,
		), facts{Turns: 1, Tools: map[string]int{"edit": 1}, Edits: 1, Added: 2, Removed: 1, State: sessions.Done}, []sessions.Text{
			{"input", "one\n2\n3"}, {"input", "one\ntwo"}, {"file", "/a/x.go"}, {"output", "ok"},
		}},
		{"an image and a question", turn(
			"tool.execution_start", `{"toolCallId":"c","toolName":"ask_user","arguments":{"question":"Red?"}}`,
			"tool.execution_complete", `{"toolCallId":"c","success":true,"result":{"content":"yes","binaryResultsForLlm":[{"type":"image"}]}}`,
		), facts{Turns: 1, Tools: map[string]int{"ask_user": 1}, Images: true, State: sessions.Done}, []sessions.Text{{"question", "Red?"}, {"output", "yes"}}},
		{"the user's command", []string{
			"tool.user_requested", `{"toolCallId":"u","toolName":"local_shell","arguments":{"command":"date"}}`,
			"tool.execution_complete", `{"toolCallId":"u","success":false,"isUserRequested":true,"error":{"message":"bad"}}`,
		}, facts{}, []sessions.Text{{"command", "date"}, {"error", "bad"}}},
		{"a sub-agent that fails", turn(
			"tool.execution_start", `{"toolCallId":"t","toolName":"task","arguments":{"prompt":"look"}}`,
			"subagent.started a1", `{"toolCallId":"t","agentDisplayName":"Scout"}`, "assistant.turn_start a1", `{}`, "session.error a1", `{"message":"gone"}`,
			"tool.execution_complete", `{"toolCallId":"t","success":true,"result":{"content":"started"}}`,
			"subagent.failed a1", `{"toolCallId":"t","error":"gone"}`,
		), facts{Turns: 1, Tools: map[string]int{"task": 1}, Failures: 1, Agents: true, State: sessions.Done}, []sessions.Text{
			{"input", "look"}, {"notice", "Scout"}, {"error", "gone"}, {"output", "started"}, {"error", "gone"},
		}},
		{
			"an error of a turn", turn("session.error", `{"message":"quota","errorType":"quota"}`),
			facts{Turns: 1, Failures: 1, State: sessions.Failed},
			[]sessions.Text{{"error", "quota"}},
		},
		{
			"an error, and a turn that goes well", slices.Concat(turn("session.error", `{"message":"quota"}`), say("again"), turn()),
			facts{Title: "again", Prompts: 1, Turns: 2, Failures: 1, State: sessions.Done},
			[]sessions.Text{{"error", "quota"}, {"prompt", "again"}},
		},
		{"an interruption", turn("abort", `{"reason":"user_initiated"}`), facts{Turns: 1, State: sessions.Interrupted}, nil},
		{"a program that died", []string{"assistant.turn_start", `{}`}, facts{Turns: 1, State: sessions.Interrupted}, nil},
		{"an end with an error", append(turn(), "session.shutdown", `{"shutdownType":"error"}`), facts{Turns: 1, State: sessions.Failed}, nil},
		{"what calls used", []string{
			"session.usage_record", `{"usage":{"inputTokens":10,"outputTokens":2,"cacheReadTokens":3,"cacheWriteTokens":4,"cost":1}}`,
			"session.usage_record", `{"usage":{"inputTokens":5,"outputTokens":1,"cost":0.5}}`,
		}, facts{Tokens: sessions.Tokens{In: 15, Out: 3, CacheRead: 3, CacheWrite: 4}, Cost: 1.5}, nil},
		{"sums are not added to records", []string{
			"session.usage_record", `{"usage":{"inputTokens":10,"outputTokens":2,"cost":1}}`,
			"session.shutdown", `{"totalPremiumRequests":1,"modelMetrics":{"m":{"requests":{"cost":1},"usage":{"inputTokens":10,"outputTokens":2}}}}`,
			"session.resume", `{}`,
			"session.usage_record", `{"usage":{"inputTokens":7,"outputTokens":1,"cost":1}}`,
			"session.shutdown", `{"totalPremiumRequests":2,"modelMetrics":{"m":{"requests":{"cost":2},"usage":{"inputTokens":17,"outputTokens":3}}}}`,
		}, facts{Tokens: sessions.Tokens{In: 17, Out: 3}, Cost: 2}, nil},
		{"sums without records", []string{
			"session.usage_checkpoint", `{"totalPremiumRequests":1,"providerModelMetrics":[{"metrics":{"usage":{"inputTokens":4}}}]}`,
			"session.shutdown", `{"totalPremiumRequests":3,"modelMetrics":{"m":{"usage":{"inputTokens":10,"outputTokens":2}},"n":{"usage":{"inputTokens":1}}}}`,
		}, facts{Tokens: sessions.Tokens{In: 11, Out: 2}, Cost: 3}, nil},
		{"places", []string{
			"session.start", `{"context":{"cwd":"/a","gitRoot":"/a","repository":"o/a","branch":"main"}}`,
			"session.context_changed", `{"cwd":"/b","pendingGitContext":true}`,
		}, facts{Place: sessions.Place{Dir: "/b", Root: "/a", Repository: "o/a", Branch: "main"}}, nil},
		{"places, given in full", []string{
			"session.start", `{"context":{"cwd":"/a","gitRoot":"/a","repository":"o/a","branch":"main"}}`, "session.context_changed", `{"cwd":"/b"}`,
		}, facts{Place: sessions.Place{Dir: "/b"}}, nil},
		{
			"a copy",
			[]string{"session.info", `{"infoType":"fork","message":"Forked from \"a) as \"b\" (x)\" (fd9f-1) as \"c (d)\" (990f-2)."}`},
			facts{Parent: "fd9f-1"},
			[]sessions.Text{{"notice", `Forked from "a) as "b" (x)" (fd9f-1) as "c (d)" (990f-2).`}},
		},
		{
			"a copy of a part",
			[]string{"session.info", `{"infoType":"fork","message":"Forked from \"a\" (fd9f-1) before event 7f73-4 as \"a (fork)\" (990f-2)."}`},
			facts{Parent: "fd9f-1"},
			[]sessions.Text{{"notice", `Forked from "a" (fd9f-1) before event 7f73-4 as "a (fork)" (990f-2).`}},
		},
		{
			"a copy of nothing",
			[]string{"session.info", `{"infoType":"fork","message":"Forked from \"a\" (../x) as \"b\" (y)."}`},
			facts{},
			[]sessions.Text{{"notice", `Forked from "a" (../x) as "b" (y).`}},
		},
		{"plans and summaries", []string{
			"session.plan_changed", `{"operation":"create"}`, "session.compaction_complete", `{"success":true,"summaryContent":"So far"}`,
			"session.task_complete", `{"summary":"All done"}`,
		}, facts{Plan: true}, []sessions.Text{{"summary", "So far"}, {"summary", "All done"}}},
		{"noise", []string{
			"system.message", `{"content":"You are"}`, "hook.start", `{"input":{"a":"b"}}`, "permission.requested", `{"permissionRequest":{"fullCommandText":"x"}}`,
			"model.message", `{"message":{"content":"x"}}`, "session.binary_asset", `{"data":"AAAA"}`,
		}, facts{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, texts := digest(t, lines(c.events...))
			got := d.Facts
			got.Started, got.Used = time.Time{}, time.Time{}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			if !slices.Equal(texts, c.texts) {
				t.Errorf("got  %q\nwant %q", texts, c.texts)
			}
			if d.Unread() != "" {
				t.Error(d.Unread())
			}
		})
	}
}

// TestTimes are those of the events; who comes back later was not busy meanwhile.
func TestTimes(t *testing.T) {
	t.Parallel()
	d, _ := digest(t, lines(slices.Concat([]string{"session.start", `{"startTime":"2026-10-31T00:00:00Z"}`}, say("one"), turn(),
		[]string{"session.shutdown", `{}`, "session.resume", `{}`}, say("two"), turn())...))
	if want := time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC); !d.Started.Equal(want) {
		t.Errorf("started %v", d.Started)
	}
	if want := time.Date(2026, 11, 1, 9, 0, 8, 0, time.UTC); !d.Used.Equal(want) || d.Summary().Busy != 4*time.Second {
		t.Errorf("used %v, busy for %v", d.Used, d.Summary().Busy)
	}
}

// TestLongTexts are cut: outputs in the middle, what was said at the end.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ø€", 100000)
	_, texts := digest(t, lines("user.message", fmt.Sprintf(`{"content":%q}`, long),
		"tool.execution_complete", fmt.Sprintf(`{"toolCallId":"c","success":true,"result":{"content":%q}}`, long+"the end")))
	if len(texts) != 2 {
		t.Fatalf("%d texts", len(texts))
	}
	if said := texts[0].Text; !strings.HasPrefix(long, said) || len(said) < 255<<10 || len(said) > 256<<10 {
		t.Errorf("of %d bytes %d are kept", len(long), len(said))
	}
	if out := texts[1].Text; !strings.HasSuffix(out, "the end") || !strings.Contains(out, "\n…\n") || len(out) > 5<<10 || strings.ContainsRune(out, '�') {
		t.Errorf("%d bytes are kept: %.20q", len(out), out)
	}
}

// TestSessionOfDigest prefers what the source says of where a session is.
func TestSessionOfDigest(t *testing.T) {
	t.Parallel()
	d, _ := digest(t, lines("session.start", `{"context":{"cwd":"/a","branch":"main"}}`, "user.message", `{"content":"hi"}`))
	s := d.Session(sessions.Log{Dir: "/b"})
	if s.Dir != "/b" || s.Branch != "main" || s.Title != "hi" || s.Prompts != 1 {
		t.Errorf("%+v", s)
	}
	if s := d.Session(sessions.Log{Name: "Named"}); s.Title != "Named" {
		t.Errorf("%+v", s)
	}
}
