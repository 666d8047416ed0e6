package main

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rule{
		"shell":                           {kind: kindShell},
		"shell(git status)":               {kind: kindShell, arg: "git status"},
		"shell(git:*)":                    {kind: kindShell, arg: "git", prefix: true},
		"write":                           {kind: kindWrite},
		"write(.env)":                     {kind: kindWrite, arg: ".env"},
		"write(src/../a.go)":              {kind: kindWrite, arg: "a.go"},
		"write(/etc/hosts)":               {kind: kindWrite, arg: "/etc/hosts"},
		"read":                            {kind: kindRead},
		"memory":                          {kind: kindMemory},
		"url":                             {kind: kindURL},
		"url(GitHub.com)":                 {kind: kindURL, scheme: "https", arg: "github.com:443"},
		"url(http://localhost:8080)":      {kind: kindURL, scheme: "http", arg: "localhost:8080"},
		"url(https://*.github.com/)":      {kind: kindURL, scheme: "https", arg: "*.github.com:443"},
		"my-server":                       {kind: kindMCP, name: "my-server"},
		"my-server(a_tool)":               {kind: kindMCP, name: "my-server", arg: "a_tool"},
		"shell(echo $(date) (in braces))": {kind: kindShell, arg: "echo $(date) (in braces)"},
	} {
		if got, err := parseRule(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestParseRuleRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "it is one of",
		"(git)":                     "it is one of",
		"shell(":                    "not closed",
		"shell(git":                 "not closed",
		"shell(git)x":               "not closed",
		"shell)":                    "that is no rule",
		"shell()":                   "leave them out",
		"shell( git )":              "take the blanks off",
		"shell(:*)":                 "at the end only",
		"shell(*)":                  "at the end only",
		"shell(g*t)":                "at the end only",
		"git status":                "shell(git status)",
		"*":                         "--allow-all permits everything",
		"Shell(git)":                "did you mean shell(git)?",
		"Bash(git:*)":               "did you mean shell(git:*)?",
		"edit":                      "did you mean write?",
		"read(/etc)":                "takes no argument",
		"memory(x)":                 "takes no argument",
		"write(*.go)":               "one file",
		"write(..)":                 "one file",
		"write(../x)":               "one file",
		"write(/)":                  "one file",
		"url(github.com/path)":      "host alone",
		"url(me@github.com)":        "host alone",
		"url(ftp://github.com)":     "takes a host",
		"url(https://)":             "takes a host",
		"url(git*.com)":             "subdomains only",
		"server(*)":                 "server alone permits",
		"path":                      "--allow-all does",
		"hook":                      "--allow-all does",
		"shell(git\u200b)":          "hidden or control",
		"shell(a\x1b[31m)":          "hidden or control",
		"extension-management(all)": "--allow-all does",
	} {
		if got, err := parseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q in it", text, got, err, want)
		}
	}
}

// TestParseRuleTotal gives it anything: it never panics, and what it accepts
// permits nothing of another kind.
func TestParseRuleTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`(shell|write|url|read|[a-z-]+)(\([ -~]*\)?)?`)).Draw(t, "rule")
		p, err := newPolicy([]string{text}, false)
		if err != nil {
			return
		}
		if ok, _ := p.permits(session.PermissionRequested{PermissionRequest: session.PermissionRequest{Kind: "workflow", Name: text}}); ok {
			t.Errorf("%q permits a workflow", text)
		}
		if ok, _ := p.permits(shellRequest("rm -rf /", true, "rm")); ok {
			t.Errorf("%q permits what the runtime warns of", text)
		}
	})
}

// shellRequest asks for a command line.
func shellRequest(text string, warned bool, identifiers ...string) session.PermissionRequested {
	r := session.PermissionRequest{Kind: "shell", FullCommandText: text}
	for _, id := range identifiers {
		r.Commands = append(r.Commands, session.ShellCommand{Identifier: id})
	}
	if warned {
		r.Warning = "careful"
	}
	return session.PermissionRequested{
		RequestID: "r", PermissionRequest: r,
		PromptRequest: &session.PromptRequest{Kind: "commands", FullCommandText: text, CommandIdentifiers: identifiers},
	}
}

// asks makes a request without a form for display.
func asks(r session.PermissionRequest) session.PermissionRequested {
	return session.PermissionRequested{RequestID: "r", PermissionRequest: r}
}

func TestPermits(t *testing.T) {
	t.Parallel()
	type request = session.PermissionRequest
	shell := func(text string, identifiers ...string) session.PermissionRequested {
		return shellRequest(text, false, identifiers...)
	}
	segmented := asks(request{
		Kind: "shell", FullCommandText: "npm run build", Commands: []session.ShellCommand{{Identifier: "npm run"}},
		CommandSegments: []session.CommandSegment{{Identifier: "npm run", FullCommandText: "npm run build"}},
	})
	elsewhere := asks(request{Kind: "shell", FullCommandText: "git -C / commit", Commands: []session.ShellCommand{
		{Identifier: "git commit", AllowMatchIdentifier: "git -C"},
	}})
	redirecting, unseen, outside, managed := shell("echo a > b", "echo"), shell("sh x", "sh"), shell("touch a", "touch"), shell("touch a", "touch")
	redirecting.PermissionRequest.HasWriteFileRedirection = true
	unseen.PermissionRequest.CommandSegments = []session.CommandSegment{{Identifier: "sh", FullCommandText: "sh x", HasUnboundExecutableContent: true}}
	outside.PermissionRequest.RequestSandboxBypass = true
	managed.PermissionRequest.ManagedApprovalRequired = true
	differing := shell("git status", "git status")
	differing.PermissionRequest.FullCommandText = "git push"
	more := shell("git status", "git status")
	more.PermissionRequest.Commands = append(more.PermissionRequest.Commands, session.ShellCommand{Identifier: "whoami", ReadOnly: true})
	path := asks(request{Kind: "read", Path: "/etc/passwd"})
	path.PromptRequest = &session.PromptRequest{Kind: "path", Paths: []string{"/etc/passwd"}, AccessKind: "read"}
	tool := asks(request{Kind: "mcp", ServerName: "files", ToolName: "files-list"})
	tool.PromptRequest = &session.PromptRequest{Kind: "mcp", ServerName: "files", ToolName: "list"}
	moved := asks(request{Kind: "write", FileName: "/w/a.go", FileEdits: []session.FileEditChange{
		{Before: &session.FileVersion{Path: "/w/a.go"}}, {After: &session.FileVersion{Path: "/w/b.go"}},
	}})
	for _, c := range []struct {
		name  string
		r     session.PermissionRequested
		rules string // separated by " | "
		lack  string // "" is permitted
	}{
		{"nothing is permitted", shell("git status", "git status"), "", "'shell(git status)'"},
		{"exact", shell("git status -s", "git status"), "shell(git status)", ""},
		{"another command", shell("git push", "git push"), "shell(git status)", "'shell(git push)'"},
		{"beginning", shell("git push", "git push"), "shell(git:*)", ""},
		{"beginning alone", shell("git", "git"), "shell(git:*)", ""},
		{"no word of it", shell("gitea x", "gitea"), "shell(git:*)", "'shell(gitea)'"},
		{"name alone is no beginning", shell("git push", "git push"), "shell(git)", "'shell(git push)'"},
		{"every shell command", shell("rm x", "rm"), "shell", ""},
		{"compound", shell("git add . && git push", "git add", "git push"), "shell(git add) | shell(git push)", ""},
		{"compound in part", shell("git add . && rm x", "git add", "rm"), "shell(git add)", "'shell(rm)'"},
		{"one that only reads", more, "shell(git status)", "'shell(whoami)'"},
		{"not understood", shell("???"), "shell(git)", "not understood"},
		{"not understood, every command", shell("???"), "shell", ""},
		{"whole text", segmented, "shell(npm run build)", ""},
		{"other whole text", segmented, "shell(npm run)", ""},
		{"part of the text", segmented, "shell(npm)", "'shell(npm run)'"},
		{"in another folder", elsewhere, "shell(git commit)", "'shell(git -C)'"},
		{"in any folder", elsewhere, "shell(git:*)", ""},
		{"redirection", redirecting, "shell | write", "redirects output"},
		{"unseen content", unseen, "shell", "cannot be seen"},
		{"sandbox", outside, "shell", "leave the sandbox"},
		{"warning", shellRequest("touch a", true, "touch"), "shell", "warns"},
		{"hidden", shell("touch a\u202eb", "touch"), "shell", "hidden"},
		{"two forms", differing, "shell", "in two ways"},
		{"managed", managed, "shell", "organisation"},
		{"managed, all", managed, "all", "organisation"},
		{"sandbox, all", outside, "all", ""},
		{"write", asks(request{Kind: "write", FileName: "/w/a.go"}), "write", ""},
		{"write is no shell", asks(request{Kind: "write", FileName: "/w/a.go"}), "shell", "'write(/w/a.go)'"},
		{"write this", asks(request{Kind: "write", FileName: "/w/src/a.go"}), "write(src/a.go)", ""},
		{"write from the root", asks(request{Kind: "write", FileName: "/w/x/../a.go"}), "write(/w/a.go)", ""},
		{"write another", asks(request{Kind: "write", FileName: "/w/ba.go"}), "write(a.go)", "'write(/w/ba.go)'"},
		{"write two", moved, "write(a.go)", "'write(/w/b.go)'"},
		{"write both", moved, "write(a.go) | write(b.go)", ""},
		{"write something", asks(request{Kind: "write"}), "write(a.go)", "permits write"},
		{"read", asks(request{Kind: "read", Path: "/w/a"}), "read", ""},
		{"read by write", asks(request{Kind: "read", Path: "/w/a"}), "write", "permits read"},
		{"path", path, "read | shell | write", "outside the folders"},
		{"path, all", path, "all", ""},
		{"address", asks(request{Kind: "url", URL: "https://github.com/x?y"}), "url(github.com)", ""},
		{"address, plain", asks(request{Kind: "url", URL: "http://github.com/x"}), "url(github.com)", "'url(http://github.com)'"},
		{"address, port", asks(request{Kind: "url", URL: "https://github.com:444/"}), "url(github.com)", "444"},
		{"address, other end", asks(request{Kind: "url", URL: "https://github.com.evil.org/"}), "url(github.com)", "evil"},
		{"address, subdomain", asks(request{Kind: "url", URL: "https://api.github.com/"}), "url(*.github.com)", ""},
		{"address, no subdomain", asks(request{Kind: "url", URL: "https://evilgithub.com/"}), "url(*.github.com)", "evilgithub"},
		{"address, user", asks(request{Kind: "url", URL: "https://github.com@evil.org/"}), "url", "cannot be read"},
		{"any address", asks(request{Kind: "url", URL: "http://a.b/"}), "url", ""},
		{"tool", tool, "files(list)", ""},
		{"server", tool, "files", ""},
		{"other tool", tool, "files(delete)", "'files(list)'"},
		{"a server called shell", asks(request{Kind: "mcp", ServerName: "shell", ToolName: "x"}), "shell", "'shell(x)'"},
		{"custom tool", asks(request{Kind: "custom-tool", ToolName: "deploy"}), "deploy", ""},
		{"other custom tool", asks(request{Kind: "custom-tool", ToolName: "deploy"}), "delete", "deploy"},
		{"memory", asks(request{Kind: "memory", Fact: "x"}), "memory", ""},
		{"hook", asks(request{Kind: "hook", ToolName: "bash"}), "shell | bash-server", `"hook"`},
		{"unknown", asks(request{Kind: "teleport\x1b[31m"}), "shell", "teleport"},
		{"unknown, all", asks(request{Kind: "teleport"}), "all", ""},
		{"empty", asks(request{}), "shell | write | read | url | memory", "only --allow-all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var rules []string
			if c.rules != "" && c.rules != "all" {
				rules = strings.Split(c.rules, " | ")
			}
			p, err := newPolicy(rules, c.rules == "all")
			if err != nil {
				t.Fatal(err)
			}
			ok, lack := p.permits(c.r)
			if ok != (c.lack == "") || !ok && !strings.Contains(lack, c.lack) || strings.Contains(lack, "\x1b") {
				t.Errorf("permitted %t, because %q; want %q", ok, lack, c.lack)
			}
		})
	}
}

// TestPermitsRecorded asks about every request that was recorded: without rules
// nothing is permitted, with all everything is.
func TestPermitsRecorded(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, file := range sessiontest.Logs(t) {
		name := strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".jsonl")
		for _, q := range sessiontest.All[session.PermissionRequested](sessiontest.Log(t, name)) {
			seen++
			if ok, lack := (policy{}).permits(q); ok || lack == "" {
				t.Errorf("%s: %s was permitted", name, q.PermissionRequest.Kind)
			}
			if ok, lack := (policy{all: true}).permits(q); !ok {
				t.Errorf("%s: --allow-all does not permit %s: %s", name, q.PermissionRequest.Kind, lack)
			}
			if w := readRequest(q); w.danger != "" && !q.PermissionRequest.HasWriteFileRedirection {
				t.Errorf("%s: %s is dangerous: %s", name, q.PermissionRequest.Kind, w.danger)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d requests were recorded", seen)
	}
}
