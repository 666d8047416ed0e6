package render

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"charm.land/glamour/v2"
	"pgregory.net/rapid"

	"parley/render/text"
	"parley/render/text/texttest"
	"parley/theme"
)

// styleSample has each element that a style of Glamour's can change.
const styleSample = "# First\n\n## Second\n\n### Third *slanted*\n\nPlain **bold**, *italic*, ~~struck~~, `code`, [label](https://a.example/x), " +
	"![image](/i.png), <kbd>tag</kbd>.\n\n> quoted **words**\n>\n> > inner\n\n- one\n  - two\n\n3. three\n4. four\n\n- [x] done\n- [ ] open\n\n" +
	"---\n\n| Head | Other |\n|---|---|\n| cell | 12 |\n\n```go\nfunc name() string { return \"text\" } // note\n```\n\n    indented\n\n<div>block</div>\n"

// styled returns a theme with a style of Glamour's: a standard one by its name, or
// one with the text of a JSON file.
func styled(t testing.TB, name, text string, build func(...theme.Option) *theme.Theme, opts ...theme.Option) *theme.Theme {
	t.Helper()
	dir := t.TempDir()
	if text != "" {
		name = "own.json"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := theme.MarkdownChoice{Setting: name, Themes: dir}.Load()
	if err != nil {
		t.Fatal(err)
	}
	return build(append(opts, theme.WithMarkdown(s))...)
}

// wordsOf are the words of lines without their styles and without what is no letter
// or digit, such as the marks of a style.
func wordsOf(lines []string) []string {
	return strings.FieldsFunc(text.Unstyled(strings.Join(lines, "\n")), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}

// TestStylesKeepText: under every standard style, and without colour or in ASCII,
// the sample has the words it has in the theme's own.
func TestStylesKeepText(t *testing.T) {
	t.Parallel()
	x := func(lines []string) string {
		s := strings.Join(wordsOf(lines), " ")
		s = strings.ReplaceAll(s, "Image image", "image image")
		return strings.NewReplacer(" x done", " done").Replace(s)
	}
	want := x(lines(styleSample, 100, theme.Dark()))
	for _, name := range theme.MarkdownNames() {
		for _, th := range []*theme.Theme{
			styled(t, name, "", theme.Dark), styled(t, name, "", theme.Light), styled(t, name, "", theme.Mono),
			styled(t, name, "", theme.Plain), styled(t, name, "", theme.Dark, theme.ASCII(), theme.Few()),
		} {
			for _, width := range []int{1, 5, 12, 40, 100} {
				drawn := lines(styleSample, width, th)
				for _, l := range drawn {
					texttest.CheckLine(t, l, width)
				}
				if width == 100 && x(drawn) != want {
					t.Errorf("%s in %s:\n%s\nwant\n%s", name, th.Name, x(drawn), want)
				}
			}
		}
	}
}

// TestStyleLooks: what a style says about each element is what is drawn.
func TestStyleLooks(t *testing.T) {
	t.Parallel()
	const style = `{
		"document": {"color": "7", "margin": 4, "block_prefix": "\n"},
		"heading": {"color": "1", "bold": true, "suffix": " <", "block_suffix": "\n"}, "h1": {"prefix": "# "}, "h3": {"bold": false, "upper": true},
		"emph": {"block_prefix": "/", "block_suffix": "/"}, "strong": {"color": "2"}, "strikethrough": {"prefix": "~", "suffix": "~"},
		"code": {"prefix": "'", "suffix": "'", "color": "3"}, "link": {"format": "({{.text}})"}, "link_text": {"underline": true},
		"image_text": {"format": "Image: {{.text}}"}, "block_quote": {"italic": true, "indent": 2, "indent_token": "!"}, "item": {"block_prefix": "+ "},
		"enumeration": {"block_prefix": ") ", "color": "4"}, "task": {"ticked": "[y] ", "unticked": "[n] "}, "hr": {"format": "\n- -\n", "color": "5"},
		"html_block": {"upper": true},
		"table": {"column_separator": "!", "row_separator": "=", "center_separator": "+"}, "code_block": {"margin": 1, "chroma": {"keyword": {"color": "6"}}}
	}`
	th := styled(t, "", style, theme.Dark, theme.WithoutLinks())
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"text", []string{"\x1b[37mtext\x1b[m"}},
		{"# a", []string{"\x1b[31;1m# \x1b[m\x1b[31;1ma\x1b[m\x1b[31;1m <\x1b[m"}},
		{"### a", []string{"\x1b[31mA\x1b[m\x1b[31m <\x1b[m"}},
		{"*a*", []string{"\x1b[37m/\x1b[m\x1b[37ma\x1b[m\x1b[37m/\x1b[m"}},
		{"**a**", []string{"\x1b[32ma\x1b[m"}},
		{"~~a~~", []string{"\x1b[37m~\x1b[m\x1b[37ma\x1b[m\x1b[37m~\x1b[m"}},
		{"`a`", []string{"\x1b[33m'\x1b[m\x1b[33ma\x1b[m\x1b[33m'\x1b[m"}},
		{"[a](/b)", []string{"\x1b[37;4ma\x1b[m \x1b[37m(\x1b[m\x1b[37m/b\x1b[m\x1b[37m)\x1b[m"}},
		{"![a](/b)", []string{"\x1b[37mImage: \x1b[m\x1b[37ma\x1b[m \x1b[37m/b\x1b[m"}},
		{"> a", []string{"\x1b[35m!!\x1b[m\x1b[37;3ma\x1b[m"}},
		{"- a", []string{"\x1b[37m+\x1b[m \x1b[37ma\x1b[m"}},
		{"2. a", []string{"\x1b[34m2)\x1b[m \x1b[37ma\x1b[m"}},
		{"- [x] a\n- [ ] b", []string{"\x1b[37m+\x1b[m \x1b[37m[y] \x1b[m\x1b[37ma\x1b[m", "\x1b[37m+\x1b[m \x1b[37m[n] \x1b[m\x1b[37mb\x1b[m"}},
		{"---", []string{"\x1b[35m- -\x1b[m"}},
		{"|a|b|\n|-|-|\n|c|d|", []string{
			"\x1b[32ma\x1b[m \x1b[35m!\x1b[m \x1b[32mb\x1b[m",
			"\x1b[35m==+==\x1b[m",
			"\x1b[37mc\x1b[m \x1b[35m!\x1b[m \x1b[37md\x1b[m",
		}},
		{"<div>a</div>", []string{"\x1b[37m<DIV>A</DIV>\x1b[m"}},
		{"```go\nfunc\n```", []string{" \x1b[36mfunc\x1b[m"}},
	} {
		if got := lines(c.in, 40, th); !slices.Equal(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}

// hostileStyle has every mark as no terminal should get it.
const hostileStyle = `{
	"h1": {"prefix": "\u001b]0;pwned\u0007", "suffix": "\u001b[2J", "block_prefix": "\n\n\n"}, "emph": {"prefix": "\u202e", "block_suffix": "\r\b"},
	"code": {"prefix": "\u009b31m"}, "link_text": {"block_prefix": "\u001b]8;;https://evil.example\u0007"}, "item": {"block_prefix": "\u200b\n"},
	"enumeration": {"prefix": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}, "task": {"ticked": "\u001bc", "unticked": "\u001bc"},
	"block_quote": {"indent": 4294967295, "indent_token": "日本\t\u001b[1m"}, "hr": {"format": "\u001b[9999C\n{{Repeat .text 99}}"},
	"table": {"column_separator": "\n", "row_separator": "日", "center_separator": "\u0300"}, "code_block": {"margin": 4294967295, "indent": 4294967295}
}`

// TestStyleHostile: whatever the marks of a style are, lines fit and hold nothing
// but our own styles and vetted links.
func TestStyleHostile(t *testing.T) {
	t.Parallel()
	th := styled(t, "", hostileStyle, theme.Dark)
	rapid.Check(t, func(t *rapid.T) {
		src := texttest.Document(t)
		width := rapid.SampledFrom([]int{1, 2, 3, 4, 9, 24, 80}).Draw(t, "width")
		m := feed(t, src, nil)
		for range 2 {
			for _, l := range drawAll(m, width, th) {
				texttest.CheckLine(t, l, width)
			}
			m.Seal()
		}
	})
	for _, l := range lines(styleSample, 60, th) {
		texttest.CheckLine(t, l, 60)
		if bare := text.Unstyled(l); strings.Contains(bare, "pwned") || strings.Contains(bare, "evil") {
			t.Errorf("%q", l)
		}
	}
}

// TestStyledChunking: under every style too, text that came in pieces is drawn as
// the whole.
func TestStyledChunking(t *testing.T) {
	t.Parallel()
	var themes []*theme.Theme
	for _, name := range theme.MarkdownNames() {
		themes = append(themes, styled(t, name, "", theme.Dark))
	}
	themes = append(themes, styled(t, "", hostileStyle, theme.Dark))
	rapid.Check(t, func(t *rapid.T) {
		src := texttest.Document(t)
		want, got := whole1(src), feed(t, src, nil)
		got.Seal()
		for _, th := range themes {
			if a, b := drawAll(got, 40, th), drawAll(want, 40, th); !slices.Equal(a, b) {
				t.Fatalf("lines differ for %q:\n%q\n%q", src, a, b)
			}
		}
	})
}

// TestStyleSeparators: a separator of a table that is not one cell wide would move
// its columns; the theme's own stands in its place.
func TestStyleSeparators(t *testing.T) {
	t.Parallel()
	const table = "| Head | Other |\n|---|---|\n| cell | 12 |\n"
	th := styled(t, "", `{"table": {"column_separator": "||", "row_separator": "日", "center_separator": "\u0300"}}`, theme.Plain)
	if got, want := lines(table, 40, th), lines(table, 40, theme.Plain()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestStylesAreGlamours: under a standard style each element has the colours and
// attributes that Glamour itself gives it.
func TestStylesAreGlamours(t *testing.T) {
	t.Parallel()
	for _, name := range theme.MarkdownNames() {
		r, err := glamour.NewTermRenderer(glamour.WithStandardStyle(name))
		if err != nil {
			t.Fatal(err)
		}
		th := styled(t, name, "", theme.Dark)
		for _, src := range []string{
			"WORD", "# WORD", "## WORD", "### WORD", "#### WORD", "##### WORD", "###### WORD", "*WORD*", "**WORD**", "~~WORD~~", "`WORD`",
			"> WORD", "- WORD", "1. WORD", "- [x] WORD", "[WORD](https://a.example)", "![WORD](/a.png)", "## a *WORD*", "> **WORD**",
			"|a|b|\n|-|-|\n|WORD|c|",
		} {
			whole, err := r.Render(src)
			if err != nil {
				t.Fatal(err)
			}
			want, got := styleOf(whole), styleOf(strings.Join(lines(src, 60, th), "\n"))
			if got != want {
				t.Errorf("%s: %q is in %q, want %q", name, src, got, want)
			}
		}
	}
}

// styleOf is the style of WORD in what was drawn.
func styleOf(drawn string) string {
	before, _, _ := strings.Cut(drawn, "WORD")
	i := strings.LastIndex(before, "\x1b[")
	if i < 0 {
		return ""
	}
	sgr, _, _ := strings.Cut(before[i:], "m")
	return strings.TrimPrefix(sgr, "\x1b[")
}
