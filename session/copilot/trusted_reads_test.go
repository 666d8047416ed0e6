package copilot_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// foreign is a file that is in none of the folders a session may use, on any
// machine that these tests run on.
const foreign = "/etc/hostname"

// looks gives the model a script for each way to read: a file and a folder of the
// working folder, and what is outside, by its path and by a link.
func (b *bench) looks() {
	b.Helper()
	call := func(name, tool string, args map[string]any) {
		b.model.Add(name, llm.Step{Calls: []llm.Call{{Name: tool, Args: args}}}, llm.Step{Text: "Seen."})
	}
	b.write("near.txt", "near\n")
	b.must(os.Symlink(foreign, b.path("link")))
	call("file", "view", map[string]any{"path": b.path("near.txt")})
	call("folder", "view", map[string]any{"path": b.dir})
	call("grep", "grep", map[string]any{"pattern": "near", "path": b.dir})
	call("outside", "view", map[string]any{"path": foreign})
	call("link", "view", map[string]any{"path": b.path("link")})
	call("touch", "bash", map[string]any{"command": "touch made.txt", "description": "make a file"})
}

// asks checks what the session asks for a script.
func (b *bench) asks(s session.Session, r *sessiontest.Reader, script string, want ...string) {
	b.Helper()
	if got := b.play(s, r, script, once); !slices.Equal(got, want) {
		b.Errorf("%s: asked for %v, want %v", script, got, want)
	}
}

// trusting is a bench with the scripts, in a folder that is trusted.
func trusting(t *testing.T) *bench {
	t.Helper()
	b := near(t, nil)
	b.looks()
	s, _ := b.open()
	b.trustFor(s, b.dir)
	return b
}

// TestReadsInATrustedFolder: reads in it are not asked and stand in the timeline,
// those of another path are, and so is everything that changes something.
func TestReadsInATrustedFolder(t *testing.T) {
	b := near(t, nil)
	b.looks()
	s, r := b.open()
	b.asks(s, r, "file", "read") // it is not trusted yet
	b.trustFor(s, b.dir)

	s, r = b.open()
	for _, script := range []string{"file", "folder", "grep"} {
		b.asks(s, r, script)
	}
	if seen := sessiontest.All[session.ToolExecutionComplete](r.Seen()); len(seen) != 3 || !seen[0].Success {
		t.Errorf("in the timeline are %+v", seen)
	}
	b.asks(s, r, "outside", "path")
	b.asks(s, r, "link", "path")
	b.asks(s, r, "touch", "commands")

	b.must(s.Close(t.Context()))
	s, r = b.resume(s.Info().ID)
	b.asks(s, r, "file")
}

// TestReadsAreAskedOnRequest: with the setting they are asked in a trusted folder,
// too, also in a session that did not ask before.
func TestReadsAreAskedOnRequest(t *testing.T) {
	b := trusting(t)
	s, r := b.open()
	b.asks(s, r, "file")
	id := s.Info().ID

	b.stop()
	b.cfg.AskReads = true
	b.restart()
	s, r = b.resume(id)
	b.asks(s, r, "file", "read")
	s, r = b.open()
	b.asks(s, r, "file", "read")
	b.grants(s)
}

// TestReadsAfterTrust: trusting a folder lets the agent read in it, for good or in
// this session alone; refusing that does not.
func TestReadsAfterTrust(t *testing.T) {
	b := on(t, nil)
	b.furnish()
	b.looks()
	s, r := b.open()
	q := next[session.FolderTrustRequested](r)
	b.asks(s, r, "file", "read")
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID})
	b.asks(s, r, "file", "read")

	s, r = b.open()
	b.trustFolder(s, r, false)
	b.asks(s, r, "file")
	b.asks(s, r, "outside", "path")

	s, r = b.open() // trust was for one session
	q = next[session.FolderTrustRequested](r)
	b.asks(s, r, "file", "read")
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: true})
	b.asks(s, r, "file")
}

// TestReadsAfterAMove: in a folder that is not trusted reads are asked again, in a
// trusted one they are not.
func TestReadsAfterAMove(t *testing.T) {
	b := trusting(t)
	to := b.beside()
	to.write("far.txt", "far\n")
	b.model.Add("far", llm.Step{Calls: []llm.Call{{Name: "view", Args: map[string]any{"path": to.path("far.txt")}}}}, llm.Step{Text: "Seen."})

	s, r := b.open()
	b.asks(s, r, "file")
	b.must(s.SetDir(t.Context(), to.dir))
	b.asks(s, r, "far", "read")
	b.grants(s)
	b.must(s.SetDir(t.Context(), b.dir))
	b.asks(s, r, "file")
}

// TestReadsAfterARefusedMove: a session that stayed where it was reads there as
// before.
func TestReadsAfterARefusedMove(t *testing.T) {
	b := on(t, nil) // nothing is looked up here for a runtime that is elsewhere
	b.furnish()
	b.looks()
	s, r := b.open()
	b.trustFolder(s, r, false)
	says(t, s.SetDir(t.Context(), b.path("nowhere")), "does not exist")
	b.asks(s, r, "file")
}

// TestReadsInAnAddedFolder: what the user added is read as the working folder is.
func TestReadsInAnAddedFolder(t *testing.T) {
	b := trusting(t)
	s, r := b.open()
	b.asks(s, r, "outside", "path")
	b.must(s.AddDir(t.Context(), "/etc"))
	b.asks(s, r, "outside")
}

// TestReadsAreAGrant: that reads are not asked is listed, and can be taken back.
func TestReadsAreAGrant(t *testing.T) {
	b := trusting(t)
	s, r := b.open()
	all := b.grants(s, "location: reads in `"+b.dir+"` and added folders")
	b.revoke(s, all[0])
	b.asks(s, r, "file", "read")
	b.grants(s)
}

// TestReadsOfAnotherClient: a session that another client has moved to a folder
// that is not trusted asks for reads there.
func TestReadsOfAnotherClient(t *testing.T) {
	b := on(t, nil)
	b.furnish()
	b.looks()
	s, r := b.open()
	b.trustFolder(s, r, false)
	b.asks(s, r, "file")
	to := b.beside()
	to.write("far.txt", "far\n")
	b.model.Add("far", llm.Step{Calls: []llm.Call{{Name: "view", Args: map[string]any{"path": to.path("far.txt")}}}}, llm.Step{Text: "Seen."})
	b.must(copilot.Call(t.Context(), s, "session.metadata.setWorkingDirectory", object{"workingDirectory": to.dir}))
	r.Until("what changed", func(ev session.Event) bool {
		w, ok := ev.Body.(session.SessionWarning)
		return ok && strings.Contains(w.Message, to.dir)
	})
	b.asks(s, r, "far", "read")
}
