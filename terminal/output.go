package terminal

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Output counts what is written to the terminal, so that the model can
// know that a frame was flushed (docs/decisions.md 2).
type Output struct {
	*os.File
	writes    atomic.Uint64
	bytes     atomic.Uint64
	Wrote     chan struct{}              // has something after each write, once there was one
	in        *Input                     // where its answers come
	filter    func(p []byte) []byte      // what is written of p
	alternate atomic.Bool                // the alternate screen was entered and not left
	size      func() (width, height int) // of the terminal, now
	images    screenImages               // images on it
	titled    atomic.Bool                // the window has a title
	below     bool                       // the window is below what the terminal has, where it is not on the alternate screen

	mu     sync.Mutex // of rows, erase and inline, and the order of writes
	rows   unchangedRows
	erase  *paintedErase // nil where the terminal erases to the background that is set
	inline inline
}

// NewOutput returns the output to a terminal, whose answers come by an input.
func NewOutput(file *os.File, in *Input) *Output {
	o := &Output{File: file, Wrote: make(chan struct{}, 1), in: in, filter: func(p []byte) []byte { return in.ask(p, in.Now()) }}
	o.size = func() (width, height int) { width, height, _ = term.GetSize(o.Fd()); return width, height }
	o.rows = unchangedRows{size: o.size}
	return o
}

// PaintErased is for a terminal that does not erase to the background that is set
// (Environment.ErasesToOwn). It is called before the first write.
func (o *Output) PaintErased() { o.erase = &paintedErase{size: o.size} }

// Inline is for a window that is below what the terminal has, where it is not on the alternate screen: Show shows it. It is
// called before the first write.
func (o *Output) Inline() { o.below = true }

// Count is how often something was written.
func (o *Output) Count() uint64 { return o.writes.Load() }

// Written is how many bytes were written.
func (o *Output) Written() uint64 { return o.bytes.Load() }

// First enters the alternate screen and writes the first frame there, each line from the
// first column on, which the terminal does not return to by itself any more. It asks the
// terminal nothing, so nothing is left out of it or counted.
func (o *Output) First(frame string) {
	o.alternate.Store(true)
	_, _ = o.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.CursorHomePosition + strings.ReplaceAll(frame, "\n", "\r\n"))
}

// OnAlternate reports whether the alternate screen was entered and not left.
func (o *Output) OnAlternate() bool { return o.alternate.Load() }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	alternate := o.alternate.Load()
	written := o.rows.filtered(o.named(o.tidy(o.filter(p))))
	if o.erase != nil {
		written = o.erase.filtered(written)
	}
	if o.below {
		width, height := o.size()
		written = o.inline.beside(written, width, height, alternate)
	}
	n, err := o.File.Write(written)
	o.mu.Unlock()
	if o.wrote(n); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wrote counts a write of so many bytes.
func (o *Output) wrote(n int) {
	o.writes.Add(1)
	o.bytes.Add(uint64(n))
	select {
	case o.Wrote <- struct{}{}:
	default:
	}
}

// named returns what is written of p: the title that a terminal had before the
// first of the window's is kept by it, and comes back when the window has none
// any more. Bubble Tea would leave it without one.
func (o *Output) named(p []byte) []byte {
	set, none := []byte("\x1b]2;"), []byte(ansi.SetWindowTitle(""))
	var out []byte
	for {
		i := bytes.Index(p, set)
		if i < 0 {
			return append(out, p...)
		}
		out = append(out, p[:i]...)
		switch untitled := bytes.HasPrefix(p[i:], none); {
		case untitled && o.titled.Swap(false):
			out = append(append(out, none...), ansi.WindowOp(giveTitle, windowTitle)...)
			p = p[i+len(none):]
			continue
		case !untitled && !o.titled.Swap(true):
			out = append(out, ansi.WindowOp(keepTitle, windowTitle)...)
		}
		out = append(out, set...)
		p = p[i+len(set):]
	}
}

// The operations by which a terminal keeps its title and gives it back (XTerm
// Control Sequences, XTWINOPS 22 and 23).
const (
	keepTitle, giveTitle = 22, 23
	windowTitle          = 2
)

// tidy returns what is written of p: images go to the alternate screen only,
// and before that is left, for whatever reason, they are deleted. While it is
// there the terminal reports when it changes between dark and light (mode 2031;
// contour-terminal.org/vt-extensions/color-palette-update-notifications).
func (o *Output) tidy(p []byte) []byte {
	o.images.mu.Lock()
	defer o.images.mu.Unlock()
	enter, leave := []byte(ansi.SetModeAltScreenSaveCursor), []byte(ansi.ResetModeAltScreenSaveCursor)
	switch {
	case !bytes.Contains(p, []byte("\x1b_G")):
	case o.alternate.Load():
		o.images.some = true
	default:
		p = graphics().ReplaceAllFunc(p, func(sequence []byte) []byte {
			o.images.held = append(o.images.held, sequence...)
			return nil
		})
	}
	if bytes.Contains(p, enter) {
		o.alternate.Store(true)
		p = bytes.Replace(p, enter, slices.Concat(enter, []byte(ansi.SetModeLightDark), o.images.held), 1)
		o.images.some, o.images.held = o.images.some || len(o.images.held) > 0, nil
	}
	if !bytes.Contains(p, leave) {
		return p
	}
	o.alternate.Store(false)
	all := []byte(ansi.ResetModeLightDark)
	if o.images.some {
		for slot := range MostImages {
			all = append(all, DeleteImage(slot)...)
		}
	}
	p = bytes.Replace(p, leave, append(all, leave...), 1)
	o.images.some, o.images.held = false, nil
	return p
}

// screenImages is what of the images is on the alternate screen. A terminal keeps
// those of each screen apart, and would keep them when this one is left.
type screenImages struct {
	mu   sync.Mutex
	some bool   // it holds some
	held []byte // written before the screen was entered, as it may be after a suspension
}

// graphics are the sequences that give a terminal images or take them away.
var graphics = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b_G[^\x1b]*\x1b\\`) })
