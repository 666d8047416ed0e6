package mentions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// show writes mentions as "path" or "path 10-20", and checks their offsets.
func show(t interface{ Fatalf(string, ...any) }, text string) []string {
	var out []string
	last := 0
	for _, m := range Find(text) {
		if m.From < last || m.To <= m.From || m.To > len(text) || text[m.From] != '@' {
			t.Fatalf("%q: mention from %d to %d", text, m.From, m.To)
		}
		last = m.To
		s := m.Path
		if m.Lines != nil {
			s += fmt.Sprintf(" %d-%d", m.Lines.Start, m.Lines.End)
		}
		out = append(out, s)
	}
	return out
}

// TestMentionsOnWindows: a backslash is part of a path there, also in quotes, and as good as a slash.
func TestMentionsOnWindows(t *testing.T) {
	t.Parallel()
	if escapes {
		t.Skip("a backslash separates no folders here")
	}
	for text, want := range map[string][]string{
		`@src\a.go:10, @src\ and @..\..`:              {"src/a.go 10-10", "src/", "../.."},
		`@C:\Users\ada\a.go @C:/b.go:3`:               {"C:/Users/ada/a.go", "C:/b.go 3-3"},
		`@"C:\new files\x86\temp.txt":3 @"a\" @"b c"`: {"C:/new files/x86/temp.txt 3-3", "a/", "b c"},
		`@"\\host\share\a"`:                           {"//host/share/a"},
	} {
		if got := show(t, text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for path, want := range map[string]string{`C:\new files`: `@"C:/new files/"`, `src\x`: "@src/x/"} {
		if got := Text(path, true); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if query, _, _, ok := At(`see @"src\ne`, 12); !ok || query != "src/ne" {
		t.Errorf("%q, %v", query, ok)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	type mention struct {
		text string
		want []string
	}
	list := []mention{
		{"", nil},
		{"@", nil},
		{"@ a", nil},
		{"@a.go", []string{"a.go"}},
		{"see @src/a.go and @b", []string{"src/a.go", "b"}},
		{"@a\n@b\t@c", []string{"a", "b", "c"}},
		{"mail ada@example.org", nil},
		{"a.b@c.d, x_@y, 1@2", nil},
		{"https://example.org/@ada", nil},
		{"@@a", []string{"@a"}},
		{"(@a)", []string{"a"}},
		{"Is it in @a.go?", []string{"a.go"}},
		{"Look at @a.go.", []string{"a.go"}},
		{"@a.go, @b.go; @c.go: @d.go!", []string{"a.go", "b.go", "c.go", "d.go"}},
		{"**@a.go** \"@b.go\" '@c.go' `@d.go` <@e.go>", []string{"a.go", "b.go", "c.go", "d.go", "e.go"}},
		{"@app/(group)/[id].tsx", []string{"app/(group)/[id].tsx"}},
		{"(see @app/(group))", []string{"app/(group)"}},
		{"[@a[0]]", []string{"a[0]"}},
		{"@. @.. @./ @../x @~/x @/etc/hosts", []string{".", "..", "./", "../x", "~/x", "/etc/hosts"}},
		{"@src/", []string{"src/"}},
		{"@.env... @..", []string{".env", ".."}},
		{"@a.go:10", []string{"a.go 10-10"}},
		{"@a.go:10-20.", []string{"a.go 10-20"}},
		{"@a.go:10:5 is wrong", []string{"a.go 10-10"}},
		{"@a.go:20-10 @a.go:0 @a.go:x", []string{"a.go:20-10", "a.go:0", "a.go:x"}},
		{"@a:1:2:3", []string{"a:1 2-2"}},
		{"@a.go:99999999999", []string{"a.go:99999999999"}},
		{`@"two words"`, []string{"two words"}},
		{`@"two words":10-20, and`, []string{"two words 10-20"}},
		{`@"a:10"`, []string{"a:10"}},
		{"@\"raw \xff\"", []string{"raw \xff"}},
		{`@"" @"open`, nil},
		{"@\"open\n@b\"", []string{"b"}},
		{"看@src/a.go，好", []string{"src/a.go"}},
		{"größe@x, é@x", nil},
		{"@größe/é.txt", []string{"größe/é.txt"}},
		{"@a\x00b @c\xffd @e\u202ef", []string{"a", "c", "e"}},
		{"@node_modules/@types/node", []string{"node_modules/@types/node"}},
	}
	if escapes {
		list = append(list, mention{`@"say \"hi\" \\ \n\t\r\xff\x7f \d"`, []string{"say \"hi\" \\ \n\t\r\xff\x7f \\d"}})
	}
	for _, c := range list {
		if got := show(t, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// untidyPath draws paths with everything that a file system takes.
func untidyPath() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "src", ".", "..", "/", "//", " ", "\n", "\t", "\r", `"`, `\`, `\n`, `\x`, ":", ":10", ":1-2", "-", "@", "'", "`", ",", "(", ")", "[", "]",
		"é", "漢", "，", "\xff", "\x00", "\x1b", "\u202e", "\u00a0", "~", "_", "*", "?", "!", "#", "😀", "\U00100000", "\xf4", "<", ">",
	})
	return rapid.OneOf(rapid.Map(rapid.SliceOfN(piece, 1, 8), func(p []string) string { return strings.Join(p, "") }), rapid.StringN(1, 12, -1))
}

// TestMentionTextIsFound: whatever a path is, what mentions it is found again
// as exactly that path.
func TestMentionTextIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path, dir := untidyPath().Draw(t, "path"), rapid.Bool().Draw(t, "dir")
		if !escapes { // no name there has what would have to be escaped
			path = "a" + strings.Map(func(r rune) rune {
				if r < ' ' || r == '"' {
					return -1
				}
				return r
			}, path)
		}
		want := filepath.ToSlash(path)
		if dir && !strings.HasSuffix(want, "/") {
			want += "/"
		}
		mention := Text(path, dir)
		if strings.ContainsAny(mention, "\n\r\x00\x1b") {
			t.Fatalf("%q cannot be typed", mention)
		}
		for _, around := range [][2]string{{"", ""}, {"see ", " there"}, {"(", ")"}, {"a\n", "\nb"}, {"", ", b"}} {
			text := around[0] + mention + around[1]
			got := Find(text)
			if len(got) != 1 || got[0].Path != want || got[0].Lines != nil || text[got[0].From:got[0].To] != mention {
				t.Fatalf("%q is found as %+v in %q", want, got, text)
			}
		}
	})
}

func TestMentionText(t *testing.T) {
	t.Parallel()
	type mention struct {
		path string
		dir  bool
		want string
	}
	list := []mention{
		{"src/a.go", false, "@src/a.go"},
		{"src", true, "@src/"},
		{"two words", false, `@"two words"`},
		{"two words", true, `@"two words/"`},
		{"a:10", false, `@"a:10"`},
		{"end.", false, `@"end."`},
		{"app/(group)/[id].tsx", false, "@app/(group)/[id].tsx"},
	}
	if escapes {
		list = append(list, mention{"a\nb\xff\x1b\"\\", false, `@"a\nb\xff\x1b\"\\"`})
	}
	for _, c := range list {
		if got := Text(c.path, c.dir); got != c.want {
			t.Errorf("%q: %s, want %s", c.path, got, c.want)
		}
	}
}

func TestMentionAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string // with the caret as |
		want string // the query, then what is replaced; "" is no mention
	}{
		{"|", ""},
		{"@|", "<>@"},
		{"|@", ""},
		{"see @sr|", "<sr>@sr"},
		{"see @sr|c/main", "<sr>@sr"},
		{"@|foo", "<>@"},
		{"@src/|", "<src/>@src/"},
		{"@a b|", ""},
		{"ada@ex|", ""},
		{"a @b c @d|", "<d>@d"},
		{"x\n@b|", "<b>@b"},
		{"@b\n|", ""},
		{`@"|`, `<>@"`},
		{`@"two wo|`, `<two wo>@"two wo`},
		{`@"two wo|"`, `<two wo>@"two wo"`},
		{`@"two wo|" more`, `<two wo>@"two wo"`},
		{`@"two"|`, ""},
		{`@"two" a|`, ""},
		{`@"a\"b|`, `<a"b>@"a\"b`},
		{"@a.go:1|", ""},
		{"@a.go:1-2|", ""},
		{"@a.go:|", "<a.go:>@a.go:"},
		{"@node_modules/@ty|", "<node_modules/@ty>@node_modules/@ty"},
		{"看@漢|", "<漢>@漢"},
		{strings.Repeat("a", 5000) + " @b|", "<b>@b"},
		{"@" + strings.Repeat("a", 5000) + "|", ""},
	} {
		if !escapes && strings.Contains(c.text, `\`) {
			continue
		}
		caret := strings.IndexByte(c.text, '|')
		text := c.text[:caret] + c.text[caret+1:]
		query, from, to, ok := At(text, caret)
		got := ""
		if ok {
			got = "<" + query + ">" + text[from:to]
		}
		if got != c.want {
			t.Errorf("%.60q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestChosenMentionIsWhole: what is chosen takes the place of what was typed,
// and nothing else.
func TestChosenMentionIsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "after")
		text := before + after
		query, from, to, ok := At(text, len(before))
		if !ok {
			return
		}
		if from < 0 || from > len(before) || to < len(before) || to > len(before)+1 || text[from] != '@' || strings.Contains(text[from:len(before)], "\n") {
			t.Fatalf("%q: query %q from %d to %d", text, query, from, to)
		}
	})
}

func FuzzMentions(f *testing.F) {
	for _, seed := range []string{"@a.go:10-20", `@"a\"b\n":3`, "a@b @c, (@d)", "@\xff @\"", "看@x，"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		show(t, text)
		for _, m := range Find(text) {
			again := Find(Text(m.Path, false))
			if len(again) != 1 || again[0].Path != m.Path {
				t.Fatalf("%q is found again as %+v", m.Path, again)
			}
		}
	})
}

// TestMentionsTakeLinearTime would not end if they took the square of it.
func TestMentionsTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"@", "@a", `@"`, `@"\`, "@)", "@a)", "@a:1", "(@(", "@.", "@ ", `"@`, "#", "#1", "@a)]}", ")"} {
		text := "@" + strings.Repeat(piece, 500_000)
		Find(text)
		At(text, len(text))
	}
}
