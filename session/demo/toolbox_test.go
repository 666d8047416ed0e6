package demo_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/local"
	"parley/session/sessiontest"
)

// Every command does something that can be seen, and says that it is pretended.
func TestCommands(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	c := s.Session.(session.SlashCommandRunner)
	invoke := func(name, input string) session.SlashResult {
		t.Helper()
		result, err := c.Invoke(t.Context(), name, input)
		if err != nil {
			t.Error(err)
		}
		return result
	}
	if r := invoke("env", ""); !r.Markdown || !strings.Contains(r.Text, "Pretended") || !strings.Contains(r.Text, s.Info().Dir) {
		t.Errorf("%+v", r)
	}
	menu := invoke("memory", "")
	if menu.Title == "" || len(menu.Options) != 3 {
		t.Errorf("%+v", menu)
	}
	for _, o := range menu.Options {
		if r := invoke("memory", o.Input); r.Text == "" && len(r.Entries) == 0 || o.Label == "" || o.Description == "" {
			t.Errorf("%+v gives %+v", o, r)
		}
	}
	if _, err := c.Invoke(t.Context(), "memory", "forever"); err == nil {
		t.Error("took what is no choice")
	}
	if r := invoke("models", ""); r.Dialog != "model-picker" {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"review", "tidy"} {
		r := invoke(name, " my notes ")
		if r.Prompt == nil || r.Prompt.Display != "/"+name+" my notes" {
			t.Fatalf("%s: %+v", name, r)
		}
		if err := s.Send(t.Context(), *r.Prompt); err != nil {
			t.Error(err)
		}
		s.quiet()
	}
	if n := len(sessiontest.All[session.ToolExecutionComplete](s.Seen())); n != 6 {
		t.Errorf("%d tools ran, want the reading ones, twice", n)
	}
	if k := sessiontest.All[session.SkillInvoked](s.Seen()); len(k) != 1 || k[0].Name != "tidy" || k[0].Path == "" {
		t.Errorf("%+v", k)
	}
}

// The command of a skill comes and goes with it.
func TestSkillCommands(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	keeper, c := s.Session.(session.SkillManager), s.Session.(session.SlashCommandRunner)
	for _, on := range []bool{true, true, false} {
		if err := keeper.EnableSkill(t.Context(), "haiku", on); err != nil {
			t.Error(err)
		}
		if _, err := c.Invoke(t.Context(), "haiku", ""); (err == nil) != on {
			t.Errorf("switched to %t, invoked: %v", on, err)
		}
	}
	if err := keeper.EnableSkill(t.Context(), "nothing", true); err == nil {
		t.Error("switched nothing on")
	}
	s.Close(t.Context())
	s.Rest()
	if n := len(sessiontest.All[session.CommandsChanged](s.Seen())); n != 2 {
		t.Errorf("reported %d times, want 2", n)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	for text, want := range map[string]string{
		"#": "#12 #27 #31", "fix #2": "#27", "fix #12": "#12", "a\n#PARS": "#27", "#99": "", "": "", "c#": "", "#12 ": "",
	} {
		all, err := s.Session.(session.Completer).Complete(t.Context(), text, len(text))
		var got []string
		for _, c := range all {
			got = append(got, c.Text)
			if text[c.From] != '#' || c.To != len(text) || !strings.Contains(c.Detail, "pretended") || !strings.HasPrefix(c.Label, c.Text) {
				t.Errorf("%q: %+v", text, c)
			}
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q gives %q, %v, want %q", text, got, err, want)
		}
	}
	if all, err := s.Session.(session.Completer).Complete(t.Context(), "# #2", 1); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	for _, offset := range []int{-1, 99} {
		if _, err := s.Session.(session.Completer).Complete(t.Context(), "#2", offset); err != nil {
			t.Error(err)
		}
	}
}

// What the user types is pretended, in the runtime's events, and never run.
func TestRunShell(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	for command, want := range map[string]struct {
		code int
		text string
	}{
		"ls": {0, "README.txt\ncount.sh\nhello.go\nnotes.md\n"}, "pwd": {0, s.Info().Dir + "\n"}, "true": {0, ""}, "false": {1, ""},
		"echo  hi there": {0, "hi there\n"}, "exit 3": {3, ""}, "": {0, ""}, "cat /etc/hosts": {1, "cat: /etc/hosts: the demo has no such file\n"},
		"cat README.txt":      {0, "This folder belongs to Parley's demo. It is removed when the demo ends.\n"},
		"touch mine && rm -f": {127, "touch: the demo does not run what you type; it pretends cat, echo, exit, false, ls, pwd, sleep and true\n"},
		"sleep 3":             {0, ""},
	} {
		if err := s.Session.(session.ShellRunner).RunShell(t.Context(), command); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		id := sessiontest.Next[session.ToolUserRequested](s.Reader).ToolCallID
		done := sessiontest.Next[session.ToolExecutionComplete](s.Reader)
		if done.ToolCallID != id || !done.IsUserRequested || done.Success != (want.code == 0) ||
			*done.ShellExecution.ExitCode != want.code || done.Result.Contents[0].OutputPreview != want.text {
			t.Errorf("%s: %+v, %+v", command, done, done.Result)
		}
	}
}

// It ends with its context, and with the session.
func TestRunShellStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, demo.HumanPace)
		run := func(ctx context.Context) error { return s.Session.(session.ShellRunner).RunShell(ctx, "sleep 1000") }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("stopped: %v", err)
		}
		if done := sessiontest.Next[session.ToolExecutionComplete](s.Reader); done.Success {
			t.Errorf("%+v", done)
		}
		errs := make(chan error, 2)
		go func() { errs <- run(t.Context()) }()
		go func() {
			_, err := s.Session.(session.SideQuestionAsker).AskAside(t.Context(), "why?")
			errs <- err
		}()
		synctest.Wait()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for range 2 {
			if err := <-errs; !errors.Is(err, local.ErrClosed) {
				t.Errorf("closed: %v", err)
			}
		}
	})
}

func TestServers(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	keeper := s.Session.(session.McpManager)
	states := func() string {
		all, err := keeper.McpServers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, m := range all {
			b.WriteString(strings.TrimPrefix(m.Name, "demo-") + " " + m.Status + "\n")
			if _, err := keeper.McpTools(t.Context(), m.Name); (err == nil) != (m.Status == "connected") {
				t.Errorf("tools of %+v: %v", m, err)
			}
		}
		return b.String()
	}
	step := func(err error, want string) {
		t.Helper()
		if got := states(); err != nil || got != want {
			t.Errorf("%v, got\n%swant\n%s", err, got, want)
		}
	}
	ctx := t.Context()
	step(nil, "notes connected\ntickets needs-auth\nweather failed\n")
	step(keeper.RestartMcp(ctx, "demo-weather"), "notes connected\ntickets needs-auth\nweather connected\n")
	step(keeper.EnableMcp(ctx, "demo-notes", false), "notes disabled\ntickets needs-auth\nweather connected\n")
	step(keeper.EnableMcp(ctx, "demo-notes", true), "notes connected\ntickets needs-auth\nweather connected\n")
	step(keeper.RestartMcp(ctx, "demo-tickets"), "notes connected\ntickets needs-auth\nweather connected\n")
	step(keeper.EnableMcp(ctx, "demo-tickets", false), "notes connected\ntickets disabled\nweather connected\n")
	_, err := keeper.McpTools(ctx, "nothing")
	for _, err := range []error{err, keeper.RestartMcp(ctx, "demo-tickets"), keeper.RestartMcp(ctx, "nothing"), keeper.EnableMcp(ctx, "nothing", true)} {
		if err == nil {
			t.Error("did something to no server")
		}
	}
}

// absolute is a path with the drive that Windows wants.
func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPlace(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	name, mover, dirs := s.Session.(session.Renamer), s.Session.(session.WorkdirChanger), s.Session.(session.Directories)
	ctx := t.Context()
	where, more := absolute(t, "/else/where"), absolute(t, "/more")
	for _, wrong := range []error{
		name.Rename(ctx, "  "), name.Rename(ctx, strings.Repeat("é", 101)), mover.SetDir(ctx, "here"), dirs.AddDir(ctx, ""),
	} {
		if wrong == nil {
			t.Error("took nonsense")
		}
	}
	for _, err := range []error{
		name.Rename(ctx, strings.Repeat("é", 100)), mover.SetDir(ctx, where+"/"), mover.SetDir(ctx, where),
		dirs.AddDir(ctx, more), dirs.AddDir(ctx, more), dirs.AddDir(ctx, where),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if all, err := dirs.Dirs(ctx); err != nil || strings.Join(all, " ") != where+" "+more {
		t.Errorf("%q, %v", all, err)
	}
	s.send("parallel", "") // keeps the name
	s.quiet()
	moved := sessiontest.All[session.SessionContextChanged](s.Seen())
	remarks := sessiontest.All[session.SessionInfo](s.Seen())
	if len(moved) != 2 || len(remarks) != 2 || !strings.Contains(remarks[0].Message, "pretends") ||
		len(sessiontest.All[session.SessionTitleChanged](s.Seen())) != 2 {
		t.Errorf("%+v, %+v", moved, remarks)
	}
}

// What was used adds up, and costs what the model costs.
func TestReports(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	ctx := t.Context()
	if err := s.Session.(session.ModelSetter).SetModel(ctx, "demo-deep", ""); err != nil {
		t.Fatal(err)
	}
	s.send("write", "")
	s.decide(once)
	s.quiet()
	use, err := s.Session.(session.ContextReporter).ContextUse(ctx)
	if err != nil || use == nil {
		t.Fatal(use, err)
	}
	sum := 0
	for _, p := range use.Parts {
		if p.Depth == 0 {
			sum += p.Tokens
		}
	}
	reports := sessiontest.All[session.SessionUsageInfo](s.Seen())
	if sum != use.Total || use.Model != "demo-deep" || use.Limit != 400_000 || use.Compaction >= use.Limit || reports[len(reports)-1].TokenLimit != use.Limit {
		t.Errorf("%+v", use)
	}
	used, err := s.Session.(session.UsageReporter).Usage(ctx)
	if err != nil || used.Requests != 1 || used.Cost != 3 || !strings.Contains(used.CostUnit, "pretended") || len(used.Models) != 1 ||
		used.Models[0].Requests != 2 || used.Models[0].Tokens.OutputTokens == 0 || used.Added != 1 || used.Removed != 1 ||
		len(used.Files) != 1 || used.Quotas[0].Used != 64 || used.Quotas[0].Resets.Format("2006-01-02") != "2026-12-01" {
		t.Errorf("%+v, %v", used, err)
	}
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	again, err := s.resumed(s.Info().ID).Session.(session.UsageReporter).Usage(ctx)
	if err != nil || again.Requests != used.Requests || again.Cost != used.Cost || !reflect.DeepEqual(again.Models, used.Models) {
		t.Errorf("resumed: %+v, %v", again, err)
	}
}

// What waits can be sent now, which steers a turn that runs.
func TestSendNow(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	s.send("question", "")
	id := sessiontest.Next[session.UserInputRequested](s.Reader).RequestID
	s.send("one", session.Enqueue)
	s.send("two", session.Enqueue)
	editor := s.Session.(session.QueueEditor)
	all, err := editor.Pending(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if ok, err := editor.SendNow(t.Context(), all[1].ID); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	if ok, err := editor.SendNow(t.Context(), all[1].ID); ok || err != nil {
		t.Errorf("what steers is sent again: %t, %v", ok, err)
	}
	if ok, err := editor.Withdraw(t.Context(), all[0].ID); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
	s.respond(session.UserInputAnswer{RequestID: id, Text: "tabs"})
	s.quiet()
	if said := said(s.Seen()); !strings.Contains(said, "You said meanwhile: *two*") || strings.Contains(said, "one*") {
		t.Errorf("said:\n%s", said)
	}
}

// After the end nothing can be changed.
func TestClosedCapabilities(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, _ := s.Session.(*demo.Session)
	ctx := t.Context()
	_, withdrawn := d.Withdraw(ctx, "x")
	_, rewound := d.Rewind(ctx, "x", false)
	_, _, redone := d.Redo(ctx)
	_, invoked := d.Invoke(ctx, "env", "")
	_, asked := d.AskAside(ctx, "why?")
	for what, err := range map[string]error{
		"model": d.SetModel(ctx, demo.Slow, ""), "name": d.Rename(ctx, "x"), "dir": d.SetDir(ctx, "/x"), "add": d.AddDir(ctx, "/x"),
		"all": d.SetAllowAll(ctx, true), "agent": d.SelectAgent(ctx, "poet"), "skill": d.EnableSkill(ctx, "tidy", false),
		"server": d.RestartMcp(ctx, "demo-notes"), "plan": d.WritePlan(ctx, "x"), "task": d.CancelTask(ctx, "x"), "shell": d.RunShell(ctx, "ls"),
		"withdraw": withdrawn, "rewind": rewound, "redo": redone, "invoke": invoked, "aside": asked,
	} {
		if !errors.Is(err, local.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
