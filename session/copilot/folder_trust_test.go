package copilot_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// furnish fills the working folder with everything a folder can bring along.
// What runs leaves a file in the folder's marks.
func (b *bench) furnish() {
	b.Helper()
	b.write("AGENTS.md", "MARK-agents\n")
	b.write(".github/copilot-instructions.md", "MARK-copilot\n")
	b.write(".github/instructions/x.instructions.md", "---\napplyTo: '**'\n---\nMARK-scoped\n")
	b.write(".github/skills/wave/SKILL.md", "---\nname: wave\ndescription: MARK-skill waves\n---\nWave.\n")
	b.write(".github/agents/fox.agent.md", "---\nname: fox\ndescription: MARK-fox\n---\nBe a fox.\n")
	hook, err := json.Marshal(object{"version": 1, "hooks": object{
		"userPromptSubmitted": []object{{"type": "command", "bash": "touch " + b.path("hook-ran")}},
	}})
	b.must(err)
	b.write(".github/hooks/h.json", string(hook))
	settings, err := json.Marshal(object{"hooks": object{"UserPromptSubmit": []object{{
		"hooks": []object{{"type": "command", "command": "touch " + b.path("settings-ran")}},
	}}}})
	b.must(err)
	b.write(".claude/settings.json", string(settings))
	b.mcpFolder()
}

// marks are the things of the folder that a request shows to be loaded.
func marks(req llm.Request) []string {
	var found []string
	for _, m := range []string{"MARK-agents", "MARK-copilot", "MARK-scoped", "MARK-skill", "MARK-fox", "asker-form"} {
		if strings.Contains(string(req.Raw), m) {
			found = append(found, m)
		}
	}
	return found
}

// loaded sends a prompt and reports what of the folder took part in it.
func (b *bench) loaded(s session.Session, r *sessiontest.Reader) (shown []string, hookRan, settingsRan bool) {
	b.Helper()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	reqs := b.model.Requests()
	return marks(reqs[len(reqs)-1]), b.exists("hook-ran"), b.exists("settings-ran")
}

func answers() llm.Script { return llm.Script{"a": {{Text: "A."}}} }

// git makes the working folder a repository, as most are.
func (b *bench) git() {
	b.Helper()
	b.must(os.Mkdir(b.path(".git"), 0o755))
	b.write(".git/HEAD", "ref: refs/heads/main\n")
	b.must(os.MkdirAll(b.path(".git/objects"), 0o755))
	b.must(os.MkdirAll(b.path(".git/refs"), 0o755))
}

func TestUntrustedFolder(t *testing.T) {
	b := on(t, answers())
	b.git()
	b.furnish()
	s, r := b.open()
	q := next[session.FolderTrustRequested](r)
	if q.Folder != b.dir {
		t.Errorf("asked about %s", q.Folder)
	}
	self, err := os.Executable()
	b.must(err)
	for _, want := range []session.FolderContents{
		{Path: "AGENTS.md", What: "instructions"},
		{Path: ".github/copilot-instructions.md", What: "instructions"},
		{Path: ".github/instructions/x.instructions.md", What: "instructions"},
		{Path: ".github/skills/wave/SKILL.md", What: "a skill: wave"},
		{Path: ".github/agents/fox.agent.md", What: "an agent: fox"},
		{Path: ".mcp.json", What: "an MCP server: " + self},
		{Path: ".github/hooks/h.json", What: "hooks"},
		{Path: ".claude/settings.json", What: "settings, which may run hooks"},
	} {
		if !slices.Contains(q.Loads, want) {
			t.Errorf("%+v is missing in %+v", want, q.Loads)
		}
	}
	if shown, hook, settings := b.loaded(s, r); shown != nil || hook || settings {
		t.Errorf("before the answer: %v, hook %v, settings %v", shown, hook, settings)
	}
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
	if d := next[session.FolderTrustCompleted](r); d.Trusted || d.RequestID != q.RequestID {
		t.Errorf("settled as %+v", d)
	}
	if shown, hook, settings := b.loaded(s, r); shown != nil || hook || settings {
		t.Errorf("after the refusal: %v, hook %v, settings %v", shown, hook, settings)
	}
	yes := session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true}
	if err := s.Respond(t.Context(), yes); !errors.Is(err, session.ErrResolved) {
		t.Errorf("a second answer: %v", err)
	}
	if shown, _, _ := b.loaded(s, r); shown != nil {
		t.Errorf("after a second answer: %v", shown)
	}
}

var everything = []string{"MARK-agents", "MARK-copilot", "MARK-scoped", "MARK-skill", "MARK-fox", "asker-form"}

// TestTrustForGood trusts a folder after a first turn without it; sessions and
// runtimes that come later need not ask.
func TestTrustForGood(t *testing.T) {
	b := alone(t, answers())
	b.git()
	b.furnish()
	s, r := b.open()
	if shown, _, _ := b.loaded(s, r); shown != nil {
		t.Errorf("before the answer: %v", shown)
	}
	// The question came before the turn.
	q := sessiontest.All[session.FolderTrustRequested](r.Seen())[0]
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true})
	next[session.FolderTrustCompleted](r)
	if shown, hook, settings := b.loaded(s, r); !slices.Equal(shown, everything) || !hook || !settings {
		t.Errorf("after the answer: %v, hook %v, settings %v", shown, hook, settings)
	}
	if n := len(sessiontest.All[session.SessionResume](r.Seen())); n != 0 {
		t.Errorf("loading looks like resuming, %d times", n)
	}
	b.restart()
	s, r = b.open()
	if shown, _, _ := b.loaded(s, r); !slices.Equal(shown, everything) {
		t.Errorf("in the next runtime: %v", shown)
	}
	if asked := sessiontest.All[session.FolderTrustRequested](r.Seen()); len(asked) != 0 {
		t.Errorf("asked again: %+v", asked)
	}
}

// TestTrustForOneSession trusts without remembering. Of a folder that the
// runtime does not trust itself it leaves out hooks in settings.
func TestTrustForOneSession(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}, "plan": plan()["plan"]})
	b.furnish() // no repository: the folder itself
	s, r := b.open()
	b.trustFolder(s, r, false)
	if shown, hook, _ := b.loaded(s, r); !slices.Equal(shown, everything) || !hook {
		t.Errorf("after the answer: %v, hook %v", shown, hook)
	}
	// The interests have outlived the reload.
	b.must(s.SetMode(t.Context(), session.Plan))
	b.send(s, "@@plan")
	next[session.ExitPlanModeRequested](r)
	b.must(s.Abort(t.Context()))
	other, r2 := b.open()
	next[session.FolderTrustRequested](r2)
	if shown, _, _ := b.loaded(other, r2); shown != nil {
		t.Errorf("another session loads %v", shown)
	}
}

// TestTrustOutlivesResume: a session that is resumed by the same agent, as undoing and
// redoing do, has what is in the folder that the user trusted for a session loaded again.
// The question comes again when a file that it names has changed, and after a no.
func TestTrustOutlivesResume(t *testing.T) {
	b := near(t, answers())
	b.furnish()
	s, r := b.open()
	b.trustFolder(s, r, false)
	b.loaded(s, r)
	ctx := t.Context()
	again := func() {
		b.must(s.Close(ctx))
		b.must(os.RemoveAll(b.path("hook-ran")))
		s, r = b.resume(s.Info().ID)
	}
	again()
	if shown, hook, _ := b.loaded(s, r); !slices.Equal(shown, everything) || !hook {
		t.Errorf("resumed: %v, hook %v", shown, hook)
	}
	if asked := sessiontest.All[session.FolderTrustRequested](r.Seen()); len(asked) > 0 {
		t.Errorf("asked again: %+v", asked)
	}
	b.write("AGENTS.md", "MARK-agents, and more\n")
	again()
	q := next[session.FolderTrustRequested](r)
	if shown, hook, _ := b.loaded(s, r); shown != nil || hook {
		t.Errorf("changed, before the answer: %v, hook %v", shown, hook)
	}
	b.write("AGENTS.md", "MARK-agents\n")
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID})
	next[session.FolderTrustCompleted](r)
	again()
	next[session.FolderTrustRequested](r)
	if shown, hook, _ := b.loaded(s, r); shown != nil || hook {
		t.Errorf("after a no: %v, hook %v", shown, hook)
	}
}

func TestEmptyFolderIsNotAskedAbout(t *testing.T) {
	b := alone(t, answers())
	b.must(os.WriteFile(filepath.Join(b.home, "copilot-instructions.md"), []byte("MARK-agents of my own\n"), 0o644))
	s, r := b.open()
	if shown, _, _ := b.loaded(s, r); !slices.Equal(shown, []string{"MARK-agents"}) {
		t.Errorf("the user's own instructions are not loaded: %v", shown)
	}
	// What appears later is not taken either.
	b.furnish()
	if shown, hook, settings := b.loaded(s, r); !slices.Equal(shown, []string{"MARK-agents"}) || hook || settings {
		t.Errorf("what appeared later: %v, hook %v, settings %v", shown, hook, settings)
	}
	if asked := sessiontest.All[session.FolderTrustRequested](r.Seen()); len(asked) != 0 {
		t.Errorf("asked about %+v", asked)
	}
}

// TestTrustBelowARepository asks in a folder below the root of a repository,
// whose things count too.
func TestTrustBelowARepository(t *testing.T) {
	b := on(t, answers())
	b.git()
	b.furnish()
	b.write("sub/AGENTS.md", "MARK-sub\n")
	b.write("sub/.mcp.json", `{"mcpServers": {"near": {"url": "https://near.example/mcp"}, "odd": 7}}`)
	b.write("sub/.github/mcp.json", `{"mcpServers": {"shadowed": {"command": "no"}}}`)
	opened, err := b.agent.Open(t.Context(), session.Options{Dir: b.path("sub")})
	b.must(err)
	r := sessiontest.Read(t, opened)
	q := next[session.FolderTrustRequested](r)
	for _, want := range []session.FolderContents{
		{Path: "../AGENTS.md", What: "instructions"},
		{Path: "AGENTS.md", What: "instructions"},
		{Path: "../.github/skills/wave/SKILL.md", What: "a skill: wave"},
		{Path: ".mcp.json", What: "an MCP server: https://near.example/mcp"},
		{Path: ".mcp.json", What: "an MCP server that cannot be read"},
		{Path: "../.github/hooks/h.json", What: "hooks"},
	} {
		if !slices.Contains(q.Loads, want) {
			t.Errorf("%+v is missing in %+v", want, q.Loads)
		}
	}
	for _, l := range q.Loads {
		if strings.Contains(l.What, "MCP server: no") {
			t.Error("reports a file that the runtime does not read")
		}
	}
}

func TestTrustFailsClosed(t *testing.T) {
	b := on(t, answers())
	b.furnish()
	s, r := b.open()
	q := next[session.FolderTrustRequested](r)
	b.must(s.Close(t.Context()))
	err := s.Respond(t.Context(), session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true})
	if !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("trust after the end: %v", err)
	}
	_, r = b.open()
	next[session.FolderTrustRequested](r)
}

// TestTrustDuringATurn answers while the model speaks and while a permission is
// open: neither is disturbed.
func TestTrustDuringATurn(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"a":    {{Text: "A."}},
		"busy": {{Text: "One two three.", Calls: []llm.Call{bash("touch ran.txt")}, Hold: hold, HoldAfter: 1}, {Text: "Four."}},
	})
	t.Cleanup(hold.Open)
	b.furnish()
	s, r := b.open()
	trust := next[session.FolderTrustRequested](r)
	b.send(s, "@@busy")
	<-hold.Reached()
	b.respond(s, session.FolderTrustAnswer{RequestID: trust.RequestID, Trusted: true, Remember: true})
	next[session.FolderTrustCompleted](r)
	hold.Open()
	q := next[session.PermissionRequested](r)
	if b.exists("ran.txt") {
		t.Error("it was done unasked")
	}
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	next[session.AssistantIdle](r)
	if m := sessiontest.All[session.AssistantMessage](r.Seen()); len(m) != 2 || m[1].Content != "Four." {
		t.Errorf("the turn said %+v", m)
	}
	if shown, _, _ := b.loaded(s, r); !slices.Equal(shown, everything) {
		t.Errorf("the next turn has %v", shown)
	}
}

func TestTrustWhileAsked(t *testing.T) {
	b := on(t, llm.Script{"go": touch("ran.txt")})
	b.furnish()
	s, r := b.open()
	trust := next[session.FolderTrustRequested](r)
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.FolderTrustAnswer{RequestID: trust.RequestID, Trusted: true})
	next[session.FolderTrustCompleted](r)
	if b.exists("ran.txt") {
		t.Error("trusting the folder approved a command")
	}
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	if d := next[session.ToolExecutionComplete](r); !d.Success {
		t.Errorf("the tool ended with %+v", d.Error)
	}
	next[session.AssistantIdle](r)
}
