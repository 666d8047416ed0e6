package theme

import (
	"image/color"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
)

// Theme is a style for every token and a glyph for every mark. It never
// changes after it was made, so its pointer is its identity: a cache of drawn
// text may use it as (part of) a key.
type Theme struct {
	Name  string
	Dark  bool // made for a dark background
	ASCII bool // marks in their plain forms
	// Spoken is true where what is drawn is said: nothing is framed or beside something else.
	Spoken bool
	Links  bool // text may hold links that the terminal can follow (OSC 8)
	Apart  bool // the terminal draws the parts of a grapheme cluster one after another
	Own    bool // it has no colours but the terminal's own sixteen

	few     bool
	console bool
	upright bool
	even    bool
	palette palette // what it is made of; empty if it is not
	styles  [Tokens]lipgloss.Style
	open    [Tokens]string
	close   [Tokens]string
	ground  [Tokens]func() *[Tokens]frame // of AddedLine and RemovedLine, made on first use: most programs draw no diff

	style    *MarkdownStyle   // of markdown; nil is the theme's own
	markdown func() *Markdown // made on first use
}

// frame is what a style writes before and after its text.
type frame struct{ open, close string }

// Option changes how a theme is made.
type Option func(*Theme)

// ASCII chooses the plain forms of all marks, for terminals and fonts without
// the glyphs.
func ASCII() Option { return func(t *Theme) { t.ASCII = true } }

// Spoken is for what is heard or felt, line by line: the plain forms of all marks, no frames
// and no columns.
func Spoken() Option { return func(t *Theme) { t.ASCII, t.Spoken = true, true } }

// Console is for the Linux console, whose fonts have few glyphs beyond letters, and
// which shows faint text as a grey that is hard to read on black.
func Console() Option { return func(t *Theme) { t.console, t.even = true, true } }

// Even is for users who need contrast: no text is faint.
func Even() Option { return func(t *Theme) { t.even = true } }

// Upright is for a terminal that shows italics as something else. What is emphasised is
// underlined.
func Upright() Option { return func(t *Theme) { t.upright = true } }

// Apart is for a terminal that is not known to count by grapheme clusters (mode 2027).
func Apart() Option { return func(t *Theme) { t.Apart = true } }

// WithoutLinks leaves out links that the terminal can follow (OSC 8).
func WithoutLinks() Option { return func(t *Theme) { t.Links = false } }

// Few is for terminals with 256 colours. The faint backgrounds of added and of
// removed lines would be the same grey there, and are left out; what is almost
// grey is one of the greys there.
func Few() Option { return func(t *Theme) { t.few = true } }

// build makes a theme of a style per token. What a style writes before and
// after its text is found once, so that Render only joins strings.
func build(name string, dark bool, styles [Tokens]lipgloss.Style, opts []Option) *Theme {
	t := &Theme{Name: name, Dark: dark, Links: true, styles: styles}
	for _, o := range opts {
		o(t)
	}
	for i, s := range t.styles {
		if t.upright && s.GetItalic() {
			s = s.Italic(false).Underline(Token(i) == Emphasis)
		}
		if t.even {
			s = s.Faint(false)
		}
		t.styles[i] = s
		t.open[i], t.close[i], _ = strings.Cut(s.Render("x"), "x")
	}
	for _, ground := range []Token{AddedLine, RemovedLine} {
		t.ground[ground] = sync.OnceValue(func() *[Tokens]frame { return t.grounded(ground) })
	}
	t.markdown = sync.OnceValue(t.makeMarkdown)
	return t
}

// Render returns s in the style of tok. The text is one line and has no style
// of its own: the first reset inside it would end this one too. The empty
// string stays empty.
func (t *Theme) Render(tok Token, s string) string {
	if s == "" || int(tok) >= Tokens {
		return s
	}
	return t.open[tok] + s + t.close[tok]
}

// RenderOn returns s in the style of tok on the background of ground, which is
// AddedLine or RemovedLine; on any other it is Render. Text on a ground has the
// ground's own style, and a style with a background of its own keeps it.
func (t *Theme) RenderOn(ground, tok Token, s string) string {
	if s == "" || int(tok) >= Tokens || int(ground) >= Tokens || t.ground[ground] == nil {
		return t.Render(tok, s)
	}
	f := t.ground[ground]()[tok]
	return f.open + s + f.close
}

// grounded makes the styles of all tokens on the background of ground.
func (t *Theme) grounded(ground Token) *[Tokens]frame {
	var out [Tokens]frame
	back := t.styles[ground].GetBackground()
	for i, s := range t.styles {
		if Token(i) == Text {
			s = t.styles[ground]
		}
		if painted(back) && !painted(s.GetBackground()) {
			s = s.Background(back)
		}
		out[i].open, out[i].close, _ = strings.Cut(s.Render("x"), "x")
	}
	return &out
}

// painted reports whether c is a colour at all.
func painted(c color.Color) bool {
	_, none := c.(lipgloss.NoColor)
	return c != nil && !none
}

// Paints reports whether tok has a background of its own.
func (t *Theme) Paints(tok Token) bool { return painted(t.Style(tok).GetBackground()) }

// Style returns the style of tok, for what Render cannot do.
func (t *Theme) Style(tok Token) lipgloss.Style {
	if int(tok) >= Tokens {
		return lipgloss.NewStyle()
	}
	return t.styles[tok]
}
