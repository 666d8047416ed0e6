package demo_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

func (s *stage) tasks() []session.Task {
	s.Helper()
	all, err := s.Session.(session.TaskManager).Tasks(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// What runs in the background ends by itself, and the agent takes it in.
func TestBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, demo.HumanPace)
		s.send("background", "")
		idle := sessiontest.Next[session.SessionIdle](s.Reader)
		if b := idle.BackgroundTasks; b == nil || len(b.Agents) != 1 || len(b.Shells) != 1 {
			t.Fatalf("idle beside %+v", b)
		}
		for _, task := range s.tasks() {
			if task.Status != "running" || task.Title == "" || task.Detail == "" || task.Output == "" || task.Attached {
				t.Errorf("%+v", task)
			}
		}
		time.Sleep(time.Minute) // longer than a Reader has patience
		s.quiet()               // after the sub-agent
		sessiontest.Next[session.SystemNotification](s.Reader)
		if idle := sessiontest.Next[session.SessionIdle](s.Reader); idle.BackgroundTasks != nil {
			t.Errorf("idle beside %+v", idle.BackgroundTasks)
		}
		ends := sessiontest.All[session.SystemNotification](s.Seen())
		if len(ends) != 2 || ends[0].Notification.Type != "agent_completed" || ends[1].Notification.Type != "shell_completed" {
			t.Errorf("%+v", ends)
		}
		if said := said(s.Seen()); !strings.Contains(said, "*lookout* has ended") || !strings.Contains(said, "*wait for a minute* has ended") {
			t.Errorf("said:\n%s", said)
		}
		keeper := s.Session.(session.TaskManager)
		for _, task := range s.tasks() {
			if task.Status != "completed" {
				t.Errorf("%+v", task)
			}
			if err := keeper.CancelTask(t.Context(), task.ID); err == nil {
				t.Error("cancelled what has ended")
			}
			if err := keeper.RemoveTask(t.Context(), task.ID); err != nil {
				t.Error(err)
			}
		}
		if left := s.tasks(); len(left) != 0 {
			t.Errorf("left are %+v", left)
		}
	})
}

// Cancelled, they end at once and are reported no more.
func TestCancelBackground(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("background", "")
	s.quiet()
	keeper := s.Session.(session.TaskManager)
	for _, task := range s.tasks() {
		if err := keeper.RemoveTask(t.Context(), task.ID); err == nil {
			t.Error("removed what runs")
		}
		if err := keeper.CancelTask(t.Context(), task.ID); err != nil {
			t.Error(err)
		}
	}
	end := s.Until("the end of the sub-agent", func(ev session.Event) bool { return ev.Kind() == "subagent.completed" })
	if b, ok := end.Body.(session.SubagentCompleted); !ok || !b.Cancelled {
		t.Errorf("%+v", end.Body)
	}
	for _, task := range s.tasks() {
		if task.Status != "cancelled" {
			t.Errorf("%+v", task)
		}
	}
	s.send("parallel", "")
	if idle := sessiontest.Next[session.SessionIdle](s.Reader); idle.BackgroundTasks != nil {
		t.Errorf("idle beside %+v", idle.BackgroundTasks)
	}
	for _, err := range []error{
		keeper.CancelTask(t.Context(), "nothing"), keeper.RemoveTask(t.Context(), "nothing"),
		keeper.Background(t.Context(), "nothing"), keeper.Background(t.Context(), ""),
	} {
		if err == nil {
			t.Error("did something to nothing")
		}
	}
}

// A command that the turn waits for can be moved to the background, or ended.
func TestAttached(t *testing.T) {
	t.Parallel()
	for what, end := range map[string]func(*stage, session.TaskManager, string) error{
		"moved":   func(s *stage, k session.TaskManager, _ string) error { return k.Background(s.Context(), "") },
		"named":   func(s *stage, k session.TaskManager, id string) error { return k.Background(s.Context(), id) },
		"ended":   func(s *stage, k session.TaskManager, id string) error { return k.CancelTask(s.Context(), id) },
		"aborted": func(s *stage, _ session.TaskManager, _ string) error { return s.Abort(s.Context()) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := open(t, 0)
			_, count := demo.Command("count")
			s.send("slow", "")
			s.decide(once)
			sessiontest.Next[session.ToolShellOutput](s.Reader)
			all := s.tasks()
			if len(all) != 1 || !all[0].Attached || all[0].Detail != count {
				t.Fatalf("%+v", all)
			}
			if err := end(s, s.Session.(session.TaskManager), all[0].ID); err != nil {
				t.Error(err)
			}
			s.quiet()
			moved := what == "moved" || what == "named"
			if all := s.tasks(); (len(all) == 1 && !all[0].Attached && all[0].Status == "running") != moved {
				t.Errorf("%+v", all)
			}
			for _, done := range sessiontest.All[session.ToolExecutionComplete](s.Seen()) {
				if strings.Contains(done.Result.Content, "moved to background") != moved {
					t.Errorf("%+v", done.Result)
				}
			}
		})
	}
}

// Todos go from one state to the next, and are there when all is said.
func TestTodos(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	keeper := s.Session.(session.TodoLister)
	if all, err := keeper.Todos(t.Context()); len(all) != 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	s.send("todos", "")
	s.quiet()
	all, err := keeper.Todos(t.Context())
	if err != nil || len(all) != 4 || all[0].Status != "done" || all[3].Status != "blocked" {
		t.Errorf("%+v, %v", all, err)
	}
}

// The plan is the agent's until the user writes another.
func TestPlan(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	keeper := s.Session.(session.PlanManager)
	s.send("plan", "")
	asked := sessiontest.Next[session.ExitPlanModeRequested](s.Reader)
	if text, err := keeper.ReadPlan(t.Context()); err != nil || text != asked.PlanContent {
		t.Errorf("%q, %v", text, err)
	}
	s.respond(session.ExitPlanModeAnswer{RequestID: asked.RequestID, Feedback: "shorter"})
	s.quiet()
	for _, text := range []string{"# Mine", "# Mine", "", "\n", "# Mine"} {
		if err := keeper.WritePlan(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	s.send("plan", "")
	if asked := sessiontest.Next[session.ExitPlanModeRequested](s.Reader); asked.PlanContent != "# Mine" {
		t.Errorf("%+v", asked)
	}
	var operations []string
	for _, b := range sessiontest.All[session.SessionPlanChanged](s.Seen()) {
		operations = append(operations, b.Operation)
	}
	if got := strings.Join(operations, " "); got != "update delete create" {
		t.Errorf("got %s", got)
	}
}
