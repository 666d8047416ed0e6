package timeline_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// notices writes what no participant of the conversation said, a line each,
// with what is folded away in braces.
func notices(tl *timeline.Timeline) string {
	var lines []string
	for i := range tl.Len() {
		e := tl.At(i)
		var s string
		switch b := e.Body.(type) {
		case *timeline.Notice:
			s = b.Level.String() + " " + b.Category + ": " + b.Text
			if b.Next != "" {
				s += " > " + b.Next
			}
			if b.Detail != "" {
				s += " {" + strings.ReplaceAll(b.Detail, "\n", "/") + "}"
			}
		case *timeline.Divider:
			s = "boundary " + b.Text
		case *timeline.AnsweredQuestion:
			s = "question " + b.Question + " " + b.Answer
		default:
			continue
		}
		if e.VerboseOnly {
			s = "minor " + s
		}
		if e.State != timeline.Done {
			s += " (" + e.State.String() + ")"
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

// noticeCase is a log and the notices that it makes.
type noticeCase struct {
	log  []session.Body
	want string
}

func checkNotices(t *testing.T, cases map[string]noticeCase) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(tt.log...)
			if got := notices(f.Timeline); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestNoticesOfTheModel(t *testing.T) {
	t.Parallel()
	prompt := session.SystemMessage{Role: "system", Content: strings.Repeat("x", 43_700)}
	checkNotices(t, map[string]noticeCase{
		"a prompt, once": {
			[]session.Body{session.SystemMessage{Role: "system", Content: "Be good."}, session.SystemMessage{Role: "system", Content: "Be good."}},
			"minor info system: System prompt, 8 bytes {Be good.}",
		},
		"another": {
			[]session.Body{session.SystemMessage{Role: "system", Content: "a"}, session.SystemMessage{Role: "system", Content: "b"}},
			"minor info system: System prompt, 1 byte {a}\nminor info system: System prompt, changed, 1 byte {b}",
		},
		"of a developer, by name": {
			[]session.Body{
				session.SystemMessage{Role: "developer", Name: "mode", Content: "a"},
				session.SystemMessage{Role: "system", Content: "a"},
				session.SystemMessage{Role: "developer", Name: "mode", Content: "a"},
			},
			"minor info developer: Developer prompt “mode”, 1 byte {a}\nminor info system: System prompt, 1 byte {a}",
		},
		"nothing": {[]session.Body{session.SystemMessage{Role: "system"}}, ""},
		"a large one": {
			[]session.Body{prompt}, "minor info system: System prompt, 44 kB {" + prompt.Content + "}",
		},
		"less than a kilobyte": {
			[]session.Body{session.SystemMessage{Role: "system", Content: strings.Repeat("x", 999)}},
			"minor info system: System prompt, 999 bytes {" + strings.Repeat("x", 999) + "}",
		},
		"a kilobyte": {
			[]session.Body{session.SystemMessage{Role: "system", Content: strings.Repeat("x", 1000)}},
			"minor info system: System prompt, 1 kB {" + strings.Repeat("x", 1000) + "}",
		},
		"a megabyte": {
			[]session.Body{session.SystemMessage{Role: "system", Content: strings.Repeat("x", 1_000_000)}},
			"minor info system: System prompt, 1.0 MB {" + strings.Repeat("x", 1_000_000) + "}",
		},
		"the mode": {
			[]session.Body{session.SessionModeNoticeDelivered{Mode: "autopilot", Content: "Go on alone.\n"}},
			"minor info mode: The model was told that it works in autopilot mode {Go on alone.}",
		},
		"tools": {
			[]session.Body{session.ToolSearchActivated{ToolNames: []string{"grep", "web_fetch"}}},
			"minor info tools: Tools found and added: grep, web_fetch",
		},
		"tools without a name": {[]session.Body{session.ToolSearchActivated{}}, ""},
	})
}

// TestARewoundPromptIsShownAgain: a rewind takes the prompt of the turn
// with it, and the next turn has it again.
func TestARewoundPromptIsShownAgain(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.UserMessage{Content: "go"}, session.SystemMessage{Role: "system", Content: "a"})
	f.live(session.SessionSnapshotRewind{UpToEventID: "e1", EventIDs: []session.EventID{"e1", "e2"}})
	f.stored(session.SystemMessage{Role: "system", Content: "a"})
	if got := notices(f.Timeline); got != "boundary Rewound to before “go”\nminor info system: System prompt, 1 byte {a}" {
		t.Errorf("got %s", got)
	}
}

// TestMinorLinesKeepNoChangesApart: stepping through modes is one line, also
// when something minor is reported between two steps.
func TestMinorLinesKeepNoChangesApart(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.UserMessage{Content: "go"},
		session.SessionModeChanged{PreviousMode: "interactive", NewMode: "plan"},
		session.SessionModeNoticeDelivered{Mode: "plan"},
		session.SessionModeChanged{PreviousMode: "plan", NewMode: "autopilot"})
	want := "info mode: Mode changed from interactive to autopilot\nminor info mode: The model was told that it works in plan mode"
	if got := notices(f.Timeline); got != want {
		t.Errorf("got %s", got)
	}
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	note := func(n session.Notification, content string) []session.Body {
		return []session.Body{session.SystemNotification{Content: content, Notification: n}}
	}
	tagged := func(s string) string { return "<system_notification>\n" + s + "\n</system_notification>" }
	checkNotices(t, map[string]noticeCase{
		"a command": {
			note(session.Notification{Type: "shell_completed", ShellID: "3", ExitCode: ptr(0), Description: "build"}, tagged("Shell 3 is done.")),
			"info shell_completed: Background command “build” has finished",
		},
		"a command that failed": {
			note(session.Notification{Type: "shell_detached_completed", ShellID: "3", ExitCode: ptr(2)}, ""),
			"warning shell_detached_completed: Background command “3” has finished with exit code 2",
		},
		"an idle agent": {
			note(session.Notification{Type: "agent_idle", DisplayName: "Scout"}, ""),
			"info agent: Agent “Scout” has finished",
		},
		"an agent": {
			note(session.Notification{Type: "agent_completed", AgentType: "explore", Status: "completed", Prompt: "Look.\nAround."}, tagged("Done.\nAll is well.")),
			"info agent: Agent “explore” has finished {Done./All is well.//Look./Around.}",
		},
		"an agent that failed": {
			note(session.Notification{Type: "agent_completed", Status: "failed"}, ""),
			"warning agent: Agent “A sub-agent” has failed",
		},
		"an agent whose failure was reported": {
			append([]session.Body{session.SubagentFailed{ToolCallID: "c", AgentDisplayName: "Logs", Error: "no model"}},
				note(session.Notification{Type: "agent_completed", DisplayName: "Logs", Status: "failed"}, "")...),
			"error subagent: Agent “Logs” failed: no model (failed)\nminor warning agent: Agent “Logs” has failed",
		},
		"a message": {
			note(session.Notification{Type: "new_inbox_message", SenderName: "Bob", Summary: "two\nlines"}, ""),
			"info new_inbox_message: Message from “Bob”: two lines",
		},
		"instructions": {
			note(session.Notification{
				Type: "instruction_discovered", SourcePath: "billing/AGENTS.md", Description: "AGENTS.md from billing/",
				TriggerFile: "billing/a.go", TriggerTool: "view",
			}, "Discovered instruction: billing/AGENTS.md"),
			"info instruction_discovered: Instructions found: billing/AGENTS.md " +
				"{AGENTS.md from billing//Found when the agent used view on billing/a.go.}",
		},
		"instructions without a path": {
			note(session.Notification{Type: "instruction_discovered", Description: "AGENTS.md"}, ""),
			"info instruction_discovered: Instructions found: AGENTS.md",
		},
		"a workflow": {
			note(session.Notification{
				Type: "workflow_completed", Status: "error",
				Extra: jsontext.Value(`{"runId":"r","workflowName":"review","retryGuidance":"Raise the limit.","resultPreview":"half","failure":{"type":"limit"}}`),
			}, ""),
			"warning workflow_completed: Workflow “review” has failed > Raise the limit. {half//{/  \"type\": \"limit\"/}}",
		},
		"of another kind": {
			note(session.Notification{Type: "comet_seen"}, tagged("A  comet\nwas seen.")),
			"info comet_seen: A comet was seen.",
		},
		"long, and of another kind": {
			note(session.Notification{Type: "unclassified"}, tagged(strings.Repeat("ab ", 200))),
			"info unclassified: " + strings.Repeat("ab ", 133) + "a… {" + strings.TrimSpace(strings.Repeat("ab ", 200)) + "}",
		},
		"without a word": {note(session.Notification{Type: "unclassified"}, tagged("")), ""},
		"half a tag":     {note(session.Notification{Type: "x"}, "<system_notification>a"), "info x: <system_notification>a"},
	})
}

func TestHandoff(t *testing.T) {
	t.Parallel()
	checkNotices(t, map[string]noticeCase{
		"whole": {
			[]session.Body{session.SessionHandoff{
				SourceType: "remote", Host: "github.com", Repository: jsontext.Value(`{"owner":"acme","name":"app","branch":"fix"}`),
				Summary: "Half of the tests pass.", Context: "issue 12",
			}},
			"boundary Handed over from a remote session on github.com, acme/app (fix)\n" +
				"info handoff: What was done there {Half of the tests pass.//issue 12}",
		},
		"bare": {[]session.Body{session.SessionHandoff{}}, "boundary Handed over from another session"},
		"without an owner": {
			[]session.Body{session.SessionHandoff{Repository: jsontext.Value(`{"name":"app"}`)}},
			"boundary Handed over from another session, app",
		},
	})
}
