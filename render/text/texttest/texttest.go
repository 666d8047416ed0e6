// Package texttest makes hostile texts, and checks what may be written to a
// terminal. It knows nothing of the code that it tests.
package texttest

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"
)

// Fragments are characters and sequences worth combining.
var Fragments = []string{
	"a", " ", "\n", "\t", "\r", "\r\n", "\x1b", "[", "31m", "]8;;", "\\", "\a",
	"\x1b[1m", "\x1b]0;t\a", "\x1bP", "\x1b\\", "\u009b", "\u009d", "\u009c",
	"\b", "\x00", "\x7f", "\u0085", "\u202e", "\u2066", "\u200b",
	"\u200c", "\u200d", "\ufe0f", "\ufe01", "\U000E0041", "\U000E0100", "👩", "❤", "1", "\u20e3",
	"日", "葛", "ا", "क", "\u0301", "\xff", "\xc2", "\x9b", "\xe2\x80", "é",
	"⟦", "⟧", "38;5;9m", "K", "\x1b[2K", "🏳", "\u2028", "\u180b", "ᠠ",
}

// Untrusted draws a text of Fragments.
func Untrusted(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(Fragments), 0, 30).Draw(t, "text"), "")
}

// blocks are the pieces of a Document: every kind of block, things that look
// like others, and things that are hostile.
var blocks = []string{
	"# Heading\n", "Setext\n===\n", "para one\nsecond line\n", "\n", "\n\n", "- item\n", "- item\n\n  more\n",
	"  - nested\n", "* other\n", "1. one\n", "1. two\n", "7) seven\n", "- [x] done\n", "> quote\n", "> > deep\n",
	"```go\nfunc f() {}\n```\n", "```\n", "~~~ py\n", "    indented\n", "| a | b |\n|---|--:|\n| 1 | 2 |\n",
	"| x |\n", "|---|\n", "<div>\nraw\n</div>\n", "<b>x</b> y\n", "---\n", "***\n", "[ref]: https://a.example/x\n",
	"[ref]\n", "[text][ref] and [ref][]\n", "[l](https://e.example)\n", "![i](/p.png)\n", "`code` **b** *i* ~~s~~\n",
	"hard  \nbreak\\\nhere\n", "日本語の文章です。\n", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 🏳️‍🌈\n", "e\u0301\u0302\n", "a\tb\n", "&amp; &#27;[31m &#x202e; \\* \\\\*\n",
	"\x1b[31mred\x1b[0m\n", "\x1b]0;title\a x\n", "a\rb\r\n", "\u202eevil\n", "\xff\xfe\n", "x", "*", "**", "`", "[", "](", "<", "|", " ",
	"https://bare.example/path?q=1\n", "javascript:alert(1)\n", "[x](javascript:alert(1))\n", "word ", strings.Repeat("long", 20),
	"<!-- c -->\n", "<script>\n", "a<br>b\n", "[^1]: note\n", "\t- tabbed\n", "-\n", "1.\n", "```go `x`\n",
}

// Document draws a markdown text.
func Document(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(blocks), 0, 24).Draw(t, "parts"), "")
}

// TB is what a check reports to.
type TB interface {
	Fatalf(format string, args ...any)
}

// CheckSafe fails if s holds what no text on the screen may hold.
func CheckSafe(tb TB, s string, tabs bool) {
	if !utf8.ValidString(s) {
		tb.Fatalf("invalid UTF-8 in %q", s)
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' && tabs:
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xfeff, r >= 0xe0000 && r <= 0xe007f:
			tb.Fatalf("%U in %q", r, s)
		}
	}
}

var (
	cells  = displaywidth.Options{ControlSequences: true}
	style  = regexp.MustCompile("^\x1b\\[[0-9;:]*m")
	linked = regexp.MustCompile("^\x1b\\]8;;([^\x1b]*)\x1b\\\\")
)

// CheckLine fails unless line is at most width cells wide, holds no escape
// sequence but SGR and links that may be followed, and closes all it opens.
func CheckLine(tb TB, line string, width int) {
	if got := cells.String(line); got > width {
		tb.Fatalf("%d cells, not %d: %q", got, width, line)
	}
	var text strings.Builder
	styleOpen, linkOpen := false, false
	for i := 0; i < len(line); {
		if line[i] != 0x1b {
			text.WriteByte(line[i])
			i++
			continue
		}
		if seq := style.FindString(line[i:]); seq != "" {
			styleOpen = seq != "\x1b[m" && seq != "\x1b[0m"
			i += len(seq)
		} else if seq := linked.FindStringSubmatch(line[i:]); seq != nil {
			linkOpen = seq[1] != ""
			if linkOpen && !followable(seq[1]) {
				tb.Fatalf("link to %q in %q", seq[1], line)
			}
			i += len(seq[0])
		} else {
			tb.Fatalf("sequence %q in %q", line[i:], line)
		}
	}
	if styleOpen || linkOpen {
		tb.Fatalf("open at its end: %q", line)
	}
	if strings.ContainsAny(text.String(), "\n\t") {
		tb.Fatalf("more than a line: %q", line)
	}
	CheckSafe(tb, text.String(), false)
}

// followable reports whether a terminal may be given an address.
func followable(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.User == nil && len(s) <= 2048 &&
		(u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto") &&
		strings.Trim(s, "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") == ""
}
