package editor

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/theme"
)

// atWords finds words with an @ before them, and a command.
func atWords(line string, first bool) []Span {
	var spans []Span
	if at := strings.IndexByte(line+" ", ' '); first && strings.HasPrefix(line, "/") {
		spans = append(spans, Span{0, at, theme.Accent})
	}
	for _, at := range regexp.MustCompile(`@\S+`).FindAllStringIndex(line, -1) {
		spans = append(spans, Span{at[0], at[1], theme.Mention})
	}
	return spans
}

func TestEditorStyles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from  string
		width int
		want  string
	}{
		{"see @a.go and @b|", 40, "see [mention]@a.go[/] and [mention]@b[/]"},
		{"/model x\n/no|", 40, "[accent]/model[/] x⏎/no"},
		{"see @a/long/path.go|", 10, "see ⏎[mention]@a/long/p[/]⏎[mention]ath.go[/]"},
		{"日本@b\x00c d|", 40, "日本[mention]@b[/][hidden]⟦NUL⟧[/][mention]c[/] d"},
		{"@a<x>@b|", 40, "[mention]@a[/][chip][Pasted 1 byte: x][/][mention]@b[/]"},
		{"/<x>a|", 40, "[accent]/[/][chip][Pasted 1 byte: x][/]a"},
		{"|", 40, ""},
	} {
		e := New()
		for i, part := range strings.Split(strings.Replace(c.from, "|", "", 1), "<x>") {
			if i > 0 {
				e.InsertChip(drafts.Chip{Paste: "x"})
			}
			e.Insert(part)
		}
		e.spans = atWords
		rows := e.View(c.width, 5, theme.Probe())
		for i, row := range rows {
			rows[i] = theme.Reveal(row)
		}
		if got := strings.Join(rows, "⏎"); got != c.want {
			t.Errorf("%s: %s, want %s", c.from, got, c.want)
		}
	}
}

// Of a long line only what is in sight is looked at, from space to space.
func TestEditorStylesLongLines(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"words": strings.Repeat("some words @path/to.go 日本 ", 200_000),
		"none":  strings.Repeat("日x", 1<<20),
	} {
		e := New()
		e.SetText(text)
		e.SetOffset(len(text) / 2)
		calls := 0
		e.spans = func(line string, first bool) []Span {
			calls++
			if first || len(line) > 10*400+2*spansAround || strings.ToValidUTF8(line, "") != line {
				t.Errorf("%s: given %d bytes: %.20q", name, len(line), line)
			}
			if name == "words" && (line[0] != ' ' || strings.HasSuffix(line, "@")) {
				t.Errorf("given %.20q", line)
			}
			return atWords(line, first)
		}
		rows := e.View(100, 10, theme.Probe())
		if calls != 1 {
			t.Errorf("%s: %d calls", name, calls)
		}
		if got := theme.Reveal(rows[5]); name == "words" && !strings.Contains(got, " [mention]@path/to.go[/] ") {
			t.Errorf("%s", got)
		}
	}
}

// What spans says changes colours and nothing else, whatever it is.
func TestEditorStylesAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		e.SetText(drawEditorText(t, "text", 30))
		width, rows := rapid.IntRange(1, 30).Draw(t, "width"), rapid.IntRange(1, 6).Draw(t, "rows")
		want := e.View(width, rows, theme.Plain())
		e.spans = func(string, bool) []Span {
			var spans []Span
			for range rapid.IntRange(0, 4).Draw(t, "spans") {
				from := rapid.IntRange(-2, 40).Draw(t, "from")
				spans = append(spans, Span{from, rapid.IntRange(-2, 40).Draw(t, "to"), theme.Token(rapid.IntRange(0, 255).Draw(t, "token"))})
			}
			return spans
		}
		got := e.View(width, rows, theme.Plain())
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
