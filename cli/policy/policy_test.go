package policy

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rule{
		"shell":                           {kind: KindShell},
		"shell(git status)":               {kind: KindShell, arg: "git status"},
		"shell(git:*)":                    {kind: KindShell, arg: "git", prefix: true},
		"write":                           {kind: KindWrite},
		"write(.env)":                     {kind: KindWrite, arg: ".env"},
		"write(src/../a.go)":              {kind: KindWrite, arg: "./a.go"},
		"write(./a.go)":                   {kind: KindWrite, arg: "./a.go"},
		"write(/etc/hosts)":               {kind: KindWrite, arg: "/etc/hosts"},
		"read":                            {kind: KindRead},
		"memory":                          {kind: KindMemory},
		"url":                             {kind: KindURL},
		"url(GitHub.com)":                 {kind: KindURL, scheme: "https", arg: "github.com:443"},
		"url(http://localhost:8080)":      {kind: KindURL, scheme: "http", arg: "localhost:8080"},
		"url(https://*.github.com/)":      {kind: KindURL, scheme: "https", arg: "*.github.com:443"},
		"my-server":                       {kind: kindMCP, name: "my-server"},
		"my-server(a_tool)":               {kind: kindMCP, name: "my-server", arg: "a_tool"},
		"shell(echo $(date) (in braces))": {kind: KindShell, arg: "echo $(date) (in braces)"},
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
		"shel(git:*)":               "did you mean shell?",
		"memory(x)":                 "takes no argument",
		"write(*.go)":               "one file",
		"write(..)":                 "one file",
		"write(../x)":               "one file",
		"write(/)":                  "one file",
		"write(src/)":               "one file",
		"write(~/.bashrc)":          "write it out",
		"write(~me/x)":              "write it out",
		"write(~)":                  "write it out",
		"shell(git :*)":             "blanks",
		"url(gìthub.com)":           "xn-- form",
		"url(a_b.com)":              "letters, digits",
		"url([::1])":                "letters, digits",
		"Path":                      "--allow-all does",
		"MCP":                       "--allow-all does",
		"Custom-Tool":               "--allow-all does",
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
		p, err := New([]string{text}, false, "/w")
		if err != nil {
			return
		}
		if ok, _ := p.Permits(session.PermissionRequested{PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "workflow", Name: text}}}); ok {
			t.Errorf("%q permits a workflow", text)
		}
		if ok, _ := p.Permits(shellRequest("rm -rf /", true, "rm")); ok {
			t.Errorf("%q permits what the runtime warns of", text)
		}
	})
}

// shellRequest asks for a command line.
func shellRequest(text string, warned bool, identifiers ...string) session.PermissionRequested {
	r := session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: text}}
	for _, id := range identifiers {
		r.Commands = append(r.Commands, session.ShellCommand{Identifier: id})
	}
	if warned {
		r.Warning = "careful"
	}
	return session.PermissionRequested{
		RequestID: "r", PermissionRequest: r,
		PromptRequest: &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "commands", FullCommandText: text}, CommandIdentifiers: identifiers},
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
		PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "npm run build"},
		Commands:          []session.ShellCommand{{Identifier: "npm run"}},
		CommandSegments:   []session.CommandSegment{{Identifier: "npm run", FullCommandText: "npm run build"}},
	})
	elsewhere := asks(request{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "git -C / commit"}, Commands: []session.ShellCommand{
		{Identifier: "git commit", AllowMatchIdentifier: "git -C"},
	}})
	alias := asks(request{
		PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: "git -c alias.x='!touch pwned' x"},
		Commands:          []session.ShellCommand{{Identifier: "git"}},
		CommandSegments:   []session.CommandSegment{{Identifier: "git", AllowMatchIdentifier: "git -c", FullCommandText: "git -c alias.x='!touch pwned' x"}},
	})
	unparsed := func(text string) session.PermissionRequested { // as the Agent Client Protocol has it
		r := asks(request{PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: text}})
		r.Options = []session.PermissionOption{{ID: "once", Kind: session.AllowOnce}}
		return r
	}
	redirecting, unseen, outside, managed := shell("echo a > b", "echo"), shell("sh x", "sh"), shell("touch a", "touch"), shell("touch a", "touch")
	redirecting.PermissionRequest.HasWriteFileRedirection = true
	unseen.PermissionRequest.CommandSegments = []session.CommandSegment{{Identifier: "sh", FullCommandText: "sh x", HasUnboundExecutableContent: true}}
	outside.PermissionRequest.RequestSandboxBypass = true
	managed.PermissionRequest.ManagedApprovalRequired = true
	differing := shell("git status", "git status")
	differing.PermissionRequest.FullCommandText = "git push"
	more := shell("git status", "git status")
	more.PermissionRequest.Commands = append(more.PermissionRequest.Commands, session.ShellCommand{Identifier: "whoami", ReadOnly: true})
	path := asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/etc/passwd"}})
	path.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "path"}, Paths: []string{"/etc/passwd"}, AccessKind: "read"}
	twoPaths, morePaths := asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a"}}), asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a"}})
	twoPaths.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/b"}}
	morePaths.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "read"}, Paths: []string{"/w/b", "/w/c"}}
	tool := asks(request{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "files", ToolName: "files-list"}})
	tool.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "files", ToolName: "list"}}
	moved := asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.go", FileEdits: []session.FileEditChange{
		{Before: &session.FileVersion{Path: "/w/a.go"}}, {After: &session.FileVersion{Path: "/w/b.go"}},
	}}})
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
		{"not understood", shell("???"), "shell(git) | shell | shell(???)", "not all of it is known"},
		{"not understood, all", shell("???"), "all", ""},
		{"text alone", unparsed("git add . && git push"), "shell(git add . && git push)", ""},
		{"text alone, every command", unparsed("rm x"), "shell", ""},
		{"text alone, by name", unparsed("git push"), "shell(git) | shell(git:*) | shell(git push -f)", "whole text only"},
		{"text alone, redirecting", unparsed("echo a >b"), "shell | shell(echo a >b)", "redirects output"},
		{"text alone, environment", unparsed("PATH=. git"), "shell", "environment"},
		{"text alone, none", unparsed(""), "shell", "not all of it is known"},
		{"known for display alone", session.PermissionRequested{RequestID: "r", PromptRequest: shell("touch a", "touch").PromptRequest}, "shell", "not all of it is known"},
		{"environment", shell("PATH=.:$PATH git status", "git status"), "shell | shell(git status) | shell(git:*)", "environment"},
		{"runs another, by name", shell("find . -exec rm {} +", "find"), "shell(find) | shell(find:*)", "'shell(find . -exec rm {} +)'"},
		{"runs another, whole text", shell("find . -exec rm {} +", "find"), "shell(find . -exec rm {} +)", ""},
		{"runs another, other text", shell("sudo -u x ls -a", "sudo"), "shell(sudo -u x ls) | shell(sudo:*)", "whole text only"},
		{"runs another, in a line", shell("ls | xargs rm", "ls", "xargs"), "shell(ls) | shell(xargs) | shell(xargs:*)", "whole text only"},
		{"runs another, the line", shell("ls |xargs rm", "ls", "xargs"), "shell(ls |xargs rm)", ""},
		{"runs another, every command", shell("sh -c 'a b'", "sh"), "shell", ""},
		{"a line for a name", shell("touch a; rm b", "touch a; rm b"), "shell(touch:*)", "'shell(touch a; rm b)'"},
		{"whole text", segmented, "shell(npm run build)", ""},
		{"other whole text", segmented, "shell(npm run)", ""},
		{"part of the text", segmented, "shell(npm)", "'shell(npm run)'"},
		{"in another folder", elsewhere, "shell(git commit)", "'shell(git -C)'"},
		{"in any folder", elsewhere, "shell(git:*) | shell(git -C:*)", "'shell(git -C)'"},
		{"in another folder, exactly", elsewhere, "shell(git -C)", ""},
		{"alias in the options", alias, "shell(git:*)", "'shell(git -c)'"},
		{"redirection", redirecting, "shell | write", "redirects output"},
		{"unseen content", unseen, "shell", "cannot be seen"},
		{"sandbox", outside, "shell", "leave the sandbox"},
		{"warning", shellRequest("touch a", true, "touch"), "shell", "warns"},
		{"hidden", shell("touch a\u202eb", "touch"), "shell", "hidden"},
		{"two forms", differing, "shell", "in two ways"},
		{"managed", managed, "shell", "organisation"},
		{"managed, all", managed, "all", "organisation"},
		{"sandbox, all", outside, "all", ""},
		{"write", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.go"}}), "write", ""},
		{"write is no shell", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a.go"}}), "shell", "'write(/w/a.go)'"},
		{"write this", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/src/a.go"}}), "write(src/a.go)", ""},
		{"write from the root", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/x/../a.go"}}), "write(/w/a.go)", ""},
		{"write another", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/ba.go"}}), "write(a.go)", "'write(/w/ba.go)'"},
		{"write two", moved, "write(a.go)", "'write(/w/b.go)'"},
		{"write both", moved, "write(a.go) | write(b.go)", ""},
		{"write a name below", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/x/y/.env"}}), "write(.env)", ""},
		{"write a name elsewhere", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/etc/.env"}}), "write(.env)", "'write(/etc/.env)'"},
		{"write a name beside", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/../ww/.env"}}), "write(.env)", "ww"},
		{"write this below", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/x/src/a.go"}}), "write(src/a.go) | write(./a.go)", "x/src/a.go"},
		{"write this, relative", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "./src/../src/a.go"}}), "write(src/a.go)", ""},
		{"write out of it, relative", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "../x/a.go"}}), "write(a.go)", "a.go"},
		{"write at home", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "~/a.go"}}), "write(a.go)", "a.go"},
		{"write something", asks(request{PermissionDetails: session.PermissionDetails{Kind: "write"}}), "write(a.go)", "permits write"},
		{"read", asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a"}}), "read", ""},
		{"read by write", asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a"}}), "write", "permits read"},
		{"read in two ways", twoPaths, "read", "in two ways"},
		{"read another of many", morePaths, "read", "in two ways"},
		{"read what hides", asks(request{PermissionDetails: session.PermissionDetails{Kind: "read", Path: "/w/a\u202eb"}}), "read", "hidden"},
		{"path", path, "read | shell | write", "outside the folders"},
		{"path, all", path, "all", ""},
		{"address", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://github.com/x?y"}}), "url(github.com)", ""},
		{"address, plain", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "http://github.com/x"}}), "url(github.com)", "'url(http://github.com)'"},
		{"address, port", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://github.com:444/"}}), "url(github.com)", "444"},
		{"address, other end", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://github.com.evil.org/"}}), "url(github.com)", "evil"},
		{"address, subdomain", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://api.github.com/"}}), "url(*.github.com)", ""},
		{"address, no subdomain", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://evilgithub.com/"}}), "url(*.github.com)", "evilgithub"},
		{"address, user", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://github.com@evil.org/"}}), "url", "cannot be read"},
		{"address, read in two ways", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: `https://evil.org\.github.com/`}}), "url(*.github.com)", "cannot be read"},
		{"address, odd host", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://x_y.github.com/"}}), "url(*.github.com)", "x_y"},
		{"address, led to", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://b.org/", RedirectedFrom: "https://a.org/"}}), "url(a.org)", "'url(https://b.org)'"},
		{"address, led from", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://b.org/", RedirectedFrom: "https://a.org/"}}), "url(b.org)", "'url(https://a.org)'"},
		{"address, both", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "https://b.org/", RedirectedFrom: "https://a.org/"}}), "url(a.org) | url(b.org)", ""},
		{"no address", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url"}}), "url", "names no address"},
		{"any address", asks(request{PermissionDetails: session.PermissionDetails{Kind: "url", URL: "http://a.b/"}}), "url", ""},
		{"tool", tool, "files(list)", ""},
		{"server", tool, "files", ""},
		{"other tool", tool, "files(delete)", "'files(list)'"},
		{"a server called shell", asks(request{PermissionDetails: session.PermissionDetails{Kind: "mcp", ServerName: "shell", ToolName: "x"}}), "shell", "'shell(x)'"},
		{"custom tool", asks(request{PermissionDetails: session.PermissionDetails{Kind: "custom-tool", ToolName: "deploy"}}), "deploy", ""},
		{"other custom tool", asks(request{PermissionDetails: session.PermissionDetails{Kind: "custom-tool", ToolName: "deploy"}}), "delete", "deploy"},
		{"memory", asks(request{PermissionDetails: session.PermissionDetails{Kind: "memory", Fact: "x"}}), "memory", ""},
		{"hook", asks(request{PermissionDetails: session.PermissionDetails{Kind: "hook", ToolName: "bash"}}), "shell | bash-server", `"hook"`},
		{"unknown", asks(request{PermissionDetails: session.PermissionDetails{Kind: "teleport\x1b[31m"}}), "shell", "teleport"},
		{"unknown, all", asks(request{PermissionDetails: session.PermissionDetails{Kind: "teleport"}}), "all", ""},
		{"empty", asks(request{}), "shell | write | read | url | memory", "only --allow-all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var rules []string
			if c.rules != "" && c.rules != "all" {
				rules = strings.Split(c.rules, " | ")
			}
			p, err := New(rules, c.rules == "all", "/w")
			if err != nil {
				t.Fatal(err)
			}
			ok, lack := p.Permits(c.r)
			if ok != (c.lack == "") || ok != (lack == "") || !strings.Contains(lack, c.lack) || strings.Contains(lack, "\x1b") {
				t.Errorf("permitted %t, because %q; want %q", ok, lack, c.lack)
			}
		})
	}
}

// TestChangesEnvironment are the ways to have a command run another program
// than it names, and command lines that only look like one.
func TestChangesEnvironment(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"PATH=.:$PATH git status":               true,
		"GIT_PAGER='touch pg' git -p log":       true,
		"  A=1 B=2 git status":                  true,
		"ls; A=1 git status":                    true,
		"ls;A=1 git status":                     true,
		"ls && A=1 git status":                  true,
		"ls || A=1 git status":                  true,
		"ls | A=1 git status":                   true,
		"ls & A=1 git status":                   true,
		"ls\nA=1 git status":                    true,
		"(A=1 git status)":                      true,
		"{ A=1; git status; }":                  true,
		"! A=1 git status":                      true,
		"echo $(A=1 git status)":                true,
		"echo `A=1 git status`":                 true,
		"echo \"$(A=1 git status)\"":            true,
		"if true; then A=1 git status; fi":      true,
		"while x; do A=1 git status; done":      true,
		"time -p A=1 git status":                true,
		"case x in x)A=1 git status;; esac":     true,
		"A+=x git status":                       true,
		"A[0]=x git status":                     true,
		"PA\\\nTH=. git status":                 true,
		">x A=1 git status":                     true,
		"<\"a b\" A=1 git status":               true,
		"2>&1 A=1 git status":                   true,
		"env A=1 git status":                    true,
		"/usr/bin/env -i A=1 git status":        true,
		"sudo env A=1 git status":               true,
		"'en'v A=1 git status":                  true,
		"export A=1":                            true,
		"export A; git status":                  true,
		"builtin export A":                      true,
		"command -p export A":                   true,
		"\\export A=1":                          true,
		"alias git=rm":                          true,
		"alias -- git=rm":                       true,
		"declare -x A=1":                        true,
		"typeset A=1":                           true,
		"readonly A=1":                          true,
		"read -r PATH <<< .":                    true,
		"echo . | read PATH":                    true,
		"for PATH in .; do git status; done":    true,
		"printf -v PATH .":                      true,
		"hash -p ./evil git; git status":        true,
		"trap 'rm x' EXIT":                      true,
		"set -a":                                true,
		"source x":                              true,
		". ./x":                                 true,
		"git() { rm x; }; git status":           true,
		"git () { rm x; }":                      true,
		"function git { rm x; }":                true,
		": ${A:=1}":                             true,
		"$env:PATH = '.'; git status":           true,
		"$x = 1":                                true,
		"Set-Alias git rm":                      true,
		"git status":                            false,
		"git log --format=%H --since=yesterday": false,
		"go test -run=X ./... 2>&1 | tail -5":   false,
		"gh api -f title=x":                     false,
		"make CC=gcc":                           false,
		"dd if=a of=b":                          false,
		"git commit -m 'fix main() of a=b'":     false,
		"grep -c \"^func Test\" a_test.go":      false,
		"environment x":                         false,
		"exporter x":                            false,
		"echo for all":                          false,
		"./set.sh":                              false,
		"env":                                   false,
		"test a == b":                           false,
	} {
		if got := changesEnvironment(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// TestChangesEnvironmentAnywhere puts an assignment before a command at any
// place of a command line.
func TestChangesEnvironmentAnywhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`[a-z ./'"$<>-]{0,20}`).Draw(t, "before")
		sep := rapid.SampledFrom([]string{";", "; ", "&&", " && ", "||", "|", "|&", "&", "\n", "\n\t", "(", "$(", "`"}).Draw(t, "separator")
		name := rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,8}`).Draw(t, "name")
		if text := before + sep + name + "=x git status"; !changesEnvironment(text) {
			t.Errorf("%q was not found", text)
		}
	})
}

func TestRuns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"xargs": true, "/usr/bin/env": true, "sh -c": true, "bash": true, "find": true, "SUDO": true, `\time`: true, "'ssh'": true, "pwsh.exe": true,
		"watch": true, "parallel": true, "nohup": true, "eval": true, "exec": true, "command": true,
		"git status": false, "findutils": false, "ls xargs": false, "": false,
	} {
		if runs(name) != want {
			t.Errorf("%q: %t, want %t", name, !want, want)
		}
	}
}

// TestDoubts: a misspelt kind is named with what may be meant. Tools that agents have, and names that are like none,
// are no doubt.
func TestDoubts(t *testing.T) {
	t.Parallel()
	p, err := New([]string{"shell", "shel", "wirte(a.go)", "write(a.go)", "skill", "sql", "grep", "my-server", "my-server(read)"}, false, "/")
	if err != nil {
		t.Fatal(err)
	}
	got := p.Doubts()
	if len(got) != 2 || !strings.HasSuffix(got[0], "shel permits a tool or a server of that name; did you mean shell?") ||
		!strings.HasSuffix(got[1], "did you mean write?") {
		t.Errorf("got %q", got)
	}
}

// TestPermitsRecorded asks about every request that was recorded: without rules
// nothing is permitted, with all everything is.
func TestPermitsRecorded(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, file := range sessiontest.Logs(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for _, q := range sessiontest.All[session.PermissionRequested](sessiontest.Log(t, name)) {
			seen++
			if ok, lack := (Policy{}).Permits(q); ok || lack == "" {
				t.Errorf("%s: %s was permitted", name, q.PermissionRequest.Kind)
			}
			if ok, lack := (Policy{all: true}).Permits(q); !ok {
				t.Errorf("%s: --allow-all does not permit %s: %s", name, q.PermissionRequest.Kind, lack)
			}
			if w := readRequest(q); w.danger != "" && !q.PermissionRequest.HasWriteFileRedirection && len(w.commands) > 0 {
				t.Errorf("%s: %s is dangerous: %s", name, q.PermissionRequest.Kind, w.danger)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d requests were recorded", seen)
	}
}
