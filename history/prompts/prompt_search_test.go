package prompts

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/session"
	"parley/session/sessiontest"
)

// plainly does what Search says, prompt by prompt.
func plainly(prompts []Prompt, query string, s Scope, at Place, limit int) []string {
	lower := func(s string) string { return s }
	if !strings.ContainsFunc(query, unicode.IsUpper) {
		lower = foldedPlainly
	}
	var out []string
	for _, p := range slices.Backward(prompts) {
		in := s == Everywhere || p.Session == at.Session && p.Session != ""
		if s == InRepository && !in {
			in = p.Dir == at.Dir
			if p.Repository != "" && at.Repository != "" {
				in = p.Repository == at.Repository
			}
		}
		for word := range strings.FieldsSeq(query) {
			in = in && strings.Contains(lower(p.Prompt()), lower(word))
		}
		if in && !slices.Contains(out, p.Prompt()) && (limit == 0 || len(out) < limit) {
			out = append(out, p.Prompt())
		}
	}
	return out
}

// foldedPlainly is s in lower case, letter by letter where the length stays.
func foldedPlainly(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if l := unicode.ToLower(r); utf8.RuneLen(l) == n && r != utf8.RuneError {
			b.WriteRune(l)
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// plainPrompt draws a prompt of few letters, so that much is the same.
func plainPrompt(t *rapid.T, n int) Prompt {
	of := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	p := sent(n, strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "b", "A", "ab", "aba", "abac", "The", "the", " ", "\n", "é", "É", "K", "\u212a", "ß", "ẞ", "\xff", "İ", "@x",
	}), 1, 12).Draw(t, "text"), ""))
	if strings.HasPrefix(p.Text, " ") {
		p.Text = "." + p.Text
	}
	if rapid.IntRange(0, 5).Draw(t, "chip") == 0 {
		p.Chips = []drafts.Chip{{At: 1, Paste: of("paste", "ab", "THE", "é")}}
	}
	p.Session = session.ID(of("session", "", "s1", "s2"))
	p.Dir = of("dir", "/a", "/b")
	p.Repository = of("repository", "", "/", "/a")
	return p
}

// TestSearchIsPlain: Search finds what going through all prompts finds, in
// memory, from the file, and half and half.
func TestSearchIsPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		file := rapid.SampledFrom([]string{"", dir + "/" + string(rune('a'+runs%26)) + time.Duration(runs).String()}).Draw(t, "file")
		p := Open(file)
		var all []Prompt
		for i := range rapid.IntRange(0, 15).Draw(t, "prompts") {
			all = append(all, plainPrompt(t, i))
			mustAdd(t, p, all[i])
			if rapid.Bool().Draw(t, "load") {
				if err := p.Load(); err != nil {
					t.Fatal(err)
				}
			}
		}
		at := Place{
			session.ID(rapid.SampledFrom([]string{"", "s1"}).Draw(t, "in")),
			rapid.SampledFrom([]string{"/a", "/c"}).Draw(t, "at"),
			rapid.SampledFrom([]string{"", "/", "/a"}).Draw(t, "of"),
		}
		for range 5 {
			query := rapid.StringMatching(`[abcAhetkKéÉßẞ@İ ]{0,5}`).Draw(t, "query")
			scope := rapid.SampledFrom([]Scope{InSession, InRepository, Everywhere}).Draw(t, "scope")
			limit := rapid.IntRange(0, 3).Draw(t, "limit")
			want := plainly(all, query, scope, at, limit)
			var got []string
			for _, h := range p.Search(query, scope, at, limit) {
				text := h.Prompt.Prompt()
				got = append(got, text)
				checkSpans(t, query, text, h.Spans)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%q %s: got %q, want %q", query, scope, got, want)
			}
		}
		checkOlder(t, p, all, at)
	})
}

// checkSpans checks that every word is marked, and nothing else.
func checkSpans(t *rapid.T, query, text string, spans [][2]int) {
	lower := func(s string) string { return s }
	if !strings.ContainsFunc(query, unicode.IsUpper) {
		lower = foldedPlainly
	}
	marked := make([]bool, len(text))
	last := -1
	for _, s := range spans {
		if s[0] <= last || s[1] <= s[0] || s[1] > len(text) {
			t.Fatalf("spans %v in %d bytes", spans, len(text))
		}
		last = s[1]
		for i := s[0]; i < s[1]; i++ {
			marked[i] = true
		}
	}
	want := make([]bool, len(text))
	for word := range strings.FieldsSeq(lower(query)) {
		for i := 0; strings.Contains(lower(text)[i:], word); {
			i += strings.Index(lower(text)[i:], word)
			for range len(word) {
				want[i] = true
				i++
			}
		}
	}
	if !reflect.DeepEqual(marked, want) {
		t.Fatalf("%q in %q: %v", query, text, spans)
	}
}

// checkOlder goes back through everything and checks that it is all of the
// session, then all of the repository, then the rest.
func checkOlder(t *rapid.T, p *History, all []Prompt, at Place) {
	prefix := rapid.SampledFrom([]string{"", "a", "ab", "The", "é", "abacabacaba"}).Draw(t, "prefix")
	var want, got []string
	for _, scope := range []Scope{InSession, InRepository, Everywhere} {
		for _, text := range plainly(all, "", scope, at, 0) {
			if strings.HasPrefix(text, prefix) && !slices.Contains(want, text) {
				want = append(want, text)
			}
		}
	}
	for n := 0; ; n++ {
		q, ok := p.Older(prefix, at, n)
		if !ok {
			break
		}
		got = append(got, q.Prompt())
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("older than %q: got %q, want %q", prefix, got, want)
	}
}

// TestFoldIsPlain: fold works in place and gives what writing a new text letter by
// letter gives.
func TestFoldIsPlain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		if got := string(fold([]byte("before"), s)); got != foldedPlainly(s) {
			t.Fatalf("%q: got %q, want %q", s, got, foldedPlainly(s))
		}
	})
	for b := range 256 {
		s := strings.Repeat(string([]byte{byte(b)}), 9)
		equal(t, "byte", string(fold(nil, s)), foldedPlainly(s))
	}
}

// TestSearchLongPrompt: of a long prompt the beginning is searched, and what is
// found is whole.
func TestSearchLongPrompt(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/prompts.jsonl"
	long := sent(1, "begin "+strings.Repeat("é", searched)+" finish")
	mustAdd(t, Open(file), long)
	memory := Open("")
	mustAdd(t, memory, long)
	for name, p := range map[string]*History{"file": mustLoad(t, file), "memory": memory} {
		equal(t, name, found(p, "begin"), []string{long.Text})
		equal(t, name, found(p, "finish"), []string(nil))
		spans := p.Search("é", Everywhere, Place{}, 0)[0].Spans
		equal(t, name+" spans", spans, [][2]int{{6, 6 + 2*maxSpans}})
	}
}

func TestScope(t *testing.T) {
	t.Parallel()
	for s, want := range map[Scope]string{InSession: "this session", InRepository: "this repository", Everywhere: "everywhere", 99: "everywhere"} {
		equal(t, "scope", s.String(), want)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                      nil,
		"plain ada@example.com": nil,
		"@":                     nil,
		"@a.go":                 {"a.go"},
		"see @src/a.go, @src/":  {"src/a.go", "src"},
		"(@a/b.go:10-20)":       {"a/b.go"},
		"@a.go:10 @a.go:7:3":    {"a.go"},
		"@\"two words.txt\":3":  {"two words.txt"},
		`@"a \"b\" \\c" x`:      {`a "b" \c`},
		`@"open`:                nil,
		"@app/(group)/x.tsx.":   {"app/(group)/x.tsx"},
		"読む@é.go":               {"é.go"},
		"a\n@b?":                {"b"},
	} {
		if !sessiontest.Unix && strings.Contains(text, `\"`) {
			continue // a name there has no quote, and a backslash separates folders
		}
		equal(t, text, mentioned(text), want)
	}
	p := Open("")
	old := sent(0, "@a @b")
	old.Time = noon.Add(-halfLife)
	elsewhere := sent(0, "@c @a")
	elsewhere.Repository = "/other"
	future := sent(0, "@f")
	future.Time = noon.Add(time.Hour)
	mustAdd(t, p, old, sent(0, "@a again @a"), sent(0, "@a again @a"), elsewhere, future)
	got := p.Mentions(Place{Dir: "/w/b", Repository: "/w"}, noon)
	equal(t, "paths", slices.Sorted(maps.Keys(got)), []string{"a", "b", "f"})
	equal(t, "weights", got, map[string]float64{"a": 2.5, "b": 0.5, "f": 1})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	p := Open("")
	old := sent(0, "/model one high")
	old.Time = noon.Add(-halfLife)
	elsewhere := sent(0, "/diff")
	elsewhere.Repository = "/other"
	mustAdd(t, p, old, elsewhere, sent(0, "/diff"), sent(0, "not /new"))
	equal(t, "commands", p.Commands(noon), map[string]float64{"model": 0.5, "diff": 2})
}
