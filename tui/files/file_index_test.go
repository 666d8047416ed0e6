package files

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// listOf is all entries in order, folders with a slash.
func listOf(x *Index) []string {
	var out []string
	for i := range x.Len() {
		out = append(out, string(x.paths[i]))
	}
	return out
}

func TestIndex(t *testing.T) {
	t.Parallel()
	x := index([]string{"src/b.go", "a", "src-x/c", "src/lib/z.go", "src.go", "nested/", "nested/", "src/a.go", "deep/er/f"}, maxEntries)
	want := []string{
		"a", "deep/", "nested/", "src-x/", "src.go", "src/",
		"deep/er/", "src-x/c", "src/a.go", "src/b.go", "src/lib/",
		"deep/er/f", "src/lib/z.go",
	}
	if got := listOf(x); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if x.Len() != len(want) || x.Cut() {
		t.Errorf("%d entries, cut %v", x.Len(), x.Cut())
	}
}

func TestIndexOfNothing(t *testing.T) {
	t.Parallel()
	x := index(nil, maxEntries)
	if x.Len() != 0 || x.Cut() {
		t.Errorf("%d entries, cut %v", x.Len(), x.Cut())
	}
	for _, query := range []string{"", "a", "a/", "a/b", "."} {
		if found := x.search(query, map[string]float64{"a": 1}, 10).run(); len(found) != 0 {
			t.Errorf("%q finds %v", query, found)
		}
	}
}

func TestIndexIsCut(t *testing.T) {
	t.Parallel()
	if x := index([]string{"a/b", "a/c", "d"}, 3); x.Len() != 3 || !x.Cut() {
		t.Errorf("%d entries, cut %v", x.Len(), x.Cut())
	}
	if x := index([]string{"a/b", "a/c", "d"}, 4); x.Len() != 4 || x.Cut() {
		t.Errorf("%d entries, cut %v", x.Len(), x.Cut())
	}
}

// paths draws paths of a tree: no name is both a file and a folder.
func paths(t *rapid.T) []string {
	name := rapid.SampledFrom([]string{"a", "b", "ab", "src", "src-x", "src.go", "src0", "Src", "é", "E", "x y", "\xff", ".c", "0"})
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "names"), "/")
	})
	drawn := rapid.SliceOfN(path, 0, 40).Draw(t, "paths")
	return slices.DeleteFunc(drawn, func(p string) bool {
		return slices.ContainsFunc(drawn, func(q string) bool { return strings.HasPrefix(q, p+"/") })
	})
}

func TestIndexProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		listed := paths(t)
		x := index(slices.Clone(listed), maxEntries)
		all := map[string]bool{} // paths, and whether they are folders
		for _, path := range listed {
			all[path] = false
			for i, c := range path {
				if c == '/' {
					all[path[:i]] = true
				}
			}
		}
		if x.Len() != len(all) {
			t.Fatalf("%d entries of %d", x.Len(), len(all))
		}
		for path, folder := range all {
			i, ok := x.entry(path)
			if !ok || x.isFolder(i) != folder {
				t.Fatalf("%q: entry %d, found %v", path, i, ok)
			}
			if in, base := x.split(i); string(in)+string(base) != path || string(base) != path[strings.LastIndexByte(path, '/')+1:] {
				t.Fatalf("%q is %q in %q", path, base, in)
			}
			if _, ok := x.entry(path + "~"); ok {
				t.Fatalf("%q is found", path+"~")
			}
			from, to := x.children(path)
			n := 0
			for other := range all {
				if rest, ok := strings.CutPrefix(other, path+"/"); ok && !strings.Contains(rest, "/") {
					n++
				}
			}
			if to-from != n {
				t.Fatalf("%q has %d children, want %d", path, to-from, n)
			}
			for i := from; i < to; i++ {
				if !strings.HasPrefix(string(x.paths[i]), path+"/") {
					t.Fatalf("%q is no child of %q", x.paths[i], path)
				}
			}
		}
	})
}

// TestOnly finds a file by its name alone, if no other has it.
func TestOnly(t *testing.T) {
	t.Parallel()
	x := index([]string{"a/one.go", "a/two.go", "b/two.go", "c/sub/"}, maxEntries)
	for name, want := range map[string]string{"one.go": "a/one.go", "two.go": "", "sub": "", "none.go": "", "ne.go": "", "a/one.go": "", "": ""} {
		if got, ok := x.Only(name); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", name, got, ok)
		}
	}
}
