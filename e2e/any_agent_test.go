package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/cli/clitest"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
	"parley/settings/environ"
)

// pinned is an agent of others that speaks the Agent Client Protocol, as npm installs it
// under testdata/agents.
type pinned struct {
	name string // as --agent has it
	// prepare writes the agent's settings into a home directory and returns its environment.
	prepare func(t *testing.T, home string, model *llm.Server) []string
	command func(command string) llm.Call
	// edit is what the model calls, one after the other, to make "old" of a file "new".
	edit func(path string) []llm.Call
	// steers says that a prompt can reach the running turn.
	steers bool
	// careful is the mode in which the agent asks about an edit; "" is the one it begins in.
	careful string
	lists   bool // it lists the sessions that it keeps
	forks   bool // it can copy a session
}

func pinnedAgents() []pinned {
	return []pinned{
		{
			name: "gemini", prepare: prepareGemini,
			command: func(command string) llm.Call {
				return call("run_shell_command", object{"command": command, "description": "run it"})
			},
			edit: func(path string) []llm.Call {
				return []llm.Call{
					call("read_file", object{"file_path": path}),
					call("replace", object{"file_path": path, "old_string": "old", "new_string": "new", "instruction": "make it new"}),
				}
			},
		},
		{
			name: "opencode", lists: true, forks: true, prepare: prepareOpencode,
			command: func(command string) llm.Call {
				return call("bash", object{"command": command, "description": "run it"})
			},
			edit: func(path string) []llm.Call {
				return []llm.Call{
					call("read", object{"filePath": path}),
					call("edit", object{"filePath": path, "oldString": "old", "newString": "new"}),
				}
			},
		},
		{
			name: "claude", lists: true, forks: true, steers: true, prepare: prepareClaude,
			command: func(command string) llm.Call {
				return call("Bash", object{"command": command, "description": "run it"})
			},
			edit: func(path string) []llm.Call {
				return []llm.Call{
					call("Read", object{"file_path": path}),
					call("Edit", object{"file_path": path, "old_string": "old", "new_string": "new"}),
				}
			},
		},
		{
			name: "codex", forks: true, prepare: prepareCodex, careful: "read-only", steers: true,
			command: func(command string) llm.Call {
				return call("exec_command", object{"cmd": command, "sandbox_permissions": "require_escalated", "justification": "run it"})
			},
			edit: func(path string) []llm.Call {
				patch := "*** Begin Patch\n*** Update File: " + path + "\n@@\n-old\n+new\n*** End Patch"
				return []llm.Call{call("exec_command", object{"cmd": "apply_patch <<'EOF'\n" + patch + "\nEOF"})}
			},
		},
	}
}

func prepareGemini(t *testing.T, home string, model *llm.Server) []string {
	t.Helper()
	put(t, filepath.Join(home, ".gemini", "settings.json"), `{
		"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false},
		"telemetry": {"enabled": false}, "general": {"disableAutoUpdate": true}, "model": {"disableLoopDetection": true}}`)
	return []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + strings.TrimSuffix(model.URL, "/v1"), "GEMINI_MODEL=gemini-2.5-pro"}
}

func prepareOpencode(t *testing.T, home string, model *llm.Server) []string {
	t.Helper()
	put(t, filepath.Join(home, ".config", "opencode", "opencode.json"), `{
		"enabled_providers": ["scripted"], "model": "scripted/fake-model", "small_model": "scripted/fake-model",
		"permission": {"bash": "ask", "edit": "ask"},
		"provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": "`+model.URL+`", "apiKey": "x"},
			"models": {"fake-model": {"name": "Fake", "limit": {"context": 100000, "output": 16000}}}}}}`)
	env := []string{}
	for _, what := range []string{"AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "SHARE"} {
		env = append(env, "OPENCODE_DISABLE_"+what+"=1")
	}
	return env
}

// prepareClaude has also what a root user needs: the program refuses to work as one outside a sandbox.
func prepareClaude(t *testing.T, home string, model *llm.Server) []string {
	t.Helper()
	return []string{
		"ANTHROPIC_BASE_URL=" + strings.TrimSuffix(model.URL, "/v1"), "ANTHROPIC_API_KEY=sk-ant-x", "ANTHROPIC_MODEL=claude-sonnet-4-5",
		"CLAUDE_CONFIG_DIR=" + filepath.Join(home, ".claude"), "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1", "IS_SANDBOX=1",
	}
}

func prepareCodex(t *testing.T, home string, model *llm.Server) []string {
	t.Helper()
	put(t, filepath.Join(home, ".codex", "config.toml"), `
model = "fake-model"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[model_providers.scripted]
name = "scripted"
base_url = "`+model.URL+`"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false
[analytics]
enabled = false
`)
	return []string{"CODEX_HOME=" + filepath.Join(home, ".codex"), "SCRIPTED_KEY=none"}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Put(t, path, text)
}

// playPinned starts Parley on a real agent with a scripted model, in a folder that is trusted.
func playPinned(t *testing.T, a pinned) *stage {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join("testdata", "agents", a.name, "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bin); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed: make agents installs it", a.name)
		}
		t.Skipf("%s is not installed: make agents installs it", a.name)
	}
	s := &stage{model: llm.Serve(t, llm.Script{}), dir: t.TempDir()}
	home := t.TempDir()
	env := slices.Concat(a.prepare(t, home, s.model), []string{"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin"})
	s.launch = launch{dir: s.dir, home: home, env: env, args: []string{"--agent", a.name}}
	s.terminal = start(t, s.launch)
	s.started()
	return s
}

// TestAgents has each agent answer, run one command and not another, change a file, be
// interrupted and killed, resumes its session in another window, and finds it where Parley has nothing of it.
func TestAgents(t *testing.T) {
	t.Parallel()
	for _, a := range pinnedAgents() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			s := playPinned(t, a)
			s.converses(a)
			s.changes(a)
			s.interrupted(a)
			s.steered(a)
			s.copied(a)
			s.revives(a)
			s.leave()
			s.resumes(a)
			if a.lists {
				s.finds(a)
			}
		})
	}
}

// converses is an answer, a command that is allowed and one that is refused.
func (s *stage) converses(a pinned) {
	s.t.Helper()
	gate := llm.NewGate()
	s.model.Add("plain", llm.Step{Text: "Good morning to **you** all.", Hold: gate, HoldAfter: 3})
	s.say("greet us @@plain")
	s.wait("Good morning", textBusy)
	gate.Open()
	s.idle("Good morning to you all.")
	s.model.Add("go", llm.Step{Calls: []llm.Call{a.command("touch made.txt")}}, llm.Step{Text: "It is made."})
	s.say("make it @@go")
	s.answer("y", "Run this command?", "touch made.txt")
	s.idle("It is made.")
	if !s.exists("made.txt") {
		s.t.Error("what was allowed did not run")
	}
	s.model.Add("no", llm.Step{Calls: []llm.Call{a.command("touch refused.txt")}}, llm.Step{Text: "Then I will not."})
	s.say("make the other @@no")
	s.answer("n", "touch refused.txt")
	s.wait(textFeedback)
	s.enter(textFeedback)
	s.idle("⊘")
	if s.exists("refused.txt") {
		s.t.Error("what was refused ran")
	}
}

// changes is an edit, which is shown before it is allowed.
func (s *stage) changes(a pinned) {
	s.t.Helper()
	s.put("list.txt", "first\nold\nlast\n")
	if a.careful != "" {
		s.say("/mode " + a.careful)
		s.wait(a.careful + " ·")
	}
	steps := []llm.Step{}
	for _, c := range a.edit(s.path("list.txt")) {
		steps = append(steps, llm.Step{Calls: []llm.Call{c}})
	}
	s.model.Add("edit", append(steps, llm.Step{Text: "It is new."})...)
	s.say("change it @@edit")
	s.answer("y", "list.txt", "− old", "+ new")
	s.idle("It is new.")
	if a.careful != "" {
		s.wait(a.careful + " ·")
	}
	if s.file("list.txt") != "first\nnew\nlast\n" {
		s.t.Errorf("the file is %q", s.file("list.txt"))
	}
}

// interrupted is a turn that the user stops.
func (s *stage) interrupted(pinned) {
	s.t.Helper()
	s.model.Add("long", llm.Step{Text: "It begins and never ends.", Hold: llm.NewGate(), HoldAfter: 3})
	s.say("take long @@long")
	s.wait("It begins", textBusy)
	s.press("esc")
	s.wait(textEscAgain)
	s.press("esc")
	s.idle(textCancelled)
}

// steered is a prompt that is sent while the agent answers: it reaches the turn, or is the next one.
func (s *stage) steered(a pinned) {
	s.t.Helper()
	gate := llm.NewGate()
	s.model.Add("slow", llm.Step{Text: "It begins and takes its time.", Hold: gate, HoldAfter: 3})
	s.model.Add("rather", llm.Step{Text: "Then rather this."})
	s.say("take your time @@slow")
	s.wait("It begins", textBusy)
	s.typed("rather this @@rather")
	s.press("enter")
	if a.steers {
		s.wait("read at the next step")
	} else {
		s.wait("1 queued")
	}
	gate.Open()
	s.idle("Then rather this.")
	s.waitGone("queued")
}

// copied continues in a copy of the session, of which the agent knows what was said if it can copy one.
func (s *stage) copied(a pinned) {
	s.t.Helper()
	s.model.Add("copied", llm.Step{Text: "It is a copy."})
	s.say("/fork")
	if s.wait("This is a copy."); !a.forks {
		s.wait("does not know what was said in this copy")
	}
	s.started("Resumed")
	s.say("is it @@copied")
	s.idle("It is a copy.")
	if heard := s.heard("assistant"); strings.Contains(heard, "Then rather this.") != a.forks {
		s.t.Errorf("the model has heard %q", heard)
	}
}

// revives is an agent that is killed in the middle of a turn: the window says so, and the
// session is resumed in it.
func (s *stage) revives(pinned) {
	s.t.Helper()
	s.model.Add("killed", llm.Step{Text: "It begins and is cut.", Hold: llm.NewGate(), HoldAfter: 3})
	s.say("die now @@killed")
	s.wait("It begins", textBusy)
	for _, p := range s.descendants() {
		if p.pid != s.cmd.Process.Pid {
			_ = sessiontest.Signal(p.pid, syscall.SIGKILL)
		}
	}
	s.wait("has ended", "enter reconnects")
	s.press("enter")
	s.model.Add("alive", llm.Step{Text: "It lives."})
	s.waitGone("enter reconnects")
	s.say("do you live @@alive")
	s.idle("It lives.")
}

// resumes is the session in another window.
func (s *stage) resumes(pinned) {
	s.t.Helper()
	s.launch.args = append(s.launch.args, "-c")
	next := s.again(s.launch.args...)
	next.wait("It lives.")
	s.model.Add("again", llm.Step{Text: "We meet again."})
	next.say("once more @@again")
	next.idle("We meet again.")
	next.leave()
}

// finds is the session where Parley has nothing of it and the agent still has: it is listed, read and
// continued, and then one of Parley's own.
func (s *stage) finds(a pinned) {
	s.t.Helper()
	for _, of := range []string{environ.StateDir(nil, s.launch.home), environ.CacheDir(nil, s.launch.home)} {
		if err := os.RemoveAll(of); err != nil {
			s.t.Fatal(err)
		}
	}
	s.launch.args = []string{"--agent", a.name, "-r"}
	next := *s
	next.terminal = start(s.t, next.launch)
	next.wait("1 of 2", "kept by agent") // the copy, and what was copied
	next.press("enter")
	next.waitGone("kept by agent")
	next.idle("We meet again.")
	s.model.Add("found", llm.Step{Text: "I was not lost."})
	next.say("found you @@found")
	next.idle("I was not lost.")
	if heard := next.heard("assistant"); !strings.Contains(heard, "We meet again.") {
		s.t.Errorf("the model does not know of it: %q", heard)
	}
	next.leave()
	logs, err := filepath.Glob(filepath.Join(environ.StateDir(nil, s.launch.home), "sessions", "*", "events.jsonl"))
	if err != nil || len(logs) != 1 {
		s.t.Fatalf("stored are %v, %v", logs, err)
	}
	if n := strings.Count(stored(s.t, logs[0]), `"content":"We meet again."`); n != 1 {
		s.t.Errorf("what was said is stored %d times", n)
	}
	s.launch.args = []string{"--agent", a.name, "-c"}
	last := s.again(s.launch.args...)
	last.wait("I was not lost.")
	last.leave()
}
