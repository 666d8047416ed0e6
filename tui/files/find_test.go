package files

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// project is what the tables look through.
func project() *Index {
	return index([]string{
		"README.md", "go.mod", "main.go", ".github/workflows/test.yml", "cmd/app/main.go", "docs/index.md", "docs/tui/index.md",
		"internal/timeline/entry.go", "internal/timeline/entry_test.go", "src/app/(group)/[id].tsx", "src/app/page.tsx",
		"src/components/Button.tsx", "src/components/ButtonGroup.tsx", "src/components/button.css", "src/index.ts",
		"tui/mention.go", "tui/editor_view.go", "tui/view.go", "tui/files/index.go", "Überblick.md", "bad\xff.txt",
	}, maxEntries)
}

func found(x *Index, query string, frecency map[string]float64, limit int) []string {
	var out []string
	for _, m := range x.Find(query, frecency, limit) {
		if m.Dir {
			m.Path += "/"
		}
		out = append(out, m.Path)
	}
	return out
}

func TestFind(t *testing.T) {
	t.Parallel()
	x := project()
	for _, c := range []struct {
		name, query string
		frecency    map[string]float64
		want        []string // the first ones
	}{
		{"nothing typed", "", nil, []string{".github/", "README.md", "bad\xff.txt", "cmd/", "docs/", "go.mod"}},
		{"nothing typed, some used before", "", map[string]float64{"tui/view.go": 3, "docs": 0.5, "gone": 9}, []string{"tui/view.go", "docs/", ".github/"}},
		{"a name", "view.go", nil, []string{"tui/view.go", "tui/editor_view.go"}},
		{"the start of a name", "ment", nil, []string{"tui/mention.go"}},
		{"letters with others between", "edvw", nil, []string{"tui/editor_view.go"}},
		{"the name before the folder", "tui", nil, []string{"tui/", "docs/tui/"}},
		{"the shallower first", "main", nil, []string{"main.go", "cmd/app/main.go"}},
		{"used before", "main", map[string]float64{"cmd/app/main.go": 1}, []string{"cmd/app/main.go", "main.go"}},
		{"folder and name", "tui/view", nil, []string{"tui/view.go", "tui/editor_view.go"}},
		{"folder and name run together", "tuiview", nil, []string{"tui/view.go"}},
		{"two folders", "do/tu/in", nil, []string{"docs/tui/index.md"}},
		{"small letters", "button", nil, []string{"src/components/Button.tsx", "src/components/button.css", "src/components/ButtonGroup.tsx"}},
		{"a large letter", "Button", nil, []string{"src/components/Button.tsx", "src/components/ButtonGroup.tsx"}},
		{"large letters", "BG", nil, []string{"src/components/ButtonGroup.tsx"}},
		{"brackets", "[id]", nil, []string{"src/app/(group)/[id].tsx"}},
		{"without the accent", "uber", nil, []string{"Überblick.md"}},
		{"with the accent", "überb", nil, []string{"Überblick.md"}},
		{"no UTF-8", "bad", nil, []string{"bad\xff.txt"}},
		{"a folder", "tui/", nil, []string{"tui/files/", "tui/editor_view.go", "tui/mention.go", "tui/view.go"}},
		{"a folder, some used before", "tui/", map[string]float64{"tui/view.go": 1}, []string{"tui/view.go", "tui/files/"}},
		{"a part of a folder", "timel/", nil, []string{"internal/timeline/entry.go", "internal/timeline/entry_test.go"}},
		{"hidden", "github", nil, []string{".github/"}},
		{"nothing", "qqq", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := found(x, c.query, c.frecency, 50)
			if c.want == nil && len(got) > 0 || len(got) < len(c.want) || !slices.Equal(got[:len(c.want)], c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestFindBounds(t *testing.T) {
	t.Parallel()
	x := project()
	if got := x.Find("", nil, 3); len(got) != 3 {
		t.Errorf("%d found", len(got))
	}
	for _, limit := range []int{0, -1} {
		if got := x.Find("main", nil, limit); got != nil {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
	if got := x.Find(strings.Repeat("a", maxQuery+1), nil, 3); got != nil {
		t.Errorf("got %v", got)
	}
	if got := x.Find(strings.Repeat("a", maxQuery), nil, 3); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	x := project()
	for _, c := range []struct{ query, path, want string }{
		{"view", "tui/view.go", "tui/[view].go"},
		{"edvw", "tui/editor_view.go", "tui/[ed]itor_[v]ie[w].go"},
		{"tui/view", "tui/view.go", "[tui/view].go"},
		{"tuiview", "tui/view.go", "[tui]/[view].go"},
		{"überb", "Überblick.md", "[Überb]lick.md"},
		{"bad.t", "bad\xff.txt", "[bad]\xff[.t]xt"},
		{"docs/", "docs/index.md", "[docs/]index.md"},
		{"", "go.mod", "go.mod"},
	} {
		at := slices.IndexFunc(x.Find(c.query, nil, 50), func(m Match) bool { return m.Path == c.path })
		if at < 0 {
			t.Errorf("%q: no %q", c.query, c.path)
			continue
		}
		if got := marked(x.Find(c.query, nil, 50)[at]); got != c.want {
			t.Errorf("%q: got %q, want %q", c.query, got, c.want)
		}
	}
}

// marked is the path of a match with its spans in brackets.
func marked(m Match) string {
	var b strings.Builder
	last := 0
	for _, s := range m.Spans {
		b.WriteString(m.Path[last:s[0]] + "[" + m.Path[s[0]:s[1]] + "]")
		last = s[1]
	}
	return b.String() + m.Path[last:]
}

// TestFindSkipsNothing holds what is found in short against the same search
// that looks at everything.
func TestFindSkipsNothing(t *testing.T) {
	t.Parallel()
	x := index(tree(15_000), maxEntries) // more than three goroutines take at a time
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.OneOf(rapid.StringOfN(rapid.SampledFrom([]rune("aeiorstn/.-cE")), 0, 8, -1), rapid.SampledFrom(queries)).Draw(t, "query")
		frecency := rapid.MapOfN(rapid.Custom(func(t *rapid.T) string {
			return string(x.paths[rapid.IntRange(0, x.Len()-1).Draw(t, "entry")])
		}), rapid.Float64Range(0, 100), 0, 20).Draw(t, "frecency")
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		all := x.search(query, frecency, x.Len())
		want := all.run()
		got := x.search(query, frecency, limit).run()
		if !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Fatalf("got %v, want %v", got, want[:min(limit, len(want))])
		}
		for _, r := range want[:min(200, len(want))] {
			checkMatch(t, all, r, query)
		}
	})
}

// checkMatch fails unless the spans of a match spell the query, and its score
// is at most what the search takes for the highest.
func checkMatch(t *rapid.T, s *search, r ranked, query string) {
	m := s.match(r)
	spelt, last := "", 0
	for _, span := range m.Spans {
		if span[0] < last || span[1] <= span[0] || span[1] > len(m.Path) {
			t.Fatalf("spans %v of %q", m.Spans, m.Path)
		}
		spelt += m.Path[span[0]:span[1]]
		last = span[1]
	}
	if !s.pattern.exactCase {
		spelt = strings.ToLower(spelt)
	}
	if spelt != query || r.score > s.most+mostBoost {
		t.Fatalf("%v spell %q in %q", m.Spans, spelt, m.Path)
	}
}

// TestMatching holds our match of a text to that of fzf.
func TestMatching(t *testing.T) {
	t.Parallel()
	letters := []rune("abcAB/.-é Éöß0Кк\u212aıİ漢e\u0301")
	rapid.Check(t, func(t *rapid.T) {
		p := newPattern(rapid.StringOfN(rapid.SampledFrom(letters), 1, 5, -1).Draw(t, "query"))
		text := []byte(rapid.StringOfN(rapid.SampledFrom(letters), 0, 12, -1).Draw(t, "text"))
		score, ok := p.score(text, newSlab())
		if ours := p.before(text) == 0; ours != ok {
			t.Fatalf("%q in %q: fzf says %v", string(p.runes), text, ok)
		}
		if score > ceiling(len(p.runes)) {
			t.Fatalf("%q in %q: %d", string(p.runes), text, score)
		}
	})
}

func TestFuzzy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, word, want string }{
		{"Switch the model", "model", "Switch the [model]"},
		{"Switch the model", "swmo", "[Sw]itch the [mo]del"},
		{"Switch the model", "M", ""},
		{"Überblick", "uber", "[Über]blick"},
		{"\xffab", "a", "\xff[a]b"},
		{"ab", "", ""},
		{"ab", "abc", ""},
		{strings.Repeat("a", 2000), strings.Repeat("a", 2000), ""},
	} {
		score, spans := Fuzzy(c.text, c.word)
		got := ""
		if score > 0 {
			got = marked(Match{Path: c.text, Spans: spans})
		}
		if got != c.want {
			t.Errorf("%.20q in %.20q: %q, want %q", c.word, c.text, got, c.want)
		}
	}
	exact, _ := Fuzzy("model", "model")
	if spread, _ := Fuzzy("may or despel", "model"); spread >= exact {
		t.Errorf("spread letters score %d, whole ones %d", spread, exact)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	write(t, home, "notes/todo.md", "notes/done.md", ".profile")
	write(t, dir, "work/a.go", "work/sub/b.go", "other/c.go", "work/node_modules/left/pad.js", "work/.gitignore=node_modules\n")
	here := []string{"./node_modules/", "./sub/", "./a.go", "./link/", "./.gitignore"}
	if runtime.GOOS == "windows" { // where a user makes no links
		here = slices.Delete(here, 3, 4)
	} else if err := os.Symlink(filepath.Join(dir, "other"), filepath.Join(dir, "work", "link")); err != nil {
		t.Fatal(err)
	}
	x, err := read(t.Context(), filepath.Join(dir, "work"), home, "", usual())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"./", here},
		{"./s", []string{"./sub/", "./node_modules/"}},
		{"..", []string{"../other/", "../work/"}},
		{"../oth", []string{"../other/"}},
		{"../other/", []string{"../other/c.go"}},
		{"~", []string{"~/notes/", "~/.profile"}},
		{"~/", []string{"~/notes/", "~/.profile"}},
		{"~/notes/to", []string{"~/notes/todo.md"}},
		{filepath.ToSlash(home) + "/no", []string{filepath.ToSlash(home) + "/notes/"}},
		{"~/nowhere/", nil},
		{"sub/", []string{"sub/b.go"}},
		{"node_modules/", []string{"node_modules/left/"}}, // left out, but named
		{"node_modules/left/p", []string{"node_modules/left/pad.js"}},
		{"nowhere/", nil},
	} {
		if got := found(x, c.query, nil, 50); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.query, got, c.want)
		}
	}
	if got := found(x, "~/notes/", map[string]float64{"~/notes/todo.md": 1}, 1); !slices.Equal(got, []string{"~/notes/todo.md"}) {
		t.Errorf("with a frecency: %q", got)
	}
	if got := marked(x.Find("~/notes/to", nil, 1)[0]); got != "[~/notes/to]do.md" {
		t.Errorf("spans: %q", got)
	}
	homeless := *x
	homeless.home = ""
	if got := homeless.Find("~/", nil, 5); got != nil {
		t.Errorf("without a home: %v", got)
	}
}

// write makes files below dir, with what follows a "=" in them.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for _, file := range files {
		name, content, _ := strings.Cut(file, "=")
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
