package tomlfile_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/settings/tomlfile"
)

// TestLines: each key has the line where it stands first, however it is written.
func TestLines(t *testing.T) {
	t.Parallel()
	f, err := tomlfile.Parse([]byte("a = 1\n\n[t]\nb = [\n  1,\n]\nc.d = 'x'\n\"e.f\" = { g = 2,\n h = { i = 3 } }\n[t.u.v]\n[[list]]\nk = 1\n[[list]]\nk = 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int{
		"a": 1, "t": 3, "t.b": 4, "t.c": 7, "t.c.d": 7, "t.e.f": 8, "t.e.f.g": 8, "t.e.f.h.i": 9, "t.u": 10, "t.u.v": 10,
		"list": 11, "list.k": 12, "t.b.none": 4, "none": 0, "none.x": 0,
	} {
		if got := f.Line(strings.Split(key, ".")...); got != want {
			t.Errorf("%s: line %d, want %d", key, got, want)
		}
	}
	var entries []string
	for _, e := range f.Entries() {
		entries = append(entries, fmt.Sprint(e.Line, " ", strings.Join(e.Key, "/")))
	}
	want := "1 a, 3 t, 4 t/b, 7 t/c, 7 t/c/d, 8 t/e.f, 8 t/e.f/g, 9 t/e.f/h, 9 t/e.f/h/i, 10 t/u, 10 t/u/v, 11 list"
	if got := strings.Join(entries, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSyntaxError: what is no TOML has its line, in words without Go's.
func TestSyntaxError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]tomlfile.SyntaxError{
		"a = 1\nb = ":      {Line: 2, Problem: "expected value"},
		"a = 1e9999":       {Line: 1, Problem: "unable to parse float"},
		"a = 1\n\na = 2\n": {Line: 3, Problem: "key a is already defined"},
	} {
		if _, err := tomlfile.Parse([]byte(text)); err == nil || err.Line != want.Line || !strings.HasPrefix(err.Problem, want.Problem) || strings.Contains(err.Problem, "strconv") {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
}
