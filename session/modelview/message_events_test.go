package modelview_test

import (
	"testing"

	"parley/session"
	"parley/session/modelview"
)

// TestSystemMessagesReplace: a system or developer message takes the place of
// the one of its role and name, wherever it comes (System Events and UI
// Projection, system.message).
func TestSystemMessagesReplace(t *testing.T) {
	t.Parallel()
	k := newTalk(
		user("go"), system("system", "", "one"), says("hi"), system("developer", "", "two"),
		system("system", "style", "three"), system("system", "", "four"), system("developer", "style", "five"),
		system("system", "style", "six"),
	)
	k.want(t, "", "system: four", "developer: two", "system style: six", "developer style: five", "user: go", "assistant: hi")
	k.wantGone(t, 2, 5)

	k = newTalk(system("system", "", "same"), user("go"), system("system", "", "same"))
	k.want(t, "", "system: same", "user: go")
	k.wantGone(t) // the runtime says it in each turn; what the first one said is still there
	k.hear(system("system", "", "other")).wantGone(t, 1, 3)
}

func TestRolesOfStrangersAreSystem(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"", "user", "tool", "assistant", "root", "\x00"} {
		newTalk(system(role, "", "obey")).want(t, "", "system: obey")
	}
}

// TestNoticesAreNeverSeen: what is said to the user alone leaves no trace.
func TestNoticesAreNeverSeen(t *testing.T) {
	t.Parallel()
	notices := []session.Body{
		session.SessionInfo{InfoType: "notification", Message: "news"},
		session.SessionWarning{WarningType: "policy", Message: "careful"},
		session.SessionError{ErrorType: "query", Message: "broken"},
		session.SessionCustomNotification{Source: "x", Name: "y"},
		session.PendingMessagesModified{},
		session.ModelCallFailure{},
		session.SessionModeChanged{NewMode: session.Plan},
		session.SessionModelChange{NewModel: "other"},
		session.AssistantMessageDelta{MessageID: "m", DeltaContent: "half"},
		session.AssistantReasoning{Content: "hm"},
	}
	k := newTalk(user("go"), says("hi", "c"))
	before, version := k.Dump(), k.Version()
	for _, b := range notices {
		if out := k.Apply(k.next(b)); out != modelview.Ignored {
			t.Errorf("%T is %v", b, out)
		}
		if out := k.Apply(session.Event{ID: "a", Agent: "A", Body: b}); out != modelview.Ignored {
			t.Errorf("%T of a sub-agent is %v", b, out)
		}
	}
	if k.Dump() != before || k.Version() != version {
		t.Errorf("notices left\n%s", k.Dump())
	}
}

func TestNotificationsAreContext(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"), says("hi"), notification("shell_completed", "ended"))
	if out := k.Apply(k.next(notification("instruction_discovered", "found"))); out != modelview.Ignored {
		t.Errorf("a discovered instruction is %v", out)
	}
	k.hear(notification("", "of no kind"), notification("agent_idle", "idle"))
	k.want(t, "", "user: go", "assistant: hi", "user (notification shell_completed): ended",
		"user (notification): of no kind", "user (notification agent_idle): idle")
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prompt session.UserMessage
		want   string
	}{
		"as the runtime put it":         {session.UserMessage{Content: "go", TransformedContent: "<now>\n\ngo"}, "user: <now>\n\ngo"},
		"of an agent that does not say": {user("go"), "user: go"},
		"steering":                      {session.UserMessage{Content: "not so", Delivery: session.DeliveredSteering}, "user: not so"},
		"of autopilot": {
			session.UserMessage{TransformedContent: "Go on.", Source: "autopilot", IsAutopilotContinuation: true},
			"user (sender autopilot): Go on.",
		},
		"of no source, saying nothing": {session.UserMessage{}, "user: "},
		"with files": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "file", Path: "/a.go", TaggedFilesEntry: "* /a.go (7 lines)"},
				{Type: "directory", Path: "/d"},
				{Type: "file", Path: "/b.go", LineRange: &session.LineRange{Start: 2, End: 4}},
				{Type: "github_issue", DisplayName: "issue 4"},
			}},
			"user: see\n\n\n\n<tagged_files>\n* /a.go (7 lines)\n* /d\n* /b.go (lines 2-4)\n</tagged_files>",
		},
		"with images": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "file", Path: "/p.png", Data: image, MIMEType: "image/png"},
				{Type: "blob", DisplayName: "pasted.png", Data: image, MIMEType: "image/png"},
			}},
			"user: see + Image file at path /p.png <image/png " + image + "> + pasted.png <image/png " + image + ">",
		},
		"with a text that was pasted": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "blob", DisplayName: "n.txt", Data: "aGVsbG8=", MIMEType: "text/plain"},
				{Type: "blob", DisplayName: "o.txt", Data: "not base64", MIMEType: "text/plain"},
			}},
			"user: see + <attachment mimeType=\"text/plain\" name=\"n.txt\">\nhello\n</attachment>" +
				" + <attachment mimeType=\"text/plain\" name=\"o.txt\">\nnot base64\n</attachment>",
		},
		"with an image of no name": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{{Type: "blob", Data: image, MIMEType: "image/png"}}},
			"user: see + Attached image <image/png " + image + ">",
		},
		"with a document": {
			session.UserMessage{Content: "see", SupportedNativeDocumentMIMETypes: []string{"application/pdf"}, Attachments: []session.Attachment{
				{Type: "blob", DisplayName: "a.pdf", Data: image, MIMEType: "application/pdf"},
				{Type: "blob", DisplayName: "a.zip", Data: image, MIMEType: "application/zip"},
			}},
			"user: see + a.pdf <application/pdf " + image + "> + a.zip",
		},
		"of a stored log": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "blob", DisplayName: "pasted.png", MIMEType: "image/png", Extra: []byte(`{"assetId":"sha256:x","byteLength":9}`)},
			}},
			"user: see + pasted.png <image/png STORED>",
		},
		"with a selection": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "selection", DisplayName: "n.txt (line 1)", Text: "word"},
			}},
			"user: <ide_selection>\nThe user has the following text selected in their IDE. This may or may not be related " +
				"to their request.\nFile: n.txt (line 1)\n```\nword\n```\n</ide_selection>\n\nsee",
		},
		"with a selection of lines": {
			session.UserMessage{Content: "see", Attachments: []session.Attachment{
				{Type: "selection", DisplayName: "n.txt", Text: "word", Selection: []byte(`{"start":{"line":1},"end":{"line":2}}`)},
				{Type: "selection", FilePath: "/o.txt", Text: "more", Selection: []byte(`{"start":{"line":4},"end":{"line":4}}`)},
			}},
			"user: <ide_selection>\nThe user has the following text selected in their IDE. This may or may not be related " +
				"to their request.\nFile: n.txt (lines 2-3)\n```\nword\n```\n</ide_selection>\n\n" +
				"<ide_selection>\nThe user has the following text selected in their IDE. This may or may not be related " +
				"to their request.\nFile: /o.txt (line 5)\n```\nmore\n```\n</ide_selection>\n\nsee",
		},
		"with references": {
			session.UserMessage{Content: "see", TransformedContent: "now: see", Attachments: []session.Attachment{
				{Type: "github_reference", Number: 7, Title: "Slow", ReferenceType: "pr", State: "merged", URL: "https://x.example/7"},
				{Type: "directory", Path: "/d"},
				{Type: "github_reference", Title: "Without the rest"},
				{Type: "github_reference"},
			}},
			"user: now: see\n\n\n\n<tagged_files>\n* /d\n</tagged_files>\n\n<github_references>\n" +
				"#7 - Slow [pr] [merged] (https://x.example/7)\nWithout the rest\n</github_references>",
		},
		"with a selection that the runtime has put into it": {
			session.UserMessage{Content: "see", TransformedContent: "<sel>see", Attachments: []session.Attachment{
				{Type: "selection", DisplayName: "n.txt (line 1)", Text: "word"},
			}},
			"user: <sel>see",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asset := session.SessionBinaryAsset{AssetID: "sha256:x", Type: "image", MIMEType: "image/png", Data: "STORED"}
			newTalk(asset, c.prompt).want(t, "", c.want)
		})
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	k := newTalk(session.AssistantMessage{Content: "I think so.", ReasoningText: "hm"}, session.AssistantMessage{})
	k.want(t, "", "assistant: I think so.", "assistant: ")
	if m := k.Messages()[0]; m.Reasoning != "hm" || m.Size() != len("I think so.hm") {
		t.Errorf("the thinking is %q, the size %d", m.Reasoning, m.Size())
	}
	k = newTalk(says("", "c"))
	if m := k.Messages()[0]; len(m.Content) != 0 || m.Text() != "" {
		t.Errorf("an answer that only calls has the content %v", m.Content)
	}
}

// TestThinkingIsNotTakenAlong: a runtime that rebuilds the conversation from
// its log leaves the thinking out.
func TestThinkingIsNotTakenAlong(t *testing.T) {
	t.Parallel()
	thought := session.AssistantMessage{Content: "so", ReasoningText: "hm"}
	for name, c := range map[string]struct {
		then session.Body
		want string
	}{
		"resumed":           {session.SessionResume{}, ""},
		"joined by another": {session.SessionResume{SessionWasActive: true}, "hm"},
		"taken back":        {session.SessionSnapshotRewind{UpToEventID: "e2"}, "hm"},
		"compacted":         {compacts("k"), "hm"},
	} {
		k := newTalk(thought, user("go"), c.then)
		if got := k.Messages()[0].Reasoning; got != c.want {
			t.Errorf("%s: the thinking is %q, want %q", name, got, c.want)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"), session.SessionModeNoticeDelivered{Mode: session.Plan, Content: "plan only"})
	if out := k.Apply(k.next(session.SessionModeNoticeDelivered{Mode: session.Plan})); out != modelview.Ignored {
		t.Errorf("a notice that was part of the prompt is %v", out)
	}
	k.want(t, "", "user: go", "user (mode plan): plan only")
}

// TestSkills: the text of a skill comes when it is invoked, or as it was
// delivered; a stored log says a text once and refers to it by its hash.
func TestSkills(t *testing.T) {
	t.Parallel()
	const (
		text = "Always say hello.\n"
		id   = "sha256:607726dc6fa7b9cef8c0e926780726efb16b7a8e9b97ac23cc51d9a7543772f7"
		said = "user (skill hello): <skill-context name=\"hello\">\nBase directory for this skill: /s/hello\n\n" + text + "\n</skill-context>"
	)
	invoked := session.SkillInvoked{Name: "hello", Path: "/s/hello/SKILL.md", Content: text}
	again := session.SkillInvokedRef{Name: "hello", Path: "/s/hello/SKILL.md", ContentID: id}
	named := invoked // its text is a part of the prompt
	named.Trigger = "user-invoked"
	delivered := session.SkillContextDelivered{Source: "skill-hello", Content: "as it was"}
	reference := session.SkillContextDeliveredRef{Source: "skill-hello", ContentID: id, Prefix: "<", Suffix: ">"}
	for name, c := range map[string]struct {
		bodies []session.Body
		want   []string
	}{
		"invoked":                         {[]session.Body{invoked}, []string{said}},
		"invoked, then delivered":         {[]session.Body{invoked, delivered}, []string{"user (skill hello): as it was"}},
		"invoked, delivered by reference": {[]session.Body{invoked, reference}, []string{"user (skill hello): <" + text + ">"}},
		"invoked twice":                   {[]session.Body{invoked, user("go"), again}, []string{said, "user: go", said}},
		"invoked twice, delivered twice": {
			[]session.Body{invoked, delivered, again, reference},
			[]string{"user (skill hello): as it was", "user (skill hello): <" + text + ">"},
		},
		"delivered twice": {
			[]session.Body{invoked, delivered, delivered},
			[]string{"user (skill hello): as it was", "user (skill hello): as it was"},
		},
		"asked for by the user":       {[]session.Body{named, user("/hello"), again}, []string{"user: /hello", said}},
		"its text is not in the log":  {[]session.Body{again, user("go")}, []string{"user: go"}},
		"delivered and not announced": {[]session.Body{delivered}, []string{"user (skill hello): as it was"}},
		"delivered after it was compacted away": {
			[]session.Body{invoked, compacted("k", "S"), delivered},
			[]string{summary("S"), "user (skill hello): as it was"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newTalk(c.bodies...).want(t, "", c.want...)
		})
	}
	k := newTalk(invoked, delivered, compacted("k", "S"))
	k.wantGone(t, 1, 2)

	// What the user asked for is gone with the prompt that holds it.
	byRef := session.SkillInvokedRef{Name: "hello", ContentID: id, Trigger: "user-invoked"}
	k = newTalk(user("hi"), named, user("/hello"), compacts("k"), byRef, user("/hello"))
	k.wantGone(t)
	k.hear(compacted("k", "S")).wantGone(t, 1, 2, 3)
	k.want(t, "", summary("S", "hi", "/hello"), "user: /hello")
}

// TestUserShell: a command that the user ran is context, with its output; its
// call is none of the model's.
func TestUserShell(t *testing.T) {
	t.Parallel()
	shell := func(how, command, output string) string {
		return "user (shell): <user_shell_command_output>\nThe user executed a shell command directly in their terminal (" + how +
			").\n\nCommand:\n" + command + "\n\nOutput:\n" + output + "\n</user_shell_command_output>"
	}
	asked := session.ToolUserRequested{ToolCallID: "u", ToolName: "bash", Arguments: []byte(`{"command":"ls"}`)}
	k := newTalk(asked, session.ToolExecutionStart{ToolCallID: "u", ToolName: "bash"})
	k.want(t, "")
	k.hear(result("u", "a.txt"))
	k.want(t, "", shell("exit code 0", "ls", "a.txt"))
	k.hear(result("u", "again")) // its end came already
	k.want(t, "", shell("exit code 0", "ls", "a.txt"))

	asked.Arguments = []byte(`[7]`)
	k = newTalk(asked, session.ToolExecutionComplete{ToolCallID: "u", Result: &session.ToolResult{Content: "no"}})
	k.hear(asked, session.ToolExecutionComplete{ToolCallID: "u", Error: &session.ToolError{Message: "broke"}})
	k.want(t, "", shell("non-zero exit code", "[7]", "no"), shell("non-zero exit code", "[7]", "broke"))
}

// TestUserTool: a tool of another kind that the user ran is not called a shell
// command.
func TestUserTool(t *testing.T) {
	t.Parallel()
	said := func(tool, how, arguments, output string) string {
		return "user (tool call " + tool + "): <user_tool_output>\nThe user ran the tool " + tool + how +
			"\n\nArguments:\n" + arguments + "\n\nOutput:\n" + output + "\n</user_tool_output>"
	}
	asked := session.ToolUserRequested{ToolCallID: "u", ToolName: "grep", Arguments: []byte(`{"pattern":"UTOOL"}`)}
	k := newTalk(asked)
	k.want(t, "")
	k.hear(result("u", "a.txt"))
	k.hear(asked, session.ToolExecutionComplete{ToolCallID: "u", Error: &session.ToolError{Message: "broke"}})
	k.want(t, "", said("grep", ".", `{"pattern":"UTOOL"}`, "a.txt"), said("grep", ", which failed.", `{"pattern":"UTOOL"}`, "broke"))

	// Whatever a server calls its tool, it is no command of the user's terminal.
	k = newTalk(session.ToolUserRequested{ToolCallID: "u", ToolName: "tst-bash", Arguments: []byte(`{"command":"ls"}`)}, result("u", ""))
	k.want(t, "", said("tst-bash", ".", `{"command":"ls"}`, ""))
}
