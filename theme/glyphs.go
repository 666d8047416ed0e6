package theme

import (
	"cmp"

	"charm.land/lipgloss/v2"
)

// Mark is a glyph with a meaning. Each has a plain form for terminals without
// the glyph. Those that stand in the margin differ in shape, so that meaning
// survives without colour.
type Mark uint8

// The marks.
const (
	MarkPrompt Mark = iota
	MarkRunning
	MarkDone
	MarkFailed
	MarkRefused
	MarkQuestion
	MarkInfo
	MarkWarning
	MarkError
	MarkSubAgent
	MarkFolded
	MarkThinking
	MarkBoundary
	MarkChosen
	MarkEllipsis // cut text
	MarkBullet   // list items, separators between short facts
	MarkQuote    // left edge of a quotation
	MarkCaret    // left edge of the composer
	MarkBelow    // more below
	MarkAbove    // more above
	MarkArrow    // from one thing to another
	MarkMinus    // removed lines in a count
	MarkDot      // separator between facts on one line
	MarkReturn   // a line end in text that is shown on one line
	MarkBar      // the full part of a bar
	MarkBarRest  // the empty part of a bar
	MarkTodo     // what is still to be done
	MarkOutside  // right edge of what the model does not see any more
	MarkCross    // where the rule of a table meets the line between two columns
	MarkClosed   // a row of a tree whose inner rows are not shown
	MarkOpen     // a row of a tree whose inner rows are shown
	MarkWrapped  // a row that continues the line of code above

	// Marks is the number of marks.
	Marks = int(MarkWrapped) + 1
)

// glyph is a mark as it is drawn: in full, in ASCII, and in the fonts of the Linux
// console, which have 256 or 512 glyphs. What both code page 437 and the fonts of
// console-setup have is used there; "" is the plain form.
type glyph struct{ fancy, plain, console string }

var glyphs = [Marks]glyph{
	MarkPrompt:   {"▌", ">", "█"},
	MarkRunning:  {"●", "*", ""},
	MarkDone:     {"✓", "+", ""},
	MarkFailed:   {"✗", "x", ""},
	MarkRefused:  {"⊘", "-", ""},
	MarkQuestion: {"◇", "?", ""},
	MarkInfo:     {"i", "i", ""},
	MarkWarning:  {"▲", "!", "▲"},
	MarkError:    {"■", "X", "■"},
	MarkSubAgent: {"◆", "@", ""},
	MarkFolded:   {"⋯", "...", ""},
	MarkThinking: {"∴", "~", ""},
	MarkBoundary: {"─", "-", "─"},
	MarkChosen:   {"❯", ">", "»"},
	MarkEllipsis: {"…", "...", ""},
	MarkBullet:   {"•", "*", "•"},
	MarkQuote:    {"│", "|", "│"},
	MarkCaret:    {"▏", "|", "│"},
	MarkBelow:    {"↓", "v", "↓"},
	MarkAbove:    {"↑", "^", "↑"},
	MarkArrow:    {"→", "->", "→"},
	MarkMinus:    {"−", "-", ""},
	MarkDot:      {"·", "-", "·"},
	MarkReturn:   {"↵", `\n`, ""},
	MarkBar:      {"━", "=", "═"},
	MarkBarRest:  {"─", "-", "─"},
	MarkTodo:     {"☐", "o", ""},
	MarkOutside:  {"┊", ":", ""},
	MarkCross:    {"┼", "+", "┼"},
	MarkClosed:   {"▸", "+", ""},
	MarkOpen:     {"▾", "-", ""},
	MarkWrapped:  {"↳", `\`, ""},
}

// Dot stands between short things on one line.
func (t *Theme) Dot() string { return " " + t.Glyph(MarkDot) + " " }

// Glyph returns the glyph of m: one cell wide, but for the plain forms of
// MarkFolded, MarkEllipsis, MarkArrow and MarkReturn.
func (t *Theme) Glyph(m Mark) string {
	switch {
	case int(m) >= Marks:
		return "?"
	case t.ASCII:
		return glyphs[m].plain
	case t.console:
		return cmp.Or(glyphs[m].console, glyphs[m].plain)
	}
	return glyphs[m].fancy
}

// Frame returns the border of a dialog.
func (t *Theme) Frame() lipgloss.Border {
	switch {
	case t.ASCII:
		return lipgloss.ASCIIBorder()
	case t.console:
		return lipgloss.NormalBorder()
	}
	return lipgloss.RoundedBorder()
}

// Levels returns the glyphs of a small chart, from little to all, each one cell
// wide.
func (t *Theme) Levels() []string {
	if t.ASCII || t.console {
		return []string{"_", ".", ":", "-", "=", "+", "*", "#"}
	}
	return []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}
