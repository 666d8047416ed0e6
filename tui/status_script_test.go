package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest"
	"parley/settings"
	"parley/tui/status"
)

// withScript is a window whose status line has a program, in a folder that there
// is.
func withScript(t *testing.T, script ...string) *scenario {
	t.Helper()
	if !filepath.IsAbs(script[0]) {
		sessiontest.UnixOnly(t, "a POSIX shell")
	}
	sc := newScenario(t, func(c *Config) {
		c.Settings.Status = settings.Status{Left: []string{"script"}, ScriptTimeout: 60_000}
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "WHO=ada"}
	})
	sc.m.win.Program = func(ctx context.Context, p status.Program) (string, error) { return p.Run(ctx) }
	sc.m.win.Front.Info.Dir = t.TempDir()
	sc.prefer(func(s *settings.Settings) { s.Status.Script = script })
	return sc
}

// The program is given the session, runs in its folder with the user's
// environment, and its first line is the item, made safe.
func TestStatusScript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, script, want string }{
		{"a line", `echo two files`, "two files"},
		{"its first line", `printf '\n  one \ntwo\n'`, "one"},
		{"no newline", `printf x`, "x"},
		{"nothing", `:`, ""},
		{"environment", `echo "$WHO"`, "ada"},
		{"no terminal", `(: < /dev/tty) 2>/dev/null || echo none`, "none"},
		{"nothing is read", `exec <&-; echo x`, "x"},
		{"what it is sent", `sed 's/.*"model":"\([^"]*\)".*/\1/'`, "gpt-5.4"},
		{"colours", `printf '\033[1;31mred\033[0m and \033]8;;http://x\033\\link\033]8;;\033\\'`, "red and link"},
		{"sequences", `printf '\033[2J\033[H\033]0;t\007\033P1;2q\033\\a\tb\r\033[?1049hc\007'`, "a b c"},
		{"unterminated", `printf 'a\033]52;c;aGk=\nb'`, "a"},
		{"direction", `printf 'a\342\200\256b'`, "a⟦U+202E⟧b"},
		{"invalid UTF-8", `printf 'a\377\300b'`, "a��b"},
		{"huge", `head -c 3000000 /dev/zero | tr '\0' x`, strings.Repeat("x", 39) + "…"},
		{"many lines", `seq 1 200000`, "1"},
		{"left behind", `sleep 5 & echo x`, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := withScript(t, "sh", "-c", c.script)
			if got := sc.line(); got != c.want {
				t.Errorf("%q, want %q: %s", got, c.want, strings.Join(sc.screen(), "\n"))
			}
			if text, _ := sc.m.status.script.Text(); len(text) > status.MostOutput {
				t.Errorf("%d bytes are kept", len(text))
			}
		})
	}
	t.Run("its folder", func(t *testing.T) {
		t.Parallel()
		sc := withScript(t, "pwd", "-P")
		dir, err := filepath.EvalSymlinks(sc.m.win.Front.Info.Dir)
		if got, _ := sc.m.status.script.Text(); err != nil || got != dir {
			t.Errorf("%q, want %q (%v)", got, dir, err)
		}
	})
}

// What fails leaves what was shown before, marked, and is reported once with what to
// do.
func TestStatusScriptFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		script []string
		why    string
	}{
		{"exit code", []string{"sh", "-c", "echo no; echo 'no such \x1b[31mthing' >&2; exit 3"}, "exit status 3: no such thing"},
		{"signal", []string{"sh", "-c", "kill -9 $$"}, "signal: killed"},
		{"too slow", []string{"sh", "-c", "echo slow; sleep 60 & sleep 60"}, "it took longer than 300 ms"},
		{"writes for ever", []string{"sh", "-c", "yes"}, "it took longer than 300 ms"},
		{"held open", []string{"sh", "-c", "sleep 5 &"}, "something it started holds its output open"},
		{"no such program", []string{"no-such-program-here"}, "executable file not found"},
		{"no such path", []string{"/no/such/program"}, "no such file"},
		{"in the folder", []string{"./status.sh"}, "is not a whole path"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := withScript(t, "echo", "before")
			sc.m.win.Config.SettingsFile = ""
			sessiontest.Program(t, filepath.Join(sc.m.win.Front.Info.Dir, "status.sh"), "#!/bin/sh\necho theirs\n")
			sc.wait(status.ScriptInterval)
			sc.m.win.Config.Settings.Status.Script = c.script
			if strings.Contains(c.why, "300 ms") {
				sc.m.win.Config.Settings.Status.ScriptTimeout = 300
			}
			sc.working()
			if got := sc.line(); !strings.HasSuffix(got, "~before") {
				t.Errorf("what it printed last is not marked: %q", got)
			}
			said := strings.Join(strings.Fields(strings.Join(sc.screen(), " ")), " ")
			if !strings.Contains(said, c.why) || !strings.Contains(said, "take status.script out") {
				t.Errorf("%q is not said: %s", c.why, said)
			}
			sc.wait(status.ScriptInterval)
			sc.idle()
			sc.wait(status.ScriptInterval)
			if said = strings.Join(sc.screen(), "\n"); strings.Count(said, "failed:") != 1 {
				t.Errorf("it is not said once: %s", said)
			}
			sc.prefer(func(s *settings.Settings) { s.Status.Script = []string{"echo", "after"} })
			if got := sc.line(); got != "after" {
				t.Errorf("another program: %q", got)
			}
		})
	}
}

// The end of the window ends the program, and says nothing.
func TestStatusScriptLeft(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sc := withScript(t, program, "-test.run=^$")
	ctx, stop := context.WithCancel(t.Context())
	sc.m.win.Ctx = ctx
	sc.m.win.Program = func(ctx context.Context, p status.Program) (string, error) {
		stop()
		return p.Run(ctx)
	}
	sc.wait(status.ScriptInterval)
	sc.working()
	if text, stale := sc.m.status.script.Text(); stale || strings.Contains(strings.Join(sc.screen(), "\n"), "failed:") {
		t.Errorf("%q, stale %v", text, stale)
	}
}

// scripted is a window whose program is the test's. It has what it was given.
func scripted(t *testing.T) (*scenario, *[]status.ScriptInput) {
	t.Helper()
	sc := newScenario(t, nil)
	var given []status.ScriptInput
	sc.m.win.Program = func(_ context.Context, p status.Program) (string, error) {
		var in status.ScriptInput
		err := json.Unmarshal(p.Input, &in)
		given = append(given, in)
		return fmt.Sprintf("run %d", len(given)), err
	}
	sc.prefer(func(s *settings.Settings) { s.Status.Script = []string{"x"} })
	return sc, &given
}

// It runs when its input has changed, once a second at most, and else never.
func TestStatusScriptRuns(t *testing.T) {
	t.Parallel()
	sc, given := scripted(t)
	if n := len(*given); n != 1 {
		t.Fatalf("%d runs at the start", n)
	}
	sc.wait(time.Hour)
	if n := len(*given); n != 1 || len(sc.timers) > 0 {
		t.Errorf("idle: %d runs, %d timers", n, len(sc.timers))
	}
	sc.working()
	for i := range 100 { // words are no reason
		sc.say(said(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "word "}))
		if i%10 == 0 {
			sc.wait(100 * time.Millisecond)
		}
	}
	if n := len(*given); n != 2 {
		t.Errorf("%d runs after the turn began", n)
	}
	sc.wait(status.ScriptInterval)
	for i := range 50 { // each is a reason
		sc.say(said(session.SessionUsageInfo{CurrentTokens: i, TokenLimit: 100}))
		sc.wait(100 * time.Millisecond)
	}
	if n := len(*given); n < 6 || n > 8 {
		t.Errorf("%d runs after five seconds of changes", n)
	}
	sc.wait(status.ScriptInterval)
	if last := (*given)[len(*given)-1]; last.Context.Used != 49 {
		t.Errorf("it does not know the last change: %+v", last)
	}
	sc.idle()
	sc.wait(status.ScriptInterval)
	before := len(*given)
	sc.only("mode")
	sc.size(120, 24)
	sc.wait(status.ScriptInterval)
	if len(*given) != before {
		t.Error("it runs while it is not shown")
	}
	sc.m.win.Config.Settings.Motion = "none"
	sc.only("script")
	sc.size(90, 24)
	sc.wait(time.Hour)
	if len(*given) != before+1 || len(sc.timers) > 0 {
		t.Errorf("motion none: %d runs, %d timers", len(*given)-before, len(sc.timers))
	}
}

// One run at a time: while one runs, no other begins, and a program that the
// settings have replaced shows nothing.
func TestStatusScriptAlone(t *testing.T) {
	t.Parallel()
	sc, given := scripted(t)
	sc.m.status.script = status.Script{}
	sc.m.Update(restedMsg(sc.at)) // and its command is never run
	n := len(*given)
	sc.working()
	sc.wait(time.Minute)
	if len(*given) != n {
		t.Error("another run began")
	}
	sc.prefer(func(s *settings.Settings) { s.Status.Script = []string{"z"} })
	if len(*given) != n {
		t.Error("another program began beside it")
	}
	sc.update(scriptMsg{run: 1, text: "of the old one", err: errors.New("old")})
	if text, stale := sc.m.status.script.Text(); len(*given) != n+1 || text != fmt.Sprintf("run %d", n+1) || stale {
		t.Errorf("%d runs, %q, stale %v", len(*given)-n, text, stale)
	}
	if screen := strings.Join(sc.screen(), "\n"); strings.Contains(screen, "failed:") {
		t.Errorf("the old one is warned of: %s", screen)
	}
}

// The program gets what the session is.
func TestScriptInput(t *testing.T) {
	t.Parallel()
	sc, given := scripted(t)
	sc.m.win.Config.Version = "0.1.0"
	sc.working()
	sc.say(
		said(session.SessionTitleChanged{Title: "Tides\xff"}),
		said(session.SessionModelChange{NewModel: "opus", ReasoningEffort: "high"}),
		said(session.SessionContextChanged{Cwd: "/home/ada/src/tide", Branch: "main"}),
		said(session.AssistantUsage{Model: "m", InputTokens: 41, CacheReadTokens: 7, OutputTokens: 9, Cost: 2.5}),
		said(session.SessionUsageInfo{CurrentTokens: 31, TokenLimit: 200}),
		said(session.SessionPermissionsChanged{Mode: session.AllowAll}),
		said(session.UserInputRequested{RequestID: "1", Question: "Which?"}),
	)
	sc.m.win.Front.Queue.Pending = []session.Pending{{ID: "q"}}
	sc.say(said(session.SessionModelChange{PreviousModel: "opus", NewModel: "sonnet"}))
	sc.wait(status.ScriptInterval)
	want := status.ScriptInput{
		Version: "0.1.0", Width: 80, SessionID: "s1", Title: "Tides\ufffd", Agent: "Copilot CLI 1.0.102",
		Cwd: "/home/ada/src/tide", Branch: "main", Mode: session.Interactive, Model: "sonnet", AllowAll: true,
		Busy: true, Waiting: 1, Queued: 1, Turns: 1,
		Tokens: status.ScriptTokens{
			In:     41,
			Cached: 7,
			Out:    9,
		}, Context: status.ScriptContext{Used: 31, Limit: 200, Percent: 15, Stale: true},
		Cost: status.ScriptCost{Premium: 2.5},
	}
	if got := (*given)[len(*given)-1]; got != want {
		t.Errorf("it got %+v\nwant %+v", got, want)
	}
}
