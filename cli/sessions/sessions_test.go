package sessions

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"parley/cli/arguments"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
)

// nowHere is the time of all tests of past sessions.
var nowHere = time.Date(2026, 11, 21, 18, 0, 0, 0, time.FixedZone("EAST", 2*60*60))

// shelf is a library with the sessions it is made with. Words are not looked for.
type shelf struct {
	hits     []sessions.Hit
	stats    sessions.Stats
	logs     map[session.ID]string
	trouble  []string
	refused  error // of Refresh
	progress sessions.Progress

	mu      sync.Mutex
	asked   sessions.Request
	rebuilt int
	erased  int
}

func (s *shelf) Refresh(context.Context) error { return s.refused }

func (s *shelf) Rebuild(context.Context) error {
	s.rebuilt++
	return s.refused
}

func (s *shelf) Erase(context.Context) error {
	s.erased++
	return s.refused
}
func (s *shelf) Progress() sessions.Progress { return s.progress }
func (s *shelf) Close() error                { return nil }

func (s *shelf) Find(_ context.Context, r sessions.Request) (sessions.Found, error) {
	s.ask(r)
	found := sessions.Found{Warnings: s.trouble}
	for _, h := range s.hits {
		if (h.Deleted.IsZero() || r.Deleted || r.Query.AsksFor("deleted")) && (!h.Archived || r.Archived || r.Query.AsksFor("archived")) {
			found.Sessions = append(found.Sessions, h)
		}
	}
	found.Total = len(found.Sessions)
	if r.Limit > 0 && r.Limit < found.Total {
		found.Sessions = found.Sessions[:r.Limit]
	}
	return found, nil
}

func (s *shelf) Deleted(context.Context) (deleted []sessions.Session, _ error) {
	for _, h := range s.hits {
		if !h.Deleted.IsZero() {
			deleted = append(deleted, h.Session)
		}
	}
	return deleted, nil
}

func (s *shelf) Get(_ context.Context, id session.ID) (sessions.Session, error) {
	var fit []sessions.Session
	for _, h := range s.hits {
		if strings.HasPrefix(string(h.ID), string(id)) && len(id) >= sessions.ShortestID {
			fit = append(fit, h.Session)
		}
	}
	switch len(fit) {
	case 0:
		return sessions.Session{}, fmt.Errorf("look: %w", sessions.ErrNotFound)
	case 1:
		return fit[0], nil
	}
	return sessions.Session{}, &sessions.AmbiguousError{Prefix: id, Candidates: fit}
}

func (s *shelf) Read(_ context.Context, id session.ID) (io.ReadCloser, error) {
	log, ok := s.logs[id]
	if !ok {
		return nil, os.ErrPermission
	}
	return io.NopCloser(strings.NewReader(log)), nil
}

func (s *shelf) Mark(_ context.Context, id session.ID, change func(*sessions.Mark)) error {
	for i := range s.hits {
		if s.hits[i].ID == id {
			change(&s.hits[i].Mark)
		}
	}
	return nil
}

func (s *shelf) Known(context.Context) (sessions.Known, error) {
	return sessions.Known{Repositories: []string{"ada/tide", "ada/moon"}}, nil
}

func (s *shelf) Stats(_ context.Context, r sessions.Request) (sessions.Stats, error) {
	s.ask(r)
	return s.stats, nil
}

// ask keeps what was asked for last.
func (s *shelf) ask(r sessions.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = r
}

// someHits are sessions of every kind.
func someHits() []sessions.Hit {
	at := func(ago time.Duration) time.Time { return nowHere.Add(-ago) }
	const day = 24 * time.Hour
	hit := func(id, title, repository, branch string, used time.Duration) sessions.Hit {
		return sessions.Hit{Session: sessions.Session{
			Log: sessions.Log{
				ID: session.ID(id), Keeper: "copilot", Agent: "copilot", Dir: "/home/ada/" + filepath.Base(repository), Root: "/home/ada/" + filepath.Base(repository),
				Repository: repository, Branch: branch, Path: "/home/ada/.copilot/session-state/" + id + "/events.jsonl", Size: 4096, Client: "parley",
			},
			Facts: sessions.Facts{
				Title: title, Model: "gpt-5.4", Started: at(used + 20*time.Minute), Used: at(used), State: sessions.Done,
				Prompts: 2, Turns: 5, Tokens: sessions.Tokens{In: 48_200, Out: 2100, CacheRead: 31_000}, Cost: 1,
				Busy:  3*time.Minute + 5*time.Second,
				Edits: 3, Added: 120, Removed: 8, Tools: map[string]int{"bash": 12, "view": 4, "edit": 4},
			},
		}}
	}
	open := hit("7f3a52c1-0d7e-4b52-9f0e-1c3a8a6f0b11", "Fix the tide table", "ada/tide", "main", 4*time.Minute)
	open.InUse, open.Pinned, open.Tags = true, true, []string{"release", "tide"}
	failed := hit("7f3a99d0-55aa-4c11-8888-aaaaaaaaaaaa", "Why is the harbour test slow, and what can be done about it before Friday", "ada/tide", "harbour-test", 3*time.Hour)
	failed.State, failed.Failures, failed.Cost, failed.Model = sessions.Failed, 2, 12.333, "claude-sonnet-4.5"
	wide := hit("b2c4d6e8-1111-4222-8333-444444444444", "潮汐表を直す 👩‍🚀 ok", "ada/潮", "main", 2*day)
	wide.State, wide.Tokens = sessions.Interrupted, sessions.Tokens{In: 1_450_000}
	hostile := hit("c0ffee00-2222-4333-8444-555555555555", "a\x1b]0;owned\x07b\r\nc\x1b[31md\u202ee", "ada/\x1b[2Jmoon", "x\ty", 9*day)
	hostile.Cost, hostile.Added, hostile.Removed, hostile.Turns = 0, 0, 0, 12_345
	damaged := hit("d00d0000-3333-4444-8555-666666666666", "", "", "", 400*day)
	damaged.Root, damaged.ReadProblem, damaged.Model, damaged.Tokens, damaged.Cost = "", "line 3 is no JSON", "", sessions.Tokens{}, 0
	archived := hit("e0e0e0e0-4444-4555-8666-777777777777", "Put away", "ada/moon", "main", 500*day)
	archived.Archived = true
	deleted := hit("f0f0f0f0-5555-4666-8777-888888888888", "Thrown away", "ada/moon", "main", 600*day)
	deleted.Deleted = at(time.Minute)
	return []sessions.Hit{open, failed, wide, hostile, damaged, archived, deleted}
}

// pastRun carries out a command line about past sessions on a library.
func pastRun(t *testing.T, l library, args ...string) clitest.Result {
	t.Helper()
	return pastRunIn(t, past{now: func() time.Time { return nowHere }, zone: nowHere.Location(), open: func() (library, error) { return l, nil }}, "", args...)
}

func pastRunIn(t *testing.T, p past, input string, args ...string) clitest.Result {
	t.Helper()
	return clitest.Run(t, []string{"LANG=C.UTF-8"}, input, func(c process.Console) int { return pastRunOn(c, p, args...) })
}

// pastRunOn carries out a command line about past sessions.
func pastRunOn(c process.Console, p past, args ...string) int {
	return pastExecute(c, p, append([]string{"sessions"}, args...))
}

// pastCompleted completes one as the shells' scripts do.
func pastCompleted(c process.Console, p past, args ...string) int {
	return pastExecute(c, p, append([]string{cobra.ShellCompRequestCmd, "sessions"}, args...))
}

func pastExecute(c process.Console, p past, args []string) int {
	p.Console = c
	cmd := &cobra.Command{Use: "parley", SilenceErrors: true, SilenceUsage: true}
	cmd.AddCommand(p.command())
	cmd.SetFlagErrorFunc(arguments.FlagError)
	cmd.SetOut(c.Out)
	cmd.SetErr(c.Err)
	cmd.SetArgs(args)
	return process.ExitCode(c, cmd.Execute())
}

// TestSessionsGolden holds what is written about past sessions to golden files, at
// every kind of width.
func TestSessionsGolden(t *testing.T) {
	t.Parallel()
	found := someHits()
	for i := range found {
		found[i].Excerpt = "When the moon is full, the tide is high, and the tide table says so in its first column, which is why the test of the harbour fails there"
		found[i].Spans = [][2]int{{27, 31}, {49, 53}}
	}
	found[1].Excerpt, found[1].Spans = strings.Repeat("Long before ", 20)+"tide", [][2]int{{240, 244}}
	found[3].Excerpt, found[3].Spans = "a \x1b[31mred\x1b[0m ti\x00de\nhere", [][2]int{{15, 20}}
	log, err := os.ReadFile(filepath.Join(sessiontest.Root(t), "testdata", "sessions", "hand", "compaction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	day := someStats(7)
	day.Days = day.Days[1:2]
	for name, c := range map[string]struct {
		l    library
		args []string
	}{
		"list":   {&shelf{hits: someHits()}, []string{"list", "--archived", "--deleted"}},
		"search": {&shelf{hits: found}, []string{"search", "tide"}},
		"show":   {&shelf{hits: someHits(), logs: map[session.ID]string{someHits()[0].ID: string(log)}}, []string{"show", "7f3a5"}},
		"stats":  {&shelf{stats: someStats(30)}, []string{"stats", "after:30d"}},
		"day":    {&shelf{stats: day}, []string{"stats"}},
		"week":   {&shelf{stats: someStats(7)}, []string{"stats"}},
		"year":   {&shelf{stats: someStats(365)}, []string{"stats"}},
	} {
		for _, width := range []int{20, 40, 60, 80, 100, 140} {
			t.Run(fmt.Sprint(name, width), func(t *testing.T) {
				t.Parallel()
				got := pastRun(t, c.l, append(c.args, "--width", fmt.Sprint(width))...)
				if got.Code != process.ExitOK || got.Err != "" {
					t.Fatalf("code %d: %s", got.Code, got.Err)
				}
				clitest.CheckPlain(t, got.Out, width)
				if width == 40 || width == 80 || width == 140 {
					sessiontest.Golden(t, fmt.Sprintf("sessions/%s-%d", name, width), got.Out)
				}
				coloured := pastRun(t, c.l, append(c.args, "--width", fmt.Sprint(width), "--color", "always")...)
				for _, l := range strings.Split(coloured.Out, "\n") {
					if text.Width(l) > width {
						t.Errorf("%d cells, more than %d: %q", text.Width(l), width, l)
					}
				}
				if found := sessiontest.NewGuard(width, 50).Draw(coloured.Out); found != "" {
					t.Error(found)
				}
			})
		}
	}
	piped := pastRun(t, &shelf{hits: someHits()}, "list")
	sessiontest.Golden(t, "sessions/list-piped", piped.Out)
}

// someStats are sums of so many days.
func someStats(days int) sessions.Stats {
	var s sessions.Stats
	sum := func(n int) sessions.Sum {
		return sessions.Sum{
			Sessions: n, Prompts: 2 * n, Turns: 5 * n, Calls: 20 * n, Failures: n / 2, Added: 100 * n, Removed: 7 * n,
			Tokens: sessions.Tokens{In: 48_000 * n, Out: 2000 * n, CacheRead: 30_000 * n}, Cost: 1.33 * float64(n),
			Busy: time.Duration(n) * 3 * time.Minute,
		}
	}
	all := 0
	for i := range days {
		n := (i*i*7 + i*3) % 11
		if i%7 > 4 {
			n = 0
		}
		all += n
		s.Days = append(s.Days, sessions.Share{Name: nowHere.AddDate(0, 0, i+1-days).Format(time.DateOnly), Sum: sum(n)})
	}
	s.All = sum(all)
	for i, name := range []string{"ada/tide", "ada/moon", "", "ada/a-repository-with-a-rather-long-name", "ada/\x1b[31mred"} {
		s.Repositories = append(s.Repositories, sessions.Share{Name: name, Sum: sum(all >> i)})
	}
	s.Models = []sessions.Share{{Name: "gpt-5.4", Sum: sum(all - 2)}, {Name: "claude-sonnet-4.5", Sum: sum(2)}}
	for i, name := range []string{"bash", "view", "edit", "grep", "glob", "task", "web_fetch", "sql", "github-mcp-server-search_code", "skill"} {
		s.Tools = append(s.Tools, sessions.Share{Name: name, Sum: sessions.Sum{Calls: all * 20 >> i}})
	}
	return s
}

// The secrets in a title are not shown, but in the data for programs.
func TestTitlesHideSecrets(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefABCDEF0123456789abcd"
	hits := someHits()
	for i := range hits {
		hits[i].Title = "Use " + secret
	}
	for _, args := range [][]string{{"list"}, {"show", "7f3a5"}, {"list", "--json"}} {
		out := pastRun(t, &shelf{hits: hits, logs: map[session.ID]string{hits[0].ID: ""}}, args...).Out
		if hidden := !slices.Contains(args, "--json"); strings.Contains(out, secret) == hidden || strings.Contains(out, "[github") != hidden {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}
