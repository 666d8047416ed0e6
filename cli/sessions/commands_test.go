package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/cli/agents"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/files"
)

// someShelf has sessions of every kind, and a log of the first with a secret in it.
func someShelf() *shelf {
	const log = `{"id":"1","type":"user.message","timestamp":"2026-11-21T10:41:00Z","data":{"content":"Fix the table"}}
{"id":"2","type":"assistant.message","timestamp":"2026-11-21T10:41:01Z","data":{"messageId":"m","content":"Use ghp_8mDkq2WvT5xLz0RbJ7nYhC4sPfE9aU3gXo1i for that"}}
{"id":"3","type":"user.message","timestamp":"2026-11-21T10:42:00Z","data":{"content":"And the harbour"}}
`
	return &shelf{hits: someHits(), logs: map[session.ID]string{someHits()[0].ID: log}}
}

// TestSessionsRefuses holds each mistake to one clear line and the right exit code.
func TestSessionsRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"lsit"}, process.ExitUsage, "did you mean `parley sessions list`?"},
		{[]string{"list", "tide"}, process.ExitUsage, "`parley sessions search` looks for them"},
		{[]string{"list", "--limit", "0"}, process.ExitUsage, "--all lists all"},
		{[]string{"list", "--limit", "3", "--all"}, process.ExitUsage, "leave one of them out"},
		{[]string{"list", "--sort", "size"}, process.ExitUsage, `--sort is used, started, title, cost, not "size"`},
		{[]string{"list", "--here", "--repo"}, process.ExitUsage, "leave one of them out"},
		{[]string{"list", "--width", "3"}, process.ExitUsage, "--width is from 4 to 1000"},
		{[]string{"list", "--color", "blue"}, process.ExitUsage, "--color is auto"},
		{[]string{"list", "--jsn"}, process.ExitUsage, "did you mean --json?"},
		{[]string{"search"}, process.ExitUsage, "`parley sessions list` lists all"},
		{[]string{"search", "tide", "-tool:bash"}, process.ExitUsage, "put -- before words that begin with a dash"},
		{[]string{"search", " "}, process.ExitUsage, "takes what to look for"},
		{[]string{"show"}, process.ExitUsage, "takes the id of one session, not 0"},
		{[]string{"show", "7f3a5", "b2c4"}, process.ExitUsage, "not 2"},
		{[]string{"show", "7f3a5", "--as", "tokens"}, process.ExitUsage, "--as is timeline or model"},
		{[]string{"show", "7f3"}, process.ExitFailure, "four characters"},
		{[]string{"show", "beef0000"}, process.ExitFailure, "`parley sessions list --all` lists them"},
		{[]string{"show", "7f3a"}, process.ExitFailure, "7f3a99d0-55aa-4c11-8888-aaaaaaaaaaaa; give more of it"},
		{[]string{"export", "7f3a"}, process.ExitFailure, "several ids"},
		{[]string{"export", "7f3a5", "--format", "pdf"}, process.ExitUsage, `--format is md, html, txt, jsonl, not "pdf"`},
		{[]string{"export", "7f3a5", "--output", "a.pdf"}, process.ExitUsage, "give --format"},
		{[]string{"export", "7f3a5", "--turns", "x"}, process.ExitUsage, "--turns: "},
		{[]string{"export", "7f3a5", "--turns", "9"}, process.ExitFailure, "no turn 9"},
		{[]string{"export", "7f3a5", "--force"}, process.ExitUsage, "--force is for --output"},
		{[]string{"export", "b2c4"}, process.ExitFailure, "read session b2c4d6e8"},
		{[]string{"delete"}, process.ExitUsage, "delete takes ids"},
		{[]string{"delete", "--undo", "--purge"}, process.ExitUsage, "leave one of them out"},
		{[]string{"delete", "--yes", "7f3a9"}, process.ExitUsage, "--yes is for --purge"},
		{[]string{"delete", "7f3a5"}, process.ExitFailure, "is in use"},
		{[]string{"delete", "7f3a9", "7f3a5"}, process.ExitFailure, "is in use"},
		{[]string{"delete", "--purge", "7f3a5", "--yes"}, process.ExitFailure, "is in use"},
		{[]string{"delete", "--purge"}, process.ExitFailure, "needs a terminal; --yes goes without"},
		{[]string{"reindex", "now"}, process.ExitUsage, "now"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			l := someShelf()
			got := pastRun(t, l, c.args...)
			if got.Code != c.code || !strings.Contains(got.Err, c.want) || !strings.HasPrefix(got.Err, "parley: ") {
				t.Errorf("code %d, said %q; want %d and %q", got.Code, got.Err, c.code, c.want)
			}
			if strings.Count(got.Err, "\n") != 1 || got.Out != "" {
				t.Errorf("not one line: out %q, err %q", got.Out, got.Err)
			}
			for i, h := range someHits() {
				if !l.hits[i].Deleted.Equal(h.Deleted) {
					t.Errorf("%s was marked", h.ID)
				}
			}
		})
	}
}

// TestSessionsJSON decodes what is written for programs.
func TestSessionsJSON(t *testing.T) {
	t.Parallel()
	decode := func(got clitest.Result, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(got.Out), into); err != nil || got.Code != process.ExitOK || got.Err != "" {
			t.Fatalf("code %d, %v: %s%s", got.Code, err, got.Err, got.Out)
		}
	}
	var listed foundRow
	decode(pastRun(t, someShelf(), "list", "--json", "--limit", "2", "--archived", "--deleted"), &listed)
	if listed.Total != 7 || len(listed.Sessions) != 2 || listed.Sessions[0].ID != string(someHits()[0].ID) ||
		!slices.Equal(listed.Sessions[0].Tags, []string{"release", "tide"}) || listed.Sessions[0].Tokens.In != 48_200 ||
		!listed.Sessions[0].Used.Equal(someHits()[0].Used) || listed.Sessions[0].Deleted != nil || !listed.Sessions[0].InUse {
		t.Errorf("listed %+v", listed)
	}
	var one sessionRow
	decode(pastRun(t, someShelf(), "show", "7f3a9", "--json"), &one)
	if one.State != "failed" || one.Cost != 12.333 || one.Tools["bash"] != 12 || one.Tags == nil {
		t.Errorf("shown %+v", one)
	}
	l := someShelf()
	l.hits[0].Excerpt, l.hits[0].Spans = "the <tide> & the moon", [][2]int{{5, 9}}
	var found foundRow
	decode(pastRun(t, l, "search", "tide", "--json"), &found)
	if e := found.Sessions[0]; e.Excerpt != "the <tide> & the moon" || e.Spans[0] != [2]int{5, 9} {
		t.Errorf("found %+v", e)
	}
	var sums statsRow
	decode(pastRun(t, &shelf{stats: someStats(3)}, "stats", "--json"), &sums)
	if len(sums.Days) != 3 || sums.Days[2].Name != "2026-11-21" || sums.Tools[0].Name != "bash" || sums.All.Calls != 20*sums.All.Sessions {
		t.Errorf("sums %+v", sums)
	}
	var none foundRow
	if got := pastRun(t, &shelf{}, "list", "--json"); json.Unmarshal([]byte(got.Out), &none) != nil || !strings.Contains(got.Out, `"sessions": []`) {
		t.Errorf("nothing is %q", got.Out)
	}
	for _, args := range [][]string{{"list", "--json"}, {"show", "c0ff", "--json"}} {
		if got := pastRun(t, someShelf(), args...); strings.ContainsAny(got.Out, "\x1b\x07\r") {
			t.Errorf("%q writes control characters: %q", args, got.Out)
		}
	}
}

// TestSessionsAsks holds what the library is asked to the command line.
func TestSessionsAsks(t *testing.T) {
	t.Parallel()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want sessions.Request
	}{
		{nil, sessions.Request{Scope: sessions.Everywhere, Limit: 20}},
		{[]string{"list"}, sessions.Request{Scope: sessions.Everywhere, Limit: 20}},
		{[]string{"--sort", "cost", "--limit", "3"}, sessions.Request{Scope: sessions.Everywhere, Order: sessions.ByCost, Limit: 3}},
		{[]string{"list", "--all", "--archived", "--deleted"}, sessions.Request{Scope: sessions.Everywhere, Archived: true, Deleted: true}},
		{[]string{"list", "--here"}, sessions.Request{Scope: sessions.InFolder, Dir: dir, Root: files.Root(dir), Limit: 20}},
		{[]string{"list", "--repo"}, sessions.Request{Scope: sessions.InRepository, Dir: dir, Root: files.Root(dir), Limit: 20}},
		{[]string{"search", "is:archived"}, sessions.Request{Scope: sessions.Everywhere, Limit: 20}},
		{[]string{"search", "is:deleted", "x"}, sessions.Request{Scope: sessions.Everywhere, Limit: 20}},
		{[]string{"search", "tide", "--sort", "title"}, sessions.Request{Scope: sessions.Everywhere, Order: sessions.ByTitle, Limit: 20}},
		{[]string{"stats", "--here", "--archived"}, sessions.Request{Scope: sessions.InFolder, Dir: dir, Root: files.Root(dir), Archived: true}},
	} {
		l := someShelf()
		got := pastRun(t, l, c.args...)
		asked := l.asked
		asked.Query = sessions.Query{}
		if got.Code != process.ExitOK || fmt.Sprint(asked) != fmt.Sprint(c.want) {
			t.Errorf("%q (code %d, %s) asks for %+v, want %+v", c.args, got.Code, got.Err, asked, c.want)
		}
	}
	l := someShelf()
	if pastRun(t, l, "search", "--", "tide", "repo:moon", "-x"); len(l.asked.Query.Words) != 2 || len(l.asked.Query.Filters) != 1 {
		t.Errorf("asked %+v", l.asked)
	}
}

// TestSearchPoints shows where a query is wrong.
func TestSearchPoints(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"search", "潮", "rpeo:tide"}, {"stats", "潮", "rpeo:tide"}} {
		got := pastRun(t, someShelf(), args...)
		if got.Code != process.ExitUsage || got.Out != "" || !strings.HasPrefix(got.Err, "  潮 rpeo:tide\n     ^^^^") || !strings.Contains(got.Err, `No filter "rpeo:"`) {
			t.Errorf("code %d, said %q", got.Code, got.Err)
		}
	}
	if got := caretLine("a\x1b[31mb\nc", [2]int{6, 99}); got != "  ab c\n   ^^^\n" {
		t.Errorf("drew %q", got)
	}
	if got := caretLine("ab", [2]int{2, 2}); got != "  ab\n    ^\n" {
		t.Errorf("drew %q", got)
	}
}

// TestSessionsNone says that there is nothing, and by the exit code of a search.
func TestSessionsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want clitest.Result
	}{
		{[]string{"list"}, clitest.Result{Code: process.ExitOK, Err: "There are no past sessions.\n"}},
		{nil, clitest.Result{Code: process.ExitOK, Err: "There are no past sessions.\n"}},
		{[]string{"list", "--here"}, clitest.Result{Code: process.ExitOK, Err: "There are no past sessions of this folder.\n"}},
		{[]string{"search", "tide"}, clitest.Result{Code: process.ExitFailure, Err: "Nothing was found.\n"}},
		{[]string{"search", "tide", "--json"}, clitest.Result{Code: process.ExitFailure, Out: "{\n  \"total\": 0,\n  \"sessions\": []\n}\n"}},
		{[]string{"stats", "tide"}, clitest.Result{Code: process.ExitOK, Err: "There are no such sessions.\n"}},
		{[]string{"delete", "--purge", "--yes"}, clitest.Result{Code: process.ExitOK, Out: "There is nothing to remove.\n"}},
	} {
		if got := pastRun(t, &shelf{}, c.args...); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.args, got, c.want)
		}
	}
}

// TestSessionsTrouble reports what could not be read, once, and lists the rest.
func TestSessionsTrouble(t *testing.T) {
	t.Parallel()
	l := someShelf()
	l.refused = errors.New("the disk is full")
	for want, trouble := range map[string][]string{
		"parley: read the past sessions: the disk is full\n": nil,
		"parley: there is no room\n":                         {"there is\x1b[31m no room"}, // the library's words for it
	} {
		l.trouble = trouble
		got := pastRun(t, l, "list", "--limit", "1")
		if got.Code != process.ExitOK || got.Err != want+"1 of 5 sessions; --all lists all.\n" || strings.Count(got.Out, "\n") != 2 {
			t.Errorf("got %+v", got)
		}
		if got := pastRun(t, l, "show", "7f3a5"); !strings.HasPrefix(got.Err, want) {
			t.Errorf("got %+v", got)
		}
	}
	l.refused, l.trouble = nil, []string{"there is no room"}
	if got := pastRun(t, l, "reindex"); got.Code != process.ExitOK || !strings.Contains(got.Err, "parley: there is no room\n") {
		t.Errorf("got %+v", got)
	}
	l.refused = errors.New("the disk is full")
	if got := pastRun(t, l, "reindex"); got.Code != process.ExitFailure || !strings.Contains(got.Err, "the disk is full") {
		t.Errorf("got %+v", got)
	}
	closed := pastRunIn(t, past{now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return nil, errors.New("no room") }}, "", "list")
	if closed.Code != process.ExitFailure || closed.Err != "parley: no room\n" {
		t.Errorf("got %+v", closed)
	}
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"search", "a"}, {"show", "7f3a5"}, {"stats"}, {"export", "7f3a5"}} {
		l := someShelf()
		l.stats = someStats(3)
		code := 0
		got := clitest.Run(t, nil, "", func(c process.Console) int {
			shut, err := os.CreateTemp(t.TempDir(), "")
			if err != nil {
				t.Fatal(err)
			}
			_ = shut.Close()
			c.Out = shut
			p := past{now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return l, nil }}
			code = pastRunOn(c, p, args...)
			return code
		})
		if code != process.ExitFailure || !strings.Contains(got.Err, "file already closed") {
			t.Errorf("%q into a closed output: code %d, %s", args, code, got.Err)
		}
	}
}

// TestDeleteSessions marks sessions, and takes marks away.
func TestDeleteSessions(t *testing.T) {
	t.Parallel()
	l := someShelf()
	got := pastRun(t, l, "delete", "7f3a9", "7f3a99", "b2c4")
	if got.Code != process.ExitOK || !l.hits[1].Deleted.Equal(nowHere) || !l.hits[2].Deleted.Equal(nowHere) || !l.hits[0].Deleted.IsZero() {
		t.Fatalf("got %+v", got)
	}
	undo := "parley sessions delete --undo 7f3a99d0-55aa-4c11-8888-aaaaaaaaaaaa b2c4d6e8-1111-4222-8333-444444444444\n"
	if !strings.HasSuffix(got.Err, undo) || !strings.Contains(got.Err, "--purge") || strings.Count(got.Out, "Deleted: ") != 2 {
		t.Errorf("got %+v", got)
	}
	got = pastRun(t, l, "delete", "--undo", "7f3a9", "d00d")
	if got.Code != process.ExitOK || !l.hits[1].Deleted.IsZero() || l.hits[2].Deleted.IsZero() || !strings.Contains(got.Out, "Was not deleted: d00d") {
		t.Errorf("got %+v", got)
	}
}

// remover is an agent that deletes sessions, but for one.
type remover struct {
	session.Agent
	stays   session.ID
	removed []session.ID
	closed  int
}

func (r *remover) Close(context.Context) error                    { r.closed++; return nil }
func (r *remover) List(context.Context) ([]session.Stored, error) { return nil, nil }
func (r *remover) Fork(context.Context, session.ID, session.EventID) (session.ID, error) {
	return "", nil
}

func (r *remover) holder() holder { return holder{r.Delete, r.Close} }

func (r *remover) Delete(_ context.Context, id session.ID) error {
	if id == r.stays {
		return fmt.Errorf("delete session %s: it is busy", id)
	}
	r.removed = append(r.removed, id)
	return nil
}

// TestPurgeSessions removes what was deleted, and nothing else.
func TestPurgeSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  []string
		stays int // the session that cannot be removed; -1 for none
		want  []int
		code  int
	}{
		{[]string{"--purge", "--yes"}, -1, []int{2, 6}, process.ExitOK},
		{[]string{"--purge", "--yes", "7f3a9"}, -1, []int{1}, process.ExitOK},
		{[]string{"--purge", "--yes"}, 2, []int{6}, process.ExitFailure},
	} {
		l, r := someShelf(), &remover{}
		l.hits[2].Deleted, l.hits[0].Deleted = nowHere, nowHere // the first is in use
		if c.stays >= 0 {
			r.stays = l.hits[c.stays].ID
		}
		p := past{
			now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return l, nil },
			holder: func(_ context.Context, name string, _ agents.Options) (holder, error) {
				if name != "copilot" {
					t.Errorf("%q was started", name)
				}
				return r.holder(), nil
			},
		}
		got := pastRunIn(t, p, "", append([]string{"delete"}, c.args...)...)
		var want []session.ID
		for _, i := range c.want {
			want = append(want, l.hits[i].ID)
		}
		if got.Code != c.code || !slices.Equal(r.removed, want) || r.closed != 1 || l.erased != 1 {
			t.Errorf("%q: %+v, removed %q, closed %d times and erased %d times, want %q", c.args, got, r.removed, r.closed, l.erased, want)
		}
		if c.stays >= 0 && !strings.Contains(got.Err, "it is busy") {
			t.Errorf("said %q", got.Err)
		}
	}
}

// TestExportSessions writes documents to files and pipes.
func TestExportSessions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	private := fs.FileMode(0o600)
	if runtime.GOOS == "windows" { // where no mode keeps others from a file
		private = 0o666
	}
	for name, want := range map[string]string{
		"a.md": "# Fix the tide table", "a.html": "<!doctype html", "a.txt": "Fix the tide table\n", "a.jsonl": `"type":"user.message"`,
	} {
		file := filepath.Join(dir, name)
		got := pastRun(t, someShelf(), "export", "7f3a5", "--output", file)
		text, err := os.ReadFile(file)
		if got.Code != process.ExitOK || got.Out != "" || err != nil {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		if !strings.Contains(strings.ToLower(string(text)), strings.ToLower(want)) || strings.Contains(string(text), "ghp_8mDkq2WvT") {
			t.Errorf("%s is\n%s", name, text)
		}
		if !strings.Contains(got.Err, "looks like a secret is left out") || !strings.Contains(got.Err, "turn 1") || strings.Contains(got.Err, "WvT5xLz0") {
			t.Errorf("%s: said %q", name, got.Err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != private {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		piped := pastRun(t, someShelf(), "export", "7f3a5", "--format", filepath.Ext(name)[1:])
		if piped.Out != string(text) {
			t.Errorf("%s is another one in a pipe:\n%s", name, piped.Out)
		}
		if got := pastRun(t, someShelf(), "export", "7f3a5", "--output", file, "--turns", "2"); got.Code != process.ExitFailure || !strings.Contains(got.Err, "--force") {
			t.Errorf("%s was there: %+v", name, got)
		}
		if again, err := os.ReadFile(file); err != nil || string(again) != string(text) {
			t.Errorf("%s has changed: %v", name, err)
		}
		got = pastRun(t, someShelf(), "export", "7f3a5", "--output", file, "--turns", "2", "--force")
		if again, err := os.ReadFile(file); err != nil || got.Code != process.ExitOK || strings.Contains(string(again), "Fix the table") || !strings.Contains(string(again), "harbour") {
			t.Errorf("%s: %+v, %v\n%s", name, got, err, again)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 4 {
		t.Errorf("%v, %v", left, err)
	}
	got := pastRun(t, someShelf(), "export", "7f3a5", "--no-redact")
	if !strings.Contains(got.Out, "ghp_8mDkq2WvT5xLz0RbJ7nYhC4sPfE9aU3gXo1i") || !strings.Contains(got.Err, "in it as they are") {
		t.Errorf("got %+v", got)
	}
	if got := pastRun(t, someShelf(), "export", "7f3a5", "--output", filepath.Join(dir, "none", "a.md")); got.Code != process.ExitFailure || !strings.Contains(got.Err, "make the file") {
		t.Errorf("got %+v", got)
	}
}

// TestExportOverOther: what is no plain file is never written over, whoever asks
// for it: a device of the machine would be gone. A name of - is the pipe.
func TestExportOverOther(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, needs string
		create      func(path string) error
	}{
		{"pipe.md", "pipes in folders", sessiontest.Mkfifo},
		{"link.md", "links", func(path string) error { return os.Symlink("aim", path) }},
		{"dir.md", "", func(path string) error { return os.Mkdir(path, 0o700) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.needs != "" {
				sessiontest.UnixOnly(t, c.needs)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, c.name)
			if err := c.create(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{}, {"--force"}} {
				got := pastRun(t, someShelf(), append([]string{"export", "7f3a5", "--output", path}, args...)...)
				after, err := os.Lstat(path)
				if got.Code != process.ExitFailure || !strings.Contains(got.Err, "is no plain file") || err != nil || !os.SameFile(before, after) {
					t.Errorf("%v: %+v, %v", args, got, err)
				}
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("%v, %v", left, err)
			}
		})
	}
	if got := pastRun(t, someShelf(), "export", "7f3a5", "--output", "-"); got.Code != process.ExitOK || !strings.HasPrefix(got.Out, "# Fix the tide table") {
		t.Errorf("got %+v", got)
	}
}

// TestReindex says what was read.
func TestReindex(t *testing.T) {
	t.Parallel()
	l := someShelf()
	l.progress = sessions.Progress{Done: 2000, All: 2000, Bytes: 2 << 30, Size: 2 << 30}
	at := nowHere
	p := past{zone: time.UTC, open: func() (library, error) { return l, nil }, now: func() time.Time {
		at = at.Add(64 * time.Second)
		return at
	}}
	if got := pastRunIn(t, p, "", "reindex"); got != (clitest.Result{Code: process.ExitOK, Out: "2 000 sessions, 2147.5 MB in 1 m 04 s, 33.6 MB a second\n"}) || l.rebuilt != 1 {
		t.Errorf("got %+v", got)
	}
}

// TestProgressLine draws how far an index is.
func TestProgressLine(t *testing.T) {
	t.Parallel()
	half := sessions.Progress{Done: 1000, All: 2000, Bytes: 1 << 30, Size: 2 << 30}
	for _, c := range []struct {
		width   int
		unicode bool
		at      sessions.Progress
		want    string
	}{
		{200, true, half, "Reading past sessions: 1 000 of 2 000, 1073.7 MB of 2147.5 MB  ━━━━━━━━━━━━━━━───────────────"},
		{80, false, half, "Reading past sessions: 1 000 of 2 000, 1073.7 MB of 2147.5 MB  ========---------"},
		{30, true, half, "Reading past sessions: 1 000 o"},
		{0, true, half, ""},
		{80, true, sessions.Progress{Done: 3, All: 3}, ""},
		{80, true, sessions.Progress{All: 1}, "Reading past sessions: 0 of 1, 0 bytes of 0 bytes"},
	} {
		if got := progressLine(c.at, c.width, c.unicode); got != c.want {
			t.Errorf("%d cells: %q, want %q", c.width, got, c.want)
		}
	}
}

// TestSessionsCompletion completes ids and queries.
func TestSessionsCompletion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  string // in what is completed
		never string
	}{
		{[]string{"show", ""}, "7f3a52c1-0d7e-4b52-9f0e-1c3a8a6f0b11\t4 m  Fix the tide table\n", "f0f0f0f0"},
		{[]string{"show", "7f3a9"}, "7f3a99d0-55aa-4c11-8888-aaaaaaaaaaaa\t3 h  Why is", "7f3a52c1"},
		{[]string{"show", "7f3a5", ""}, ":4", "7f3a"},
		{[]string{"delete", "7f3a99d0-55aa-4c11-8888-aaaaaaaaaaaa", ""}, "b2c4", "7f3a99d0"},
		{[]string{"delete", "--undo", ""}, "f0f0f0f0", "7f3a"},
		{[]string{"export", "e0"}, "e0e0e0e0-4444", "7f3a"},
		{[]string{"search", "rep"}, "repo:\t", "tool:"},
		{[]string{"search", "repo:"}, "repo:ada/tide\nrepo:ada/moon\n", "tool:"},
		{[]string{"search", "--", "-is:f"}, "-is:failed", "tool:"},
		{[]string{"stats", "is:f"}, "is:failed", "tool:"},
		{[]string{"list", ""}, ":4", "7f3a"},
	} {
		p := past{now: func() time.Time { return nowHere }, zone: time.UTC, open: func() (library, error) { return someShelf(), nil }}
		got := clitest.Run(t, nil, "", func(con process.Console) int { return pastCompleted(con, p, c.words...) })
		if got.Code != process.ExitOK || !strings.Contains(got.Out, c.want) || strings.Contains(got.Out, c.never) || strings.Contains(got.Out, "\x1b") {
			t.Errorf("%q: %+v, want %q and no %q", c.words, got, c.want, c.never)
		}
	}
}
