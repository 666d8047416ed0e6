package theme_test

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// TestPalettes holds every palette to its promises: every token has a name and
// a style of its own making, text reaches 4.5 to 1 on the ground it is read
// on, and lines and frames reach 2.5 to 1.
func TestPalettes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		th     *theme.Theme
		ground color.Color
		text   color.Color
	}{
		{theme.Dark(), lipgloss.Color("#0d1117"), lipgloss.Color("#e6edf3")},
		{theme.Light(), lipgloss.Color("#ffffff"), lipgloss.Color("#1f2328")},
	} {
		for i := range theme.Tokens {
			tok := theme.Token(i)
			style := tc.th.Style(tok)
			if unset(style) && tok != theme.Text && tok != theme.ToolName && tok != theme.ToolSubject {
				t.Errorf("%s: token %s has no style", tc.th.Name, tok)
			}
			want := 4.5
			if tok == theme.Rule || tok == theme.Border {
				want = 2.5
			}
			fg, bg := orElse(style.GetForeground(), tc.text), orElse(style.GetBackground(), tc.ground)
			if got := contrast(fg, bg); got < want {
				t.Errorf("%s: contrast of %s is %.2f, want at least %.1f", tc.th.Name, tok, got, want)
			}
		}
	}
}

// TestGrounds: what is read on the ground of a changed line reaches 4.5 to 1 on
// it, a changed word differs from its line, and a theme without colour has
// no ground.
func TestGrounds(t *testing.T) {
	t.Parallel()
	read := []theme.Token{
		theme.Text, theme.Dim, theme.Added, theme.Removed, theme.SyntaxKeyword, theme.SyntaxString, theme.SyntaxNumber,
		theme.SyntaxComment, theme.SyntaxName, theme.SyntaxType, theme.SyntaxOperator,
	}
	words := map[theme.Token]theme.Token{theme.AddedLine: theme.AddedWord, theme.RemovedLine: theme.RemovedWord}
	for ground, word := range words {
		for _, th := range []*theme.Theme{theme.Dark(), theme.Light()} {
			back := th.Style(ground).GetBackground()
			for _, tok := range read {
				fg := orElse(th.Style(tok).GetForeground(), th.Style(ground).GetForeground())
				if got := contrast(fg, back); got < 4.5 {
					t.Errorf("%s: contrast of %s on %s is %.2f", th.Name, tok, ground, got)
				}
				style := th.Style(tok)
				if tok == theme.Text {
					style = th.Style(ground)
				}
				if got, want := th.RenderOn(ground, tok, "ab"), style.Background(back).Render("ab"); got != want {
					t.Errorf("%s: %s on %s is %q, want %q", th.Name, tok, ground, got, want)
				}
			}
			if got := contrast(th.Style(word).GetBackground(), back); got < 1.2 || !th.Paints(ground) {
				t.Errorf("%s: %s and %s look alike: %.2f", th.Name, word, ground, got)
			}
			if got, want := th.RenderOn(ground, word, "ab"), th.Render(word, "ab"); got != want {
				t.Errorf("%s: a word loses its background: %q", th.Name, got)
			}
		}
		if got := theme.Plain().RenderOn(ground, theme.Text, "ab"); got != "ab" || theme.Plain().Paints(ground) {
			t.Errorf("plain: %q", got)
		}
		if got := theme.Mono().RenderOn(ground, word, "a b"); !strings.Contains(got, "4m") || strings.Contains(got, "48;") {
			t.Errorf("mono: %q", got)
		}
		if got := theme.Reveal(theme.Probe().RenderOn(ground, theme.Text, "ab")); got != "["+ground.String()+"]ab[/]" {
			t.Errorf("probe: %q", got)
		}
	}
	th := theme.Dark()
	if got := th.RenderOn(theme.Text, theme.Dim, "ab"); got != th.Render(theme.Dim, "ab") {
		t.Errorf("on no ground: %q", got)
	}
	if th.RenderOn(theme.AddedLine, theme.Text, "") != "" || th.RenderOn(theme.AddedLine, 250, "x") != "x" || th.Paints(theme.Text) {
		t.Error("nothing, or no token, became something")
	}
}

// unset reports whether a style changes nothing.
func unset(s lipgloss.Style) bool { return s.Render("x") == "x" }

func orElse(c, other color.Color) color.Color {
	if _, none := c.(lipgloss.NoColor); none || c == nil {
		return other
	}
	return c
}

// contrast is the contrast ratio of WCAG 2.1.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// TestRender: Render writes what the token's style would, and nothing for
// nothing.
func TestRender(t *testing.T) {
	t.Parallel()
	for _, th := range []*theme.Theme{theme.Dark(), theme.Light(), theme.Mono(), theme.Plain(), theme.Probe()} {
		for i := range theme.Tokens {
			tok := theme.Token(i)
			if got, want := th.Render(tok, "ab"), strings.Replace(th.Style(tok).Render("x"), "x", "ab", 1); got != want {
				t.Errorf("%s %s: Render gives %q, the style gives %q", th.Name, tok, got, want)
			}
			if got := th.Render(tok, ""); got != "" {
				t.Errorf("%s %s: the empty string became %q", th.Name, tok, got)
			}
		}
		if got := th.Render(theme.Token(250), "x"); got != "x" {
			t.Errorf("%s: unknown token gives %q", th.Name, got)
		}
	}
}

// TestPlainWritesNoEscape: Plain is safe for pipes, Mono has no colour.
func TestPlainWritesNoEscape(t *testing.T) {
	t.Parallel()
	for i := range theme.Tokens {
		tok := theme.Token(i)
		if got := theme.Plain().Render(tok, "a b"); got != "a b" {
			t.Errorf("plain %s: %q", tok, got)
		}
		if got := theme.Mono().Render(tok, "a b"); strings.Contains(got, "38;") || strings.Contains(got, "48;") {
			t.Errorf("mono %s has a colour: %q", tok, got)
		}
	}
}

// TestTokenNames: names are there and differ, because goldens and files use
// them.
func TestTokenNames(t *testing.T) {
	t.Parallel()
	seen := map[string]theme.Token{}
	for i := range theme.Tokens {
		tok := theme.Token(i)
		name := tok.String()
		if name == "" || name == "unknown" {
			t.Errorf("token %d has no name", i)
		}
		if other, dup := seen[name]; dup {
			t.Errorf("tokens %d and %d are both %q", other, i, name)
		}
		seen[name] = tok
	}
	if got := theme.Token(200).String(); got != "unknown" {
		t.Errorf("token 200 is %q", got)
	}
}

// consoleFonts are glyphs that code page 437, which is the kernel's own font, and
// Lat15, Uni2, Lat2, Lat7 and CyrSlav of console-setup have.
const consoleFonts = "█▲■»•↓↑→·«§¶±≥≤≈°÷─│┼┌┐└┘├┤┬┴═║╔╗╚╝░▒"

// TestGlyphs: every mark has both forms, plain forms are ASCII, and the marks
// that can follow each other in the margin differ in both forms.
func TestGlyphs(t *testing.T) {
	t.Parallel()
	margin := []theme.Mark{
		theme.MarkPrompt, theme.MarkRunning, theme.MarkDone, theme.MarkFailed, theme.MarkRefused,
		theme.MarkQuestion, theme.MarkInfo, theme.MarkWarning, theme.MarkError, theme.MarkSubAgent,
		theme.MarkThinking,
	}
	console := theme.Dark(theme.Console())
	for _, th := range []*theme.Theme{theme.Dark(), console, theme.Dark(theme.ASCII())} {
		for i := range theme.Marks {
			g := th.Glyph(theme.Mark(i))
			if g == "" {
				t.Errorf("mark %d has no glyph", i)
			}
			if th == console && strings.ContainsFunc(g, func(r rune) bool { return r > 126 && !strings.ContainsRune(consoleFonts, r) }) {
				t.Errorf("a console has no glyph for %q, of mark %d", g, i)
			}
			if th.ASCII && strings.ContainsFunc(g, func(r rune) bool { return r > 126 || r < 32 }) {
				t.Errorf("plain form of mark %d is %q", i, g)
			}
		}
		seen := map[string]bool{}
		for _, m := range margin {
			g := th.Glyph(m)
			if seen[g] {
				t.Errorf("two marks of the margin look like %q", g)
			}
			seen[g] = true
			if ansi.StringWidth(g) != 1 {
				t.Errorf("mark %d is %d cells wide", m, ansi.StringWidth(g))
			}
		}
		if th.Frame().TopLeft == "" {
			t.Error("a frame without corners")
		}
	}
	if got := theme.Dark().Glyph(theme.Mark(99)); got != "?" {
		t.Errorf("unknown mark is %q", got)
	}
}

// TestReveal: roles come back by name, joined where they touch, and nothing
// but text is left.
func TestReveal(t *testing.T) {
	t.Parallel()
	th := theme.Probe()
	line := th.Render(theme.Error, "boom") + th.Render(theme.Error, "!") + " " + th.Render(theme.Text, "and") +
		" " + th.Render(theme.Dim, "dim") + th.Style(theme.Heading).Bold(true).Render("Big") + "\x1b[1mx\x1b[m"
	if got, want := theme.Reveal(line), "[error]boom![/] and [dim]dim[/][heading]Big[/]x"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := theme.Reveal(th.Render(theme.Code, "open\x1b[m")); got != "[code]open[/]" {
		t.Errorf("got %q", got)
	}
	for i := range theme.Tokens {
		tok := theme.Token(i)
		want := "[" + tok.String() + "]x[/]"
		if tok == theme.Text {
			want = "x"
		}
		if got := theme.Reveal(th.Render(tok, "x")); got != want {
			t.Errorf("%s: got %q", tok, got)
		}
	}
}
