package terminal

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Frame is what a window shows that is below what the terminal has, on the terminal's own screen.
type Frame struct {
	Lines         []string // none: the window is not there
	X, Y          int      // the cursor, from the window's first column and row on
	Cursor        bool     // it shows
	Width, Height int      // of the terminal that it was drawn for
	Reflow        Reflow   // what that does when its width changes
}

// Reflow is what a terminal does to the lines on its own screen when its width changes.
type Reflow string

const (
	// NoReflow leaves each line in its row.
	NoReflow Reflow = ""
	// ReflowLines breaks the lines that it is too narrow for. Blank rows below the cursor make room.
	ReflowLines Reflow = "lines"
	// ReflowAll breaks them, but blank rows below the cursor stay: what is above scrolls out (tmux).
	ReflowAll Reflow = "all"
	// ReflowAround is ReflowAll but for the line of the cursor, which lines that are broken below it move as well (xterm.js).
	ReflowAround Reflow = "around"
	// ReflowLow is ReflowAll, but the cursor is further down by as many rows as scrolled out after its line (kitty before 0.38).
	ReflowLow Reflow = "low"
)

// rowsAbove is how many rows of a terminal of a size are above the cursor, once it has another size than the frame
// was drawn for.
func (f *Frame) rowsAbove(width, height int) int {
	switch {
	case len(f.Lines) == 0:
		return 0
	case f.Reflow == ReflowLow:
		return f.rowsLow(width, height)
	case !f.breaks(width):
		return f.Y
	case f.Reflow == ReflowAround:
		return f.rowsAround(width, height)
	}
	return f.rowsOf(f.Lines[:f.Y], width) + f.X/width
}

// rowsAround is rowsAbove for a terminal that breaks the lines from the last to the first, but for the one where it has the
// cursor by then, which each line that is broken moves down by a row. In a terminal that is lower, the last lines are gone.
func (f *Frame) rowsAround(width, height int) int {
	at := f.Y
	for i := max(f.Y, len(f.Lines)-1-max(0, f.Height-height)); i >= 0; i-- {
		if i != at {
			at += f.rowsOf(f.Lines[i:i+1], width) - 1
		}
	}
	return at
}

// rowsLow is rowsAbove for a terminal that has the cursor where its line came to, although that moved up when the lines after it had
// no room below it any more.
func (f *Frame) rowsLow(width, height int) int {
	above, all := f.rowsOf(f.Lines[:f.Y], width), f.rowsOf(f.Lines, width)
	if f.breaks(width) {
		above += f.X / width
	}
	scrolled := all - len(f.Lines) + max(0, f.Height-height)
	return above + min(all-above-1, scrolled)
}

// fits reports whether the frame was drawn for a terminal of a size.
func (f *Frame) fits(width, height int) bool {
	return len(f.Lines) == 0 || f.Width == width && f.Height == height
}

// breaks reports whether a terminal that has a width now may have broken the frame's lines.
func (f *Frame) breaks(width int) bool { return f.Reflow != NoReflow && width < f.Width && width > 0 }

// rowsOf is how many rows some of the frame's lines take there.
func (f *Frame) rowsOf(lines []string, width int) int {
	rows := len(lines)
	if f.breaks(width) {
		for _, l := range lines {
			rows += rowsIn([]string{strings.TrimRight(l, " ")}, width) - 1
		}
	}
	return rows
}

// inline is a window below what the terminal has. All that it writes begins at the cursor, where the window left it. What is above
// the window is written once, unless it came for another size and is still on the screen.
type inline struct {
	drawn Frame    // what the terminal shows
	next  Frame    // what it is to show
	above []string // lines for above the window, which the terminal does not have yet
	rows  int      // that it has, or had before the alternate screen
	stale bool     // the size of the terminal has changed, which may have damaged lines
	sent  sent     // what was written last
	late  late     // it came too late
}

// sent is what was written of the window.
type sent struct {
	from  Frame    // what the terminal showed before
	rows  int      // up to its first line
	above []string // what was written above it
	whole bool     // and all of it
}

// late is where the cursor is after what was written for another size of the terminal than it had by then.
type late struct {
	width, height int // that it had
	rows          int // from the first line that is to be written again down to the cursor
}

// Above has the next Show write lines above the window, where they stay.
func (o *Output) Above(lines []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.inline.above = append(o.inline.above, lines...)
}

// Resized has the next Show draw the whole window: the size of the terminal has changed, if only for a moment.
func (o *Output) Resized() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.inline.stale = true
}

// Show shows a window below what the terminal has, from the next frame for its size on, and not before the alternate screen
// is left.
func (o *Output) Show(f Frame) {
	o.mu.Lock()
	o.inline.next = f
	var written []byte
	width, height := o.size()
	if !o.alternate.Load() && f.fits(width, height) {
		written = o.inline.draw(f, width, height)
	}
	if len(written) == 0 {
		o.mu.Unlock()
		return
	}
	n, _ := o.File.Write(written)
	if w, h := o.size(); w != width || h != height {
		o.inline.missed(w, h)
	}
	o.mu.Unlock()
	o.wrote(n)
}

// missed follows that the terminal had got another size before it got what was written last: it has broken lines of it, and some
// of those that were to be erased are still there.
func (in *inline) missed(width, height int) {
	s, f := in.sent, in.drawn
	if len(f.Lines) == 0 {
		return
	}
	left := max(0, s.from.rowsAbove(width, height)-s.rows)
	above := rowsIn(s.above, width)
	rows := f.Y - len(f.Lines)
	for i, l := range f.Lines {
		if rows++; s.whole || i >= len(s.from.Lines) || s.from.Lines[i] != l {
			rows += rowsIn([]string{l}, width) - 1
		}
	}
	switch all := left + above + rows; {
	case len(s.above) > 0 && all < height: // all of it is still on the screen
		in.above, rows = append(s.above, in.above...), all
	case len(s.above) == 0:
		rows = all
	}
	in.stale, in.late = true, late{width, height, rows}
}

// rowsIn is how many rows lines take that are written in a terminal of a width.
func rowsIn(lines []string, width int) int {
	rows := len(lines)
	for _, l := range lines {
		rows += max(0, ansi.StringWidth(l)-1) / max(1, width)
	}
	return rows
}

// beside is what is written of p, which another writer draws: nothing of that is on the terminal's own screen, so what would
// erase it is left out. The window makes way for the alternate screen, and comes back after it.
func (in *inline) beside(p []byte, width, height int, alternate bool) []byte {
	enter, leave := []byte(ansi.SetModeAltScreenSaveCursor), []byte(ansi.ResetModeAltScreenSaveCursor)
	own := func(p []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(p, []byte(ansi.EraseScreenBelow), nil), []byte(ansi.EraseLineRight), nil)
	}
	var out []byte
	for {
		switch before, after, found := bytes.Cut(p, leave); {
		case alternate && found:
			out = slices.Concat(out, before, leave)
			if in.next.fits(width, height) {
				out = append(out, in.draw(in.next, width, height)...)
			}
			p, alternate = after, false
			continue
		case alternate:
			return append(out, p...)
		}
		before, after, found := bytes.Cut(p, enter)
		out = append(out, own(before)...)
		if !found {
			return out
		}
		rows := in.rows
		out = append(append(out, in.draw(Frame{}, width, height)...), enter...)
		in.rows = rows
		p, alternate = after, true
	}
}

// draw returns what brings a terminal of a size from what it shows to a frame, with the lines that are to be above it.
func (in *inline) draw(f Frame, width, height int) []byte {
	if len(f.Lines) == 0 && len(in.drawn.Lines) == 0 && len(in.above) == 0 {
		return nil
	}
	var b strings.Builder
	f = in.settled(f, width)
	whole := in.stale || len(in.above) > 0 || len(f.Lines) < len(in.drawn.Lines) || f.Width != in.drawn.Width || f.Height != in.drawn.Height
	rows := in.drawn.rowsAbove(width, height)
	if in.late.width == width && in.late.height == height {
		rows = in.late.rows
	}
	was := sent{in.drawn, rows, in.above, whole}
	if whole {
		b.WriteString(up(rows) + ansi.ResetStyle + eraseFrom(rows))
		for _, l := range in.above {
			b.WriteString(l + ansi.ResetStyle + "\r\n")
		}
		b.WriteString(strings.Join(f.Lines, ansi.ResetStyle+"\r\n"))
		b.WriteString(ansi.ResetStyle)
	} else if !in.changes(&b, f) {
		return nil
	}
	last := max(0, len(f.Lines)-1)
	b.WriteString(up(last - f.Y))
	if f.X > 0 {
		b.WriteString(ansi.CursorForward(f.X))
	}
	if f.Cursor || len(f.Lines) == 0 {
		b.WriteString(ansi.SetModeTextCursorEnable)
	}
	in.drawn, in.above, in.rows, in.stale, in.sent, in.late = f, nil, len(f.Lines), false, was, late{}
	return []byte(ansi.SetModeSynchronizedOutput + ansi.ResetModeTextCursorEnable + b.String() + ansi.ResetModeSynchronizedOutput)
}

// changes writes the lines of a frame that differ from those that the terminal shows, which leaves the cursor in the last one,
// and reports whether the terminal has to do anything.
func (in *inline) changes(b *strings.Builder, f Frame) bool {
	was := in.drawn.Lines
	if slices.Equal(was, f.Lines) && in.drawn.X == f.X && in.drawn.Y == f.Y && in.drawn.Cursor == f.Cursor {
		return false
	}
	b.WriteString(up(in.drawn.Y))
	for i, l := range f.Lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if i < len(was) && was[i] == l {
			continue
		}
		b.WriteString(ansi.ResetStyle + l + ansi.ResetStyle)
		if i < len(was) && ansi.StringWidth(l) < f.Width { // behind the last column it would erase that
			b.WriteString(ansi.EraseLineRight)
		}
	}
	return true
}

// settled is a frame that ends where the one before does, with blank lines before it where it is lower: the composer stays
// where it is, at the end of the screen in a terminal that would keep blank rows below it. Lines that go above take the place of
// blank ones.
func (in *inline) settled(f Frame, width int) Frame {
	if len(f.Lines) == 0 {
		return f
	}
	rows, shown := in.rows, len(in.drawn.Lines) > 0
	switch keeps := f.Reflow == ReflowAll || f.Reflow == ReflowAround || f.Reflow == ReflowLow; {
	case !keeps:
	case rows == 0, shown && in.drawn.Reflow != f.Reflow, !shown && in.stale: // it is anywhere on the screen
		rows = f.Height
	case shown:
		rows = in.drawn.rowsOf(in.drawn.Lines, width)
		if f.Reflow != ReflowAll { // there a terminal that is higher has more rows below the cursor
			rows += max(0, f.Height-in.drawn.Height)
		}
	}
	rows = min(rows, f.Height)
	if blank := rows - rowsIn(in.above, width) - len(f.Lines); blank > 0 {
		f.Lines, f.Y = append(make([]string, blank), f.Lines...), f.Y+blank
	}
	return f
}

// eraseFrom erases the screen from the cursor's line on, below which are so many that are not blank. tmux keeps what is erased from
// the screen's first line on at once.
func eraseFrom(rows int) string {
	if rows == 0 {
		return ansi.EraseScreenBelow
	}
	return ansi.EraseEntireLine + ansi.CursorDown(1) + ansi.EraseScreenBelow + ansi.CursorUp(1)
}

// up moves the cursor so many rows up, to the first column.
func up(rows int) string {
	if rows == 0 {
		return "\r"
	}
	return "\r" + ansi.CursorUp(rows)
}
