package syntax

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"

	"parley/render/text"
	"parley/theme"
)

func TestLexerFor(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"go": "Go", "Go": "Go", "golang": "Go", "py": "Python", "python": "Python", "js": "JavaScript", "ts": "TypeScript", "sh": "Bash",
		"bash": "Bash", "yaml": "YAML", "json": "JSON", "rust": "Rust", "c++": "C++", "diff": "Diff",
	} {
		if l := lexerFor(lang); l == nil || l.Config().Name != want {
			t.Errorf("%s: %v, want %s", lang, l, want)
		}
	}
	for _, lang := range []string{"", "nosuchlanguage", "*", "main.go", "../x"} {
		if l := lexerFor(lang); l != nil {
			t.Errorf("%q has the lexer %s", lang, l.Config().Name)
		}
	}
}

// spanText is what the spans of lines say.
func spanText(lines [][]text.Span) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(text.DrawSpans(l, theme.Plain()) + "\n")
	}
	return b.String()
}

// TestHighlighterKeepsText: whatever the language, no character is lost, in
// whatever order chunks are asked for.
func TestHighlighterKeepsText(t *testing.T) {
	t.Parallel()
	code := strings.Repeat("func f(x int) { // c\n\t\"s\", 'x' /* y\n*/ <a b=\"c\">日本</a>\n\n}}\n# z: [1, 2\n", 6)
	for _, lang := range []string{"go", "python", "html", "yaml", "json", "c", "rust", "sql", "diff", "markdown", "", "php", "make", "js"} {
		h := &Highlighter{Lang: lang, Text: code}
		half := strings.Index(code[len(code)/2:], "\n") + 1 + len(code)/2
		second := spanText(h.Spans(half, len(code)))
		if got := spanText(h.Spans(0, half)) + second; got != code {
			t.Errorf("%s: text changed:\n%q\n%q", lang, got, code)
		}
	}
}

func TestLongLinesStayPlain(t *testing.T) {
	t.Parallel()
	code := "x := \"" + strings.Repeat("a", MaxLine) + "\"\nfunc f() {}\n"
	h := &Highlighter{Lang: "go", Text: code}
	for _, l := range h.Spans(0, len(code)) {
		if len(l) != 1 || l[0].Token != theme.Text {
			t.Fatalf("spans %v", l)
		}
	}
}

// TestLanguageOf: the names of files that people have are known as chroma
// knows them, and an unknown one is none.
func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"a/worker.go", "x.py", "x.ts", "x.tsx", "x.js", "x.rs", "x.c", "x.h", "x.cpp", "x.java", "x.rb", "x.md", "x.json", "x.yaml", "x.yml",
		"x.toml", "x.html", "x.css", "x.sh", "x.sql", "x.kt", "x.swift", "Makefile", "Dockerfile", "x.xml", "x.php", "x.lua", "go.mod", "nothing", "x.qqq",
	} {
		want := ""
		if l := lexers.Match(name[strings.LastIndexByte(name, '/')+1:]); l != nil {
			want = l.Config().Name
		}
		if got := LanguageOf(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := LanguageOf(`C:\src\worker.go`); got != "Go" {
		t.Errorf("a backslash hides the name: %q", got)
	}
}
