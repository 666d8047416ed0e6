package render

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"parley/theme"
	"parley/timeline"
)

// Print writes a whole timeline as it would be shown at a density, entry by entry,
// without blanks at the ends of lines. What is written cannot be unfolded, so that
// Verbose leaves nothing out. A nil theme is theme.Plain, which writes no escape
// sequence at all. It holds the lines of one entry's unit at a time.
func Print(w io.Writer, t *timeline.Timeline, d Density, o Options) error {
	return printed(w, o, "timeline", func(out *bufio.Writer, o Options) {
		printEach(out, all(t), func(e *timeline.Entry) Options {
			o := o
			if o.Fold = FoldOf(e, d); o.Fold == Bounded {
				o.Fold = Whole
			}
			return o
		})
	})
}

// printed has something written in one piece, with options that can be drawn
// with.
func printed(w io.Writer, o Options, what string, write func(out *bufio.Writer, o Options)) error {
	if o.Theme == nil {
		o.Theme = theme.Plain()
	}
	o.Width = max(1, o.Width)
	out := bufio.NewWriter(w) // it keeps the first error for Flush
	write(out, o)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print %s: %w", what, err)
	}
	return nil
}

// all are the entries of a timeline with their places.
func all(t *timeline.Timeline) iter.Seq2[int, *timeline.Entry] {
	return func(yield func(int, *timeline.Entry) bool) {
		for i := range t.Len() {
			if !yield(i, t.At(i)) {
				return
			}
		}
	}
}

func printEach(out *bufio.Writer, entries iter.Seq2[int, *timeline.Entry], options func(*timeline.Entry) Options) {
	cache := NewCache(1)
	var before *timeline.Entry
	for _, e := range entries {
		o := options(e)
		begun := false
		for l := range wholeLines(cache, e, o) {
			if !begun {
				write(out, Space(before, e, o))
			}
			begun, before = true, e
			write(out, []string{l})
		}
	}
}

// wholeLines are the lines of an entry as it is drawn, of one unit at a time.
func wholeLines(c *Cache, e *timeline.Entry, o Options) iter.Seq[string] {
	return func(yield func(string) bool) {
		for unit := range c.Units(e, o) {
			for _, l := range c.Lines(e, unit, o) {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// write passes lines on, each in one piece: what takes sequences out behind it would
// take half a letter at an end for one.
func write(out *bufio.Writer, lines []string) {
	for _, l := range lines {
		line := []byte(strings.TrimRight(l, " ") + "\n")
		if len(line) > out.Available() {
			_ = out.Flush() // the error stays
		}
		_, _ = out.Write(line)
	}
}
