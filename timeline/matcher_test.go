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
		reading MatchMode
	}{
		{"worker", false, "Worker, worker and WORKER", []string{"Worker", "worker", "WORKER"}, MatchPlain},
		{"Worker", false, "Worker, worker and WORKER", []string{"Worker"}, MatchPlain},
		{"größe", false, "GRÖSSE Größe GRÖßE", []string{"Größe", "GRÖßE"}, MatchPlain},
		{"Größe", false, "größe Größe", []string{"Größe"}, MatchPlain},
		{"日本", false, "日本語と日本", []string{"日本", "日本"}, MatchPlain},
		{"kelvin", false, "\u212aelvin", []string{"\u212aelvin"}, MatchPlain},
		{"aa", false, "aaaaa", []string{"aa", "aa"}, MatchPlain},
		{"no", false, "", nil, MatchPlain},
		{"fo+", false, "foo fo FOOO f", []string{"foo", "fo", "FOOO"}, MatchExpression},
		{"Fo+", false, "foo Foo", []string{"Foo"}, MatchExpression},
		{`\S+x`, false, "ax BX", []string{"ax", "BX"}, MatchExpression},
		{`\PLb`, false, "1b", []string{"1b"}, MatchExpression},
		{`\p{Lu}b`, false, "Ab", []string{"Ab"}, MatchExpression},
		{`\.Go`, false, "a.go a.Go", []string{".Go"}, MatchExpression},
		{"^b.*$", false, "abc\nbcd\r\nb", []string{"bcd", "b"}, MatchExpression},
		{"a[^x]b", false, "a\nb a b", []string{"a b"}, MatchExpression},
		{"x*", false, "axxb", []string{"xx"}, MatchExpression},
		{"$", false, "abc", nil, MatchExpression},
		{`\bin\b`, false, "in inner main in", []string{"in", "in"}, MatchExpression},
		{"foo|", false, "a foo", []string{"foo"}, MatchExpression},
		{`b\|`, false, "ab|", []string{"b|"}, MatchExpression},
		{"foo|bar", false, "a bar\nnone\nFOO", []string{"bar", "FOO"}, MatchExpression},
		{"(foo)+(x|y)", false, "foofooy foo", []string{"foofooy"}, MatchExpression},
		{"(?i)Foo", false, "foo Foo", []string{"foo", "Foo"}, MatchExpression},
		{"a{2,3}", false, "aaaa", []string{"aaa"}, MatchExpression},
		{"x(", false, "f(X(1))", []string{"X("}, MatchInvalid},
		{"*ptr", false, "a *ptr", []string{"*ptr"}, MatchInvalid},
		{"a.b", true, "a.b axb", []string{"a.b"}, MatchLiteral},
		{"A.b", true, "a.b A.b", []string{"A.b"}, MatchLiteral},
		{"ab", true, "ab", []string{"ab"}, MatchPlain},
		{"", false, "ab", nil, MatchPlain},
		{"az", false, "aZ", []string{"aZ"}, MatchPlain},
		{"x@y", false, "x`y", nil, MatchPlain}, // one bit apart, as a letter and its capital are
		{"x{y", true, "x[y", nil, MatchLiteral},
		{"aſ", false, "as aS", []string{"as", "aS"}, MatchPlain},
		{"as", false, "aſ", []string{"aſ"}, MatchPlain},
		{"\xffa", false, "\xfeA \xffA", []string{"\xffA"}, MatchPlain},
		{"a\ufffd", false, "a\xff a\ufffd", []string{"a\ufffd"}, MatchPlain},
		{`\p{Lu}b`, false, "AB", []string{"AB"}, MatchExpression},
		{`\pLB`, false, "xb xB", []string{"xB"}, MatchExpression},
		{`x(?:ab){0,2}`, false, "x\nxab", []string{"x", "xab"}, MatchExpression},
		{`foo|\d`, false, "7\nfoo", []string{"7", "foo"}, MatchExpression},
		{`[^x]+`, false, "\nab\n\ncd", []string{"ab", "cd"}, MatchExpression},
		{strings.Repeat("a", maxExpression-2) + "b?", false, "a", nil, MatchExpression},
		{strings.Repeat("a", maxExpression-1) + "b?", false, "a", nil, MatchInvalid},
		{`\D`, true, `\d \D`, []string{`\D`}, MatchLiteral},
		{strings.Repeat("(a", 2000), false, "aaa", nil, MatchInvalid},
		{strings.Repeat("a?", 2000), false, "aaa", nil, MatchInvalid},
	} {
		m := NewMatcher(c.query, c.literal, SmartCase)
		var got []string
		for _, span := range m.Find(c.text) {
			got = append(got, c.text[span[0]:span[1]])
		}
		if !slices.Equal(got, c.want) || m.Mode() != c.reading {
			t.Errorf("%q in %q: %q (%d), want %q (%d)", c.query, c.text, got, m.Mode(), c.want, c.reading)
		}
		if n, _ := m.count(c.text); n != len(c.want) {
			t.Errorf("%q in %q: counted %d, want %d", c.query, c.text, n, len(c.want))
		}
	}
}

// TestMatcherCase: the case of letters, whatever the query has.
func TestMatcherCase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query   string
		letters MatchCase
		want    []string
		exact   bool
	}{
		{"foo", SmartCase, []string{"foo", "Foo", "FOO"}, false},
		{"Foo", SmartCase, []string{"Foo"}, true},
		{"foo", ExactCase, []string{"foo"}, true},
		{"Foo", AnyCase, []string{"foo", "Foo", "FOO"}, false},
		{"fo+", ExactCase, []string{"foo"}, true},
		{"Fo+", AnyCase, []string{"foo", "Foo", "FOO"}, false},
		{"fo+", SmartCase, []string{"foo", "Foo", "FOO"}, false},
		{`F\S+`, SmartCase, []string{"Foo", "FOO"}, true},
	} {
		m := NewMatcher(c.query, false, c.letters)
		const text = "foo Foo FOO"
		var got []string
		for _, span := range m.Find(text) {
			got = append(got, text[span[0]:span[1]])
		}
		if !slices.Equal(got, c.want) || m.Exact() != c.exact {
			t.Errorf("%q (%d): %q, exact %t; want %q, %t", c.query, c.letters, got, m.Exact(), c.want, c.exact)
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
		if got := NewMatcher(query, true, SmartCase).Find(text); !sameSpans(got, want) {
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
		m := NewMatcher(query, false, SmartCase)
		if m.Mode() == MatchPlain || m.Mode() == MatchInvalid {
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
		if _, got := NewMatcher(c.query, false, SmartCase).count(text); got != c.want {
			t.Errorf("%q: %d, want %d", c.query, got, c.want)
		}
	}
}

// TestNarrows: a query that continues another is known to, and only then.
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
		if got := NewMatcher(c.now, false, SmartCase).Narrows(NewMatcher(c.before, false, SmartCase)); got != c.want {
			t.Errorf("%q after %q: %v", c.now, c.before, got)
		}
	}
}
