// Package widget has what every part of the window draws with: lists of rows, hints
// in a line, texts in columns, and short texts that are the same everywhere. It takes
// a theme and a width, and knows nothing of who draws.
package widget

import (
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
)

// Blank is n spaces.
func Blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// Capitalised is a sentence that begins with a capital letter.
func Capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// CaretAt is the real cursor in a cell of the window. A shape of -1, steady, is
// the terminal's own default: nothing is written that would change the user's
// cursor.
func CaretAt(x, y int) *tea.Cursor {
	return &tea.Cursor{Position: tea.Position{X: x, Y: y}, Shape: -1}
}

// Fill appends the first of lines as rows to a screen, with empty ones if there are fewer.
func Fill(screen []string, rows int, lines []string) []string {
	rows = max(0, rows)
	lines = lines[:min(len(lines), rows)]
	return append(append(screen, lines...), make([]string, rows-len(lines))...)
}

// MoveCursor moves a cursor, which may be nil, some lines down.
func MoveCursor(c *tea.Cursor, lines int) *tea.Cursor {
	if c != nil {
		c.Y += lines
	}
	return c
}

// ShortPath writes a path below the home directory with a tilde.
func ShortPath(dir, home string) string { return text.PathFromHome(home, dir) }

// ShortFile writes the path of a file from a folder, or as ShortPath does if it is elsewhere.
func ShortFile(file, dir, home string) string {
	if rest := text.PathFrom(dir, file); rest != file {
		return rest
	}
	return ShortPath(file, home)
}

// Base is the last element of a path.
func Base(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Base(dir)
}

// FirstLine is the first line of a text that is not blank.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// Elapsed is how long ago a time is, with a blank before it; "" if that is not known.
// Where nothing may change as time passes (still) it is the time itself.
func Elapsed(since, now time.Time, still bool) string {
	switch {
	case since.IsZero() || now.Before(since):
		return ""
	case now.Sub(since) >= 24*time.Hour: // a replay, or a wrong clock: counting is no use
		return " since " + since.In(now.Location()).Format(time.DateOnly)
	case still: // a count that stands still is wrong
		return " since " + since.In(now.Location()).Format("15:04")
	}
	return " " + text.Duration(now.Sub(since))
}

// Clip makes text safe that may be megabytes long, of which width cells are shown at
// most: a cell is a few bytes.
func Clip(s string, width int) string {
	const cell = 16
	if most := cell * max(1, width); len(s) > most {
		s = s[:most]
	}
	return text.SanitizeLine(s)
}

// Cut makes text safe and shortens it to a width.
func Cut(th *theme.Theme, s string, width int) string {
	return text.Truncate(text.SanitizeLine(s), width, th.Glyph(theme.MarkEllipsis))
}

// Margin is the width of the column that holds the marks.
const Margin = 2

// Indent is a margin's width of blanks.
const Indent = "  "

// ColumnGap is between two columns.
const ColumnGap = 2

// ColumnGapText is between two words of a line that stand for themselves.
const ColumnGapText = "   "

// PreviewText draws the beginning of a text, dim, and a mark if more follows.
func PreviewText(th *theme.Theme, s string, width, height int) []string {
	room := max(1, width-2*Margin-1)
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if len(lines) > height {
			break
		}
		for _, l := range text.Wrap(text.SanitizeLine(line[:min(len(line), room*height*4)]), room) {
			lines = append(lines, Indent+th.Render(theme.Dim, l))
		}
	}
	if len(lines) > height {
		lines = lines[:height]
		lines[height-1] = Indent + th.Render(theme.Dim, th.Glyph(theme.MarkFolded))
	}
	return lines
}
