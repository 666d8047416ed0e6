package copilot_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// second opens a session once more, over a connection of its own.
func (b *bench) second(s session.Session) (*copilot.Session, *sessiontest.Reader) {
	b.Helper()
	other, err := copilot.Open(b.Context(), b.cfg)
	b.must(err)
	b.Cleanup(func() { b.must(other.Close(context.WithoutCancel(b.Context()))) })
	again, err := other.Resume(b.Context(), s.Info().ID, session.Options{})
	b.must(err)
	return again.(*copilot.Session), sessiontest.Read(b, again)
}

// TestAnsweredByAnotherClient asks two windows each kind of question: the one
// that did not answer hears that it is settled, and how.
func TestAnsweredByAnotherClient(t *testing.T) {
	b := on(t, llm.Script{
		"hello": {{Text: "Hello."}}, "go": touch("one.txt"), "ask": askUser()["ask"], "plan": plan()["plan"],
		"form": {{Calls: []llm.Call{{Name: "asker-form"}}}, {Text: "Filled."}},
		"url":  {{Calls: []llm.Call{{Name: "asker-url"}}}, {Text: "Opened."}},
	})
	b.mcpFolder()
	s, r := b.open()
	b.trustFolder(s, r, true)
	b.send(s, "@@hello")
	next[session.AssistantIdle](r)
	s2, r2 := b.second(s)
	windows, readers := []*copilot.Session{s, s2}, []*sessiontest.Reader{r, r2}

	// settle makes the agent ask and answers in one window; here is in which.
	settle := func(here int, script string, kind session.Kind, answer func(session.Ask) session.Answer) []session.Resolved {
		t.Helper()
		b.send(s, "@@"+script)
		asks := make([]session.Ask, 2)
		for i, r := range readers {
			ev := r.Until(string(kind), func(ev session.Event) bool { return ev.Kind() == kind })
			asks[i] = ev.Body.(session.Ask)
		}
		if asks[0].Request() != asks[1].Request() {
			t.Fatalf("asked %s and %s", asks[0].Request(), asks[1].Request())
		}
		b.respond(windows[here], answer(asks[here]))
		settled := make([]session.Resolved, 2)
		for i, r := range readers {
			ev := r.Until("the settlement of "+string(kind), func(ev session.Event) bool {
				d, ok := ev.Body.(session.Resolved)
				return ok && d.Resolves() == asks[0].Request()
			})
			settled[i] = ev.Body.(session.Resolved)
		}
		b.settledAlready(windows[1-here], answer(asks[1-here]))
		return settled
	}
	rest := func() {
		t.Helper()
		for _, r := range readers {
			next[session.AssistantIdle](r)
		}
	}
	approve := func(q session.Ask) session.Answer {
		return session.PermissionAnswer{RequestID: q.Request(), Decision: session.ApproveOnce}
	}
	for here := range windows {
		for _, d := range settle(here, "go", session.KindPermissionRequested, approve) {
			if !d.(session.PermissionCompleted).Result.Approved() {
				t.Errorf("the permission is settled as %+v", d)
			}
		}
		rest()
		for _, d := range settle(here, "ask", session.KindUserInputRequested, func(q session.Ask) session.Answer {
			return session.UserInputAnswer{RequestID: q.Request(), Text: "blue", Freeform: true}
		}) {
			if d.(session.UserInputCompleted).Answer != "blue" {
				t.Errorf("the question is settled as %+v", d)
			}
		}
		rest()
		for _, script := range []string{"form", "url"} {
			settle(here, script, session.KindPermissionRequested, approve)
			for i, r := range readers {
				q := next[session.ElicitationRequested](r)
				if i == here {
					b.respond(windows[here], session.ElicitationAnswer{RequestID: q.RequestID, Action: session.Decline})
				}
			}
			for _, r := range readers {
				if d := next[session.ElicitationCompleted](r); d.Action != session.Decline {
					t.Errorf("the %s is settled as %+v", script, d)
				}
			}
			rest()
		}
	}
}

// TestOtherClientsTools makes the agent use what another client brought along
// and Parley does not serve: each is answered with an error that the agent
// reads, and it continues.
func TestOtherClientsTools(t *testing.T) {
	b := on(t, llm.Script{
		"hello": {{Text: "Hello."}},
		"paint": {{Calls: []llm.Call{{Name: "paint", Args: map[string]any{}}}}, {Text: "Then not."}},
	})
	s, r := b.open()
	b.send(s, "@@hello")
	next[session.AssistantIdle](r)
	b.bringTools(s)
	b.send(s, "@@paint")
	q := next[session.PermissionRequested](r)
	if q.PromptRequest.Kind != "custom-tool" || q.PromptRequest.ToolName != "paint" {
		t.Errorf("asked %+v", q.PromptRequest)
	}
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	tool := next[session.ExternalToolRequested](r)
	b.respond(s, session.Refusal{RequestID: tool.RequestID, Kind: session.KindOf(tool), Feedback: "Parley runs no tools of its own."})
	if d := next[session.ExternalToolCompleted](r); d.RequestID != tool.RequestID {
		t.Errorf("settled %s, not %s", d.RequestID, tool.RequestID)
	}
	if d := next[session.ToolExecutionComplete](r); d.Success || d.Error == nil || !strings.Contains(d.Error.Message, "Parley runs no tools") {
		t.Errorf("the tool ended with %+v", d)
	}
	if m := next[session.AssistantMessage](r); m.Content != "Then not." {
		t.Errorf("the agent continues with %q", m.Content)
	}
	next[session.AssistantIdle](r)
	last := b.model.Requests()[len(b.model.Requests())-1]
	if !slices.ContainsFunc(last.Messages, func(m llm.Message) bool {
		return m.Role == "tool" && strings.Contains(m.Text(), "Parley runs no tools of its own.")
	}) {
		t.Errorf("the model reads %+v", last.Messages)
	}

	done := make(chan error, 1)
	go func() {
		done <- copilot.Call(t.Context(), s, "session.commands.invoke", object{"name": "dance", "input": "now"})
	}()
	command := next[session.CommandExecute](r)
	if command.CommandName != "dance" || command.Args != "now" {
		t.Errorf("asked %+v", command)
	}
	b.respond(s, session.Refusal{RequestID: command.RequestID, Kind: session.KindOf(command), Feedback: "Parley does not dance."})
	if err := <-done; err != nil && !strings.Contains(err.Error(), "Parley does not dance.") {
		t.Errorf("the command ended with %v", err)
	}
	next[session.CommandCompleted](r)
}
