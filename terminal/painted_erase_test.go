package terminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// ownGround is a row as GNU screen shows it, which erases to its own background: "#" for
// a column that has another, and the cursor's column.
func ownGround(t *testing.T, sequences string) (string, int) {
	t.Helper()
	const width = 12
	e := paintedErase{size: func() (int, int) { return width, 3 }}
	var sent strings.Builder
	background := ""
	for rest := e.filtered([]byte(sequences)); len(rest) > 0; {
		n := tokenLength(rest)
		token := string(rest[:n])
		rest = rest[n:]
		switch final := token[len(token)-1]; {
		case strings.HasPrefix(token, "\x1b[") && final == 'm':
			if background = ""; setsBackground(token[2:len(token)-1], false) {
				background = token
			}
		case strings.HasPrefix(token, "\x1b[") && (final == 'X' || final == 'K'):
			token = ansi.ResetStyle + token + background
		}
		sent.WriteString(token)
	}
	screen := vt.NewEmulator(width, 3)
	_, _ = screen.WriteString(sent.String())
	row := ""
	for x := range width {
		if c := screen.CellAt(x, 0); c != nil && c.Style.Bg != nil {
			row += "#"
		} else {
			row += "."
		}
	}
	for x := range width {
		if c := screen.CellAt(x, 1); c != nil && c.Style.Bg != nil {
			t.Errorf("%q continued in the next row", sequences)
		}
	}
	return row, screen.CursorPosition().X
}

// What is erased while a background is set has that background on a terminal that erases
// to its own, and the cursor stays.
func TestPaintedErase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sequences, row string
		cursor               int
	}{
		{"characters", "\x1b[48;5;235mab\x1b[6Xc", "#########"[:8] + "....", 3},
		{"characters at the end", "\x1b[48;5;235mab\x1b[10X", "############", 2},
		{"to the end", "\x1b[38;2;0;49;0;48;2;0;0;0mab\x1b[K", "############", 2},
		{"to the start", "\x1b[6G\x1b[44m\x1b[1K", "######......", 5},
		{"a bright one", "\x1b[104m\x1b[3X", "###.........", 0},
		{"one with colons", "\x1b[48:5:12m\x1b[3X", "###.........", 0},
		{"none", "\x1b[38;5;44mab\x1b[6X", "............", 2},
		{"none any more", "\x1b[44ma\x1b[49mb\x1b[6X", "#...........", 2},
		{"reset", "\x1b[44ma\x1b[mb\x1b[K", "#...........", 2},
	} {
		if row, cursor := ownGround(t, c.sequences); row != c.row || cursor != c.cursor {
			t.Errorf("%s: %s, the cursor at %d, want %s at %d", c.name, row, cursor, c.row, c.cursor)
		}
	}
}

// Everything else stays as it came.
func TestPaintedErasePassesBy(t *testing.T) {
	t.Parallel()
	e := paintedErase{size: func() (int, int) { return 80, 24 }}
	for _, s := range []string{
		"text", "\x1b]2;title\x1b\\", "\x1b[?25l", "\x1b[44m\x1b[2J\x1b[H", "\x1b[m\x1b[K", "\x1b[44m\x1b[2K", "\x1b[>4;1m", "\x1b[4", "\x1b[", "\x1b", "Ü\x1b_G\x1b\\",
	} {
		if got := string(e.filtered([]byte(s))); got != s {
			t.Errorf("%q is %q", s, got)
		}
	}
}
