package render_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"words", "Run `go test` and see.", ""},
		{"indented code", "text\n\n    code\n", ""},
		{"a block", "Do:\n\n```sh\ngo test ./...\n```\n\nThen look.", "go test ./..."},
		{"the last of two", "```\none\n```\n\n~~~ go title=\"x\"\ntwo\n\n\tthree\n~~~\n", "two\n\n\tthree"},
		{"an empty one after it", "```\none\n```\n```\n\n```\n", "one"},
		{"still being written", "```go\nfunc f() {\n\treturn", "func f() {\n\treturn"},
		{"only begun", "text\n```go", ""},
		{"indented", "   ```\n   a\n     b\n  c\n   ```", "a\n  b\nc"},
		{"in a list", "1. Do:\n\n   ```sh\n   make\n     all\n   ```\n2. Done", "make\n  all"},
		{"in a quotation", "> ```\n> a\n>  b\n> ```", "a\n b"},
		{"a fence in a longer one", "````md\n```go\nx\n```\n````", "```go\nx\n```"},
		{"backticks in the text", "a ```b``` c", ""},
		{"raw", "```\n\x1b[31mred\u202e\x00\t<b>&amp;\n```", "\x1b[31mred\u202e\x00\t<b>&amp;"},
		{"other line ends", "```\r\na\r\nb\r\n```\r\n", "a\r\nb"},
		{"blank lines at its end", "```\na\n\n\n```", "a\n\n"},
		{"a line like many lists", "```\n" + strings.Repeat("- ", 60) + "x\n```", strings.Repeat("- ", 60) + "x"},
		{"after too many lists", strings.Repeat("- ", 60) + "x\n\n```\na\n```", "a"},
	} {
		got, ok := lastCode(c.text)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, ok, c.want)
		}
	}
}

// TestCodesOfAny: whatever is put into a fence that is longer than any in it
// comes out again, whatever stands before it.
func TestCodesOfAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		code := "x" + strings.ReplaceAll(strings.ReplaceAll(hostileText().Draw(t, "code"), "\r", ""), "\x00", "") + "x"
		before := rapid.StringMatching(`[a-z *_#-]{0,20}`).Draw(t, "before")
		fence := strings.Repeat("~", 3+longestRun(code, '~'))
		got, ok := lastCode(before + "\n\n" + fence + "go\n" + code + "\n" + fence + "\nafter")
		if !ok || got != code {
			t.Fatalf("got %q, %v; want %q", got, ok, code)
		}
		_, _ = lastCode(markup().Draw(t, "markup"))
	})
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// lastCode is the last block of code of a text.
func lastCode(markdown string) (code string, ok bool) {
	codes := render.Codes(markdown)
	if len(codes) == 0 {
		return "", false
	}
	return codes[len(codes)-1], true
}
