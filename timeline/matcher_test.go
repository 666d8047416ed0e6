package timeline

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestMatcher: what a query matches, and how it is read.
func TestMatcher(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query   string
		literal bool
		text    string
		want    []string
		reading Reading
	}{
		{"worker", false, "Worker, worker and WORKER", []string{"Worker", "worker", "WORKER"}, AsWords},
		{"Worker", false, "Worker, worker and WORKER", []string{"Worker"}, AsWords},
		{"größe", false, "GRÖSSE Größe GRÖßE", []string{"Größe", "GRÖßE"}, AsWords},
		{"Größe", false, "größe Größe", []string{"Größe"}, AsWords},
		{"日本", false, "日本語と日本", []string{"日本", "日本"}, AsWords},
		{"kelvin", false, "\u212aelvin", []string{"\u212aelvin"}, AsWords},
		{"aa", false, "aaaaa", []string{"aa", "aa"}, AsWords},
		{"no", false, "", nil, AsWords},
		{"fo+", false, "foo fo FOOO f", []string{"foo", "fo", "FOOO"}, AsExpression},
		{"Fo+", false, "foo Foo", []string{"Foo"}, AsExpression},
		{`\S+x`, false, "ax BX", []string{"ax", "BX"}, AsExpression},
		{`\PLb`, false, "1b", []string{"1b"}, AsExpression},
		{`\p{Lu}b`, false, "Ab", []string{"Ab"}, AsExpression},
		{`\.Go`, false, "a.go a.Go", []string{".Go"}, AsExpression},
		{"^b.*$", false, "abc\nbcd\r\nb", []string{"bcd", "b"}, AsExpression},
		{"a[^x]b", false, "a\nb a b", []string{"a b"}, AsExpression},
		{"x*", false, "axxb", []string{"xx"}, AsExpression},
		{"$", false, "abc", nil, AsExpression},
		{`\bin\b`, false, "in inner main in", []string{"in", "in"}, AsExpression},
		{"foo|", false, "a foo", []string{"foo"}, AsExpression},
		{`b\|`, false, "ab|", []string{"b|"}, AsExpression},
		{"foo|bar", false, "a bar\nnone\nFOO", []string{"bar", "FOO"}, AsExpression},
		{"(foo)+(x|y)", false, "foofooy foo", []string{"foofooy"}, AsExpression},
		{"(?i)Foo", false, "foo Foo", []string{"foo", "Foo"}, AsExpression},
		{"a{2,3}", false, "aaaa", []string{"aaa"}, AsExpression},
		{"x(", false, "f(X(1))", []string{"X("}, AsUnreadable},
		{"*ptr", false, "a *ptr", []string{"*ptr"}, AsUnreadable},
		{"a.b", true, "a.b axb", []string{"a.b"}, AsLiteral},
		{"A.b", true, "a.b A.b", []string{"A.b"}, AsLiteral},
		{"ab", true, "ab", []string{"ab"}, AsWords},
		{"", false, "ab", nil, AsWords},
		{"az", false, "aZ", []string{"aZ"}, AsWords},
		{"x@y", false, "x`y", nil, AsWords}, // one bit apart, as a letter and its capital are
		{"x{y", true, "x[y", nil, AsLiteral},
		{"aſ", false, "as aS", []string{"as", "aS"}, AsWords},
		{"as", false, "aſ", []string{"aſ"}, AsWords},
		{"\xffa", false, "\xfeA \xffA", []string{"\xffA"}, AsWords},
		{"a\ufffd", false, "a\xff a\ufffd", []string{"a\ufffd"}, AsWords},
		{`\p{Lu}b`, false, "AB", []string{"AB"}, AsExpression},
		{`\pLB`, false, "xb xB", []string{"xB"}, AsExpression},
		{`x(?:ab){0,2}`, false, "x\nxab", []string{"x", "xab"}, AsExpression},
		{`foo|\d`, false, "7\nfoo", []string{"7", "foo"}, AsExpression},
		{`[^x]+`, false, "\nab\n\ncd", []string{"ab", "cd"}, AsExpression},
		{strings.Repeat("a", longestExpression-2) + "b?", false, "a", nil, AsExpression},
		{strings.Repeat("a", longestExpression-1) + "b?", false, "a", nil, AsUnreadable},
		{`\D`, true, `\d \D`, []string{`\D`}, AsLiteral},
		{strings.Repeat("(a", 2000), false, "aaa", nil, AsUnreadable},
		{strings.Repeat("a?", 2000), false, "aaa", nil, AsUnreadable},
	} {
		m := NewMatcher(c.query, c.literal)
		var got []string
		for _, span := range m.Find(c.text) {
			got = append(got, c.text[span[0]:span[1]])
		}
		if !slices.Equal(got, c.want) || m.Reading() != c.reading {
			t.Errorf("%q in %q: %q (%d), want %q (%d)", c.query, c.text, got, m.Reading(), c.want, c.reading)
		}
		if n, _ := m.count(c.text); n != len(c.want) {
			t.Errorf("%q in %q: counted %d, want %d", c.query, c.text, n, len(c.want))
		}
	}
}

// letters have several forms, of different lengths; some bytes are no text.
var letters = []rune("aAbBkK\u212asSſßẞéÉ日Σσς. \n")

// TestMatcherIsNaive: the fast search finds what the plain one does.
func TestMatcherIsNaive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 60, -1).Draw(t, "text")
		query := rapid.StringOfN(rapid.SampledFrom(letters[:len(letters)-1]), 1, 4, -1).Draw(t, "query")
		if cut := rapid.IntRange(0, 8).Draw(t, "bad"); cut < len(text) {
			text = text[cut:] // may begin in the middle of a letter
		}
		flag := "(?i)"
		if strings.ContainsFunc(query, unicode.IsUpper) {
			flag = ""
		}
		want := regexp.MustCompile(flag+regexp.QuoteMeta(query)).FindAllStringIndex(text, -1)
		if got := NewMatcher(query, true).Find(text); !sameSpans(got, want) {
			t.Fatalf("%q in %q: %v, want %v", query, text, got, want)
		}
	})
}

// TestExpressionIsNaive: lines that cannot match are skipped, and no others.
func TestExpressionIsNaive(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "b", "k", "ab", "s+", "(a|bb)", "(ab)+", "b?", "[ab]", ".", "^", "$", "é", "σ{2}", "(?:k|ß)", "a*", "|"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 60, -1).Draw(t, "text")
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 4).Draw(t, "query"), "")
		m := NewMatcher(query, false)
		if m.Reading() == AsWords || m.Reading() == AsUnreadable {
			return
		}
		query = strings.TrimSuffix(query, "|")
		var want [][]int
		at := 0
		for line := range strings.SplitSeq(text, "\n") {
			for _, span := range regexp.MustCompile("(?i)"+query).FindAllStringIndex(line, -1) {
				if span[0] < span[1] {
					want = append(want, []int{at + span[0], at + span[1]})
				}
			}
			at += len(line) + 1
		}
		if got := m.Find(text); !sameSpans(got, want) {
			t.Fatalf("%q in %q: %v, want %v", query, text, got, want)
		}
	})
}

func sameSpans(got [][2]int, want [][]int) bool {
	return slices.EqualFunc(got, want, func(a [2]int, b []int) bool { return a[0] == b[0] && a[1] == b[1] })
}

// TestWork: a line without a text that each match has costs little, and any other
// what running the expression over it costs.
func TestWork(t *testing.T) {
	t.Parallel()
	const lines, line = 16, "some b words of one line, each with a b in it, and a number 1 or 2\n"
	const last = "the end"
	text := strings.Repeat(line, lines) + last
	cheap := len(text) / plainSpeed
	ran := len(text) - lines // each line without its end
	for _, c := range []struct {
		query string
		want  int
	}{
		{"words", cheap},
		{"nothing", cheap},
		{`x\d`, cheap},
		{`(?:xyz)+\d`, cheap},
		{`(xyz)\d`, cheap},
		{`(?:xyz){1,2}\d`, cheap},
		{"b.*nothing", cheap},
		{"nothing.*b", cheap},
		{"nothing|never", cheap},
		{"nothing|", cheap},
		{`(?:nothing|b)\dabc`, cheap},
		{`en.\d`, cheap + len(last)},
		{`\d\d`, cheap + ran},
		{`nothing|\d\d`, cheap + ran},
		{"wo.ds", cheap + ran - len(last) + lines*matchCost},
		{`\d`, cheap + ran + 2*lines*matchCost},
	} {
		if _, got := NewMatcher(c.query, false).count(text); got != c.want {
			t.Errorf("%q: %d, want %d", c.query, got, c.want)
		}
	}
}

// TestNarrows: a query that goes on from another is known to, and only then.
func TestNarrows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, now string
		want        bool
	}{
		{"wor", "work", true},
		{"wor", "Work", true},
		{"wor", "the work", true},
		{"Wor", "Work", true},
		{"Wor", "work", false},
		{"work", "wor", false},
		{"wor", "wo.k", false},
		{"w.r", "work", false},
		{"WO", "(?i)work", false}, // it matches small letters too
	} {
		if got := NewMatcher(c.now, false).Narrows(NewMatcher(c.before, false)); got != c.want {
			t.Errorf("%q after %q: %v", c.now, c.before, got)
		}
	}
}
