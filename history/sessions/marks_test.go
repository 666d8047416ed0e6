package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley/history/lock"
	"parley/session"
	"parley/session/sessiontest"
)

func mustChange(t *testing.T, m *Marks, id session.ID, change func(*Mark)) {
	t.Helper()
	if err := m.Change(t.Context(), id, change); err != nil {
		t.Fatal(err)
	}
}

func mustAll(t *testing.T, m *Marks) map[session.ID]Mark {
	t.Helper()
	all, err := m.All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

// marksFiles are the names in the folder of the marks.
func marksFiles(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestMarks(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"in memory": "", "in a file": filepath.Join(t.TempDir(), "deep", "state", "marks.json")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := OpenMarks(path)
			equal(t, "at first", mustAll(t, m), map[session.ID]Mark{})
			equal(t, "unknown", m.Get("x"), Mark{})
			deleted := time.Date(2026, 11, 22, 12, 0, 0, 5, time.FixedZone("x", 3600))
			mustChange(t, m, "a", func(k *Mark) { k.Name, k.Pinned = "Tide", true })
			mustChange(t, m, "b", func(k *Mark) { k.Deleted, k.Archived = deleted, true })
			mustChange(t, m, "a", func(k *Mark) { k.Tags = append(k.Tags, "Work", "#low water", "work") })
			want := map[session.ID]Mark{
				"a": {Name: "Tide", Pinned: true, Tags: []string{"low", "water", "work"}},
				"b": {Archived: true, Deleted: deleted.UTC()},
			}
			equal(t, "all", mustAll(t, m), want)
			equal(t, "one", m.Get("a"), want["a"])
			got := m.Get("a")
			got.Tags[0] = "mine"
			equal(t, "what one got is one's own", m.Get("a"), want["a"])
			if path != "" {
				equal(t, "another process", mustAll(t, OpenMarks(path)), want)
				info, err := os.Stat(path)
				if err != nil || sessiontest.Unix && info.Mode().Perm() != 0o600 {
					t.Errorf("%v %v", info.Mode(), err)
				}
			}
			mustChange(t, m, "b", func(k *Mark) { k.Deleted, k.Archived = time.Time{}, false })
			mustChange(t, m, "a", func(k *Mark) { *k = Mark{} })
			equal(t, "in the end", mustAll(t, m), map[session.ID]Mark{})
			if err := m.Change(t.Context(), "", func(*Mark) {}); err == nil {
				t.Error("a session without an id has a mark")
			}
		})
	}
}

// TestMarksOfOthers: what another process changed is seen, also what an editor
// wrote, and a file that is gone.
func TestMarksOfOthers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "marks.json")
	one, other := OpenMarks(path), OpenMarks(path)
	mustChange(t, one, "a", func(k *Mark) { k.Name = "one" })
	equal(t, "seen", other.Get("a").Name, "one")
	mustChange(t, other, "b", func(k *Mark) { k.Name = "other" })
	equal(t, "seen back", one.Get("b").Name, "other")
	mustChange(t, one, "a", func(k *Mark) { k.Name = "three" })
	equal(t, "both there", slices.Sorted(maps.Keys(mustAll(t, other))), []session.ID{"a", "b"})
	if err := os.WriteFile(path, []byte(`{"version":1,"sessions":{"c":{"name":"\u001bhand\nmade","tags":["X y"]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	equal(t, "an editor", mustAll(t, one), map[session.ID]Mark{"c": {Name: "hand made", Tags: []string{"x", "y"}}})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	equal(t, "gone", mustAll(t, one), map[session.ID]Mark{})
}

// TestMarksAreReadAgain when the file is another, or newer, or longer.
func TestMarksAreReadAgain(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path, text string, then time.Time) error{
		"another": func(path, text string, then time.Time) error {
			return errors.Join(os.WriteFile(path+"2", []byte(text), 0o600), os.Chtimes(path+"2", then, then), os.Rename(path+"2", path))
		},
		"newer": func(path, text string, then time.Time) error {
			return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, then, then.Add(time.Second)))
		},
		"longer": func(path, text string, then time.Time) error {
			return errors.Join(os.WriteFile(path, []byte(text+"\n"), 0o600), os.Chtimes(path, then, then))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, then := filepath.Join(t.TempDir(), "marks.json"), time.Unix(1e9, 0)
			if err := errors.Join(os.WriteFile(path, []byte(`{"sessions":{"a":{"name":"x"}}}`), 0o600), os.Chtimes(path, then, then)); err != nil {
				t.Fatal(err)
			}
			m := OpenMarks(path)
			equal(t, "before", m.Get("a").Name, "x")
			if err := change(path, `{"sessions":{"a":{"name":"y"}}}`, then); err != nil {
				t.Fatal(err)
			}
			equal(t, "after", m.Get("a").Name, "y")
		})
	}
}

// TestDamageOfMarksThatWereRead: what one process knew before the damage comes back.
func TestDamageOfMarksThatWereRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "marks.json")
	m := OpenMarks(path)
	mustChange(t, m, "a", func(k *Mark) { k.Name = "Tide" })
	if err := os.Truncate(path, 20); err != nil {
		t.Fatal(err)
	}
	all, err := m.All()
	if err == nil || !strings.Contains(err.Error(), "put aside as "+path+".damaged-1: ") {
		t.Errorf("got %v", err)
	}
	equal(t, "marks", all, map[session.ID]Mark{"a": {Name: "Tide"}})
	equal(t, "marks in the file", mustAll(t, OpenMarks(path)), all)
	equal(t, "files", marksFiles(t, path), []string{"marks.json", "marks.json.damaged-1", "marks.json.lock"})
}

// TestMarksOfANewerVersion keeps what it does not know.
func TestMarksOfANewerVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "marks.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"version":7,"sessions":{"a":{"colour":"red"},"b":{"name":"B","stars":[1,2]}},"groups":{"x":1}}`)
	m := OpenMarks(path)
	equal(t, "what is known", mustAll(t, m), map[session.ID]Mark{"b": {Name: "B"}})
	mustChange(t, m, "b", func(k *Mark) { k.Name = "" })
	mustChange(t, m, "c", func(k *Mark) { k.Pinned = true })
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	squeezed := strings.Join(strings.Fields(string(text)), "")
	equal(t, "file", squeezed, `{"version":7,"sessions":{"a":{"colour":"red"},"b":{"stars":[1,2]},"c":{"pinned":true}},"groups":{"x":1}}`)

	write(`{"version":8,"sessions":[]}`)
	if err := m.Change(t.Context(), "c", func(k *Mark) { k.Name = "x" }); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a file of another shape is written: %v", err)
	}
	equal(t, "files", marksFiles(t, path), []string{"marks.json", "marks.json.lock"})
}

// TestDamagedMarks are put aside, reported once, and never overwritten.
func TestDamagedMarks(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"empty": "", "half": `{"version":1,"sessions":{"a":{"na`, "garbage": "\x00\xff\x01", "another shape": `{"version":1,"sessions":[]}`,
		"no UTF-8": "{\"version\":1,\"sessions\":{\"a\":{\"name\":\"\xff\"}}}", "a wrong type": `{"sessions":{"a":{"pinned":"yes"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "marks.json")
			for n, first := range []func(*Marks){
				func(m *Marks) { equal(t, "get", m.Get("a"), Mark{}) },
				func(m *Marks) { mustChange(t, m, "new", func(k *Mark) { k.Pinned = true }) },
			} {
				if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
					t.Fatal(err)
				}
				m := OpenMarks(path)
				first(m)
				_, err := m.All()
				aside := fmt.Sprintf("%s.damaged-%d", path, n+1)
				if err == nil || !strings.Contains(err.Error(), "put aside as "+aside+": ") {
					t.Fatalf("got %v", err)
				}
				if regexp.MustCompile(`jsontext|unmarshal`).MatchString(err.Error()) {
					t.Errorf("words of the decoder: %v", err)
				}
				kept, err := os.ReadFile(aside)
				if err != nil || string(kept) != damage {
					t.Errorf("kept %q (%v)", kept, err)
				}
				mustChange(t, m, "new", func(k *Mark) { k.Archived = true })
				if !mustAll(t, m)["new"].Archived {
					t.Error("what is noted afterwards is lost")
				}
			}
		})
	}
}

// TestMarksThatCannotBeKept: the error says why, and what was there stays.
func TestMarksThatCannotBeKept(t *testing.T) {
	t.Parallel()
	note := func(k *Mark) { k.Name = "new" }
	t.Run("a file where the folder should be", func(t *testing.T) {
		t.Parallel()
		sessiontest.UnixOnly(t, "an error of its own for a path below a file")
		path := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		m := OpenMarks(filepath.Join(path, "marks.json"))
		if err := m.Change(t.Context(), "a", note); !errors.Is(err, syscall.ENOTDIR) {
			t.Error(err)
		}
		equal(t, "mark", m.Get("a"), Mark{})
		if _, err := m.All(); err == nil {
			t.Error("no error is reported")
		}
	})
	t.Run("no place", func(t *testing.T) {
		t.Parallel()
		sessiontest.UnixOnly(t, "/dev/full")
		path := filepath.Join(t.TempDir(), "marks.json")
		m := OpenMarks(path)
		mustChange(t, m, "a", func(k *Mark) { k.Name = "old" })
		if err := os.Symlink("/dev/full", path+".new"); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("there is no /dev/full")
		}
		err := m.Change(t.Context(), "a", note)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Error(err)
		}
		equal(t, "mark", m.Get("a").Name, "old")
		equal(t, "mark of others", OpenMarks(path).Get("a").Name, "old")
		mustChange(t, m, "a", note)
		equal(t, "mark when there is place", m.Get("a").Name, "new")
	})
	t.Run("no permission", func(t *testing.T) {
		t.Parallel()
		sessiontest.UnixOnly(t, "modes of files")
		if os.Getuid() == 0 {
			t.Skip("root may do all")
		}
		dir := t.TempDir()
		m := OpenMarks(filepath.Join(dir, "marks.json"))
		mustChange(t, m, "a", func(k *Mark) { k.Name = "old" })
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
		if err := m.Change(t.Context(), "a", note); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
		equal(t, "mark", m.Get("a").Name, "old")
	})
	t.Run("no file", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "marks.json")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		m := OpenMarks(path)
		if err := m.Change(t.Context(), "a", note); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Error(err)
		}
	})
	t.Run("locked", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "marks.json")
		held, err := lock.Try(path + ".lock")
		if held == nil {
			t.Fatal(err)
		}
		defer func() { _ = held.Release() }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		m := OpenMarks(path)
		if err := m.Change(ctx, "a", note); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
		if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := m.All(); err == nil {
			t.Error("damage is not reported while another process has the lock")
		}
		equal(t, "files", marksFiles(t, path), []string{"marks.json", "marks.json.lock"})
	})
}

// TestMarkForm: whatever is noted is one line and small, and stays as it is when
// it is noted again.
func TestMarkForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": nil, " , #": nil, "Work, urgent": {"urgent", "work"}, "#b #a a": {"a", "b"}, "a\x1b[2Jb\x00c": {"[2jb", "a", "c"}, "Ünder": {"ünder"},
	} {
		if got := Tags(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	var many strings.Builder
	for i := range 2 * tagsLimit {
		fmt.Fprintf(&many, "t%d ", i)
	}
	equal(t, "tags at most", len(Tags(many.String())), tagsLimit)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("tide 潮", 40)), rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		}))
		m := Mark{Name: text.Draw(t, "name"), Tags: rapid.SliceOf(text).Draw(t, "tags")}.normalized()
		for _, s := range append(slices.Clone(m.Tags), m.Name) {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || utf8.RuneCountInString(s) > nameLimit {
				t.Errorf("%q", s)
			}
		}
		if len(m.Tags) > tagsLimit || !slices.IsSorted(m.Tags) || len(slices.Compact(slices.Clone(m.Tags))) != len(m.Tags) {
			t.Errorf("%q", m.Tags)
		}
		if again := m.normalized(); !reflect.DeepEqual(again, m) {
			t.Errorf("%#v and then %#v", m, again)
		}
	})
}

// playMark adds to the count in the name of one session, and notes as many others,
// until it is killed or has done it as often as its argument says. After each it prints a line.
func playMark(path, argument string) error {
	name, times, _ := strings.Cut(argument, " ")
	most, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	m := OpenMarks(path)
	for i := range most {
		err := errors.Join(
			m.Change(context.Background(), "shared", func(k *Mark) {
				n, _ := strconv.Atoi(k.Name) // "" is none
				k.Name = strconv.Itoa(n + 1)
			}),
			m.Change(context.Background(), session.ID(fmt.Sprintf("%s-%d", name, i)), func(k *Mark) { k.Pinned = true }),
		)
		if err != nil {
			return err
		}
		if _, err := fmt.Println(i + 1); err != nil { //nolint:forbidigo // the other end of a pipe
			return err
		}
	}
	return nil
}

// TestMarksOfSeveralProcesses loses no change of any.
func TestMarksOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	const processes, times = 3, 15
	path := filepath.Join(t.TempDir(), "marks.json")
	mine := OpenMarks(path)
	var all []*sessiontest.Process
	for i := range processes {
		all = append(all, sessiontest.Start(t, "mark", path, fmt.Sprintf("p%d %d", i, times)))
	}
	var together sync.WaitGroup
	for i := range times {
		together.Go(func() {
			if err := mine.Change(t.Context(), session.ID(fmt.Sprintf("mine-%d", i)), func(k *Mark) { k.Pinned = true }); err != nil {
				t.Error(err)
			}
			if _, err := mine.All(); err != nil {
				t.Error(err)
			}
		})
	}
	together.Wait()
	for _, p := range all {
		p.End(t)
	}
	marks := mustAll(t, OpenMarks(path))
	equal(t, "shared", marks["shared"].Name, strconv.Itoa(processes*times))
	equal(t, "sessions", len(marks), 1+(processes+1)*times)
}

// TestKilledWhileNoting: every change that a process had said is there, the file
// is whole, and the next one is not kept from it.
func TestKilledWhileNoting(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "marks.json")
	random := rand.New(rand.NewPCG(9, 24))
	for g := range 8 {
		p := sessiontest.Start(t, "mark", path, fmt.Sprintf("g%d 100000", g))
		said := 0
		for range 1 + random.IntN(5) {
			if line, err := p.Out.ReadString('\n'); err == nil {
				said, _ = strconv.Atoi(strings.TrimSpace(line))
			}
		}
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err == nil || p.Errors.Len() > 0 {
			t.Fatalf("it ended by itself: %v %s", err, p.Errors)
		}
		marks := mustAll(t, OpenMarks(path))
		for i := range said {
			if !marks[session.ID(fmt.Sprintf("g%d-%d", g, i))].Pinned {
				t.Errorf("generation %d: change %d of %d is lost", g, i, said)
			}
		}
	}
	mustChange(t, OpenMarks(path), "last", func(k *Mark) { k.Pinned = true })
	equal(t, "files", marksFiles(t, path), []string{"marks.json", "marks.json.lock"})
}
