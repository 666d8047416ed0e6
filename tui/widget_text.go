package tui

import (
	"fmt"
	"path"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/theme"
)

// blank is n spaces.
func blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// dot stands between short things on one line.
func dot(th *theme.Theme) string { return " " + th.Glyph(theme.MarkDot) + " " }

// caretAt is the real cursor in a cell of the window. A shape of -1, steady, is
// the terminal's own default: nothing is written that would change the user's
// cursor.
func caretAt(x, y int) *tea.Cursor {
	return &tea.Cursor{Position: tea.Position{X: x, Y: y}, Shape: -1}
}

// short writes a path below the home directory with a tilde.
func short(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return dir
}

// base is the last element of a path.
func base(dir string) string {
	if dir == "" {
		return ""
	}
	return path.Base(dir)
}

// line is the first line of a text that says anything.
func line(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// age writes how long ago something was.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	case d < 365*24*time.Hour:
		return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
	}
	return fmt.Sprintf("%d y", int(d/(365*24*time.Hour)))
}

// countOf says how many there are, and of how many.
func countOf(n, all int) string {
	if n == all {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// cut makes text safe and shortens it to a width.
func cut(th *theme.Theme, s string, width int) string {
	return render.Truncate(render.SanitizeLine(s), width, th.Glyph(theme.MarkEllipsis))
}

// margin is the width of the column that holds the marks (design/look.md).
const margin = 2

// columnGap is between two columns.
const columnGap = 2

// columnGapText is between two words of a line that stand for themselves.
const columnGapText = "   "
