package sessions_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
)

// home is a folder in the place of COPILOT_HOME, while a test fills it.
type home struct {
	*testing.T
	dir string
}

func newHome(t *testing.T) home {
	t.Helper()
	return home{t, t.TempDir()}
}

func (h home) path(parts ...string) string {
	return filepath.Join(slices.Insert(parts, 0, h.dir, "session-state")...)
}

// write writes a file and the folders above it.
func (h home) write(text string, parts ...string) {
	h.Helper()
	path := h.path(parts...)
	h.must(os.MkdirAll(filepath.Dir(path), 0o700))
	h.must(os.WriteFile(path, []byte(text), 0o600))
}

func (h home) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h home) list() []sessions.Log {
	h.Helper()
	logs, err := sessions.Copilot(h.dir, nil).List(h.Context())
	h.must(err)
	return logs
}

func ids(logs []sessions.Log) []string {
	var all []string
	for _, l := range logs {
		all = append(all, string(l.ID))
	}
	return all
}

// TestListCopilot lists what the runtime writes, with all that is said of it
// outside of the events.
func TestListCopilot(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, dir := range []string{h.dir, filepath.Join(h.dir, "none"), ""} {
		if logs, err := sessions.Copilot(dir, nil).List(t.Context()); len(logs) > 0 || err != nil {
			t.Errorf("%q holds %v, %v", dir, logs, err)
		}
	}
	h.write(hello, "old", "events.jsonl")
	h.write("", ".session-operation-locks", "old.lock")
	h.write(hello+other, "new", "events.jsonl")
	h.write("id: new\ncwd: /home/ada/shop\ngit_root: /home/ada/shop\nrepository: ada/shop\nbranch: main\nclient_name: parley\nname: 'Tidy: up'\n"+
		"user_named: true\nsummary_count: 0\ncreated_at: 2026-11-20T08:00:00.5Z\nupdated_at: 2026-11-21T08:00:00Z\n", "new", "workspace.yaml")
	h.write(fmt.Sprint(os.Getpid()), "new", fmt.Sprintf("inuse.%d.lock", os.Getpid()))
	h.write("1", "old", "inuse.1073741823.lock")
	h.write("1", "old", "inuse.x.lock")
	h.write("cwd: /x\n", "unused", "workspace.yaml") // no prompt was sent
	then := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	h.must(os.Chtimes(h.path("old", "events.jsonl"), then, then))
	soon := time.Now().Add(time.Hour)
	h.must(os.Chtimes(h.path("new", "workspace.yaml"), soon, soon)) // it may still change, so nothing is kept of it
	logs := h.list()
	if got := ids(logs); !slices.Equal(got, []string{"new", "old"}) {
		t.Fatalf("listed %v", got)
	}
	want := sessions.Log{
		ID: "new", Keeper: "copilot", Agent: "copilot", Path: h.path("new", "events.jsonl"), Size: int64(len(hello + other)), Modified: logs[0].Modified,
		Name: "Tidy: up", Named: true, Dir: "/home/ada/shop", Root: "/home/ada/shop", Repository: "ada/shop", Branch: "main", Client: "parley",
		Created: then.Add(time.Second / 2), InUse: true,
	}
	if logs[0] != want {
		t.Errorf("got  %+v\nwant %+v", logs[0], want)
	}
	if l := logs[1]; l.InUse || !l.Modified.Equal(then) || l.Name != "" {
		t.Errorf("%+v", l)
	}
}

// TestWorkspaceIsReadAgain sees a new name, and keeps what a damaged file still says.
func TestWorkspaceIsReadAgain(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	source := sessions.Copilot(h.dir, nil)
	h.write(hello, "a", "events.jsonl")
	for _, c := range []struct{ text, name, dir string }{
		{"name: first\ncwd: /x\n", "first", "/x"},
		{"name: second one\ncwd: /x\n", "second one", "/x"},
		{"name: [1, 2]\ncwd: /x\n", "", "/x"},
		{"name: 12\ncwd: ~\n", "12", ""},
		{"name: \"a\\u0007\"\ncwd: 'it''s'\n", "a\a", "it's"},
		{"name: |\n  two\n  lines\ncwd: /x # not this\n", "two\nlines\n", "/x"},
		{"\x00\xff garbage: [", "", ""},
		{"a: &a [x,x,x]\nb: &b [*a,*a]\nname: *b\ncwd: /y\n", "", "/y"},
		{"name: " + strings.Repeat("x", 100<<10), "", ""},
		{"", "", ""},
	} {
		h.write(c.text, "a", "workspace.yaml")
		logs, err := source.List(t.Context())
		if err != nil || len(logs) != 1 {
			t.Fatalf("%v, %v", logs, err)
		}
		if logs[0].Name != c.name || logs[0].Dir != c.dir {
			t.Errorf("%.60q gave the name %q and the folder %q", c.text, logs[0].Name, logs[0].Dir)
		}
	}
}

// TestStrangers leaves out what is no session, however it is named.
func TestStrangers(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "names that Windows forbids")
	h := newHome(t)
	outside := filepath.Join(t.TempDir(), "outside")
	h.must(os.MkdirAll(outside, 0o700))
	h.must(os.WriteFile(filepath.Join(outside, "events.jsonl"), []byte(hello), 0o600))
	h.write(hello, "good", "events.jsonl")
	h.write(hello, "with blank", "events.jsonl")
	h.write(hello, "-flag", "events.jsonl")
	h.write(hello, "\x1b[31m", "events.jsonl")
	h.write(hello, ".hidden", "events.jsonl")
	h.write("a file", "file")
	h.must(os.MkdirAll(h.path("folder", "events.jsonl"), 0o700))
	h.must(os.Symlink(outside, h.path("linked")))
	h.must(os.MkdirAll(h.path("inside"), 0o700))
	h.must(os.Symlink(filepath.Join(outside, "events.jsonl"), h.path("inside", "events.jsonl")))
	if got := ids(h.list()); !slices.Equal(got, []string{"good"}) {
		t.Errorf("listed %q", got)
	}
	source := sessions.Copilot(h.dir, nil)
	for _, id := range []session.ID{"", ".", "..", "../x", "good/../good", "linked", "inside", "folder", "file", "none", "/etc", "with blank"} {
		if f, err := source.Open(t.Context(), id); err == nil {
			_ = f.Close()
			t.Errorf("%q was opened", id)
		}
	}
}

// TestUnreadableHome reports a folder that cannot be listed, and lists what can
// be beside what cannot.
func TestUnreadableHome(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "modes of files")
	h := newHome(t)
	h.must(os.WriteFile(filepath.Join(h.dir, "session-state"), nil, 0o600))
	if logs, err := sessions.Copilot(h.dir, nil).List(t.Context()); err == nil || len(logs) > 0 {
		t.Errorf("%v, %v", logs, err)
	}
	h = newHome(t)
	h.write(hello, "good", "events.jsonl")
	h.write(hello, "bad", "events.jsonl")
	h.must(os.Chmod(h.path("bad"), 0))
	t.Cleanup(func() { _ = os.Chmod(h.path("bad"), 0o700) })
	if _, err := os.ReadDir(h.path("bad")); err == nil {
		t.Skip("this user may read everything")
	}
	logs, err := sessions.Copilot(h.dir, nil).List(t.Context())
	if !slices.Equal(ids(logs), []string{"good"}) || err == nil {
		t.Errorf("%v, %v", ids(logs), err)
	}
}

// TestGrowingLog reads a log while it grows: what came later is read the next time.
func TestGrowingLog(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write(hello+other[:40], "a", "events.jsonl")
	source := sessions.Copilot(h.dir, nil)
	var d sessions.Digest
	prompts := func(want int) {
		t.Helper()
		f, err := source.Open(t.Context(), "a")
		h.must(err)
		defer func() { _ = f.Close() }()
		h.must(d.Read(t.Context(), f, func(sessions.Text) {}))
		if d.Prompts != want || d.Unread() != "" {
			t.Errorf("%d prompts instead of %d, %q", d.Prompts, want, d.Unread())
		}
	}
	prompts(1)
	prompts(1)
	f, err := os.OpenFile(h.path("a", "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	h.must(err)
	defer func() { _ = f.Close() }()
	for i, more := range []string{other[40:], third[:1], third[1 : len(third)-1], "\n" + hello} {
		_, err = f.WriteString(more)
		h.must(err)
		prompts([]int{2, 2, 3, 4}[i])
	}
}

// TestNothingIsWritten reads everything there is, and compares the whole home with
// what it was: each byte, each time of change, each mode.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for i, name := range sessiontest.LogNames(t) {
		id := fmt.Sprintf("session-%d", i)
		h.write(string(recorded(t, name)), id, "events.jsonl")
		h.write("cwd: /x\n", id, "workspace.yaml")
		h.must(os.Chmod(h.path(id, "events.jsonl"), 0o400))
	}
	before := fingerprint(t, h.dir)
	source := sessions.Copilot(h.dir, nil)
	for range 2 {
		logs, err := source.List(t.Context())
		h.must(err)
		for _, l := range logs {
			f, err := source.Open(t.Context(), l.ID)
			h.must(err)
			var d sessions.Digest
			h.must(d.Read(t.Context(), f, func(sessions.Text) {}))
			h.must(f.Close())
		}
	}
	if after := fingerprint(t, h.dir); !maps.Equal(before, after) {
		t.Errorf("before\n%v\nafter\n%v", before, after)
	}
}

// fingerprint is all that could change of the files below a folder, by path.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		h := sha256.New()
		_, err = io.Copy(h, f)
		all[path] += fmt.Sprintf(" %d %x", info.Size(), h.Sum(nil))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestHome finds where the runtime keeps its state.
func TestHome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/ada", filepath.Join("/home/ada", ".copilot")},
		{[]string{"COPILOT_HOME=/x"}, "/home/ada", "/x"},
		{[]string{"COPILOT_HOME=/x", "COPILOT_HOME=/y"}, "", "/y"},
		{[]string{"COPILOT_HOME=", "OTHER=1"}, "/home/ada", filepath.Join("/home/ada", ".copilot")},
		{nil, "", ""},
	} {
		if got := sessions.Home(c.env, c.home); got != c.want {
			t.Errorf("%v, %q gave %q", c.env, c.home, got)
		}
	}
}
