package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render/lru"
	"parley/render/text"
	"parley/theme"
)

// checkView holds a view to its promises at one set of options: rows fit
// and hold no control character, those of any part are those of the whole, and
// every line has its rows.
func checkView(t rapid.TB, d *Diff, o Options) *View {
	t.Helper()
	if o.Theme == nil {
		o.Theme = theme.Plain()
	}
	r := NewView(d)
	n := r.Layout(o)
	rows := r.Rows(0, n)
	if len(rows) != n {
		t.Fatalf("%d rows are drawn of %d", len(rows), n)
	}
	for i, row := range rows {
		if w := text.Width(row); w > o.Width {
			t.Fatalf("row %d has %d cells of %d: %q", i, w, o.Width, row)
		}
		if bare := ansi.Strip(row); o.Theme.Name == "plain" && bare != row || strings.ContainsFunc(bare, unicode.IsControl) {
			t.Fatalf("row %d: control character in %q", i, row)
		}
	}
	at := 0
	for at < n {
		to := min(n, at+1+at%7)
		if part := r.Rows(at, to); !slices.Equal(part, rows[at:to]) {
			t.Fatalf("rows %d to %d:\n%q\nof the whole:\n%q", at, to, part, rows[at:to])
		}
		at = to
	}
	for i := range r.Lines() {
		first, k := r.RowOf(i)
		if k < 1 || first < 0 || first+k > n {
			t.Fatalf("line %d is in rows %d, %d of %d", i, first, k, n)
		}
		if l := r.LineAt(first); l != i && int(r.pairs[i]) != l {
			t.Fatalf("line %d is at row %d, where line %d is", i, first, l)
		}
	}
	return r
}

// anyDiff is a diff of files as no one would want them.
func anyDiff() *rapid.Generator[string] {
	text := rapid.Custom(func(t *rapid.T) string {
		piece := rapid.SampledFrom([]string{
			"a", "word ", "func f() {", "\t", "日本語", "e\u0301", "👩‍👩‍👧", "\u202e", "\u200b", "\x1b[31m", "\x00", "\r", "\xff", "⟦", "⟧", "🇩🇪",
			"\u0600", "\u0301", "/* ", "\"", "@@", "+++ ", "--- ", "\x9b", "     ", strings.Repeat("long ", 30),
		})
		return strings.Join(rapid.SliceOfN(piece, 0, 9).Draw(t, "pieces"), "")
	})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for f := range rapid.IntRange(1, 3).Draw(t, "files") {
			b.WriteString(rapid.SampledFrom([]string{
				"diff --git a/x%d.go b/x%d.go\n--- a/x%d.go\n+++ b/x%d.go\n", "diff --git a/x b/y\nrename from x%d\nrename to y%d %d%d\n",
				"--- a/\x1b[31m%d\n+++ b/\u202e%d%d%d\n", "*** Update File: x%d%d%d%d.py\n", "diff --git a/m b/m\nold mode %d\nnew mode %d%d%d\n",
			}).Draw(t, "header"))
			for range rapid.IntRange(0, 4).Draw(t, "hunks") {
				fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@ %s\n", 10*f, f, 10*f, f, text.Draw(t, "section"))
				for range rapid.IntRange(0, 12).Draw(t, "lines") {
					b.WriteString(rapid.SampledFrom([]string{" ", "+", "-", "-", "+", "\\ "}).Draw(t, "sign") + text.Draw(t, "text") + "\n")
				}
			}
		}
		return fmt.Sprintf(strings.ReplaceAll(b.String(), "%!", "%%!"), 1, 2, 3, 4)
	})
}

// TestViewAnyDiff: whatever the diff and the options, a view keeps its
// promises.
func TestViewAnyDiff(t *testing.T) {
	t.Parallel()
	themes := []*theme.Theme{theme.Plain(), theme.Dark(), theme.Mono(), theme.Plain(theme.ASCII())}
	rapid.Check(t, func(t *rapid.T) {
		d, ok := Parse(anyDiff().Draw(t, "diff"))
		if !ok {
			t.Skip("no diff")
		}
		o := Options{
			Width: rapid.IntRange(20, 160).Draw(t, "width"), Theme: themes[rapid.IntRange(0, len(themes)-1).Draw(t, "theme")],
			Split: rapid.Bool().Draw(t, "split"), Wrap: rapid.Bool().Draw(t, "wrap"), Visible: rapid.Bool().Draw(t, "visible"),
			Left: rapid.IntRange(0, 40).Draw(t, "left"), Cursor: rapid.IntRange(-1, 8).Draw(t, "cursor"),
		}
		r := checkView(t, d, o)
		if o.Wrap && !r.Whole() {
			t.Fatal("something is cut though lines are wrapped")
		}
		for i := range r.Lines() {
			for _, by := range []int{-1, 1} {
				to := r.Change(i, by)
				if to != i && (by > 0) != (to > i) {
					t.Fatalf("from line %d by %d to %d", i, by, to)
				}
			}
		}
	})
}

// letters is what of a text is neither blank nor drawn by us.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// TestViewShowsEachLine: each line stands in the rows that RowOf says, whole
// when it is wrapped, once when it is not, with the numbers and the sign it
// has.
func TestViewShowsEachLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,12}( [a-z]{1,9}){0,12}`), 1, 60).Draw(t, "lines")
		var before, after strings.Builder
		for i, w := range words {
			if rapid.IntRange(0, 3).Draw(t, "side") > 0 {
				fmt.Fprintf(&before, "%d %s\n", i, w)
			}
			if rapid.IntRange(0, 3).Draw(t, "side") > 0 {
				fmt.Fprintf(&after, "%d %s\n", i, w)
			}
		}
		d := Compare("x.txt", before.String(), after.String())
		r := NewView(d)
		o := Options{Width: rapid.IntRange(30, 200).Draw(t, "width"), Theme: theme.Plain(), Cursor: -1}
		o.Wrap, o.Split = rapid.Bool().Draw(t, "wrap"), rapid.Bool().Draw(t, "split")
		all := r.Rows(0, r.Layout(o))
		if !o.Split {
			lines := 0
			for _, row := range all {
				if !strings.Contains(row, "⋯") && r.Lines() > 0 {
					lines++
				}
			}
			if !o.Wrap && lines != r.Lines() {
				t.Fatalf("%d rows for %d lines:\n%s", lines, r.Lines(), strings.Join(all, "\n"))
			}
		}
		for i := range r.Lines() {
			first, n := r.RowOf(i)
			got := letters(strings.Join(all[first:first+n], ""))
			text := letters(d.Lines[i].Text)
			switch {
			case !r.Whole():
				text = text[:1]
			case r.o.Split:
				text = text[:min(len(text), 1)]
			}
			if !strings.Contains(got, text) {
				t.Fatalf("line %d, %q, is not in %q", i, text, all[first:first+n])
			}
		}
	})
}

const reviewed = `diff --git a/queue/worker.go b/queue/worker.go
index 83db48f..bf2a9c1 100644
--- a/queue/worker.go
+++ b/queue/worker.go
@@ -10,9 +10,10 @@ func (w *Worker) run() {
 	for job := range w.jobs {
-		if err := job.Do(ctx); err != nil {
-			log.Println(err)
+		if err := job.Do(w.ctx); err != nil {
+			w.failed = append(w.failed, fmt.Errorf("do job %s, which was queued at %s: %w", job.ID, job.Queued, err))
+			continue
 		}
+		// 日本語 and a tab	behind it
 		w.done++
-		w.left--
 	}
 }
@@ -120,3 +121,3 @@ func (w *Worker) Drained() <-chan struct{} {
 	return w.drained
-} // end
+}
\ No newline at end of file
diff --git a/queue/old.go b/queue/drained.go
similarity index 90%
rename from queue/old.go
rename to queue/drained.go
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`

func mustParse(t testing.TB, s string) *Diff {
	t.Helper()
	d, ok := Parse(s)
	if !ok {
		t.Fatal("no diff")
	}
	return d
}

// TestViewMoves: changes are found from anywhere, lines by row and rows by
// line.
func TestViewMoves(t *testing.T) {
	t.Parallel()
	r := NewView(mustParse(t, reviewed))
	if got := r.Lines(); got != 15 {
		t.Fatalf("%d lines", got)
	}
	for _, tc := range []struct{ line, by, want int }{
		{0, 1, 1}, {5, 1, 7}, {12, 1, 13}, {14, 1, 14}, {14, -1, 13}, {3, -1, 1}, {1, -1, 1}, {-1, 1, 1},
	} {
		if got := r.Change(tc.line, tc.by); got != tc.want {
			t.Errorf("from line %d by %d to %d, want %d", tc.line, tc.by, got, tc.want)
		}
	}
	for line, want := range map[int]string{
		0: "queue/worker.go:10", 1: "queue/worker.go:11 (removed)", 4: "queue/worker.go:12", 14: "queue/worker.go:122", 15: "", -1: "",
	} {
		if got := r.Place(line, ""); got != want {
			t.Errorf("line %d is at %q, want %q", line, got, want)
		}
	}
	for line, want := range map[int]string{0: " \tfor job := range w.jobs {", 9: "-\t\tw.left--", 14: "+}", 99: ""} {
		if got := r.Text(line); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	r.Layout(Options{Width: 80, Theme: theme.Plain()})
	if first, n := r.RowOf(99); first != 0 || n != 0 {
		t.Errorf("no line is in rows %d, %d", first, n)
	}
	for row, want := range map[int]int{0: 0, 1: 0, 2: 0, 3: 1, -5: 0, 999: 14} {
		if got := r.LineAt(row); got != want {
			t.Errorf("row %d shows line %d, want %d", row, got, want)
		}
	}
	empty := NewView(NewFile("x", ""))
	if n := empty.Layout(Options{Width: 80, Theme: theme.Plain()}); n != 1 || empty.LineAt(0) != -1 || empty.Change(0, 1) != 0 {
		t.Errorf("an empty file has %d rows and line %d", n, empty.LineAt(0))
	}
	nameless := NewView(mustParse(t, "@@ f\n-a\n+b\n@@ -3 +3 @@\n-c\n"))
	for line, want := range map[int]string{0: "(removed)", 1: "", 2: "line 3 (removed)"} {
		if got := nameless.Place(line, ""); got != want {
			t.Errorf("without a name, line %d is at %q, want %q", line, got, want)
		}
	}
}

// TestViewComments: comments stand under their lines, in order whatever the
// order they were made in, and an empty one takes one away.
func TestViewComments(t *testing.T) {
	t.Parallel()
	r := NewView(mustParse(t, reviewed))
	o := Options{Width: 80, Theme: theme.Plain(), Cursor: -1}
	bare := r.Layout(o)
	if got := r.Comments(""); got != "" {
		t.Errorf("no comments are %q", got)
	}
	r.Comment(13, "keep it\n")
	r.Comment(4, "Not here.\nUse \x1b[31mthe log instead, because nobody looks at this list until the worker has ended, and then it is late.")
	r.Comment(2, "x")
	r.Comment(2, "  ")
	r.Comment(99, "nowhere")
	want := "queue/worker.go:12: Not here.\nUse \x1b[31mthe log instead, because nobody looks at this list until the worker has ended, and then it is late.\n" +
		"> +\t\t\tw.failed = append(w.failed, fmt.Errorf(\"do job %s, which was queued at %s: %w\", job.ID, job.Queued, err))\n\n" +
		"queue/worker.go:121 (removed): keep it\n> -} // end"
	if got := r.Comments(""); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if r.CommentAt(13) != "keep it" || r.CommentAt(2) != "" {
		t.Error("a comment is not found")
	}
	for _, split := range []bool{false, true} {
		o.Split, o.Width = split, 100
		r.Layout(o)
		first, n := r.RowOf(4)
		under := r.Rows(first+n, first+n+2)
		if !strings.Contains(under[0], "Not here.") || !strings.Contains(under[1], "Use the log") {
			t.Errorf("split %v: under line 4 stands %q", split, under)
		}
		if got := r.LineAt(first + n); got != 4 {
			t.Errorf("the comment belongs to line %d", got)
		}
	}
	r.Comment(13, "")
	r.Comment(4, "")
	o.Split, o.Width = false, 80
	if got := r.Layout(o); got != bare {
		t.Errorf("%d rows without comments, %d at first", got, bare)
	}
}

// TestViewWhole: a view says whether it cuts anything, and how far one
// can scroll.
func TestViewWhole(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-short\n+"+strings.Repeat("x", 100)+"\n")
	r := NewView(d)
	o := Options{Width: 80, Theme: theme.Plain(), Cursor: -1}
	if n := r.Layout(o); n != 2 || r.Whole() || r.Overflow() != 100-(80-7) {
		t.Errorf("%d rows, whole %v, over %d", n, r.Whole(), r.Overflow())
	}
	o.Left = r.Overflow()
	r.Layout(o)
	if rows := r.Rows(0, 2); strings.Contains(rows[1], "…") || text.Width(rows[1]) != 80 || strings.Contains(rows[0], "short") {
		t.Errorf("scrolled to the end: %q", rows)
	}
	o.Wrap = true
	if n := r.Layout(o); n != 3 || !r.Whole() {
		t.Errorf("%d rows, whole %v", n, r.Whole())
	}
	o.Wrap, o.Left, o.Width = false, 0, 120
	if n := r.Layout(o); n != 2 || !r.Whole() || r.Overflow() != 0 {
		t.Errorf("%d rows, whole %v, over %d", n, r.Whole(), r.Overflow())
	}
	long := mustParse(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@ "+strings.Repeat("section ", 30)+"\n-short\n")
	r = NewView(long)
	if r.Layout(o); r.Whole() {
		t.Error("a section that is cut does not count")
	}
}

// TestViewVisible: what a user approves hides nothing, and a changed line
// end is seen by anyone.
func TestViewVisible(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "--- a/x\u202e\n+++ b/x\u202e\n@@ -1 +1 @@ \x1b[8mf\n-a\x1b[31mb\x00\n+c\td\r\n")
	show := func(o Options) string {
		r := NewView(d)
		o.Width, o.Theme, o.Cursor = 80, theme.Plain(), -1
		return strings.Join(r.Rows(0, r.Layout(o)), "\n")
	}
	if got, want := show(Options{Visible: true}), " ⋯ ⟦ESC⟧[8mf\n 1   − a⟦ESC⟧[31mb⟦NUL⟧\n   1 + c   d⟦CR⟧"; got != want {
		t.Errorf("visible:\n%s\nwant:\n%s", got, want)
	}
	if got, want := show(Options{}), " ⋯ f\n 1   − ab\n   1 + c   d⟦CR⟧"; got != want {
		t.Errorf("not visible:\n%s\nwant:\n%s", got, want)
	}
	d = mustParse(t, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n")
	if got, want := show(Options{Visible: true}), " 1   − a\n   1 + b"; got != want {
		t.Errorf("a DOS file:\n%s", got)
	}
}

// TestViewHuge: a line of a megabyte and a diff of 50,000 lines cost what
// of them is shown, wherever that is.
func TestViewHuge(t *testing.T) { // not parallel: it counts allocations
	for name, src := range map[string]string{
		"one line":   "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-" + strings.Repeat("abc def ", 1<<17) + "\n+x\n",
		"wide":       "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-" + strings.Repeat("日本 ", 1<<17) + "\n+x\n",
		"many lines": longDiff(),
	} {
		r, o := NewView(mustParse(t, src)), Options{Width: 100, Theme: theme.Dark(), Wrap: true, Cursor: -1}
		n := r.Layout(o)
		if n < 4000 {
			t.Fatalf("%s: only %d rows", name, n)
		}
		frame := func() {
			o.Cursor++
			r.Layout(o)
			if rows := r.Rows(n/2, n/2+openScreen); len(rows) != openScreen {
				t.Fatalf("%s: %d rows", name, len(rows))
			}
		}
		frame()
		if allocs := testing.AllocsPerRun(10, frame); allocs > 100*openScreen {
			t.Errorf("%s: a frame makes %.0f allocations", name, allocs)
		}
	}
}

// kept is how much a cache holds.
func kept[V any](c *lru.Cache[int, V]) (n int) {
	for range c.Values() {
		n++
	}
	return n
}

// TestViewIsBounded: a view keeps what was drawn, and not all of it.
func TestViewIsBounded(t *testing.T) {
	t.Parallel()
	src := "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n" + strings.Repeat("-a\n+b\n", 3*keptLines) + strings.Repeat("+"+strings.Repeat("日本", 1<<17)+"\n", 2)
	r := NewView(mustParse(t, src))
	n := r.Layout(Options{Width: 100, Theme: theme.Plain(), Wrap: true, Cursor: -1})
	held := 0
	for at := 0; at < n; at += openScreen {
		r.Rows(at, at+openScreen)
		if kept(&r.chunks) > keptChunks {
			t.Fatalf("%d chunks are kept", kept(&r.chunks))
		}
		held = max(held, kept(&r.ready))
	}
	if held > keptLines || held < keptLines/2 {
		t.Errorf("up to %d lines are kept", held)
	}
	if r.Rows(n-1, n); kept(&r.ready) > 2 {
		t.Errorf("two lines of 750 kB are kept with %d others", kept(&r.ready)-2)
	}
}

// TestInlineUnits: the units of a diff in the timeline are its rows, each
// once, unified and side by side.
func TestInlineUnits(t *testing.T) {
	t.Parallel()
	src := "--- a/x.go\n+++ b/x.go\n@@ -1,200 +1,200 @@\n" + strings.Repeat("-a\n", 100) + strings.Repeat("+b\n", 150) + strings.Repeat(" c\n", 50) +
		"diff --git a/y b/y\nold mode 100644\nnew mode 100755\n"
	for _, text := range []string{src, reviewed, "diff --git a/y b/y\nold mode 100644\nnew mode 100755\n"} {
		d := NewInline(mustParse(t, text))
		for _, o := range []struct {
			width int
			split bool
		}{{80, false}, {119, true}, {140, false}, {140, true}} {
			th := theme.Plain()
			var got []string
			for u := range d.Units() {
				got = append(got, d.Draw(u, o.width, th, o.split)...)
			}
			want := d.view.Rows(0, d.view.Layout(d.view.o))
			if !slices.Equal(got, want) {
				t.Errorf("%+v: units have %d rows, the whole has %d", o, len(got), len(want))
			}
			if split := d.view.o.Split; split != (o.split && o.width >= SplitFrom && d.Added > 0) {
				t.Errorf("%+v: side by side is %v", o, split)
			}
			if lines := d.DrawFolded(o.width, th); len(lines) > diffFolded+6 || len(lines) == 0 {
				t.Errorf("%+v: folded to %d lines", o, len(lines))
			}
		}
	}
}
