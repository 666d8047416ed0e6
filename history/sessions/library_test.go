package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// TestFind looks for what sessions hold, in an index on the disk and in memory.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{t.TempDir(), ""} {
		s := newShelf()
		s.put("one", asked("Write the tide table"), answered("see internal/table.go, foo_bar and --flag"))
		s.put("two", asked("the moon above the tide"), answered("Café à Liège; naïve"))
		s.put("three", asked("潮汐表を書いてください"), answered("ok"))
		s.put("four", asked("nothing of that"), answered(strings.Repeat("x", 100)))
		l := openedIn(t, dir, s)
		mustRefresh(t, l)
		for query, want := range map[string]string{
			"":                        "four one three two",
			"tide":                    "one two",
			"TIDE":                    "one two",
			"tid":                     "one two",
			"t":                       "four one two",
			"tide moon":               "two",
			"tide -moon":              "one",
			"-tide":                   "four three",
			`"tide table"`:            "one",
			`"table tide"`:            "",
			`"tide tab"`:              "",
			`"tide tab"*`:             "one",
			`"tide tabl"*`:            "one",
			"table.go":                "one",
			"table.g":                 "one",
			"internal/table.go":       "one",
			"foo_bar":                 "one",
			"bar":                     "one",
			"--flag":                  "one",
			"cafe":                    "two",
			"CAFÉ":                    "two",
			"Cafe\u0301":              "two",
			"liege":                   "two",
			"汐":                       "three",
			"汐表":                      "three",
			"表汐":                      "",
			"ください":                    "three",
			strings.Repeat("x", 70):   "four",
			"title:moon":              "two",
			"repo:shore":              "four one three two",
			"repo:shore -repo:shore":  "",
			"one":                     "",
			`"tide OR moon"`:          "",
			"tide OR moon":            "",
			"tide AND moon":           "",
			`"tide NEAR moon"`:        "",
			"NEAR(tide moon)":         "",
			"tide*":                   "one two",
			"{words}:tide":            "",
			"^tide":                   "one two",
			"tide AND":                "one", // of its text
			"tide+moon":               "",
			"tide);drop":              "",
			`"tide'table"`:            "one",
			"ada":                     "four one three two", // of the repository's name
			"ada moon":                "two",
			"-ada":                    "",
			"after:2026-11-20":        "four one three two",
			"before:2026-11-20":       "",
			"main":                    "four one three two",
			"\"ada shore main\"":      "", // values are apart
			"moon after:1d is:failed": "",
		} {
			if q, err := ParseQuery(query, midday); err != nil {
				t.Logf("%q is no query: %v", query, err)
			} else if got := ids(t, l, query); got != want {
				t.Errorf("%q: got %q, want %q (%+v)", query, got, want, q)
			}
		}
	}
}

// TestExcerpt looks at the lines that hits come with.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	s := newShelf()
	long := strings.Repeat("before it ", 40) + "the ebb " + strings.Repeat("and after ", 40)
	s.put("one", asked("first line\nthe Tide table here\nlast"), answered(long), answered("潮汐表を書いて"))
	l := openedIn(t, t.TempDir(), s)
	mustRefresh(t, l)
	for query, want := range map[string]string{
		"tide":        "the [Tide] table here",
		"tide tab":    "the [Tide] [table] here",
		`"tide tabl"`: "",
		"汐表":          "潮[汐表]を書いて",
		"ada":         "", // in the name of the repository
		"":            "",
	} {
		found := mustFind(t, l, query)
		got := ""
		if len(found.Sessions) > 0 {
			h := found.Sessions[0]
			got = marked(h.Excerpt, h.Spans)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
	h := mustFind(t, l, "ebb").Sessions[0]
	if len(h.Excerpt) > excerptSize || len(h.Spans) != 1 || h.Excerpt[h.Spans[0][0]:h.Spans[0][1]] != "ebb" {
		t.Errorf("of a long line: %q %v", h.Excerpt, h.Spans)
	}
}

func marked(text string, spans [][2]int) string {
	for i := len(spans) - 1; i >= 0; i-- {
		from, to := spans[i][0], spans[i][1]
		text = text[:from] + "[" + text[from:to] + "]" + text[to:]
	}
	return text
}

// TestFindBeforeRefresh lists what there is as long as there is no index, and uses
// that of an earlier run.
func TestFindBeforeRefresh(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), newShelf()
	s.put("one", asked("Write the tide table"))
	s.change("one", func(l *Log) { l.Name = "Tides" })
	l := openedIn(t, dir, s)
	found := mustFind(t, l, "")
	if len(found.Sessions) != 1 || found.Sessions[0].Title != "Tides" || s.opened != 0 {
		t.Errorf("at first: %+v after opening %d logs", found, s.opened)
	}
	if got := ids(t, l, "tides"); got != "one" {
		t.Errorf("its name is not found: %q", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("looking left files: %v", files)
	}
	mustRefresh(t, l)
	s.failed = errors.New("the folder is gone")
	again := openedIn(t, dir, s)
	if got := ids(t, again, "table"); got != "one" {
		t.Errorf("from the index of an earlier run: %q", got)
	}
}

// TestRefreshReadsWhatIsNew counts how often logs are opened.
func TestRefreshReadsWhatIsNew(t *testing.T) {
	t.Parallel()
	s := newShelf()
	for i := range 20 {
		s.put(session.ID(fmt.Sprintf("s%02d", i)), asked(fmt.Sprintf("word%d", i)))
	}
	l := openedIn(t, t.TempDir(), s)
	mustRefresh(t, l)
	mustRefresh(t, l)
	if s.opened != 20 {
		t.Errorf("%d logs were opened, want 20", s.opened)
	}
	s.put("s03", answered("ebb"))
	s.remove("s04")
	s.change("s05", func(l *Log) { l.Name = "Renamed" })
	s.put("new", asked("moon"))
	mustRefresh(t, l)
	if s.opened != 22 {
		t.Errorf("%d logs were opened, want 22", s.opened)
	}
	for query, want := range map[string]string{"ebb": "s03", "word3": "s03", "word4": "", "renamed": "s05", "word5": "s05", "moon": "new"} {
		if got := ids(t, l, query); got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}

// TestRefreshInSteps changes logs in any way and refreshes in between: the index is
// then as if it were built at once.
func TestRefreshInSteps(t *testing.T) {
	t.Parallel()
	words := []string{"tide", "tidal", "moon", "ebb", "潮汐", "table.go"}
	rapid.Check(t, func(rt *rapid.T) {
		s := newShelf()
		l := openedIn(rt, "", s)
		id := rapid.Custom(func(t *rapid.T) session.ID {
			return session.ID(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"))
		})
		said := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "words"), " ")
		})
		rt.Repeat(map[string]func(*rapid.T){
			"ask":    func(t *rapid.T) { s.put(id.Draw(t, "id"), asked(said.Draw(t, "said"))) },
			"answer": func(t *rapid.T) { s.put(id.Draw(t, "id"), answered(said.Draw(t, "said"))) },
			"half":   func(t *rapid.T) { s.put(id.Draw(t, "id"), `{"type":"user.message","data":{"con`) },
			"remove": func(t *rapid.T) { s.remove(id.Draw(t, "id")) },
			"replace": func(t *rapid.T) {
				i := id.Draw(t, "id")
				s.remove(i)
				s.put(i, asked(said.Draw(t, "said")), answered(said.Draw(t, "said")))
				s.change(i, func(l *Log) { l.Modified = l.Modified.Add(time.Duration(s.opened) * time.Hour) })
			},
			"rename": func(t *rapid.T) {
				i := id.Draw(t, "id")
				if _, ok := s.logs[i]; ok {
					s.change(i, func(l *Log) { l.Name = said.Draw(t, "said") })
				}
			},
			"refresh": func(t *rapid.T) { mustRefresh(t, l) },
		})
		mustRefresh(rt, l)
		same(rt, l, anew(rt, s), words)
	})
}

func anew(t testOrCheck, s Source) *Library {
	t.Helper()
	l := openedIn(t, "", s)
	mustRefresh(t, l)
	return l
}

// same compares what two libraries find.
func same(t testOrCheck, got, want *Library, words []string) {
	t.Helper()
	for _, query := range append([]string{"", `"moon ebb"`, "-moon", "t"}, words...) {
		a, b := mustFind(t, got, query), mustFind(t, want, query)
		for _, f := range []*Found{&a, &b} {
			f.Warnings = nil
			for i := range f.Sessions { // which part of a text has the hit depends on the parts
				f.Sessions[i].Excerpt, f.Sessions[i].Spans = "", nil
				f.Sessions[i].Created, f.Sessions[i].Modified = time.Time{}, time.Time{}
			}
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%q:\n got %+v\nwant %+v", query, a, b)
		}
	}
}

// TestUnreadable keeps a log that cannot be opened, and reads it as soon as it can.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.put("one", asked("tide"))
	s.put("two", asked("tide"))
	s.closed["one"] = fs.ErrPermission
	l := openedIn(t, t.TempDir(), s)
	mustRefresh(t, l)
	mustRefresh(t, l)
	one, err := l.Get(t.Context(), "one")
	if err != nil || one.ReadProblem != "its log may not be read" {
		t.Errorf("got %q, %v", one.ReadProblem, err)
	}
	if got, all := ids(t, l, "tide"), ids(t, l, "shore"); got != "two" || all != "one two" {
		t.Errorf("found %q, and by the folder %q", got, all)
	}
	delete(s.closed, "one")
	mustRefresh(t, l)
	if one, _ = l.Get(t.Context(), "one"); one.ReadProblem != "" || one.Prompts != 1 {
		t.Errorf("later: %+v", one)
	}
}

// TestReadProblem counts the damaged lines of a log as it is now, whatever the index has
// read of it, and one that was not written to its end.
func TestReadProblem(t *testing.T) {
	t.Parallel()
	s := newShelf()
	l := openedIn(t, t.TempDir(), s)
	for _, step := range []struct{ written, want string }{
		{asked("tide"), ""},
		{"\n\n" + asked("moon")[:40] + "\n" + asked("ebb"), "1 line of its log is damaged"},
		{"garbage\n" + asked("flow")[:60], "3 lines of its log are damaged"},
		{asked("flow")[60:], "2 lines of its log are damaged"},
	} {
		for range 2 {
			s.put("one", step.written)
			if got, err := l.ReadProblem(t.Context(), "one"); err != nil || got != step.want {
				t.Errorf("after %q: %q, %v", step.written, got, err)
			}
			step.written = ""
			mustRefresh(t, l)
		}
	}
	s.remove("one")
	s.put("one", asked("another"))
	if got, err := l.ReadProblem(t.Context(), "one"); err != nil || got != "" {
		t.Errorf("a log that was replaced: %q, %v", got, err)
	}
	s.closed["one"] = fs.ErrPermission
	if _, err := l.ReadProblem(t.Context(), "one"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("one that may not be read: %v", err)
	}
	if _, err := l.ReadProblem(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("one that is not there: %v", err)
	}
}

// TestSourceFails keeps what is known while a source cannot list.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.put("one", asked("moon"))
	l := openedIn(t, t.TempDir(), s)
	mustRefresh(t, l)
	s.failed = errors.New("no such folder")
	s.logs = map[session.ID]Log{}
	mustRefresh(t, l)
	found := mustFind(t, l, "moon")
	if len(found.Sessions) != 1 || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "no such folder") {
		t.Errorf("got %+v", found)
	}
	s.failed = nil
	mustRefresh(t, l)
	if found = mustFind(t, l, ""); found.Total != 0 || found.Warnings != nil {
		t.Errorf("when it lists nothing again: %+v", found)
	}
}

// TestCancel ends a refresh while a log is read; the next one completes.
func TestCancel(t *testing.T) {
	t.Parallel()
	s := newShelf()
	for i := range 30 {
		s.put(session.ID(fmt.Sprintf("s%02d", i)), asked("moon"), answered(strings.Repeat("tide ", 30_000)))
	}
	dir := t.TempDir()
	l := openedIn(t, dir, s)
	ctx, cancel := context.WithCancel(t.Context())
	s.reads = func(id session.ID) {
		if id == "s10" { // the last is read first
			cancel()
		}
	}
	if err := l.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if found := mustFind(t, l, "repo:shore"); found.Total != 30 || !found.Indexing.Busy() {
		t.Errorf("after that: %d, %+v", found.Total, found.Indexing)
	}
	if found := mustFind(t, openedIn(t, dir, s), "repo:shore"); found.Total != 30 { // another process, meanwhile
		t.Errorf("another found %d", found.Total)
	}
	before := s.opened
	s.reads = nil
	mustRefresh(t, l)
	if s.opened-before >= 30 {
		t.Error("nothing of what was read stayed")
	}
	same(t, l, anew(t, s), []string{"moon", "tide"})
}

// TestGrows reads a log to which is written meanwhile.
func TestGrows(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), newShelf()
	s.put("one", asked("moon"))
	l := openedIn(t, dir, s)
	for i := range 60 {
		grown := false
		s.reads = func(session.ID) {
			if !grown {
				grown = true
				s.put("one", answered(fmt.Sprintf("word%d", i)))
			}
		}
		mustRefresh(t, l)
	}
	s.reads = nil
	mustRefresh(t, l)
	for i := range 60 {
		if got := ids(t, l, fmt.Sprintf(`"word%d"`, i)); got != "one" {
			t.Errorf("word%d: %q", i, got)
		}
	}
	same(t, l, anew(t, s), []string{"moon", "word1", "word59"})
}

func TestGet(t *testing.T) {
	t.Parallel()
	s := newShelf()
	s.put("abcd-1", asked("tide"))
	s.put("abcd-2", asked("moon"))
	s.put("abcd", asked("ebb"))
	l := openedIn(t, t.TempDir(), s)
	for id, want := range map[session.ID]string{"abcd-1": "abcd-1", "abcd": "abcd", "abc": "", "xxxx": "", "": ""} {
		got, err := l.Get(t.Context(), id)
		if string(got.ID) != want || (want == "") != errors.Is(err, ErrNotFound) {
			t.Errorf("%q: got %q, %v", id, got.ID, err)
		}
	}
	s.remove("abcd")
	mustRefresh(t, l)
	var many *AmbiguousError
	if _, err := l.Get(t.Context(), "abcd"); !errors.As(err, &many) || len(many.Candidates) != 2 {
		t.Errorf("got %v", err)
	}
	s.put("late", asked("new"))
	if got, err := l.Get(t.Context(), "late"); err != nil || got.ID != "late" {
		t.Errorf("one that is new: %v", err)
	}
	r, err := l.Read(t.Context(), "late")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(r); err != nil || string(b) != asked("new") {
		t.Errorf("read %q, %v", b, err)
	}
	_ = r.Close()
}

// TestPrivate looks at who may read what was said.
func TestPrivate(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "modes of files")
	dir := filepath.Join(t.TempDir(), "a", "parley")
	s := newShelf()
	s.put("one", asked("tide"))
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

// TestWords holds what is indexed to what is looked for and marked.
func TestWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringOfN(rapid.SampledFrom([]rune("aZ9_.- é\u0301\u1ebf潮か表ไ้ßİø\u200d\ufeff\x00\"*")), 0, 200, -1),
			rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
		).Draw(t, "text")
		var want strings.Builder
		end := 0
		for _, w := range tokens(text) {
			want.WriteString(w.word + " ")
			if w.start < end || w.end <= w.start || w.end > len(text) {
				t.Fatalf("%q is at %d to %d of %q", w.word, w.start, w.end, text)
			}
			end = w.end
		}
		if got := string(fold(nil, text)); got != want.String() {
			t.Fatalf("%q: %q is indexed, %q is looked for", text, got, want.String())
		}
		again := string(fold(nil, want.String()))
		if again != want.String() {
			t.Fatalf("%q: folded twice it is %q, not %q", text, again, want.String())
		}
	})
}
