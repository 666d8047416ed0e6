package render

import (
	"fmt"
	"image/color"
	"strconv"

	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// glamourStyle is the theme as a style of Glamour's: no margins, no colour of
// the document, no marks before headings. Only what inlines need is set.
func glamourStyle(th *theme.Theme) gansi.StyleConfig {
	struck := true
	s := gansi.StyleConfig{
		Emph:          primitive(th, theme.Emphasis),
		Strong:        primitive(th, theme.StrongText),
		Strikethrough: gansi.StylePrimitive{CrossedOut: &struck},
		Link:          primitive(th, theme.Dim),
		LinkText:      primitive(th, theme.Link),
	}
	s.BlockQuote.StylePrimitive = primitive(th, theme.Quote)
	s.Heading.StylePrimitive = primitive(th, theme.Heading)
	s.H3.StylePrimitive = primitive(th, theme.StrongText)
	s.HTMLSpan.StylePrimitive = primitive(th, theme.Dim)
	s.Code.StylePrimitive = primitive(th, theme.Code)
	if s.Code.Color == nil && s.Code.BackgroundColor == nil {
		s.Code.Prefix, s.Code.Suffix = "`", "`" // else code would look like text
	}
	if th.Render(theme.Dim, "x") == "x" && th.Render(theme.StrongText, "x") == "x" {
		s.Strikethrough = gansi.StylePrimitive{} // a theme that writes no sequences
	}
	return s
}

// primitive is the style of a token in Glamour's terms.
func primitive(th *theme.Theme, tok theme.Token) gansi.StylePrimitive {
	s := th.Style(tok)
	yes := true
	p := gansi.StylePrimitive{Color: colourName(s.GetForeground()), BackgroundColor: colourName(s.GetBackground())}
	if s.GetBold() {
		p.Bold = &yes
	}
	if s.GetItalic() {
		p.Italic = &yes
	}
	if s.GetUnderline() {
		p.Underline = &yes
	}
	if s.GetReverse() {
		p.Inverse = &yes
	}
	return p
}

// colourName is a colour as text, nil for none.
func colourName(c color.Color) *string {
	var name string
	switch c := c.(type) {
	case nil, lipgloss.NoColor:
		return nil
	case ansi.BasicColor:
		name = strconv.Itoa(int(c))
	case ansi.IndexedColor:
		name = strconv.Itoa(int(c))
	default:
		r, g, b, _ := c.RGBA()
		name = fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	return &name
}
