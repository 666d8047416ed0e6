package demo_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// The pace is that of the model.
func TestPace(t *testing.T) {
	t.Parallel()
	took := map[string]time.Duration{}
	for _, model := range []string{demo.Fast, demo.Slow} {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, demo.HumanPace)
			if err := s.Session.(session.ModelSetter).SetModel(t.Context(), model, ""); err != nil {
				t.Fatal(err)
			}
			s.send("a long one", "")
			var began time.Time
			for ev := range s.Events() { // for longer than a Reader has patience
				if ev.Kind() == session.KindAssistantTurnStart {
					began = time.Now()
				}
				if ev.Kind() == session.KindSessionIdle {
					break
				}
			}
			took[model] = time.Since(began)
		})
	}
	if fast, slow := took[demo.Fast], took[demo.Slow]; fast < time.Second || slow != 4*fast {
		t.Errorf("fast took %v, slow %v", fast, slow)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	modes, models := s.Session.(session.ModeSetter), s.Session.(session.ModelSetter)
	for _, m := range []session.Mode{session.Plan, session.Plan, session.Interactive} {
		if err := modes.SetMode(t.Context(), m); err != nil {
			t.Error(err)
		}
	}
	for _, m := range []session.Mode{session.Shell, "", "yolo"} {
		if err := modes.SetMode(t.Context(), m); err == nil {
			t.Errorf("mode %q was set", m)
		}
	}
	offered, err := models.Models(t.Context())
	if err != nil || len(offered) < 5 || offered[0].ID != demo.Fast {
		t.Errorf("%v, %v", offered, err)
	}
	for _, c := range []struct {
		id, effort string
		fails      bool
	}{
		{demo.Fast, "", false}, // it is set already
		{demo.Slow, "", false},
		{demo.Slow, "medium", false}, // as it is by itself
		{demo.Slow, "high", false},
		{demo.Slow, "endless", true},
		{demo.Fast, "high", true},
		{"demo-vault", "", true},
		{"gpt-5", "", true},
		{demo.Fast, "", false},
	} {
		if err := models.SetModel(t.Context(), c.id, c.effort); (err != nil) != c.fails {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	var changes []session.Event
	for _, ev := range s.Rest() {
		if k := ev.Kind(); k == "session.mode_changed" || k == "session.model_change" {
			changes = append(changes, ev)
		}
	}
	want := "P session.mode_changed interactive to plan\nP session.mode_changed plan to interactive\n" +
		"P session.model_change demo-fast to demo-slow, medium\nP session.model_change demo-slow to demo-slow, high\n" +
		"P session.model_change demo-slow to demo-fast\n"
	if got := sequence(changes); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRespond(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("Hello", "")
	id := sessiontest.Next[session.PermissionRequested](s.Reader).RequestID
	for _, wrong := range []session.Answer{
		session.UserInputAnswer{RequestID: id, Text: "yes"},
		session.ElicitationAnswer{RequestID: id, Action: session.Accept},
		session.ExitPlanModeAnswer{RequestID: id, Approved: true},
		session.FolderTrustAnswer{RequestID: id, Trusted: true},
		session.PermissionAnswer{RequestID: "other", Decision: session.ApproveOnce},
	} {
		if err := s.Respond(t.Context(), wrong); err == nil {
			t.Errorf("%T was taken", wrong)
		}
	}
	s.respond(session.PermissionAnswer{RequestID: id, Decision: "yes"})
	done := sessiontest.Next[session.ToolExecutionComplete](s.Reader)
	if done.Success || done.Error.Code != "failure" {
		t.Errorf("an unknown decision: %+v", done)
	}
	s.quiet()
}

// The models differ in all that a picker shows.
func TestModels(t *testing.T) {
	t.Parallel()
	offered, err := open(t, 0).Session.(session.ModelSetter).Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	vendors, with := map[string]bool{}, map[string]int{}
	count := func(what string, is bool) {
		if is {
			with[what]++
		}
	}
	for _, m := range offered {
		vendors[m.Vendor] = true
		count("efforts", m.Efforts != nil)
		count("a warning", m.Warning != "")
		count("vision", m.Vision)
		count("disabled", m.Disabled != "")
		if m.Name == "" || m.Price == "" || m.PromptTokens+m.OutputTokens > m.ContextTokens {
			t.Errorf("%+v", m)
		}
	}
	for what, n := range with {
		if n == 0 || n == len(offered) {
			t.Errorf("%d of %d models have %s", n, len(offered), what)
		}
	}
	if len(with) != 4 || len(vendors) < 3 {
		t.Errorf("%v, %v", with, vendors)
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
		t.Helper()
		temp := t.TempDir()
		a, err := demo.Open(t.Context(), demo.Config{TempDir: temp})
		if err != nil {
			t.Fatal(err)
		}
		return sessiontest.Harness{
			Agent: a, Options: session.Options{Dir: temp}, Answer: "a long answer", Ask: "Hello", Long: "huge", Remembers: true,
			Ran: func() bool {
				made, _ := filepath.Glob(filepath.Join(temp, "*", "*", "hello.txt"))
				return len(made) > 0
			},
		}
	})
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	a, err := demo.Open(t.Context(), demo.Config{TempDir: filepath.Join(t.TempDir(), "gone")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open(t.Context(), session.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open without a place for a scratch folder: %v", err)
	}
}

// TestUnknownModel: a model that the demo has not is an error that names those that it has.
func TestUnknownModel(t *testing.T) {
	t.Parallel()
	a, _ := start(t, 0)
	for _, id := range []string{"nosuch", "demo-fas"} {
		if _, err := a.Open(t.Context(), session.Options{Model: id}); err == nil || !strings.Contains(err.Error(), "its models are demo-fast, demo-slow") {
			t.Errorf("%s: %v", id, err)
		}
	}
}
