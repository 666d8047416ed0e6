package copilot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// spawned is a call of the shell tool that the agent does not wait for.
func spawned(command string, detach bool) llm.Call {
	return llm.Call{Name: "bash", Args: map[string]any{
		"command": command, "description": "count sheep", "mode": "async", "detach": detach,
	}}
}

// delegate is a call that gives a script of its own to a sub-agent.
func delegate(script, mode string) llm.Call {
	return llm.Call{Name: "task", Args: map[string]any{
		"name": "looker", "prompt": "@@" + script, "agent_type": "explore", "description": "look around", "mode": mode,
	}}
}

// task waits until a session has one task that matches, and returns it.
func (b *bench) task(s *copilot.Session, what string, match func(session.Task) bool) session.Task {
	b.Helper()
	var tasks []session.Task
	for range 200 {
		var err error
		tasks, err = s.Tasks(b.Context())
		b.must(err)
		if i := slices.IndexFunc(tasks, match); i >= 0 {
			return tasks[i]
		}
		time.Sleep(50 * time.Millisecond) // what a task says has no event
	}
	b.Fatalf("no task %s; tasks: %+v", what, tasks)
	return session.Task{}
}

func allowing(b *bench) (*copilot.Session, *sessiontest.Reader) {
	b.Helper()
	s, r := b.open()
	b.must(s.SetAllowAll(b.Context(), true))
	return s, r
}

// TestBackgroundShells lists a shell that the agent does not wait for and one
// that it has detached, and cancels both.
func TestBackgroundShells(t *testing.T) {
	b := on(t, llm.Script{
		"attached": {{Calls: []llm.Call{spawned("echo one; sleep 60", false)}}, {Text: "Started."}},
		"detached": {{Calls: []llm.Call{spawned("seq 1 15; sleep 60", true)}}, {Text: "Started."}},
	})
	s, r := allowing(b)
	if tasks, err := s.Tasks(t.Context()); err != nil || len(tasks) != 0 {
		t.Errorf("at first: %+v, %v", tasks, err)
	}
	for script, want := range map[string]session.Task{
		"attached": {Detail: "echo one; sleep 60", Output: "one"},
		"detached": {Detail: "seq 1 15; sleep 60", Output: "6\n7\n8\n9\n10\n11\n12\n13\n14\n15"},
	} {
		before := time.Now().Add(-time.Second)
		b.send(s, "@@"+script)
		next[session.AssistantIdle](r)
		got := b.task(s, "says what it should", func(k session.Task) bool { return k.Output == want.Output })
		if got.ID == "" || got.Agent || got.Title != "count sheep" || got.Detail != want.Detail ||
			got.Status != "running" || got.Attached || got.Since.Before(before) {
			t.Errorf("%s: %+v", script, got)
		}
		if err := s.Background(t.Context(), ""); err == nil {
			t.Errorf("%s: the agent waits for nothing", script)
		}
		if err := s.RemoveTask(t.Context(), got.ID); err == nil {
			t.Errorf("%s: removed while it runs", script)
		}
		b.must(s.CancelTask(t.Context(), got.ID))
		b.task(s, "is cancelled", func(k session.Task) bool { return k.ID == got.ID && k.Status == "cancelled" })
		if err := s.CancelTask(t.Context(), got.ID); err == nil || !strings.Contains(err.Error(), "does not run any more") {
			t.Errorf("%s: cancelled twice: %v", script, err)
		}
		// The runtime keeps those on its list that were not detached.
		if err := s.RemoveTask(t.Context(), got.ID); (err == nil) != (script == "detached") {
			t.Errorf("%s: removed: %v", script, err)
		}
	}
	if tasks, err := s.Tasks(t.Context()); err != nil || len(tasks) != 1 {
		t.Errorf("at the end: %+v, %v", tasks, err)
	}
}

// TestMuchDetachedOutput says where the output is when there is much.
func TestMuchDetachedOutput(t *testing.T) {
	b := on(t, llm.Script{"go": {{Calls: []llm.Call{spawned("seq 1 30000; sleep 60", true)}}, {Text: "Started."}}})
	s, r := allowing(b)
	b.send(s, "@@go")
	next[session.AssistantIdle](r)
	got := b.task(s, "has a log", func(k session.Task) bool { return strings.HasPrefix(k.Output, "its output is in ") })
	b.must(s.CancelTask(t.Context(), got.ID))
}

// TestPromoteShell sends a shell that the agent waits for to the background.
func TestPromoteShell(t *testing.T) {
	b := on(t, llm.Script{"wait": {{Calls: []llm.Call{bash("echo on; sleep 60")}}, {Text: "Going on."}}})
	s, r := allowing(b)
	for _, byID := range []bool{false, true} {
		b.send(s, "@@wait")
		got := b.task(s, "is waited for", func(k session.Task) bool { return k.Attached && k.Output == "on" })
		if got.Detail != "echo on; sleep 60" || got.Agent {
			t.Errorf("waits for %+v", got)
		}
		id := ""
		if byID {
			id = got.ID
		}
		b.must(s.Background(t.Context(), id))
		d := next[session.ToolExecutionComplete](r)
		if !d.Success || d.Result == nil || !strings.Contains(d.Result.Content, "background") {
			t.Errorf("the call ended as %+v", d)
		}
		next[session.AssistantIdle](r)
		b.task(s, "in the background", func(k session.Task) bool { return k.ID == got.ID && !k.Attached && k.Status == "running" })
		if err := s.Background(t.Context(), got.ID); err == nil {
			t.Error("was sent to the background twice")
		}
		b.must(s.CancelTask(t.Context(), got.ID))
	}
}

// playPromoting is a runtime of which one of two tasks ends when it should go to
// the background.
func playPromoting() int {
	asked := 0
	return new(fake).serve(func(method string) any {
		switch method {
		case "session.tasks.list":
			return object{"tasks": []object{
				{"id": "shell", "type": "shell", "canPromoteToBackground": true}, {"id": "agent", "type": "agent", "canPromoteToBackground": true},
			}}
		case "session.tasks.promoteToBackground":
			asked++
			return object{"promoted": asked == 2} // the second of the first time
		}
		return stub(method)
	})
}

// TestPromoteWhatHasEnded: a command that ends while the tasks are sent to the
// background is no failure of that.
func TestPromoteWhatHasEnded(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "promoting"))
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close(t.Context())
	opened, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*copilot.Session)
	if err := s.Background(t.Context(), ""); err != nil {
		t.Errorf("one of two went to the background: %v", err)
	}
	if err := s.Background(t.Context(), ""); err == nil {
		t.Error("nothing went to the background, without an error")
	}
}

// TestSubAgents lists a sub-agent, lets it run in the background, and removes
// it in the end.
func TestSubAgents(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"ask": {{Calls: []llm.Call{delegate("sub", "sync")}}, {Text: "Asked."}},
		"sub": {{Calls: []llm.Call{bash("echo sub")}}, {Text: "Seen.", Hold: hold}},
	})
	t.Cleanup(hold.Open)
	s, r := allowing(b)
	b.send(s, "@@ask")
	got := b.task(s, "does something", func(k session.Task) bool { return k.Agent && k.Output != "" })
	if !got.Agent || got.Title != "look around" || got.Detail != "@@sub" || got.Status != "running" || !got.Attached {
		t.Errorf("%+v", got)
	}
	b.must(s.Background(t.Context(), ""))
	next[session.AssistantIdle](r)
	hold.Open()
	got = b.task(s, "has answered", func(k session.Task) bool { return k.Output == "Seen." })
	if got.Status != "idle" || got.Attached {
		t.Errorf("%+v", got)
	}
	next[session.SessionIdle](r)
	if err := s.RemoveTask(t.Context(), got.ID); err == nil {
		t.Error("removed one that can be written to")
	}
	b.must(s.CancelTask(t.Context(), got.ID))
	b.must(s.RemoveTask(t.Context(), got.ID))
	agent := func(k session.Task) bool { return k.Agent }
	if tasks, err := s.Tasks(t.Context()); err != nil || slices.ContainsFunc(tasks, agent) {
		t.Errorf("at the end: %+v, %v", tasks, err)
	}
	if err := s.CancelTask(t.Context(), "nonesuch"); err == nil {
		t.Error("cancelled what is not there")
	}
}

// TestBackgroundTasksChanged: the event says when to look again.
func TestBackgroundTasksChanged(t *testing.T) {
	b := on(t, llm.Script{"go": {{Calls: []llm.Call{spawned("sleep 60", false)}}, {Text: "Started."}}})
	s, r := allowing(b)
	b.send(s, "@@go")
	next[session.SessionBackgroundTasksChanged](r)
	next[session.AssistantIdle](r)
	got := b.task(s, "runs", func(k session.Task) bool { return k.Status == "running" })
	b.must(s.CancelTask(t.Context(), got.ID))
	next[session.SessionBackgroundTasksChanged](r)
}
