package terminal

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// paintedErase writes spaces for what erases a part of a row while a background is set.
// Bubble Tea's renderer takes it that a terminal erases to that background (bce in
// terminfo). GNU screen erases to its own, so that the background of a prompt would end
// with its words.
type paintedErase struct {
	size       func() (width, height int) // of the terminal, now
	out        []byte
	background bool // one is set
}

// filtered is what is written of p. It is valid until the next call.
func (e *paintedErase) filtered(p []byte) []byte {
	e.out = e.out[:0]
	for len(p) > 0 {
		n := tokenLength(p)
		if n == 0 { // a sequence that does not end here
			n = len(p)
		}
		token := string(p[:n])
		p = p[n:]
		params, control := strings.CutPrefix(token, "\x1b[")
		painted := ""
		if control && params != "" && !strings.ContainsAny(params, marks) {
			painted = e.control(params[:len(params)-1], params[len(params)-1])
		}
		if painted == "" {
			painted = token
		}
		e.out = append(e.out, painted...)
	}
	return e.out
}

// control notes a sequence with a bracket, and returns what is written for it; "" for the
// sequence itself.
func (e *paintedErase) control(params string, final byte) string {
	if final == 'm' {
		e.background = setsBackground(params, e.background)
	}
	if !e.background || final != 'X' && final != 'K' {
		return ""
	}
	n, _ := numbers(params)
	width, _ := e.size()
	var paint string
	switch {
	case final == 'X':
		paint = strings.Repeat(" ", max(n, 1))
	case n == 0: // to the end of the row, where no character may begin the next
		paint = ansi.ResetModeAutoWrap + strings.Repeat(" ", width) + ansi.SetModeAutoWrap
	case n == 1: // to its start, where a backspace stays
		paint = strings.Repeat(" \b\b", width)
	default:
		return ""
	}
	return ansi.SaveCursor + paint + ansi.RestoreCursor
}

// setsBackground reports whether a background is set after the colours of some parameters,
// if one was or was not before.
func setsBackground(params string, was bool) bool {
	parts := strings.Split(params, ";")
	for i := 0; i < len(parts); i++ {
		kind, _, whole := strings.Cut(parts[i], ":")
		n, _ := strconv.Atoi(kind)
		switch {
		case n == 0 || n == 49:
			was = false
		case n >= 40 && n <= 48 || n >= 100 && n <= 107:
			was = true
		}
		if (n == 38 || n == 48 || n == 58) && !whole && i+1 < len(parts) {
			i += map[string]int{"5": 2, "2": 4}[parts[i+1]]
		}
	}
	return was
}
