package timeline

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
)

func TestFileChanges(t *testing.T) {
	t.Parallel()
	const one = "\ndiff --git a<cwd>/a.txt b<cwd>/a.txt\nindex 0..0 100644\n--- a<cwd>/a.txt\n+++ b<cwd>/a.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n \n"
	const two = "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,1 @@\n-a\n b\n@@ -9 +8,2 @@ func\n c\n+d\n\\ No newline at end of file\n" +
		"diff --git a/dev/null b/w/y.go\n--- /dev/null\n+++ b/w/y.go\n@@ -0,0 +1,2 @@\n+--- a\n++++ b\n"
	edits := func(paths ...string) (list []session.FileEdit) {
		for _, p := range paths {
			list = append(list, session.FileEdit{Path: p, Kind: "edit"})
		}
		return list
	}
	for _, tt := range []struct {
		name string
		call ToolCall
		want []FileChange
	}{
		{"a diff", ToolCall{Name: "edit", Edits: edits("<cwd>/a.txt"), Detail: one}, []FileChange{{"<cwd>/a.txt", "edit", 1, 1}}},
		{"a diff as the result", ToolCall{Name: "x", Edits: edits("<cwd>/a.txt"), Result: one}, []FileChange{{"<cwd>/a.txt", "edit", 1, 1}}},
		{
			"two files by path",
			ToolCall{Name: "apply_patch", Edits: edits("/home/w/y.go", "/home/x.go"), Detail: two},
			[]FileChange{{"/home/w/y.go", "edit", 2, 0}, {"/home/x.go", "edit", 1, 1}},
		},
		{
			"two files by place",
			ToolCall{Name: "apply_patch", Edits: edits("p", "q"), Detail: two},
			[]FileChange{{"p", "edit", 1, 1}, {"q", "edit", 2, 0}},
		},
		{
			"an edit without its diff",
			ToolCall{Name: "apply_patch", Edits: edits("p", "/home/x.go", "q"), Detail: two},
			[]FileChange{{Path: "p", Kind: "edit"}, {"/home/x.go", "edit", 1, 1}, {Path: "q", Kind: "edit"}},
		},
		{"only a diff", ToolCall{Name: "apply_patch", Detail: two}, []FileChange{{"x.go", "edit", 1, 1}, {"w/y.go", "create", 2, 0}}},
		{"arguments of a new file", ToolCall{Name: "create", Arguments: []byte(`{"path":"a","file_text":"1\n2"}`)}, []FileChange{{"a", "create", 2, 0}}},
		{"an empty file", ToolCall{Name: "create", Arguments: []byte(`{"path":"a","file_text":""}`)}, []FileChange{{"a", "create", 0, 0}}},
		{"arguments of an edit", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1\n2\n3","new_str":"1\n3"}`)}, []FileChange{{"a", "edit", 0, 1}}},
		{"lines that go", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1\n2\n","new_str":""}`)}, []FileChange{{"a", "edit", 0, 2}}},
		{"lines in an empty place", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"","new_str":"1\n2"}`)}, []FileChange{{"a", "edit", 2, 0}}},
		{"lines between others", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1\n2\n3\n4","new_str":"1\n4"}`)}, []FileChange{{"a", "edit", 0, 2}}},
		{"a file that goes", ToolCall{Name: "delete", Arguments: []byte(`{"path":"a"}`)}, []FileChange{{"a", "delete", 0, 0}}},
		{"and a diff", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a.txt","old_str":"x","new_str":"y"}`), Detail: one}, []FileChange{{"a.txt", "edit", 1, 1}}},
		{"a line before others", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1\n3","new_str":"1\n2\n3"}`)}, []FileChange{{"a", "edit", 1, 0}}},
		{"a line behind", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1","new_str":"1\n2"}`)}, []FileChange{{"a", "edit", 1, 0}}},
		{"the last line goes", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1\n2","new_str":"1"}`)}, []FileChange{{"a", "edit", 0, 1}}},
		{
			"one file, without a diff",
			ToolCall{Name: "edit", Edits: edits("/w/a"), Arguments: []byte(`{"path":"a","old_str":"x","new_str":"y"}`)},
			[]FileChange{{"/w/a", "edit", 1, 1}},
		},
		{
			"a file of the system's own separators, and a diff",
			ToolCall{Name: "edit", Edits: edits(filepath.FromSlash("/w/s/x.go")), Detail: "--- a/s/x.go\n+++ b/s/x.go\n@@ -1 +1,2 @@\n x\n+y\n" + one},
			[]FileChange{{filepath.FromSlash("/w/s/x.go"), "edit", 1, 0}},
		},
		{
			"one file, and a diff of others",
			ToolCall{Name: "edit", Edits: edits("/w/a"), Arguments: []byte(`{"path":"a","old_str":"x","new_str":"y"}`), Detail: two},
			[]FileChange{{Path: "/w/a", Kind: "edit"}},
		},
		{
			"two files, without a diff",
			ToolCall{Name: "edit", Edits: edits("a", "b"), Arguments: []byte(`{"path":"a","old_str":"x","new_str":"y"}`)},
			[]FileChange{{Path: "a", Kind: "edit"}, {Path: "b", Kind: "edit"}},
		},
		{"no diff", ToolCall{Name: "apply_patch", Detail: "--- a/x\n+++ b/x\n"}, nil},
		{
			"a diff that is not Git's",
			ToolCall{Name: "apply_patch", Detail: "--- /w/x.go\t2026\n+++ /w/x.go\t2026\n@@ -1 +1,2 @@\n x\n+y\n" +
				"--- z\n+++ z\n@@ -1 +1 @@\n-p\n\\ No newline at end of file\n+q\n--- x\n+++ b\n@@ -1,2 +1 @@\n x\n-y\n"},
			[]FileChange{{"/w/x.go", "edit", 1, 0}, {"z", "edit", 1, 1}, {"b", "edit", 0, 1}},
		},
		{
			"a diff of files that go",
			ToolCall{Name: "apply_patch", Detail: "--- a/x.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- a/w/y.go\n+++ b/dev/null\n@@ -1 +0,0 @@\n-y\n"},
			[]FileChange{{"x.go", "delete", 0, 1}, {"w/y.go", "delete", 0, 1}},
		},
		{"looking at a file", ToolCall{Name: "str_replace_editor", Arguments: []byte(`{"path":"a","command":"view"}`)}, nil},
		{"reading one", ToolCall{Name: "view", Arguments: []byte(`{"path":"a"}`), Detail: one}, nil},
		{"a call that failed", ToolCall{Name: "edit", Arguments: []byte(`{"path":"a","old_str":"1"}`), Error: "no"}, nil},
		{"one that failed and changed something", ToolCall{Name: "edit", Edits: edits("a"), Error: "no"}, []FileChange{{Path: "a", Kind: "edit"}}},
		{"the user's own", ToolCall{Name: "edit", Edits: edits("a"), UserRequested: true}, nil},
	} {
		if got := tt.call.Changes(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestDiffsOfAnything: no text makes more lines than it has, or a negative
// number of them.
func TestDiffsOfAnything(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{
		"--- a/x", "+++ b/x", "@@ -1,2 +3,4 @@", "@@ -9999999999999999999 +1 @@", "@@", "@@ -1,-4 +x @@", "+a", "-b", " c", `\ No`, "", "--- ", "+++",
	})
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOf(line).Draw(rt, "lines")
		added, removed := 0, 0
		for _, f := range diffFiles(strings.Join(lines, "\n")) {
			if f.Added < 0 || f.Removed < 0 {
				rt.Fatalf("got %+v", f)
			}
			added, removed = added+f.Added, removed+f.Removed
		}
		if added+removed > len(lines) {
			rt.Fatalf("%d and %d of %d lines", added, removed, len(lines))
		}
	})
}
