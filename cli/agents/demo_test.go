package agents

import (
	"testing"

	"parley/history/sessions"
	"parley/session"
)

// TestDemoSessions reads what the demo keeps, before it runs and after: it has
// everything that the list of sessions shows.
func TestDemoSessions(t *testing.T) {
	t.Parallel()
	b := demoBackend()
	logs, err := b.Stored.List(t.Context())
	if err != nil || len(logs) < 4 {
		t.Fatalf("before it runs there are %d sessions, %v", len(logs), err)
	}
	listed := b.Stored.(*demoSessions)
	first := listed.agent
	for again, want := range []bool{true, false} { // it is opened once more where it was lost
		agent, err := b.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if (agent == session.Agent(first)) != want || agent != session.Agent(listed.agent) {
			t.Errorf("opened %d times before: what runs is not what is listed", again)
		}
		if err := agent.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if logs, err = b.Stored.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	edits := 0
	for _, l := range logs {
		d := digestOf(t, b.Stored, l.ID)
		if d.Offset != l.Size || d.Unread() != "" || d.Prompts == 0 || d.Turns == 0 || d.Tokens.Total() == 0 || d.Model == "" ||
			d.Title == "" || d.State != sessions.Done || !d.Used.Equal(l.Modified) || d.Place.Dir != l.Dir || d.Summary().Busy == 0 {
			t.Errorf("%s: %+v\n%+v", l.Name, l, d.Facts)
		}
		if edits += d.Edits; d.Edits > 0 && (d.Added == 0 || d.Cost == 0 || d.Tools["rewrite"] == 0) {
			t.Errorf("%s: %+v", l.Name, d.Facts)
		}
	}
	if edits < 5 {
		t.Errorf("%d files were changed in all of them", edits)
	}
	if _, err := b.Stored.Open(t.Context(), "unknown"); err == nil {
		t.Error("a session that there is not was opened")
	}
}

func digestOf(t *testing.T, source sessions.Source, id session.ID) sessions.Digest {
	t.Helper()
	log, err := source.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	var d sessions.Digest
	if err := d.Read(t.Context(), log, func(sessions.Text) {}); err != nil {
		t.Fatal(err)
	}
	return d
}
