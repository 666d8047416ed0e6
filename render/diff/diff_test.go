package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/render/patch"
	"parley/render/text"

	"pgregory.net/rapid"
)

// shape is a diff as text: its files with what is said of them, and its lines
// with their numbers.
func shape(d *Diff) []string {
	var out []string
	for f, file := range d.Files {
		name := file.Name
		if file.Old != "" {
			name = file.Old + " to " + name
		}
		out = append(out, strings.Join(slices.DeleteFunc(append([]string{name, file.Fate}, file.Notes...), func(s string) bool { return s == "" }), ", "))
		for h := file.Hunk; h < d.HunksEnd(f); h++ {
			out = append(out, fmt.Sprintf("@@ %d %s", d.Hunks[h].Skipped, d.Hunks[h].Section))
			for _, l := range d.Lines[d.Hunks[h].From:d.HunkEnd(h)] {
				end := ""
				if l.Open {
					end = "$"
				}
				out = append(out, fmt.Sprintf("%d %d %c%s%s", l.Old, l.New, " +-"[l.Op], l.Text, end))
			}
		}
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{
			"edit", "\ndiff --git a/x b/x\nindex 0..0 100644\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n \n",
			[]string{"x", "@@ 0 ", "1 1  one", "2 0 -two", "0 2 +2", "3 3  three"},
		},
		{
			"create", "\ndiff --git a/n b/n\ncreate file mode 100644\nindex 0..0\n--- a/dev/null\n+++ b/n\n@@ -1,0 +1,1 @@\n+hello\n",
			[]string{"n, new file", "@@ 0 ", "0 1 +hello"},
		},
		{
			"a runtime's names elsewhere", "--- aC:\\x.go\n+++ bC:\\x.go\n@@ -1 +1 @@\n-a\n+b\n--- a/dev/null\n+++ bC:\\y.go\n@@ -1,0 +1 @@\n+b\n",
			[]string{`C:\x.go`, "@@ 0 ", "1 0 -a", "0 1 +b", `C:\y.go, new file`, "@@ 0 ", "0 1 +b"},
		},
		{
			"names that differ", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+a\n",
			[]string{"a to b", "@@ 0 ", "1 0 -a", "0 1 +b", "x to y", "@@ 0 ", "1 0 -a", "2 0 --- /dev/null", "0 1 +++ b", "@@ 0 ", "0 1 +a"},
		},
		{
			"removed lines that look like headers", "--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n--- x\n same\n",
			[]string{"x", "@@ 0 ", "1 0 --- x", "2 1  same"},
		},
		{
			"and after the promised ones", "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n--- x\n",
			[]string{"x", "@@ 0 ", "1 0 -a", "0 1 +b", "2 0 --- x"},
		},
		{
			"two hunks", "--- a/x\n+++ b/x\n@@ -1 +1 @@ func f\n-a\n+b\n@@ -9,1 +9,2 @@\n c\n+d\n\\ No newline at end of file\n",
			[]string{"x", "@@ 0 func f", "1 0 -a", "0 1 +b", "@@ 7 ", "9 9  c", "0 10 +d$"},
		},
		{
			"two files", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n",
			[]string{"x", "@@ 0 ", "1 0 -a", "0 1 +b", "y", "@@ 0 ", "1 0 -c", "0 1 +d"},
		},
		{
			"two plain files", "--- x\t2026-01-01\n+++ x\t2026-01-02\n@@ -3 +3 @@\n-a\n+b\n--- y\n+++ z\n@@ -1 +1 @@\n-c\n+d\n",
			[]string{"x", "@@ 2 ", "3 0 -a", "0 3 +b", "y to z", "@@ 0 ", "1 0 -c", "0 1 +d"},
		},
		{
			"rename alone", "diff --git a/old name.go b/new.go\nsimilarity index 100%\nrename from old name.go\nrename to new.go\n",
			[]string{"old name.go to new.go"},
		},
		{
			"mode alone", "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
			[]string{"run.sh, mode 100644 to 100755"},
		},
		{
			"new and run", "diff --git a/run b/run\nnew file mode 100755\nindex 0000..1234\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+x\n",
			[]string{"run, new file, mode 100755", "@@ 0 ", "0 1 +x"},
		},
		{
			"deleted", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
			[]string{"x, deleted", "@@ 0 ", "1 0 -a"},
		},
		{
			"binary, quoted", "diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nindex 12..34 100644\nBinary files a/ä and b/ä differ\n",
			[]string{"ä, Binary files a/ä and b/ä differ"},
		},
		{
			"words before and between", "hello\n--- a/x\n+++ b/x\nwhat is this\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"x, hello, what is this", "@@ 0 ", "1 0 -a", "0 1 +b"},
		},
		{
			"patch", "*** Begin Patch\n*** Update File: x\n@@ def f\n-a\n+b\n*** Add File: y\n+c\n*** Delete File: z\n*** End Patch\n",
			[]string{"x", "@@ -1 def f", "0 0 -a", "0 0 +b", "y, new file", "@@ 0 ", "0 1 +c", "z, deleted"},
		},
		{"no names", "@@ def f\n-a\n+b\n", []string{"", "@@ -1 def f", "0 0 -a", "0 0 +b"}},
		{"counts that lie", "--- a/x\n+++ b/x\n@@ -1,9 +1,1 @@\n-a\n+b\n+c\n", []string{"x", "@@ 0 ", "1 0 -a", "0 1 +b", "0 2 +c"}},
		{
			"dos", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n",
			[]string{"x", "@@ 0 ", "1 0 -a\r", "0 1 +b\r"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, ok := Parse(tc.in)
			if !ok {
				t.Fatal("no diff")
			}
			if got := shape(d); !slices.Equal(got, tc.want) {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
	for _, s := range []string{"", "no diff at all", "--- a\n+++ b\n", "*** Begin Patch\n*** End Patch\n"} {
		if d, ok := Parse(s); ok || d != nil {
			t.Errorf("%q changes no file and is a diff", s)
		}
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
		d, ok := Parse(fmt.Sprintf("--- a\n+++ b\n@@ -1,%d +1,%d @@\n%s", before, after, b.String()))
		if !ok {
			t.Fatal("no diff")
		}
		added, removed := strings.Count(string(ops), "+"), strings.Count(string(ops), "-")
		if a, r := d.Added, d.Removed; a != added || r != removed || len(d.Lines) != len(ops) {
			t.Fatalf("+%d -%d of %d lines, want +%d -%d of %d", a, r, len(d.Lines), added, removed, len(ops))
		}
		changes := 0
		for _, b := range d.short() {
			if b.kind == bandLine && d.Lines[b.at].Op != patch.Same {
				changes++
			}
		}
		if changes != added+removed {
			t.Fatalf("the folded diff has %d changes of %d", changes, added+removed)
		}
		for i, other := range d.partners() {
			if other >= 0 && (d.Lines[i].Op == d.Lines[other].Op || d.partners()[other] != int32(i)) {
				t.Fatalf("line %d is paired with %d", i, other)
			}
		}
	})
}

// texts are what a diff's lines make, before and after the change.
func texts(d *Diff) (before, after string) {
	var b, a strings.Builder
	for _, l := range d.Lines {
		text := l.Text
		if !l.Open {
			text += "\n"
		}
		if l.Op != patch.Add {
			b.WriteString(text)
		}
		if l.Op != patch.Delete {
			a.WriteString(text)
		}
	}
	return b.String(), a.String()
}

// TestCompare: what is removed from the one text, added and left alone
// makes the other, and every line has its number.
func TestCompare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n", "日本\n"})
		before := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "before"), "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		after := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "after"), "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		d := Compare("x", before, after)
		if before == after {
			if len(d.Lines) != 0 {
				t.Fatalf("equal texts differ in %v", d.Lines)
			}
			return
		}
		was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
		for _, l := range d.Lines {
			if l.Old > 0 && strings.TrimSuffix(was[l.Old-1], "\n") != l.Text || l.New > 0 && strings.TrimSuffix(is[l.New-1], "\n") != l.Text {
				t.Fatalf("%+v is not that line", l)
			}
			if (l.Old > 0) == (l.Op == patch.Add) || (l.New > 0) == (l.Op == patch.Delete) {
				t.Fatalf("%+v has a wrong number", l)
			}
		}
		rest := 0
		for _, h := range d.Hunks {
			rest += h.Skipped
		}
		if b, _ := texts(d); len(d.Hunks) == 1 && rest == 0 && !strings.HasPrefix(before, b) {
			t.Fatalf("%q is not the start of %q", b, before)
		}
		if p := Planned("x", before, after); len(p.Lines) != len(d.Lines) || p.oldDigits+p.newDigits != 0 {
			t.Fatalf("planned: %+v", p)
		}
	})
}

// TestNewFile: a new file is all its lines.
func TestNewFile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in   string
		want []string
	}{
		{"", []string{"n, new file"}},
		{"a\n\nb", []string{"n, new file", "@@ 0 ", "0 1 +a", "0 2 +", "0 3 +b$"}},
		{"a\r\nb\r\n", []string{"n, new file", "@@ 0 ", "0 1 +a\r", "0 2 +b\r"}},
	} {
		d := NewFile("n", tc.in)
		if got := shape(d); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.in, got, tc.want)
		}
		if _, after := texts(d); after != tc.in {
			t.Errorf("%q became %q", tc.in, after)
		}
		if d.Name("other"); d.Names()[0] != "other" {
			t.Errorf("it goes by the name %q", d.Names())
		}
	}
	two, _ := Parse("--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n")
	if two.Name("other"); !slices.Equal(two.Names(), []string{"x", "y"}) {
		t.Errorf("two files are called %q", two.Names())
	}
}

// marked puts brackets around stretches.
func marked(s string, over []text.Stretch) string {
	var b strings.Builder
	at := 0
	for _, o := range over {
		b.WriteString(s[at:o.From] + "[" + s[o.From:o.To] + "]")
		at = o.To
	}
	return b.String() + s[at:]
}

func TestChangedWords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ before, after, gone, come string }{
		{"return nil", "return err", "return [nil]", "return [err]"},
		{"w.Push(1)", "w.Push(1, two)", "w.Push(1)", "w.Push(1[, two])"},
		{"\tfoo(a, b)", "    foo(a, b)", "[\t]foo(a, b)", "[    ]foo(a, b)"},
		{"time.Sleep(50 * time.Millisecond)", "<-w.Drained()", "time.Sleep(50 * time.Millisecond)", "<-w.Drained()"},
		{"two", "2", "two", "2"},
		{"the old words here", "the brand new words here", "the [old] words here", "the [brand new] words here"},
		{"幅は八十です", "幅は百です", "幅は[八十]です", "幅は[百]です"},
		{"a.b_c = 1", "a.b_d = 1", "a.[b_c] = 1", "a.[b_d] = 1"},
		{"same", "same", "same", "same"},
		{"", "", "", ""},
		{"}", "} else {", "}", "} else {"},
	} {
		gone, come := changedWords(tc.before, tc.after)
		if g, c := marked(tc.before, gone), marked(tc.after, come); g != tc.gone || c != tc.come {
			t.Errorf("%q, %q: %s, %s", tc.before, tc.after, g, c)
		}
	}
	long := strings.Repeat("word ", wordsLine/5+1)
	if gone, _ := changedWords(long, long+"x"); gone != nil {
		t.Error("long lines are compared")
	}
	points := strings.Repeat("a.", 500)
	gone, come := changedWords("x"+points+"y", "z"+strings.ReplaceAll(points, "a", "b")+"y")
	if len(gone) > 1 || len(come) > 1 {
		t.Errorf("too much is compared: %v, %v", gone, come)
	}
}

// TestChangedWordsKeep: what is not marked on the one side is what is not
// marked on the other, but for blanks between marked words.
func TestChangedWordsKeep(t *testing.T) {
	t.Parallel()
	line := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", " ", "  ", ".", "(", "日本", "e\u0301", "\t", "1"}), 0, 40),
		func(p []string) string { return strings.Join(p, "") })
	rapid.Check(t, func(t *rapid.T) {
		before, after := line.Draw(t, "before"), line.Draw(t, "after")
		gone, come := changedWords(before, after)
		if gone == nil && come == nil {
			return
		}
		kept := func(s string, over []text.Stretch) string {
			var b strings.Builder
			at := 0
			for _, o := range over {
				if o.From < at || o.To <= o.From || o.To > len(s) {
					t.Fatalf("%v of %q", over, s)
				}
				b.WriteString(s[at:o.From])
				at = o.To
			}
			return strings.NewReplacer(" ", "", "\t", "").Replace(b.String() + s[at:])
		}
		if b, a := kept(before, gone), kept(after, come); b != a {
			t.Fatalf("%s and %s: %q is kept, and %q", marked(before, gone), marked(after, come), b, a)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
	f.Add("@@ -99999999999999999999,2 +1 @@\n+")
	f.Add("diff --git a/x b/x\nold mode 1\nnew mode 2\n*** Add File: x\n+\n*** Move to: y\n\\ x")
	f.Add("*** Update File: x\n@@ f\n-\n*** End Patch\n--- \n+++ \n@@\n\r")
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := Parse(s)
		if !ok {
			return
		}
		added, removed := d.Added, d.Removed
		if len(d.Files) == 0 || added+removed > len(d.Lines) || len(d.short()) > 3*(len(d.Lines)+len(d.Files)) {
			t.Fatalf("%+v", d)
		}
		n := len(s)
		checkView(t, d, Options{Width: 20 + n%60, Split: n%2 == 0, Wrap: n%3 == 0, Visible: n%5 == 0, Left: n % 7})
	})
}
