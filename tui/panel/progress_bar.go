package panel

import (
	"fmt"
	"math"
	"unicode/utf8"

	"charm.land/bubbles/v2/progress"

	"parley/theme"
)

// DrawBar draws a share of a whole: anything above nothing fills a cell.
func DrawBar(th *theme.Theme, part, whole, width int) string {
	if whole <= 0 || width <= 0 {
		return ""
	}
	full := min(width, int(math.Ceil(float64(part)*float64(width)/float64(whole))))
	bar := progress.New(progress.WithWidth(width), progress.WithoutPercentage(),
		progress.WithFillCharacters(glyphRune(th, theme.MarkBar), glyphRune(th, theme.MarkBarRest)),
		progress.WithColors(th.Style(theme.Accent).GetForeground()))
	bar.EmptyColor = th.Style(theme.Rule).GetForeground()
	return bar.ViewAs(float64(full) / float64(width))
}

// glyphRune is a glyph of one character.
func glyphRune(th *theme.Theme, mark theme.Mark) rune {
	r, _ := utf8.DecodeRuneInString(th.Glyph(mark))
	return r
}

// Percent writes a share.
func Percent(part, whole int) string {
	if whole <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", float64(part)*100/float64(whole))
}
