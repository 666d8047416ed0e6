package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render/text"
	"parley/render/text/texttest"
	"parley/session/sessiontest"
	"parley/theme"
)

// lines draws a whole text.
func lines(src string, width int, th *theme.Theme) []string { return drawAll(whole1(src), width, th) }

// samples are the texts of the golden files, by name.
var markdownSamples = map[string]string{
	"text": "# Title with `code` and *emphasis*\n\nA paragraph with **bold**, *italic*, ~~gone `x`~~ and `code`.\nA soft line,  \na hard " +
		"one,\\\nanother.<br>A break in HTML, a <kbd>tag</kbd>.\n\nSetext\n------\n\n### Third level\n\nEscapes: \\* \\\\* &amp; &copy; &notit; \\_.\n\n---\n\n" +
		"日本語の文章はスペースがないので、折り返しが難しい。絵文字👩\u200d👩\u200d👧も、e\u0301も。\n",
	"links": "See [the docs](https://example.com/a?b=c), <https://auto.example/>, https://bare.example/x and <me@mail.example>.\n\n" +
		"[example.com](https://example.com/) needs no address, [https://good.example](https://evil.example/login) does.\n\n" +
		"Not followed: [a](javascript:alert(1)), [b](file:///etc/passwd), [c](https://user@host.example/), [d](https://ex\u00e4mple.com).\n\n" +
		"![a logo](https://img.example/l.png) and [by **reference**][r].\n\n[r]: https://ref.example/path \"title\"\n",
	"lists": "- tight\n- items with a text that is long enough to need more than a single row\n  - nested\n    - deeper\n- last\n\nLoose:\n\n- one\n\n  with two paragraphs\n\n" +
		"- two\n\nNumbers:\n\n9. nine\n10. ten\n\n    ```sh\n    echo in a list\n    ```\n\n1. again\n1. counts on\n\n- [x] done\n- [ ] to do\n- `code`\n-\n",
	"quotes": "> A quotation of some length, with **bold** text, that goes over more than one row.\n> > Nested.\n>\n> - a list\n>\n> ```go\n> x := 1\n> ```\n",
	"code": "```go\n// Package main says hello.\npackage main\n\n/* a comment\nof two lines */\nfunc main() {\n\tfmt.Println(\"hello\", 42) // a line that is longer than the width\n}\n```\n\n" +
		"```nosuchlanguage\nplain <text> &amp; \\* kept\n```\n\n```\nno language\n```\n\n    indented\n    code\n\n~~~diff\n-old\n+new\n~~~\n",
	"html": "<div>one</div>\n\n<div>two</div>\n\n<details><summary>More</summary>\n\nText **inside**.\n\n</details>\n\n<!-- a comment -->\n",
	"tables": "| Name | Count | State |\n|:---|---:|:-:|\n| short | 1 | `ok` |\n| 日本語 | 1234 | a\\|b |\n\n" +
		"| Option | What it does |\n|---|---|\n| `--width` | The number of columns of the output; a long text that has to wrap<br>and a second line |\n| `-x` | Short |\n\n" +
		"| A | B | C | D | E | F |\n|---|---|---|---|---|---|\n| first value | second value | third value | fourth value | fifth value | sixth value |\n| a | | c | d | e | f |\n",
	"hostile": "x &#27;]0;pwned&#7; y &#x1b;[2J &#x9b;31m &#x202e;evil\n\n`&#27;[2J` \x1b[31mred\x1b]0;t\a\n\n[l](https://a.example/&#27;]8;;x) [m](<https://b.example/\u202e>)\n\n" +
		"```go\n\x1b[31mx\u202e \u200b\n```\n\n<a href=\"\x1b[1m\">\u2066</a>\n\n| \x1b[1ma | &#13;b |\n|---|---|\n| \u200b | c |\n",
}

func TestMarkdownGolden(t *testing.T) {
	t.Parallel()
	for name, src := range markdownSamples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, width := range []int{80, 24, 4} {
				fmt.Fprintf(&b, "-- width %d\n", width)
				for _, l := range lines(src, width, theme.Probe()) {
					texttest.CheckLine(t, l, width)
					fmt.Fprintln(&b, strings.ReplaceAll(theme.Reveal(l), "\x1b", "␛"))
				}
			}
			sessiontest.Golden(t, "render/markdown-"+name, b.String())
		})
	}
}

// TestMarkdownDefects holds what Glamour alone gets wrong, one case each.
func TestMarkdownDefects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"paragraphs of a loose item are apart", "- a\n\n  b\n\n- c", []string{"• a", "", "  b", "", "• c"}},
		{"hard break by blanks", "a  \nb", []string{"a", "b"}},
		{"hard break by backslash", "a\\\nb", []string{"a", "b"}},
		{"soft break is a blank", "a\nb", []string{"a b"}},
		{"blocks of HTML are apart and shown", "<div>a</div>\n\n<div>b</div>", []string{"<div>a</div>", "", "<div>b</div>"}},
		{"inline HTML is shown", "a <b>c</b>", []string{"a <b>c</b>"}},
		{"control characters by reference", "x&#27;&#7;&#127;y", []string{"xy"}},
		{"bidi by reference", "x&#x202e;y", []string{"x⟦U+202E⟧y"}},
		{"escaped backslash before a star", `a \\*b`, []string{`a \*b`}},
		{"backslashes are kept", `C:\dir \\ \a`, []string{`C:\dir \ \a`}},
		{"references are decoded once", "&amp;lt; \\&amp;", []string{"&lt; &amp;"}},
		{"code is not decoded", "`&amp; \\* \\\\`", []string{"`&amp; \\* \\\\`"}},
		{"strikethrough keeps what is inside", "~~a `b` [c](https://d.example)~~", []string{"a `b` c https://d.example"}},
		{"a link is shown once", "https://a.example/x", []string{"https://a.example/x"}},
		{"a label that says where", "[a.example](https://a.example/)", []string{"a.example"}},
		{"a label that lies", "[https://a.example](https://b.example)", []string{"https://a.example https://b.example"}},
		{"an image", "![alt *text*](/i.png)", []string{"[image: alt text] /i.png"}},
		{"headings without marks", "## a", []string{"a"}},
		{"numbers continue", "3. a\n3. b", []string{"3. a", "4. b"}},
		{"code keeps its blanks", "```\na    b\n```", []string{"  a    b"}},
		{"code is broken after a blank", "```\n" + strings.Repeat("ab ", 15) + "\n```", []string{"  " + strings.Repeat("ab ", 12), "  ↳ " + strings.Repeat("ab ", 3)}},
		{"pipes in cells", "|a|\n|-|\n|b\\|c|", []string{"a", "───", "b|c"}},
		{"empty", "", nil},
		{"only a definition", "[a]: /b", nil},
	} {
		if got := lines(c.in, 40, theme.Plain()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestCodeThemes: the colours of code come with the theme of the call, not with
// the first that was used.
func TestCodeThemes(t *testing.T) {
	t.Parallel()
	const src = "```go\nfunc f() {}\n```"
	dark, light := lines(src, 40, theme.Dark()), lines(src, 40, theme.Light())
	if slices.Equal(dark, light) {
		t.Error("dark and light code look alike")
	}
	if again := lines(src, 40, theme.Dark()); !slices.Equal(dark, again) {
		t.Error("drawing light changed dark")
	}
}

// TestMarkdownHostile: whatever the text, live or sealed, at any width, lines
// fit and hold nothing but our own styles and vetted links.
func TestMarkdownHostile(t *testing.T) {
	t.Parallel()
	themes := []*theme.Theme{theme.Dark(), theme.Plain(), theme.Light(theme.ASCII())}
	rapid.Check(t, func(t *rapid.T) {
		src := texttest.Document(t) + texttest.Untrusted(t) + texttest.Document(t)
		width := rapid.SampledFrom([]int{1, 2, 3, 4, 9, 24, 80, 140}).Draw(t, "width")
		th := themes[rapid.IntRange(0, len(themes)-1).Draw(t, "theme")]
		check := func(m *Markdown) {
			for _, l := range drawAll(m, width, th) {
				texttest.CheckLine(t, l, width)
			}
		}
		m := feed(t, src, nil)
		check(m)
		m.Seal()
		check(m)
	})
}

// TestMarkdownDeep: nesting and repetition without end cost neither the stack
// nor time that grows with their square; without tame some take minutes.
func TestMarkdownDeep(t *testing.T) {
	t.Parallel()
	const n = 6000
	rep := strings.Repeat
	for _, src := range []string{
		rep("> ", n) + "x", rep("- ", n) + "x", rep("1. ", n), rep(">", n), rep("*", n) + "x" + rep("*", n), rep("[", n) + "x" + rep("]", n),
		rep("`", n), rep("<", n), rep("![](", n), rep("*a **b ", n/10), rep("\u202e", n/10),
		rep("| a ", n/10) + "|\n" + rep("|---", n/10) + "|\n" + rep("| b ", n/10),
	} {
		m := &Markdown{}
		m.Extend(src[:len(src)/2])
		m.Extend(src)
		m.Seal()
		for _, l := range drawAll(m, 20, theme.Dark()) {
			texttest.CheckLine(t, l, 20)
		}
	}
}

func TestTame(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "text\n", "> - 1. x\n", strings.Repeat("-", 200), strings.Repeat("> ", deepest) + "x", strings.Repeat("x", 2*longestRun),
		strings.Repeat("[a](b) ", longestRun), "1234567890. x", "-x", "a\n\nb",
	} {
		if got := tame(in); got != in {
			t.Errorf("tame(%.60q) = %.60q", in, got)
		}
	}
	for in, want := range map[string]string{
		strings.Repeat("> ", deepest) + "> x":   strings.Repeat("> ", deepest) + `\> x`,
		strings.Repeat("- ", deepest) + "1. x":  strings.Repeat("- ", deepest) + `1\. x`,
		"a\n" + strings.Repeat("* ", deepest+1): "a\n" + strings.Repeat("* ", deepest) + `\* `,
		strings.Repeat("![](", longestRun):      strings.Repeat(`![\](`, longestRun),
	} {
		if got := tame(in); got != want {
			t.Errorf("tame(%.80q) = %.80q, want %.80q", in, got, want)
		}
	}
}

func TestSafeURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://a.example/x?y=z#f": true, "http://localhost:8080/": true, "mailto:a@b.example": true,
		"javascript:alert(1)": false, "file:///etc/passwd": false, "data:text/html,x": false, "//a.example": false, "/x": false,
		"https://": false, "https://u@a.example": false, "https://a b": false, "https://\u00e4.example": false, "https://%c3%a4.example": false,
		"mailto:": false, "": false, "https://a.example/\x1b": false, "https://a.example/" + strings.Repeat("x", 3000): false,
	} {
		if got := text.SafeURL(url); got != want {
			t.Errorf("safeURL(%q) = %v", url, got)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, src := range markdownSamples {
		f.Add(src, uint8(24), uint8(7))
	}
	th := theme.Dark()
	f.Fuzz(func(t *testing.T, src string, width, step uint8) {
		var m Markdown
		for at := 0; at < len(src); {
			at = min(len(src), at+int(step)+len(src)/16+1)
			m.Extend(src[:at])
		}
		for range 2 {
			for _, l := range drawAll(&m, int(width)+1, th) {
				texttest.CheckLine(t, l, int(width)+1)
			}
			m.Seal()
		}
		if !slices.Equal(keys(&m), keys(whole1(src))) {
			t.Fatal("sealed blocks depend on how the text came")
		}
	})
}

// TestTableOfEmoji: the columns of a table stand below each other whatever emoji
// are in it, also in a terminal that gives every character cells of its own.
func TestTableOfEmoji(t *testing.T) {
	t.Parallel()
	source := "| who | what |\n|---|---|\n"
	for _, e := range []string{"👨‍👩‍👧", "👍🏽", "❤️", "🏳️‍🌈", "👩🏽‍🚀", "🙂", "☺️"} {
		source += "| " + e + " | x |\n"
	}
	for _, c := range []struct {
		th    *theme.Theme
		width func(string) int
	}{
		{theme.Plain(theme.Apart()), ansi.StringWidthWc},
		{theme.Plain(), ansi.StringWidth},
	} {
		at := 0
		for _, l := range DrawBlock(Block{Kind: Prose, Source: source}, 60, c.th)[2:] {
			before, _, _ := strings.Cut(ansi.Strip(l), "x")
			if n := c.width(before); at != 0 && n != at {
				t.Errorf("the second column is at %d, not %d: %q", n, at, l)
			} else {
				at = n
			}
		}
	}
}
