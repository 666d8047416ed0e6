package copilot_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestEveryKindRefused refuses a permission of each kind: with words, which the model
// reads as it continues, and without any, which stops the turn but where a hook asks.
func TestEveryKindRefused(t *testing.T) {
	for _, kind := range []string{
		"shell", "write", "read", "mcp", "custom-tool", "url", "path to read", "path to write", "path of a command", "hook",
	} {
		t.Run(kind, func(t *testing.T) { refusesKind(t, kind) })
	}
}

func refusesKind(t *testing.T, kind string) {
	t.Helper()
	b := on(t, nil)
	b.stage(kind)
	if kind == "hook" {
		b.askingHook()
	}
	s, r := b.open()
	if kind == "mcp" || kind == "hook" {
		b.trustFolder(s, r, false)
	}
	if kind == "custom-tool" {
		b.bringTools(s)
	}
	refuse := func(words string) (asked int) {
		b.play(s, r, "first", func(session.PermissionRequested) session.PermissionAnswer {
			asked++
			return session.PermissionAnswer{Decision: session.Reject, Feedback: words}
		})
		return asked
	}
	if asked := refuse("rather not"); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	requests := b.model.Requests()
	last := requests[len(requests)-1].Messages
	if read := last[len(last)-1]; read.Role != "tool" || !strings.Contains(read.Text(), "rather not") {
		t.Errorf("the model reads %+v", read)
	}
	if asked := refuse(""); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	more := 1
	if kind == "hook" {
		more = 2
	}
	if n := len(b.model.Requests()); n != len(requests)+more {
		t.Errorf("the model was asked %d times more, want %d", n-len(requests), more)
	}
	for _, d := range sessiontest.All[session.ToolExecutionComplete](r.Seen()) {
		if d.Success {
			t.Errorf("refused, it was done: %+v", d.Result)
		}
	}
}

// askingHook makes the folder bring a hook along that has the runtime ask about a
// file that is listed, which it does not by itself, and adds the script "first" that
// lists it.
func (b *bench) askingHook() {
	b.Helper()
	b.write(".github/hooks/ask.json", `{"version":1,"hooks":{"preToolUse":[{"type":"command",`+
		`"bash":"echo '{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"look twice\"}'"}]}}`)
	b.model.Add("first", llm.Step{Calls: []llm.Call{{Name: "glob", Args: map[string]any{"pattern": "*.txt"}}}}, llm.Step{Text: "Done."})
}

// TestAbortWhileAsked aborts the turn while a question of each kind is open: it is
// answered with nothing the user did not say, and nothing it asks about is done.
func TestAbortWhileAsked(t *testing.T) {
	script := llm.Script{
		"shell": touch("made.txt"), "words": askUser()["ask"], "plan": plan()["plan"],
		"form": {{Calls: []llm.Call{{Name: "asker-form"}}}, {Text: "Filled."}}, "after": {{Text: "After."}},
	}
	for name, kind := range map[string]session.Kind{
		"shell": session.KindPermissionRequested, "words": session.KindUserInputRequested,
		"plan": session.KindExitPlanModeRequested, "form": session.KindElicitationRequested,
	} {
		t.Run(name, func(t *testing.T) {
			b := on(t, script)
			b.mcpFolder()
			s, r := b.open()
			b.trustFolder(s, r, false)
			if name == "plan" {
				b.must(s.SetMode(t.Context(), session.Plan))
			}
			b.send(s, "@@"+name)
			if name == "form" {
				q := next[session.PermissionRequested](r)
				b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
			}
			r.Until(string(kind), func(ev session.Event) bool { return ev.Kind() == kind })
			requests := len(b.model.Requests())
			b.must(s.Abort(t.Context()))
			next[session.SessionIdle](r)
			if n := len(b.model.Requests()); n != requests || b.exists("made.txt") {
				t.Errorf("the turn continues: %d requests more; the file exists: %t", n-requests, b.exists("made.txt"))
			}
			for _, d := range sessiontest.All[session.ToolExecutionComplete](r.Seen()) {
				if d.Success {
					t.Errorf("the call ended well: %+v", d.Result)
				}
			}
			for _, m := range sessiontest.All[session.SessionModeChanged](r.Seen()) {
				if m.NewMode != session.Plan {
					t.Errorf("the mode is %s: the plan is approved", m.NewMode)
				}
			}
			b.send(s, "@@after")
			if m := next[session.AssistantMessage](r); m.Content != "After." {
				t.Errorf("it continues with %q", m.Content)
			}
		})
	}
}
