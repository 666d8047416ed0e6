package theme

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	gansi "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Markdown is how a theme draws markdown: a style of Glamour's that can be read
// without any other, because each element has what it inherits.
//
// The headings, the text, links, images, code, quotes, marks of lists and tasks,
// rules and tables are as the style has them. The lines of tables and the bar of
// a quote, for which Glamour has no colour, have that of the rule. Margins, empty
// lines and the indentation of lists are not the style's: blocks are laid out
// alike under every style, in the column of the conversation.
type Markdown struct {
	gansi.StyleConfig
	// CodeTheme is the theme of the text in blocks of code.
	CodeTheme *Theme
}

// WithMarkdown draws markdown in a style that is not the theme's own; nil is the
// theme's own.
func WithMarkdown(s *MarkdownStyle) Option { return func(t *Theme) { t.style = s } }

// Markdown returns how markdown is drawn.
func (t *Theme) Markdown() *Markdown { return t.markdown() }

// makeMarkdown is the look of markdown: that of the style the theme was given, as
// far as the terminal can show it, or one made of the tokens.
func (t *Theme) makeMarkdown() *Markdown {
	m := &Markdown{StyleConfig: t.ownMarkdown(), CodeTheme: t}
	if t.style != nil {
		m.StyleConfig = copied(t.style.config)
		m.CodeTheme = t.codeTheme()
		t.adapt(&m.StyleConfig)
		t.complete(&m.StyleConfig)
	}
	if m.Code.Color == nil && m.Code.BackgroundColor == nil && tokens(m.Code.StylePrimitive) == "" {
		m.Code.Prefix, m.Code.Suffix = "`", "`" // else code would look like text
	}
	inherit(&m.StyleConfig)
	return m
}

// ownMarkdown is the theme as a style of Glamour's: no colour of the document, no
// marks before headings.
func (t *Theme) ownMarkdown() gansi.StyleConfig {
	one, margin, bar := uint(1), uint(2), t.Glyph(MarkQuote)+" "
	s := gansi.StyleConfig{
		Emph:           t.Primitive(Emphasis),
		Strong:         t.Primitive(StrongText),
		HorizontalRule: t.Primitive(Rule),
		Link:           t.Primitive(Dim),
		LinkText:       t.Primitive(Link),
		Image:          t.Primitive(Dim),
		ImageText:      t.Primitive(Link),
		Item:           t.Primitive(Dim),
		Enumeration:    t.Primitive(Dim),
		Task:           gansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
	}
	s.ImageText.Prefix, s.ImageText.Suffix = "[image: ", "]"
	s.Item.BlockPrefix, s.Enumeration.BlockPrefix = t.Glyph(MarkBullet)+" ", ". "
	s.BlockQuote = gansi.StyleBlock{StylePrimitive: t.Primitive(Quote), Indent: &one, IndentToken: &bar}
	s.H1.StylePrimitive, s.H2.StylePrimitive = t.Primitive(Heading), t.Primitive(Heading)
	for _, h := range []*gansi.StyleBlock{&s.H3, &s.H4, &s.H5, &s.H6} {
		h.StylePrimitive = t.Primitive(StrongText)
	}
	s.HTMLBlock.StylePrimitive, s.HTMLSpan.StylePrimitive = t.Primitive(Dim), t.Primitive(Dim)
	s.Code.StylePrimitive = t.Primitive(Code)
	s.CodeBlock.Margin = &margin
	if t.styled() {
		struck := true
		s.Strikethrough.CrossedOut = &struck
	}
	return s
}

// adapt takes from a style what the theme cannot show: attributes where it writes
// no sequences, colours where it has none, and marks that are not ASCII.
func (t *Theme) adapt(s *gansi.StyleConfig) {
	styled, coloured := t.styled(), t.coloured()
	each(s, func(_ string, p *gansi.StylePrimitive) {
		if !styled {
			*p = gansi.StylePrimitive{
				BlockPrefix: p.BlockPrefix, BlockSuffix: p.BlockSuffix, Prefix: p.Prefix, Suffix: p.Suffix, Format: p.Format,
			}
		}
		if !coloured {
			p.Color, p.BackgroundColor = nil, nil
		}
		if t.upright {
			p.Underline, p.Italic = cmp.Or(p.Underline, p.Italic), nil
		}
	})
	if t.ASCII || t.console {
		texts(s, func(_, text string) string { return t.plainForm(text) })
	}
}

// complete gives a style what the meaning of a text hangs on, where it has none of
// its own: the marks of lists and tasks, and something that sets a quote apart.
func (t *Theme) complete(s *gansi.StyleConfig) {
	own := t.ownMarkdown()
	if strings.TrimSpace(s.Item.BlockPrefix+s.Item.Prefix) == "" {
		s.Item.BlockPrefix = own.Item.BlockPrefix
	}
	if strings.TrimSpace(s.Enumeration.BlockPrefix+s.Enumeration.Prefix) == "" {
		s.Enumeration.BlockPrefix = own.Enumeration.BlockPrefix
	}
	if strings.TrimSpace(s.Task.Ticked) == strings.TrimSpace(s.Task.Unticked) {
		s.Task.Ticked, s.Task.Unticked = own.Task.Ticked, own.Task.Unticked
	}
	q := &s.BlockQuote
	if blank := " "; q.IndentToken == nil && q.Indent != nil && *q.Indent > 0 {
		q.IndentToken = &blank
	}
	if q.Indent == nil || *q.Indent == 0 || *q.IndentToken == "" {
		q.Indent, q.IndentToken = own.BlockQuote.Indent, own.BlockQuote.IndentToken
	}
}

// inherit gives each element the looks of those it stands in, as Glamour does
// while it draws: all are in the document, each level of headings is a heading.
func inherit(s *gansi.StyleConfig) {
	document := Overlay(s.Document.StylePrimitive, s.Text)
	heading := Overlay(document, s.Heading.StylePrimitive)
	for _, h := range []*gansi.StyleBlock{&s.H1, &s.H2, &s.H3, &s.H4, &s.H5, &s.H6} {
		marks := h.StylePrimitive
		marks.Prefix = cmp.Or(marks.Prefix, s.Heading.Prefix)
		marks.Suffix = cmp.Or(marks.Suffix, s.Heading.Suffix)
		marks.BlockPrefix = cmp.Or(marks.BlockPrefix, s.Heading.BlockPrefix)
		marks.BlockSuffix = cmp.Or(marks.BlockSuffix, s.Heading.BlockSuffix)
		h.StylePrimitive = withMarks(Overlay(heading, h.StylePrimitive), marks)
	}
	s.Document.StylePrimitive = document
	for _, p := range []*gansi.StylePrimitive{
		&s.BlockQuote.StylePrimitive, &s.HTMLBlock.StylePrimitive, &s.Code.StylePrimitive,
		&s.Link, &s.LinkText, &s.Image, &s.ImageText, &s.Item, &s.Enumeration, &s.HorizontalRule,
	} {
		*p = withMarks(Overlay(document, *p), *p)
	}
	s.Table.StylePrimitive = Overlay(document, s.Table.StylePrimitive)
}

// Overlay is how text looks that has two styles, one inside the other: the inner
// one counts where it says something. The marks around a text, such as a prefix,
// are not inherited.
func Overlay(outer, inner gansi.StylePrimitive) gansi.StylePrimitive {
	outer.Color, outer.BackgroundColor = cmp.Or(inner.Color, outer.Color), cmp.Or(inner.BackgroundColor, outer.BackgroundColor)
	outer.Underline, outer.CrossedOut = cmp.Or(inner.Underline, outer.Underline), cmp.Or(inner.CrossedOut, outer.CrossedOut)
	outer.Bold, outer.Faint = cmp.Or(inner.Bold, outer.Bold), cmp.Or(inner.Faint, outer.Faint)
	outer.Italic = cmp.Or(inner.Italic, outer.Italic)
	outer.Upper, outer.Lower = cmp.Or(inner.Upper, outer.Upper), cmp.Or(inner.Lower, outer.Lower)
	outer.Title, outer.Inverse = cmp.Or(inner.Title, outer.Title), cmp.Or(inner.Inverse, outer.Inverse)
	return withMarks(outer, gansi.StylePrimitive{})
}

// withMarks is a style with the marks of another.
func withMarks(look, marks gansi.StylePrimitive) gansi.StylePrimitive {
	look.BlockPrefix, look.BlockSuffix, look.Prefix, look.Suffix = marks.BlockPrefix, marks.BlockSuffix, marks.Prefix, marks.Suffix
	look.Format = marks.Format
	return look
}

// tokens are the marks around a text.
func tokens(p gansi.StylePrimitive) string {
	return p.BlockPrefix + p.Prefix + p.Suffix + p.BlockSuffix
}

// codeTheme is the theme with the colours of the style for blocks of code. A style
// that names none for their words has one for all of the text.
func (t *Theme) codeTheme() *Theme {
	styles := t.styles
	base := t.style.config.CodeBlock.StylePrimitive
	for tok, p := range t.style.syntax {
		s := Overlay(base, p)
		if !t.styled() {
			s = gansi.StylePrimitive{}
		}
		if !t.coloured() {
			s.Color, s.BackgroundColor = nil, nil
		}
		styles[tok] = lipglossStyle(s)
	}
	code := build(t.Name, t.Dark, styles, []Option{func(c *Theme) { c.upright = t.upright }})
	code.ASCII, code.console, code.Links, code.Own, code.few = t.ASCII, t.console, t.Links, t.Own, t.few
	return code
}

// styled reports whether the theme writes sequences at all.
func (t *Theme) styled() bool { return t.open[StrongText] != "" || t.open[Dim] != "" }

// coloured reports whether it has colours.
func (t *Theme) coloured() bool {
	return slices.ContainsFunc(t.styles[:], func(s lipgloss.Style) bool {
		return painted(s.GetForeground()) || painted(s.GetBackground())
	})
}

// Primitive is the style of a token in Glamour's terms.
func (t *Theme) Primitive(tok Token) gansi.StylePrimitive {
	s := t.Style(tok)
	set := func(on bool) *bool {
		if !on {
			return nil
		}
		return &on
	}
	return gansi.StylePrimitive{
		Color: colourName(s.GetForeground()), BackgroundColor: colourName(s.GetBackground()),
		Bold: set(s.GetBold()), Faint: set(s.GetFaint()), Italic: set(s.GetItalic()),
		Underline: set(s.GetUnderline()), Inverse: set(s.GetReverse()),
	}
}

// lipglossStyle is a style of Glamour's as one of Lip Gloss.
func lipglossStyle(p gansi.StylePrimitive) lipgloss.Style {
	on := func(b *bool) bool { return b != nil && *b }
	s := lipgloss.NewStyle().Bold(on(p.Bold)).Faint(on(p.Faint)).Italic(on(p.Italic)).Underline(on(p.Underline)).
		Reverse(on(p.Inverse)).Strikethrough(on(p.CrossedOut))
	if p.Color != nil {
		s = s.Foreground(lipgloss.Color(*p.Color))
	}
	if p.BackgroundColor != nil {
		s = s.Background(lipgloss.Color(*p.BackgroundColor))
	}
	return s
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

// plainForm is a mark in the glyphs that the terminal has: those of the theme as it
// has them, and in ASCII a question mark for any other.
func (t *Theme) plainForm(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch i := slices.IndexFunc(glyphs[:], func(g glyph) bool { return g.fancy == string(r) }); {
		case r < 0x80:
			b.WriteRune(r)
		case r == '\u00a0':
			b.WriteByte(' ')
		case r == '┃' || r == '┆' || r == '┊':
			b.WriteByte('|')
		case i >= 0:
			b.WriteString(t.Glyph(Mark(i)))
		case t.console:
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
