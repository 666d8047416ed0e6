package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/cli/agents"
	"parley/cli/config"
	"parley/render/text"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/terminal"
	"parley/theme"
	"parley/tui"
	"parley/tui/widget"
)

// wellFacts are facts with which all is well.
func wellFacts() Facts {
	return Facts{
		Version: "0.1.0", system: "linux/amd64", isTerminal: true, clipboard: "wl-copy", editor: "/usr/bin/vim", browser: "/usr/bin/xdg-open",
		git: "/usr/bin/git, 2.51.0",
		Terminal: terminal.Description{
			Name: "xterm-kitty", Program: "kitty(0.42.1)", Width: 100, Height: 30, Colours: colorprofile.TrueColor, Unicode: true,
			Notices: terminal.OSC99, Images: terminal.Yes, Links: true,
			ByRoundTrip: true,
			Heard: terminal.Heard{
				RoundTrip: 12 * time.Millisecond,
				Dark:      terminal.Yes, Keys: terminal.Yes, Clipboard: terminal.Yes, FocusEvents: terminal.Yes,
			},
		},
		Agent: AgentFacts{path: "/usr/local/bin/copilot", Version: "GitHub Copilot CLI 1.0.102", script: true, node: "/usr/bin/node, v22.20.0", token: "GH_TOKEN"},
		chats: findings{
			{Name: "local", Level: levelOK, Value: "openai:http://127.0.0.1:11434/v1"},
			{Name: "tide", Level: levelOK, Value: "sse:https://agent.example/chat, with a token from pass"},
		},
		folders: []folderFacts{
			{name: "work", path: "~/src/queue", exists: true, writable: true},
			{name: "settings", path: "~/.config/parley", writable: true},
			{name: "state", path: "~/.local/state/parley", exists: true, writable: true, files: 12, bytes: 40 << 10},
			{name: "Copilot", path: "~/.copilot", exists: true, writable: true, files: mostFiles, more: true},
		},
		Files: []FileFacts{{Name: "settings.toml", path: "~/.config/parley/settings.toml", found: true}, {Name: "keys.toml"}},
	}
}

// poorFacts are facts with a note or a problem in every part.
func poorFacts() Facts {
	f := wellFacts()
	f.Terminal = terminal.Description{Name: "tmux-256color", Multiplexer: "tmux", Far: true, Width: 36, Height: 8, Colours: colorprofile.ANSI, Notices: terminal.Bell, Images: terminal.No}
	f.Terminal.FocusEvents, f.Terminal.Keys = terminal.No, terminal.No
	f.Terminal.RoundTrip, f.Terminal.LowBandwidth, f.Terminal.ByRoundTrip = 612*time.Millisecond, true, true
	f.clipboard, f.editor, f.editorTrouble, f.browser, f.git = "", "", `EDITOR names the editor "edit", which was not found`, "", ""
	f.Agent = AgentFacts{path: "~/bin/copilot", broken: "env: node: No such file or directory", script: true}
	f.chats = chatFindings(map[string]settings.Agent{
		"moon": {Kind: "openai", URL: "models.example"}, "tide": {Kind: "openai", URL: "https://models.example/v1", TokenEnv: "TIDE_TOKEN"},
	}, nil)
	f.folders = []folderFacts{
		{name: "work", path: "/srv/shared", exists: true, loss: "the agent can change nothing here"},
		{name: "settings", variable: "HOME", loss: "settings cannot be changed"},
		{name: "state", path: "~/.local/state/parley", loss: "drafts and prompts are not kept"},
		{name: "Copilot", path: "~/.copilot", trouble: "it is no folder", loss: "the Copilot CLI cannot keep its sessions", needed: true},
	}
	f.Files = []FileFacts{{Name: "settings.toml", path: "~/x", found: true, Mistake: `~/.config/parley/settings.toml, line 3: there is no setting "vmi"`}}
	return f
}

func TestDoctorGolden(t *testing.T) {
	t.Parallel()
	bare := wellFacts()
	bare.isTerminal, bare.Agent, bare.Terminal.Name = false, AgentFacts{missing: true}, "dumb"
	silent := wellFacts()
	silent.Terminal = terminal.Description{Name: "vt220", Width: 80, Height: 24, Unicode: true, NoColour: true, Heard: terminal.Heard{Unanswered: true}, Notices: terminal.Bell}
	silent.Agent = AgentFacts{trouble: `--copilot-path names "x", which does not exist`}
	windows := wellFacts()
	windows.system, windows.Terminal.Name, windows.Terminal.Program = "windows/amd64", "", ""
	for name, f := range map[string]Facts{"windows": windows, "well": wellFacts(), "poor": poorFacts(), "bare": bare, "silent": silent} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := diagnose(f)
			sessiontest.Golden(t, "doctor/"+name, strings.Join(d.lines(80, theme.Plain()), "\n")+"\n")
			content, err := d.JSON()
			if err != nil {
				t.Fatal(err)
			}
			var back diagnosis
			if err := json.Unmarshal(content, &back); err != nil || back.Works != d.Works || len(back.Sections) != len(d.Sections) {
				t.Errorf("%v: %s", err, content)
			}
			for _, s := range d.Sections {
				for _, f := range s.Findings {
					if f.Level != levelOK && f.Do == "" || f.Value == "" || f.Stops && f.Level != levelProblem {
						t.Errorf("%s, %s: %+v", s.Title, f.Name, f)
					}
				}
			}
			for _, width := range []int{20, 40, 60, 80, 140} {
				for _, th := range []*theme.Theme{theme.Plain(), theme.Dark(), theme.Mono()} {
					for _, l := range d.lines(width, th) {
						if text.Width(l) > width {
							t.Errorf("%d cells, more than %d: %q", text.Width(l), width, l)
						}
					}
				}
			}
		})
	}
}

// TestReadAnswers reads what terminals answer, whole and in parts.
func TestReadAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, said string
		want       terminal.Heard
		done       bool
	}{
		{"nothing", "", terminal.Heard{Unanswered: true}, false},
		{
			"kitty", "\x1b]11;rgb:1414/1717/1f1f\x1b\\\x1bP>|kitty(0.42.1)\x1b\\\x1b[?0u\x1b[?2026;2$y\x1b[?2027;0$y\x1b[?1004;2$y" +
				"\x1bP1+r4D73=5C455D35323B\x1b\\\x1b[?62;52c",
			terminal.Heard{Version: "kitty(0.42.1)", Dark: terminal.Yes, Keys: terminal.Yes, Clipboard: terminal.Yes, Sync: terminal.Yes, Graphemes: terminal.No, FocusEvents: terminal.Yes},
			true,
		},
		{"an old one", "\x1b[?1;2c", terminal.Heard{Keys: terminal.No}, true},
		{"a light one", "\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?64;1;22c", terminal.Heard{Dark: terminal.No, Keys: terminal.No}, true},
		{"keys between", "q\x1b[A\x1b[?1;2c", terminal.Heard{Keys: terminal.No}, true},
		{"half of it", "\x1b]11;rgb:ffff", terminal.Heard{Unanswered: true}, false},
	} {
		if got, done := readAnswers([]byte(c.said)); got != c.want || done != c.done {
			t.Errorf("%s: %+v %t, want %+v %t", c.name, got, done, c.want, c.done)
		}
	}
}

// FuzzReadAnswers holds the reader to any answer.
func FuzzReadAnswers(f *testing.F) {
	f.Add([]byte("\x1bP>|kitty(0.42.1)\x1b\\\x1b[?62;52c"))
	f.Add([]byte("\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?64;1;22c\x1b["))
	f.Fuzz(func(t *testing.T, said []byte) {
		heard, _ := readAnswers(said)
		f := wellFacts()
		f.Terminal.Heard, f.Terminal.Program = heard, heard.Version
		for _, l := range diagnose(f).lines(60, theme.Plain()) {
			if text.Width(l) > 60 || strings.ContainsAny(l, "\x1b\a\r\n") {
				t.Errorf("%q", l)
			}
		}
	})
}

// script writes a program for the shell, or the command prompt of Windows.
func script(t *testing.T, dir, name, shell, prompt string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		return sessiontest.Program(t, filepath.Join(dir, name+".cmd"), prompt)
	}
	return sessiontest.Program(t, filepath.Join(dir, name), shell)
}

func TestLookAgent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := script(t, dir, "copilot", "#!/bin/sh\necho \"GitHub Copilot CLI 1.0.102.\"\necho more\n",
		"@echo GitHub Copilot CLI 1.0.102.\r\n@echo more\r\n")
	bad := script(t, dir, "bad", "#!/bin/sh\necho 'unknown option' >&2\nexit 3\n", "@echo unknown option>&2\r\n@exit 3\r\n")
	mute := script(t, dir, "mute", "#!/bin/sh\n", "@rem\r\n")
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".copilot"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".copilot", "config.json"), []byte("// It is managed automatically.\n"+
		`{"lastLoggedInUser":{"host":"https://github.com","login":"ada\u001b[2J"},"loggedInUsers":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/bin:/usr/bin"}
	for _, c := range []struct {
		name string
		o    agents.Options
		env  []string
		want AgentFacts
	}{
		{"good", agents.Options{CopilotPath: good}, env, AgentFacts{path: good, Version: "GitHub Copilot CLI 1.0.102"}},
		{"on the PATH", agents.Options{}, []string{"PATH=" + dir + string(filepath.ListSeparator) + "/bin"}, AgentFacts{path: good, Version: "GitHub Copilot CLI 1.0.102"}},
		{"none", agents.Options{}, []string{"PATH=" + home}, AgentFacts{missing: true}},
		{"bad", agents.Options{}, append(env, "COPILOT_CLI_PATH="+bad), AgentFacts{path: bad, broken: "unknown option"}},
		{"mute", agents.Options{CopilotPath: mute}, env, AgentFacts{path: mute, broken: "it says nothing"}},
		{"by url", agents.Options{CopilotURL: "localhost:1"}, env, AgentFacts{url: true}},
		{
			"token and model",
			agents.Options{CopilotPath: good},
			append(env, "GITHUB_TOKEN=hunter2", "GH_TOKEN=hunter2", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=m"),
			AgentFacts{path: good, Version: "GitHub Copilot CLI 1.0.102", token: "GH_TOKEN", ownModel: true},
		},
	} {
		c.want.account = "ada on github.com" // without what would clear the screen
		if got := lookAgent(t.Context(), c.o, c.env, home); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := lookAgent(t.Context(), agents.Options{CopilotPath: filepath.Join(dir, "gone")}, env, home); !strings.HasSuffix(got.trouble, "which does not exist") || got.path != "" {
		t.Errorf("one that is gone: %+v", got)
	}
}

// TestScriptWithoutNode is a Copilot CLI for a node that is not installed.
func TestScriptWithoutNode(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "scripts that name what runs them")
	home := t.TempDir()
	path := sessiontest.Program(t, filepath.Join(t.TempDir(), "forNode"), "#!/usr/bin/env node\nconsole.log(1)\n")
	if got := lookAgent(t.Context(), agents.Options{CopilotPath: path}, []string{"PATH=" + home}, home); !got.script || got.node != "" || got.broken == "" {
		t.Errorf("%+v", got)
	}
}

// TestSignedInAs reads the account from the CLI's own settings, and no more.
func TestSignedInAs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "{": "", "[]": "", "{}": "", `{"lastLoggedInUser":"ada"}`: "",
		`{"last_logged_in_user":{"host":"https://example.ghe.com","login":"ada"}}`: "ada on example.ghe.com",
		`{"loggedInUsers":[{"host":"https://github.com","login":"ada"}]}`:          "ada on github.com",
		`{"lastLoggedInUser":{"login":"ada"}}`:                                     "ada",
	} {
		file := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := signedInAs(file); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := signedInAs(filepath.Join(t.TempDir(), "gone")); got != "" {
		t.Errorf("without the file: %q", got)
	}
}

// TestSignInFinding says which way there is to a model, or what to do.
func TestSignInFinding(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]AgentFacts{
		"signed in as ada on github.com, say the CLI's own settings": {account: "ada on github.com"},
		"not needed: COPILOT_PROVIDER_BASE_URL names the model":      {account: "ada", token: "GH_TOKEN", ownModel: true},
		"a token is in GH_TOKEN":                                     {account: "ada", token: "GH_TOKEN"},
		"not signed in, as far as can be seen from here":             {},
	} {
		all := agentFindings(a)
		f := all[len(all)-1]
		if f.Name != "sign-in" || f.Value != want || (f.Do != "") != (a == AgentFacts{}) || f.Do != "" && !strings.Contains(f.Do, "`copilot login`") {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}

// TestVersionFinding: a Copilot CLI that does not answer in the window does not work here.
func TestVersionFinding(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]AgentFacts{
		"GitHub Copilot CLI 1.0.102":                          {Version: "GitHub Copilot CLI 1.0.102"},
		"0.0.400; Parley needs 1.0.102 or later":              {Version: "0.0.400"},
		"it does not run: no answer in 10s":                   {broken: "no answer in 10s"},
		"it does not run: it needs to write to /x and cannot": {broken: "it needs to write to /x and cannot", remedy: "set HOME"},
	} {
		f := agentFindings(a)[1]
		if f.Name != "version" || f.Value != want || f.Stops != (f.Do != "") || f.Stops != (a.Version != "GitHub Copilot CLI 1.0.102") {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}

func TestLookFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := sessiontest.Program(t, filepath.Join(dir, "file"), "four")
	d := folderFacts{name: "state", path: dir}
	d.look()
	if !d.exists || !d.writable || d.files != 1 || d.bytes != 4 || d.more {
		t.Errorf("a folder: %+v", d)
	}
	for _, f := range lookFolders(agents.Options{Dir: dir}, nil, "") { // the home folder is not set
		if ours := f.name == "settings" || f.name == "state"; ours != (f.path == "") {
			t.Errorf("without HOME, %s is %q", f.name, f.path)
		}
	}
	d = folderFacts{path: filepath.Join(dir, "a", "b")}
	d.look()
	if d.exists || !d.writable || d.trouble != "" {
		t.Errorf("one to be made: %+v", d)
	}
	for _, path := range []string{file, filepath.Join(file, "below")} {
		d = folderFacts{path: path}
		d.look()
		if d.trouble == "" || d.exists {
			t.Errorf("a file: %+v", d)
		}
	}
}

func TestFileChecks(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := settings.Path(nil, home)
	for _, c := range []struct {
		text    string
		found   bool
		mistake string
	}{{"", false, ""}, {"vim = true\n", true, ""}, {"vim = true\nvmi = 1\n", true, widget.ShortPath(path, home) + ", line 2"}} {
		if c.text != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := lookFile(config.OwnFiles(nil, home)[0], home)
		if got.found != c.found || !strings.HasPrefix(got.Mistake, c.mistake) || (got.Mistake == "") != (c.mistake == "") {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// TestExamine is what the window asks for: it knows its terminal.
func TestExamine(t *testing.T) {
	t.Parallel()
	c := tui.Config{Settings: settings.Defaults(), Home: t.TempDir(), Env: []string{"TERM=xterm-kitty", "PATH=/usr/bin:/bin"}}
	known := c.Environment().Describe(terminal.Heard{Version: "kitty(0.42.1)"}, 120, 40)
	found, err := Examine(agents.Options{Dir: t.TempDir()})(t.Context(), c, known)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(found(100, theme.Plain()), "\n")
	for _, want := range []string{"kitty 0.42.1", "120 by 40", "not found, so the demo answers"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Examine(agents.Options{})(ended, c, known); err == nil {
		t.Error("a window that ends got an answer")
	}
}
