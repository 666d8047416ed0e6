package theme

import (
	"image/color"
	"math"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// The least contrast of text, of text in a theme of high contrast, and of lines
// and frames (WCAG 2.2, 1.4.3, 1.4.6 and 1.4.11).
const (
	readable = 4.5
	sharp    = 7.0
	visible  = 3.0
)

// pair is a foreground on a background, as it can be on the screen.
type pair struct {
	of, on         Token // on is Text where it is the terminal's own background
	fore, back     color.Color
	contrast, want float64
}

// String says what the pair is, for a user.
func (p pair) String() string {
	if p.on == Text {
		return p.of.String()
	}
	return p.of.String() + " on " + p.on.String()
}

// pairs are all that a theme can put on the screen: every token where it stands
// alone, and on the lines of a diff, for which it may take the background. Colours
// that see does not know are left out. Text and background of the terminal are
// those that the palette expects.
func (t *Theme) pairs(want float64, see func(color.Color) (color.Color, bool)) []pair {
	text, ground := lipgloss.Color(t.palette[hueText]), lipgloss.Color(t.palette[hueGround])
	var all []pair
	for _, on := range []Token{Text, AddedLine, RemovedLine} {
		if on != Text && !t.Paints(on) {
			continue
		}
		for i, s := range t.styles {
			tok := Token(i)
			least, line := want, tok == Rule || tok == Border
			if line {
				least = visible
			}
			if on != Text && (t.Paints(tok) || line) {
				continue // as it is alone, or never there
			}
			if on != Text && tok == Text {
				s = t.styles[on]
			}
			fore, back := either(s.GetForeground(), text), either(s.GetBackground(), either(t.styles[on].GetBackground(), ground))
			if s.GetReverse() {
				fore, back = back, fore
			}
			f, okF := see(fore)
			b, okB := see(back)
			if okF && okB {
				all = append(all, pair{tok, on, fore, back, contrast(f, b), least})
			}
		}
	}
	return all
}

// either is a colour, or another if there is no such one.
func either(c, other color.Color) color.Color {
	if painted(c) {
		return c
	}
	return other
}

// known sees the colours that are the same in every terminal.
func known(c color.Color) (color.Color, bool) {
	_, own := c.(ansi.BasicColor)
	return c, painted(c) && !own
}

// contrast is the contrast ratio of two colours (WCAG 2.2).
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of a colour (WCAG 2.2).
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// linear is the light of a part of an sRGB colour, of 0 to 0xffff.
func linear(v uint32) float64 {
	f := float64(v) / 0xffff
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}
