package text

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parley/render/text/texttest"
	"parley/theme"
)

func TestClosed(t *testing.T) {
	t.Parallel()
	const link = "\x1b]8;;https://a.example\x1b\\"
	for _, c := range []struct {
		name     string
		in, want []string
	}{
		{"plain", []string{"a", "b "}, []string{"a", "b"}},
		{"continues", []string{"\x1b[1ma", "b", "c\x1b[m"}, []string{"\x1b[1ma\x1b[m", "\x1b[1mb\x1b[m", "\x1b[1mc\x1b[m"}},
		{"adds up", []string{"\x1b[1m\x1b[31ma", "b"}, []string{"\x1b[1m\x1b[31ma\x1b[m", "\x1b[1m\x1b[31mb\x1b[m"}},
		{"link continues", []string{link + "a", "b" + CloseLink}, []string{link + "a" + CloseLink, link + "b" + CloseLink}},
		{"nothing but sequences", []string{"\x1b[1m", "\x1b[m"}, []string{"", ""}},
		{"others go", []string{"\x1b[2Ja\x1b]0;t\ab"}, []string{"ab"}},
		{"bad link", []string{"\x1b]8;;file:///x\x1b\\a\x1b]8;;\x1b\\"}, []string{"a"}},
		{"link parameters", []string{"\x1b]8;id=1;https://a.example\aa\x1b]8;;\a"}, []string{link + "a" + CloseLink}},
	} {
		got := closed(slices.Clone(c.in), true)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHardWrapSpans(t *testing.T) {
	t.Parallel()
	line := []Span{{"ab", theme.Error}, {"c日", theme.Text}, {"\td", theme.Dim}}
	var got []string
	for _, row := range HardWrapSpans(line, 4, 0) {
		got = append(got, theme.Reveal(DrawSpans(row, theme.Probe())))
	}
	if want := []string{"[error]ab[/]c", "日[dim]  [/]", "[dim]d[/]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	keycap := []Span{{"x1", theme.Error}, {"\ufe0f\u20e3y", theme.Text}}
	if rows := HardWrapSpans(keycap, 2, 0); len(rows) != 3 || DrawSpans(rows[1], theme.Plain()) != "1\ufe0f\u20e3" {
		t.Errorf("a cluster over two spans gives %q", rows)
	}
	code := []Span{{"if person.", theme.Error}, {"name == other", theme.Text}, {".name", theme.Dim}}
	if rows := HardWrapSpans(code, 20, 2); len(rows) != 2 || DrawSpans(rows[1], theme.Plain()) != "other.name" {
		t.Errorf("code is broken as %q", rows)
	}
	if rows := HardWrapSpans(nil, 4, 0); len(rows) != 1 {
		t.Errorf("an empty line has %d rows", len(rows))
	}
}

func TestHardWrapSpansProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 12).Draw(t, "width")
		hang := rapid.IntRange(0, max(0, width-2)).Draw(t, "hang")
		line := []Span{{SanitizeLine(texttest.Untrusted(t)), theme.Text}, {SanitizeLine(texttest.Untrusted(t)), theme.Error}}
		var text string
		for _, row := range HardWrapSpans(line, width, hang) {
			drawn := DrawSpans(row, theme.Dark())
			texttest.CheckLine(t, drawn, width)
			text += DrawSpans(row, theme.Plain())
		}
		if want := line[0].Text + line[1].Text; width > 1 && text != want {
			t.Fatalf("got %q, want %q", text, want)
		}
	})
}
