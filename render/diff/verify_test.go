package diff

import "testing"

func TestProduces(t *testing.T) {
	t.Parallel()
	const change = "--- a/f\n+++ b/f\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n"
	const made = "--- a/dev/null\n+++ b/f\n@@ -1,0 +1,1 @@\n+hello\n"
	text := func(s string) *string { return &s }
	before := text("one\ntwo\nthree\nfour\nfive\n")
	for _, c := range []struct {
		name, diff string
		before     *string
		after      string
		want       bool
	}{
		{"the change", change, before, "one\ntwo\n3\nfour\nfive\n", true},
		{"without the text before", change, nil, "one\ntwo\n3\nfour\nfive\n", true},
		{"other line ends", change, before, "one\r\ntwo\r\n3\r\nfour\r\nfive", true},
		{"a change that is not shown", change, before, "one\ntwo\n3\nfour\nevil\n", false},
		{"one that cannot be seen", change, nil, "evil\ntwo\n3\nfour\n", true},
		{"another line", change, nil, "one\ntwo\nevil\nfour\n", false},
		{"a line more at the end", change, before, "one\ntwo\n3\nfour\nfive\nevil\n", false},
		{"a line less", change, before, "one\ntwo\n3\nfour\n", false},
		{"too short", change, nil, "one\n", false},
		{"another text before", change, text("one\n2\nthree\nfour\n"), "one\ntwo\n3\nfour\n", false},
		{"a shorter text before", change, text("one\n"), "one\ntwo\n3\nfour\n", false},
		{"a new file", made, nil, "hello", true},
		{"more than a new file", made, nil, "hello\nevil\n", false},
		{"an empty line at the end", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-one\n+1\n \n", text("one\n"), "1\n", true},
		{"no numbers", "*** Update File: f\n@@\n two\n-three\n+3\n", nil, "one\ntwo\n3\nfour\n", true},
		{"no numbers, another line", "*** Update File: f\n@@\n two\n-three\n+3\n", nil, "one\ntwo\nevil\n", false},
		{"no numbers, and the text before", "*** Update File: f\n@@\n two\n-three\n+3\n", before, "one\ntwo\n3\nfour\nfive\n", true},
	} {
		d, ok := Parse(c.diff)
		if !ok {
			t.Fatalf("%s: no diff", c.name)
		}
		if got := d.Produces(c.before, c.after); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
