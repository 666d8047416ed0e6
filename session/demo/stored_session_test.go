package demo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// list returns the stored sessions, the last first.
func (s *stage) list() []session.Stored {
	s.Helper()
	all, err := s.agent.List(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// The sessions that are pretended differ in all that a picker shows, and are the
// same in every run.
func TestPastSessions(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	all := s.list()
	if again := open(t, 0).list(); !slices.Equal(all, again) {
		t.Errorf("%+v\n%+v", all, again)
	}
	dirs, branches, inUse := map[string]bool{}, map[string]bool{}, 0
	for i, x := range all {
		dirs[x.Dir], branches[x.Branch] = true, true
		if x.InUse {
			inUse++
		}
		if x.Title == "" || x.Client == "" || !x.Started.Before(x.Used) || i > 0 && !x.Used.Before(all[i-1].Used) {
			t.Errorf("%+v", x)
		}
	}
	if len(all) < 4 || len(dirs) < 3 || len(branches) < 3 || inUse != 1 || noon().Sub(all[len(all)-1].Used).Hours() < 24*30 {
		t.Errorf("%+v", all)
	}
}

// Each of them can be resumed: its history comes first, says that it is
// pretended, and the session continues.
func TestResumePretended(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	for _, x := range s.list() {
		again := s.resumed(x.ID)
		if i := again.Info(); i.ID != x.ID || i.InUse != x.InUse {
			t.Errorf("%+v was resumed as %+v", x, i)
		}
		resume := sessiontest.Next[session.SessionResume](again.Reader)
		var answers int
		for _, ev := range again.Seen() {
			if m, ok := ev.Body.(session.AssistantMessage); ok && ev.Replayed && strings.Contains(m.Content, "pretended session") {
				answers++
			}
		}
		n := len(sessiontest.All[session.UserMessage](again.Seen()))
		if n == 0 || answers != n || resume.EventCount != len(again.Seen())-1 {
			t.Errorf("%s: %d prompts, %d answers, %+v", x.Title, n, answers, resume)
		}
		if title := sessiontest.Next[session.SessionTitleChanged](again.Reader); title.Title != x.Title {
			t.Errorf("%q is called %q now", x.Title, title.Title)
		}
		again.send("parallel", "")
		again.quiet()
		if err := again.Close(t.Context()); err != nil {
			t.Error(err)
		}
		x.Used, x.InUse = noon(), false
		if !slices.Contains(s.list(), x) {
			t.Errorf("%+v is stored as one of %+v", x, s.list())
		}
	}
}

// What a session was set to, and the files of its folder, are there again.
func TestResumeKeepsState(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("write", "")
	s.decide(once)
	s.quiet()
	ctx := t.Context()
	for _, err := range []error{
		s.Session.(session.ModelSetter).SetModel(ctx, "demo-deep", "low"),
		s.Session.(session.ModeSetter).SetMode(ctx, session.Plan),
		s.Session.(session.AgentPicker).SelectAgent(ctx, "poet"),
		s.Session.(session.AllowAllSetter).SetAllowAll(ctx, true),
		s.Session.(session.Renamer).Rename(ctx, "Mine"),
		s.Session.(session.PlanManager).WritePlan(ctx, "# P"),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	id, before := s.Info().ID, s.file("hello.go")
	if _, err := s.agent.Resume(ctx, id, session.Options{}); err == nil || !strings.Contains(err.Error(), "open") {
		t.Errorf("resumed what is open: %v", err)
	}
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	again := s.resumed(id)
	if i := again.Info(); i.Model != "demo-deep" || i.Mode != session.Plan || again.file("hello.go") != before {
		t.Errorf("%+v", i)
	}
	_, persona, _ := again.Session.(session.AgentPicker).CustomAgents(ctx)
	text, _ := again.Session.(session.PlanManager).ReadPlan(ctx)
	if persona != "poet" || text != "# P" || s.list()[0].Title != "Mine" {
		t.Errorf("agent %q, plan %q, %+v", persona, text, s.list()[0])
	}
	again.send("danger", "") // nothing is asked
	again.quiet()
	if asked := sessiontest.All[session.PermissionRequested](again.Seen()); len(asked) != 1 || !again.Seen()[0].Replayed {
		t.Errorf("asked %+v", asked)
	}
}

// file is a file of the scratch folder.
func (s *stage) file(name string) string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.Info().Dir, name))
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

func TestFork(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	old := s.list()[0]
	first := s.resumed(old.ID)
	sessiontest.Next[session.SessionResume](first.Reader)
	var prompts []session.EventID
	for _, ev := range first.Seen() {
		if ev.Kind() == session.KindUserMessage {
			prompts = append(prompts, ev.ID)
		}
	}
	for before, want := range map[session.EventID]int{"": len(prompts), prompts[0]: 0, prompts[1]: 1} {
		id, err := s.agent.Fork(t.Context(), old.ID, before)
		if err != nil {
			t.Fatal(err)
		}
		fork := s.resumed(id)
		sessiontest.Next[session.SessionTitleChanged](fork.Reader)
		if n := len(sessiontest.All[session.UserMessage](fork.Seen())); n != want || fork.Info().InUse {
			t.Errorf("before %q: %d prompts, want %d", before, n, want)
		}
	}
	for id, before := range map[session.ID]session.EventID{"nothing": "", old.ID: "nothing"} {
		if _, err := s.agent.Fork(t.Context(), id, before); err == nil {
			t.Errorf("copied %q before %q", id, before)
		}
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	n := len(s.list())
	s.send("parallel", "")
	s.quiet()
	if len(s.list()) != n+1 || s.list()[0].ID != s.Info().ID || s.list()[0].Title != "parallel" {
		t.Errorf("%+v", s.list())
	}
	last := s.list()[n].ID
	for id, fails := range map[session.ID]bool{"nothing": true, s.Info().ID: true, last: false} {
		if err := s.agent.Delete(t.Context(), id); (err != nil) != fails {
			t.Errorf("delete %q: %v", id, err)
		}
	}
	if _, err := s.agent.Resume(t.Context(), last, session.Options{}); err == nil {
		t.Error("what was deleted was resumed")
	}
	if len(s.list()) != n {
		t.Errorf("%+v", s.list())
	}
}
