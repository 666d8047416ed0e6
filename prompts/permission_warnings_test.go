package prompts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
)

func TestLookalike(t *testing.T) {
	t.Parallel()
	for address, odd := range map[string]bool{
		"":                              false,
		"https://github.com/a?b=ä":      false,
		"http://127.0.0.1:8101/page":    false,
		"http://[::1]:80/":              false,
		"https://gіthub.com":            true, // Cyrillic і
		"https://xn--gthub-n4a.com":     true,
		"https://www.xn--gthub-n4a.com": true,
		"https://github.com@evil.com":   true,
		"https://a:b@evil.com":          true,
		"http://a b":                    true,
		"://":                           true,
	} {
		if got := lookalike(address) != ""; got != odd {
			t.Errorf("%q: %v", address, got)
		}
	}
}

// TestLookalikeSaysWhich: the letters that look like others are named, and the
// name by which the network knows the host.
func TestLookalikeSaysWhich(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://git\u04bbub.com/a":      "(\u04bb U+04BB): `git\u04bbub.com` is `xn--gitub-0kf.com`.",
		"https://www.xn--gthub-n4a.com/": "(\u0131 U+0131): `www.g\u0131thub.com` is `www.xn--gthub-n4a.com`.",
	} {
		if got := lookalike(address); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestLookalikeInCommand: a host in a command is looked at wherever it stands, also where the runtime
// does not name it.
func TestLookalikeInCommand(t *testing.T) {
	t.Parallel()
	r := shell("curl https://gith\u0443b.com", "curl")
	r.PermissionRequest.PossibleURLs = []session.PossibleURL{{URL: "https://gith\u0443b.com"}}
	if c := newPermission(r, "", places{}); len(c.alerts) != 1 {
		t.Errorf("one host, %q", c.alerts)
	}
	for command, odd := range map[string]bool{
		"git clone https://gith\u0443b.com/a":                       true, // Cyrillic \u0443
		"git push 'https://gith\u0443b.com/a' main":                 true,
		"git push h\"ttp\"s://gith'\u0443'b.com/a main":             true,
		"pip install git+https://ada@gith\u0443b.com/a":             true,
		"scp a.go ada@gith\u0443b.com:/tmp":                         true,
		"git clone https://gith\u0443b.com/a%zz":                    true,
		"git clone https://ada%zz@gith\u0443b.com:$PORT/a":          true,
		"ssh ada@gith\u0443b.com":                                   true,
		"cd a && (touch x https://gith\u0443b.com/a)":               true,
		"sh -c 'git clone https://gith\u0443b.com/a'":               true,
		"python3 -c \"import m; m.get('https://gith\u0443b.com')\"": true,
		"curl https://xn--gthub-n4a.com":                            true,
		"git clone https://github.com/\u0443":                       false,
		"git clone https://$HOST/a ada@github.com:a.git":            false,
		"git commit -m 'thanks @m\u00fcller: r\u00e9sum\u00e9.txt'": false,
		"touch r\u00e9sum\u00e9.txt":                                false,
	} {
		c := newPermission(shell(command, "git"), "", places{})
		if got := strings.Contains(strings.Join(c.alerts, "\n"), "may look like others"); got != odd || odd != c.danger {
			t.Errorf("%s: %v, danger %v, %q", command, got, c.danger, c.alerts)
		}
	}
}

// TestDanger: each reason of docs/decisions.md 7 alone leaves only once and no.
func TestDanger(t *testing.T) {
	t.Parallel()
	base := func() session.PermissionRequested { return shell("ls", "ls") }
	for name, change := range map[string]func(r *session.PermissionRequested){
		"warning":           func(r *session.PermissionRequested) { r.PermissionRequest.Warning = "careful" },
		"warning of prompt": func(r *session.PermissionRequested) { r.PromptRequest.Warning = "careful" },
		"bypass":            func(r *session.PermissionRequested) { r.PermissionRequest.RequestSandboxBypass = true },
		"redirection":       func(r *session.PermissionRequested) { r.PermissionRequest.HasWriteFileRedirection = true },
		"hidden in command": func(r *session.PermissionRequested) { *r = shell("l\u200bs", "ls") },
		"hidden in purpose": func(r *session.PermissionRequested) {
			r.PromptRequest.Intention, r.PermissionRequest.Intention = "\u202e", "\u202e"
		},
		"hidden in path": func(r *session.PermissionRequested) { r.PermissionRequest.PossiblePaths = []string{"a\x1bb"} },
		"odd host": func(r *session.PermissionRequested) {
			r.PermissionRequest.PossibleURLs = []session.PossibleURL{{URL: "https://а.com"}}
		},
		"rm":                func(r *session.PermissionRequested) { *r = shell("rm x", "rm") },
		"rm by path":        func(r *session.PermissionRequested) { *r = shell("/bin/rm x", "/bin/rm") },
		"sudo":              func(r *session.PermissionRequested) { *r = shell("sudo ls", "sudo") },
		"mkfs.ext4":         func(r *session.PermissionRequested) { *r = shell("mkfs.ext4 x", "mkfs.ext4") },
		"second command":    func(r *session.PermissionRequested) { *r = shell("ls && rm x", "ls", "rm") },
		"two commands":      func(r *session.PermissionRequested) { r.PermissionRequest.FullCommandText = "other" },
		"other identifiers": func(r *session.PermissionRequested) { r.PromptRequest.CommandIdentifiers = []string{"cd"} },
		"another kind":      func(r *session.PermissionRequested) { r.PromptRequest.Kind = "read" },
		"another path to ask": func(r *session.PermissionRequested) {
			r.PromptRequest = &session.PromptRequest{PermissionDetails: session.PermissionDetails{Kind: "path"}, AccessKind: "read", Paths: []string{"/a"}, ReadOnlyDirectories: []string{"/"}}
			r.PermissionRequest.Path = "/b"
		},
	} {
		r := base()
		change(&r)
		c := newPermission(r, "", places{})
		if !c.danger || len(c.choices.rows) != 2 || len(c.alerts) == 0 {
			t.Errorf("%s: danger %v, %d rows, %q", name, c.danger, len(c.choices.rows), c.alerts)
		}
	}
	if c := newPermission(base(), "", places{}); c.danger || len(c.choices.rows) != 4 {
		t.Errorf("a plain command: danger %v, %d rows", c.danger, len(c.choices.rows))
	}
}

// TestPathsOfWindows: a path on a drive is a whole one, one of the folder is shown from there, and a
// diff of Git names the file that is written though it has slashes.
func TestPathsOfWindows(t *testing.T) {
	t.Parallel()
	p := places{home: `C:\Users\ada`, dir: `C:\Users\ada\src`}
	for file, want := range map[string]string{"sub/a.go": `C:\Users\ada\src\sub\a.go`, `D:\b.go`: `D:\b.go`, "/c.go": "/c.go", "": ""} {
		if got := absolute(file, p); got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
	w := permissionRequest{kind: kindWrite, file: `C:\x.go`}
	if got := w.resolved([]string{"a.go", `..\b.go`, "~/c.go"}, p); !slices.Equal(got, []string{`~\src\a.go`, `~\b.go`, "~/c.go"}) {
		t.Errorf("%q", got)
	}
	if dirs := w.where(p); dirs != nil {
		t.Errorf("a whole path is seen from %q", dirs)
	}
	list := permissionRequest{command: `type C:\a.txt`, paths: []string{`C:\a.txt`}}
	if paths, _ := list.named(); !slices.Equal(paths, list.paths) {
		t.Errorf("%q", paths)
	}
	const change = "diff --git a/src/a.go b/src/a.go\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-a\n+b\n"
	r := session.PermissionRequested{RequestID: "r", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: filepath.FromSlash("/w/src/a.go"), Diff: change},
	}}
	if c := newPermission(r, "", p); len(c.alerts) > 0 {
		t.Errorf("%q", c.alerts)
	}
}

// TestPartlyAllowed: of a command whose one part is allowed already, the other part is asked for and
// can be allowed as any other; it is no less dangerous for that.
func TestPartlyAllowed(t *testing.T) {
	t.Parallel()
	r := shell("git push origin main; mkdir -p new", "git push", "mkdir")
	r.PromptRequest.CommandIdentifiers = []string{"mkdir"}
	c := newPermission(r, "", places{})
	if c.danger || len(c.choices.rows) != 4 || c.choices.rows[1].label != "Yes, `mkdir` for this session" {
		t.Errorf("danger %v, alerts %q, rows %+v", c.danger, c.alerts, c.choices.rows)
	}
	r = shell("rm x; mkdir -p new", "rm", "mkdir")
	r.PromptRequest.CommandIdentifiers = []string{"mkdir"}
	if c := newPermission(r, "", places{}); !c.danger || len(c.choices.rows) != 2 {
		t.Errorf("danger %v, rows %+v", c.danger, c.choices.rows)
	}
}

// TestLineEnds: a diff of a file with CRLF line ends is not deceptive, one
// that hides a CR in some lines is.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	for diff, deceptive := range map[string]bool{
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n":                               false,
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\r\n+b\r\n":                           false,
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\r\n+b\r\n\\ No newline at end\n":     false,
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\r\n+b\n":                             true,
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\r\r\n+b\r\n":                         true,
		"--- a\n+++ b\n@@ -1 +1 @@\n+safe\rrm -rf /\n":                      true,
		"--- a\n+++ b\n@@ -1 +1 @@\n+a\r\n@@ -9 +9 @@\n-b\r\n+c\u202ed\r\n": true,
	} {
		w := &permissionRequest{diff: diff}
		if got := w.deceptive(); got != deceptive {
			t.Errorf("%q: %v", diff, got)
		}
	}
}

// TestRecorded opens every question of the recorded sessions: each becomes a
// card that can be drawn, or a refusal.
func TestRecorded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(sessiontest.Root(t), "testdata", "sessions", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions: %v", err)
	}
	asks := 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		d := newDesk(t)
		for ev := range session.ReadLog(f) {
			ask, ok := ev.Body.(session.Ask)
			before := d.q.Len()
			refused := d.event(ev)
			if !ok {
				continue
			}
			asks++
			if d.q.Len() == before && len(refused) == 0 {
				t.Errorf("%s: %s is left hanging", filepath.Base(file), session.KindOf(ask))
			}
		}
		f.Close()
	}
	if asks < 20 {
		t.Errorf("only %d questions in %d recorded sessions", asks, len(files))
	}
}

// FuzzCard: no text of an agent leaves the frame or reaches the terminal as
// anything but text, at any width.
func FuzzCard(f *testing.F) {
	f.Add("git push", 80, "shell")
	f.Add("a\x1b]0;title\x07\u202e\r\n\t日本語", 23, "write")
	f.Add("https://a@b", 40, "url")
	f.Add("x\n\n\n", 31, "teleport")
	th := theme.Plain()
	f.Fuzz(func(t *testing.T, s string, width int, kind string) {
		r := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: kind, FullCommandText: s, Intention: s, Warning: s, FileName: s, Diff: "@@\n+" + s, Path: s, URL: s, ServerName: s, ToolName: s, ToolTitle: s, ToolDescription: s, Args: []byte(s), Subject: s, Fact: s, CanOfferSessionApproval: true},
			Commands:          []session.ShellCommand{{Identifier: s}},
			PossiblePaths:     []string{s},
		}}
		for _, body := range []session.Body{r, session.UserInputRequested{Question: s, Choices: []string{s, "b"}}, session.FolderTrustRequested{Folder: s}, session.ConfirmationRequested{Type: s, Title: s, Message: s}} {
			q := NewQueue()
			q.Apply(session.Event{Body: body}, start)
			width = max(0, min(width, 200))
			for _, height := range []int{5, 12, 40} {
				for _, line := range q.View(width, height, th) {
					if w := text.Width(line); w != width || strings.ContainsAny(line, "\x1b\x07\r\t") {
						t.Fatalf("%d cells in %d: %q", w, width, line)
					}
				}
			}
		}
	})
}

// TestReadsOnlyAndWrites: of a command whose output goes to a file ? does not say that it only
// reads, which the runtime says of the command without that.
func TestReadsOnlyAndWrites(t *testing.T) {
	t.Parallel()
	for _, redirects := range []bool{false, true} {
		d := newDesk(t)
		d.height = 40
		ask := shell("echo hi >> a.txt", "echo")
		ask.PermissionRequest.Commands[0].ReadOnly = true
		ask.PermissionRequest.HasWriteFileRedirection = redirects
		d.ready(ask)
		d.press("?")
		if got := strings.Contains(d.text(), "reads only, but for the file"); got != redirects {
			t.Errorf("redirects: %t\n%s", redirects, d.text())
		}
	}
}
