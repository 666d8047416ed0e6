package copilot_test

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

func named(name string) func(session.SlashCommand) bool {
	return func(c session.SlashCommand) bool { return c.Name == name }
}

// TestSlashCommands lists the runtime's commands, those of the folder once it
// is trusted, and those of another client.
func TestSlashCommands(t *testing.T) {
	b := on(t, answers())
	b.git()
	b.furnish()
	s, r := b.open()
	find := func(name string) session.SlashCommand {
		t.Helper()
		list, err := s.SlashCommands(t.Context())
		b.must(err)
		if i := slices.IndexFunc(list, named(name)); i >= 0 {
			return list[i]
		}
		return session.SlashCommand{}
	}
	for _, want := range []session.SlashCommand{
		{Name: "add-dir", Kind: "builtin", Hint: "directory", MidTurn: true},
		{
			Name: "allow-all", Kind: "builtin", Hint: "[on|off|show]", MidTurn: true,
			Aliases: []string{"yolo"}, Choices: []string{"on", "off", "show"},
		},
		{Name: "compact", Kind: "builtin", Hint: "focus instructions"},
		{Name: "reset-allowed-tools", Kind: "builtin", Confirm: "Revoke all that was allowed for this session?"},
		{Name: "wave"},
	} {
		got := find(want.Name)
		if got.Kind != want.Kind || got.Hint != want.Hint || got.Confirm != want.Confirm ||
			!slices.Equal(got.Aliases, want.Aliases) || !slices.Equal(got.Choices, want.Choices) {
			t.Errorf("%s is %+v", want.Name, got)
		}
	}
	b.trustFolder(s, r, true)
	if got := find("wave"); got.Kind != "skill" || got.Description != "MARK-skill waves" {
		t.Errorf("the skill of the folder is %+v", got)
	}
	s2, _ := b.second(s)
	b.must(copilot.Call(t.Context(), s2, "session.resume", object{
		"commands": []object{{"name": "theirs", "description": "of another window"}}, "disableResume": true,
	}))
	if got := find("theirs"); got.Kind != "client" {
		t.Errorf("the other client's command is %+v", got)
	}
}

// TestInvoke runs the runtime's own commands, one for each kind of result that
// they have.
func TestInvoke(t *testing.T) {
	b := on(t, answers())
	s, r := b.open()
	invoke := func(name, input string) session.SlashResult {
		t.Helper()
		got, err := s.Invoke(t.Context(), name, input)
		b.must(err)
		return got
	}
	if got := invoke("list-dirs", ""); !strings.Contains(got.Text, b.dir) || got.Markdown {
		t.Errorf("list-dirs: %+v", got)
	}
	if got := invoke("env", ""); !strings.Contains(got.Text, "**Skills**") || !got.Markdown {
		t.Errorf("env: %+v", got)
	}
	if got := invoke("/Rename", "A name"); got.Text != "Session renamed to: A name" {
		t.Errorf("rename: %+v", got)
	}
	if title := next[session.SessionTitleChanged](r); title.Title != "A name" {
		t.Errorf("the title is %q", title.Title)
	}
	if got := invoke("chronicle", ""); got.Title == "" || len(got.Options) < 4 || got.Options[0].Input != "standup" {
		t.Errorf("chronicle: %+v", got)
	}
	if got := invoke("goal", "off"); got.Text == "" {
		t.Errorf("goal off: %+v", got)
	}
	if got := invoke("plan", ""); got.Text != "" || got.Prompt != nil {
		t.Errorf("plan: %+v", got)
	}
	if m := next[session.SessionModeChanged](r); m.NewMode != session.Plan {
		t.Errorf("the mode is %s", m.NewMode)
	}
	if got := invoke("model", ""); got.Dialog != "model-picker" {
		t.Errorf("model: %+v", got)
	}
	if got := invoke("model", "other"); !strings.Contains(got.Text, "other") {
		t.Errorf("model other: %+v", got)
	}
	if m := next[session.SessionModelChange](r); m.NewModel != "other" {
		t.Errorf("the model is %+v", m)
	}
	for input, want := range map[string]string{
		"rename":   "run /rename: Usage: /rename <name>",
		"nonesuch": "run /nonesuch: Unknown slash command: /nonesuch",
	} {
		if _, err := s.Invoke(t.Context(), input, ""); err == nil || err.Error() != want {
			t.Errorf("%s: %v", input, err)
		}
	}
}

// TestInvokePrompt sends what a command of the runtime, and one of the folder,
// come to.
func TestInvokePrompt(t *testing.T) {
	b := on(t, llm.Script{"": {{Text: "Looked."}}})
	b.write(".github/skills/wave/SKILL.md", "---\nname: wave\ndescription: waves\n---\nMARK-wave with both hands.\n")
	s, r := b.open()
	b.trustFolder(s, r, true)
	for name, want := range map[string]string{"review": "code-review", "wave": "MARK-wave"} {
		got, err := s.Invoke(t.Context(), name, "the gate")
		b.must(err)
		if got.Prompt == nil || !strings.Contains(got.Prompt.Prompt, want) || !strings.Contains(got.Prompt.Display, "the gate") {
			t.Fatalf("%s: %+v", name, got)
		}
		b.must(s.Send(t.Context(), *got.Prompt))
		if u := next[session.UserMessage](r); u.Content != got.Prompt.Display {
			t.Errorf("%s is shown as %q", name, u.Content)
		}
		next[session.AssistantIdle](r)
		reqs := b.model.Requests()
		if m := reqs[len(reqs)-1].Messages; !strings.Contains(m[len(m)-1].Text(), want) {
			t.Errorf("the model was sent %q", m[len(m)-1].Text())
		}
	}
}

// TestFolderCommands goes to a folder and adds one. What they bring along is
// not loaded unasked.
func TestFolderCommands(t *testing.T) {
	b := on(t, answers())
	s, r := b.open()
	invoke := func(name, input, text, fails string) {
		t.Helper()
		got, err := s.Invoke(t.Context(), name, input)
		if (err == nil) != (fails == "") || err != nil && !strings.Contains(err.Error(), fails) {
			t.Errorf("/%s %s: %v", name, input, err)
		}
		if err == nil && !strings.Contains(got.Text, text) {
			t.Errorf("/%s %s: %+v", name, input, got)
		}
	}
	b.write("bare/one/readme.txt", "Nothing to load.\n")
	b.write("rich/.github/skills/wave/SKILL.md", "---\nname: wave\ndescription: MARK-skill waves\n---\nWave.\n")
	invoke("cwd", "", b.dir, "")
	invoke("cd", " bare ", b.path("bare"), "")
	invoke("cwd", "one", b.path("bare/one"), "")
	invoke("cwd", "", b.path("bare/one"), "")
	invoke("cwd", "nonesuch", "", "nonesuch")
	invoke("add-dir", "..", b.path("bare"), "")
	invoke("list-dirs", "", b.path("bare"), "")
	invoke("add-dir", "../../rich", "", "it is not trusted and brings a skill")
	invoke("add-dir", "", "", "Usage: /add-dir")
	invoke("cwd", "../../rich", b.path("rich"), "")
	if q := next[session.FolderTrustRequested](r); q.Folder != b.path("rich") {
		t.Errorf("asked about %s", q.Folder)
	}
	if shown, _, _ := b.loaded(s, r); shown != nil {
		t.Errorf("loaded %v", shown)
	}
}

// TestInvokeDuringATurn runs what may run, and gets an error for what may not.
func TestInvokeDuringATurn(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{"wait": {{Text: "One two.", Hold: hold, HoldAfter: 1}}})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@wait")
	<-hold.Reached()
	if got, err := s.Invoke(t.Context(), "usage", ""); err != nil || got.Text == "" {
		t.Errorf("usage: %+v, %v", got, err)
	}
	if got, err := s.Invoke(t.Context(), "model", "other"); err != nil || !strings.Contains(got.Text, "when this turn has ended") {
		t.Errorf("model: %+v, %v", got, err)
	}
	if _, err := s.Invoke(t.Context(), "compact", ""); err == nil || !strings.Contains(err.Error(), "while the agent is active") {
		t.Errorf("compact: %v", err)
	}
	hold.Open()
	if m := next[session.SessionModelChange](r); m.NewModel != "other" {
		t.Errorf("the model is %+v", m)
	}
}

// TestInvokeOfAnotherClient runs a command that another client brought along,
// which does it or refuses; and one of a client that has gone.
func TestInvokeOfAnotherClient(t *testing.T) {
	b := on(t, nil)
	s, r := b.open()
	s2, r2 := b.second(s)
	b.must(copilot.Call(t.Context(), s2, "session.resume", object{
		"commands": []object{{"name": "theirs", "description": "of another window"}}, "disableResume": true,
	}))
	for want, feedback := range map[string]string{"": "", "run /theirs: Command /theirs failed: not today": "not today"} {
		done := make(chan error, 1)
		go func() {
			_, err := s.Invoke(t.Context(), "theirs", "now")
			done <- err
		}()
		q := next[session.CommandExecute](r2)
		if q.CommandName != "theirs" || q.Args != "now" {
			t.Errorf("asked for %+v", q)
		}
		p := object{"requestId": q.RequestID}
		if feedback != "" {
			p["error"] = feedback
		}
		b.must(copilot.Call(t.Context(), s2, "session.commands.handlePendingCommand", p))
		got := ""
		if err := <-done; err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("ended with %q, want %q", got, want)
		}
		next[session.CommandCompleted](r)
	}
	if n := len(sessiontest.All[session.CommandExecute](r.Seen())); n != 0 {
		t.Errorf("the client that did not bring it along was asked %d times", n)
	}
	b.must(s2.Close(t.Context()))
	if _, err := s.Invoke(t.Context(), "theirs", ""); err == nil {
		t.Error("ran the command of a client that has gone")
	}
}

// TestPromptFiles: the runtime lists files of .claude/commands as skills of the folder, with
// what they take and where they are; those that it does not read are reasons to ask whether
// the folder is trusted.
func TestPromptFiles(t *testing.T) {
	b := on(t, answers())
	b.write(".claude/commands/tidy.md", "---\ndescription: tidies\nargument-hint: \"[file]\"\n---\nTidy $ARGUMENTS.\n")
	b.write(".claude/commands/git/log.md", "Read the log.\n")
	b.write(".github/prompts/polish.prompt.md", "Polish it.\n")
	s, r := b.open()
	if s.FolderTrusted() {
		t.Error("the folder is trusted unasked")
	}
	q := next[session.FolderTrustRequested](r)
	want := []session.FolderContents{
		{Path: ".claude/commands/tidy.md", What: "a skill: tidy"},
		{Path: ".github/prompts/polish.prompt.md", What: "a prompt file: /polish"},
		{Path: ".claude/commands/git/log.md", What: "a prompt file: /git:log"},
	}
	if !slices.Equal(q.Loads, want) {
		t.Errorf("asked about %+v", q.Loads)
	}
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true})
	next[session.FolderTrustCompleted](r)
	list, err := s.SlashCommands(t.Context())
	b.must(err)
	var got []string
	for _, c := range list {
		if c.Kind == "skill" {
			got = append(got, c.Name+" "+c.Hint+" "+c.Path)
		}
	}
	if want := []string{"tidy [file] " + b.path(".claude/commands/tidy.md")}; !slices.Equal(got, want) || !s.FolderTrusted() {
		t.Errorf("listed %q", got)
	}
	done, err := s.Invoke(t.Context(), "tidy", "main.go")
	if b.must(err); done.Prompt == nil || !strings.Contains(done.Prompt.Prompt, "Tidy main.go.") {
		t.Errorf("came to %+v", done)
	}
}
