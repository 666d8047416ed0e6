package tui

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// The operations by which a terminal keeps its title and gives it back (XTerm
// Control Sequences, XTWINOPS 22 and 23).
const (
	keepTitle, giveTitle = 22, 23
	windowTitle          = 2
)

// named returns what is written of p: the title that a terminal had before the
// first of the window's is kept by it, and comes back when the window has none
// any more. Bubble Tea would leave it without one.
func (o *countedOutput) named(p []byte) []byte {
	set, none := []byte("\x1b]2;"), []byte(ansi.SetWindowTitle(""))
	var out []byte
	for {
		i := bytes.Index(p, set)
		if i < 0 {
			return append(out, p...)
		}
		out = append(out, p[:i]...)
		switch gone := bytes.HasPrefix(p[i:], none); {
		case gone && o.titled.Swap(false):
			out = append(append(out, none...), ansi.WindowOp(giveTitle, windowTitle)...)
			p = p[i+len(none):]
			continue
		case !gone && !o.titled.Swap(true):
			out = append(out, ansi.WindowOp(keepTitle, windowTitle)...)
		}
		out = append(out, set...)
		p = p[i+len(set):]
	}
}
