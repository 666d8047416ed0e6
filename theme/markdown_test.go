package theme

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gansi "charm.land/glamour/v2/ansi"
)

// TestMarkdownChoice: the setting wins over the environment, auto leaves the
// choice to it, and the theme's own look can be had whatever it says.
func TestMarkdownChoice(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	write(t, dir, "mine.json", `{}`)
	write(t, home, "style.json", `{}`)
	for _, c := range []struct{ setting, environment, want string }{
		{"", "", ""},
		{"auto", "", ""},
		{"auto", "auto", ""},
		{"auto", "pink", "pink"},
		{"theme", "pink", ""},
		{"dracula", "pink", "dracula"},
		{"tokyo-night", "", "tokyo-night"},
		{"mine.json", "pink", filepath.Join(dir, "mine.json")},
		{filepath.FromSlash("~/style.json"), "", filepath.Join(home, "style.json")},
		{"~/style.json", "", filepath.Join(home, "style.json")},
		{"auto", filepath.Join(dir, "mine.json"), filepath.Join(dir, "mine.json")},
	} {
		s, err := MarkdownChoice{c.setting, c.environment, dir, home}.Load()
		if got := nameOf(s); err != nil || got != c.want {
			t.Errorf("markdown_style %q, GLAMOUR_STYLE %q: %q, %v, want %q", c.setting, c.environment, got, err, c.want)
		}
	}
}

func nameOf(s *MarkdownStyle) string {
	if s == nil {
		return ""
	}
	return s.Name
}

// TestMarkdownChoiceWrong: what cannot be taken says where it was named, what is
// wrong, in which line of a file, and what may be chosen.
func TestMarkdownChoiceWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"broken.json": "{\n  \"h1\": {\n",
		"kind.json":   "{\n \"h1\": {\n  \"bold\": 3 } }",
		"list.json":   "[]",
		"colour.json": `{"h1": {"color": "reddish"}, "link": {"background_color": "300"}}`,
		"format.json": `{"image_text": {"format": "{{Repeat .text 1000000000}}"}}`,
		"theme.json":  `{"code_block": {"theme": "monokay"}}`,
		"large.json":  strings.Repeat(" ", mostBytes) + "{}",
		"binary.json": "\x00\xff",
	} {
		write(t, dir, name, text)
	}
	_, missing := os.Stat(filepath.Join(dir, "none.json")) // each system names its own call
	for _, c := range []struct {
		choice MarkdownChoice
		want   string
	}{
		{MarkdownChoice{Setting: "drakula"}, `the setting markdown_style: there is no markdown style "drakula"; did you mean "dracula"?, or give the path of a JSON file`},
		{MarkdownChoice{Environment: "x"}, `GLAMOUR_STYLE: there is no markdown style "x"; there are ascii, dark,`},
		{MarkdownChoice{Setting: "none.json"}, "the setting markdown_style: read the markdown style: " + missing.Error()},
		{MarkdownChoice{Setting: "broken.json"}, "broken.json, line 3: the JSON ends in the middle"},
		{MarkdownChoice{Setting: "kind.json"}, "kind.json, line 3: h1.bold cannot be of the type number"},
		{MarkdownChoice{Setting: "list.json"}, "list.json, line 1: a markdown style is an object of JSON"},
		{MarkdownChoice{Setting: "colour.json"}, `h1 has the colour "reddish", which is none; write "#rrggbb"`},
		{MarkdownChoice{Setting: "colour.json"}, `link has the colour "300"`},
		{MarkdownChoice{Setting: "format.json"}, "image_text has the format"},
		{MarkdownChoice{Setting: "theme.json"}, `code_block has the theme "monokay"; did you mean "monokai"?`},
		{MarkdownChoice{Setting: "large.json"}, "a markdown style is a file of"},
		{MarkdownChoice{Setting: "binary.json"}, "binary.json, line 1: this is not valid JSON"},
		{MarkdownChoice{Setting: "./"}, "a markdown style is a file of"},
	} {
		c.choice.Themes = dir
		s, err := c.choice.Load()
		if s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, %v, want %q", c.choice, nameOf(s), err, c.want)
		}
	}
}

// TestMarkdownMarks: the marks of a style are printable text of a line within
// bounds, whatever the file says; a format is the marks around its text.
func TestMarkdownMarks(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"## ":                       "## ",
		"\n• ":                      "• ",
		"\x1b[31mred\x1b[0m":        "red",
		"a\x1b]0;title\ab":          "ab",
		"a\u202eb\u200bc\u2066":     "abc",
		"a\r\x08\x7f\u009b31mb":     "a31mb",
		"\xff\xfex":                 "x",
		"\u00a0":                    "\u00a0",
		strings.Repeat("x", 100000): strings.Repeat("x", longestMark),
	} {
		if got := mark(in); got != want {
			t.Errorf("mark(%.40q) = %q, want %q", in, got, want)
		}
	}
	dir := t.TempDir()
	write(t, dir, "a.json", `{"image_text": {"prefix": "<", "format": "I: {{ .text }} \u001b]0;x\u0007>"}, "hr": {"format": "\n\n* * *\n\n"},
		"block_quote": {"indent": 4000000000, "indent_token": "\u001b[2J! "}, "code_block": {"margin": 99}}`)
	s, err := MarkdownChoice{Setting: "a.json", Themes: dir}.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := s.config
	if c.ImageText.Prefix != "<I: " || c.ImageText.Suffix != " >" || c.ImageText.Format != "" || c.HorizontalRule.Format != "* * *" ||
		*c.BlockQuote.Indent != deepestIndent || *c.BlockQuote.IndentToken != "! " || *c.CodeBlock.Margin != deepestIndent {
		t.Errorf("%+v %+v", c.ImageText, c.HorizontalRule)
	}
}

// TestMarkdownShown: a style has no colour where the theme has none, no attribute
// where it writes no sequences, and no mark that is not ASCII where only that can
// be shown.
func TestMarkdownShown(t *testing.T) {
	t.Parallel()
	for _, name := range MarkdownNames() {
		s, err := MarkdownChoice{Setting: name}.Load()
		if err != nil {
			t.Fatal(err)
		}
		for _, th := range []*Theme{Mono(WithMarkdown(s)), Plain(WithMarkdown(s)), Dark(WithMarkdown(s), ASCII())} {
			m := th.Markdown()
			each(&m.StyleConfig, func(path string, p *gansi.StylePrimitive) {
				if th.Name == "plain" && p.Bold != nil || th.Name != "dark" && (p.Color != nil || p.BackgroundColor != nil) {
					t.Errorf("%s in %s: %s has a look", name, th.Name, path)
				}
			})
			texts(&m.StyleConfig, func(path, text string) string {
				if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7e }) && th.ASCII {
					t.Errorf("%s in ASCII: %s has %q", name, path, text)
				}
				return text
			})
			for tok := range Tokens {
				if bare := m.CodeTheme.Render(Token(tok), "x"); th.Name == "plain" && bare != "x" {
					t.Errorf("%s in plain: code is %q", name, bare)
				}
			}
		}
	}
}

// TestMarkdownCode: code has the colours of the style's chroma table, or of a style
// of chroma's by name, or all the one of the block.
func TestMarkdownCode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "table.json", `{"code_block": {"color": "1", "chroma": {"keyword": {"color": "#123456", "bold": true}}}}`)
	write(t, dir, "name.json", `{"code_block": {"theme": "Monokai"}}`)
	write(t, dir, "none.json", `{"code_block": {"color": "2"}}`)
	code := func(file string) *Theme {
		s, err := MarkdownChoice{Setting: file, Themes: dir}.Load()
		if err != nil {
			t.Fatal(err)
		}
		return Dark(WithMarkdown(s)).Markdown().CodeTheme
	}
	if p := code("table.json").Primitive(SyntaxKeyword); *p.Color != "#123456" || !*p.Bold {
		t.Errorf("%v", *p.Color)
	}
	if p := code("table.json").Primitive(SyntaxString); *p.Color != "1" {
		t.Errorf("%v", *p.Color)
	}
	if p := code("name.json").Primitive(SyntaxString); *p.Color != "#e6db74" {
		t.Errorf("%v", *p.Color)
	}
	for _, tok := range []Token{Text, SyntaxKeyword, SyntaxString} {
		if p := code("none.json").Primitive(tok); *p.Color != "2" {
			t.Errorf("%v", *p.Color)
		}
	}
	if th := Dark(); th.Markdown().CodeTheme != th {
		t.Error("code has another theme than the rest though no style was chosen")
	}
}

// FuzzMarkdownStyle: whatever a file says, it is refused or can be drawn with.
func FuzzMarkdownStyle(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"h1": {"prefix": "\u001b[31m", "format": "{{.text}}!"}}`, `{"block_quote": {"indent": 3}}`, `{"block_quote": {"indent": 0, "indent_token": ""}}`,
		`{"code_block": {"chroma": {"keyword": {"color": "5"}}, "theme": "x"}}`, `{"task": {"ticked": "", "unticked": ""}}`, `null`, `{"table": {"row_separator": "日本"}}`,
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		write(t, dir, "f.json", text)
		s, err := MarkdownChoice{Setting: "f.json", Themes: dir}.Load()
		if err != nil {
			return
		}
		m := Dark(WithMarkdown(s)).Markdown()
		if m.BlockQuote.IndentToken == nil || m.BlockQuote.Indent == nil || m.Item.BlockPrefix+m.Item.Prefix == "" {
			t.Errorf("%q: a quote or an item looks like text", text)
		}
	})
}
