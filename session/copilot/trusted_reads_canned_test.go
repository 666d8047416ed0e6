package copilot

import (
	"strings"
	"testing"

	"parley/session"
)

// unwilling is a session in a folder of a runtime that answers to everything, and
// does not change what is allowed.
func unwilling(t *testing.T, f folder) *canned {
	t.Helper()
	a := can(t, map[string]string{
		"session.permissions.configure":        `{"success":false}`,
		"permissions.folderTrust.checkTrust":   `{"trusted":false}`,
		"instructions.discover":                `{}`,
		"skills.discover":                      `{}`,
		"agents.discover":                      `{}`,
		"instructions.clearCache":              `{}`,
		"session.resume":                       `{}`,
		"session.metadata.setWorkingDirectory": `{}`,
	})
	a.queue = newQueue(a.agent.valve, unguarded)
	t.Cleanup(func() { a.queue.end(); close(a.queue.unread) })
	a.folder = f
	return a
}

// TestReadsThatCannotBeLet: where the runtime does not let the agent read, reads
// are asked, and a warning says so.
func TestReadsThatCannotBeLet(t *testing.T) {
	t.Parallel()
	home := folder{dir: "/home/ada", trusted: true}
	a := unwilling(t, home)
	if err := a.grants.letRead(t.Context(), home); err != nil || a.where().reads {
		t.Errorf("let %t, %v", a.where().reads, err)
	}
	if w, ok := (<-a.queue.out).Body.(session.SessionWarning); !ok || !strings.Contains(w.Message, "/home/ada are asked") {
		t.Errorf("warned %+v", w)
	}
	if got, err := a.grants.heldReads(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("granted %+v, %v", got, err)
	}
}

// TestReadsThatCannotBeAskedAgain: a session does not leave a folder for one where
// nothing would be asked, and says that it cannot take that back.
func TestReadsThatCannotBeAskedAgain(t *testing.T) {
	t.Parallel()
	home := folder{dir: "/home/ada", trusted: true, reads: true}
	a := unwilling(t, home)
	if err := a.SetDir(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "ask for reads again") {
		t.Errorf("moved: %v", err)
	}
	if a.called("session.metadata.setWorkingDirectory") != nil || a.where().dir != home.dir || !a.where().reads {
		t.Errorf("it is in %+v", a.where())
	}
	all, err := a.grants.heldReads(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("granted %+v, %v", all, err)
	}
	if err := all[0].revoke(t.Context()); err == nil || !a.where().reads {
		t.Errorf("taken back: %v", err)
	}
	a.moved("/etc") // by another client
	if w, ok := (<-a.queue.out).Body.(session.SessionWarning); !ok || !strings.Contains(w.Message, "not asked in /etc") {
		t.Errorf("warned %+v", w)
	}
}
