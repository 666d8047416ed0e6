package render

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/theme"
)

// checkLine fails unless line is at most width wide, holds no escape sequence
// but SGR and links that may be followed, and closes all it opens.
func checkLine(tb interface{ Fatalf(string, ...any) }, line string, width int) {
	if got := Width(line); got > width {
		tb.Fatalf("%d cells, not %d: %q", got, width, line)
	}
	var text strings.Builder
	styled, linked := false, false
	for i := 0; i < len(line); {
		if line[i] != 0x1b {
			text.WriteByte(line[i])
			i++
			continue
		}
		end := escapeEnd(line, i)
		seq := line[i:end]
		i = end
		switch {
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			styled = seq != resetSGR && seq != "\x1b[0m"
		case seq == closeLink:
			linked = false
		case strings.HasPrefix(seq, "\x1b]8;;") && strings.HasSuffix(seq, "\x1b\\"):
			if url := seq[len("\x1b]8;;") : len(seq)-2]; !safeURL(url) {
				tb.Fatalf("link to %q in %q", url, line)
			}
			linked = true
		default:
			tb.Fatalf("sequence %q in %q", seq, line)
		}
	}
	if styled || linked {
		tb.Fatalf("open at its end: %q", line)
	}
	if strings.ContainsAny(text.String(), "\n\t") {
		tb.Fatalf("more than a line: %q", line)
	}
	checkSafe(tb, text.String(), false)
}

func TestClosed(t *testing.T) {
	t.Parallel()
	const link = "\x1b]8;;https://a.example\x1b\\"
	for _, c := range []struct {
		name     string
		in, want []string
	}{
		{"plain", []string{"a", "b "}, []string{"a", "b"}},
		{"goes on", []string{"\x1b[1ma", "b", "c\x1b[m"}, []string{"\x1b[1ma\x1b[m", "\x1b[1mb\x1b[m", "\x1b[1mc\x1b[m"}},
		{"adds up", []string{"\x1b[1m\x1b[31ma", "b"}, []string{"\x1b[1m\x1b[31ma\x1b[m", "\x1b[1m\x1b[31mb\x1b[m"}},
		{"link goes on", []string{link + "a", "b" + closeLink}, []string{link + "a" + closeLink, link + "b" + closeLink}},
		{"nothing but sequences", []string{"\x1b[1m", "\x1b[m"}, []string{"", ""}},
		{"others go", []string{"\x1b[2Ja\x1b]0;t\ab"}, []string{"ab"}},
		{"bad link", []string{"\x1b]8;;file:///x\x1b\\a\x1b]8;;\x1b\\"}, []string{"a"}},
		{"link parameters", []string{"\x1b]8;id=1;https://a.example\aa\x1b]8;;\a"}, []string{link + "a" + closeLink}},
	} {
		got := closed(slices.Clone(c.in), true)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHardSpans(t *testing.T) {
	t.Parallel()
	line := []Span{{"ab", theme.Error}, {"c日", theme.Text}, {"\td", theme.Dim}}
	var got []string
	for _, row := range HardSpans(line, 4) {
		got = append(got, theme.Reveal(DrawSpans(row, theme.Probe())))
	}
	if want := []string{"[error]ab[/]c", "日[dim]  [/]", "[dim]d[/]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	keycap := []Span{{"x1", theme.Error}, {"\ufe0f\u20e3y", theme.Text}}
	if rows := HardSpans(keycap, 2); len(rows) != 3 || DrawSpans(rows[1], theme.Plain()) != "1\ufe0f\u20e3" {
		t.Errorf("a cluster over two spans gives %q", rows)
	}
	if rows := HardSpans(nil, 4); len(rows) != 1 {
		t.Errorf("an empty line has %d rows", len(rows))
	}
}

func TestHardSpansProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 12).Draw(t, "width")
		line := []Span{{SanitizeLine(genUntrusted(t)), theme.Text}, {SanitizeLine(genUntrusted(t)), theme.Error}}
		var text string
		for _, row := range HardSpans(line, width) {
			drawn := DrawSpans(row, theme.Dark())
			checkLine(t, drawn, width)
			text += DrawSpans(row, theme.Plain())
		}
		if want := line[0].Text + line[1].Text; width > 1 && text != want {
			t.Fatalf("got %q, want %q", text, want)
		}
	})
}
