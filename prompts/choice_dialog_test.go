package prompts

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
)

// requests is one question of every kind, by the name of its golden.
func requests() map[string]session.Body {
	perm := func(a session.PermissionRequest, p *session.PromptRequest) session.PermissionRequested {
		return session.PermissionRequested{RequestID: "r1", PermissionRequest: a, PromptRequest: p}
	}
	diff := "\ndiff --git a/home/ada/src/parley/queue.go b/home/ada/src/parley/queue.go\nindex 0000000..0000000 100644\n" +
		"--- a/home/ada/src/parley/queue.go\n+++ b/home/ada/src/parley/queue.go\n@@ -40,3 +40,3 @@\n func Test() {\n" +
		"-\ttime.Sleep(50 * time.Millisecond)\n+\t<-w.Drained()\n }\n"
	redirect := shell("echo hi > /opt/a.txt", "echo")
	redirect.PermissionRequest.HasWriteFileRedirection = true
	redirect.PermissionRequest.PossiblePaths = []string{"/opt/a.txt", "b.txt"}
	long := shell("cat <<'EOF' > x\n"+strings.Repeat("line\n", 40)+"EOF", "cat")
	hidden := shell("echo \u202egpj.sh\x1b[2K && true", "echo")
	conflict := shell("git status", "git status")
	conflict.PermissionRequest.FullCommandText = "git push --force"
	path := shell("cat /etc/hostname", "cat")
	path.PromptRequest = &session.PromptRequest{
		PermissionDetails:   session.PermissionDetails{Kind: "path"},
		AccessKind:          "read",
		Paths:               []string{"/etc/hostname"},
		ReadOnlyDirectories: []string{"/etc"},
	}
	agent := shell("go test ./...", "go test")
	agent.OwnerAgentID = "agent-1"
	no := false
	return map[string]session.Body{
		"shell":          shell("git push origin fix-drain", "git push"),
		"shell_many":     shell("touch b.txt && mkdir q", "touch", "mkdir"),
		"shell_agent":    agent,
		"shell_redirect": redirect,
		"shell_rm":       shell("rm -rf build", "rm"),
		"shell_long":     long,
		"shell_hidden":   hidden,
		"shell_conflict": conflict,
		"write": perm(session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/home/ada/src/parley/queue.go", Intention: "Edit file", CanOfferSessionApproval: true, Diff: diff},
		}, nil),
		"write_new": perm(session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/home/ada/src/parley/new.txt", NewFileContents: "one\ntwo\n", FileEdits: []session.FileEditChange{{After: &session.FileVersion{Path: "/home/ada/src/parley/new.txt", Content: "one\ntwo\n"}}}},
		}, nil),
		"read":            perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/etc/hostname", Intention: "Read file: /etc/hostname"}}, nil),
		"path":            path,
		"url":             perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://pkg.go.dev/net/http?tab=doc", Intention: "Fetch the page"}}, nil),
		"url_odd":         perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://github.com@xn--gthub-n4a.com/a"}}, nil),
		"url_lookalike":   perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://gith\u0443b.com/ada/queue", Intention: "Read the release notes"}}, nil),
		"mcp":             perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "jira", ToolName: "jira-create", ToolTitle: "Create an issue", Args: []byte(`{"title":"Flaky","labels":["a","b"]}`)}}, &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "jira", ToolName: "create", ToolTitle: "Create an issue", Args: []byte(`{"title":"Flaky","labels":["a","b"]}`)}}),
		"custom":          perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "custom-tool", ToolName: "get_weather", ToolDescription: "The weather in a city.", Args: []byte(`{"city":"Oslo"}`)}}, nil),
		"memory":          perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "memory", Subject: "build", Fact: "make test needs npm", Citations: []byte(`"Makefile:12"`), Reason: "it failed without"}}, nil),
		"hook":            perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "hook", ToolName: "bash", ToolArgs: []byte(`{"command":"ls"}`), HookMessage: "outside office hours"}}, nil),
		"workflow":        perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "workflow", Extra: []byte(`{"name":"release"}`)}}, nil),
		"unknown":         perm(session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "teleport", Extra: []byte(`{"to":"Mars"}`), Warning: "there is no way back", RequestSandboxBypass: true, RequestSandboxBypassReason: "needs the network"}}, nil),
		"question":        session.UserInputRequested{RequestID: "r1", Question: "Which colour?\nIt is for the bikeshed.", Choices: []string{"red", "a much longer choice that has to be broken on a narrow terminal", "green"}},
		"question_closed": session.UserInputRequested{RequestID: "r1", Question: "Really?", Choices: []string{"yes", "no"}, AllowFreeform: &no},
		"question_free":   session.UserInputRequested{RequestID: "r1", Question: "What is your name?"},
		"confirmation": session.ConfirmationRequested{
			RequestID: "r1", Type: "action", Title: "Turn off feature flag",
			Message:      "Are you sure you wish to turn off the `copilot` feature flag?",
			Confirmation: []byte(`{"id":"id-123","other":"identifier-as-needed"}`),
		},
		"confirmation_odd": session.ConfirmationRequested{RequestID: "r1", Type: "wish", Message: "Really\u200b?"},
		"trust": session.FolderTrustRequested{RequestID: "r1", Folder: "/home/ada/src/parley", Loads: []session.FolderContents{
			{Path: "AGENTS.md", What: "instructions"}, {Path: ".mcp.json", What: "an MCP server: npx files"},
		}},
	}
}

// TestCards draws every kind of question at three widths, not listening yet
// and listening, without colour.
func TestCards(t *testing.T) {
	t.Parallel()
	for name, body := range requests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, width := range []int{40, 80, 140} {
				d := newDesk(t)
				d.width, d.height = width, 40
				d.event(session.Event{Agent: "agent-1", Body: session.SubagentStarted{AgentDisplayName: "explorer"}})
				d.apply(body)
				if width == 40 {
					fmt.Fprintf(&b, "-- not listening yet, %d\n%s\n", width, d.text())
				}
				d.settle()
				fmt.Fprintf(&b, "-- listening, %d\n%s\n", width, d.text())
				if width == 80 {
					d.press("?")
					fmt.Fprintf(&b, "-- why\n%s\n", d.text())
				}
			}
			sessiontest.Golden(t, "prompts/"+name, b.String())
		})
	}
}

// TestStates draws one card in everything that can happen to it, with the
// roles of its text.
func TestStates(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	show := func(d *desk, title string) {
		fmt.Fprintf(&b, "-- %s\n%s\n", title, theme.Reveal(d.text()))
	}
	fresh := func(body session.Body) *desk {
		d := newDesk(t)
		d.th, d.width = theme.Probe(), 60
		d.ready(body)
		return d
	}
	d := fresh(shell("git push", "git push"))
	show(d, "listening")
	d.press("down", "down")
	show(d, "second row")
	d.press("tab")
	show(d, "note, empty")
	d.typed("then tag it")
	show(d, "note")
	d.press("enter")
	show(d, "note kept")
	d.press("n")
	show(d, "refusal, empty")
	d.typed("open a merge request")
	show(d, "refusal")
	d.press("esc", "esc")
	show(d, "left")
	d = fresh(shell("git push", "git push"))
	d.typed("hello")
	show(d, "typing")
	d = fresh(shell("git push", "git push"))
	d.key(stroked("s"), 0)
	show(d, "a key held back")
	d = fresh(shell("rm x", "rm"))
	d.press("y")
	show(d, "danger, asked to confirm")
	d = fresh(shell("echo \u202ex", "echo"))
	show(d, "hidden")
	d = fresh(requests()["url"])
	d.press("P")
	d.typed("no")
	d.press("enter")
	show(d, "for good, not confirmed")
	d = fresh(requests()["write"])
	show(d, "change")
	d = fresh(requests()["question_free"])
	d.press("tab")
	d.typed("Ada")
	show(d, "answer")
	d = newDesk(t)
	d.th, d.width = theme.Probe(theme.ASCII()), 60
	two := shell("git pull", "git pull")
	two.RequestID = "r2"
	d.apply(two)
	d.ready(shell("git push", "git push"))
	d.press("]")
	d.settle()
	d.press("down")
	show(d, "two, without glyphs")
	sessiontest.Golden(t, "prompts/states", b.String())
}

// TestSizes: at any size a card fits, and what cannot be seen cannot be
// answered.
func TestSizes(t *testing.T) {
	t.Parallel()
	for name, body := range requests() {
		d := newDesk(t)
		d.apply(body)
		for width := 0; width <= 100; width += 7 {
			for height := range 30 {
				d.width, d.height = width, height
				d.draw()
				c := d.q.card()
				for i := range c.choices.rows {
					if label := c.choices.rows[i].label; c.ready(i) && !strings.Contains(d.text(), label[:min(4, len(label))]) {
						t.Errorf("%s at %dx%d: row %d could be chosen unseen:\n%s", name, width, height, i, d.text())
					}
				}
				if len(d.screen) == 0 && d.q.card().ready(0) {
					t.Errorf("%s at %dx%d: could be answered unseen", name, width, height)
				}
			}
		}
	}
}

// TestSmallestCard: a card is drawn the same at its own height, also where there is no room
// for the row that is chosen.
func TestSmallestCard(t *testing.T) {
	t.Parallel()
	for chosen := range 5 {
		d := filled(t, survey)
		d.press("a", "d", "a", "esc")
		d.settle()
		for range chosen {
			d.press("down")
		}
		for d.width = leastWidth; d.width <= 60; d.width++ {
			for d.height = leastHeight; d.height < 12; d.height++ {
				d.draw() // checks that
			}
		}
	}
}

// TestNoRow: Enter before a row was chosen answers nothing, and the card names the keys
// of the rows, once it was read to its end and where there is room.
func TestNoRow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		ask   session.Body
		width int
		keys  []string
		says  string
	}{
		{"a form's review", asking(three), 80, []string{"tab", "a", "tab", "tab", "tab"}, "╰ press y, 2, d or x, or choose a row first ─"},
		{"a permission", shell("ls", "ls"), 80, nil, "╰ press y, s, l or n, or choose a row first ─"},
		{"not read yet", fileOf(199), 80, nil, "╰ choose a row first ─"},
		{"no room", asking(three), 44, []string{"tab", "a", "tab", "tab", "tab"}, "╰ choose a row first ─"},
	} {
		d := newDesk(t)
		d.width = tt.width
		d.ready(tt.ask)
		for _, key := range tt.keys {
			d.press(key)
			d.settle()
		}
		d.press("enter", "enter")
		d.none()
		if !strings.Contains(d.text(), tt.says) {
			t.Errorf("%s: %q is not in\n%s", tt.name, tt.says, d.text())
		}
	}
}
