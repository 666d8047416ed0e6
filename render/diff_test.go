package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDiff(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []diffLine
	}{
		{"edit", "\ndiff --git a/x b/x\nindex 0..0 100644\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n \n", []diffLine{
			{diffSame, 1, "one"}, {diffDel, 2, "two"}, {diffAdd, 2, "2"}, {diffSame, 3, "three"},
		}},
		{"create", "\ndiff --git a/n b/n\ncreate file mode 100644\nindex 0..0\n--- a/dev/null\n+++ b/n\n@@ -1,0 +1,1 @@\n+hello\n", []diffLine{
			{diffAdd, 1, "hello"},
		}},
		{"removed lines that look like headers", "--- a\n+++ b\n@@ -1,2 +1,1 @@\n--- x\n same\n", []diffLine{
			{diffDel, 1, "-- x"}, {diffSame, 1, "same"},
		}},
		{"two hunks", "--- a\n+++ b\n@@ -1 +1 @@ func f\n-a\n+b\n@@ -9,1 +9,2 @@\n c\n+d\n\\ No newline at end of file\n", []diffLine{
			{diffDel, 1, "a"}, {diffAdd, 1, "b"}, {op: diffGap}, {diffSame, 9, "c"}, {diffAdd, 10, "d"},
		}},
		{"two files", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n", []diffLine{
			{diffFile, 0, "x"}, {diffDel, 1, "a"}, {diffAdd, 1, "b"}, {diffFile, 0, "y"}, {diffDel, 1, "c"}, {diffAdd, 1, "d"},
		}},
		{"without numbers", "*** Begin Patch\n*** Update File: x\n@@ def f\n-a\n+b\n", []diffLine{{diffDel, 0, "a"}, {diffAdd, 0, "b"}}},
		{"counts that lie", "--- a\n+++ b\n@@ -1,9 +1,1 @@\n-a\n+b\n+c\n", []diffLine{{diffDel, 1, "a"}, {diffAdd, 1, "b"}, {diffAdd, 2, "c"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, ok := parseDiff(tc.in)
			if !ok || !slices.Equal(d.lines, tc.want) {
				t.Errorf("got %v\nwant %v", d, tc.want)
			}
		})
	}
	if _, ok := parseDiff("no diff at all"); ok {
		t.Error("a text without a hunk is a diff")
	}
}

// TestDiffCounts: whatever is changed, the numbers of added and removed lines
// are those of the diff, and a folded diff leaves no change out but for its
// length.
func TestDiffCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ops := rapid.SliceOfN(rapid.SampledFrom([]byte(" +-")), 1, 300).Draw(t, "lines")
		var b strings.Builder
		before, after := 0, 0
		for i, op := range ops {
			fmt.Fprintf(&b, "%cline %d\n", op, i)
			if op != '+' {
				before++
			}
			if op != '-' {
				after++
			}
		}
		d, ok := parseDiff(fmt.Sprintf("--- a\n+++ b\n@@ -1,%d +1,%d @@\n%s", before, after, b.String()))
		if !ok {
			t.Fatal("no diff")
		}
		added, removed := strings.Count(string(ops), "+"), strings.Count(string(ops), "-")
		if d.added != added || d.removed != removed || len(d.lines) != len(ops) {
			t.Fatalf("+%d -%d of %d lines, want +%d -%d of %d", d.added, d.removed, len(d.lines), added, removed, len(ops))
		}
		changes := 0
		for _, l := range d.short {
			if l.op.change() {
				changes++
			}
		}
		if changes != added+removed {
			t.Fatalf("the folded diff has %d changes of %d", changes, added+removed)
		}
	})
}

func FuzzParseDiff(f *testing.F) {
	f.Add("--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
	f.Add("@@ -99999999999999999999,2 +1 @@\n+")
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := parseDiff(s)
		if ok && (d.added < 0 || len(d.short) > 2*len(d.lines)) {
			t.Errorf("%+v", d)
		}
	})
}
