package copilot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

// TestCallsEnd: a runtime that does not answer does not hang any call but those
// that wait for somebody, or for a model.
func TestCallsEnd(t *testing.T) {
	t.Parallel()
	const (
		short, long = 30 * time.Second, 2 * time.Minute
		never       = 24 * time.Hour // as long as its caller waits
		listed      = `{"commands":[{"name":"review","kind":"builtin"}]}`
	)
	type call = func(context.Context, *canned) error
	for name, test := range map[string]struct {
		answers map[string]string
		call    call
		takes   time.Duration
	}{
		"send":   {nil, func(ctx context.Context, a *canned) error { return a.Send(ctx, session.Input{Prompt: "x"}) }, short},
		"abort":  {nil, func(ctx context.Context, a *canned) error { return a.Abort(ctx) }, short},
		"mode":   {nil, func(ctx context.Context, a *canned) error { return a.SetMode(ctx, session.Plan) }, short},
		"rename": {nil, func(ctx context.Context, a *canned) error { return a.Rename(ctx, "x") }, short},
		"answer": {nil, func(ctx context.Context, a *canned) error {
			return a.Respond(ctx, session.PermissionAnswer{RequestID: "r", Decision: session.ApproveOnce})
		}, short},
		"models":  {nil, func(ctx context.Context, a *canned) error { _, err := a.Models(ctx); return err }, short},
		"queue":   {nil, func(ctx context.Context, a *canned) error { _, err := a.Pending(ctx); return err }, short},
		"close":   {nil, func(ctx context.Context, a *canned) error { return a.Close(ctx) }, short},
		"sign in": {nil, func(ctx context.Context, a *canned) error { return a.signIn(ctx, "docs") }, short},
		"account": {nil, func(ctx context.Context, a *canned) error { _, err := a.agent.Account(ctx); return err }, 10 * time.Second},
		"history": {nil, func(ctx context.Context, a *canned) error { _, err := a.history(ctx); return err }, long},
		"fork":    {nil, func(ctx context.Context, a *canned) error { _, err := a.agent.Fork(ctx, "s", ""); return err }, long},
		"list":    {nil, func(ctx context.Context, a *canned) error { _, err := a.agent.List(ctx); return err }, long},
		"rewind":  {nil, func(ctx context.Context, a *canned) error { _, err := a.callRewind(ctx, "e", true); return err }, long},
		"reload": {
			map[string]string{"instructions.clearCache": `{}`},
			func(ctx context.Context, a *canned) error { return a.reload(ctx, folder{dir: "/src"}) }, long,
		},
		"compact": {nil, func(ctx context.Context, a *canned) error { return a.Compact(ctx, "") }, never},
		"aside":   {nil, func(ctx context.Context, a *canned) error { _, err := a.AskAside(ctx, "why"); return err }, never},
		"command": {
			map[string]string{"session.commands.list": listed},
			func(ctx context.Context, a *canned) error { _, err := a.Invoke(ctx, "review", ""); return err }, never,
		},
		"servers": {nil, func(ctx context.Context, a *canned) error { _, err := a.McpServers(ctx); return err }, never},
		"restart": {
			map[string]string{"session.mcp.list": `{"servers":[{"name":"docs"}]}`},
			func(ctx context.Context, a *canned) error {
				a.setFolder(folder{dir: "/src", trusted: true}) // else no server starts
				return a.RestartMcp(ctx, "docs")
			}, never,
		},
		"shell": {
			map[string]string{"session.shell.cancelUserRequested": `{"cancelled":true}`},
			func(ctx context.Context, a *canned) error { return a.RunShell(ctx, "sleep 9") }, never,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := can(t, test.answers)
				a.queue = newQueue(a.agent.valve, unguarded)
				defer a.queue.end()
				ctx, cancel := context.WithTimeout(t.Context(), never)
				defer cancel()
				start := time.Now()
				err := test.call(ctx, a)
				if took := time.Since(start); took != test.takes || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("it took %v and ended with %v", took, err)
				}
				want := map[time.Duration]string{
					short: "the Copilot CLI did not answer within 30 s", long: "the Copilot CLI did not answer within 2 min",
					10 * time.Second: "the Copilot CLI did not answer within 10 s",
				}[test.takes]
				if err == nil || !strings.HasSuffix(err.Error(), want) || want != "" && !errors.Is(err, session.ErrUnanswered) {
					t.Errorf("it says %v, want %q", err, want)
				}
				if n := a.agent.valve.calls; n != 0 {
					t.Errorf("%d calls let everything be read", n)
				}
			})
		})
	}
}

// TestCallOfAnEndedConnection: a call that waits when the connection ends may have
// arrived, and one that is made afterwards has not.
func TestCallOfAnEndedConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := can(t, nil)
		done := make(chan error, 1)
		go func() { done <- a.Send(t.Context(), session.Input{Prompt: "x"}) }()
		synctest.Wait()
		_ = a.agent.client.Close()
		if err := <-done; !errors.Is(err, ErrClosed) || !errors.Is(err, session.ErrUnanswered) {
			t.Errorf("ended with %v", err)
		}
		close(a.done)
		if err := a.Send(t.Context(), session.Input{Prompt: "x"}); !errors.Is(err, ErrClosed) || errors.Is(err, session.ErrUnanswered) {
			t.Errorf("failed with %v", err)
		}
	})
}

// TestSilenceDeletesNothing: a session of which the runtime does not say whether
// somebody has it open is not deleted.
func TestSilenceDeletesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := can(t, map[string]string{"session.delete": `{"success":true}`})
		if err := a.agent.Delete(t.Context(), "other"); !errors.Is(err, session.ErrUnanswered) {
			t.Errorf("ended with %v", err)
		}
		if a.called("session.delete") != nil {
			t.Error("it was deleted")
		}
	})
}

// TestTasksEnd: the outputs of many tasks take no longer than one call.
func TestTasksEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const task = `{"type":"shell","id":"t","description":"wait"}`
		a := can(t, map[string]string{"session.tasks.list": `{"tasks":[` + strings.Repeat(task+",", 9) + task + `]}`})
		start := time.Now()
		if tasks, err := a.Tasks(t.Context()); err != nil || len(tasks) != 10 || time.Since(start) != answerTime {
			t.Errorf("%d tasks after %v, %v", len(tasks), time.Since(start), err)
		}
	})
}

// TestEveryPatienceIsUsed finds methods that nothing calls.
func TestEveryPatienceIsUsed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var calls strings.Builder
	for _, file := range files {
		if file == "timeouts.go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		calls.Write(source)
	}
	table, err := os.ReadFile("timeouts.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := regexp.MustCompile(`"[a-z]+(\.[A-Za-z]+)*"`).FindAllString(string(table), -1)
	if len(methods) < 10 {
		t.Fatalf("found only %q", methods)
	}
	for _, m := range methods {
		if !strings.Contains(calls.String(), m) {
			t.Errorf("%s is never called", m)
		}
	}
}

// TestUnknownFolderIsNotLoaded: what a folder brings along is not loaded, and not
// added, when the runtime does not say what there is.
func TestUnknownFolderIsNotLoaded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const none = `{}`
		for unanswered, others := range map[string]map[string]string{
			"instructions.discover": {"skills.discover": none, "agents.discover": none},
			"skills.discover":       {"instructions.discover": none, "agents.discover": none},
			"agents.discover":       {"instructions.discover": none, "skills.discover": none},
			"nothing":               {"instructions.discover": none, "skills.discover": none, "agents.discover": none},
		} {
			others["permissions.folderTrust.checkTrust"], others["mcp.discover"] = `{"trusted":false}`, none
			others["session.permissions.paths.add"] = `{"success":true}`
			a, dir := can(t, others), t.TempDir()
			known := unanswered == "nothing"
			f := a.agent.inspect(t.Context(), dir)
			if skips, _ := f.options()["skipCustomInstructions"].(bool); skips == known {
				t.Errorf("without %s: skips %t, loads %+v", unanswered, skips, f.loads)
			}
			refuses := !known && unanswered != "instructions.discover" // which are not loaded from such a folder
			if err := a.AddDir(t.Context(), dir); (err != nil) != refuses {
				t.Errorf("without %s: added with %v", unanswered, err)
			}
		}
	})
}

// TestTurnWaitsForTrust: what begins a turn while the runtime loads what the user
// has just allowed is for the agent that has it.
func TestTurnWaitsForTrust(t *testing.T) {
	t.Parallel()
	for method, begin := range map[string]func(ctx context.Context, a *canned) error{
		"session.send": func(ctx context.Context, a *canned) error { return a.Send(ctx, session.Input{Prompt: "x"}) },
		"session.commands.invoke": func(ctx context.Context, a *canned) error {
			_, err := a.Invoke(ctx, "theirs", "")
			if err == nil && a.called("session.commands.list") == nil {
				err = errors.New("the commands were not listed")
			}
			return err
		},
		"session.ui.ephemeralQuery": func(ctx context.Context, a *canned) error { _, err := a.AskAside(ctx, "x"); return err },
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := can(t, map[string]string{ // and no answer to session.resume
					"instructions.clearCache": `{}`, "session.send": `{}`, "session.ui.ephemeralQuery": `{"answer":"y"}`,
					"session.commands.list": listed, "session.commands.invoke": `{"kind":"completed"}`,
				})
				a.trustAsked = trustQuestion{id: "t"}
				go func() { _ = a.Respond(t.Context(), session.FolderTrustAnswer{RequestID: "t", Trusted: true}) }()
				synctest.Wait()
				begun := make(chan error, 2)
				short, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				go func() { begun <- begin(short, a) }()
				if err := <-begun; !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, session.ErrUnanswered) ||
					a.called("session.resume") == nil || a.called(method) != nil || a.called("session.commands.list") != nil {
					t.Errorf("begun before the folder was loaded: %v", err)
				}
				go func() { begun <- begin(t.Context(), a) }()
				if err := <-begun; err != nil || a.called(method) == nil {
					t.Errorf("not begun when the runtime did not answer in time: %v", err)
				}
			})
		})
	}
}

// TestChangeOfFolderGivesUp: a change of the folder that waits for another one ends
// with its context.
func TestChangeOfFolderGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, dir := can(t, map[string]string{"instructions.clearCache": `{}`}), t.TempDir()
		a.trustAsked = trustQuestion{id: "t"}
		go func() { _ = a.Respond(t.Context(), session.FolderTrustAnswer{RequestID: "t", Trusted: true}) }()
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		for name, err := range map[string]error{"move": a.SetDir(short, dir), "add": a.AddDir(short, dir)} {
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
				t.Errorf("%s: after %v it ended with %v", name, time.Since(start), err)
			}
		}
	})
}
