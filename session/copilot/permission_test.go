package copilot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

func touch(names ...string) []llm.Step {
	steps := make([]llm.Step, 0, len(names)+1)
	for _, n := range names {
		steps = append(steps, llm.Step{Calls: []llm.Call{bash("touch " + n)}})
	}
	return append(steps, llm.Step{Text: "Touched."})
}

func TestShellApprovedOnce(t *testing.T) {
	b := on(t, llm.Script{"go": touch("one.txt", "two.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	call := next[session.ToolExecutionStart](r)
	q := next[session.PermissionRequested](r)
	if q.Call() != call.ToolCallID || q.PromptRequest == nil || q.PromptRequest.Kind != "commands" ||
		q.PromptRequest.FullCommandText != "touch one.txt" || !q.PromptRequest.CanOfferSessionApproval {
		t.Errorf("asked %+v about call %s", q.PromptRequest, call.ToolCallID)
	}
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	again := next[session.PermissionRequested](r) // once is once
	if !b.exists("one.txt") || b.exists("two.txt") {
		t.Error("the wrong files are there")
	}
	b.respond(s, session.PermissionAnswer{RequestID: again.RequestID, Decision: session.ApproveOnce})
	next[session.AssistantIdle](r)
	if !b.exists("two.txt") {
		t.Error("two.txt is not there")
	}
}

func TestShellRefusedWithFeedback(t *testing.T) {
	b := on(t, llm.Script{"go": touch("no.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.Reject, Feedback: "use yes.txt"})
	if d := next[session.ToolExecutionComplete](r); d.Error == nil || !strings.Contains(d.Error.Message, "use yes.txt") {
		t.Errorf("the tool ended with %+v", d.Error)
	}
	if m := next[session.AssistantMessage](r); m.Content != "Touched." {
		t.Errorf("the turn continued with %q", m.Content)
	}
	next[session.AssistantIdle](r)
	if b.exists("no.txt") {
		t.Error("it was done all the same")
	}
}

func TestShellRefusedPlainly(t *testing.T) {
	b := on(t, llm.Script{"go": touch("no.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.Reject})
	next[session.Abort](r)
	next[session.SessionIdle](r)
	if b.exists("no.txt") || len(b.model.Requests()) != 1 {
		t.Errorf("the turn continued: %d requests", len(b.model.Requests()))
	}
}

func TestShellApprovedForSession(t *testing.T) {
	b := on(t, llm.Script{"go": touch("one.txt", "two.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.PermissionAnswer{
		RequestID: q.RequestID, Decision: session.ApproveForSession,
		Approval: &session.Approval{Kind: "commands", CommandIdentifiers: q.PromptRequest.CommandIdentifiers},
	})
	if d := next[session.PermissionCompleted](r); d.Result.Kind != "approved-for-session" {
		t.Errorf("settled as %+v", d.Result)
	}
	next[session.AssistantIdle](r)
	if n := len(sessiontest.All[session.PermissionRequested](r.Seen())); n != 1 || !b.exists("two.txt") {
		t.Errorf("asked %d times; two.txt exists: %v", n, b.exists("two.txt"))
	}
}

func TestShellApprovedForLocation(t *testing.T) {
	b := on(t, llm.Script{"go": touch("one.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	a := session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveForLocation}
	if err := s.Respond(t.Context(), a); err == nil {
		t.Error("an approval of nothing was sent")
	}
	a.Approval = &session.Approval{Kind: "commands", CommandIdentifiers: []string{"touch"}}
	b.respond(s, a)
	if d := next[session.PermissionCompleted](r); d.Result.Kind != "approved-for-location" {
		t.Errorf("settled as %+v", d.Result)
	}
	next[session.AssistantIdle](r)
	second, r2 := b.open() // another session in the same place
	b.send(second, "@@go")
	next[session.AssistantIdle](r2)
	if n := len(sessiontest.All[session.PermissionRequested](r2.Seen())); n != 0 {
		t.Errorf("asked %d times again", n)
	}
}

func TestWriteShowsDiff(t *testing.T) {
	b := on(t, nil)
	b.write("poem.txt", "roses are red\n")
	b.model.Add("edit", llm.Step{Calls: []llm.Call{{Name: "edit", Args: map[string]any{
		"path": b.path("poem.txt"), "old_str": "red", "new_str": "blue",
	}}}}, llm.Step{Text: "Edited."})
	s, r := b.open()
	b.send(s, "@@edit")
	q := next[session.PermissionRequested](r)
	if p := q.PromptRequest; p == nil || p.Kind != "write" || !strings.Contains(p.Diff, "+roses are blue") {
		t.Errorf("asked %+v", q.PromptRequest)
	}
	b.respond(s, session.PermissionAnswer{
		RequestID: q.RequestID, Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "write"},
	})
	d := next[session.ToolExecutionComplete](r)
	if !d.Success || len(d.FileEdits) != 1 || d.Result == nil || !strings.Contains(d.Result.DetailedContent, "+roses are blue") {
		t.Errorf("the edit ended with %+v", d)
	}
	next[session.AssistantIdle](r)
	if got, err := os.ReadFile(b.path("poem.txt")); err != nil || string(got) != "roses are blue\n" {
		t.Errorf("the file says %q, %v", got, err)
	}
}

func TestReadOutside(t *testing.T) {
	outside := scratch(t)
	b := on(t, nil)
	file := filepath.Join(outside, "far.txt")
	b.must(os.WriteFile(file, []byte("far away\n"), 0o644))
	b.model.Add("view", llm.Step{Calls: []llm.Call{{Name: "view", Args: map[string]any{"path": file}}}}, llm.Step{Text: "Seen."})
	s, r := b.open()
	b.send(s, "@@view")
	q := next[session.PermissionRequested](r)
	// A folder below the one for temporary files may be inside what is allowed.
	if q.PromptRequest.Kind == "path" {
		a := session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveReadOnlyForSession}
		if err := s.Respond(t.Context(), a); err == nil {
			t.Error("a read-only approval of no directory was sent")
		}
		a.Directories = q.PromptRequest.ReadOnlyDirectories
		b.respond(s, a)
		q = next[session.PermissionRequested](r)
	}
	if q.PromptRequest.Kind != "read" {
		t.Errorf("asked %+v", q.PromptRequest)
	}
	b.respond(s, session.PermissionAnswer{
		RequestID: q.RequestID, Decision: session.ApproveForSession, Approval: &session.Approval{Kind: "read"},
	})
	if d := next[session.ToolExecutionComplete](r); !d.Success {
		t.Errorf("the tool ended with %+v", d.Error)
	}
}

func TestAddressForSession(t *testing.T) {
	b := on(t, nil)
	b.model.Add("fetch", llm.Step{Calls: []llm.Call{bash("curl -s " + b.model.URL + "/nothing")}}, llm.Step{Text: "Fetched."})
	s, r := b.open()
	b.send(s, "@@fetch")
	q := next[session.PermissionRequested](r)
	if q.PromptRequest.Kind != "url" {
		t.Fatalf("asked %+v", q.PromptRequest)
	}
	if err := s.Respond(t.Context(), session.PermissionAnswer{
		RequestID: q.RequestID, Decision: session.ApprovePermanently,
	}); err == nil {
		t.Error("a permanent approval of nothing was sent")
	}
	domain := strings.TrimSuffix(b.model.URL, "/v1")
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveForSession, Domain: domain})
	q = next[session.PermissionRequested](r)
	if q.PromptRequest.Kind != "commands" {
		t.Fatalf("then asked %+v", q.PromptRequest)
	}
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	next[session.AssistantIdle](r)
}

// TestOddDecisions makes sure that what is no decision is not sent: the
// runtime takes unknown kinds for good ones at first (docs/protocol.md, section 7.1).
func TestOddDecisions(t *testing.T) {
	b := on(t, llm.Script{"go": touch("no.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	for _, d := range []session.Decision{"", "approved", "allow"} {
		if err := s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.RequestID, Decision: d}); err == nil {
			t.Errorf("the decision %q was sent", d)
		}
	}
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindPermissionRequested}) // still open
	if d := next[session.ToolExecutionComplete](r); d.Success || d.Error == nil || !strings.Contains(d.Error.Message, "No user could answer") {
		t.Errorf("the tool ended with %+v", d)
	}
	next[session.AssistantIdle](r)
}

// TestAllowAllFromOutside makes sure that a variable which allows everything
// elsewhere does not answer for the user.
func TestAllowAllFromOutside(t *testing.T) {
	t.Parallel()
	b := setup(t, llm.Script{"go": touch("no.txt")})
	b.cfg.Env = append(b.cfg.Env, "COPILOT_ALLOW_ALL=true")
	b.start()
	s, r := b.open()
	b.send(s, "@@go")
	next[session.PermissionRequested](r)
	if b.exists("no.txt") {
		t.Error("it was done unasked")
	}
}
