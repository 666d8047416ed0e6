package diff

import (
	"slices"
	"strings"

	"parley/render/patch"
)

// Around returns d with up to so many more lines of its file on either side of each
// hunk; at[i] is the line that line i of d is there. It is not ok if d is not the
// change of one file, or does not say where its lines are, or if the file is not what
// it changes: each line that d removes or keeps must be there.
func (d *Diff) Around(file string, more int) (wider *Diff, at []int, ok bool) {
	if len(d.Files) != 1 || len(d.Lines) == 0 {
		return nil, nil, false
	}
	w := &widening{lines: strings.SplitAfter(file, "\n"), next: 1, out: &Diff{NeedsTitle: d.NeedsTitle}}
	if last := len(w.lines) - 1; w.lines[last] == "" {
		w.lines = w.lines[:last]
	}
	w.out.Files = slices.Clone(d.Files)
	for h := range d.Hunks {
		hunk := d.Lines[d.Hunks[h].From:d.HunkEnd(h)]
		if len(hunk) == 0 || !w.hunk(d.Hunks[h], hunk, more) {
			return nil, nil, false
		}
	}
	w.same(min(w.next+more, len(w.lines)+1))
	w.out.measure()
	return w.out, w.at, true
}

// widening makes a change with more lines around it.
type widening struct {
	lines  []string // of the file, with their ends
	next   int      // the number of the first one that is not passed, from 1
	offset int      // from numbers before the change to those after it
	out    *Diff
	at     []int
}

// same adds the lines before a number as they are.
func (w *widening) same(before int) {
	for ; w.next < before; w.next++ {
		text, ended := strings.CutSuffix(w.lines[w.next-1], "\n")
		w.out.Lines = append(w.out.Lines, patch.Line{Op: patch.Same, Open: !ended, Old: w.next, New: w.next + w.offset, Text: text})
	}
}

// hunk adds a hunk with more lines before it, and after the one before. It reports
// whether the file holds it.
func (w *widening) hunk(h patch.Hunk, lines []patch.Line, more int) bool {
	start := lines[0].Old
	if lines[0].Op == patch.Add {
		start = lines[0].New - w.offset
	}
	if start < w.next || start > len(w.lines)+1 {
		return false
	}
	first := len(w.out.Hunks) == 0
	if !first {
		w.same(min(w.next+more, start))
	}
	if from := max(w.next, start-more); first || from > w.next {
		begin := patch.Hunk{From: len(w.out.Lines), Section: h.Section, Skipped: from - w.next}
		if begin.Skipped == 0 {
			begin.Section = ""
		}
		w.out.Hunks, w.next = append(w.out.Hunks, begin), from
	}
	w.same(start)
	for _, l := range lines {
		if !w.line(l) {
			return false
		}
	}
	return true
}

// line adds a line of the change, and reports whether the file holds it.
func (w *widening) line(l patch.Line) bool {
	w.at, w.out.Lines = append(w.at, len(w.out.Lines)), append(w.out.Lines, l)
	if l.Op == patch.Add {
		w.offset++
		return l.New > 0
	}
	if l.Old != w.next || l.Old > len(w.lines) && l.Text != "" { // runtimes show an empty line after the last
		return false
	}
	if l.Old <= len(w.lines) && strings.TrimRight(w.lines[l.Old-1], "\r\n") != strings.TrimSuffix(l.Text, "\r") {
		return false
	}
	w.next = min(w.next+1, len(w.lines)+1)
	if l.Op == patch.Delete {
		w.offset--
	}
	return true
}
