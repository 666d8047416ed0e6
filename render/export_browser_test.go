package render_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/render"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// attacks are what an agent, a tool or a file could say to run something in a
// page, to fetch something from URL, or to change how the page looks.
var attacks = []string{
	`<script>document.title='owned';fetch('URL')</script>`,
	`</p></section></main></body></html><script src="URL"></script>`,
	`<img src="URL" onerror="document.title='owned'">`,
	`<svg onload="document.title='owned';fetch('URL')"><image href="URL"/></svg>`,
	`"><iframe src="URL"></iframe>`, `' onmouseover='fetch("URL")' style='background:url(URL)`,
	`</style><style>body{background:url(URL)}</style>`, `@import url(URL); } * { display: none } /*`,
	`<meta http-equiv="refresh" content="0;url=URL">`, `<link rel="stylesheet" href="URL"><base href="URL/">`,
	`--><script>fetch('URL')</script><!--`, `<![CDATA[<script>fetch('URL')</script>]]>`, `<!-- open`, `<textarea><title>`, `<plaintext>`,
	`<form action="URL"><button autofocus onfocus="document.title='owned'">go</button></form>`, `<object data="URL"></object><embed src="URL">`,
	`<details open ontoggle="document.title='owned'">`, `<video src="URL" autoplay></video>`, `<template><script>fetch('URL')</script></template>`,
	`[a](javascript:document.title='owned') <javascript:fetch('URL')> [b](data:text/html,<script>fetch('URL')</script>) [c](vbscript:x)`,
	`![image](URL "onerror=x") ![d](data:image/svg+xml,<svg/onload=fetch('URL')>)`, `[e]: javascript:fetch('URL')` + "\n\n[e]",
	"```html\n<script>document.title='owned'</script>\n```\n```</pre><script>fetch('URL')</script>\nx\n```", "`</code><script>fetch('URL')</script>`",
	"| <script>fetch('URL')</script> | b |\n|--|--|\n| <img src=URL> | `</td>` |", `{{printf "%s" "<script>"}} ${alert(1)} {{constructor.constructor('fetch("URL")')()}}`,
	`&lt;script&gt;fetch('URL')&lt;/script&gt; &#60;script&#62;fetch('URL')&#60;/script&#62;`, "<scr\x00ipt>fetch('URL')</scr\x00ipt>", "\u202e<script>\u2066", "<\u200bscript>fetch('URL')</script>",
	"--- a\n+++ b\n@@ -1 +1 @@\n-<script>fetch('URL')</script>\n+</span></pre><img src=URL onerror=fetch('URL')>",
	"\x1b]8;;javascript:fetch('URL')\x07x\x1b]8;;\x07 \x1b[31m<script>fetch('URL')</script>\x1b[0m",
}

// attackedLog has all of them in every place that somebody else's words get to.
func attackedLog(address string) *timeline.Timeline {
	t := timeline.New()
	n := 0
	say := func(b session.Body) {
		n++
		t.Apply(session.Event{ID: session.EventID(fmt.Sprint("e", n)), Time: time.Date(2026, 11, 21, 10, 0, n, 0, time.UTC), Body: b})
	}
	for i, attack := range attacks {
		x := strings.ReplaceAll(attack, "URL", fmt.Sprintf("%s/%d", address, i))
		arguments, _ := json.Marshal(map[string]string{"command": x, "path": x, "old_str": x, "new_str": x, "description": x, x: x})
		say(session.UserMessage{Content: x, Source: x, Attachments: []session.Attachment{{Type: "file", DisplayName: x, Path: x}}})
		say(session.AssistantMessage{MessageID: session.MessageID(fmt.Sprint("m", i)), Content: x, ReasoningText: x})
		for _, tool := range []string{"bash", "edit", "view", "frobnicate", x} {
			id := session.CallID(fmt.Sprint("c", i, tool))
			mcp := map[string]string{x: x}[tool]
			say(session.ToolExecutionStart{ToolCallID: id, ToolName: tool, Arguments: arguments, McpServerName: mcp, McpToolName: mcp})
			say(session.ToolExecutionComplete{ToolCallID: id, Success: tool != "view", Result: &session.ToolResult{Content: x, DetailedContent: x}})
		}
		agent := session.CallID(fmt.Sprint("a", i))
		say(session.ToolExecutionStart{ToolCallID: agent, ToolName: "task", Arguments: arguments})
		say(session.SubagentStarted{ToolCallID: agent, AgentName: x, AgentDisplayName: x, AgentDescription: x})
		say(session.SubagentFailed{ToolCallID: agent, Error: x})
		say(session.SessionWarning{WarningType: x, Message: x, URL: x})
		say(session.SessionError{ErrorType: x, Message: x})
		say(session.UserInputRequested{RequestID: session.RequestID(fmt.Sprint("r", i)), Question: x})
		say(session.UserInputCompleted{RequestID: session.RequestID(fmt.Sprint("r", i)), Answer: x})
		say(session.Unknown{Type: session.Kind("x." + x), Raw: arguments})
	}
	say(session.UserMessage{Content: "the last prompt"})
	say(session.AssistantMessage{MessageID: "last", Content: "the last answer"})
	say(session.SessionShutdown{ShutdownType: "error", ErrorReason: attacks[0], CodeChanges: session.CodeChanges{FilesModified: attacks}})
	return t
}

// chromium finds a Chromium that runs, which make browser installs. A snap, or what
// stands in its place, reads no file of a test. Without it the test does not run,
// which is a failure where everything is to be tested.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		version, err := exec.CommandContext(t.Context(), name, "--version").Output()
		if err == nil && !strings.Contains(string(version), "snap") {
			return name
		}
	}
	const why = "Chromium is not installed: the page of an export was NOT opened in a browser (apt-get install chromium)"
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// browse opens a page and returns what the browser made of it, once everything
// that it wanted to do was done.
func browse(t *testing.T, browser, page string) string {
	t.Helper()
	profile, err := os.MkdirTemp("", "parley-browser-") //nolint:usetesting // what a test makes must be gone in the end, and this may not be
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile) // as far as it goes: a process of the browser may outlive it for a moment
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--user-data-dir="+profile, "--virtual-time-budget=2000", "--dump-dom", "file://"+page)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	cmd.SysProcAttr = sessiontest.OwnGroup()
	cmd.Cancel = func() error { return sessiontest.Signal(-cmd.Process.Pid, syscall.SIGKILL) } // its own processes too
	cmd.WaitDelay = 10 * time.Second
	dom, err := cmd.Output()
	if err != nil || len(dom) == 0 {
		t.Fatalf("open %s: %v\n%s", page, err, complaints.String())
	}
	return string(dom)
}

// TestExportInBrowser opens a page that is made of attacks in Chromium. None of
// them runs, fetches or stands as an element, also without the policy that forbids
// it, and the page is whole. That an attack would be seen is tested first.
func TestExportInBrowser(t *testing.T) {
	t.Parallel()
	browser := chromium(t)
	var mu sync.Mutex
	var fetched []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		fetched = append(fetched, r.URL.Path)
	}))
	defer server.Close()
	took := func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := fetched
		fetched = nil
		slices.Sort(all)
		return all
	}
	open := func(text string) string {
		path := filepath.Join(t.TempDir(), "page.html")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return browse(t, browser, path)
	}
	title := regexp.MustCompile(`<title>[^<]*</title>`)
	control := open("<!DOCTYPE html><title>fine</title><img src=\"" + server.URL + "/image\"><script>document.title='owned';fetch('" + server.URL + "/fetch')</script>")
	if got := took(); title.FindString(control) != "<title>owned</title>" || !slices.Contains(got, "/fetch") || !slices.Contains(got, "/image") {
		t.Fatalf("an attack would not be seen: %s, fetched %v", title.FindString(control), got)
	}
	var b strings.Builder
	name := strings.ReplaceAll(attacks[0]+attacks[1], "URL", server.URL)
	o := render.ExportOptions{Format: render.ExportHTML, Title: name, Agent: name, Model: name, Dir: name}
	if _, err := render.WriteExport(&b, attackedLog(server.URL), o); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	if !policy.MatchString(page) {
		t.Fatal("the page has no policy")
	}
	for what, text := range map[string]string{"the page": page, "the page without its policy": policy.ReplaceAllString(page, "")} {
		dom := open(text)
		if got := took(); len(got) > 0 {
			t.Errorf("%s fetched %v", what, got)
		}
		if got := title.FindString(dom); !strings.Contains(got, "&lt;script&gt;") {
			t.Errorf("%s is called %s", what, got)
		}
		for _, want := range []string{"<details", "<summary>", `<h2 id="turn-34">`, "the last prompt", "the last answer", "<footer>"} {
			if !strings.Contains(dom, want) {
				t.Errorf("%s has no %s", what, want)
			}
		}
		if count := strings.Count(dom, "<h2 id="); count != len(attacks)+1 {
			t.Errorf("%s has %d prompts of %d", what, count, len(attacks)+1)
		}
		if bad := regexp.MustCompile(`(?i)<(script|img|svg|iframe|form|object|embed|link|base|video|template|textarea|button|plaintext)\b[^>]*>|<[^>]* on[a-z]+=|href="(javascript|data|vbscript):`).FindString(dom); bad != "" {
			t.Errorf("%s has %s", what, bad)
		}
	}
}
