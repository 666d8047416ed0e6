package render_test

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/timeline"
)

// running makes a call that runs a sub-agent.
func running(a timeline.Subagent, edit func(*timeline.ToolCall)) *timeline.ToolCall {
	const arguments = `{"description":"Find all uses of the queue","prompt":"Look for every use of the queue package.\nReport file and line.","agent_type":"explore"}`
	a.At, a.Timeline = began, timeline.New()
	c := call("task", arguments, "", edit)
	c.Agent = &a
	return c
}

func agentSamples() []sample {
	explore := timeline.Subagent{
		Name: "explore", Title: "Explore", Description: "Answers questions about a codebase", Model: "gpt-5.4-mini",
		Activity: "reading queue/worker.go", Calls: 8, Tokens: 12_340,
	}
	done := explore
	done.Activity, done.State, done.End, done.Calls, done.Tokens = "", timeline.Done, began.Add(62*time.Second), 14, 48_200
	failed := done
	failed.State, failed.Error, failed.Calls = timeline.Failed, "The model is not available: gpt-5.4-mini", 0
	general := explore
	general.Name, general.Title, general.Background = "general-purpose", "General purpose", true
	odd := timeline.Subagent{Name: "\x1b[31mred\u202e", Model: "m\n\x1b]0;t\x07", Activity: "a\r\nb", Calls: 1}
	answer := result("It is used in three places:\n\n- queue/a.go:12\n- queue/b.go:7\n- main.go:90", "")
	return []sample{
		{"starting", entry(timeline.Live, 0, running(timeline.Subagent{Name: "explore"}, nil)), render.Folded},
		{"working", entry(timeline.Live, 0, running(explore, nil)), render.Folded},
		{"in the background", entry(timeline.Live, 0, running(general, nil)), render.Folded},
		{"waiting", entry(timeline.Live, 0, running(explore, func(c *timeline.ToolCall) { c.Waiting = true })), render.Folded},
		{"done", entry(timeline.Done, 62*time.Second, running(done, answer)), render.Folded},
		{"done, whole", entry(timeline.Done, 62*time.Second, running(done, answer)), render.Whole},
		{"failed", entry(timeline.Failed, 62*time.Second, running(failed, func(c *timeline.ToolCall) { c.Error = failed.Error })), render.Line},
		{"failed in the background", entry(timeline.Done, 62*time.Second, running(failed, nil)), render.Folded},
		{"cancelled", entry(timeline.Cancelled, 62*time.Second, running(done, nil)), render.Folded},
		{"hostile", entry(timeline.Live, 0, running(odd, nil)), render.Folded},
	}
}

var work = timeline.Summary{
	Files: []timeline.FileChange{
		{Path: "/home/ada/src/parley/queue/worker_test.go", Kind: "edit", Added: 6, Removed: 4},
		{Path: "/home/ada/src/parley/notes.md", Kind: "create", Added: 20},
		{Path: "/tmp/old.txt", Kind: "delete", Removed: 1200},
	},
	Added: 26, Removed: 1204, Calls: 9, Commands: 3, Failures: 1, Turns: 4, Took: 12 * time.Second,
	Usage: timeline.Usage{Requests: 4, Input: 13_400, Output: 620, CacheRead: 9_800, Reasoning: 210, Cost: 0.33, NanoAIU: 42e6},
}

func summarySamples() []sample {
	large := work
	large.Calls, large.Commands, large.Failures, large.Took = 210, 131, 12, 3725*time.Second
	large.Usage.Input, large.Usage.Cost = 12_400_000, 33.5
	return []sample{
		{"work", entry(timeline.Done, 0, &work), render.Folded},
		{"work, whole", entry(timeline.Done, 0, &work), render.Whole},
		{"large", entry(timeline.Done, 0, &large), render.Folded},
		{"large, on one line", entry(timeline.Done, 0, &large), render.Line},
		{"replayed", entry(timeline.Done, 0, &timeline.Summary{Calls: 5, Turns: 2, Took: 4200 * time.Millisecond}), render.Folded},
		{"an answer", entry(timeline.Done, 0, &timeline.Summary{Turns: 1, Took: 2 * time.Second, Usage: timeline.Usage{Input: 900, Output: 40, Cost: 1}}), render.Folded},
		{"nothing", entry(timeline.Done, 0, &timeline.Summary{}), render.Folded},
		{"refused by many", entry(timeline.Done, 0, &timeline.Summary{
			Calls: 4, Turns: 2, Took: 17 * time.Second, Refused: timeline.Refusals{
				timeline.RefusedByUser: 1, timeline.RefusedByRule: 1, timeline.RefusedByPolicy: 1, timeline.RefusedUnasked: 1,
			},
		}), render.Folded},
	}
}

var ended = timeline.SessionEnd{
	Took: 3725 * time.Second, Thinking: 610 * time.Second, Premium: 4.33, Added: 120, Removed: 14,
	Files: []string{"/home/ada/src/parley/queue/worker.go", "/home/ada/src/parley/queue/worker_test.go", "/home/ada/notes.md"},
	Models: []timeline.ModelUse{
		{Model: "claude-haiku-4.5", Usage: timeline.Usage{Requests: 1, Input: 4_000, Output: 200}},
		{Model: "gpt-5.4", Usage: timeline.Usage{Requests: 31, Input: 1_240_000, CacheRead: 1_100_000, Output: 18_400, Reasoning: 6_100, Cost: 4}},
		{Model: "gpt-5.4-mini", Usage: timeline.Usage{Requests: 12, Input: 80_400, CacheRead: 62_000, Output: 3_100, Cost: 0.33}},
	},
}

func closingSamples() []sample {
	failed := ended
	failed.Failed, failed.Reason = true, "The runtime ran out of memory.\n\x1b[31mSee its log."
	return []sample{
		{"ended", entry(timeline.Done, 0, &ended), render.Folded},
		{"ended, whole", entry(timeline.Done, 0, &ended), render.Whole},
		{"ended, on one line", entry(timeline.Done, 0, &ended), render.Line},
		{"failed", entry(timeline.Failed, 0, &failed), render.Line},
		{"nothing done", entry(timeline.Done, 0, &timeline.SessionEnd{}), render.Folded},
	}
}

// foldSamples are entries on one line each, and what is never made smaller.
func foldSamples() []sample {
	images := result("ok", "")
	shown := func(c *timeline.ToolCall) {
		images(c)
		c.Images = []timeline.Image{{Name: "chart.png", MIMEType: "image/png", Bytes: 12_345, Width: 640, Height: 480}, {MIMEType: "image/gif"}}
	}
	long := "Please look at this log:\n" + strings.TrimSpace(numbered(40))
	return []sample{
		{"prompt, line", entry(timeline.Done, 0, &timeline.Prompt{Text: long}), render.Line},
		{"short prompt, line", entry(timeline.Done, 0, &timeline.Prompt{Text: "Go on"}), render.Line},
		{"autopilot, line", entry(timeline.Done, 0, &timeline.Prompt{Source: "autopilot", Text: long}), render.Line},
		{"answer, line", entry(timeline.Done, 0, message(answer)), render.Line},
		{"thinking, line", entry(timeline.Live, 0, reasoning("The test sleeps.")), render.Line},
		{"edit, line", entry(timeline.Done, 100*time.Millisecond, call("edit", `{"path":"/home/ada/src/parley/queue/worker_test.go","old_str":"a","new_str":"b"}`, "", result("updated", editDiff))), render.Line},
		{"shell, line", entry(timeline.Done, 12*time.Second, call("bash", `{"command":"make"}`, "", exit(0, numbered(20)))), render.Line},
		{"failed shell, line", entry(timeline.Done, 12*time.Second, call("bash", `{"command":"make"}`, "", exit(2, "make: no rule"))), render.Line},
		{"images", entry(timeline.Done, 100*time.Millisecond, call("view", `{"path":"/tmp/chart.png"}`, "", shown)), render.Folded},
		{"note, line", entry(timeline.Done, 0, &timeline.Notice{Category: "mcp", Text: "A server that has a lot to say, more than one line holds, however wide\nand even a second one", URL: "https://example.com/x"}), render.Line},
		{"warning, line", entry(timeline.Done, 0, &timeline.Notice{Level: timeline.Warning, Text: "Careful", URL: "https://example.com/x"}), render.Line},
		{"receipt, line", entry(timeline.Done, 0, &timeline.AnsweredQuestion{Question: "Which of the two ways do you prefer for the tests of the queue?", Answer: "Wait for the channel, and remove the sleep everywhere"}), render.Line},
		{"event, line", entry(timeline.Done, 0, &timeline.Unrecognised{Kind: "foo.bar", Raw: jsontext.Value(`{"a":1}`)}), render.Line},
		{"note, hidden", entry(timeline.Done, 0, &timeline.Notice{Text: "not to be seen"}), render.Hidden},
		{"error, hidden", entry(timeline.Done, 0, &timeline.Notice{Level: timeline.Error, Text: "This is always seen"}), render.Hidden},
	}
}
