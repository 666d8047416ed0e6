package copilot_test

import (
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestAllowAll switches the questions off and on. One that is open stays open;
// a later run asks again.
func TestAllowAll(t *testing.T) {
	b := near(t, llm.Script{
		"open": touch("open.txt"), "free": touch("free.txt"), "asked": touch("asked.txt"), "later": touch("later.txt"),
	})
	s, r := b.open()
	set := func(on bool, previous, now session.PermissionMode) {
		t.Helper()
		b.must(s.SetAllowAll(t.Context(), on))
		if p, n := next[session.SessionPermissionsChanged](r).Modes(); p != previous || n != now {
			t.Errorf("changed from %s to %s", p, n)
		}
	}
	b.send(s, "@@open")
	q := next[session.PermissionRequested](r)
	set(true, session.Manual, session.AllowAll)
	b.must(s.SetAllowAll(t.Context(), true)) // once more changes nothing
	if grants, err := s.Grants(t.Context()); err != nil || len(grants) == 0 || grants[0].ID != "session/allow-all" {
		t.Errorf("granted: %+v, %v", grants, err)
	}
	if b.exists("open.txt") {
		t.Error("an open question was answered")
	}
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q), Feedback: "no"})
	next[session.AssistantIdle](r)
	if b.exists("open.txt") {
		t.Error("what was refused ran")
	}

	before := len(sessiontest.All[session.PermissionRequested](r.Seen()))
	b.send(s, "@@free")
	next[session.AssistantIdle](r)
	if n := len(sessiontest.All[session.PermissionRequested](r.Seen())); n != before || !b.exists("free.txt") {
		t.Errorf("%d questions, ran: %v", n-before, b.exists("free.txt"))
	}

	set(false, session.AllowAll, session.Manual)
	b.send(s, "@@asked")
	q = next[session.PermissionRequested](r)
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q), Feedback: "no"})
	next[session.AssistantIdle](r)
	if b.exists("asked.txt") {
		t.Error("what was refused ran")
	}

	set(true, session.Manual, session.AllowAll)
	b.must(s.Close(t.Context()))
	s, r = b.resume(s.Info().ID)
	b.send(s, "@@later")
	q = next[session.PermissionRequested](r)
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q), Feedback: "no"})
	next[session.AssistantIdle](r)
	if b.exists("later.txt") {
		t.Error("what was refused ran")
	}
}
