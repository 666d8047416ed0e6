package copilot_test

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// granted is what is granted, without the runtime's own folders.
func (b *bench) granted(s session.Session) []session.Grant {
	b.Helper()
	all, err := s.(session.GrantManager).Grants(b.Context())
	b.must(err)
	return slices.DeleteFunc(all, func(g session.Grant) bool { return strings.HasPrefix(g.ID, "session/dir/") })
}

// grants checks that just these are granted, as "scope: what", and returns them.
func (b *bench) grants(s session.Session, want ...string) []session.Grant {
	b.Helper()
	all := b.granted(s)
	got := make([]string, len(all))
	for i, g := range all {
		got[i] = string(g.Scope) + ": " + g.What
	}
	if !slices.Equal(got, want) {
		b.Fatalf("granted are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return all
}

func (b *bench) revoke(s session.Session, g session.Grant) {
	b.Helper()
	if !g.Revocable {
		b.Errorf("%s cannot be revoked: %s", g.What, g.Reason)
	}
	b.must(s.(session.GrantManager).Revoke(b.Context(), g))
}

// play runs a script to the end of the turn, answering each question, and
// returns what was asked about.
func (b *bench) play(
	s session.Session, r *sessiontest.Reader, script string, answer func(session.PermissionRequested) session.PermissionAnswer,
) []string {
	b.Helper()
	b.send(s, "@@"+script)
	asked := []string{}
	for {
		ev := r.Until("a question or the end", func(ev session.Event) bool {
			switch q := ev.Body.(type) {
			case session.ExternalToolRequested:
				b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
			case session.PermissionRequested, session.AssistantIdle:
				return !ev.Replayed
			}
			return false
		})
		q, ok := ev.Body.(session.PermissionRequested)
		if !ok {
			return asked
		}
		asked = append(asked, q.PromptRequest.Kind)
		a := answer(q)
		a.RequestID = q.RequestID
		b.respond(s, a)
	}
}

// origin is the address of the model's server, without a path.
func (b *bench) origin() string { return strings.TrimSuffix(b.model.URL, "/v1") }

func once(session.PermissionRequested) session.PermissionAnswer {
	return session.PermissionAnswer{Decision: session.ApproveOnce}
}

// approve gives a decision about what was asked in its whole, as a window does.
func approve(d session.Decision) func(session.PermissionRequested) session.PermissionAnswer {
	return func(q session.PermissionRequested) session.PermissionAnswer {
		a, p := session.PermissionAnswer{Decision: d}, q.PromptRequest
		switch p.Kind {
		case "commands":
			a.Approval = &session.Approval{Kind: "commands", CommandIdentifiers: p.CommandIdentifiers}
		case "read", "write":
			a.Approval = &session.Approval{Kind: p.Kind}
		case "mcp":
			a.Approval = &session.Approval{Kind: "mcp", ServerName: p.ServerName, ToolName: &p.ToolName}
		case "custom-tool":
			a.Approval = &session.Approval{Kind: "custom-tool", ToolName: &p.ToolName}
		case "url":
			u, _ := url.Parse(p.URL)
			a.Domain = u.Scheme + "://" + u.Host
		}
		return a
	}
}

func shell(commands ...string) []llm.Step {
	steps := make([]llm.Step, 0, len(commands)+1)
	for _, c := range commands {
		steps = append(steps, llm.Step{Calls: []llm.Call{bash(c)}})
	}
	return append(steps, llm.Step{Text: "Done."})
}

// TestRevokeOfSession takes back one approval of a session and no other.
func TestRevokeOfSession(t *testing.T) {
	twice := llm.Step{Calls: []llm.Call{bash("touch a"), bash("touch b")}}
	b := on(t, llm.Script{
		"touch": shell("touch c"), "mkdir": shell("mkdir -p d"), "both": {twice, {Text: "Done."}},
		"list": {{Calls: []llm.Call{{Name: "glob", Args: map[string]any{"pattern": "*"}}}}, {Text: "Done."}},
	})
	s, r := b.open()
	b.grants(s)
	b.play(s, r, "both", approve(session.ApproveForSession)) // asked twice at once, and so allowed twice
	b.play(s, r, "mkdir", approve(session.ApproveForSession))
	all := b.grants(s, "session: `mkdir`", "session: `touch`")
	if asked := b.play(s, r, "touch", once); len(asked) != 0 {
		t.Errorf("asked about %v", asked)
	}
	b.revoke(s, all[1])
	b.grants(s, "session: `mkdir`")
	if asked := b.play(s, r, "touch", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("after it was taken back it asked about %v", asked)
	}
	if asked := b.play(s, r, "mkdir", once); len(asked) != 0 {
		t.Errorf("something else was taken back: asked about %v", asked)
	}
	b.revoke(s, all[1]) // once more is no error
	b.grants(s, "session: `mkdir`")
}

// TestRevokeOfLocation takes back what is stored, and keeps all else of the
// file.
func TestRevokeOfLocation(t *testing.T) {
	b := alone(t, llm.Script{
		"touch": shell("touch c"), "both": shell("mkdir -p d && chmod 700 d"), "mkdir": shell("mkdir -p d"), "chmod": shell("chmod 700 d"),
	})
	file := filepath.Join(b.home, "permissions-config.json")
	const elsewhere = `"/elsewhere":{"tool_approvals":[{"kind":"write"}]}`
	b.must(os.WriteFile(file, []byte(`{"locations":{`+elsewhere+`},"version":7}`), 0o600))
	s, r := b.open()
	b.play(s, r, "touch", approve(session.ApproveForLocation))
	b.play(s, r, "both", approve(session.ApproveForLocation))
	all := b.grants(s, "location: `chmod`", "location: `mkdir`", "location: `touch`")
	for _, g := range all {
		if g.Where != b.dir {
			t.Errorf("%s holds in %q, not %q", g.What, g.Where, b.dir)
		}
	}
	b.revoke(s, all[1])
	if asked := b.play(s, r, "mkdir", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("after it was taken back it asked about %v", asked)
	}
	if asked := slices.Concat(b.play(s, r, "chmod", once), b.play(s, r, "touch", once)); len(asked) != 0 {
		t.Errorf("something else was taken back: asked about %v", asked)
	}
	kept, err := os.ReadFile(file)
	b.must(err)
	if said := strings.Join(strings.Fields(string(kept)), ""); !strings.Contains(said, elsewhere) ||
		!strings.Contains(said, `"version":7`) || strings.Contains(said, "mkdir") {
		t.Errorf("the file says %s", kept)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	b.play(s, r, "mkdir", approve(session.ApproveForLocation)) // the runtime writes to what we wrote
	b.revoke(s, b.grants(s, "location: `chmod`", "location: `mkdir`", "location: `touch`")[1])
	second, r2 := b.open()
	b.grants(second, "location: `chmod`", "location: `touch`")
	if asked := b.play(second, r2, "mkdir", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("another session asks about %v", asked)
	}
	if asked := b.play(second, r2, "touch", once); len(asked) != 0 {
		t.Errorf("another session asks about %v", asked)
	}
}

// TestRevokeOfLocationElsewhere has no way to the files of the runtime.
func TestRevokeOfLocationElsewhere(t *testing.T) {
	b := on(t, llm.Script{"touch": shell("touch c")})
	s, r := b.open()
	b.play(s, r, "touch", approve(session.ApproveForLocation))
	g := b.grants(s, "location: `touch`")[0]
	if g.Revocable || g.Where != b.dir || !strings.Contains(g.Reason, "permissions-config.json") {
		t.Errorf("granted is %+v", g)
	}
	if err := s.Revoke(t.Context(), g); err == nil || !strings.Contains(err.Error(), "take back `touch`: it is kept in") {
		t.Errorf("revoked: %v", err)
	}
	if asked := b.play(s, r, "touch", once); len(asked) != 0 {
		t.Errorf("asked about %v", asked)
	}
}

// TestRevokeOfPaths takes single paths back, and neither a folder that was
// added nor the session's own.
func TestRevokeOfPaths(t *testing.T) {
	b := on(t, nil)
	far, added := outside(t), outside(t)
	for i, file := range []string{filepath.Join(far, "a.txt"), filepath.Join(far, "b.txt"), filepath.Join(added, "c.txt")} {
		b.must(os.WriteFile(file, []byte("x\n"), 0o600))
		b.model.Add("view"+string(rune('a'+i)), llm.Step{Calls: []llm.Call{{Name: "view", Args: map[string]any{"path": file}}}}, llm.Step{Text: "Seen."})
	}
	s, r := b.open()
	b.must(copilot.Call(t.Context(), s, "session.permissions.paths.add", object{"path": added}))
	forSession := func(q session.PermissionRequested) session.PermissionAnswer {
		if q.PromptRequest.Kind == "path" {
			return session.PermissionAnswer{Decision: session.ApproveForSession}
		}
		return once(q)
	}
	if asked := b.play(s, r, "viewa", forSession); !slices.Equal(asked, []string{"path", "read"}) {
		t.Fatalf("asked about %v", asked)
	}
	b.grants(s, "session: the path `"+far+"/a.txt`")
	if asked := b.play(s, r, "viewb", forSession); !slices.Equal(asked, []string{"path", "read"}) {
		t.Errorf("of another file it asks about %v", asked)
	}
	g := b.grants(s, "session: the paths `"+far+"/a.txt` and `"+far+"/b.txt`")[0]
	before, err := s.Grants(t.Context())
	b.must(err)
	b.revoke(s, g)
	after, err := s.Grants(t.Context())
	b.must(err)
	if !slices.Equal(before[1:], after) {
		t.Errorf("granted were\n%+v\nare\n%+v", before, after)
	}
	for script, want := range map[string][]string{"viewa": {"path", "read"}, "viewb": {"path", "read"}, "viewc": {"read"}} {
		if asked := b.play(s, r, script, once); !slices.Equal(asked, want) {
			t.Errorf("%s: asked about %v, want %v", script, asked, want)
		}
	}
}

// outside is a folder that the runtime does not allow: beside the tests' own for
// temporary files.
func outside(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(filepath.Dir(os.TempDir()), "outside-") //nolint:usetesting // those of testing are below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// TestRevokeAllowAll takes back that everything is allowed.
func TestRevokeAllowAll(t *testing.T) {
	b := on(t, llm.Script{"touch": shell("touch c")})
	s, r := b.open()
	b.must(copilot.Call(t.Context(), s, "session.permissions.setMode", object{"mode": "allow-all"}))
	g := b.grants(s, "session: everything, without asking")[0]
	b.revoke(s, g)
	b.grants(s)
	if asked := b.play(s, r, "touch", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("asked about %v", asked)
	}
}

// TestGrantsAfterResume has lost what was for the session alone.
func TestGrantsAfterResume(t *testing.T) {
	b := alone(t, llm.Script{"touch": shell("touch c"), "mkdir": shell("mkdir -p d")})
	s, r := b.open()
	b.play(s, r, "touch", approve(session.ApproveForSession))
	b.play(s, r, "mkdir", approve(session.ApproveForLocation))
	b.grants(s, "session: `touch`", "location: `mkdir`")
	b.restart()
	s, r = b.resume(s.Info().ID)
	b.grants(s, "location: `mkdir`")
	if asked := b.play(s, r, "touch", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("asked about %v", asked)
	}
	if asked := b.play(s, r, "mkdir", once); len(asked) != 0 {
		t.Errorf("asked about %v", asked)
	}
}

// TestGrantsOfASecondWindow sees what the first one allowed, and takes it back.
func TestGrantsOfASecondWindow(t *testing.T) {
	b := on(t, llm.Script{"touch": shell("touch c"), "mkdir": shell("mkdir -p d")})
	s, r := b.open()
	b.play(s, r, "touch", approve(session.ApproveForSession))
	second, r2 := b.second(s)
	g := b.grants(second, "session: `touch`")[0]
	if !strings.Contains(g.Reason, "before this window joined") {
		t.Errorf("it says %q", g.Reason)
	}
	b.play(second, r2, "mkdir", approve(session.ApproveForSession))
	next[session.SessionIdle](r)
	b.grants(s, "session: `mkdir`", "session: `touch`")
	b.revoke(second, g)
	if asked := b.play(second, r2, "touch", once); !slices.Equal(asked, []string{"commands"}) {
		t.Errorf("asked about %v", asked)
	}
}
