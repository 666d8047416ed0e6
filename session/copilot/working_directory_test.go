package copilot_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// beside is a bench on the same runtime with another working folder.
func (b *bench) beside() *bench {
	b.Helper()
	other := *b
	other.dir = scratch(b.T)
	return &other
}

// trustFor makes the runtime trust a folder for good.
func (b *bench) trustFor(s *copilot.Session, dir string) {
	b.Helper()
	b.must(copilot.Call(b.Context(), s, "session.permissions.folderTrust.addTrusted", object{"path": dir}))
}

// unmark forgets that hooks of the folder ran.
func (b *bench) unmark() {
	b.Helper()
	for _, name := range []string{"hook-ran", "settings-ran"} {
		if b.exists(name) {
			b.must(os.Remove(b.path(name)))
		}
	}
}

// works checks that the agent works in a folder: what it makes lands there.
func (b *bench) works(s session.Session, r *sessiontest.Reader) {
	b.Helper()
	b.model.Add("make", llm.Step{Calls: []llm.Call{bash("touch made.txt")}}, llm.Step{Text: "Made."})
	b.turn(s, r, "@@make")
	if !b.exists("made.txt") {
		b.Errorf("it does not work in %s", b.dir)
	}
}

// TestMoveToAnUntrustedFolder goes from a trusted folder to one that is not,
// with everything in it that a folder can bring along, and back.
func TestMoveToAnUntrustedFolder(t *testing.T) {
	b := near(t, answers())
	b.git()
	b.furnish()
	to := b.beside()
	to.git()
	to.furnish()
	keeper, _ := b.open()
	b.trustFor(keeper, b.dir)
	s, r := b.open()
	if shown, hook, _ := b.loaded(s, r); !slices.Equal(shown, everything) || !hook {
		t.Fatalf("at home: %v, hook %t", shown, hook)
	}
	b.must(s.SetDir(t.Context(), to.dir+"/sub/.."))
	changed := next[session.SessionContextChanged](r)
	if changed.Cwd != to.dir {
		t.Errorf("moved to %s", changed.Cwd)
	}
	q := next[session.FolderTrustRequested](r)
	if q.Folder != to.dir || len(q.Loads) == 0 {
		t.Errorf("asked about %+v", q)
	}
	b.unmark()
	if shown, hook, settings := to.loaded(s, r); shown != nil || hook || settings || b.exists("hook-ran") || b.exists("settings-ran") {
		t.Errorf("away: %v, hooks %t and %t", shown, hook, settings)
	}
	to.works(s, r)
	if where, err := s.Dirs(t.Context()); err != nil || where[0] != to.dir || slices.Contains(where, b.dir) {
		t.Errorf("works in %v, %v", where, err)
	}
	// Home again: the question about the other folder no longer matters.
	b.must(s.SetDir(t.Context(), b.dir))
	if d := next[session.FolderTrustCompleted](r); d.Trusted || d.RequestID != q.RequestID {
		t.Errorf("settled as %+v", d)
	}
	yes := session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true}
	if err := s.Respond(t.Context(), yes); err != session.ErrResolved { //nolint:errorlint // it is that one
		t.Errorf("an answer to the old question: %v", err)
	}
	if shown, hook, settings := b.loaded(s, r); !slices.Equal(shown, everything) || !hook || !settings {
		t.Errorf("home again: %v, hooks %t and %t", shown, hook, settings)
	}
	if to.exists("hook-ran") || to.exists("settings-ran") {
		t.Error("hooks of the other folder ran")
	}
}

// TestMoveAndTrust trusts the folder that a session has moved to, from one that
// brings nothing along, and so had nothing switched off.
func TestMoveAndTrust(t *testing.T) {
	b := near(t, answers())
	to := b.beside()
	to.git()
	to.furnish()
	s, r := b.open()
	b.turn(s, r, "@@a")
	b.must(s.SetDir(t.Context(), to.dir))
	q := next[session.FolderTrustRequested](r)
	if shown, hook, settings := to.loaded(s, r); shown != nil || hook || settings {
		t.Errorf("before the answer: %v, hooks %t and %t", shown, hook, settings)
	}
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true})
	if d := next[session.FolderTrustCompleted](r); !d.Trusted {
		t.Errorf("settled as %+v", d)
	}
	if shown, hook, settings := to.loaded(s, r); !slices.Equal(shown, everything) || !hook || !settings {
		t.Errorf("after the answer: %v, hooks %t and %t", shown, hook, settings)
	}
	to.works(s, r)
	// What is allowed is that of the new folder.
	if _, err := s.Grants(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMoveNowhere(t *testing.T) {
	b := near(t, answers())
	b.git()
	b.furnish()
	b.write("file", "")
	keeper, _ := b.open()
	b.trustFor(keeper, b.dir)
	s, r := b.open()
	nowhere := filepath.Join(b.dir, "nowhere")
	says(t, s.SetDir(t.Context(), nowhere), nowhere, "no such file")
	says(t, s.SetDir(t.Context(), "sub"), "not an absolute path")
	says(t, s.SetDir(t.Context(), b.path("file")), "is not a folder")
	says(t, s.AddDir(t.Context(), nowhere), nowhere, "no such file")
	says(t, s.AddDir(t.Context(), b.path("file")), "is not a folder")
	if shown, _, _ := b.loaded(s, r); !slices.Equal(shown, everything) {
		t.Errorf("it lost %v", shown)
	}
	b.works(s, r)
}

// TestMoveRefused lets the runtime refuse: what the session had is there again.
func TestMoveRefused(t *testing.T) {
	b := on(t, answers()) // nothing is looked up here for a runtime that is elsewhere
	b.furnish()
	s, r := b.open()
	b.trustFolder(s, r, false)
	nowhere := filepath.Join(b.dir, "nowhere")
	says(t, s.SetDir(t.Context(), nowhere), "work in "+nowhere, "does not exist")
	if shown, hook, _ := b.loaded(s, r); !slices.Equal(shown, everything) || !hook {
		t.Errorf("it lost what it had, and has %v, hook %t", shown, hook)
	}
	b.works(s, r)
}

// TestAddDir adds a folder: with what it brings along only if it is trusted.
func TestAddDir(t *testing.T) {
	b := near(t, answers())
	keeper, _ := b.open()
	b.trustFor(keeper, b.dir)
	s, r := b.open()
	plain, bringing, trusted := b.beside(), b.beside(), b.beside()
	bringing.furnish()
	trusted.furnish()
	b.trustFor(keeper, trusted.dir)

	b.must(s.AddDir(t.Context(), plain.dir))
	says(t, s.AddDir(t.Context(), bringing.dir), "add "+bringing.dir, "not trusted", "a skill: wave")
	if shown, _, _ := b.loaded(s, r); shown != nil {
		t.Errorf("loaded are %v", shown)
	}
	b.must(s.AddDir(t.Context(), trusted.dir))
	if shown, _, _ := b.loaded(s, r); !slices.Equal(shown, []string{"MARK-skill", "MARK-fox"}) {
		t.Errorf("of a trusted folder are loaded %v", shown)
	}
	dirs, err := s.Dirs(t.Context())
	b.must(err)
	if dirs[0] != b.dir || !slices.Contains(dirs, plain.dir) || !slices.Contains(dirs, trusted.dir) || slices.Contains(dirs, bringing.dir) {
		t.Errorf("folders %v", dirs)
	}
}
