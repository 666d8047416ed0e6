package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Theme is a style for every token and a glyph for every mark. It never
// changes after it was made, so its pointer is its identity: a cache of drawn
// text may use it as (part of) a key.
type Theme struct {
	Name  string
	Dark  bool // made for a dark background
	ASCII bool // marks in their plain forms
	Links bool // text may hold links that the terminal can follow (OSC 8)

	styles [Tokens]lipgloss.Style
	open   [Tokens]string
	close  [Tokens]string
}

// Option changes how a theme is made.
type Option func(*Theme)

// ASCII chooses the plain forms of all marks, for terminals and fonts without
// the glyphs.
func ASCII() Option { return func(t *Theme) { t.ASCII = true } }

// build makes a theme of a style per token. What a style writes before and
// after its text is found once, so that Render only joins strings.
func build(name string, dark bool, styles [Tokens]lipgloss.Style, opts []Option) *Theme {
	t := &Theme{Name: name, Dark: dark, Links: true, styles: styles}
	for i, s := range styles {
		t.open[i], t.close[i], _ = strings.Cut(s.Render("x"), "x")
	}
	for _, o := range opts {
		o(t)
	}
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

// Style returns the style of tok, for what Render cannot do.
func (t *Theme) Style(tok Token) lipgloss.Style {
	if int(tok) >= Tokens {
		return lipgloss.NewStyle()
	}
	return t.styles[tok]
}
